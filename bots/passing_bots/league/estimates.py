"""Means over blocks and their 95 % intervals, from exact sums.

The blocks of an engine come from pairings of different strength. How many blocks each of them
plays is planned and no chance, so the difference between opponents is none either: only what
varies within a pairing makes a mean uncertain (stratified sampling).
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Final

from msgspec import Struct

ENOUGH_BLOCKS: Final = 10
"""With fewer blocks in all, block means are too coarse for any interval, and none is told."""

ENOUGH_OF_A_PAIRING: Final = 2
"""One block says nothing of how much those of its pairing vary."""

_FEW: Final = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""Student's t for 1 to 30 degrees of freedom: so many standard errors to each side hold 95 %."""

METHOD: Final = (
    "mean over block means; half width of the 95 % interval: Student's t times the standard error, "
    "whose square is the sum over pairings of (n_p / n)^2 * s_p^2 / n_p, with n_p blocks and the "
    "variance s_p^2 within a pairing; degrees of freedom by Welch and Satterthwaite; "
    "from 10 blocks on, where no pairing has one block only"
)


class Estimate(Struct, frozen=True):
    """Hold a mean over blocks in points, and half the width of its 95 % interval.

    `mean` is null without blocks; `interval` with fewer than 10, or with one alone of a pairing.
    """

    blocks: int
    mean: float | None
    interval: float | None

    @property
    def beyond_chance(self) -> bool:
        """Tell whether the interval leaves 0 out."""
        return self.interval is not None and abs(self.mean or 0.0) > self.interval


def student_t(freedom: int) -> float:
    """Return how many standard errors to each side hold 95 %, for so many degrees of freedom.

    Beyond 30 the first terms of the expansion in 1/freedom are right to 3 decimals (Abramowitz and
    Stegun, Handbook of Mathematical Functions, 26.7.5).
    """
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    return 1.95996 + 2.3723 / freedom + 2.8225 / freedom**2


@dataclass(slots=True)
class Tally:
    """Add up numbers exactly."""

    count: int = 0
    total: Fraction = Fraction()
    squares: Fraction = Fraction()

    def add(self, value: Fraction) -> None:
        """Take in one number."""
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def variance(self) -> Fraction:
        """Return the variance of what the numbers are a sample of; two are needed."""
        return (self.squares - self.total * self.total / self.count) / (self.count - 1)


@dataclass(slots=True)
class Strata:
    """Add up block means apart for each pairing that they come from."""

    tallies: dict[Hashable, Tally] = field(default_factory=dict[Hashable, Tally])

    def add(self, pairing: Hashable, value: Fraction) -> None:
        """Take in the mean of a block."""
        self.tallies.setdefault(pairing, Tally()).add(value)

    @property
    def count(self) -> int:
        """Return the number of blocks."""
        return sum(tally.count for tally in self.tallies.values())

    @property
    def mean(self) -> Fraction | None:
        """Return the mean over all blocks, None of nothing."""
        total = sum((tally.total for tally in self.tallies.values()), start=Fraction())
        return total / self.count if self.count else None

    def estimate(self) -> Estimate:
        """Return the mean and its interval, rounded."""
        mean = None if self.mean is None else float(self.mean)
        return Estimate(self.count, mean, self._interval())

    def _interval(self) -> float | None:
        """Return half the width of the interval, None where too few blocks tell it."""
        tallies = self.tallies.values()
        least = min((tally.count for tally in tallies), default=0)
        if self.count < ENOUGH_BLOCKS or least < ENOUGH_OF_A_PAIRING:
            return None
        # Of each pairing: (n_p / n)^2 * s_p^2 / n_p.
        parts = [Fraction(tally.count, self.count**2) * tally.variance for tally in tallies]
        square = sum(parts, start=Fraction())
        if not square:
            return 0.0
        each = zip(parts, tallies, strict=True)
        spread = sum(part * part / (tally.count - 1) for part, tally in each)
        freedom = int(square * square / spread)  # rounded down, for the wider interval
        return student_t(freedom) * sqrt(float(square))
