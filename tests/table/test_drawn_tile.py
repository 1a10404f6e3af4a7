"""A tile is told as just drawn to the seat that has it in its hand, and only then."""

import random

import pytest

from passing_protocol.events import RoundEnded
from passing_protocol.views import TableOptions
from passing_rules import Deal, Options
from passing_table import view
from tests.support.sitting import Sitting, engine

ENGINES = engine("greedy"), engine("calm")
ENDS_WITH_A_DRAW = Deal.parse(
    "01 02 04 33 35 46 56 / 00 11 16 24 36 45 66 / 23 26 13 14 03 34 25 06 12 22 15 05 | 44 55"
)
UNTIL_THE_LAST = (
    "d 45 35> 24< 23> d 02> 26< d d 46< d 04> 14< 13< 03< 01< 16< d 36< d d 33< d d d 34<"
)
"""Nobody can play any more, and the next draw is the last (R2.3, R3.2)."""


def match_of_engines(*given: Deal) -> Sitting:
    sitting = Sitting(Options.of(2, target=9_999), TableOptions(pace_ms=0), given)
    sitting.begin(*ENGINES)
    sitting.take()
    return sitting


def test_a_draw_that_ends_a_round_is_not_told_with_the_hand_of_the_next() -> None:
    sitting = match_of_engines(ENDS_WITH_A_DRAW)
    sitting.play(UNTIL_THE_LAST)
    sitting.take()
    seat = sitting.to_act
    sitting.play("d")
    ended = [event for event in sitting.take() if isinstance(event, RoundEnded)]
    assert [event.ending for event in ended] == ["blocked"]
    assert seat is not None
    assert seat in sitting.change.hands
    assert sitting.change.drew == {}
    assert len(view.mine(sitting.table, seat).hand) == 7


@pytest.mark.parametrize("seed", range(20))
def test_what_is_told_as_drawn_is_in_the_hand_that_is_told_with_it(seed: int) -> None:
    chance = random.Random(seed)
    sitting = match_of_engines()
    draws = 0
    for _ in range(120):
        sitting.act(str(chance.choice(sitting.dealt.legal_actions())))
        sitting.take()
        for number, drawn in sitting.change.drew.items():
            draws += 1
            assert str(drawn) in view.mine(sitting.table, number, drawn).hand
    assert draws
