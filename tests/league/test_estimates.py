"""Means and intervals: what they hold, and that 95 % of intervals hold the truth."""

import random
from fractions import Fraction
from itertools import pairwise
from statistics import fmean, stdev, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_bots.league.estimates import Estimate, Strata, student_t
from passing_bots.league.plan import GameKey
from passing_bots.league.standings import standings
from tests.support.league_logs import league, whole_log

VALUES = st.lists(
    st.tuples(st.integers(0, 3), st.fractions(-90, 90, max_denominator=12)), max_size=60
)
"""Block means of up to four pairings."""


def strata(values: list[tuple[int, Fraction]]) -> Strata:
    held = Strata()
    for pairing, value in values:
        held.add(pairing, value)
    return held


def of(*pairings: list[int]) -> Estimate:
    """The estimate over block means of several pairings."""
    return strata([(n, Fraction(v)) for n, held in enumerate(pairings) for v in held]).estimate()


# --- Student's t ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "published"),
    [
        (1, 12.706), (2, 4.303), (5, 2.571), (9, 2.262), (10, 2.228), (20, 2.086), (30, 2.042),
        (31, 2.040), (35, 2.030), (40, 2.021), (49, 2.010), (60, 2.000), (80, 1.990), (99, 1.984),
        (120, 1.980), (1_000, 1.962), (10**9, 1.960),
    ],
)  # fmt: skip
def test_student_t_is_as_published(freedom: int, published: float) -> None:
    assert student_t(freedom) == pytest.approx(published, abs=6e-4)


def test_student_t_falls() -> None:
    assert all(one > other for one, other in pairwise(map(student_t, range(1, 200))))


# --- the formula ---------------------------------------------------------------------------------


@given(VALUES)
def test_a_mean_is_over_all_blocks(values: list[tuple[int, Fraction]]) -> None:
    estimate = strata(values).estimate()
    assert estimate.blocks == len(values)
    if values:
        assert estimate.mean == float(sum(value for _, value in values) / len(values))
    else:
        assert estimate == Estimate(0, None, None)


@given(VALUES, st.randoms(use_true_random=False))
def test_the_order_changes_no_digit(
    values: list[tuple[int, Fraction]], chance: random.Random
) -> None:
    before = strata(values).estimate()
    chance.shuffle(values)
    assert strata(values).estimate() == before


def test_of_one_pairing_it_is_the_interval_of_the_text_books() -> None:
    values = [3, -8, 12, 0, 7, 7, -2, 5, 9, 1, -4, 6]
    estimate = of(values)
    assert estimate.mean == fmean(values)
    assert estimate.interval == pytest.approx(2.201 * stdev(values) / 12**0.5)


def test_pairings_count_by_their_blocks() -> None:
    one, other = [3, -8, 12, 0, 7, 7, -2, 5], [40, 44, 41, 47]
    squares = [(8 / 12) ** 2 * variance(one) / 8, (4 / 12) ** 2 * variance(other) / 4]
    freedom = sum(squares) ** 2 / (squares[0] ** 2 / 7 + squares[1] ** 2 / 3)
    assert of(one, other).interval == pytest.approx(
        student_t(int(freedom)) * sum(squares) ** 0.5, rel=1e-9
    )


@given(VALUES, st.lists(st.integers(-10_000, 10_000), min_size=4, max_size=4))
def test_how_strong_opponents_are_is_no_uncertainty(
    values: list[tuple[int, Fraction]], strengths: list[int]
) -> None:
    """All that a pairing adds to each of its blocks leaves the interval as it is."""
    moved = [(pairing, value + strengths[pairing]) for pairing, value in values]
    assert strata(moved).estimate().interval == strata(values).estimate().interval


@given(VALUES)
def test_few_blocks_have_no_interval_nor_has_a_pairing_of_one(
    values: list[tuple[int, Fraction]],
) -> None:
    counts = [sum(pairing == each for pairing, _ in values) for each in range(4)]
    told = strata(values).estimate().interval is not None
    assert told == (len(values) >= 10 and 1 not in counts)


def test_what_never_varies_is_certain() -> None:
    assert of([5] * 6, [-1] * 4) == Estimate(10, 2.6, 0.0)


@pytest.mark.parametrize(
    ("mean", "interval", "beyond"),
    [
        (3.0, 2.0, True), (-3.0, 2.0, True), (2.0, 2.0, False), (-1.0, 2.0, False),
        (0.0, 0.0, False), (1.0, 0.0, True), (9.0, None, False), (None, None, False),
    ],
)  # fmt: skip
def test_it_is_beyond_chance_where_0_is_outside(
    mean: float | None, interval: float | None, beyond: bool
) -> None:
    assert Estimate(10, mean, interval).beyond_chance is beyond


# --- the promise ---------------------------------------------------------------------------------


def share_that_holds(pairings: list[tuple[int, float, float]], leagues: int = 1_000) -> float:
    """In how many of many leagues the interval holds the true mean, as a share.

    Each pairing has so many blocks, a true mean, and a standard deviation of its block means.
    """
    chance = random.Random(20)
    blocks = sum(count for count, _, _ in pairings)
    truth = sum(count * mean for count, mean, _ in pairings) / blocks
    held = 0
    for _ in range(leagues):
        estimate = strata(
            [
                (pairing, Fraction(round(chance.gauss(mean, deviation) * 2), 2))
                for pairing, (count, mean, deviation) in enumerate(pairings)
                for _ in range(count)
            ]
        ).estimate()
        assert estimate.mean is not None
        assert estimate.interval is not None
        held += abs(estimate.mean - truth) <= estimate.interval
    return held / leagues


@pytest.mark.parametrize(
    "pairings",
    [
        [(10, 4.0, 10.0)],
        [(10, 0.0, 10.0), (10, 30.0, 10.0)],
        [(12, -25.0, 15.0), (12, 0.0, 10.0), (6, 40.0, 3.0)],
        [(30, 1.0, 10.0), (2, -40.0, 5.0)],
    ],
)  # fmt: skip
def test_95_of_100_intervals_hold_the_true_mean(pairings: list[tuple[int, float, float]]) -> None:
    assert 0.94 <= share_that_holds(pairings) <= 0.975


def test_so_do_those_of_the_standings_among_engines_that_differ_much() -> None:
    """The luck of the deal cancels in part; what opponents differ by is many times the luck."""
    strength = {"a": 0, "b": -60, "c": 5}
    chosen = league("b", "a", "c", blocks=10)
    held = dict.fromkeys(strength, 0)
    truth = {"a": (60 - 5) / 2, "b": -(60 + 65) / 2, "c": (5 + 65) / 2}
    for number in range(100):
        chance = random.Random(number)

        def points(key: GameKey, chance: random.Random = chance) -> list[int]:
            return [round(chance.gauss(200 + strength[name], 8)) for name in key.engines]

        for row in standings(whole_log(chosen, points)).rows:
            mean, interval = row.margin.mean, row.margin.interval
            assert mean is not None
            assert interval is not None
            held[row.engine] += abs(mean - truth[row.engine]) <= interval
    assert all(0.91 <= each / 100 <= 0.985 for each in held.values())
