"""The store in memory fails and forgets as a disk does: no more, and no less."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_server.commit_marks import NAME as COMMITS
from passing_server.sqlite_store import FAST, SqliteStore
from passing_server.storing import Batch, Durability, MatchKey, StoreFailed
from tests.support.batches import Batches, history, part_with, quick_folder, session
from tests.support.memory_store import MemoryStore


def rows(store: MemoryStore) -> dict[str, int]:
    return {key.table: len(log) for key, log in store.load().logs.items()}


def fast(seq: int) -> Batch:
    return Batch(fast=part_with("b", "m", seq, seq))


def full(seq: int) -> Batch:
    return Batch(full=part_with("f", "m", seq, seq))


@pytest.mark.parametrize("survive", range(4))
def test_a_crash_takes_the_last_unsynced_batches(survive: int) -> None:
    store = MemoryStore()
    for seq in (1, 2, 3):
        store.commit(fast(seq))
    assert store.unsynced == 3
    store.crash(survive)
    assert rows(store).get("b", 0) == survive
    assert store.unsynced == 0


def test_a_crash_takes_nothing_that_is_synced() -> None:
    store = MemoryStore()
    for seq in (1, 2, 3):
        store.commit(fast(seq))
        store.commit(full(seq))
    store.commit(Batch(sessions={"ada": session("ada")}, counters={"made": 2}))
    store.crash(0)
    kept = store.load()
    assert rows(store) == {"f": 3}
    assert kept.sessions == {"ada": session("ada")}
    assert kept.counters == {"made": 2}


def test_what_the_system_synced_by_itself_survives() -> None:
    store = MemoryStore()
    store.commit(fast(1))
    store.sync()
    store.commit(fast(2))
    store.crash(0)
    assert rows(store) == {"b": 1}


def test_what_survived_a_crash_survives_the_next() -> None:
    store = MemoryStore()
    for seq in (1, 2, 3):
        store.commit(fast(seq))
    store.crash(2)
    store.commit(fast(3))
    store.crash(0)
    assert rows(store) == {"b": 2}


def test_the_fast_part_of_a_synced_batch_is_safe_where_all_before_it_is() -> None:
    for survive, left in ((0, 0), (1, 2)):
        store = MemoryStore()
        store.commit(fast(1))
        store.commit(Batch(full=part_with("f", "m", 1, 1), fast=part_with("b", "m", 2, 2)))
        store.crash(survive)
        kept = store.load()
        assert len(kept.logs.get(MatchKey("b", "m"), [])) == left
        assert bool(kept.damage) is (left == 0)
        assert "f" in kept.tables


def test_failures_leave_nothing_and_end() -> None:
    store = MemoryStore()
    store.commit(full(1))
    store.fail_next(2)
    for _ in range(2):
        with pytest.raises(StoreFailed):
            store.commit(full(2))
    assert rows(store) == {"f": 1}
    store.commit(full(2))
    assert rows(store) == {"f": 2}


def test_what_was_loaded_does_not_change_with_the_store() -> None:
    store = MemoryStore()
    store.commit(full(1))
    kept = store.load()
    store.commit(full(2))
    assert len(kept.logs[MatchKey("f", "m")]) == 1
    assert kept.tables["f"].durability is Durability.FULL


class Powerless:
    """Files of which the unsynced one may go back to how it was after any of its commits."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store = SqliteStore(folder)
        self._store.load()
        self._past = [self._fast_files()]

    def _fast_files(self) -> dict[str, bytes]:
        names = (FAST, f"{FAST}-wal", COMMITS)
        return {name: (self._folder / name).read_bytes() for name in names}

    def commit(self, batch: Batch) -> None:
        self._store.commit(batch)
        if batch.fast:
            self._past.append(self._fast_files())

    def crash(self, survive: int) -> SqliteStore:
        self._store.close()
        for name, data in self._past[survive].items():
            (self._folder / name).write_bytes(data)
        return SqliteStore(self._folder)


@settings(max_examples=25)
@given(st.randoms(use_true_random=False), st.integers(1, 12), st.data())
def test_the_files_lose_what_memory_loses(chance: Random, count: int, data: st.DataObject) -> None:
    memory = MemoryStore()
    with quick_folder() as folder:
        files = Powerless(Path(folder))
        for batch in Batches(chance).take(count):
            files.commit(batch)
            memory.commit(batch)
        survive = data.draw(st.integers(0, memory.unsynced))
        memory.crash(survive)
        store = files.crash(survive)
        found, expected = store.load(), memory.load()
        assert found.tables == expected.tables
        assert found.logs == expected.logs
        assert found.sessions == expected.sessions
        assert found.counters == expected.counters
        assert len(found.damage) == len(expected.damage)
        assert history(Path(folder)) == history(memory)
        store.close()
