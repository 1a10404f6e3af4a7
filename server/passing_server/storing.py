"""What a server has to have stored before it says so, and what it finds again.

The core collects a `Batch`, a store commits it as one, and only then is anything told. How a store
keeps it is its own affair; what a table's value, a row or a match's head holds is the core's.
"""

import errno
from enum import StrEnum
from typing import NamedTuple, Protocol

from msgspec import Struct, field

from passing_protocol.messages import Agent, Caps, Role


class Durability(StrEnum):
    """Say what a table outlives: a loss of power, the end of the process, or nothing."""

    FULL = "full"
    FAST = "fast"
    NONE = "none"


class StoreFailed(Exception):
    """Raised when something could not be stored or read; its text is a sentence for people.

    Nothing of the batch is stored then, and the same batch may be tried again.
    """


class DiskFull(StoreFailed):
    """Raised when there is no room on the disk: the same may be done when there is."""


def failed_for(error: OSError, sentence: str) -> StoreFailed:
    """Return what a refusal of the system comes to, in the given words."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return DiskFull(sentence) if full else StoreFailed(sentence)


class MatchKey(NamedTuple):
    """Name a match: the table it is played at, and its own id."""

    table: str
    match: str


class Entry(Struct, frozen=True):
    """Add a row to the log of a match; `seq` counts its rows from 1 without a gap.

    The first entry of a match begins it and ends the one before it at that table.
    """

    table: str
    match: str
    seq: int
    body: bytes

    @property
    def key(self) -> MatchKey:
        """Return the match that the row belongs to."""
        return MatchKey(self.table, self.match)


class MatchHead(Struct, frozen=True):
    """Keep what a record needs beside the rows (settings, seats); the newest of a match counts.

    The match has a row already, or gets its first one in the same part.
    """

    table: str
    match: str
    value: bytes

    @property
    def key(self) -> MatchKey:
        """Return the match that this is about."""
        return MatchKey(self.table, self.match)


class Part(Struct, frozen=True):
    """Hold what is stored of the tables of one durability.

    `tables` maps a table's id to its value, None when the table is gone. A table keeps its
    durability for life.
    """

    entries: list[Entry] = field(default_factory=list[Entry])
    tables: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])
    matches: list[MatchHead] = field(default_factory=list[MatchHead])

    def __bool__(self) -> bool:
        """Tell whether there is anything to store."""
        return bool(self.entries or self.tables or self.matches)


class KeptSession(Struct, frozen=True):
    """Hold a session as it comes back after a restart.

    `token` and `last_token` are hashes. `done` has the ids of the last requests that were done, and
    must not be done twice: with the table that the answer shows, None for a plain `ok`. `watches`
    are the tables it watches. `admitted` is the token that proved its role when it came in, hashed,
    empty where that took none; `key` is the client's own key, which it has to come back with.
    """

    id: str
    name: str
    agent: Agent
    role: Role
    caps: Caps
    token: bytes
    last_token: bytes | None = None
    done: dict[int, str | None] = field(default_factory=dict[int, str | None])
    watches: list[str] = field(default_factory=list[str])
    admitted: bytes = b""
    key: str | None = None


class Batch(Struct, frozen=True):
    """Hold what one turn of the loop has to have stored, all of it or nothing.

    `full` and `fast` are of the tables with that durability; sessions (None when one is gone) and
    counters are stored as surely as `full`. A counter that is not named keeps its value. `day` is
    the date as the clock has it, in days from 1970-01-01; `run_day` counts the days on which a
    server ran, and never goes back: `Store.prune` goes by it.
    """

    full: Part = field(default_factory=Part)
    fast: Part = field(default_factory=Part)
    sessions: dict[str, KeptSession | None] = field(default_factory=dict[str, KeptSession | None])
    counters: dict[str, int] = field(default_factory=dict[str, int])
    day: int = 0
    run_day: int = 0

    def __bool__(self) -> bool:
        """Tell whether there is anything to store."""
        return self.is_full or bool(self.fast)

    @property
    def is_full(self) -> bool:
        """Tell whether any of it must outlive a loss of power."""
        return bool(self.full or self.sessions or self.counters)


class StoredTable(Struct, frozen=True):
    """Hold a table's value, and with which durability it was stored."""

    value: bytes
    durability: Durability


class Kept(Struct, frozen=True):
    """Hold everything that a store found.

    `logs` holds the rows, first one first, of the newest match of each table that is there.
    `damage` holds a sentence for each thing that could not be read any more. Where there are no
    counters, `run_day` is the highest that any match bears.
    """

    sessions: dict[str, KeptSession] = field(default_factory=dict[str, KeptSession])
    tables: dict[str, StoredTable] = field(default_factory=dict[str, StoredTable])
    logs: dict[MatchKey, list[bytes]] = field(default_factory=dict[MatchKey, list[bytes]])
    counters: dict[str, int] = field(default_factory=dict[str, int])
    damage: list[str] = field(default_factory=list[str])
    run_day: int = 0


class FinishedMatch(Struct, frozen=True):
    """Hold a match that nobody plays at any more: its table has gone on, or is gone.

    A match of a table that is there still may be read into the same form, as far as it has gone.
    `day` is the date on which it began, in days from 1970-01-01. `head` is the newest head, empty
    if there was none. `damage` says in a sentence what is missing.
    """

    table: str
    match: str
    day: int
    head: bytes
    rows: list[bytes]
    damage: str | None = None


class Store(Protocol):
    """Keep what must outlive the process."""

    def load(self) -> Kept:
        """Return all that is stored, before the first commit. Raises StoreFailed."""
        ...

    def commit(self, batch: Batch) -> None:
        """Store a whole batch, or nothing and raise StoreFailed.

        Raises ValueError when an entry does not follow the row before it.
        """
        ...

    def prune(self, before: int) -> int | None:
        """Remove a piece of the matches that were over before a `run_day`, within milliseconds.

        Returns how many, None once nothing of the kind is left. Raises StoreFailed.
        """
        ...

    def close(self) -> None:
        """Let go of everything; what was committed is stored."""
        ...
