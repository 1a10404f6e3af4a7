"""The store of a server: two files of SQLite in its state folder, one for each durability.

`full.sqlite3` syncs at every commit and holds the sessions and counters too; `fast.sqlite3` leaves
syncing to the system: what was committed to it outlives the process, but not a loss of power.

A batch for both is stored by the commit of `full.sqlite3` alone, which also takes the fast part as
a note; then that part is written to its own file. So such a batch is stored whole or not at all,
wherever the process dies and whichever file fails: the note is carried out at the next chance.
"""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path

from msgspec import DecodeError, Struct, msgpack

from passing_server import sqlite_history
from passing_server.chains import Plan, seal
from passing_server.commit_marks import NAME as COMMITS
from passing_server.commit_marks import CommitMarks
from passing_server.sqlite_file import damaged, in_words, verify_readable
from passing_server.sqlite_tables import STEPS, Found, TableFile, is_whole
from passing_server.storing import (
    Batch,
    Durability,
    FinishedMatch,
    Kept,
    KeptSession,
    Part,
    StoredTable,
    StoreFailed,
)

FULL, FAST = "full.sqlite3", "fast.sqlite3"
MARKS = {FULL: int.from_bytes(b"PGfu"), FAST: int.from_bytes(b"PGfa")}
"""The application ids that the files bear."""

PUT_SESSION = (
    "INSERT INTO sessions (id, value, seal) VALUES (?, ?, ?) ON CONFLICT (id) DO"
    " UPDATE SET value = excluded.value, seal = excluded.seal"
)
DROP_SESSION = "DELETE FROM sessions WHERE id = ?"


class _Owed(Struct, frozen=True):
    """Hold a part that is to be written to the fast file when that has so many commits."""

    commits: int
    day: int
    part: Part
    run_day: int = 0


class SqliteStore:
    """Keep what a server stores in two files of a folder that is locked for it."""

    def __init__(self, folder: Path) -> None:
        """Open the files, made if they are not there; `load` comes next. Raises StoreFailed."""
        with ExitStack() as opened:
            self._full = TableFile(folder / FULL, MARKS[FULL], "FULL")
            opened.callback(self._full.connection.close)
            self._fast = TableFile(folder / FAST, MARKS[FAST], "NORMAL")
            opened.callback(self._fast.connection.close)
            with in_words(folder / COMMITS):
                self._marks = CommitMarks(folder)
            opened.callback(self._marks.close)
            self._opened = opened.pop_all()
        self._commits = self._full_commits = 0
        self._pruning: Iterator[int] | None = None
        self._counters: dict[str, int] = {}
        self._owed: Plan | None = None

    # --- reading

    def load(self) -> Kept:
        """Return all that is stored, before the first commit. Raises StoreFailed."""
        full, fast = self._full.load(), self._fast.load()
        damage = full.damage
        sessions = self._load_sessions(damage)
        self._full_commits = int.from_bytes(self._full.note("commits") or b"")
        self._commits = self._count_commits(fast)
        fast = self._carry_out(fast, damage)
        self._mark()
        for table in sorted(full.tables.keys() & fast.tables.keys()):
            self._fast.drop(fast, table)
            words = f"Table {table} was in {FULL} and in {FAST}: the one in {FAST} is lost."
            damage.append(words)
        counters = self._full.note("counters")
        self._counters = msgpack.decode(counters, type=dict[str, int]) if counters else {}
        return Kept(
            sessions,
            _stored(full, Durability.FULL) | _stored(fast, Durability.FAST),
            full.logs | fast.logs,
            dict(self._counters),
            damage + fast.damage,
            0 if counters else max(self._full.run_day, self._fast.run_day),
        )

    def _missing(self, fast: int) -> list[str]:
        """Tell what was stored once and is not there, though nothing that is there is damaged.

        The fast file is known to have had so many commits.
        """
        with in_words(self._full.path.with_name(COMMITS)):
            marks = self._marks.read()
        return [
            f"{file.path}: the last {known - there} times that it was written are lost."
            for file, there, known in (
                (self._full, self._full_commits, marks[0]),
                (self._fast, self._commits, max(fast, marks[1])),
            )
            if known > there
        ]

    def _mark(self) -> None:
        self._marks.write(self._full_commits, self._commits)

    def _count_commits(self, fast: Found) -> int:
        note = self._fast.note("commits")
        if note is None and (fast.tables or self._fast.chains.event):
            raise damaged(self._fast.path, "the count of its commits is lost")
        return int.from_bytes(note or b"")

    def _load_sessions(self, damage: list[str]) -> dict[str, KeptSession]:
        """Return the sessions; those that are not whole are taken out."""
        sessions: dict[str, KeptSession] = {}
        lost: list[tuple[str]] = []
        with in_words(self._full.path):
            for key, value, sealed in self._full.connection.execute("SELECT * FROM sessions"):
                if is_whole(value, sealed, key):
                    sessions[key] = self._session(value)
                else:
                    lost.append((key,))
        if lost:
            damage.append(f"{len(lost)} sessions were not whole, so they are lost.")
            with self._full.transaction():
                self._full.connection.executemany(DROP_SESSION, lost)
        return sessions

    def _session(self, value: bytes) -> KeptSession:
        try:
            return msgpack.decode(value, type=KeptSession)
        except DecodeError as error:
            raise damaged(self._full.path, f"a session: {error}") from None

    # --- the part of the fast file that the full one vouches for

    def _carry_out(self, fast: Found, damage: list[str]) -> Found:
        """Write the owed part if it was not; return what the fast file holds then."""
        note = self._full.note("owed")
        owed = msgpack.decode(note, type=_Owed) if note else None
        if owed is not None and owed.commits == self._commits:
            fast = self._write_owed(owed, fast, damage)
        damage += self._missing(owed.commits if owed is not None else 0)
        if owed is not None and owed.commits >= self._commits:
            self._full.drop_note("owed")
        return fast

    def _write_owed(self, owed: _Owed, fast: Found, damage: list[str]) -> Found:
        try:
            self._write_fast(self._fast.chains.plan(owed.part, owed.day, owed.run_day))
        except ValueError as error:
            damage.append(f"{self._fast.path}: its last part cannot follow: {error}.")
            return fast
        with in_words(self._fast.path):  # the note goes only when this is on the disk
            self._fast.connection.execute("PRAGMA wal_checkpoint(FULL)")
        found = self._fast.load()
        found.damage[:0] = fast.damage
        return found

    def _settle(self) -> None:
        if self._owed is not None:
            self._write_fast(self._owed)
            self._owed = None

    # --- writing

    def commit(self, batch: Batch) -> None:
        """Store a whole batch, or nothing and raise StoreFailed.

        Raises ValueError when an entry does not follow the row before it.
        """
        self._settle()
        days = batch.day, batch.run_day
        fast = self._fast.chains.plan(batch.fast, *days)
        if batch.is_full:
            self._write_full(batch, self._full.chains.plan(batch.full, *days))
            self._owed = fast if batch.fast else None
            with suppress(StoreFailed):  # it is stored, and is written again with the next
                self._settle()
        elif batch.fast:
            self._write_fast(fast)

    def _write_fast(self, plan: Plan) -> None:
        with self._fast.transaction():
            self._fast.write(plan)
            self._fast.put_note("commits", (self._commits + 1).to_bytes(8))
        self._commits += 1
        self._mark()
        self._fast.chains.take(plan)

    def _write_full(self, batch: Batch, plan: Plan) -> None:
        counters = self._counters | batch.counters
        with self._full.transaction():
            self._full.write(plan)
            self._put_sessions(batch)
            if batch.counters:
                self._full.put_note("counters", msgpack.encode(counters))
            if batch.fast:
                owed = _Owed(self._commits, batch.day, batch.fast, batch.run_day)
                self._full.put_note("owed", msgpack.encode(owed))
            self._full.put_note("commits", (self._full_commits + 1).to_bytes(8))
        self._full_commits += 1
        self._mark()
        self._counters = counters
        self._full.chains.take(plan)

    def _put_sessions(self, batch: Batch) -> None:
        run = self._full.connection.execute
        for key, session in batch.sessions.items():
            if session is None:
                run(DROP_SESSION, (key,))
            else:
                value = msgpack.encode(session)
                run(PUT_SESSION, (key, value, seal(value, key)))

    # --- what is over

    def prune(self, before: int) -> int | None:
        """Remove a piece of the matches that were over before a `run_day`, within milliseconds.

        Returns how many, None once nothing of the kind is left. Raises StoreFailed.
        """
        if self._pruning is None:
            files = (self._full, self._fast)
            self._pruning = chain.from_iterable(sqlite_history.prune(f, before) for f in files)
        try:
            removed = next(self._pruning, None)
        except StoreFailed:
            self._pruning = None
            raise
        if removed is None:
            self._pruning = None
        return removed

    def close(self) -> None:
        """Write what is owed if that can be done, and let go of the files."""
        with suppress(StoreFailed):
            self._settle()
        self._opened.close()


def _stored(found: Found, durability: Durability) -> dict[str, StoredTable]:
    return {table: StoredTable(value, durability) for table, value in found.tables.items()}


def finished_in(folder: Path) -> Iterator[FinishedMatch]:
    """Give the matches of a folder whose tables have gone on or are gone, server or not.

    Raises StoreFailed.
    """
    for path in _readable(folder):
        yield from sqlite_history.finished(path)


def newest_in(folder: Path) -> Iterator[FinishedMatch]:
    """Give the newest match of each table that is there still, as far as it has gone.

    Raises StoreFailed.
    """
    for path in _readable(folder):
        yield from sqlite_history.newest(path)


def _readable(folder: Path) -> list[Path]:
    """Return the files of a folder, all of which can be read. Raises StoreFailed."""
    files = {name: folder / name for name in (FULL, FAST) if (folder / name).exists()}
    if not files:
        raise StoreFailed(f"{folder}: no server has stored anything there.")
    for name, path in files.items():
        verify_readable(path, MARKS[name], len(STEPS))
    return list(files.values())
