"""A key that is held down comes again and again, and never answers what it has asked itself."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_client.screen.scene import Page
from passing_client.screen.timing import SEEN_MS
from passing_link.exits import ExitCode
from passing_protocol.events import StateChanged
from passing_protocol.messages import Leave, Ready
from passing_protocol.views import TableState
from tests.support.client_scene import TABLE, acted, ask, round_view
from tests.support.screen_talk import ScreenTalk, lobby, on_turn

REPEATS = st.lists(st.integers(30, 90), min_size=1, max_size=60)


def hold(talk: ScreenTalk, key: str, gaps: list[int]) -> None:
    """Press a key and hold it; the keyboard repeats it after each of so many milliseconds."""
    talk.press(key)
    for gap in gaps:
        talk.passes(gap)
        talk.press(key)


@given(REPEATS)
@pytest.mark.parametrize("key", ["p", "-", "f6"])
def test_a_held_key_never_passes_while_a_tile_fits(key: str, gaps: list[int]) -> None:
    talk = on_turn()
    hold(talk, key, gaps)
    assert talk.acts() == []
    assert "p again passes" in talk.picture()
    talk.press_again(key)
    assert talk.acts() == ["-"]


@given(REPEATS)
@pytest.mark.parametrize("key", ["q", "f10", ";"])
def test_a_held_key_never_leaves_a_match(key: str, gaps: list[int]) -> None:
    talk = on_turn()
    hold(talk, key, gaps)
    assert (talk.sent(), talk.over) == ([], None)
    talk.press_again(key)
    assert talk.sent() == [Leave(0, TABLE)]


@given(REPEATS)
def test_a_held_key_that_leaves_a_table_does_not_leave_the_server_too(gaps: list[int]) -> None:
    talk = ScreenTalk()
    talk.sits(round_view(), hand=None)
    talk.press("q")
    talk.ok()
    hold(talk, "q", gaps)
    assert (talk.scene.page, talk.over) == (Page.LOBBY, None)
    talk.press_again("q")
    assert talk.over is ExitCode.DONE


@given(REPEATS)
@pytest.mark.parametrize(
    ("key", "action", "legal"),
    [("p", "-", "d -"), ("d", "d", "d -"), ("enter", "46>", "46> d -"), (">", "46>", "46> d -")],
)
def test_a_key_that_is_held_when_the_turn_comes_does_nothing(
    key: str, action: str, legal: str, gaps: list[int]
) -> None:
    talk = ScreenTalk()
    talk.on_turn(legal, seen=False)
    talk.writes("46")
    hold(talk, key, gaps)
    assert talk.acts() == []
    talk.press_again(key)
    assert talk.acts() == [action]


def ready_page() -> ScreenTalk:
    talk = on_turn()
    talk.update(acted(0, 25, "d"), StateChanged(TableState.BETWEEN, 20_000), hand="02 04 13 46")
    return talk


@given(REPEATS)
@pytest.mark.parametrize(("page", "key", "sent"), [(ready_page, "enter", Ready(0, TABLE))])
def test_a_key_that_is_held_when_a_page_comes_does_nothing_there(
    page: Callable[[], ScreenTalk], key: str, sent: Ready, gaps: list[int]
) -> None:
    talk = page()
    talk.sent()
    hold(talk, key, gaps)
    assert talk.sent() == []
    talk.press_again(key)
    assert talk.sent() == [sent]


def test_each_press_that_comes_too_early_makes_it_wait_anew() -> None:
    talk = on_turn()
    hold(talk, "p", [SEEN_MS - 1] * 5)
    assert talk.acts() == []


def test_in_the_lobby_who_has_looked_at_it_leaves_with_one_key() -> None:
    talk = lobby()
    talk.passes()
    talk.press("q")
    assert talk.over is ExitCode.DONE


# --- what is told of the moment is over with it ------------------------------------------------


def waiting() -> ScreenTalk:
    """Dana, who has drawn, so that it is Bo's turn."""
    talk = on_turn()
    talk.update(acted(0, 25, "d"), hand="02 04 13 46 55", drew="55")
    return talk


@pytest.mark.parametrize("keys", ["p", "d", "46>"])
def test_whose_turn_it_was_is_not_told_any_more_when_it_is_anothers(keys: str) -> None:
    talk = waiting()
    talk.writes(keys)
    assert "Not your turn: Bo to play." in talk.picture()
    talk.update(acted(1, 26, "-"))
    assert "Not your turn" not in talk.picture()
    assert "Caro to play." in talk.picture()


def test_what_fits_nowhere_is_not_told_any_more_when_the_ends_are_others() -> None:
    talk = on_turn()
    talk.writes("13")
    assert "1-3 fits neither" in talk.scene.flash
    talk.update(acted(0, 25, "-", timed_out=True), hand="02 04 13 46")
    assert talk.scene.flash == ""


def test_an_answer_that_is_of_no_moment_stays() -> None:
    talk = waiting()
    talk.press("f9")
    said = talk.scene.flash
    talk.update(acted(1, 26, "-"))
    assert talk.scene.flash == said != ""


def test_that_it_was_too_early_is_over_with_the_turn() -> None:
    talk = ScreenTalk()
    talk.on_turn("d -", seen=False)
    talk.press("p")
    assert "too early" in talk.scene.flash
    talk.update(acted(0, 25, "-", timed_out=True), hand="02 04 13 46")
    assert talk.scene.flash == ""


def test_the_same_question_is_told_again_after_another() -> None:
    talk = waiting()
    talk.press("p")
    talk.update(acted(1, 26, "-"))
    talk.press("p")
    assert "Not your turn: Caro to play." in talk.picture()
    talk.update(acted(2, 27, "-"), acted(3, 28, "-"), ask=ask(29, "d -"))
    assert "Not your turn" not in talk.picture()
