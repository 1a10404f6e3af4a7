"""The tiles of the double-six set (R1.1), as values and as numbers 0 to 27."""

from dataclasses import dataclass, field
from typing import Final

HIGHEST_PIP: Final = 6


class InvalidTile(ValueError):
    """Raised when a text or a pair of numbers names no tile of the set."""


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """Hold one tile; it is unordered, so `Tile(6, 4) == Tile(4, 6)` (R2.4).

    Tiles compare by index: 00 01 .. 06 11 .. 66. Raises InvalidTile.

    >>> str(Tile(6, 4)), Tile(6, 4).pips, Tile(6, 4).is_double
    ('46', 10, False)
    """

    low: int
    high: int
    index: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Put the lower number first and work out the index."""
        low, high = sorted((self.low, self.high))
        if low < 0 or high > HIGHEST_PIP:
            raise InvalidTile(f"tile: {low}-{high} is not two numbers from 0 to {HIGHEST_PIP}")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "index", low * (13 - low) // 2 + high)

    @property
    def pips(self) -> int:
        """Count the pips of both halves; a double counts its two halves once each (R2.5)."""
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        """Tell whether both halves show one number."""
        return self.low == self.high

    @classmethod
    def parse(cls, text: str) -> "Tile":
        """Read two digits in either order; raises InvalidTile.

        >>> Tile.parse("64")
        Tile(low=4, high=6)
        """
        tile = _BY_TEXT.get(text)
        if tile is None:
            raise InvalidTile(f"tile: {text!r} is not two digits from 0 to {HIGHEST_PIP}")
        return tile

    @classmethod
    def at(cls, index: int) -> "Tile":
        """Return the shared tile of an index from 0 to 27; raises InvalidTile."""
        if not 0 <= index < len(ALL_TILES):
            raise InvalidTile(f"tile: index {index} is not from 0 to {len(ALL_TILES) - 1}")
        return ALL_TILES[index]

    def __str__(self) -> str:
        """Write the tile as two digits, low then high."""
        return f"{self.low}{self.high}"


ALL_TILES: Final = tuple(
    Tile(low, high) for low in range(HIGHEST_PIP + 1) for high in range(low, HIGHEST_PIP + 1)
)
_BY_TEXT: Final = {
    text: tile
    for tile in ALL_TILES
    for text in (f"{tile.low}{tile.high}", f"{tile.high}{tile.low}")
}
