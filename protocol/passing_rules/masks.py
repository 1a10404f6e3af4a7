"""Tables over sets of tiles as 28-bit masks, and the integer codes of actions.

Bit `tile.index` of a mask is set when the tile is in the set. The code of a play is twice the
tile's index, plus one at the right end; the first tile of a round uses the even code.
"""

from collections.abc import Iterator
from typing import Final

from passing_rules.actions import Action, Draw, End, Pass, Play
from passing_rules.tiles import ALL_TILES, HIGHEST_PIP, Tile

DRAW_CODE: Final = 2 * len(ALL_TILES)
PASS_CODE: Final = DRAW_CODE + 1

_NUMBERS: Final = range(HIGHEST_PIP + 1)

FITS: Final = tuple(
    sum(1 << tile.index for tile in ALL_TILES if number in (tile.low, tile.high))
    for number in _NUMBERS
)
"""The tiles that show a number, by number."""

FITS_EITHER: Final = tuple(FITS[left] | FITS[right] for left in _NUMBERS for right in _NUMBERS)
"""The tiles that fit a train, by 7 * left + right."""

FAR_NUMBER: Final = tuple(
    tile.low + tile.high - near if near in (tile.low, tile.high) else -1
    for tile in ALL_TILES
    for near in _NUMBERS
)
"""The number that shows when a tile is joined, by 7 * index + the number it is joined at."""


def _subsets(mask: int) -> Iterator[int]:
    """Yield every subset of a mask, the empty one last."""
    subset = mask
    while subset:
        yield subset
        subset = (subset - 1) & mask
    yield 0


def indexes(mask: int) -> Iterator[int]:
    """Yield the indexes of the tiles of a mask, lowest first."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def tiles_of(mask: int) -> tuple[Tile, ...]:
    """Return the tiles of a mask, lowest first."""
    tiles: list[Tile] = []
    while mask:
        bit = mask & -mask
        tiles.append(ALL_TILES[bit.bit_length() - 1])
        mask ^= bit
    return tuple(tiles)


def pips_of(mask: int) -> int:
    """Count the pips of the tiles of a mask (R4.1)."""
    return sum(ALL_TILES[index].pips for index in indexes(mask))


_FITTING_SETS: Final = {subset for number in _NUMBERS for subset in _subsets(FITS[number])}

LEFT_CODES: Final = {mask: tuple(2 * i for i in indexes(mask)) for mask in _FITTING_SETS}
"""The codes of plays at the left end, by the mask of the tiles held that fit there."""

RIGHT_CODES: Final = {mask: tuple(2 * i + 1 for i in indexes(mask)) for mask in _FITTING_SETS}
"""The codes of plays at the right end, by the mask of the tiles held that fit there."""


def action_of(code: int, first: bool) -> Action:
    """Return the action of a code; `first` where the train is still empty.

    >>> str(action_of(1, first=False)), str(action_of(0, first=True)), str(action_of(56, False))
    ('00>', '00', 'd')
    """
    if code == PASS_CODE:
        return Pass()
    if code == DRAW_CODE:
        return Draw()
    tile = ALL_TILES[code >> 1]
    if first:
        return Play(tile, None)
    return Play(tile, End.RIGHT if code & 1 else End.LEFT)


def code_of(action: Action) -> int:
    """Return the code of an action."""
    if isinstance(action, Play):
        return 2 * action.tile.index + (action.end is End.RIGHT)
    return DRAW_CODE if isinstance(action, Draw) else PASS_CODE
