"""One round: turns, the end of the round, and nothing about points (R2, R3).

The same code is the law for a server and the engine of a search: hands are 28-bit masks inside,
tiles at the edges, and `legal_codes` and `apply` do without either.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from passing_rules.actions import (
    Action,
    ActionRecord,
    Draw,
    End,
    IllegalAction,
    Play,
    Refusal,
)
from passing_rules.deal import UNDRAWABLE, Deal
from passing_rules.masks import (
    DRAW_CODE,
    FAR_NUMBER,
    FITS,
    FITS_EITHER,
    LEFT_CODES,
    PASS_CODE,
    RIGHT_CODES,
    action_of,
    code_of,
    indexes,
    pips_of,
    tiles_of,
)
from passing_rules.tiles import ALL_TILES, Tile

_TIMED_OUT_CODE: Final = PASS_CODE + 1  # only in the history: a pass by time (R2.7)
_WHOLE_SET: Final = (1 << len(ALL_TILES)) - 1


class Ending(StrEnum):
    """Name the three ways a round ends (R3.1 to R3.3)."""

    OUT = "out"
    BLOCKED = "blocked"
    PASSED_OUT = "passed_out"


class InvalidLeader(ValueError):
    """Raised when a round is given a leader who has no seat, or one it must not be given."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Hold a tile of the train and the seat that played it."""

    tile: Tile
    seat: int


class Round:
    """Play one round of a deal from its leader on; raises InvalidLeader.

    >>> deal = Deal.parse("00 01 02 03 04 05 / 06 11 12 13 14 15 / 16 22 23 24 25 26 "
    ...                   "/ 33 34 35 36 44 45 / 46 55 | 56 66")
    >>> round_ = Round(deal, leader=1)
    >>> print(round_.do(1, Draw()), round_.do(2, Play(Tile(2, 6), None)))
    d46 26
    >>> round_.to_act, round_.left, round_.right, round_.hand_sizes
    (3, 2, 6, (6, 7, 5, 6))
    """

    __slots__ = (
        "_codes",
        "_held",
        "_outside",
        "_pass_limit",
        "deal",
        "drawable",
        "ending",
        "hands",
        "leader",
        "left",
        "passes",
        "right",
        "seats",
        "to_act",
    )

    def __init__(self, deal: Deal, leader: int, pass_circles: int = 1) -> None:
        """Lay out the deal; `pass_circles` full circles of passes end the round (R3.3)."""
        self.deal = deal
        self.seats = len(deal.masks)
        if not 0 <= leader < self.seats:
            raise InvalidLeader(f"leader: {leader}, allowed are 0 to {self.seats - 1}")
        self.leader = leader
        self.to_act = leader
        """The seat on turn; once the round is over, the seat that acted last."""
        self.hands = list(deal.masks)
        self.left: int | None = None
        self.right: int | None = None
        self.drawable = len(deal.boneyard) - UNDRAWABLE
        """How many tiles can still be drawn."""
        self.passes = 0
        """How many passes in a row, up to now."""
        self.ending: Ending | None = None
        self._pass_limit = pass_circles * self.seats
        self._held = sum(deal.masks)  # in any hand
        self._outside = _WHOLE_SET  # not on the train
        self._codes: list[int] = []  # the history; its i-th action is of seat leader + i (R2.1)

    def copy(self) -> "Round":
        """Return an independent copy."""
        twin = Round.__new__(Round)
        twin.deal = self.deal
        twin.seats = self.seats
        twin.leader = self.leader
        twin.to_act = self.to_act
        twin.hands = self.hands[:]
        twin.left = self.left
        twin.right = self.right
        twin.drawable = self.drawable
        twin.passes = self.passes
        twin.ending = self.ending
        twin._pass_limit = self._pass_limit
        twin._held = self._held
        twin._outside = self._outside
        twin._codes = self._codes[:]
        return twin

    # In codes, for search

    def legal_codes(self) -> list[int]:
        """Return the codes of every legal action of the seat on turn, in ascending order."""
        if self.ending is not None:
            return []
        hand = self.hands[self.to_act]
        left = self.left
        right = self.right
        if left is None or right is None:
            codes = [2 * index for index in indexes(hand)]
        else:
            at_right = RIGHT_CODES[hand & FITS[right]]
            codes = [*LEFT_CODES[hand & FITS[left]], *at_right]
            if at_right:
                codes.sort()
        if self.drawable:
            codes.append(DRAW_CODE)
        codes.append(PASS_CODE)
        return codes

    def apply(self, code: int) -> None:
        """Carry out a code of `legal_codes`; nothing is checked."""
        self._codes.append(code)
        seat = self.to_act
        if code >= PASS_CODE:
            self.passes += 1
            if self.passes == self._pass_limit:
                self.ending = Ending.PASSED_OUT  # R3.3
            else:
                self.to_act = (seat + 1) % self.seats
            return
        self.passes = 0
        if code == DRAW_CODE:
            bit = self.deal.bits[-UNDRAWABLE - self.drawable]
            self.drawable -= 1
            self.hands[seat] |= bit
            self._held |= bit
        else:
            self._place(seat, code)
            if not self.hands[seat]:
                self.ending = Ending.OUT  # R3.1
                return
        if self._blocked():
            self.ending = Ending.BLOCKED
        else:
            self.to_act = (seat + 1) % self.seats

    def _place(self, seat: int, code: int) -> None:
        """Move a tile from a hand to the train."""
        index = code >> 1
        bit = 1 << index
        self.hands[seat] ^= bit
        self._held ^= bit
        self._outside ^= bit
        left = self.left
        right = self.right
        if left is None or right is None:
            tile = ALL_TILES[index]
            self.left = tile.low
            self.right = tile.high
        elif code & 1:
            self.right = FAR_NUMBER[7 * index + right]
        else:
            self.left = FAR_NUMBER[7 * index + left]

    def _blocked(self) -> bool:
        """Tell whether nobody can ever play again (R3.2), from what lies on the table.

        With tiles left to draw the train must be dead for good: every tile that fits lies on it.
        """
        left = self.left
        right = self.right
        if left is None or right is None:
            return False
        fits = FITS_EITHER[7 * left + right]
        if self._held & fits:
            return False
        return not self.drawable or not self._outside & fits

    # In actions, for the table

    def verify(self, seat: int, action: Action) -> None:
        """Raise IllegalAction with the first reason why the seat may not do this now."""
        refusal = self._refusal(seat, action)
        if refusal is not None:
            raise IllegalAction(refusal, seat, action)

    def can(self, seat: int, action: Action) -> bool:
        """Tell whether the seat may do this now."""
        return self._refusal(seat, action) is None

    def do(self, seat: int, action: Action, timed_out: bool = False) -> ActionRecord:
        """Carry out an action and return its record; only a pass can be timed out (R2.7).

        Raises IllegalAction and InvalidAction, and changes nothing then.
        """
        self.verify(seat, action)
        drawn = self._next_tile() if isinstance(action, Draw) else None
        record = ActionRecord(seat, action, drawn, timed_out)
        self.apply(_TIMED_OUT_CODE if timed_out else code_of(action))
        return record

    def legal_actions(self) -> tuple[Action, ...]:
        """Return every legal action of the seat on turn: plays by tile then end, draw, pass."""
        first = self.left is None
        return tuple(action_of(code, first) for code in self.legal_codes())

    def _refusal(self, seat: int, action: Action) -> Refusal | None:
        if self.ending is not None:
            return Refusal.ROUND_OVER
        if seat != self.to_act:
            return Refusal.NOT_YOUR_TURN
        if isinstance(action, Play):
            return self._play_refusal(seat, action)
        if isinstance(action, Draw) and not self.drawable:
            return Refusal.BONEYARD_FLOOR  # R2.3
        return None  # R2.2

    def _play_refusal(self, seat: int, play: Play) -> Refusal | None:
        """Apply R2.4: the hand holds the tile, the first has no end, any other fits its end."""
        bit = 1 << play.tile.index
        if not self.hands[seat] & bit:
            return Refusal.NOT_IN_HAND
        left = self.left
        right = self.right
        if left is None or right is None:
            return None if play.end is None else Refusal.DOES_NOT_FIT
        if play.end is None:
            return Refusal.END_NEEDED
        number = left if play.end is End.LEFT else right
        return None if bit & FITS[number] else Refusal.DOES_NOT_FIT

    def _next_tile(self) -> Tile:
        return self.deal.boneyard[-UNDRAWABLE - self.drawable]

    # What there is to see

    def hand(self, seat: int) -> tuple[Tile, ...]:
        """Return the tiles of a hand, lowest first."""
        return tiles_of(self.hands[seat])

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Count the tiles of every hand, by seat."""
        return tuple(hand.bit_count() for hand in self.hands)

    @property
    def pips(self) -> tuple[int, ...]:
        """Count the pips of every hand, by seat (R4.1)."""
        return tuple(map(pips_of, self.hands))

    @property
    def boneyard_size(self) -> int:
        """Count the tiles of the boneyard, with the two that stay (R1.3)."""
        return self.drawable + UNDRAWABLE

    @property
    def train(self) -> tuple[Placed, ...]:
        """Return the train from left to right, with who played what."""
        at_left: list[Placed] = []
        at_right: list[Placed] = []
        for turn, code in enumerate(self._codes):
            if code < DRAW_CODE:
                placed = Placed(ALL_TILES[code >> 1], (self.leader + turn) % self.seats)
                (at_right if code & 1 else at_left).append(placed)
        return (*reversed(at_left), *at_right)

    @property
    def records(self) -> tuple[ActionRecord, ...]:
        """Return every action of the round, in order."""
        records: list[ActionRecord] = []
        boneyard = iter(self.deal.boneyard)
        first = True
        for turn, code in enumerate(self._codes):
            action = action_of(min(code, PASS_CODE), first)
            first = first and not isinstance(action, Play)
            drawn = next(boneyard) if isinstance(action, Draw) else None
            seat = (self.leader + turn) % self.seats
            records.append(ActionRecord(seat, action, drawn, code == _TIMED_OUT_CODE))
        return tuple(records)
