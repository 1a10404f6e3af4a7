"""What the full screen shows of how one has come in: a warning, what is told once, and links."""

import pytest

from passing_client.conversation import Conversation
from passing_client.screen.pages import lobby
from passing_client.server_board import ServerBoard
from passing_link.exits import ExitCode
from passing_protocol.join_codes import Invitation
from tests.client.screen.endings import SIZES, check_size, lobby_scene, texts
from tests.support.screen_talk import ScreenTalk

LINK = Invitation("den.local", 4000, bytes(range(32)), "CDEFGHJK")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("tables", [0, 1, 4])
def test_every_lobby_of_a_server_that_encrypts_nothing_says_so(
    size: tuple[int, int], tables: int
) -> None:
    scene = lobby_scene()
    scene.desk.tables = scene.desk.tables[:tables]
    assert "WARNING" not in " ".join(texts(lobby.draw(scene, *size)))
    scene.desk.open_to_all = True
    picture = lobby.draw(scene, *size)
    check_size(picture, *size)
    shown = " ".join(" ".join(texts(picture)).split())
    assert "WARNING: this server encrypts nothing. Who listens on the way reads every hand" in shown


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("row", range(4))
def test_below_the_warning_the_cursor_is_on_the_chosen_table(
    size: tuple[int, int], row: int
) -> None:
    scene = lobby_scene()
    scene.desk.open_to_all = True
    scene.row = row
    picture = lobby.draw(scene, *size)
    assert picture.cursor is not None
    assert texts(picture)[picture.cursor[0]].startswith((" ►", " >"))


def test_what_is_told_once_is_shown_and_logged() -> None:
    talk = ScreenTalk()

    def begin(conversation: Conversation) -> None:
        conversation.desk.told_once = "The key is kept."
        conversation.desk.say("Connected.", "The key is kept.")

    talk.controller.begin(begin)
    assert "The key is kept." in talk.picture(80, 24)
    assert list(talk.scene.log)[-2:] == ["Connected.", "The key is kept."]


@pytest.mark.parametrize(
    ("typed", "told"),
    [("passing://den.local", "This link is not passing://"), ("den:0", "address: port 0 ")],
)
def test_what_is_no_link_stays_and_it_is_said_why(typed: str, told: str) -> None:
    board = ServerBoard()
    talk = ScreenTalk(board=board)
    talk.press("/", *typed, "enter")
    assert talk.scene.flash.startswith(told)
    assert talk.scene.typed == f"/{typed}"
    assert board.choice is None


def test_a_link_can_be_typed_where_an_address_can() -> None:
    board = ServerBoard()
    talk = ScreenTalk(board=board)
    talk.press("/", *str(LINK), "enter")
    assert board.choice == LINK
    assert talk.conversation.desk.over is ExitCode.DONE
