"""The chain that a log's rows form, and what a part of a batch comes to in rows of a file.

Each row's hash covers the row before it, and the first one the name of its match, so a row that
was changed, lost or moved is found when the rows are read.
"""

from dataclasses import dataclass, field
from hashlib import sha256

from msgspec import msgpack

from passing_server.storing import Entry, MatchKey, Part


def first_hash(key: MatchKey) -> bytes:
    """Return what stands for the row before the first one of a match."""
    return sha256(msgpack.encode(key)).digest()


def next_hash(previous: bytes, body: bytes) -> bytes:
    """Return the hash of a row after the row with the hash `previous`."""
    return sha256(previous + body).digest()


def seal(value: bytes, *place: str | int | None) -> bytes:
    """Return the hash that shows a value to be whole, and to be the one of its place."""
    return sha256(msgpack.encode(place) + value).digest()


@dataclass(frozen=True, slots=True)
class Newest:
    """Hold where the newest match of a table stands: its number in the file, its last row."""

    key: MatchKey
    number: int
    rows: int
    last: int
    hash: bytes


@dataclass(slots=True)
class Plan:
    """Hold the rows to write, in the order of the columns of their statements."""

    events: list[tuple[int, int, int, bytes, bytes]] = field(
        default_factory=list[tuple[int, int, int, bytes, bytes]]
    )
    begun: list[tuple[int, str, str, int, int, int]] = field(
        default_factory=list[tuple[int, str, str, int, int, int]]
    )
    ended: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    heads: list[tuple[bytes, bytes, int]] = field(default_factory=list[tuple[bytes, bytes, int]])
    tables: list[tuple[str, int | None, int, bytes, bytes]] = field(
        default_factory=list[tuple[str, int | None, int, bytes, bytes]]
    )
    gone: list[tuple[str]] = field(default_factory=list[tuple[str]])
    newest: dict[str, Newest | None] = field(default_factory=dict[str, Newest | None])


@dataclass(slots=True)
class Chains:
    """Know the tables of a file and the end of each table's newest match.

    `event` and `number` are the last ones given to a row and to a match.
    """

    tables: set[str] = field(default_factory=set[str])
    newest: dict[str, Newest] = field(default_factory=dict[str, Newest])
    event: int = 0
    number: int = 0

    def plan(self, part: Part, day: int, run_day: int) -> Plan:
        """Return what to write at a date and a day of running; nothing counts before `take`.

        Raises ValueError when an entry does not follow the last one, or a head is of no match.
        """
        planning = _Planning(self, part, day, run_day)
        for entry in part.entries:
            planning.add(entry)
        for head in part.matches:
            number = planning.number_of(head.key)
            planning.plan.heads.append((head.value, seal(head.value, *head.key), number))
        for table, value in part.tables.items():
            planning.put(table, value)
        return planning.plan

    def take(self, plan: Plan) -> None:
        """Count a plan as written."""
        if plan.events:
            self.event = plan.events[-1][0]
        if plan.begun:
            self.number = plan.begun[-1][0]
        for table, newest in plan.newest.items():
            if newest is None:
                self.newest.pop(table, None)
            else:
                self.newest[table] = newest
        self.tables.update(row[0] for row in plan.tables)
        self.tables.difference_update(row[0] for row in plan.gone)


class _Planning:
    """Make one plan."""

    def __init__(self, chains: Chains, part: Part, day: int, run_day: int) -> None:
        self.plan = Plan()
        self._chains = chains
        self._part = part
        self._days = day, run_day
        self._event = chains.event
        self._begun: dict[MatchKey, int] = {}

    def _newest(self, table: str) -> Newest | None:
        if table in self.plan.newest:
            return self.plan.newest[table]
        return self._chains.newest.get(table)

    def number_of(self, key: MatchKey) -> int:
        newest = self._chains.newest.get(key.table)
        if newest is not None and newest.key == key:
            return newest.number
        if key not in self._begun:
            raise ValueError(f"{key}: a head of a match that is not the newest of its table")
        return self._begun[key]

    def add(self, entry: Entry) -> None:
        """Chain one entry to the rows before it."""
        before = self._newest(entry.table)
        if before is None or before.key.match != entry.match:
            before = self._begin(entry, before)
        if entry.seq != before.rows + 1:
            raise ValueError(f"{entry.key}: row {entry.seq} does not follow row {before.rows}")
        self._event += 1
        hashed = next_hash(before.hash, entry.body)
        self.plan.events.append((self._event, before.number, entry.seq, hashed, entry.body))
        self.plan.newest[entry.table] = Newest(
            before.key, before.number, entry.seq, self._event, hashed
        )

    def _begin(self, entry: Entry, before: Newest | None) -> Newest:
        if entry.table not in self._part.tables and entry.table not in self._chains.tables:
            raise ValueError(f"{entry.key}: a row of a table that is not stored")
        if before is not None:
            self._end(before)
        number = self._chains.number + len(self.plan.begun) + 1
        self._begun[entry.key] = number
        self.plan.begun.append((number, entry.table, entry.match, self._event + 1, *self._days))
        return Newest(entry.key, number, 0, self._event, first_hash(entry.key))

    def _end(self, newest: Newest) -> None:
        self.plan.ended.append((newest.last, self._days[1], newest.number))

    def put(self, table: str, value: bytes | None) -> None:
        """Write a table's value beside the end of its log, or end both."""
        newest = self._newest(table)
        if value is None:
            self.plan.gone.append((table,))
            self.plan.newest[table] = None
            if newest is not None:
                self._end(newest)
            return
        number, rows = (newest.number, newest.rows) if newest is not None else (None, 0)
        sealed = seal(value, table, number, rows)
        self.plan.tables.append((table, number, rows, value, sealed))
