"""What a player may do on a turn (R2.1), how it is written down, and why it is refused."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from passing_rules.tiles import InvalidTile, Tile


class InvalidAction(ValueError):
    """Raised when a text or a combination of values is no action at all."""


class End(StrEnum):
    """Name the two ends of the train."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Play:
    """Play a tile at an end; the first tile of a round has no end (R2.4)."""

    tile: Tile
    end: End | None

    def __str__(self) -> str:
        """Write `46<`, `46>`, or `46` without an end."""
        return f"{self.tile}{_END_MARKS[self.end]}"


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw one tile from the boneyard."""

    def __str__(self) -> str:
        """Write `d`."""
        return "d"


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass the turn."""

    def __str__(self) -> str:
        """Write `-`."""
        return "-"


Action = Play | Draw | Pass

_END_MARKS: Final[dict[End | None, str]] = {End.LEFT: "<", End.RIGHT: ">", None: ""}
_MARKED_ENDS: Final = {mark: end for end, mark in _END_MARKS.items()}
_ACTION_FORMS: Final = "46< (left), 46> (right), 46 (first tile), d (draw) or - (pass)"
_RECORD_FORMS: Final = "46<, 46>, 46, d45 or d?? (draw), - (pass) or -t (pass on time)"


def parse_action(text: str) -> Action:
    """Read an action from its text; raises InvalidAction.

    >>> parse_action("64<") == Play(Tile(4, 6), End.LEFT)
    True
    """
    if text == "d":
        return Draw()
    if text == "-":
        return Pass()
    try:
        return Play(Tile.parse(text[:2]), _MARKED_ENDS[text[2:]])
    except (InvalidTile, KeyError):
        raise InvalidAction(f"action: {text!r} is not {_ACTION_FORMS}") from None


def ends_after(ends: tuple[int, int] | None, play: Play) -> tuple[int, int]:
    """Return the ends of the train, left and right, after a play that fits there (R2.4).

    >>> ends_after((6, 1), Play(Tile(4, 6), End.LEFT))
    (4, 1)
    """
    low, high = play.tile.low, play.tile.high
    if ends is None:
        return low, high
    left, right = ends
    if play.end is End.LEFT:
        return high if left == low else low, right
    return left, high if right == low else low


@dataclass(frozen=True, slots=True)
class ActionRecord:
    """Record one action of one seat; `drawn` is None where the drawn tile is not known.

    Only a pass can be timed out (R2.7) and only a draw brings a tile; raises InvalidAction.

    >>> str(ActionRecord(2, Draw(), Tile(4, 5))), str(ActionRecord(0, Pass(), timed_out=True))
    ('d45', '-t')
    """

    seat: int
    action: Action
    drawn: Tile | None = None
    timed_out: bool = False

    def __post_init__(self) -> None:
        """Refuse values that cannot go together."""
        if self.drawn is not None and not isinstance(self.action, Draw):
            raise InvalidAction(
                f"drawn: {self.drawn} with {self.action}; only a draw brings a tile"
            )
        if self.timed_out and not isinstance(self.action, Pass):
            raise InvalidAction(
                f"timed_out: {self.action} is no pass; time only ever passes (R2.7)"
            )

    @classmethod
    def parse(cls, seat: int, text: str) -> Self:
        """Read what `str` writes; raises InvalidAction."""
        if text == "d??":
            return cls(seat, Draw())
        if text == "-t":
            return cls(seat, Pass(), timed_out=True)
        try:
            if text.startswith("d"):
                return cls(seat, Draw(), Tile.parse(text[1:]))
            return cls(seat, parse_action(text))
        except (InvalidTile, InvalidAction):
            raise InvalidAction(f"record: {text!r} is not {_RECORD_FORMS}") from None

    def __str__(self) -> str:
        """Write `46<`, `46`, `d45`, `d??`, `-` or `-t`."""
        if isinstance(self.action, Draw):
            return f"d{self.drawn or '??'}"
        return f"{self.action}t" if self.timed_out else str(self.action)


class Refusal(StrEnum):
    """Name the reasons why an action is refused; the values are stable codes."""

    NOT_YOUR_TURN = "not_your_turn"
    NOT_IN_HAND = "not_in_hand"
    DOES_NOT_FIT = "does_not_fit"
    END_NEEDED = "end_needed"
    BONEYARD_FLOOR = "boneyard_floor"
    ROUND_OVER = "round_over"


_SENTENCES: Final = {
    Refusal.NOT_YOUR_TURN: "another seat is on turn",
    Refusal.NOT_IN_HAND: "that tile is not in the hand",
    Refusal.DOES_NOT_FIT: "the tile does not fit there; the first tile of a round has no end",
    Refusal.END_NEEDED: "every tile but the first needs an end, left or right",
    Refusal.BONEYARD_FLOOR: "the last two tiles of the boneyard cannot be drawn",
    Refusal.ROUND_OVER: "no round is being played",
}


class IllegalAction(ValueError):
    """Raised when the rules refuse an action; nothing has changed then."""

    def __init__(self, refusal: Refusal, seat: int, action: Action) -> None:
        """Keep the reason and say it in a sentence."""
        super().__init__(f"seat {seat}, {action}: {_SENTENCES[refusal]}")
        self.refusal = refusal
