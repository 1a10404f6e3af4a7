"""A file of the store that was moved away: nothing that is left is taken for another thing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from passing_protocol.messages import Join, Start
from passing_protocol.views import GameOptions
from passing_server.commit_marks import NAME as COMMITS
from passing_server.sqlite_store import FAST, FULL, SqliteStore, finished_in
from passing_server.storing import Batch, Part
from tests.support.batches import part_with, quick_folder
from tests.support.stored_lan import StoredLan

GAME = GameOptions(seats=2, target=9_999)


class Moved:
    """A league's table in one file, with people's tables and all sessions in the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 1_000
        self.lost: list[str] = []
        self.lan = self._start()
        organiser = self.lan.client("org", "organiser")
        self.league = self.lan.table(organiser, GAME)
        other = self.lan.client("ann", "bot")
        other.send(Join(0, self.league))
        organiser.send(Start(0, self.league))
        self.lan.settle()

    def _start(self) -> StoredLan:
        lan = StoredLan(SqliteStore(self.folder), day=20_000)
        lan.now = self.now
        return lan

    def start_without(self, name: str) -> StoredLan:
        """End the server, move a file away with the count of its commits, and start it again."""
        self.lan.server.close(self.lan.now)
        self.lan.settle()
        self.lan.kept.close()
        (self.folder / name).unlink()
        (self.folder / COMMITS).unlink()
        self.lan = self._start()
        return self.lan


@pytest.fixture
def moved() -> Iterator[Moved]:
    with quick_folder() as folder:
        scene = Moved(Path(folder))
        yield scene
        scene.lan.kept.close()


def test_no_id_of_a_table_is_given_twice_though_the_counters_are_gone(moved: Moved) -> None:
    lan = moved.start_without(FULL)
    assert list(lan.server.lobby.rooms) == [moved.league]
    kitchen = lan.table(lan.client("bob"), GAME)
    assert kitchen != moved.league


def test_nor_after_the_last_table_that_had_one_is_gone(moved: Moved) -> None:
    lan = moved.start_without(FULL)
    lan.settle()
    assert not lan.server.lobby.rooms
    lan.start_anew()
    assert lan.table(lan.client("bob"), GAME) != moved.league


def test_a_table_whose_sessions_are_all_lost_goes_at_once(moved: Moved) -> None:
    lan = moved.start_without(FULL)
    lan.settle()
    assert not lan.server.lobby.rooms
    lan.start_anew()
    assert not lan.server.lobby.rooms
    (match,) = finished_in(moved.folder)
    assert match.table == moved.league


def test_days_of_running_go_on_though_the_counters_are_gone(moved: Moved) -> None:
    for day in range(20_001, 20_010):
        moved.lan.day = day
        moved.lan.settle()
    moved.lan.server.lobby.rooms[moved.league].table.leave(
        moved.lan.now, moved.lan.server.lobby.rooms[moved.league].table.maker
    )
    moved.lan.fall_silent(700_000, step=4_000)
    assert not moved.lan.server.lobby.rooms
    before = moved.lan.server.run_day
    lan = moved.start_without(FULL)
    lan.settle()
    assert lan.server.run_day == before + 1


def test_a_table_that_both_files_have_is_told_as_lost_in_one() -> None:
    with quick_folder() as name:
        folder = Path(name)
        for batch in (
            Batch(full=part_with("t1", "full", 1, 3)),
            Batch(fast=part_with("t1", "fast", 1, 3)),
        ):
            store = SqliteStore(folder)
            store.load()
            store.commit(batch)
            store.close()
        store = SqliteStore(folder)
        kept = store.load()
        assert kept.damage == [f"Table t1 was in {FULL} and in {FAST}: the one in {FAST} is lost."]
        assert kept.tables["t1"].value == b"t1 at row 3"
        assert [key.match for key in kept.logs] == ["full"]
        store.commit(Batch(full=Part(tables={"t1": None})))
        store.close()
        again = SqliteStore(folder)
        assert not again.load().damage
        again.close()
        assert [(m.match, len(m.rows), m.damage) for m in finished_in(folder)] == [
            ("full", 3, None),
            ("fast", 3, None),
        ]
