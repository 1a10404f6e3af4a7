"""A disk that is full, broken or read-only: nothing half stored, nothing lost, and on it goes."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_link.connection_file import NAME
from passing_server.sqlite_store import FAST, FULL, SqliteStore
from passing_server.storing import Batch, DiskFull, MatchKey, Part, StoreFailed
from tests.support.batches import Batches, history, part_with, quick_folder, session, states


@contextmanager
def no_file_beyond(size: int) -> Generator[None]:
    """Let no file of this process grow beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as name:
        yield Path(name)


def log_size(folder: Path, name: str) -> int:
    return (folder / f"{name}-wal").stat().st_size


BIG = Part(tables={"t1": bytes(30_000)})


@pytest.mark.parametrize(
    ("batch", "name"),
    [
        (Batch(full=BIG), FULL),
        (Batch(fast=BIG), FAST),
        (Batch(full=BIG, fast=part_with("t2", "x", 1, 1)), FULL),
        (Batch(sessions={"ada": session("ada", token=bytes(30_000))}), FULL),
    ],
)
def test_a_batch_that_does_not_fit_is_not_stored_and_may_be_tried_again(
    folder: Path, batch: Batch, name: str
) -> None:
    store = SqliteStore(folder)
    before = store.load()
    for _ in range(3):
        with (
            no_file_beyond(8_192),
            pytest.raises(StoreFailed, match=rf"{name}: .* \(.*\)\.$"),
        ):
            store.commit(batch)
    beside = SqliteStore(folder)
    assert beside.load() == before
    beside.close()
    store.commit(batch)
    store.close()
    again = SqliteStore(folder)
    assert again.load() == states([batch])[1][0]
    again.close()


def test_other_batches_may_be_stored_after_a_failure(folder: Path) -> None:
    store = SqliteStore(folder)
    store.load()
    store.commit(Batch(full=part_with("t1", "m", 1, 1)))
    with no_file_beyond(log_size(folder, FULL)), pytest.raises(StoreFailed):
        store.commit(Batch(full=part_with("t1", "m", 2, 2)))
    store.commit(Batch(full=part_with("t1", "m", 2, 5)))
    store.close()
    again = SqliteStore(folder)
    assert len(again.load().logs[MatchKey("t1", "m")]) == 5
    again.close()


def test_a_commit_that_clashes_is_undone(folder: Path) -> None:
    store = SqliteStore(folder)
    store.load()
    store.commit(Batch(full=part_with("t1", "m", 1, 1)))
    store.close()
    again = SqliteStore(folder)
    with pytest.raises(StoreFailed, match="UNIQUE constraint failed"):
        again.commit(Batch(full=part_with("t2", "m", 1, 1)))  # it knows of no rows before `load`
    assert list(again.load().tables) == ["t1"]
    again.commit(Batch(full=part_with("t2", "m", 1, 1)))
    again.close()


@pytest.fixture
def uneven(folder: Path) -> SqliteStore:
    """A store whose fast file is further on, so that a limit can hit that one alone."""
    store = SqliteStore(folder)
    store.load()
    for n in range(1, 30):
        store.commit(Batch(fast=part_with("t2", "x", n, n)))
    return store


BOTH = Batch(full=part_with("t1", "m", 1, 1), fast=part_with("t2", "x", 30, 30))


def test_a_batch_is_stored_when_only_the_fast_file_fails(folder: Path, uneven: SqliteStore) -> None:
    limit = log_size(folder, FAST)
    with no_file_beyond(limit):
        uneven.commit(BOTH)
        for _ in range(2):
            with pytest.raises(StoreFailed, match=FAST):
                uneven.commit(Batch(fast=part_with("t2", "x", 31, 31)))
        with pytest.raises(StoreFailed, match=FAST):
            uneven.commit(Batch(full=part_with("t1", "m", 2, 2)))
    beside = SqliteStore(folder)
    kept = beside.load()
    assert {key.match: len(log) for key, log in kept.logs.items()} == {"m": 1, "x": 30}
    beside.close()


def test_what_is_owed_to_the_fast_file_is_written_with_the_next(
    folder: Path, uneven: SqliteStore
) -> None:
    with no_file_beyond(log_size(folder, FAST)):
        uneven.commit(BOTH)
    uneven.commit(Batch(fast=part_with("t2", "x", 31, 31)))
    uneven.close()
    again = SqliteStore(folder)
    kept = again.load()
    assert {key.match: len(log) for key, log in kept.logs.items()} == {"m": 1, "x": 31}
    assert not kept.damage
    again.close()


def test_what_is_owed_is_written_at_the_end(folder: Path, uneven: SqliteStore) -> None:
    with no_file_beyond(log_size(folder, FAST)):
        uneven.commit(BOTH)
    uneven.close()
    (folder / FULL).unlink()
    again = SqliteStore(folder)
    assert len(again.load().logs[MatchKey("t2", "x")]) == 30
    again.close()


@settings(max_examples=25)
@given(st.randoms(use_true_random=False), st.integers(1, 25))
def test_failures_at_any_place_lose_nothing(chance: Random, count: int) -> None:
    batches = Batches(chance).take(count)
    after = states(batches)
    with quick_folder() as name:
        folder = Path(name)
        store = SqliteStore(folder)
        store.load()
        for number, batch in enumerate(batches):
            sizes = [path.stat().st_size for path in folder.iterdir() if path.suffix != "-shm"]
            try:
                with no_file_beyond(max(40_000, *sizes) + chance.randrange(9_000)):
                    store.commit(batch)
            except StoreFailed:
                if chance.random() < 0.5:
                    store.close()
                    store = SqliteStore(folder)
                    assert (store.load(), history(folder)) == after[number]
                store.commit(batch)
        store.close()
        store = SqliteStore(folder)
        assert (store.load(), history(folder)) == after[-1]
        store.close()


# --- a real disk, small


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("mounting a disk of its own takes root")
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k,mode=0700", "tmpfs", str(tmp_path)], check=False
    )
    if made.returncode != 0:
        pytest.skip("this system mounts nothing")
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def fill(store: SqliteStore) -> int:
    """Commit one row after the other until the disk is full; return how many were stored."""
    stored = 0
    with suppress(StoreFailed):
        while True:
            store.commit(Batch(full=part_with("t1", "m", stored + 1, stored + 1)))
            stored += 1
    return stored


def test_a_full_disk_fails_in_words_and_goes_on_with_space(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(150_000))
    store = SqliteStore(small_disk)
    store.load()
    stored = fill(store)
    with pytest.raises(StoreFailed, match=r"full\.sqlite3: the disk is full \("):
        store.commit(Batch(full=part_with("t1", "m", stored + 1, stored + 1)))
    ballast.unlink()
    store.commit(Batch(full=part_with("t1", "m", stored + 1, stored + 3)))
    store.close()
    again = SqliteStore(small_disk)
    kept = again.load()
    again.close()
    assert len(kept.logs[MatchKey("t1", "m")]) == stored + 3
    assert not kept.damage


def test_a_disk_without_room_for_a_store_is_refused(small_disk: Path) -> None:
    (small_disk / "ballast").write_bytes(bytes(395_000))
    with pytest.raises(StoreFailed, match="the disk is full"):
        SqliteStore(small_disk)
    (small_disk / "ballast").unlink()
    store = SqliteStore(small_disk)
    assert not store.load().tables
    store.close()


def test_a_disk_that_turns_read_only_is_told(small_disk: Path) -> None:
    store = SqliteStore(small_disk)
    store.load()
    store.close()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(StoreFailed, match=r"full\.sqlite3: Read-only file system\."):
        SqliteStore(small_disk)


# --- a server that starts on a full disk


@contextmanager
def starting(folder: Path) -> Generator["subprocess.Popen[str]"]:
    """Start a server on a folder."""
    command = [sys.executable, "-m", "passing_client", "serve", "--port", "0", "--log-json"]
    with subprocess.Popen(
        [*command, "--state", str(folder)], stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            yield server
        finally:
            server.kill()


def next_event(server: "subprocess.Popen[str]") -> tuple[str, str]:
    assert server.stderr is not None
    told = json.loads(server.stderr.readline())
    return told["event"], told["words"]


@pytest.mark.parametrize("free", [0, 8_192, 45_056, 81_920, 122_880])
def test_a_server_waits_for_room_and_says_so_once(small_disk: Path, free: int) -> None:
    """Wherever the room ends: at the lock, the tokens, a file of the store, or server.json."""
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(409_600 - free))
    with starting(small_disk) as server:
        event, words = next_event(server)
        assert event == "store_failed"
        assert words.startswith("The server starts when there is room on the disk: ")
        assert not (small_disk / NAME).exists()
        ballast.unlink()
        assert next_event(server)[0] == "listening"
        server.terminate()
        assert next_event(server)[0] == "ended"
        assert server.wait() == 0


def test_a_server_that_waits_for_room_ends_at_once(small_disk: Path) -> None:
    (small_disk / "ballast").write_bytes(bytes(409_600))
    with starting(small_disk) as server:
        assert next_event(server)[0] == "store_failed"
        server.terminate()
        assert server.wait(1) == -signal.SIGTERM


def test_a_full_disk_is_told_apart_from_others_that_fail(small_disk: Path) -> None:
    (small_disk / "ballast").write_bytes(bytes(409_600))
    with pytest.raises(DiskFull):
        SqliteStore(small_disk)
    (small_disk / "ballast").unlink()
    SqliteStore(small_disk).close()
    (small_disk / FULL).unlink()
    (small_disk / FULL).mkdir()
    with pytest.raises(StoreFailed) as failed:
        SqliteStore(small_disk)
    assert not isinstance(failed.value, DiskFull)


@pytest.mark.parametrize("name", [FULL, FAST])
@pytest.mark.parametrize("replaced", [False, True], ids=["removed", "replaced"])
def test_a_file_that_is_removed_meanwhile_is_written_no_more(
    tmp_path: Path, name: str, replaced: bool
) -> None:
    """SQLite itself would go on with a file that nobody finds."""
    store = SqliteStore(tmp_path)
    store.load()
    batch = Batch(full=part_with("t1", "m", 1, 1), fast=part_with("t2", "x", 1, 1))
    only = Batch(full=batch.full) if name == FULL else Batch(fast=batch.fast)
    away = tmp_path / "away"
    (tmp_path / name).rename(away)
    if replaced:
        (tmp_path / name).write_bytes(away.read_bytes())
    with pytest.raises(StoreFailed, match=r"was removed or replaced while the server runs. Put it"):
        store.commit(only)
    away.rename(tmp_path / name)
    store.commit(only)
    store.close()
