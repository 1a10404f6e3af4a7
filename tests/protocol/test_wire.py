"""Actions between the rules and the wire."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.wire import ActionMessage, action_message, tile_text
from passing_rules import ALL_TILES, Action, Draw, End, Pass, Play

ACTIONS: list[Action] = [
    Draw(),
    Pass(),
    *(Play(tile, end) for tile in ALL_TILES for end in (None, *End)),
]


@given(st.sampled_from(ACTIONS))
def test_every_action_goes_over_the_wire_and_back(action: Action) -> None:
    assert action_message(action).action == action


def test_every_action_has_a_form_of_its_own() -> None:
    assert len({action_message(action) for action in ACTIONS}) == len(ACTIONS)


def test_r2_1_an_action_is_exactly_one_of_three() -> None:
    with pytest.raises(ValueError, match="exactly one"):
        ActionMessage()
    with pytest.raises(ValueError, match="exactly one"):
        ActionMessage(draw=True, pass_=True)
    with pytest.raises(ValueError, match="exactly one"):
        ActionMessage(play="46", draw=True)


def test_r2_4_an_end_goes_with_a_tile() -> None:
    with pytest.raises(ValueError, match="end goes with play"):
        ActionMessage(pass_=True, end="left")


@pytest.mark.parametrize("tile", ALL_TILES, ids=str)
def test_a_tile_is_two_digits_the_lower_first(tile: object) -> None:
    text = str(tile)
    assert text in {tile_text(known) for known in ALL_TILES}
    assert text == "".join(sorted(text))
