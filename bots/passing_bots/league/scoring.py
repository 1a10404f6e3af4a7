"""What a game is worth to each side, in exact fractions of points.

A margin is what a side has more than the others have on average. The margins of a game sum to
zero, so no engine gains by how much is scored in its games; only where all forfeit all lose.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction


def margins(points: Sequence[int], forfeits: Collection[int], margin: int) -> tuple[Fraction, ...]:
    """Return the margin of each side of a game.

    `points` are by side; `forfeits` are the sides that forfeited, each of which loses by `margin`
    points. The others share what is lost so, and are compared among themselves alone: what was
    scored in a game against a seat that only passed, or by it, says nothing about it.
    """
    playing = [side for side in range(len(points)) if side not in forfeits]
    bonus = Fraction(margin * len(forfeits), len(playing)) if playing else Fraction()
    total = sum(points[side] for side in playing)
    return tuple(
        _ahead(points[side], total, len(playing)) + bonus if side in playing else Fraction(-margin)
        for side in range(len(points))
    )


def _ahead(own: int, total: int, playing: int) -> Fraction:
    """Return a side's points less the mean of the others'; nothing where there are no others."""
    return own - Fraction(total - own, playing - 1) if playing > 1 else Fraction()


def difference(
    points: Sequence[int], forfeits: Collection[int], margin: int, row: int, column: int
) -> int:
    """Return by how many points one side beat another in a game.

    One that forfeited lost to one that did not by `margin`; two that did are even.
    """
    if row in forfeits or column in forfeits:
        return margin * ((column in forfeits) - (row in forfeits))
    return points[row] - points[column]


def winner(points: Sequence[int], forfeits: Collection[int]) -> int | None:
    """Return the side that won a game outright, None where several were level or all forfeited.

    Who forfeited has not won, whatever it scored; who is left alone has.
    """
    playing = [side for side in range(len(points)) if side not in forfeits]
    most = max((points[side] for side in playing), default=0)
    best = [side for side in playing if points[side] == most]
    return best[0] if len(best) == 1 else None
