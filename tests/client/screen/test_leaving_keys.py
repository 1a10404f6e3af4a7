"""What keys do to leave: asked about once in a match, and possible everywhere."""

import pytest

from passing_client.screen.scene import Page
from passing_client.screen.timing import SEEN_MS
from passing_link.exits import ExitCode
from passing_link.news import LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.events import (
    Said,
    StateChanged,
)
from passing_protocol.messages import (
    Leave,
    Left,
)
from passing_protocol.views import TableState
from passing_rules import Tile
from tests.support.client_scene import (
    TABLE,
    acted,
    ask,
    round_view,
)
from tests.support.screen_talk import ScreenTalk, lobby, on_turn

QUESTION = "Your seat is lost for good. q again leaves, Esc goes back."
PRIVATE_QUESTION = "The match is not over. q again leaves, Esc goes back."


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("key", ["q", "f10", ";"])
def test_leaving_a_match_is_asked_about_once(key: str, private: bool) -> None:
    talk = ScreenTalk(private=private)
    talk.on_turn()
    talk.press(key)
    assert (PRIVATE_QUESTION if private else QUESTION) in talk.picture()
    talk.press("escape")
    assert QUESTION not in talk.picture()
    talk.press_again(key)
    assert (talk.sent(), talk.over) == ([], None)
    talk.press_again(key)
    assert talk.sent() == ([] if private else [Leave(0, TABLE)])
    assert talk.over is (ExitCode.DONE if private else None)


def test_a_watcher_leaves_at_once() -> None:
    talk = ScreenTalk()
    talk.sits(round_view(), hand=None)
    talk.press("q")
    assert talk.sent() == [Leave(0, TABLE)]
    talk.ok()
    assert talk.scene.page is Page.LOBBY


def test_one_who_is_removed_is_in_the_lobby_and_is_told() -> None:
    talk = on_turn()
    talk.hears(Left(talk.seq(), TABLE, "removed"))
    assert talk.scene.page is Page.LOBBY
    assert talk.scene.chosen is None
    assert talk.scene.flash == "You have been removed from the table."


@pytest.mark.parametrize("key", ["q", "escape", "f10"])
def test_waiting_for_a_server_can_be_left(key: str) -> None:
    talk = ScreenTalk(starting="Connecting to den.local ...")
    assert talk.scene.page is Page.STARTING
    assert talk.controller.tick()
    talk.press("enter", "d", "6", "4", "tab", "c")
    assert talk.over is None
    talk.press(key)
    assert talk.over is ExitCode.DONE


def test_who_wants_out_at_once_is_out() -> None:
    talk = on_turn()
    talk.controller.interrupt()
    assert talk.over is ExitCode.INTERRUPTED


def test_on_the_bar_leaving_is_asked_about_and_done() -> None:
    talk = on_turn()
    talk.on_the_bar("leave")
    talk.press("enter")
    assert QUESTION in talk.picture()
    talk.press_again("enter")
    assert talk.sent() == [Leave(0, TABLE)]


@pytest.mark.parametrize("word", ["leave", "quit"])
def test_the_commands_are_asked_about_and_done(word: str) -> None:
    talk = on_turn()
    talk.commands(word)
    assert QUESTION in talk.picture()
    assert (talk.sent(), talk.over) == ([], None)
    talk.commands(word)
    assert talk.over is (ExitCode.DONE if word == "quit" else None)
    assert talk.sent() == ([] if word == "quit" else [Leave(0, TABLE)])


@pytest.mark.parametrize("size", [(80, 24), (60, 12), (30, 6), (300, 80)])
def test_the_question_is_shown_as_long_as_it_is_open(size: tuple[int, int]) -> None:
    talk = ScreenTalk()
    talk.waiting()
    talk.press("q")
    talk.update(acted(1, 20, "06"), acted(2, 21, "-"), acted(3, 22, "-"), ask=ask(23, "02< 46>"))
    talk.update(Said("Bo", "your turn", 1))
    assert QUESTION in talk.picture(*size)
    talk.press_again("q")
    assert talk.sent() == [Leave(0, TABLE)]


@pytest.mark.parametrize("key", ["d", "4", "left", "?", "l", "s", "escape"])
def test_whoever_does_something_else_is_asked_again(key: str) -> None:
    talk = on_turn()
    talk.press("q", key)
    assert QUESTION not in talk.picture()
    talk.press("escape")
    talk.sent()
    talk.press_again("q")
    assert (talk.sent(), talk.over) == ([], None)


def test_a_click_or_pasted_tile_takes_the_question_back() -> None:
    talk = on_turn()
    talk.press("q")
    talk.controller.click(Tile(4, 6))
    assert QUESTION not in talk.picture()
    talk.press("q")
    talk.controller.paste("64")
    assert QUESTION not in talk.picture()


def test_to_look_at_the_keys_or_plain_characters_is_nothing_else() -> None:
    talk = on_turn()
    talk.press("q", "tab", "right", "f8", "tab")
    assert QUESTION in talk.picture()


def test_a_key_that_is_held_loses_no_seat() -> None:
    talk = on_turn()
    for _ in range(8):
        talk.press("q")
        talk.passes(SEEN_MS // 8)
    assert (talk.sent(), talk.over) == ([], None)


def test_who_is_leaving_is_not_asked_again_but_told_to_wait() -> None:
    talk = on_turn()
    talk.press("q")
    talk.press_again("q")
    talk.press_again("q")
    assert QUESTION not in talk.picture()
    assert "The server has not answered yet." in talk.picture()
    assert talk.sent() == [Leave(0, TABLE)]
    talk.error(ErrorCode.TABLE_STATE)
    talk.press_again("q")
    assert QUESTION in talk.picture()


def test_a_match_that_is_over_leaves_no_question() -> None:
    talk = on_turn()
    talk.press("q")
    talk.update(StateChanged(TableState.OVER))
    assert QUESTION not in talk.picture()


@pytest.mark.parametrize("keys", [["enter"], ["w"]])
def test_without_a_connection_whoever_waits_for_a_place_gets_out(keys: list[str]) -> None:
    talk = lobby()
    talk.press(*keys)
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost; trying to get it back."))
    talk.link.down = True
    talk.press("q")
    assert talk.over is ExitCode.DONE


def test_without_a_connection_whoever_waits_for_a_new_table_gets_out() -> None:
    talk = lobby()
    talk.commands("new attic")
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost; trying to get it back."))
    talk.press("q")
    assert talk.over is ExitCode.DONE


@pytest.mark.parametrize("is_leaving", [False, True])
def test_without_a_connection_a_match_is_left_with_the_server(is_leaving: bool) -> None:
    talk = on_turn()
    if is_leaving:
        talk.press("q")
        talk.press_again("q")
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost; trying to get it back."))
    talk.link.down = True
    talk.press_again("q")
    assert QUESTION in talk.picture()
    assert talk.over is None
    talk.press_again("q")
    assert talk.over is ExitCode.DONE


def test_a_server_that_does_not_answer_can_be_left() -> None:
    talk = lobby()
    talk.press("enter", "q")
    assert talk.over is ExitCode.DONE


@pytest.mark.parametrize("keys", ["46>", "dp", '"hello', "/who", "?", "l"])
def test_where_nothing_can_be_seen_keys_do_nothing_but_leave(keys: str) -> None:
    talk = on_turn()
    talk.controller.resize(59, 11)
    talk.press(*keys, "enter", "tab", "f5")
    talk.controller.paste("46")
    talk.controller.click(Tile(4, 6))
    assert (talk.sent(), talk.scene.typed, talk.scene.overlay) == ([], "", None)
    assert talk.scene.chosen is None
    talk.press("q")
    assert QUESTION in talk.picture(59, 11)
    talk.press("escape")
    assert QUESTION not in talk.picture(59, 11)
    talk.press("q")
    talk.press_again("q")
    assert talk.sent() == [Leave(0, TABLE)]


@pytest.mark.parametrize("begun", ['"half a sen', "/sea"])
def test_where_nothing_can_be_seen_what_is_written_stays(begun: str) -> None:
    talk = on_turn()
    talk.writes(begun)
    talk.controller.resize(59, 11)
    talk.press("x", "enter", "q")
    assert talk.scene.typed == begun
    assert QUESTION in talk.picture(59, 11)
    talk.press("escape")
    talk.controller.resize(80, 24)
    talk.press("x")
    assert talk.scene.typed == f"{begun}x"


def test_a_text_that_is_read_does_not_keep_anybody_where_nothing_can_be_seen() -> None:
    talk = lobby()
    talk.press("?")
    talk.controller.resize(59, 11)
    talk.press("q")
    assert talk.over is ExitCode.DONE
