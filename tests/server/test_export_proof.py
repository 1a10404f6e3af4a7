"""The export of matches with fair deals proves each deal, with what came to nothing as well."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from passing_protocol.messages import Join, Leave, Ready
from passing_protocol.records import ProvenDeal, ProvenList, Record, verify_records, write
from passing_protocol.views import GameOptions, TableOptions, TableState
from passing_server.exporting import exported
from passing_server.sqlite_store import SqliteStore
from tests.support.batches import quick_folder
from tests.support.lan import LanClient
from tests.support.stored_lan import StoredLan

ROUNDS = 3
GAME = GameOptions(seats=2, target=9_999, max_rounds=ROUNDS)


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as name:
        yield Path(name)


def table_of(lan: StoredLan, *players: LanClient) -> str:
    table = lan.table(players[0], GAME, TableOptions(pace_ms=0))
    for player in players[1:]:
        player.send(Join(0, table))
    return table


def play(lan: StoredLan, table: str, *players: LanClient) -> None:
    """Play to the end of the match, and leave."""
    chance = random.Random(1)
    room = lan.server.lobby.rooms[table]
    while room.table.state is not TableState.OVER:
        asked = [player for player in players if player.tables[table].ask is not None]
        for player in asked[:1]:
            ask = player.tables[table].ask
            assert ask is not None
            player.act(table, chance.choice(ask.legal))
        if not asked:
            for player in players:
                player.send(Ready(0, table))
            lan.pass_time(100)
    for player in players:
        player.send(Leave(0, table))


def record_in(folder: Path) -> Record:
    (one,) = exported(folder)
    assert one.trouble is None
    assert one.record is not None
    return one.record


def test_every_round_has_its_proof(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        lan = StoredLan(store)
        players = [lan.fair_client("anna"), lan.fair_client("bob")]
        play(lan, table_of(lan, *players), *players)
        record = record_in(folder)
    first, *deals = record.proof
    assert isinstance(first, ProvenList)
    assert [entry.seat for entry in first.tips.seats] == [0, 1]
    assert all(isinstance(deal, ProvenDeal) for deal in deals)
    assert [deal.round for deal in deals if isinstance(deal, ProvenDeal)] == [1, 2, 3]
    assert verify_records(write([record])) == (record,)


def test_an_attempt_that_came_to_nothing_is_there_too(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        lan = StoredLan(store)
        anna, bob = lan.fair_client("anna"), lan.fair_client("bob")
        table = table_of(lan, anna, bob)
        anna.send(Ready(0, table))
        lan.put(bob.peer, bob.session.request(Ready(0, table))[1])
        lan.settle_some(4)
        bob.contributor = None
        lan.settle()
        lan.pass_time(6_000)
        play(lan, table, anna, bob)
        record = record_in(folder)
    void = next(entry for entry in record.proof if isinstance(entry, ProvenDeal))
    assert (void.deal, void.round, void.missing) == (1, None, (1,))
    assert verify_records(write([record])) == (record,)


def test_other_matches_have_none(folder: Path) -> None:
    with closing(SqliteStore(folder)) as store:
        lan = StoredLan(store)
        lan.play_a_match()
        assert record_in(folder).proof == ()
