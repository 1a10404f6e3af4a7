"""A table that goes on from what was kept of it is the table that was kept, at every moment.

More lives: `python -m tests.table.many_lives`.
"""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct, convert, to_builtins
from msgspec.structs import fields

from passing_protocol.views import SeatState, TableState
from passing_table import InvalidKept, KeptTable
from passing_table.dealing_state import DealingState, Member
from passing_table.kept_values import KeptAnswer, KeptDealing, KeptPlay, KeptSeat
from tests.support.kept_lives import CHOICES, Life, Plan, Step, Store, as_bytes
from tests.support.kept_plans import any_plan
from tests.table.many_lives import live

PLANS = st.integers(0, 2**32).map(lambda seed: any_plan(random.Random(seed)))
STEPS = st.lists(
    st.builds(Step, st.sampled_from(CHOICES), st.integers(0, 7), st.integers(0, 255)),
    min_size=15,
    max_size=60,
)


@settings(max_examples=50)
@given(PLANS, STEPS)
def test_a_restored_table_goes_on_as_the_one_that_was_kept(plan: Plan, steps: list[Step]) -> None:
    Life(plan).live([Step("fill", 0, 0), *steps])


def live_all(store: Store) -> Counter[str]:
    """Live through the same lives each time, and count what is met in them."""
    return sum((live(seed, 120, store).seen for seed in range(250)), start=Counter[str]())


def test_lives_lead_through_all_that_a_table_can_be() -> None:
    seen = live_all(as_bytes)
    assert set(seen) >= {*TableState, *SeatState, "held", "RoundEnded", "MatchEnded"}
    assert set(seen) >= {"contribute", "tips", "link_wanted", "TipsAgreed", "DealRevealed"}


# --- nothing is kept that makes no difference


ELSEWHERE = {
    *((DealingState, name) for name in ("base", "owners", "stopping")),
    (Member, "failed"),
}
"""What makes a difference too seldom: each has a test with fair deals."""

FIELDS = [
    (kind, field.name)
    for kind in (KeptTable, KeptSeat, KeptPlay, KeptAnswer, KeptDealing, DealingState, Member)
    for field in fields(kind)
    if not field.required and (kind, field.name) not in ELSEWHERE
]


Values = dict[str, Any]


def parts(kept: Values, kind: type[Struct]) -> list[Values]:
    """The values of a kind in a table that was kept."""
    seats: list[Values] = kept["seats"]
    play: Values = kept.get("play", {})
    unshown: Values = play.get("unshown", {})
    fair: Values = kept.get("fair", {})
    state: Values = fair.get("state", {})
    members: list[Values] = state.get("members", [])
    return {
        "KeptTable": [kept],
        "KeptSeat": seats,
        "KeptPlay": [play],
        "KeptAnswer": [unshown],
        "KeptDealing": [fair],
        "DealingState": [state],
        "Member": members,
    }[kind.__name__]


def forgetful(kind: type[Struct], name: str) -> Store:
    """A store that loses one field of every value of that kind."""

    def stored_as(kept: KeptTable) -> KeptTable:
        values = to_builtins(kept)
        for part in parts(values, kind):
            part.pop(name, None)
        return convert(values, KeptTable)

    return stored_as


@pytest.mark.parametrize(("kind", "name"), FIELDS)
def test_a_table_without_a_value_that_is_kept_behaves_otherwise(
    kind: type[Struct], name: str
) -> None:
    with pytest.raises((AssertionError, InvalidKept)):
        live_all(forgetful(kind, name))
