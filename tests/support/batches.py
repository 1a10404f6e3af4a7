"""Batches as a server might make them, and stores to commit them to."""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Protocol

from passing_protocol.messages import Agent, Caps, Role
from passing_server.sqlite_store import SqliteStore, finished_in
from passing_server.storing import (
    Batch,
    Entry,
    FinishedMatch,
    Kept,
    KeptSession,
    MatchHead,
    Part,
    Store,
)
from tests.support.memory_store import MemoryStore


def session(name: str, **more: object) -> KeptSession:
    held: dict[str, object] = {
        "id": name,
        "name": name.title(),
        "agent": Agent("line", "1.0"),
        "role": Role.PLAYER,
        "caps": Caps(),
        "token": name.encode() * 4,
    }
    return KeptSession(**(held | more))  # type: ignore[arg-type]  # values by name


@dataclass
class Life:
    """The tables of one durability as far as they have come: match and rows of each."""

    prefix: str
    at: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    made: int = 0

    def part(self, chance: Random) -> Part:
        part = Part()
        for _ in range(chance.randrange(3)):
            table = self._some_table(chance)
            for _ in range(chance.randrange(3)):
                self._row(chance, part, table)
            part.tables[table] = chance.randbytes(chance.randrange(40, 400))
            if chance.random() < 0.1:
                part.tables[table] = None
                del self.at[table]
        return part

    def _some_table(self, chance: Random) -> str:
        if not self.at or chance.random() < 0.2:
            self.made += 1
            self.at[f"{self.prefix}{self.made}"] = ("", 0)
        return chance.choice(list(self.at))

    def _row(self, chance: Random, part: Part, table: str) -> None:
        match, rows = self.at[table]
        if rows == 0 or chance.random() < 0.1:
            self.made += 1
            match, rows = f"m{self.made}", 0
            part.matches.append(MatchHead(table, match, chance.randbytes(30)))
        self.at[table] = (match, rows + 1)
        part.entries.append(Entry(table, match, rows + 1, chance.randbytes(chance.randrange(90))))


class Batches:
    """Make one valid batch after the other; the same chance makes the same ones."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._full = Life("f")
        self._fast = Life("b")
        self._day = 0

    def next(self) -> Batch:
        chance = self._chance
        self._day += chance.random() < 0.2
        sure = chance.random() < 0.6
        batch = Batch(
            full=self._full.part(chance) if sure else Part(),
            fast=self._fast.part(chance),
            day=20_000 + self._day * 3,
            run_day=self._day,
        )
        if sure and chance.random() < 0.3:
            name = f"s{chance.randrange(6)}"
            gone = chance.random() < 0.3
            batch.sessions[name] = None if gone else session(name, token=chance.randbytes(32))
        if sure and chance.random() < 0.3:
            batch.counters["made"] = self._full.made + self._fast.made
        return batch

    def take(self, count: int) -> list[Batch]:
        return [self.next() for _ in range(count)]


def entries(table: str, match: str, first: int, last: int) -> list[Entry]:
    return [Entry(table, match, n, f"{match} row {n}".encode()) for n in range(first, last + 1)]


def part_with(table: str, match: str, first: int, last: int) -> Part:
    """Some rows of a match, and the value of its table after them."""
    value = f"{table} at row {last}".encode()
    return Part(entries=entries(table, match, first, last), tables={table: value})


def quick_folder() -> "TemporaryDirectory[str]":
    """A folder in memory where the system has one: there a sync costs nothing."""
    memory = Path("/dev/shm")  # noqa: S108  the system's, not ours
    return TemporaryDirectory(dir=memory if memory.is_dir() else None)


def history(kept: MemoryStore | Path) -> list[FinishedMatch]:
    """All that is over of a store in memory, or of one in the files of a folder."""
    return list(finished_in(kept) if isinstance(kept, Path) else kept.finished())


def prune_all(store: Store, before: int) -> int:
    """Prune piece by piece until nothing old is left, and return how many are gone."""
    total = 0
    while (removed := store.prune(before)) is not None:
        total += removed
    return total


Everything = tuple[Kept, list[FinishedMatch]]


def states(batches: list[Batch]) -> list[Everything]:
    """All that is stored after none, one, two ... of the batches."""
    model = MemoryStore()
    after = [(model.load(), history(model))]
    for batch in batches:
        model.commit(batch)
        after.append((model.load(), history(model)))
    return after


class Disk(Protocol):
    """Where a store is opened, again and again."""

    def open(self) -> Store: ...

    def history(self) -> list[FinishedMatch]: ...


class InMemory:
    def __init__(self) -> None:
        self.store = MemoryStore()

    def open(self) -> MemoryStore:
        return self.store

    def history(self) -> list[FinishedMatch]:
        return history(self.store)


@dataclass
class OnDisk:
    folder: Path

    def open(self) -> SqliteStore:
        return SqliteStore(self.folder)

    def history(self) -> list[FinishedMatch]:
        return history(self.folder)
