"""Collect what has to be stored before anything of it is told."""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from msgspec import Struct

from passing_protocol.messages import Role
from passing_protocol.views import DealKind, GameOptions
from passing_server.rooms import Room
from passing_server.run_days import RunDays
from passing_server.sessions import Sessions
from passing_server.storing import Batch, Durability, Entry, Kept, MatchHead, Part
from passing_table import NewRow, Occupant, Table, keep, kept_bytes, row_bytes

TABLES, EPOCH = "tables", "epoch"
"""The counters: below which number the ids of tables may lie, and which life of a server it is."""

IDS_AT_ONCE: Final = 1_000
"""So many ids of tables are set aside at a time: each then costs no sync of the disk."""


class SeatHead(Struct, frozen=True, omit_defaults=True):
    """Name who sat at a seat when the match began."""

    name: str
    engine: str | None = None


class Head(Struct, frozen=True):
    """Hold what a record of a match needs beside its log."""

    table: str
    game: GameOptions
    deal: DealKind
    seats: list[SeatHead]


class Keeping:
    """Hold what is new since the last batch, of tables that are stored at all."""

    def __init__(self, sessions: Sessions, people: Durability, today: Callable[[], int]) -> None:
        """Begin with nothing. `people` is the durability of tables that people make.

        `today` tells the date, in days from 1970-01-01.
        """
        self._sessions = sessions
        self._people = people
        self._days = RunDays(today)
        self._parts = {Durability.FULL: Part(), Durability.FAST: Part()}
        self._touched: dict[str, Room] = {}
        self._counters: dict[str, int] = {}
        self._made = 0
        self._set_aside = 0

    def begin(self, kept: Kept, epoch: int) -> int:
        """Take over the counters; return the number of this life of the server.

        The file that has them may have been moved away: no id that is found is given out again,
        also not after its table is gone.
        """
        known = [kept.counters.get(TABLES, 0), *map(number_of, kept.tables)]
        self._made = self._set_aside = self._counters[TABLES] = max(known)
        self._days.begin(kept.counters, kept.run_day)
        epoch = max(epoch, kept.counters.get(EPOCH, 0) + 1)
        self._counters[EPOCH] = epoch
        return epoch

    @property
    def run_day(self) -> int:
        """Return on how many days a server has run on this store."""
        return self._days.count

    def next_table(self) -> int:
        """Return a number that no table has had."""
        self._made += 1
        if self._made > self._set_aside:
            self._set_aside = self._made + IDS_AT_ONCE
            self._counters[TABLES] = self._set_aside
        return self._made

    def durability(self, maker: Role) -> Durability:
        """Return how surely the tables of a maker are stored: an organiser's can be played anew."""
        return Durability.FAST if maker is Role.ORGANISER else self._people

    # --- collecting

    def rows(self, room: Room, rows: list[NewRow]) -> None:
        """Take what the log of a table's match has more."""
        part = self._parts.get(room.durability)
        if part is None:
            return
        table = room.table
        for new in rows:
            part.entries.append(Entry(table.id, new.match, new.number, row_bytes(new.row)))
            if new.number == 1 and table.play is not None and table.play.id == new.match:
                head = msgspec.msgpack.encode(_head(table, table.play.seated))
                part.matches.append(MatchHead(table.id, new.match, head))

    def table(self, room: Room) -> None:
        """Take note that a table may be another than it was."""
        self._touched[room.table.id] = room

    def gone(self, room: Room) -> None:
        """Take note that a table is no more."""
        self._touched.pop(room.table.id, None)
        part = self._parts.get(room.durability)
        if part is not None:
            part.tables[room.table.id] = None

    def lost(self, table: str, durability: Durability) -> None:
        """Take note that a table cannot go on from what was stored of it."""
        self._parts[durability].tables[table] = None

    def batch(self, now: int) -> Batch:
        """Return what is to be stored now, once."""
        for room in self._touched.values():
            room.kept_at = now
            part = self._parts.get(room.durability)
            if part is not None:
                part.tables[room.table.id] = kept_bytes(keep(room.table, now))
        self._touched = {}
        parts, self._parts = self._parts, {Durability.FULL: Part(), Durability.FAST: Part()}
        self._counters |= self._days.look(now)
        counters, self._counters = self._counters, {}
        sessions = self._sessions.take_changes() if self._people is not Durability.NONE else {}
        return Batch(
            parts[Durability.FULL],
            parts[Durability.FAST],
            sessions,
            counters,
            self._days.today(),
            self._days.count,
        )


def id_of(number: int) -> str:
    """Return the id of the table with that number."""
    return f"t{number}"


def number_of(table: str) -> int:
    """Return the number of a table by its id; 0 for an id that no server has given."""
    number = table.removeprefix("t")
    return int(number) if number.isascii() and number.isdecimal() else 0


def _head(table: Table, seated: Iterable[Occupant | None]) -> Head:
    seats = [SeatHead(who.name, who.engine) if who else SeatHead("") for who in seated]
    return Head(table.name, table.game, table.deals.kind, seats)
