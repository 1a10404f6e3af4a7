"""Whatever is pressed, wherever one is; and how it looks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_client.screen.keys import KEYS, action_of, hints
from passing_client.screen.scene import Page
from passing_client.screen.skin import ASCII, UNICODE
from passing_client.screen.timing import SEEN_MS
from passing_protocol.events import (
    StateChanged,
)
from passing_protocol.messages import (
    Act,
    Update,
)
from passing_protocol.views import TableState
from passing_rules import Tile
from tests.support.client_scene import (
    acted,
    after,
    round_view,
)
from tests.support.screen_talk import ScreenTalk, lobby, on_turn

# --- looks ---------------------------------------------------------------------------------------


def test_plain_characters_and_the_mouse_are_one_key_away() -> None:
    talk = on_turn()
    talk.press("f8", "f9")
    assert talk.scene.skin == ASCII
    assert talk.scene.mouse
    talk.press("f8", "f9")
    assert talk.scene.skin == UNICODE
    assert not talk.scene.mouse


def test_a_click_chooses_and_a_second_plays() -> None:
    talk = on_turn()
    talk.controller.click(Tile(5, 5))
    assert talk.scene.chosen is None
    talk.controller.click(Tile(4, 6))
    assert talk.scene.chosen == Tile(4, 6)
    assert talk.acts() == []
    talk.controller.click(Tile(4, 6))
    assert talk.acts() == ["46>"]


# --- whatever is pressed -------------------------------------------------------------------------


_KEYS = sorted({key for action in KEYS for key in action.keys})
_PRESSES = st.one_of(st.sampled_from(_KEYS), st.sampled_from([*"0123456"]), st.characters())


def states() -> list[ScreenTalk]:
    """Return somebody at every place where one can be."""
    starting = ScreenTalk(starting="Connecting ...")
    waiting, between, before, watching, over = (ScreenTalk() for _ in range(5))
    waiting.waiting()
    between.between()
    between.update(StateChanged(TableState.BETWEEN, 20_000))
    before.before_the_match()
    watching.sits(after(round_view(), "06", "d"), hand=None)
    over.between()
    over.update(StateChanged(TableState.OVER))
    return [starting, lobby(), waiting, on_turn(), between, before, watching, over]


@given(st.integers(0, 7), st.lists(_PRESSES, max_size=30))
def test_whatever_is_pressed_a_chosen_tile_is_held_and_one_action_is_sent(
    place: int, keys: list[str]
) -> None:
    talk = states()[place]
    for key in keys:
        talk.press(key)
        hand = talk.scene.desk.table.hand if talk.scene.desk.table is not None else ()
        assert talk.scene.chosen is None or talk.scene.chosen in hand
        shown = hints(talk.scene)
        assert 0 <= talk.scene.key < max(1, len(shown))
    assert len([request for request in talk.sent() if isinstance(request, Act)]) <= 1


@given(st.lists(_PRESSES, max_size=30), st.integers(0, SEEN_MS - 1))
def test_whatever_is_pressed_too_early_nothing_is_played(keys: list[str], shown_ms: int) -> None:
    talk = ScreenTalk()
    talk.on_turn(seen=False)
    talk.passes(shown_ms)
    talk.press(*keys)
    assert talk.acts() == []


@pytest.mark.parametrize("place", range(8))
def test_everywhere_there_is_help_and_a_way_out(place: int) -> None:
    talk = states()[place]
    names = {action.name for action in hints(talk.scene)}
    assert names & {"leave", "give_up"}
    assert talk.scene.page is Page.STARTING or "help" in names


def test_capital_letters_are_the_same_keys() -> None:
    talk = on_turn()
    for action in KEYS:
        for key in action.keys:
            if len(key) == 1 and key.upper().lower() == key:
                assert action_of(key.upper(), talk.scene) == action_of(key, talk.scene)


def test_an_update_of_a_table_that_was_left_is_nothing() -> None:
    talk = lobby()
    talk.hears(Update(talk.seq(), "t9", 1, [acted(1, 20, "06")]))
    assert list(talk.scene.log) == []
