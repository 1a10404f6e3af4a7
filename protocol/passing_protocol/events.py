"""What happens at a table, as everybody there is told it.

No event holds a tile that is not public at that moment: a hand is told to its seat alone, in
`Mine`, and all hands when the round is over (R6.2).
"""

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from passing_protocol.names import CHAT_CHARS
from passing_protocol.views import Acted, DealKind, SeatInfo, TableState, TipList
from passing_protocol.wire import (
    Count,
    HexBytes32,
    Identifier,
    Milliseconds,
    Name,
    Pips,
    SeatNumber,
    TileText,
)
from passing_rules import RoundResult

FaultOwner = Literal["player", "server", "network", "worker"]


class ForfeitKind(StrEnum):
    """Name what a seat is forfeited for.

    `no_answer` and `refused` are turns lost in a row: `refused` when refused actions lost any.
    """

    LEFT = "left"
    REMOVED = "removed"
    AWAY = "away"
    NO_ANSWER = "no_answer"
    REFUSED = "refused"


EVIDENCE_CHARS = 400
"""The most characters that are told of what was seen of a fault."""


class Fault(Struct, frozen=True, omit_defaults=True):
    """Name who is to blame for a forfeit or an early end, and what was seen (no tile is in it).

    `seat` and `kind` are there for a fault of the player's, and for no other.
    """

    owner: FaultOwner
    evidence: Annotated[str, Meta(max_length=EVIDENCE_CHARS)]
    seat: SeatNumber | None = None
    kind: ForfeitKind | None = None


class SeatChanged(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="seat"):
    """Tell that a seat is taken, left, away, back, ready, replaced, forfeited or has a new strike.

    `fault` comes once, with the event by which the seat is forfeited.
    """

    seat: SeatNumber
    info: SeatInfo
    fault: Fault | None = None


class OwnerChanged(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="owner"):
    """Tell which seat owns the table now; none when only the operator is left."""

    owner: SeatNumber | None


class StateChanged(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="state"):
    """Tell where the table is in its life, and in how many milliseconds it goes on by itself."""

    state: TableState
    next_ms: Milliseconds | None = None


class MatchBegan(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="match_began"):
    """Tell that a match begins; all scores are 0."""

    match: Identifier
    target: Count


class RoundBegan(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="round_began"):
    """Tell that tiles are dealt: who leads, how many tiles each seat holds, the boneyard's size.

    `deal_number` is the number of a fair deal in its match, counting those that became nothing.
    """

    round: Count
    leader: SeatNumber
    deal: DealKind
    hands: list[Count]
    boneyard: Count
    drawable: Count
    deal_number: Count | None = None


class TipsAgreed(Struct, frozen=True, tag_field="event", tag="tips_agreed"):
    """Tell which list of tips all contributors of a match have agreed to."""

    match: Identifier
    tips: TipList


class SeatLink(Struct, frozen=True):
    """Show the link that the software at a seat has given for a deal."""

    seat: SeatNumber
    link: HexBytes32


class DealRevealed(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="deal_revealed"):
    """Show the links of a deal that is over, so that everybody can check it.

    `version` is the list that it was dealt under. Of an attempt that became nothing (`void`) it has
    the links that had come; `missing` are the seats whose link did not come in time.
    """

    match: Identifier
    deal: Count
    version: Count
    server: HexBytes32
    links: list[SeatLink]
    void: bool = False
    missing: list[SeatNumber] = []


class RoundEnded(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="round_ended"):
    """Tell how a round ended and how it is scored (R3, R4).

    `hands` holds every hand by seat, absent where the table shows them only after the block
    (R6.2). `winners` are seats, `side` the side that scores, absent when nobody does (R4.3).
    """

    round: Count
    ending: Literal["out", "blocked", "passed_out"]
    pips: list[Pips]
    winners: list[SeatNumber]
    points: Count
    scores: list[Count]
    side: SeatNumber | None = None
    hands: list[list[TileText]] | None = None


def round_ended(result: RoundResult, hands: list[list[TileText]] | None) -> RoundEnded:
    """Return how the rules say that a round ended; `hands` by seat, None where they stay hidden."""
    return RoundEnded(
        round=result.number,
        ending=result.ending.value,
        pips=list(result.pips),
        winners=list(result.winners),
        points=result.points,
        scores=list(result.scores),
        side=result.side,
        hands=hands,
    )


class MatchEnded(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="match_ended"):
    """Tell that the match is over; `winner` is a side, absent for a drawn or abandoned match."""

    reason: Literal["target", "max_rounds", "forfeit", "abandoned"]
    scores: list[Count]
    winner: SeatNumber | None = None
    fault: Fault | None = None


class Said(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="chat"):
    """Tell what somebody said to the table; `seat` is absent for a watcher."""

    name: Name
    text: Annotated[str, Meta(max_length=CHAT_CHARS)]
    seat: SeatNumber | None = None


class WatchersChanged(Struct, frozen=True, tag_field="event", tag="watchers"):
    """Tell how many watch the table."""

    count: Count


Event = (
    Acted
    | SeatChanged
    | OwnerChanged
    | StateChanged
    | MatchBegan
    | RoundBegan
    | TipsAgreed
    | DealRevealed
    | RoundEnded
    | MatchEnded
    | Said
    | WatchersChanged
)
