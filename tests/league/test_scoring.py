"""What a game is worth: margins sum to zero, and a forfeit costs what the league says."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_bots.league.scoring import difference, margins, winner

MARGIN = 40


@st.composite
def scored(draw: st.DrawFn) -> tuple[list[int], set[int], int]:
    """Any game: points by side, the sides that forfeited, the league's margin."""
    points = draw(st.lists(st.integers(0, 168), min_size=2, max_size=4))
    forfeits = draw(st.sets(st.integers(0, len(points) - 1)))
    return points, forfeits, draw(st.integers(0, 1000))


def quotients(*values: tuple[int, int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(over, under) for over, under in values)


def whole(*values: int) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, values))


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([30, 10], [(20, 1), (-20, 1)]),
        ([0, 0], [(0, 1), (0, 1)]),
        ([30, 10, 0], [(25, 1), (-5, 1), (-20, 1)]),
        ([1, 0, 0, 0], [(1, 1), (-1, 3), (-1, 3), (-1, 3)]),
    ],
)
def test_a_margin_is_own_points_less_the_mean_of_the_others(
    points: list[int], expected: list[tuple[int, int]]
) -> None:
    assert margins(points, (), MARGIN) == quotients(*expected)


def test_who_forfeits_loses_by_the_leagues_margin_whatever_was_scored() -> None:
    assert margins([50, 3], {0}, MARGIN) == whole(-40, 40)
    assert margins([50, 3], {1}, MARGIN) == whole(40, -40)


def test_the_others_share_what_is_lost_by_forfeit_and_are_compared_among_themselves() -> None:
    assert margins([99, 30, 10], {0}, MARGIN) == whole(-40, 20 + 20, -20 + 20)
    assert margins([99, 7, 10], {0, 2}, MARGIN) == whole(-40, 80, -40)
    thirds = margins([99, 30, 10, 5], {0}, MARGIN)
    assert thirds == (
        -40,
        *(Fraction(40, 3) + lead for lead in quotients((45, 2), (-15, 2), (-15, 1))),
    )


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_where_all_forfeit_all_lose(sides: int) -> None:
    assert margins([5] * sides, set(range(sides)), MARGIN) == (-40,) * sides


@given(scored())
def test_margins_sum_to_zero_unless_all_forfeit(game: tuple[list[int], set[int], int]) -> None:
    points, forfeits, margin = game
    total = -margin * len(points) if len(forfeits) == len(points) else 0
    assert sum(margins(points, forfeits, margin)) == total


@given(scored(), st.randoms(use_true_random=False))
def test_a_margin_is_the_sides_own_whatever_its_number(
    game: tuple[list[int], set[int], int], chance: Random
) -> None:
    points, forfeits, margin = game
    places = list(range(len(points)))
    chance.shuffle(places)
    moved = margins(
        [points[place] for place in places],
        {number for number, place in enumerate(places) if place in forfeits},
        margin,
    )
    still = margins(points, forfeits, margin)
    assert moved == tuple(still[place] for place in places)


@given(scored(), st.integers(0, 168))
def test_only_differences_count(game: tuple[list[int], set[int], int], more: int) -> None:
    points, forfeits, margin = game
    raised = [value + more for value in points]
    assert margins(raised, forfeits, margin) == margins(points, forfeits, margin)


@given(scored())
def test_points_of_a_side_that_forfeited_count_for_nobody(
    game: tuple[list[int], set[int], int],
) -> None:
    points, forfeits, margin = game
    without = [0 if side in forfeits else value for side, value in enumerate(points)]
    assert margins(without, forfeits, margin) == margins(points, forfeits, margin)


def test_a_difference_is_of_points() -> None:
    assert difference([30, 10, 5], (), MARGIN, 0, 2) == 25


def test_a_forfeit_is_lost_by_the_margin_to_each_side_that_did_not() -> None:
    assert difference([30, 10, 5], {0}, MARGIN, 0, 1) == -40
    assert difference([30, 10, 5], {0}, MARGIN, 2, 0) == 40
    assert difference([30, 10, 5], {0}, MARGIN, 1, 2) == 5
    assert difference([30, 10, 5], {0, 1}, MARGIN, 0, 1) == 0


@given(scored())
def test_what_one_side_wins_the_other_loses(game: tuple[list[int], set[int], int]) -> None:
    points, forfeits, margin = game
    for row in range(len(points)):
        for column in range(len(points)):
            one = difference(points, forfeits, margin, row, column)
            assert one == -difference(points, forfeits, margin, column, row)


@given(scored())
def test_of_two_sides_the_margin_is_the_difference(
    game: tuple[list[int], set[int], int],
) -> None:
    points, forfeits, margin = game
    forfeits &= {0}
    first, second = margins(points[:2], forfeits, margin)
    assert first == difference(points[:2], forfeits, margin, 0, 1) == -second


@pytest.mark.parametrize(
    ("points", "forfeits", "side"),
    [
        ([30, 10], (), 0), ([10, 10], (), None), ([0, 0], (), None),
        ([30, 10], (0,), 1), ([0, 0], (0,), 1), ([5, 5], (0, 1), None),
        ([9, 30, 9], (), 1), ([9, 9, 3], (), None), ([50, 9, 3], (0,), 1),
        ([50, 9, 9], (0,), None), ([50, 0, 0], (0, 1), 2),
    ],
)  # fmt: skip
def test_a_game_is_won_outright_or_by_nobody(
    points: list[int], forfeits: tuple[int, ...], side: int | None
) -> None:
    assert winner(points, forfeits) == side
