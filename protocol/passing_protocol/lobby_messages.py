"""The messages by which tables are found, made and filled (`messages` has all of them)."""

from typing import Literal

from msgspec import Struct

from passing_protocol.handshake import Agent
from passing_protocol.views import DealKind, GameOptions, SeatInfo, TableOptions, TableState
from passing_protocol.wire import Count, HexSeed, Identifier, Milliseconds, Name, SeatNumber


class Lobby(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="lobby"):
    """Ask for the tables, those after the table `after`, and the engines that wait."""

    id: Count
    after: Identifier | None = None


class Create(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="create"):
    """Make a table; `sit` takes a seat there too, without it one watches.

    An organiser may fix the deals, the first leader and each engine's `bot_seed` by one of
    `seed` and `given` (32 hex digits); with `given` clocks run, and only invited engines sit.
    """

    id: Count
    name: Name
    game: GameOptions = GameOptions()
    table: TableOptions = TableOptions()
    sit: bool = True
    seed: HexSeed | None = None
    given: HexSeed | None = None


class Join(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="join"):
    """Take a seat, the first free one when none is named; also how an invitation is accepted."""

    id: Count
    table: Identifier
    seat: SeatNumber | None = None


class Watch(Struct, frozen=True, tag_field="type", tag="watch"):
    """Watch a table without a seat (R6.3)."""

    id: Count
    table: Identifier


class Leave(Struct, frozen=True, tag_field="type", tag="leave"):
    """Give up the seat or the watcher's place at a table."""

    id: Count
    table: Identifier


class Ready(Struct, frozen=True, tag_field="type", tag="ready"):
    """Say that one is ready: for the start, the next round or a rematch."""

    id: Count
    table: Identifier


class Start(Struct, frozen=True, tag_field="type", tag="start"):
    """Start the match now that every seat is filled; for the owner."""

    id: Count
    table: Identifier


class Invite(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="invite"):
    """Invite a waiting engine, by its name in the lobby, to a seat; for the owner."""

    id: Count
    table: Identifier
    engine: Name
    seat: SeatNumber | None = None


class Decline(Struct, frozen=True, tag_field="type", tag="decline"):
    """Turn an invitation down."""

    id: Count
    table: Identifier


class Remove(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="remove"):
    """Take a seat from whoever holds it, or send a watcher away by name; for the owner."""

    id: Count
    table: Identifier
    seat: SeatNumber | None = None
    watcher: Name | None = None


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """Describe a table to those who are looking for one."""

    table: Identifier
    name: Name
    state: TableState
    deal: DealKind
    game: GameOptions
    seats: list[SeatInfo]
    scores: list[Count]
    round: Count
    watchers: Count


class EngineInfo(Struct, frozen=True, omit_defaults=True):
    """Describe an engine that waits for an invitation; `free` is at how many more tables."""

    name: Name
    agent: Agent
    free: Count


class Tables(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="tables"):
    """Answer `lobby`; `more` tells that a further page follows the last table here."""

    seq: Count
    re: Count
    tables: list[TableInfo]
    engines: list[EngineInfo]
    more: bool = False


class Invited(Struct, frozen=True, tag_field="type", tag="invited"):
    """Invite an engine to a seat; `join` or `decline` answers, within `within_ms`."""

    seq: Count
    table: Identifier
    seat: SeatNumber
    within_ms: Milliseconds


class Left(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="left"):
    """Tell that one has no place at a table any more, and why when it was not one's own wish."""

    seq: Count
    table: Identifier
    reason: Literal["removed", "closed", "replaced"]
