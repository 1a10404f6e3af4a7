"""The log of a match as rows that can be stored: deals, actions with their turns, who sat when.

Rows hold hands and the order of the boneyard. So that no line of a log can show them by accident,
their `repr` shows no value, and `InvalidKept` never names a tile.
"""

from collections.abc import Callable
from typing import Annotated, Final, Literal, Self

import msgspec
from msgspec import Meta, Struct

from passing_protocol.events import DealRevealed, SeatLink
from passing_protocol.views import TipList
from passing_protocol.wire import Count, HexBytes32, SeatNumber
from passing_rules import (
    Action,
    ActionRecord,
    Deal,
    InvalidAction,
    InvalidDeal,
    RoundBegun,
    parse_action,
)

_DEAL_CHARS: Final = 100
_ACTION_CHARS: Final = 3


class InvalidKept(ValueError):
    """Raised when what was kept of a table tells what cannot have been."""


class Secret(Struct, frozen=True):
    """Hold what is not to be shown by accident."""

    def __repr__(self) -> str:
        """Name the type and no value."""
        return f"<{type(self).__name__}>"


class KeptDeal(Secret, frozen=True, omit_defaults=True, tag_field="row", tag="deal"):
    """Keep the beginning of a round: its number from 1, its leader, its deal as `str` writes it."""

    round: Count
    leader: SeatNumber
    deal: Annotated[str, Meta(max_length=_DEAL_CHARS)]

    @classmethod
    def of(cls, begun: RoundBegun) -> Self:
        """Return the row of a round's beginning."""
        return cls(begun.number, begun.leader, str(begun.deal))

    @property
    def begun(self) -> RoundBegun:
        """Return the beginning of the round; raises InvalidKept."""
        try:
            return RoundBegun(self.round, self.leader, Deal.parse(self.deal))
        except InvalidDeal:
            raise InvalidKept("deal: it is not the whole set, dealt to 2, 3 or 4 seats") from None


class KeptAction(Secret, frozen=True, omit_defaults=True, tag_field="row", tag="did"):
    """Keep what a seat did in a turn, as `str` writes the record: `46<`, `d45`, `-` or `-t`."""

    seat: SeatNumber
    turn: Count
    did: Annotated[str, Meta(max_length=_ACTION_CHARS)]

    @classmethod
    def of(cls, turn: int, record: ActionRecord) -> Self:
        """Return the row of an action."""
        return cls(record.seat, turn, str(record))

    @property
    def record(self) -> ActionRecord:
        """Return the action's record; raises InvalidKept."""
        try:
            return ActionRecord.parse(self.seat, self.did)
        except InvalidAction:
            raise InvalidKept("did: it is no action of the game") from None


class KeptChange(Secret, frozen=True, omit_defaults=True, tag_field="row", tag="seat"):
    """Keep that another plays on at a seat from here on, or that it is lost by a forfeit.

    `text` is the engine's program, the player's name, or why the seat is forfeited.
    """

    seat: SeatNumber
    kind: Literal["engine", "player", "forfeit"]
    text: str


class KeptEnd(Secret, frozen=True, omit_defaults=True, tag_field="row", tag="end"):
    """Keep how a match ended that the rules did not end; `winner` is the side that won it."""

    reason: Literal["forfeit", "abandoned"]
    winner: SeatNumber | None = None


class KeptTips(Secret, frozen=True, omit_defaults=True, tag_field="row", tag="tips"):
    """Keep the list of tips that all contributors have agreed to, for the deals from here on."""

    tips: TipList


class KeptLinks(Secret, frozen=True, omit_defaults=True, tag_field="row", tag="links"):
    """Keep the links of a fair deal, or of an attempt that became nothing (`void`).

    They come before the round that is dealt by them. `deal` counts the deals that were begun in
    the match, `version` is the list's, and `missing` are the seats whose link did not come.
    """

    deal: Count
    version: Count
    server: HexBytes32
    links: list[SeatLink]
    void: bool = False
    missing: list[SeatNumber] = []

    def revealed(self, match: str) -> DealRevealed:
        """Return what everybody is told when the deal is over."""
        return DealRevealed(
            match, self.deal, self.version, self.server, self.links, self.void, self.missing
        )


FairRow = KeptTips | KeptLinks
KeptRow = KeptDeal | KeptAction | KeptChange | KeptEnd | FairRow


class NewRow(Secret, frozen=True):
    """Carry a row to where it is stored; the rows of a match are numbered from 1 without a gap."""

    match: str
    number: int
    row: KeptRow


def kept_action(text: str) -> Action:
    """Return the action that `str` has written; raises InvalidKept."""
    try:
        return parse_action(text)
    except InvalidAction:
        raise InvalidKept("action: it is no action of the game") from None


_decode: Final[Callable[[bytes], KeptRow]] = msgspec.msgpack.Decoder[KeptRow](KeptRow).decode
_encode: Final = msgspec.msgpack.Encoder().encode


def row_bytes(row: KeptRow) -> bytes:
    """Return a row as msgpack: a map of strings and integers."""
    return _encode(row)


def read_row(data: bytes) -> KeptRow:
    """Return the row that `row_bytes` has written; raises InvalidKept."""
    try:
        return _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidKept(f"row: {error}") from None
