"""What keys do while chat or a command is written."""

import pytest

from passing_client.screen.scene import Focus
from passing_link.news import LinkNews, NewsKind
from passing_protocol.events import RoundBegan
from passing_protocol.messages import (
    Chat,
)
from passing_protocol.names import CHAT_CHARS
from passing_protocol.views import DealKind
from passing_rules import End, Tile
from tests.support.client_scene import (
    TABLE,
)
from tests.support.screen_talk import lobby, on_turn


@pytest.mark.parametrize("key", ["c", "ψ", "f7", '"'])
def test_chat_is_written_letter_by_letter_and_no_letter_is_a_key(key: str) -> None:
    talk = on_turn()
    talk.press(key)
    assert (talk.scene.typed, talk.scene.focus) == ('"', Focus.HAND)
    talk.writes("dp q? /46> δ")
    talk.press("enter")
    assert talk.sent() == [Chat(0, TABLE, "dp q? /46> δ")]
    assert (talk.scene.typed, talk.scene.focus) == ("", Focus.HAND)


def test_what_is_written_can_be_erased_and_given_up() -> None:
    talk = on_turn()
    talk.press("c", "a", "b", "backspace")
    assert talk.scene.typed == '"a'
    talk.press("c-u", "x", "escape")
    assert talk.scene.typed == ""
    talk.press("c", "backspace")
    assert (talk.scene.typed, talk.scene.focus) == ("", Focus.HAND)
    talk.press("c", "enter")
    assert talk.sent() == []


def test_what_is_written_has_an_end() -> None:
    talk = on_turn()
    talk.press("c")
    talk.writes("a" * (CHAT_CHARS + 50))
    assert len(talk.scene.typed) == CHAT_CHARS + 1


@pytest.mark.parametrize(
    ("pasted", "shown"),
    [("well\nplayed", '"well played'), ("\x1b[2Jhi\x07", '"hi'), ("a\r\nb\tc", '"a b c')],
)
def test_c48_pasted_chat_is_one_clean_line_and_is_not_sent_by_itself(
    pasted: str, shown: str
) -> None:
    talk = on_turn()
    talk.press("c")
    talk.controller.paste(pasted)
    assert talk.scene.typed == shown
    assert talk.sent() == []


@pytest.mark.parametrize("written", ['"hello there', "/ready"])
def test_what_cannot_be_sent_stays_written(written: str) -> None:
    talk = on_turn()
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost."))
    talk.link.down = True
    talk.writes(written)
    talk.press("enter")
    assert talk.scene.typed == written
    assert "The connection is down: that was not sent." in talk.picture()
    talk.link.down = False
    talk.hears(LinkNews(NewsKind.BACK, "The connection is back."))
    talk.sent()
    talk.press("enter")
    assert len(talk.sent()) == 1
    assert talk.scene.typed == ""


def test_what_is_written_while_it_is_open_where_one_is_stays_written() -> None:
    talk = on_turn()
    talk.press("q")
    talk.press_again("q")
    talk.sent()
    talk.writes('"bye')
    talk.press("enter")
    assert (talk.sent(), talk.scene.typed) == ([], '"bye')
    assert "The server has not answered yet." in talk.picture()


def test_in_the_lobby_it_is_told_why_a_command_stays_written() -> None:
    talk = lobby()
    talk.press("enter")
    talk.commands("new attic")
    assert talk.scene.typed == "/new attic"
    assert "The server has not answered yet." in talk.picture()


def test_a_new_round_takes_nothing_away_that_is_being_written() -> None:
    talk = on_turn()
    talk.writes('"good ro')
    talk.update(RoundBegan(4, 1, DealKind.SERVER, [6] * 4, 4, 2), hand="02 11")
    assert talk.scene.typed == '"good ro'


def test_a_pasted_tile_is_chosen_and_not_played() -> None:
    talk = on_turn()
    talk.controller.paste("6-4 >\n")
    assert (talk.scene.chosen, talk.scene.end) == (Tile(4, 6), End.RIGHT)
    talk.controller.paste("q\nd\n")
    assert talk.sent() == []
    assert talk.over is None
