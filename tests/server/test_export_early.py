"""A match that people leave, come back to, or end early: its record tells all of that."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest

from passing_protocol.messages import Join, Leave, Ready, Remove, Start
from passing_protocol.records import (
    ChangeKind,
    EndReason,
    Outcome,
    Record,
    SeatChange,
    verify_records,
    write,
)
from passing_protocol.views import GameOptions, TableOptions, TableState
from passing_server.exporting import exported
from passing_server.sqlite_store import SqliteStore
from tests.support.batches import quick_folder
from tests.support.duel import DRAW, PASS, Duel
from tests.support.lan import LanClient
from tests.support.stored_lan import StoredLan

GAME = GameOptions(seats=2, target=9_999)


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as name:
        yield Path(name)


def records(folder: Path) -> list[Record]:
    """The records of a folder, each judged by the rules."""
    found: list[Record] = []
    for one in exported(folder):
        assert one.trouble is None
        assert one.record is not None
        assert verify_records(write([one.record])) == (one.record,)
        found.append(one.record)
    return found


def changes(record: Record) -> list[SeatChange]:
    return [change for played in record.rounds for change in played.changes]


def seat_of(client: LanClient, table: str) -> int:
    mine = client.tables[table].mine
    assert mine is not None
    return mine.seat


def leave(lan: StoredLan, *clients: LanClient) -> None:
    """Let everybody leave, and the table go."""
    for client in clients:
        for table in list(client.tables):
            client.send(Leave(0, table))
    lan.fall_silent(900_000, step=4_000)
    assert not lan.server.lobby.rooms


def test_a_forfeit_is_told_with_its_reason_and_the_side_that_has_won(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        lan = StoredLan(store)
        duel = Duel(lan, TableOptions(absent="forfeit"), GAME)
        duel.act(PASS)
        quitter, winner = duel.actor, duel.other
        seat = seat_of(quitter, duel.table)
        quitter.send(Leave(0, duel.table))
        leave(lan, winner)
        (record,) = records(folder)
    assert record.outcome == Outcome(EndReason.FORFEIT, 1 - seat, (seat,))
    assert changes(record) == [SeatChange(seat, 1, ChangeKind.FORFEIT, "left")]


def test_who_plays_on_for_whom_is_told(folder: Path) -> None:
    """A player is cut off, an engine stands in, and the player has the seat back."""
    with closing(SqliteStore(folder)) as store:
        lan = StoredLan(store)
        duel = Duel(lan, TableOptions(turn_ms=0, absent="engine", pace_ms=0), GAME)
        engine = lan.client("waits", "bot")
        away, there = duel.actor, duel.other
        seat = seat_of(away, duel.table)
        lan.cut(away)
        lan.pass_time(200_000, step=1_000)
        engine = next(
            c
            for c in lan.connected()
            if c.session.welcome is not None and c.session.welcome.name == "waits"
        )
        engine.act(duel.table, DRAW)
        there.act(duel.table, DRAW)
        engine.act(duel.table, DRAW)
        lan.start_anew()
        lan.come_back(away, there, engine)
        there.act(duel.table, DRAW)
        leave(lan, away, there)
        (record,) = records(folder)
    told = changes(record)
    assert told[:2] == [
        SeatChange(seat, 0, ChangeKind.ENGINE, "test 1"),
        SeatChange(seat, 3, ChangeKind.PLAYER, record.seats[seat].name),
    ]
    assert record.outcome == Outcome(EndReason.ABANDONED)
    assert record.seats[seat].engine is None


ABSENT: tuple[Literal["engine", "pass", "forfeit"], ...] = ("engine", "pass", "forfeit")


class Rough:
    """A table of three or four where people leave, are cut off, come back, and are removed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lan = StoredLan(SqliteStore(folder))
        seats = self.chance.choice((2, 3, 4))
        game = GameOptions(seats=seats, target=9_999, partners=seats == 4 and seed % 2 == 1)
        absent = self.chance.choice(ABSENT)
        wishes = TableOptions(turn_ms=2_000, bank_ms=0, pace_ms=0, absent=absent)
        self.people = [self.lan.client(f"p{n}") for n in range(seats)]
        self.table = self.lan.table(self.people[0], game, wishes)
        self.engines = [self.lan.client(f"e{n}", "bot") for n in range(2)]
        for person in self.people[1:]:
            person.send(Join(0, self.table))
        self.people[0].send(Start(0, self.table))

    def step(self) -> None:
        """Let something happen, more often an action than not."""
        what = self.chance.random()
        somebody = self.chance.choice(self.people)
        connected = somebody in self.lan.clients.values()
        if what < 0.8:
            self._act()
        elif what < 0.83 and connected:
            somebody.send(Leave(0, self.table))
        elif what < 0.86 and connected:
            somebody.send(Remove(0, self.table, seat=self.chance.randrange(4)))
        elif what < 0.9 and connected:
            self.lan.cut(somebody)
        elif what < 0.96:
            self.lan.come_back(somebody)
        else:
            self.lan.pass_time(self.chance.choice((3_000, 70_000)), step=1_000)

    def _act(self) -> None:
        for client in [*self.people, *self.engines]:
            known = client.tables.get(self.table)
            if client in self.lan.clients.values() and known is not None:
                if known.ask is not None:
                    client.act(self.table, self.chance.choice(known.ask.legal))
                    return
                client.send(Ready(0, self.table))

    def end(self) -> None:
        """Let everybody go, until the table is gone."""
        everybody = [*self.people, *self.engines]
        self.lan.come_back(*everybody)
        for client in everybody:
            client.send(Leave(0, self.table))
        for client in list(self.lan.connected()):
            self.lan.cut(client)
        self.lan.fall_silent(2_000_000, step=4_000)
        assert not self.lan.server.lobby.rooms
        self.lan.kept.close()


@pytest.mark.parametrize("seed", range(16))
def test_whatever_happens_at_a_table_its_record_is_right(seed: int, folder: Path) -> None:
    rough = Rough(folder, seed)
    for number in range(60):
        if is_gone(rough):
            break
        rough.step()
        if number % 20 == 10:
            rough.lan.start_anew()
            rough.lan.come_back(*rough.people, *rough.engines)
    rough.end()
    found = records(folder)
    assert found
    assert all(record.outcome is not None for record in found)


def is_gone(rough: Rough) -> bool:
    room = rough.lan.server.lobby.rooms.get(rough.table)
    return room is None or room.table.state is TableState.CLOSED
