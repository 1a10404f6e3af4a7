"""Complete a round of which tiles are unknown to deals with which it can have been played.

What a reader does not know leaves many deals. A tile that a seat plays or is left with must have
come into its hand before; beyond that only one thing about the unknown tiles can decide whether
the rules allow what happened: which two stay in the boneyard once all others are drawn, as these
are the tiles that nobody holds (R3.2). So there is one deal, or one for each such pair.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from passing_protocol.records.record import RoundRecord
from passing_rules import ALL_TILES, UNDRAWABLE, ActionRecord, Deal, Draw, Play, Tile


@dataclass(frozen=True, slots=True)
class Impossible:
    """Name the action, by its index, that no deal allows, and why."""

    index: int
    why: str


class Completion:
    """Find the deals of a round in which no tile is dealt twice."""

    def __init__(self, played: RoundRecord) -> None:
        """Take what is known, and give each tile shown later a slot in which it came."""
        self.impossible: Impossible | None = None
        """The first action, if there is one, that contradicts what is known of the tiles."""
        self._hands = [list(hand) for hand in played.hands]
        self._boneyard = list(played.boneyard)
        self._drawable = len(played.boneyard) - UNDRAWABLE
        self._drawn = 0
        self._known = {
            tile for tiles in (*played.hands, played.boneyard) for tile in tiles if tile is not None
        }
        self._free = [
            [(hand, slot) for slot, tile in enumerate(hand) if tile is None] for hand in self._hands
        ]
        """The unknown slots of each seat up to now: the list it is in, and its index there."""
        self._follow(played.actions)
        self._keep(played)

    def _follow(self, actions: tuple[ActionRecord, ...]) -> None:
        """Let each tile that is played or drawn come from somewhere, in the order of time."""
        for index, record in enumerate(actions):
            if isinstance(record.action, Play):
                self._place(record.seat, record.action.tile)
            elif isinstance(record.action, Draw) and self._drawn < self._drawable:
                why = self._draw(record.seat, record.drawn)
                if why is not None:
                    self.impossible = Impossible(index, why)
                    return

    def _draw(self, seat: int, drawn: Tile | None) -> str | None:
        """Let a seat draw the boneyard's next tile; return why it cannot be the one it drew."""
        slot = self._drawn
        following = self._boneyard[slot]
        self._drawn += 1
        if drawn is not None and following is None:
            if drawn in self._known:
                return f"the tile {drawn} was seen elsewhere"
            self._boneyard[slot] = drawn
            self._known.add(drawn)
        elif drawn not in (None, following):
            return f"the tile {drawn} is drawn, the boneyard's next one is {following}"
        elif following is None:
            self._free[seat].append((self._boneyard, slot))
        return None

    def _place(self, seat: int, tile: Tile) -> None:
        """Put a tile that a seat turns out to hold into its first unknown slot.

        One that was seen elsewhere, or finds no slot, is left to the rules to refuse.
        """
        if tile not in self._known and self._free[seat]:
            tiles, slot = self._free[seat].pop(0)
            tiles[slot] = tile
            self._known.add(tile)

    def _keep(self, played: RoundRecord) -> None:
        """Let each seat hold the tiles that it is left with."""
        for seat, left in enumerate(played.left):
            for tile in left:
                if tile is not None:
                    self._place(seat, tile)

    @property
    def unseen(self) -> list[Tile]:
        """Return the tiles that nothing tells of, lowest first."""
        return [tile for tile in ALL_TILES if tile not in self._known]

    def deals(self) -> Iterator[Deal]:
        """Yield a deal for each pair of tiles that may stay, or one where no pair decides."""
        staying = self._boneyard[self._drawable :].count(None)
        if self._drawn < self._drawable:
            staying = 0  # then the order does not matter
        unseen = self.unseen
        for pair in combinations(unseen, staying):
            others = iter([tile for tile in unseen if tile not in pair] + list(pair))
            hands = [_filled(hand, others) for hand in self._hands]
            yield Deal(tuple(hands), _filled(self._boneyard, others))


def _filled(tiles: list[Tile | None], others: Iterator[Tile]) -> tuple[Tile, ...]:
    return tuple(next(others) if tile is None else tile for tile in tiles)
