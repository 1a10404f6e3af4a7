"""One deal of the 28 tiles: the hands and the boneyard in the order it is drawn (R1.2, R1.3)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from passing_rules.tiles import ALL_TILES, InvalidTile, Tile

UNDRAWABLE: Final = 2  # R1.3
_HAND_SIZES: Final = {2: 7, 3: 7, 4: 6}  # R1.2


class InvalidDeal(ValueError):
    """Raised when tiles are no deal of the whole set."""


def hand_size(seats: int) -> int:
    """Return how many tiles each of 2 to 4 seats is dealt (R1.2); raises InvalidDeal."""
    size = _HAND_SIZES.get(seats)
    if size is None:
        raise InvalidDeal(f"seats: {seats} hands, allowed are 2, 3 or 4")
    return size


def _tiles(text: str) -> tuple[Tile, ...]:
    return tuple(Tile.parse(word) for word in text.split())


def _mask(tiles: Sequence[Tile]) -> int:
    return sum(1 << tile.index for tile in tiles)


@dataclass(frozen=True, slots=True)
class Deal:
    """Hold the hands by seat, each sorted, and the boneyard in draw order.

    The last two tiles of the boneyard are never drawn. Raises InvalidDeal.
    """

    hands: tuple[tuple[Tile, ...], ...]
    boneyard: tuple[Tile, ...]
    masks: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """The hands as sets of bits: bit `tile.index` is set where the tile is held."""
    bits: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """The boneyard as single bits, in draw order."""

    def __post_init__(self) -> None:
        """Sort the hands and check their sizes and that every tile is there once (R1.1)."""
        size = hand_size(len(self.hands))
        for seat, hand in enumerate(self.hands):
            if len(hand) != size:
                raise InvalidDeal(f"hand of seat {seat}: {len(hand)} tiles, allowed are {size}")
        _verify_whole_set([tile for hand in (*self.hands, self.boneyard) for tile in hand])
        object.__setattr__(self, "hands", tuple(tuple(sorted(hand)) for hand in self.hands))
        object.__setattr__(self, "masks", tuple(map(_mask, self.hands)))
        object.__setattr__(self, "bits", tuple(1 << tile.index for tile in self.boneyard))

    @classmethod
    def from_deck(cls, deck: Sequence[Tile], seats: int) -> Self:
        """Deal whole hands from the top of a shuffled deck, seat 0 first; raises InvalidDeal.

        >>> str(Deal.from_deck(ALL_TILES, 4))[:44]
        '00 01 02 03 04 05 / 06 11 12 13 14 15 / 16 2'
        """
        size = hand_size(seats)
        hands = tuple(tuple(deck[seat * size : seat * size + size]) for seat in range(seats))
        return cls(hands, tuple(deck[seats * size :]))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` writes; raises InvalidDeal."""
        drawable, _, undrawable = text.partition("|")
        *hands, boneyard = drawable.split("/")
        try:
            kept = _tiles(undrawable)
            deal = cls(tuple(map(_tiles, hands)), (*_tiles(boneyard), *kept))
        except InvalidTile as error:
            raise InvalidDeal(f"deal: {error}") from None
        if len(kept) != UNDRAWABLE:
            raise InvalidDeal(f"deal: {len(kept)} tiles after |, allowed are {UNDRAWABLE}")
        return deal

    def __str__(self) -> str:
        """Write the hands by seat and the boneyard, with | before the two tiles that stay."""
        words = [" ".join(map(str, hand)) for hand in (*self.hands, self.boneyard[:-UNDRAWABLE])]
        return f"{' / '.join(words)} | {' '.join(map(str, self.boneyard[-UNDRAWABLE:]))}"


def _verify_whole_set(tiles: list[Tile]) -> None:
    """Raise InvalidDeal unless the tiles are the 28 of the set, each once (R1.1)."""
    counts = Counter(tiles)
    for tile in ALL_TILES:
        if counts[tile] != 1:
            raise InvalidDeal(f"deal: tile {tile} is there {counts[tile]} times, allowed is once")
