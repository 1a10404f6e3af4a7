"""Cut and flip the files of a store, and judge what it makes of that.

`python -m tests.support.store_damage` does it at every byte of a small store.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from msgspec import structs

from passing_server.commit_marks import NAME as COMMITS
from passing_server.sqlite_store import FAST, FULL, SqliteStore
from passing_server.storing import (
    Batch,
    Durability,
    FinishedMatch,
    Kept,
    KeptSession,
    MatchKey,
    StoredTable,
    StoreFailed,
)
from tests.support.batches import Batches, history, quick_folder, states

FILES = (FULL, f"{FULL}-wal", FAST, f"{FAST}-wal", COMMITS)

Side = tuple[
    dict[str, StoredTable], dict[MatchKey, list[bytes]], dict[str, KeptSession], dict[str, int]
]


def side_of(kept: Kept, how: Durability) -> Side:
    """What one file accounts for."""
    tables = {table: kept_as for table, kept_as in kept.tables.items() if kept_as.durability is how}
    logs = {key: rows for key, rows in kept.logs.items() if key.table in tables}
    if how is Durability.FAST:
        return tables, logs, {}, {}
    return tables, logs, kept.sessions, kept.counters


@dataclass(frozen=True)
class Subject:
    """The files of a store as bytes, and what it was ever told to hold."""

    files: dict[str, bytes]
    kept: list[Kept]
    over: list[FinishedMatch]
    rows: dict[MatchKey, list[bytes]]

    @classmethod
    def made(cls, batches: list[Batch], *, closed: bool, folder: Path) -> "Subject":
        """Commit, then take the files: with their logs, or after these went into the files."""
        store = SqliteStore(folder)
        store.load()
        for batch in batches:
            store.commit(batch)
        if closed:
            store.close()
        files = {name: (folder / name).read_bytes() for name in FILES if (folder / name).exists()}
        store.close()
        rows: dict[MatchKey, list[bytes]] = {}
        for batch in batches:
            for entry in [*batch.full.entries, *batch.fast.entries]:
                rows.setdefault(entry.key, []).append(entry.body)
        after = states(batches)
        every = {(m.table, m.match): m for _, over in after for m in over}
        return cls(files, [kept for kept, _ in after], list(every.values()), rows)

    def judge(self, folder: Path, name: str, data: bytes) -> str:
        """Open the store with one file changed. Raises AssertionError where it lies."""
        for other, content in self.files.items():
            (folder / other).write_bytes(data if other == name else content)
        try:
            try:
                store = SqliteStore(folder)
            except StoreFailed as failed:
                return self._refused(failed)
            try:
                kept = store.load()
                over = history(folder)
            except StoreFailed as failed:
                return self._refused(failed)
            finally:
                store.close()
            self._verify(kept, over)
            return "told" if kept.damage or any(m.damage for m in over) else "whole"
        finally:
            for path in folder.iterdir():
                path.unlink()

    def _refused(self, failed: StoreFailed) -> str:
        words = str(failed)
        assert ".sqlite3: " in words
        assert words.endswith(".")
        return "refused"

    def _verify(self, kept: Kept, over: list[FinishedMatch]) -> None:
        for key, rows in kept.logs.items():
            assert rows == self.rows.get(key, [])[: len(rows)]
        for match in over:
            self._verify_over(match)
        for table, value in kept.tables.items():
            assert any(value == then.tables.get(table) for then in self.kept)
        for name, session in kept.sessions.items():
            assert any(session == then.sessions.get(name) for then in self.kept)
        if not kept.damage:
            for how in (Durability.FULL, Durability.FAST):
                assert side_of(kept, how) == side_of(self.kept[-1], how)

    def _verify_over(self, match: FinishedMatch) -> None:
        rows = self.rows.get(MatchKey(match.table, match.match), [])  # none if the name is hurt
        assert match.rows == rows[: len(match.rows)]
        if match.damage is None and not any(
            structs.replace(match, day=then.day) == then for then in self.over
        ):
            # its table was lost, or what ended it: then it is over at its last row, as it was
            assert len(match.rows) <= len(rows)


def cut(data: bytes, at: int) -> bytes:
    return data[:at]


def flip(data: bytes, at: int) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 1 << (at * 7 % 8)
    return bytes(changed)


def smash(data: bytes, at: int) -> bytes:
    """Lay another sector over what is there."""
    return data[:at] + Random(at).randbytes(min(512, len(data) - at)) + data[at + 512 :]


WAYS: dict[str, Callable[[bytes, int], bytes]] = {"cut": cut, "flip": flip, "smash": smash}


def places(data: bytes, step: int, edges: int) -> Iterator[int]:
    """Every byte by one step, and by another where the file, its pages or its frames begin."""
    for at in range(len(data)):
        edge = at < 100 or at % 4096 < 12 or (at - 32) % 4120 < 30
        if at % (edges if edge else step) == 0:
            yield at


def try_all(subject: Subject, name: str, way: str, step: int, edges: int = 1) -> Counter[str]:
    """Judge one file changed in one way at many places."""
    data = subject.files.get(name, b"")
    verdicts: Counter[str] = Counter()
    with quick_folder() as folder:
        for at in places(data, step, edges):
            try:
                verdicts[subject.judge(Path(folder), name, WAYS[way](data, at))] += 1
            except Exception as error:
                raise AssertionError(f"{name} {way} at {at}: {error!r}") from error
    return verdicts


def subject_of(seed: int, count: int, *, closed: bool) -> Subject:
    with quick_folder() as folder:
        return Subject.made(Batches(Random(seed)).take(count), closed=closed, folder=Path(folder))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.support.store_damage")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other batches")
    parser.add_argument("--batches", type=int, default=6, help="how many are committed")
    parser.add_argument("--step", type=int, default=1, help="1 for every byte")
    arguments = parser.parse_args()
    for closed in (False, True):
        subject = subject_of(arguments.seed, arguments.batches, closed=closed)
        for name, data in subject.files.items():
            for way in WAYS:
                verdicts = try_all(subject, name, way, arguments.step)
                sys.stdout.write(f"{name} ({len(data)} bytes) {way}: {dict(verdicts)}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
