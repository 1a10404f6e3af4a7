"""Tables and their matches in one file of SQLite: written by plan, read with doubt.

What is read counts only as far as it proves whole: a value by its seal, a match by its chain. The
rest is taken out of the file, so that play goes on from what is left, and told as damage.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import ValidationError, convert

from passing_server.chains import Chains, Newest, Plan, first_hash, next_hash, seal
from passing_server.sqlite_file import (
    Steps,
    damaged,
    identity,
    in_words,
    open_file,
    transaction,
    verify_whole,
)
from passing_server.storing import MatchKey, StoreFailed

# Events only ever grow at the end and have no index: a commit writes a page or two for all tables
# together, where one ordered by match would write one for each.
STEPS: Steps = (
    (
        "CREATE TABLE events (id INTEGER PRIMARY KEY, match INTEGER NOT NULL,"
        " seq INTEGER NOT NULL, hash BLOB NOT NULL, body BLOB NOT NULL)",
        "CREATE TABLE matches (number INTEGER PRIMARY KEY, tab TEXT NOT NULL, match TEXT NOT NULL,"
        " first INTEGER NOT NULL, last INTEGER, day INTEGER NOT NULL,"
        " head BLOB NOT NULL DEFAULT x'', seal BLOB NOT NULL DEFAULT x'')",
        "CREATE TABLE tables (id TEXT PRIMARY KEY, match INTEGER, rows INTEGER NOT NULL,"
        " value BLOB NOT NULL, seal BLOB NOT NULL)",
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, value BLOB NOT NULL, seal BLOB NOT NULL)",
        "CREATE TABLE notes (id TEXT PRIMARY KEY, value BLOB NOT NULL, seal BLOB NOT NULL)",
    ),
    # Matches that an older version has stored are kept as long as if they ended on the first day.
    ("ALTER TABLE matches ADD COLUMN run_day INTEGER NOT NULL DEFAULT 0",),
)
"""Both files have the same tables; only one uses `sessions`.

From the second form on a log also has rows that tell who sat, and how a match ended early.
"""

ADD_EVENT = "INSERT INTO events (id, match, seq, hash, body) VALUES (?, ?, ?, ?, ?)"
BEGIN_MATCH = (
    "INSERT INTO matches (number, tab, match, first, day, run_day) VALUES (?, ?, ?, ?, ?, ?)"
)
END_MATCH = "UPDATE matches SET last = ?, run_day = ? WHERE number = ?"
PUT_HEAD = "UPDATE matches SET head = ?, seal = ? WHERE number = ?"
PUT_TABLE = (
    "INSERT INTO tables (id, match, rows, value, seal) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO"
    " UPDATE SET match = excluded.match, rows = excluded.rows, value = excluded.value,"
    " seal = excluded.seal"
)
DROP_TABLE = "DELETE FROM tables WHERE id = ?"
END_LOST = "UPDATE matches SET last = ? WHERE number = ?"
CUT = "DELETE FROM events WHERE match = ? AND id > ?"
MATCH_ROW = tuple[int, str, str, int, int | None, int]
EVENTS = "SELECT id, match, seq, hash, body FROM events"


@dataclass(slots=True)
class Match:
    """Hold what the file says of a match, and its rows as far as they are whole.

    `cut` is set at the first row that is not.
    """

    number: int
    key: MatchKey
    first: int
    last: int | None
    day: int
    hash: bytes
    end: int
    rows: list[bytes] = field(default_factory=list[bytes])
    cut: bool = False

    def read(self, event: int, seq: object, hashed: object, body: object) -> None:
        """Take one row if it follows; where the file is damaged it may be of any kind."""
        if self.cut or not isinstance(body, bytes) or seq != len(self.rows) + 1:
            self.cut = True
            return
        follows = next_hash(self.hash, body)
        self.cut = hashed != follows
        if not self.cut:
            self.rows.append(body)
            self.hash = follows
            self.end = event

    def damage(self, rows: int) -> str | None:
        """Tell what is missing if there should be so many rows."""
        if not self.cut and len(self.rows) >= rows:
            return None
        words = f"Match {self.key.match} of table {self.key.table}: only its first "
        return f"{words}{len(self.rows)} rows are whole; what came after them is lost."


@dataclass(slots=True)
class Found:
    """Hold what was read of a file, and the statements that take out what was not whole."""

    tables: dict[str, bytes] = field(default_factory=dict[str, bytes])
    logs: dict[MatchKey, list[bytes]] = field(default_factory=dict[MatchKey, list[bytes]])
    damage: list[str] = field(default_factory=list[str])
    mend: list[tuple[str, tuple[int | str, ...]]] = field(
        default_factory=list[tuple[str, tuple[int | str, ...]]]
    )


class TableFile:
    """Keep the tables of one durability."""

    def __init__(self, path: Path, mark: int, synchronous: str) -> None:
        """Open the file. Raises StoreFailed."""
        self.path = path
        self.chains = Chains()
        self.connection = open_file(path, mark, synchronous, STEPS, unread="events")
        self._identity = identity(path)

    def transaction(self) -> AbstractContextManager[None]:
        """Do all of it or nothing. Raises StoreFailed, and then nothing was done.

        SQLite goes on with a file that has been removed, and what it writes there nobody finds.
        """
        if identity(self.path) != self._identity:
            raise StoreFailed(
                f"{self.path}: it was removed or replaced while the server runs. Put it back, "
                "and the server goes on."
            )
        return transaction(self.path, self.connection)

    def write(self, plan: Plan) -> None:
        """Write a plan inside a transaction; it counts once `chains` has taken it."""
        run = self.connection.executemany
        for statement, rows in (
            (ADD_EVENT, plan.events),
            (BEGIN_MATCH, plan.begun),
            (PUT_HEAD, plan.heads),
            (END_MATCH, plan.ended),
            (PUT_TABLE, plan.tables),
            (DROP_TABLE, plan.gone),
        ):
            if rows:
                run(statement, rows)

    # --- notes: single values with a name

    def note(self, name: str) -> bytes | None:
        """Return a value by its name, None if there is none. Raises StoreFailed."""
        query = "SELECT value, seal FROM notes WHERE id = ?"
        with in_words(self.path):
            row = self.connection.execute(query, (name,)).fetchone()
        if row is not None and not is_whole(*row, name):
            raise damaged(self.path, f"the note {name!r} is not whole")
        return row[0] if row is not None else None

    def drop_note(self, name: str) -> None:
        """Remove a value. Raises StoreFailed."""
        with self.transaction():
            self.connection.execute("DELETE FROM notes WHERE id = ?", (name,))

    def put_note(self, name: str, value: bytes) -> None:
        """Write a value by its name, inside a transaction."""
        self.connection.execute(
            "INSERT INTO notes (id, value, seal) VALUES (?, ?, ?) ON CONFLICT (id) DO"
            " UPDATE SET value = excluded.value, seal = excluded.seal",
            (name, value, seal(value, name)),
        )

    # --- reading

    def load(self) -> Found:
        """Read all tables and the newest match of each. Raises StoreFailed.

        Where any of that is not whole, all of the file is looked through first.
        """
        with in_words(self.path):
            found = self._read()
        if found.damage or found.mend or not self._ends_as_told():
            verify_whole(self.path, self.connection)
        self._mend(found.mend)
        return found

    def _ends_as_told(self) -> bool:
        """Tell whether the last row of every match that is over can be there."""
        last = self._highest("last")
        if last <= self.chains.event:
            return True
        self.chains.event = last  # no row that comes may pass for one that is lost
        return False

    def _mend(self, statements: list[tuple[str, tuple[int | str, ...]]]) -> None:
        if statements:
            with self.transaction():
                for statement, values in statements:
                    self.connection.execute(statement, values)

    def drop(self, found: Found, table: str) -> None:
        """Take out a table that was found, and end its match. Raises StoreFailed."""
        del found.tables[table]
        self.chains.tables.discard(table)
        mend: list[tuple[str, tuple[int | str, ...]]] = [(DROP_TABLE, (table,))]
        newest = self.chains.newest.pop(table, None)
        if newest is not None:
            del found.logs[newest.key]
            mend.append((END_LOST, (newest.last, newest.number)))
        self._mend(mend)

    @property
    def run_day(self) -> int:
        """Return the highest day of running that a match bears. Raises StoreFailed."""
        return self._highest("run_day")

    def _highest(self, column: str) -> int:
        """Return the highest number that a match has in a column, whatever else is there."""
        query = f"SELECT max({column}) FROM matches WHERE typeof({column}) = 'integer'"  # noqa: S608
        with in_words(self.path):
            row = self.connection.execute(query).fetchone()
        return row[0] or 0

    def _read(self) -> Found:
        found = Found()
        self.chains = Chains(event=self._greatest("id", "events"))
        self.chains.number = self._greatest("number", "matches")
        going_on = {match.number: match for match in matches(self.connection, "last IS NULL")}
        self._read_events(found, going_on)
        newest = {match.key.table: match for match in going_on.values()}
        for row in self.connection.execute("SELECT id, match, rows, value, seal FROM tables"):
            match = newest.get(row[0])
            if self._read_table(found, match, row) and match is not None:
                del going_on[match.number]
        for match in going_on.values():  # of tables that are lost
            found.mend.append((END_LOST, (match.end, match.number)))
        return found

    def _greatest(self, column: str, table: str) -> int:
        row = self.connection.execute(f"SELECT max({column}) FROM {table}").fetchone()  # noqa: S608
        return row[0] or 0

    def _read_events(self, found: Found, going_on: dict[int, Match]) -> None:
        first = min((match.first for match in going_on.values()), default=self.chains.event + 1)
        for row in self.connection.execute(f"{EVENTS} WHERE id >= ? ORDER BY id", (first,)):
            match = going_on.get(row[1])
            if match is not None and row[0] >= match.first:
                match.read(row[0], *row[2:])
        for match in going_on.values():
            if match.cut:
                found.mend.append((CUT, (match.number, match.end)))

    def _read_table(
        self,
        found: Found,
        match: Match | None,
        row: tuple[str, int | None, int, bytes, bytes],
    ) -> bool:
        """Read a table and its newest match; False when the table is not whole."""
        table, number, rows, value, sealed = row
        if not is_whole(value, sealed, table, number, rows):
            words = f"Table {table}: what was kept of it is not whole, so it is lost."
            found.damage.append(words)
            found.mend.append((DROP_TABLE, (table,)))
            return False
        found.tables[table] = value
        self.chains.tables.add(table)
        if number is not None and (match is None or match.number < number):
            words = f"Table {table}: the match that was played at it is lost."
            found.damage.append(words)
        if match is not None:
            self._read_log(found, match, rows if match.number == number else 1)
        return True

    def _read_log(self, found: Found, match: Match, rows: int) -> None:
        found.logs[match.key] = match.rows
        damage = match.damage(rows)
        if damage is not None:
            found.damage.append(damage)
        self.chains.newest[match.key.table] = Newest(
            match.key, match.number, len(match.rows), match.end, match.hash
        )


def matches(connection: sqlite3.Connection, which: str) -> Iterator[Match]:
    """Give the matches of a file for which an SQL condition holds, without their rows."""
    query = f"SELECT number, tab, match, first, last, day FROM matches WHERE {which}"  # noqa: S608
    for row in connection.execute(query):
        with suppress(ValidationError):  # it is missed where it is looked for, and told there
            number, table, match, first, last, day = convert(row, MATCH_ROW)
            key = MatchKey(table, match)
            yield Match(number, key, first, last, day, first_hash(key), first - 1)


def is_whole(value: object, sealed: object, *place: str | int | None) -> bool:
    """Tell whether a value is what was written at its place."""
    return isinstance(value, bytes) and sealed == seal(value, *place)
