"""What may be seen of a table: the public part, and one seat's own part (R6).

Neither type has a field that could hold another seat's tiles or the order of the boneyard, so
nothing secret can be forgotten in them. They are built up from what a reader may know.
"""

from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from passing_protocol.wire import (
    ActionMessage,
    Count,
    HexBytes32,
    HexSeed,
    Identifier,
    Milliseconds,
    Name,
    SeatNumber,
    TileText,
)
from passing_rules import Lead, Options, PartnerScoring, Preset

RULES_VERSION = "1"


class TableState(StrEnum):
    """Name where a table is in its life."""

    OPEN = "open"
    STARTING = "starting"
    PLAYING = "playing"
    BETWEEN = "between"
    OVER = "over"
    PAUSED = "paused"
    CLOSED = "closed"


IN_MATCH = (TableState.PLAYING, TableState.BETWEEN, TableState.PAUSED)
"""Where a table is while a match is going on, paused or not."""


class SeatState(StrEnum):
    """Name who holds a seat, and whether they are there."""

    EMPTY = "empty"
    INVITED = "invited"
    TAKEN = "taken"
    AWAY = "away"
    SUBSTITUTE = "substitute"
    FORFEITED = "forfeited"


HELD = (SeatState.TAKEN, SeatState.AWAY, SeatState.SUBSTITUTE)
"""How a seat is that somebody holds, present or not."""


class Gone(StrEnum):
    """Name how a player has given up a seat for good in the middle of a match."""

    LEFT = "left"
    REMOVED = "removed"


class DealKind(StrEnum):
    """Name where the deals of a table come from."""

    FAIR = "fair"
    SERVER = "server"
    SEEDED = "seeded"
    GIVEN = "given"


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """Describe one seat to everybody. `engine` names the program of a bot, absent for a person.

    `gone` is there while the match goes on without the player, who does not come back: the seat
    is `away` under the old name, or an engine's that plays on there as a `substitute`.
    """

    state: SeatState
    name: Name | None = None
    engine: Name | None = None
    ready: bool = False
    strikes: Annotated[int, Meta(ge=0)] = 0
    gone: Gone | None = None


class GameOptions(Struct, frozen=True, omit_defaults=True):
    """Choose the options of the rules; what is absent follows from the preset and the seats."""

    seats: Annotated[int, Meta(ge=2, le=4)] = 4
    partners: bool = False
    preset: Preset | None = None
    target: Annotated[int, Meta(ge=1, le=9_999)] | None = None
    lead: Lead | None = None
    pass_circles: Annotated[int, Meta(ge=1, le=2)] | None = None
    out_wins_ties: bool | None = None
    partner_scoring: PartnerScoring | None = None
    max_rounds: Annotated[int, Meta(ge=1, le=9_999)] | None = None


@lru_cache(maxsize=64)
def options_of(game: GameOptions) -> Options:
    """Return the options of the rules that a table plays by; raises OptionError (R5)."""
    return Options.of(
        game.seats,
        preset=game.preset,
        partners=game.partners,
        target=game.target,
        lead=game.lead,
        pass_circles=game.pass_circles,
        out_wins_ties=game.out_wins_ties,
        partner_scoring=game.partner_scoring,
        max_rounds=game.max_rounds,
    )


def game_of(options: Options) -> GameOptions:
    """Return every option of the rules for a table, none left to a default."""
    return GameOptions(
        seats=options.seats,
        partners=options.partners,
        target=options.target,
        lead=options.lead,
        pass_circles=options.pass_circles,
        out_wins_ties=options.out_wins_ties,
        partner_scoring=options.partner_scoring,
        max_rounds=options.max_rounds,
    )


class TableOptions(Struct, frozen=True, omit_defaults=True):
    """Choose how a table is run; what is absent follows from who sits there (section 11).

    `turn_ms` 0 means no clock. `absent` is what happens to a seat whose player stays away,
    `faults` what happens after three strikes: `retry:N`, `pass` or `forfeit`. `memory` tells
    whether a player's client may show what follows from what was public: passes, tiles not seen,
    counts. `deal` chooses between a fair deal and the server's own.
    """

    turn_ms: Milliseconds | None = None
    bank_ms: Milliseconds | None = None
    pace_ms: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    absent: Literal["engine", "pass", "forfeit"] | None = None
    faults: Annotated[str, Meta(pattern=r"^(retry:[0-9]{1,2}|pass|forfeit)$(?!\n)")] | None = None
    chat: bool | None = None
    reveal: Literal["round", "after_block"] | None = None
    memory: bool | None = None
    deal: Literal["fair", "server"] | None = None


class Tip(Struct, frozen=True):
    """Show the end of a hash chain whose first link is for deal `base` + 1 of the match."""

    base: Count
    tip: HexBytes32


class SeatTip(Struct, frozen=True):
    """Show the tip of the software at a seat."""

    seat: SeatNumber
    base: Count
    tip: HexBytes32


class TipList(Struct, frozen=True):
    """Hold the list of tips that was agreed to: who contributes to the deals of a match.

    `version` counts the lists of a match from 1. A seat that is not there contributes nothing.
    """

    version: Count
    server: Tip
    seats: list[SeatTip]


class TrainTile(Struct, frozen=True, array_like=True, gc=False):
    """Name a tile of the train and the seat that played it; written as `[tile, seat]`."""

    tile: TileText
    seat: SeatNumber


class Acted(Struct, frozen=True, omit_defaults=True, tag_field="event", tag="acted", gc=False):
    """Tell what a seat did on its turn; never which tile it drew. `timed_out` marks R2.7."""

    seat: SeatNumber
    turn: Count
    action: ActionMessage
    timed_out: bool = False


class PublicView(Struct, frozen=True, omit_defaults=True):
    """Hold all that everybody at the table and every watcher may see (R6.1, R6.3).

    `train` runs from the left end to the right; `ends` is `[left, right]`, absent before the
    first tile. `hands` and `scores` are counts, by seat and by side. `actions` are those of this
    round in order. `to_act` and `leader` are seats. `passes` is how many came in a row (R3.3).
    `tips` is the newest list that was agreed to, `deal_number` the number of this round's deal;
    both are absent where deals are not fair.
    """

    match: Identifier
    rules: str
    name: Name
    state: TableState
    deal: DealKind
    game: GameOptions
    table: TableOptions
    owner: SeatNumber | None
    seats: list[SeatInfo]
    scores: list[Count]
    round: Count = 0
    turn: Count = 0
    rev: Count = 0
    hash: str = ""
    leader: SeatNumber | None = None
    to_act: SeatNumber | None = None
    train: list[TrainTile] = []
    ends: tuple[int, int] | None = None
    hands: list[Count] = []
    boneyard: Count = 0
    drawable: Count = 0
    passes: Count = 0
    actions: list[Acted] = []
    tips: TipList | None = None
    deal_number: Count | None = None


class Mine(Struct, frozen=True, omit_defaults=True):
    """Hold what one seat alone may see: its hand, and the tile it has just drawn.

    `bot_seed` is given to engines at tables whose deals are seeded or given (32 hex digits).
    """

    seat: SeatNumber
    hand: list[TileText]
    drew: TileText | None = None
    bot_seed: HexSeed | None = None


class Clock(Struct, frozen=True):
    """Tell how many milliseconds are left of this turn and then of the match's bank."""

    turn_ms: Milliseconds
    bank_ms: Milliseconds


class Ask(Struct, frozen=True, omit_defaults=True):
    """Ask a seat for its action: what is legal, and why the rest is not.

    `refused` maps `draw` and each tile of the hand that fits nowhere to an error code. A newer
    server may have codes that a client does not know; they make no question unreadable.
    """

    turn: Count
    legal: list[ActionMessage]
    refused: dict[str, str] = {}
    clock: Clock | None = None
