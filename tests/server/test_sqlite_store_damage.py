"""Whatever is cut off or changed in the files: what is left is true, or the store says no."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from passing_server.commit_marks import NAME as COMMITS
from passing_server.sqlite_store import FAST, FULL, SqliteStore
from passing_server.storing import Batch, Kept, MatchHead, MatchKey, Part, StoreFailed
from tests.support.batches import history, part_with, quick_folder, session
from tests.support.store_damage import WAYS, Subject, subject_of, try_all


@pytest.fixture(scope="module", params=[False, True], ids=["with logs", "closed"])
def subject(request: pytest.FixtureRequest) -> Subject:
    return subject_of(3, 6, closed=request.param)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [FULL, FAST])
def test_a_changed_file_gives_what_was_committed_or_is_refused(
    subject: Subject, name: str, way: str
) -> None:
    assert try_all(subject, name, way, 997, edges=3)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [FULL, FAST])
def test_a_changed_log_of_sqlite_gives_what_was_committed(name: str, way: str) -> None:
    subject = subject_of(5, 3, closed=False)
    verdicts = try_all(subject, f"{name}-wal", way, 1_999, edges=5)
    assert not verdicts["refused"]
    assert verdicts["told"]


def test_a_changed_count_of_commits_loses_nothing() -> None:
    subject = subject_of(5, 3, closed=False)
    for way in WAYS:
        assert not try_all(subject, COMMITS, way, 1)["refused"]


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """What is left of a store whose process was killed after its third commit."""
    store = SqliteStore(tmp_path)
    store.load()
    for n in range(1, 4):
        store.commit(Batch(full=part_with("t1", "m1", n, n), fast=part_with("t2", "x", n, n)))
    left = tmp_path / "left"
    left.mkdir()
    for path in tmp_path.iterdir():
        if path.is_file():
            (left / path.name).write_bytes(path.read_bytes())
    store.close()
    return left


@pytest.mark.parametrize("name", [FULL, FAST])
def test_a_log_that_is_gone_is_told_once(killed: Path, name: str) -> None:
    """SQLite itself says nothing about that."""
    (killed / f"{name}-wal").unlink()
    (killed / f"{name}-shm").unlink()
    told = opened(killed).damage
    assert told[0] == f"{killed / name}: the last 3 times that it was written are lost."
    assert not opened(killed).damage


def test_a_log_with_one_wrong_bit_is_told(killed: Path) -> None:
    log = killed / f"{FULL}-wal"
    data = bytearray(log.read_bytes())
    data[-5_000] ^= 1
    log.write_bytes(data)
    kept = opened(killed)
    assert kept.damage == [f"{killed / FULL}: the last 1 times that it was written are lost."]
    assert len(kept.logs[MatchKey("t1", "m1")]) == 2


def test_without_the_count_the_rest_still_goes_on(killed: Path) -> None:
    (killed / COMMITS).unlink()
    kept = opened(killed)
    assert not kept.damage
    assert len(kept.logs[MatchKey("t1", "m1")]) == 3


@pytest.mark.parametrize("name", [FULL, FAST])
def test_the_words_for_a_damaged_file_say_what_helps(killed: Path, name: str) -> None:
    """A damaged file is moved away as they say, and a copy of the folder is put back."""
    copy = {path.name: path.read_bytes() for path in killed.iterdir()}
    (killed / name).write_bytes(bytes(40_000))
    with pytest.raises(StoreFailed) as refused:
        opened(killed)
    assert f"move it away, and {name}-wal and {name}-shm with it" in str(refused.value)
    for path in (killed / f"{name}{end}" for end in ("", "-wal", "-shm")):
        path.unlink(missing_ok=True)
    kept = opened(killed)
    assert list(kept.tables) == ["t2" if name == FULL else "t1"]
    assert "put back a copy of the whole folder" in str(refused.value)
    for path in killed.iterdir():
        path.unlink()
    for file, data in copy.items():
        (killed / file).write_bytes(data)
    kept = opened(killed)
    assert not kept.damage
    assert sorted(kept.tables) == ["t1", "t2"]


def test_a_large_store_too() -> None:
    subject = subject_of(11, 300, closed=True)
    for name in (FULL, FAST):
        for way in WAYS:
            data = subject.files[name]
            assert len(data) > 60_000
            assert try_all(subject, name, way, 4_999, edges=60)


# --- what is told about it


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Stand in for a folder on a disk: what is shown here does not hang on syncs."""
    with quick_folder() as folder:
        yield Path(folder)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder where one table is in its second match and another is gone."""
    store = SqliteStore(tmp_path)
    store.load()
    for n in range(1, 6):
        store.commit(Batch(full=part_with("t1", "m1", n, n), fast=part_with("t2", "x", n, n)))
    head = [MatchHead("t1", "m2", b"head")]
    store.commit(Batch(full=Part(part_with("t1", "m2", 1, 4).entries, {"t1": b"now"}, head)))
    store.commit(Batch(fast=Part(tables={"t2": None}), sessions={"ada": session("ada")}))
    store.commit(Batch(counters={"made": 2}, full=part_with("t3", "m3", 1, 1)))
    store.close()
    return tmp_path


def tamper(folder: Path, name: str, *statement: str) -> None:
    connection = sqlite3.connect(folder / name)
    with connection:
        assert connection.execute(" ".join(statement)).rowcount != 0
    connection.close()


def opened(folder: Path) -> Kept:
    store = SqliteStore(folder)
    try:
        return store.load()
    finally:
        store.close()


NEWEST = MatchKey("t1", "m2")


def test_an_undamaged_store_tells_nothing(played: Path) -> None:
    kept = opened(played)
    assert not kept.damage
    assert len(kept.logs[NEWEST]) == 4


@pytest.mark.parametrize(
    "change",
    ["body = x'00'", "seq = 7", "hash = x'00'", "match = 9", "body = 'text'", "hash = 1.5"],
)
def test_a_match_is_cut_at_its_last_whole_row_and_this_is_told(played: Path, change: str) -> None:
    tamper(played, FULL, "UPDATE events SET", change, "WHERE match = 2 AND seq = 3")
    kept = opened(played)
    assert kept.logs[NEWEST] == [b"m2 row 1", b"m2 row 2"]
    assert kept.damage == [
        "Match m2 of table t1: only its first 2 rows are whole; what came after them is lost."
    ]


@pytest.mark.parametrize("seq", [1, 4])
def test_a_row_that_is_missing_is_told(played: Path, seq: int) -> None:
    tamper(played, FULL, "DELETE FROM events WHERE match = 2 AND seq =", str(seq))
    kept = opened(played)
    assert len(kept.logs[NEWEST]) == seq - 1
    (damage,) = kept.damage
    assert f"only its first {seq - 1} rows" in damage


def test_play_goes_on_from_the_cut(played: Path) -> None:
    tamper(played, FULL, "UPDATE events SET body = x'00' WHERE match = 2 AND seq = 3")
    store = SqliteStore(played)
    store.load()
    store.commit(Batch(full=part_with("t1", "m2", 3, 5)))
    store.close()
    kept = opened(played)
    assert not kept.damage
    assert kept.logs[NEWEST] == [f"m2 row {n}".encode() for n in range(1, 6)]


@pytest.mark.parametrize("change", ["value = x'01'", "seal = x'01'", "rows = 3", "match = 1"])
def test_a_table_that_is_not_whole_is_lost_and_told(played: Path, change: str) -> None:
    tamper(played, FULL, "UPDATE tables SET", change, "WHERE id = 't1'")
    kept = opened(played)
    assert list(kept.tables) == ["t3"]
    assert list(kept.logs) == [MatchKey("t3", "m3")]
    assert kept.damage == ["Table t1: what was kept of it is not whole, so it is lost."]
    store = SqliteStore(played)
    assert not store.load().damage
    assert [(match.match, len(match.rows)) for match in history(played)] == [
        ("m1", 5),
        ("m2", 4),
        ("x", 5),
    ]
    store.close()


def test_values_of_two_tables_do_not_pass_for_each_other(played: Path) -> None:
    tamper(
        played,
        FULL,
        "UPDATE tables SET (value, seal, match, rows) ="
        " (SELECT value, seal, match, rows FROM tables WHERE id = 't3') WHERE id = 't1'",
    )
    assert list(opened(played).tables) == ["t3"]


@pytest.mark.parametrize(
    "change", ["tab = 't9'", "last = 3", "match = 'other'", "first = 'x'", "number = 77"]
)
def test_a_match_whose_name_is_lost_is_told(played: Path, change: str) -> None:
    tamper(played, FULL, "UPDATE matches SET", change, "WHERE number = 2")
    kept = opened(played)
    assert kept.damage
    assert not any(kept.logs.get(MatchKey("t1", "m2"), []))
    assert "t1" in kept.tables


def test_rows_of_a_match_that_is_lost_do_not_count_for_another(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.load()
    for table in ("old", "lost"):
        store.commit(Batch(full=part_with(table, f"m-{table}", 1, 3)))
    store.close()
    tamper(tmp_path, FULL, "DELETE FROM matches WHERE tab = 'lost'")
    store = SqliteStore(tmp_path)
    assert store.load().damage == ["Table lost: the match that was played at it is lost."]
    store.commit(Batch(full=part_with("new", "m-new", 1, 2)))
    store.close()
    kept = opened(tmp_path)
    assert kept.logs[MatchKey("new", "m-new")] == [b"m-new row 1", b"m-new row 2"]
    store = SqliteStore(tmp_path)
    store.load()
    store.commit(Batch(full=Part(tables={"new": None, "old": None})))
    assert {m.table: (len(m.rows), m.damage) for m in history(tmp_path)} == {
        "old": (3, None),
        "new": (2, None),
    }
    store.close()


def test_sessions_that_are_not_whole_are_lost_and_told(played: Path) -> None:
    tamper(played, FULL, "UPDATE sessions SET value = x'80'")
    kept = opened(played)
    assert not kept.sessions
    assert kept.damage == ["1 sessions were not whole, so they are lost."]
    assert not opened(played).damage


@pytest.mark.parametrize(("name", "note"), [(FULL, "counters"), (FAST, "commits")])
def test_notes_that_are_not_whole_are_refused(played: Path, name: str, note: str) -> None:
    tamper(played, name, "UPDATE notes SET value = x'05' WHERE id =", repr(note))
    with pytest.raises(StoreFailed, match=f"note '{note}' is not whole"):
        opened(played)


def test_a_count_of_commits_that_is_missing_is_refused(played: Path) -> None:
    tamper(played, FAST, "DELETE FROM notes WHERE id = 'commits'")
    with pytest.raises(StoreFailed, match="count of its commits is lost"):
        opened(played)


def test_finished_matches_tell_what_is_missing(played: Path) -> None:
    tamper(played, FULL, "UPDATE events SET body = x'00' WHERE match = 1 AND seq = 4")
    store = SqliteStore(played)
    assert not store.load().damage
    first = history(played)[0]
    store.close()
    assert len(first.rows) == 3
    assert first.damage is not None
    assert "only its first 3 rows" in first.damage


def test_a_finished_match_without_its_last_row_is_told(played: Path) -> None:
    tamper(played, FULL, "DELETE FROM events WHERE match = 1 AND seq = 5")
    store = SqliteStore(played)
    store.load()
    (found,) = [match for match in history(played) if match.match == "m1"]
    store.close()
    assert len(found.rows) == 4
    assert found.damage is not None


def test_a_head_that_is_not_whole_is_told(played: Path) -> None:
    tamper(played, FULL, "UPDATE matches SET head = x'00' WHERE number = 1")
    store = SqliteStore(played)
    store.load()
    first = history(played)[0]
    store.close()
    assert first.head == b""
    assert first.damage == "Match m1 of table t1: its head is not whole."


# --- a batch for both files


class Torn:
    """A store whose process ends between the commits of its two files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        store = SqliteStore(folder)
        store.load()
        store.commit(Batch(fast=part_with("t2", "x", 1, 1)))
        self.before = (folder / FAST).read_bytes(), (folder / f"{FAST}-wal").read_bytes()
        store.commit(Batch(full=part_with("t1", "m", 1, 1), fast=part_with("t2", "x", 2, 2)))
        store.close()

    def go_back(self) -> None:
        (self.folder / FAST).write_bytes(self.before[0])
        (self.folder / f"{FAST}-wal").write_bytes(self.before[1])


def test_a_batch_that_reached_one_file_is_carried_out(tmp_path: Path) -> None:
    torn = Torn(tmp_path)
    whole = opened(tmp_path)
    torn.go_back()
    assert opened(tmp_path) == whole
    assert len(whole.logs[MatchKey("t2", "x")]) == 2
    assert opened(tmp_path) == whole


def test_a_fast_file_that_lost_more_is_told(tmp_path: Path) -> None:
    Torn(tmp_path)
    (tmp_path / FAST).unlink()
    kept = opened(tmp_path)
    assert list(kept.tables) == ["t1"]
    assert kept.damage == [f"{tmp_path / FAST}: the last 2 times that it was written are lost."]
    assert not opened(tmp_path).damage
