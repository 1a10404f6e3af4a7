"""The title of the terminal."""

from msgspec.structs import replace

from passing_client.screen.title import title
from passing_protocol.views import TableState
from tests.support.client_scene import open_view, round_view
from tests.support.screen_talk import ScreenTalk


def test_the_title_says_whose_turn_it_is() -> None:
    talk = ScreenTalk()
    assert title(talk.scene) == "The Passing Game"
    talk.waiting()
    assert title(talk.scene) == "Bo to play - kitchen - The Passing Game"
    talk.on_turn()
    assert title(talk.scene) == "Your turn - kitchen - The Passing Game"


def test_where_no_round_is_played_the_title_names_the_table() -> None:
    for state in (TableState.OPEN, TableState.BETWEEN, TableState.PAUSED):
        talk = ScreenTalk()
        talk.sits(replace(open_view(), state=state), hand="")
        assert title(talk.scene) == "kitchen - The Passing Game"


def test_c48_no_name_gives_the_terminal_an_order() -> None:
    talk = ScreenTalk()
    talk.sits(replace(round_view(), name="kit\x1b]0;x\x07chen"), hand="02")
    assert "\x1b" not in title(talk.scene)
    assert "\x07" not in title(talk.scene)
