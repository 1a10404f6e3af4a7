"""What an engine can remember of a round of two, and how well a memory fits a new one."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from typing import Final

import msgspec

from passing_bots import Action, Draw, Play, Tile, TurnView
from passing_protocol.events import RoundEnded
from passing_rules import ALL_TILES, ActionRecord, End
from passing_rules.masks import FAR_NUMBER, FITS_EITHER

DECK: Final = (1 << len(ALL_TILES)) - 1
HAND: Final = 7
HANDS: Final = comb(len(ALL_TILES), HAND)

PLAY_FITS: Final = 0.4
DRAW_FITS: Final = 0.1
"""How likely an unrelated memory fits one more play of the other's, or one more draw."""


def mask_of(tiles: Iterable[Tile]) -> int:
    return sum({1 << tile.index for tile in tiles})


class Laid(msgspec.Struct, frozen=True):
    """Hold a play of the other's: the tile's index, and how often the other had drawn before."""

    tile: int
    draws: int


@dataclass
class Course:
    """Follow the actions of a round of two as one seat sees them."""

    seat: int
    own_draws: dict[int, int]
    """The tiles drawn by the seat, by their place in the boneyard."""
    ends: tuple[int, int] | None = None
    drawn: list[int | None] = field(default_factory=list[int | None])
    """The index of each tile drawn, None where the other drew it."""
    laid: list[Laid] = field(default_factory=list[Laid])
    others_draws: int = 0
    lacked: int = 0
    """What an honest other cannot have been dealt: it fitted when the other drew."""

    @property
    def played(self) -> int:
        return sum(1 << laid.tile for laid in self.laid)

    @property
    def dealt_for_sure(self) -> int:
        return sum(1 << laid.tile for laid in self.laid if not laid.draws)

    @property
    def fitting(self) -> int:
        return DECK if self.ends is None else FITS_EITHER[7 * self.ends[0] + self.ends[1]]

    def follow(self, records: Iterable[ActionRecord]) -> "Course":
        for record in records:
            if isinstance(record.action, Play):
                self._lay(record.seat, record.action)
            elif isinstance(record.action, Draw):
                self._draw(record.seat)
        return self

    def _lay(self, seat: int, play: Play) -> None:
        index = play.tile.index
        if self.ends is None:
            self.ends = (play.tile.low, play.tile.high)
        else:
            left, right = self.ends
            if play.end is End.RIGHT:
                self.ends = (left, FAR_NUMBER[7 * index + right])
            else:
                self.ends = (FAR_NUMBER[7 * index + left], right)
        if seat != self.seat:
            self.laid.append(Laid(index, self.others_draws))

    def _draw(self, seat: int) -> None:
        if seat == self.seat:
            self.drawn.append(self.own_draws.get(len(self.drawn)))
            return
        self.drawn.append(None)
        self.others_draws += 1
        if self.ends is not None:
            self.lacked |= self.fitting & ~self.played


class Memory(msgspec.Struct, frozen=True):
    """Hold what one seat knows of a deal after its round. Hands are sets of bits by tile index."""

    seat: int
    leader: int
    mine: int
    """My hand as it was dealt."""
    sure: int
    maybe: int
    """What the other hand must have held when it was dealt, and what it may have."""
    drawn: list[int | None]
    laid: list[Laid]
    held: int
    """What the other held at the end, 0 where that was not shown."""

    def fits(self, seat: int, leader: int, hand: int) -> bool:
        """Tell whether this may be the other side of a deal."""
        same = self.seat != seat and self.leader == leader
        return same and not self.sure & ~hand and not hand & ~self.maybe

    @property
    def chance(self) -> float:
        """Return how likely an unrelated hand fits."""
        sure = self.sure.bit_count()
        return comb(self.maybe.bit_count() - sure, HAND - sure) / HANDS

    def chance_after(self, course: Course) -> float:
        """Return how likely an unrelated memory fits all this; 1 when this one does not."""
        seen = course.dealt_for_sure
        both = [
            (now, then)
            for now, then in zip(course.drawn, self.drawn, strict=False)
            if now is not None and then is not None
        ]
        if seen & ~self.mine or any(now != then for now, then in both):
            return 1.0
        return self.chance * PLAY_FITS ** seen.bit_count() * DRAW_FITS ** len(both)


class Memories:
    """Hold all that is remembered: in this process, or in a file for others too."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._read = 0
        self._all: list[Memory] = []

    def add(self, memory: Memory) -> None:
        if self._path is None:
            self._all.append(memory)
            return
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(memory) + b"\n")

    def all(self) -> list[Memory]:
        if self._path is not None and self._path.exists():
            with self._path.open("rb") as file:
                file.seek(self._read)
                whole, newline, _ = file.read().rpartition(b"\n")
            self._read += len(whole) + len(newline)
            self._all += [msgspec.json.decode(line, type=Memory) for line in whole.splitlines()]
        return self._all


def memory_of(
    view: TurnView, dealt: int, course: Course, result: RoundEnded, chosen: Action
) -> Memory:
    """Sum up a round from its last question, the answer to it and the result.

    What the other did after that is not told to an engine; it may have been one more tile.
    """
    course.follow([ActionRecord(view.seat, chosen)])
    other = 1 - view.seat
    held = 0
    mine_ever = dealt | sum(1 << tile for tile in course.own_draws.values())
    if result.hands is None:
        maybe = DECK & ~mine_ever
    else:
        held = mask_of(map(Tile.parse, result.hands[other]))
        maybe = course.played | held
        if held.bit_count() < view.hand_sizes[other]:
            mine_ever |= mask_of(map(Tile.parse, result.hands[view.seat]))
            maybe |= course.fitting & ~mask_of(laid.tile for laid in view.train) & ~mine_ever
    if (maybe & ~course.lacked).bit_count() >= HAND:  # else the other has drawn without need
        maybe &= ~course.lacked
    return Memory(
        view.seat,
        view.leader,
        dealt,
        course.dealt_for_sure,
        maybe,
        course.drawn,
        course.laid,
        held,
    )
