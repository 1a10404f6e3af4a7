"""What a person types for a tile, and the action it means on their turn; pure.

A tile is typed as its two numbers in either order, then perhaps an end: `64>`, `4-6 <`,
`64 left`. The end is asked for only where both fit, and never for the first tile (R2.4).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from passing_rules import Action, End, Play, Tile

_TILE: Final = re.compile(r"\[?\s*([0-6])\s*[-:|/,]?\s*([0-6])\s*\]?\s*(\S*)")
_ENDS: Final = {
    "<": End.LEFT,
    "l": End.LEFT,
    "left": End.LEFT,
    ">": End.RIGHT,
    "r": End.RIGHT,
    "right": End.RIGHT,
}


@dataclass(frozen=True, slots=True)
class TypedPlay:
    """Hold a tile that was typed, and the end if one was named."""

    tile: Tile
    end: End | None = None


@dataclass(frozen=True, slots=True)
class WhichEnd:
    """Ask at which end the tile is meant, because it fits both."""

    tile: Tile


class MisfitReason(StrEnum):
    """Name why a tile that was typed cannot be played."""

    NOT_HELD = "not_held"
    FITS_NOWHERE = "fits_nowhere"
    OTHER_END = "other_end"


@dataclass(frozen=True, slots=True)
class Misfit:
    """Say why a tile cannot be played; `end` is the one that was typed."""

    tile: Tile
    reason: MisfitReason
    end: End | None = None


def read_end(text: str) -> End | None:
    """Return the end that a text names (`<`, `left`, `l`, ...); None when it names none."""
    return _ENDS.get(text.strip().casefold())


def read_play(text: str) -> TypedPlay | None:
    """Return the tile and the end that a text names; None when it is no tile.

    >>> read_play("64 left") == TypedPlay(Tile(4, 6), End.LEFT)
    True
    """
    found = _TILE.fullmatch(text.strip())
    if found is None:
        return None
    end = read_end(found[3])
    if found[3] and end is None:
        return None
    return TypedPlay(Tile(int(found[1]), int(found[2])), end)


def choose(
    typed: TypedPlay, hand: Sequence[Tile], legal: Sequence[Action]
) -> Play | WhichEnd | Misfit:
    """Return the play that was meant, or what stands between the text and a play.

    The first tile of a round has no end: one that was typed with it means nothing (R2.4).
    """
    if typed.tile not in hand:
        return Misfit(typed.tile, MisfitReason.NOT_HELD)
    plays = [a for a in legal if isinstance(a, Play) and a.tile == typed.tile]
    if not plays:
        return Misfit(typed.tile, MisfitReason.FITS_NOWHERE)
    if plays[0].end is None or (typed.end is None and len(plays) == 1):
        return plays[0]
    if typed.end is None:
        return WhichEnd(typed.tile)
    wanted = Play(typed.tile, typed.end)
    return wanted if wanted in plays else Misfit(typed.tile, MisfitReason.OTHER_END, typed.end)


def fitting_ends(tile: Tile, ends: tuple[int, int] | None) -> tuple[End, ...]:
    """Return the ends of the train where a tile fits; none before the first tile."""
    if ends is None:
        return ()
    sides = zip(End, ends, strict=True)
    return tuple(end for end, number in sides if number in (tile.low, tile.high))
