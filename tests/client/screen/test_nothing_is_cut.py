"""What does not fit is left out whole or put into more lines, and nothing is said twice."""

import pytest
from msgspec.structs import replace

from passing_client.screen.cells import text_of, width
from passing_client.screen.panels.message.model import MessageModel
from passing_client.screen.panels.message.view import draw_input, draw_said
from passing_client.screen.panels.seats.presenter import present as present_seats
from passing_client.screen.panels.seats.view import draw as draw_seats
from passing_client.screen.skin import UNICODE
from passing_protocol.events import Said
from tests.client.screen.tables import scene_of
from tests.support.client_scene import open_view, round_view, taken
from tests.support.screen_talk import ScreenTalk

HINT = "2-6 går vid höger ände (6).  Enter = lägg   Esc = tillbaka"


def message(hint: str, typed: str = "") -> MessageModel:
    return MessageModel("", "", "", "", ">", typed, hint)


@pytest.mark.parametrize(
    ("cells", "shown"), [(80, HINT), (60, "2-6 går vid höger ände (6).  Enter = lägg")]
)
def test_a_hint_is_shown_in_whole_parts(cells: int, shown: str) -> None:
    drawn = text_of(draw_input(message(HINT), cells))
    assert drawn.rstrip() == f" > {shown}"
    assert width(drawn) == cells


def test_what_was_said_has_as_many_lines_as_it_needs() -> None:
    said = "The connection is back; the server was started again and goes on where it was."
    lines = draw_said(message(said), 60, 3)
    assert all(width(text_of(row)) == 60 for row in lines)
    assert " ".join(" ".join(map(text_of, lines)).replace(" > ", " ").split()) == said
    assert len(draw_said(message(said, "typed"), 60, 3)) == 1
    assert len(draw_said(message(said), 60, 1)) == 1


def test_the_last_sign_of_ones_own_name_is_there() -> None:
    talk = ScreenTalk()
    name = "漢字" * 6
    view = round_view()
    talk.sits(replace(view, seats=[taken(name), *view.seats[1:]]), hand="02")
    table = talk.scene.desk.table
    assert table is not None
    drawn = [text_of(row) for row in draw_seats(present_seats(scene_of(table), table), 60, UNICODE)]
    assert drawn[-1].lstrip().startswith("you (漢字")
    assert "~) " in drawn[-1]


def test_at_a_table_that_waits_a_message_is_there_once() -> None:
    talk = ScreenTalk()
    seats = [taken("Dana"), taken("Caro"), *open_view().seats[2:]]
    talk.sits(replace(open_view(), seats=seats), hand="")
    talk.update(Said("Caro", "good evening", 1))
    for size in ((80, 24), (60, 12), (100, 30)):
        shown = talk.picture(*size)
        assert shown.count("good evening") == 1
        assert "Waiting for players: 2 seats are free." in shown
