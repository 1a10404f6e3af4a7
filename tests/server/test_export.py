"""`passing serve export`: matches that are over, as records that anybody can check."""

import errno
import os
import random
import sqlite3
import stat
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from passing_protocol.messages import Join, Leave, Ready
from passing_protocol.records import FULL, EndReason, Outcome, parse, verify_records, write
from passing_protocol.views import DealKind, GameOptions, TableOptions, TableState
from passing_rules import ALL_TILES, Match
from passing_server.exporting import Exported, exported, write_record
from passing_server.sqlite_store import FAST, SqliteStore
from passing_server.sqlite_store import FULL as FULL_FILE
from passing_server.storing import Durability, StoreFailed
from tests.server.test_matches import some_game
from tests.support.batches import quick_folder
from tests.support.duel import PASS, Duel
from tests.support.stored_lan import StoredLan

DAY = 20_787
DATE = "2026.11.30"


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as name:
        yield Path(name)


def play(lan: StoredLan, game: GameOptions, chance: random.Random, *, engines: bool) -> Match:
    """Play a match to its end at a table that is gone then, and return the rules' own."""
    owner = lan.client("org" if engines else "Åsa \u201c山\u201d", "organiser" if engines else None)
    table = lan.table(owner, game, TableOptions(pace_ms=0), sit=not engines)
    players = [owner][: not engines]
    while len(players) < game.seats:
        player = lan.client(f"p{len(players)}", "bot" if engines or chance.random() < 0.5 else None)
        player.send(Join(0, table))
        players.append(player)
    room = lan.server.lobby.rooms[table]
    while room.table.state not in (TableState.OVER, TableState.CLOSED):
        asked = [p for p in players if (f := p.tables.get(table)) is not None and f.ask is not None]
        if not asked:
            for player in players:
                player.send(Ready(0, table))
            continue
        ask = asked[0].tables[table].ask
        assert ask is not None
        plays = [action for action in ask.legal if action.play]
        asked[0].act(table, chance.choice(plays if plays and chance.random() < 0.8 else ask.legal))
    if not engines:
        for player in players:
            player.send(Leave(0, table))
        lan.settle()
        lan.fall_silent(900_000, step=4_000)
    assert table not in lan.server.lobby.rooms
    assert room.table.play is not None
    return room.table.play.match


@pytest.mark.parametrize("number", range(6))
def test_a_record_tells_the_match_that_was_played(number: int, folder: Path) -> None:
    chance = random.Random(number)
    store = SqliteStore(folder)
    lan = StoredLan(store, day=DAY)
    game = some_game(chance)
    match = play(lan, game, chance, engines=number % 2 == 0)
    (one,) = exported(folder)  # while the server runs
    assert one.trouble is None
    assert one.record is not None
    record = one.record
    kind = DealKind.FAIR if number % 2 else DealKind.SERVER
    assert (record.view, record.date, record.deal_kind) == (FULL, DATE, kind)
    assert record.options == match.options
    assert [played.result for played in record.rounds] == list(match.results)
    assert record.outcome is not None
    assert record.outcome.winner == match.winner
    if number % 2:
        assert record.seats[0].name == "Åsa \u201c山\u201d"
        assert record.seats[0].engine is None
    else:
        assert [seat.engine for seat in record.seats] == ["test 1"] * game.seats
    assert verify_records(write([record])) == (record,)
    store.close()
    assert list(exported(folder)) == [one]


def test_matches_of_both_durabilities_are_there(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        lan = StoredLan(store, Durability.FULL)
        chance = random.Random(1)
        play(lan, GameOptions(seats=2, max_rounds=1), chance, engines=False)
        fast = lan.play_a_match()
        lan.settle()
        ids = [one.match.match for one in exported(folder)]
    assert len(ids) == 2
    assert ids[1] == fast


def test_a_match_that_is_played_is_not_there(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        lan = StoredLan(store)
        duel = Duel(lan)
        (one,) = exported(folder)
        duel.act(PASS)
    assert (one.record, one.trouble, one.going_on) == (None, None, True)


def test_a_match_is_there_once_it_is_over_whatever_becomes_of_its_table(folder: Path) -> None:
    """Nobody has left the table; then they play on there, and at last the table is gone."""
    known: list[Exported] = []
    with closing(SqliteStore(folder)) as store:
        lan = StoredLan(store, day=DAY)
        duel = Duel(lan, game=GameOptions(seats=2, max_rounds=1))
        while duel.room.table.state is not TableState.OVER:
            duel.act(PASS)
        known += exported(folder)
        assert known[0].file_name.startswith("2026-11-30-t1-")
        lan.day += 1
        lan.settle()
        for client in (duel.anna, duel.bob):
            client.send(Ready(0, duel.table))
        first, second = sorted(exported(folder), key=lambda one: one.going_on)
        assert (first, second.going_on) == (known[0], True)
        for client in (duel.anna, duel.bob):
            client.send(Leave(0, duel.table))
        lan.settle()
        first, second = exported(folder)
    assert first == known[0]
    assert second.record is not None
    assert second.record.date == "2026.12.01"


def test_a_match_that_was_given_up_is_told_as_that(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        lan = StoredLan(store)
        duel = Duel(lan)
        duel.act(PASS)
        for client in (duel.anna, duel.bob):
            client.send(Leave(0, duel.table))
        lan.settle()
        (one,) = exported(folder)
    assert one.record is not None
    assert one.record.outcome == Outcome(EndReason.ABANDONED)
    assert verify_records(write([one.record])) == (one.record,)


# --- files


@pytest.mark.parametrize("mask", [0o000, 0o077])
def test_a_file_is_for_its_owner_alone(mask: int, folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        StoredLan(store, day=DAY).play_a_match("hall")
    out = folder / "new" / "out"
    before = os.umask(mask)
    try:
        for _ in range(2):
            for one in exported(folder):
                write_record(out, one)
    finally:
        os.umask(before)
    (path,) = out.iterdir()
    assert path.name.startswith("2026-11-30-t1-")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    (record,) = parse(path.read_text(encoding="utf-8"))
    assert record.event == "hall"


def test_an_old_file_that_others_may_read_is_closed_to_them(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        StoredLan(store).play_a_match()
    (one,) = exported(folder)
    (folder / one.file_name).touch(0o644)
    write_record(folder, one)
    assert stat.S_IMODE((folder / one.file_name).stat().st_mode) == 0o600


def test_a_place_that_cannot_be_written_is_said_in_words(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        StoredLan(store).play_a_match()
    (folder / "file").touch()
    (one,) = exported(folder)
    for place, words in (("file", "it is not a folder"), ("file/in", "Not a directory")):
        with pytest.raises(StoreFailed) as refused:
            write_record(folder / place, one)
        expected = f"{folder / place}: no folder can be made there: {words}."
        assert str(refused.value) == expected


def test_a_record_that_cannot_be_written_whole_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_new: Path, _path: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    with closing(SqliteStore(folder)) as store:
        StoredLan(store).play_a_match()
    (one,) = exported(folder)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(StoreFailed, match=r"\.pass cannot be written: No space left on device"):
        write_record(folder / "out", one)
    assert not list((folder / "out").iterdir())


def test_a_folder_of_a_disk_that_is_only_read_is_exported(folder: Path, tmp_path: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        StoredLan(store).play_a_match()
    for command in (["mount", "--bind"], ["mount", "-o", "remount,ro,bind"]):
        places = [str(folder), str(tmp_path)] if "--bind" in command else [str(tmp_path)]
        if os.geteuid() != 0 or subprocess.run([*command, *places], check=False).returncode:
            pytest.skip("mounting takes root, and a system that does")
    try:
        (one,) = exported(tmp_path)
        assert one.record is not None
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


# --- what cannot be read


def test_where_nothing_is_stored_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="no server has stored anything there"):
        list(exported(tmp_path))


def run(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement, values)


@pytest.mark.parametrize(
    ("pragma", "words"),
    [
        ("user_version = 99", "a newer version of the game wrote this file"),
        ("user_version = 0", "not of this game"),
        ("application_id = 5", "not of this game"),
    ],
)
def test_a_store_of_another_form_is_refused_in_words(pragma: str, words: str, folder: Path) -> None:
    SqliteStore(folder).close()
    run(folder / FULL_FILE, f"PRAGMA {pragma}")
    with pytest.raises(StoreFailed, match=words):
        list(exported(folder))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = x'00' WHERE seq = 3",
        "UPDATE matches SET head = x'00'",
        "UPDATE matches SET head = x'', seal = x''",
        "DELETE FROM events WHERE seq = 4",
    ],
)
def test_a_damaged_match_is_told_and_harms_no_other(statement: str, folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        lan = StoredLan(store)
        lan.play_a_match("one")
        lan.settle()
    first, _, rest = statement.partition(" WHERE ")
    only = "match = 1" if "events" in statement else "number = 1"
    run(folder / FAST, f"{first} WHERE {only}{' AND ' if rest else ''}{rest}")
    with closing(SqliteStore(folder)) as store:
        StoredLan(store).play_a_match("two")
    damaged, whole = exported(folder)
    assert damaged.trouble is not None
    assert whole.trouble is None
    assert whole.record is not None
    assert whole.record.event == "two"
    words = damaged.trouble.replace(damaged.match.match, "").split()
    assert not set(map(str, ALL_TILES)) & set(words)


def test_export_changes_nothing_in_the_folder(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        StoredLan(store).play_a_match()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert len(list(exported(folder))) == 1
    after = {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.endswith("-shm")}
    assert {name: data for name, data in after.items() if data} == {
        name: data for name, data in before.items() if not name.endswith("-shm")
    }
