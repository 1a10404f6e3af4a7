"""A store in memory that can fail, and lose what a disk may lose: for tests and the simulation."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from passing_server.storing import (
    Batch,
    Durability,
    Entry,
    FinishedMatch,
    Kept,
    KeptSession,
    MatchKey,
    Part,
    StoredTable,
    StoreFailed,
)


@dataclass
class Side:
    """The tables of one durability; `playing` maps a table to the match that is played there.

    `over` has the date on which a match began, which is in `begun` before, and the day of running
    on which it ended; `last` orders the matches by their last rows.
    """

    tables: dict[str, bytes] = field(default_factory=dict[str, bytes])
    logs: dict[MatchKey, list[bytes]] = field(default_factory=dict[MatchKey, list[bytes]])
    heads: dict[MatchKey, bytes] = field(default_factory=dict[MatchKey, bytes])
    playing: dict[str, MatchKey] = field(default_factory=dict[str, MatchKey])
    over: dict[MatchKey, tuple[int, int]] = field(default_factory=dict[MatchKey, tuple[int, int]])
    run_days: dict[MatchKey, int] = field(default_factory=dict[MatchKey, int])
    begun: dict[MatchKey, int] = field(default_factory=dict[MatchKey, int])
    last: dict[MatchKey, int] = field(default_factory=dict[MatchKey, int])
    added: int = 0

    def verify(self, part: Part) -> None:
        """Raise ValueError where a part does not go on from here."""
        rows = {key: len(self.logs[key]) for key in self.playing.values()}
        playing = dict(self.playing)
        for entry in part.entries:
            if entry.table not in self.tables and entry.table not in part.tables:
                raise ValueError(f"{entry}: of a table that is not stored")
            if playing.get(entry.table) != entry.key:
                playing[entry.table] = entry.key
                rows[entry.key] = 0
            rows[entry.key] += 1
            if entry.seq != rows[entry.key]:
                raise ValueError(f"{entry}: does not follow")
        for head in part.matches:
            if head.key not in rows:
                raise ValueError(f"{head}: of a match that is not the newest of its table")

    def store(self, part: Part, days: tuple[int, int]) -> None:
        for entry in part.entries:
            self._add(entry, days)
        self.heads.update((head.key, head.value) for head in part.matches)
        for table, value in part.tables.items():
            if value is not None:
                self.tables[table] = value
            else:
                self.tables.pop(table, None)
                self._end(table, days)

    def _add(self, entry: Entry, days: tuple[int, int]) -> None:
        if self.playing.get(entry.table) != entry.key:
            self._end(entry.table, days)
            self.playing[entry.table] = entry.key
            self.logs[entry.key] = []
            self.begun[entry.key], self.run_days[entry.key] = days
        self.logs[entry.key].append(entry.body)
        self.added += 1
        self.last[entry.key] = self.added

    def _end(self, table: str, days: tuple[int, int]) -> None:
        key = self.playing.pop(table, None)
        if key is not None:
            self.over[key] = (self.begun.pop(key), days[1])
            self.run_days[key] = days[1]

    def finished(self) -> Iterator[FinishedMatch]:
        for key in sorted(self.over, key=self.last.__getitem__):
            yield FinishedMatch(
                *key, self.over[key][0], self.heads.get(key, b""), list(self.logs[key])
            )

    def prune(self, before: int) -> int:
        old = [key for key, days in self.over.items() if days[1] < before]
        for key in old:
            del self.over[key], self.logs[key], self.run_days[key]
            self.heads.pop(key, None)
        return len(old)


class MemoryStore:
    """Keep batches as the files do: whole, or not at all.

    What `full` tables, sessions and counters hold is synced at once. The parts of fast tables are
    not, one after the other; only the newest of those that came with something synced is safe
    with it, if all before it are there.
    """

    def __init__(self) -> None:
        self._full = Side()
        self._fast = Side()
        self._synced = Side()
        self._unsynced: list[tuple[Part, tuple[int, int]]] = []
        self._owed: tuple[int, Part, tuple[int, int]] | None = None
        self._sessions: dict[str, KeptSession] = {}
        self._counters: dict[str, int] = {}
        self._damage: list[str] = []
        self._failures = 0

    # --- what a disk does

    @property
    def unsynced(self) -> int:
        """How many parts a loss of power may take."""
        return len(self._unsynced)

    def crash(self, survive: int) -> None:
        """Lose all but the first `survive` unsynced parts, never what is synced.

        A process that ends without a loss of power loses nothing: `survive` is `unsynced` then.
        """
        parts = self._unsynced[:survive]
        if self._owed is not None and self._owed[0] == len(parts):
            parts.append(self._owed[1:])
        elif self._owed is not None and self._owed[0] > len(parts):
            self._damage.append("The last of what was stored is lost.")
        self._fast = deepcopy(self._synced)
        for part, days in parts:
            self._fast.store(part, days)
        self._begin_anew()

    def sync(self) -> None:
        """Bring everything to the disk, as the system does by itself after a while."""
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._synced = deepcopy(self._fast)
        self._unsynced.clear()
        self._owed = None

    def lose(self, durability: Durability) -> None:
        """Lose all that is kept with one durability, as when its file is gone."""
        if durability is Durability.FULL:
            self._full = Side()
            self._sessions = {}
            self._counters = {}
        else:
            self._fast = Side()
        self._begin_anew()

    def damage(self, table: str) -> None:
        """Lose the first row of the log of a table's match, and nothing of the table."""
        for side in (self._full, self._fast):
            if table in side.playing:
                del side.logs[side.playing[table]][0]

    def fail_next(self, times: int) -> None:
        """Let that many commits fail from now on."""
        self._failures = times

    # --- what a store does

    def load(self) -> Kept:
        damage, self._damage = self._damage, []
        tables: dict[str, StoredTable] = {}
        logs: dict[MatchKey, list[bytes]] = {}
        for side, how in ((self._full, Durability.FULL), (self._fast, Durability.FAST)):
            tables |= {table: StoredTable(value, how) for table, value in side.tables.items()}
            logs |= {key: list(side.logs[key]) for key in side.playing.values()}
        days = [*self._full.run_days.values(), *self._fast.run_days.values()]
        run_day = 0 if self._counters else max(days, default=0)
        return Kept(dict(self._sessions), tables, logs, dict(self._counters), damage, run_day)

    def commit(self, batch: Batch) -> None:
        if self._failures > 0:
            self._failures -= 1
            raise StoreFailed("memory: the disk is full.")
        self._fast.verify(batch.fast)
        self._full.verify(batch.full)
        self._full.store(batch.full, (batch.day, batch.run_day))
        for key, session in batch.sessions.items():
            if session is None:
                self._sessions.pop(key, None)
            else:
                self._sessions[key] = session
        self._counters |= batch.counters
        if batch.fast:
            self._store_fast(batch)

    def _store_fast(self, batch: Batch) -> None:
        days = batch.day, batch.run_day
        if batch.is_full:
            self._owed = (len(self._unsynced), batch.fast, days)
        self._fast.store(batch.fast, days)
        self._unsynced.append((batch.fast, days))

    def finished(self) -> Iterator[FinishedMatch]:
        yield from list(self._full.finished())
        yield from list(self._fast.finished())

    def prune(self, before: int) -> int | None:
        pruned = self._full.prune(before) + self._fast.prune(before)
        self._begin_anew()
        return pruned or None

    def close(self) -> None:
        """Nothing to let go of: what it holds can be loaded again."""

    def discard(self) -> None:
        """Nothing to remove."""
