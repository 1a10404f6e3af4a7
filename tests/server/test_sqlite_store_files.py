"""The files of a store: whose they are, which form they have, who may read them."""

import os
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from passing_server.commit_marks import NAME as COMMITS
from passing_server.sqlite_file import LOG_BYTES, open_file
from passing_server.sqlite_store import FAST, FULL, MARKS, SqliteStore, finished_in
from passing_server.sqlite_tables import STEPS
from passing_server.storing import Batch, FinishedMatch, Part, StoreFailed
from tests.support.batches import history, part_with, prune_all, quick_folder, session


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Stand in for a folder on a disk: what is shown here does not hang on syncs."""
    with quick_folder() as folder:
        yield Path(folder)


@pytest.fixture
def used(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path)
    store.load()
    store.commit(Batch(full=part_with("t1", "m", 1, 2), sessions={"ada": session("ada")}))
    store.commit(Batch(fast=part_with("t2", "x", 1, 2)))
    store.close()
    return tmp_path


def run(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_only_the_owner_may_read_the_files(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        store = SqliteStore(tmp_path)
        store.load()
        store.commit(Batch(full=part_with("t1", "m", 1, 2), fast=part_with("t2", "x", 1, 2)))
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    store.close()
    names = {f"{name}{more}" for name in (FULL, FAST) for more in ("", "-wal", "-shm")}
    assert modes == dict.fromkeys({*names, COMMITS}, 0o600)


def test_files_that_others_may_read_are_closed_to_them(used: Path) -> None:
    (used / FULL).chmod(0o644)
    SqliteStore(used).close()
    assert stat.S_IMODE((used / FULL).stat().st_mode) == 0o600


def test_nothing_is_left_beside_the_files(used: Path) -> None:
    assert {path.name for path in used.iterdir()} == {FULL, FAST, COMMITS}


def test_a_file_half_made_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / f"{FULL}.new").write_bytes(b"half")
    SqliteStore(tmp_path).close()
    assert {path.name for path in tmp_path.iterdir()} == {FULL, FAST, COMMITS}


@pytest.mark.parametrize("name", [FULL, FAST])
def test_the_files_bear_their_marks(used: Path, name: str) -> None:
    connection = sqlite3.connect(used / name)
    assert connection.execute("PRAGMA application_id").fetchone() == (MARKS[name],)
    assert connection.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("Not a database at all. " * 200)


def newer(path: Path) -> None:
    run(path, f"PRAGMA user_version = {len(STEPS) + 1}")


def foreign(path: Path) -> None:
    path.unlink()
    run(path, "CREATE TABLE cats (name TEXT)")


def of_another_program(path: Path) -> None:
    run(path, "PRAGMA application_id = 7")


def of_the_other_kind(path: Path) -> None:
    run(path, f"PRAGMA application_id = {MARKS[FULL] ^ MARKS[FAST] ^ MARKS[path.name]}")


def unknown_form(path: Path) -> None:
    run(path, "PRAGMA user_version = 0")


def without_a_table(path: Path) -> None:
    run(path, "DROP TABLE events")


def with_another_table(path: Path) -> None:
    run(path, "CREATE TABLE cats (name TEXT)")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


REFUSED: dict[Callable[[Path], None], str] = {
    empty: "it is damaged (it is empty). To start without what it holds move it away, and ",
    text: "it is damaged (file is not a database). To start without what it holds move it away",
    newer: "a newer version of the game wrote this file (form 3; this one reads up to 2). Install",
    foreign: "this file is not of this game. Move it away, or choose another folder",
    of_another_program: "this file is not of this game.",
    of_the_other_kind: "this file is not of this game.",
    unknown_form: "this file is not of this game.",
    without_a_table: "it is damaged (its tables are not as they should be).",
    with_another_table: "it is damaged (its tables are not as they should be).",
    a_folder: "it cannot be opened (unable to open database file).",
}


@pytest.mark.parametrize("name", [FULL, FAST])
@pytest.mark.parametrize("change", REFUSED, ids=lambda change: change.__name__)
def test_a_file_that_is_not_one_of_ours_is_refused(
    used: Path, name: str, change: Callable[[Path], None]
) -> None:
    change(used / name)
    with pytest.raises(StoreFailed) as refused:
        SqliteStore(used)
    assert str(refused.value).startswith(f"{used / name}: {REFUSED[change]}")


def test_a_refused_file_is_left_as_it_is(used: Path) -> None:
    newer(used / FULL)
    before = (used / FULL).read_bytes()
    with pytest.raises(StoreFailed):
        SqliteStore(used)
    assert (used / FULL).read_bytes() == before
    assert not (used / f"{FULL}-wal").exists()


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="No such file"):
        SqliteStore(tmp_path / "missing")


@pytest.mark.parametrize("name", [FULL, FAST])
def test_a_file_may_be_moved_away_to_start_without_it(used: Path, name: str) -> None:
    (used / name).rename(used / "aside")
    store = SqliteStore(used)
    kept = store.load()
    store.close()
    assert list(kept.tables) == ["t2" if name == FULL else "t1"]


def test_a_log_of_a_file_that_was_moved_away_is_not_taken_for_the_new_ones(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.load()
    store.commit(Batch(full=part_with("t1", "m", 1, 2)))
    log = (tmp_path / f"{FULL}-wal").read_bytes()
    store.close()
    (tmp_path / FULL).unlink()
    (tmp_path / f"{FULL}-wal").write_bytes(log)
    store = SqliteStore(tmp_path)
    assert not store.load().tables
    store.close()
    assert (tmp_path / f"{FULL}-wal.left").read_bytes() == log


# --- older forms

MARK = 0x50_47_74_74
FIRST = ("CREATE TABLE tiles (pips INTEGER)", "INSERT INTO tiles VALUES (6)")
SECOND = ("ALTER TABLE tiles ADD COLUMN name TEXT", "UPDATE tiles SET name = 'six'")
WRONG = ("UPDATE tiles SET pips = 9", "UPDATE no_such_table SET pips = 9")


def content(path: Path, *steps: tuple[str, ...]) -> list[tuple[object, ...]]:
    connection = open_file(path, MARK, "FULL", steps)
    try:
        rows = connection.execute("SELECT * FROM tiles").fetchall()
        assert connection.execute("PRAGMA user_version").fetchone() == (len(steps),)
    finally:
        connection.close()
    return rows


def test_an_older_file_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert content(path, FIRST) == [(6,)]
    assert content(path, FIRST, SECOND) == [(6, "six")]
    assert content(path, FIRST, SECOND) == [(6, "six")]


def test_a_newer_file_is_not_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "file"
    content(path, FIRST, SECOND)
    with pytest.raises(StoreFailed, match="a newer version of the game wrote this file"):
        content(path, FIRST)
    assert content(path, FIRST, SECOND) == [(6, "six")]


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    content(path, FIRST)
    with pytest.raises(StoreFailed):
        content(path, FIRST, WRONG)
    assert content(path, FIRST) == [(6,)]


def of_the_first_form(path: Path) -> None:
    """Make of a file what the first version of the game would have written."""
    run(path, "ALTER TABLE matches DROP COLUMN run_day")
    run(path, "PRAGMA user_version = 1")


def test_a_store_of_the_first_form_goes_on(used: Path) -> None:
    store = SqliteStore(used)
    store.load()
    store.commit(Batch(full=part_with("t1", "next", 1, 2), day=20_000, run_day=7))
    store.close()
    store = SqliteStore(used)
    kept, over = store.load(), history(used)
    store.close()
    for name in (FULL, FAST):
        of_the_first_form(used / name)
    with pytest.raises(StoreFailed, match="an older version of the game wrote this file"):
        history(used)
    store = SqliteStore(used)
    assert replace(store.load(), run_day=kept.run_day) == kept
    assert history(used) == over
    assert prune_all(store, 0) == 0
    assert prune_all(store, 1) == 1
    store.close()


# --- reading beside the server


def test_finished_matches_are_read_in_another_thread_while_the_server_goes_on(used: Path) -> None:
    store = SqliteStore(used)
    store.load()
    for n in range(20):
        store.commit(Batch(full=part_with("t1", f"next{n}", 1, 3)))
    found: list[FinishedMatch] = []
    reading = finished_in(used)
    found.append(next(reading))
    reader = threading.Thread(target=lambda: found.extend(history(used)))
    reader.start()
    for n in range(50):
        store.commit(Batch(full=part_with("t1", "last", n + 1, n + 1)))
    reader.join()
    found.extend(reading)
    store.commit(Batch(full=Part(tables={"t1": None})))
    assert len(history(used)) == 22
    store.close()
    assert [match.match for match in found].count("m") == 2
    assert not any(match.damage for match in found)


@pytest.fixture
def many(used: Path) -> Iterator[SqliteStore]:
    """A store with 300 matches that are over, of 20 rows each, played at two tables by turns."""
    store = SqliteStore(used)
    store.load()
    for n in range(150):
        for row in range(1, 21):
            both = [part_with(f"a{k}", f"m{n}", row, row) for k in (1, 2)]
            part = Part(both[0].entries + both[1].entries, both[0].tables | both[1].tables)
            store.commit(Batch(fast=part, run_day=n))
    store.commit(Batch(fast=Part(tables={"a1": None, "a2": None}), run_day=150))
    yield store
    store.close()


def log_bytes(folder: Path) -> int:
    return (folder / f"{FAST}-wal").stat().st_size


def test_a_slow_reader_does_not_let_the_log_grow(used: Path, many: SqliteStore) -> None:
    reading = finished_in(used)
    next(reading)
    for n in range(3_000):
        many.commit(Batch(fast=part_with("z", "m", n + 1, n + 1)))
    assert log_bytes(used) < 2 * LOG_BYTES
    assert not any(match.damage for match in reading)


def test_a_log_that_has_grown_is_cut_back(used: Path, many: SqliteStore) -> None:
    holder = sqlite3.connect(used / FAST, isolation_level=None)
    holder.execute("BEGIN")
    holder.execute("SELECT count(*) FROM events").fetchall()
    for n in range(2_500):
        many.commit(Batch(fast=part_with("z", "m", n + 1, n + 1)))
    assert log_bytes(used) > 2 * LOG_BYTES
    holder.close()
    for n in range(2_500, 2_600):
        many.commit(Batch(fast=part_with("z", "m", n + 1, n + 1)))
    assert log_bytes(used) <= LOG_BYTES


def test_what_is_removed_while_it_is_read_is_left_out(used: Path, many: SqliteStore) -> None:
    reading = finished_in(used)
    found = [next(reading)]
    assert prune_all(many, 140) == 278
    found.extend(reading)
    assert not any(match.damage for match in found)
    assert {match.match for match in found} >= {f"m{n}" for n in range(140, 150)}


def test_old_matches_are_removed_a_piece_at_a_time(used: Path, many: SqliteStore) -> None:
    pieces = list(iter(lambda: many.prune(140), None))
    assert len(pieces) > 4
    assert {m.match for m in history(used) if m.table == "a1"} == {f"m{n}" for n in range(139, 150)}
    rows = sqlite3.connect(used / FAST)
    assert rows.execute("SELECT count(*) FROM events").fetchone() == (22 * 20 + 2,)
    rows.close()


@pytest.mark.parametrize("pieces", range(1, 8))
def test_removing_that_was_cut_short_is_gone_on_with(
    used: Path, many: SqliteStore, pieces: int
) -> None:
    for _ in range(pieces):
        many.prune(151)
    many.close()
    again = SqliteStore(used)
    assert not again.load().damage
    prune_all(again, 151)
    again.close()
    rows = sqlite3.connect(used / FAST)
    assert rows.execute("SELECT count(*) FROM events").fetchone() == (2,)
    assert rows.execute("SELECT count(*) FROM notes WHERE id = 'sweep'").fetchone() == (0,)
    rows.close()
    assert not history(used)


def test_another_program_that_writes_is_told(used: Path) -> None:
    store = SqliteStore(used)
    store.load()
    holder = sqlite3.connect(used / FULL, isolation_level=None, timeout=0)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreFailed) as failed:
        store.commit(Batch(full=Part(tables={"t9": b""})))
    holder.close()
    store.commit(Batch(full=Part(tables={"t9": b""})))
    store.close()
    assert str(failed.value) == (
        f"{used / FULL}: another program is at work on it (database is locked)."
    )
