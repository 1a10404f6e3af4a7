"""Silence, absence and coming back over the wire; and a server that was stopped for a while."""

import pytest

from passing_protocol.events import MatchEnded
from passing_protocol.messages import Invited, Join, Leave, Left, Ping, Ready, Resync, Update
from passing_protocol.views import (
    Acted,
    Clock,
    GameOptions,
    Gone,
    SeatInfo,
    SeatState,
    TableOptions,
    TableState,
)
from passing_server.limits import GAP_MS, HEARTBEAT
from tests.support.duel import DRAW, PASS, Duel, updates
from tests.support.lan import Lan, LanClient

GAME = GameOptions(seats=2, target=9_999)


def seats(client: LanClient, table: str) -> list[SeatInfo]:
    view = client.tables[table].public
    assert view is not None
    return list(view.seats)


def state(client: LanClient, table: str) -> TableState:
    view = client.tables[table].public
    assert view is not None
    return view.state


def acted(client: LanClient) -> list[Acted]:
    return [e for u in updates(client) for e in u.events if isinstance(e, Acted)]


def gone(duel: Duel, client: LanClient, milliseconds: int) -> None:
    """Cut one client's connection and let time pass for the others."""
    duel.lan.cut(client)
    duel.lan.pass_time(milliseconds, step=100)


def test_a_client_that_is_not_heard_for_10_s_is_away() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=0))
    gone(duel, duel.bob, HEARTBEAT.timeout_ms - 200)
    assert seats(duel.anna, duel.table)[1].state is SeatState.TAKEN
    duel.lan.pass_time(1_500)
    assert seats(duel.anna, duel.table)[1].state is SeatState.AWAY


def test_any_message_keeps_a_client_there() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=0))
    for _ in range(8):
        duel.lan.fall_silent(HEARTBEAT.interval_ms)
        duel.anna.send(Ping(0))
        duel.bob.send(Ping(0))
    assert [seat.state for seat in seats(duel.anna, duel.table)] == [SeatState.TAKEN] * 2


def test_a_lost_connection_and_the_clock_of_a_turn_are_two_things() -> None:
    """Who is away is passed for when the time is up and no earlier, once for each turn."""
    duel = Duel(Lan(), TableOptions(turn_ms=50_000, bank_ms=10_000))
    actor, other = duel.actor, duel.other
    gone(duel, actor, 59_000)
    assert seats(other, duel.table)[actor is duel.bob].state is SeatState.AWAY
    assert acted(other) == []
    duel.lan.pass_time(1_200)
    assert [event.timed_out for event in acted(other)] == [True]
    assert duel.asks(other) is not None


def test_only_the_seat_on_turn_loses_time() -> None:
    duel = Duel(Lan())
    duel.lan.pass_time(40_000)
    duel.act(DRAW)
    assert duel.ask.clock == Clock(30_000, 120_000)
    duel.act(DRAW)
    assert duel.ask.clock == Clock(30_000, 110_000)


@pytest.mark.parametrize("stopped", [30_000, 3_600_000])
def test_a_server_that_was_stopped_costs_nobody_a_turn_or_a_connection(stopped: int) -> None:
    duel = Duel(Lan())
    watcher = duel.lan.watcher("cyd", duel.table)
    duel.lan.pass_time(5_000)
    duel.lan.now += stopped
    duel.lan.settle()
    assert acted(watcher) == []
    assert [seat.state for seat in seats(watcher, duel.table)] == [SeatState.TAKEN] * 2
    duel.actor.ask(Resync(0, 0))
    assert duel.ask.clock == Clock(25_000, 120_000)
    assert isinstance(duel.act(PASS), Update)


def test_after_a_stop_clocks_and_silences_go_on_where_they_were() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=20_000, bank_ms=0))
    duel.lan.pass_time(15_000)
    duel.lan.now += 60_000
    duel.lan.settle()
    duel.lan.pass_time(4_000)
    assert duel.room.table.play is not None
    assert duel.room.table.play.turn == 1
    duel.lan.pass_time(1_500)
    assert duel.room.table.play.turn == 2


def test_what_was_sent_while_the_server_stood_still_is_in_time() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=1_000, bank_ms=0))
    actor = duel.actor
    duel.lan.pass_time(500)
    duel.lan.now += 30_000
    assert isinstance(actor.act(duel.table, DRAW), Update)


def test_a_short_pause_is_time_like_any_other() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=1_000, bank_ms=0))
    duel.lan.now += GAP_MS
    duel.lan.settle()
    assert [event.timed_out for event in acted(duel.anna)] == [True]


def test_a_clock_that_steps_back_stands_still() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=1_000, bank_ms=0))
    duel.lan.now -= 500
    duel.lan.settle()
    duel.lan.pass_time(900)
    assert acted(duel.anna) == []
    duel.lan.pass_time(200)
    assert [event.timed_out for event in acted(duel.anna)] == [True]


def test_the_next_look_is_told_in_the_time_outside() -> None:
    duel = Duel(Lan())
    duel.lan.now += 1_000_000
    duel.lan.settle()
    assert duel.lan.now < duel.lan.server.next_tick <= duel.lan.now + 1_000


def with_engine(lan: Lan, wishes: TableOptions | None = None) -> tuple[Duel, LanClient]:
    """A duel and an engine that waits in the lobby."""
    duel = Duel(lan, wishes)
    return duel, lan.client("greedy", "bot")


def test_an_engine_that_waits_stands_in_for_a_person_who_stays_away() -> None:
    duel, engine = with_engine(Lan(), TableOptions(turn_ms=0))
    actor, other = duel.actor, duel.other
    seat = 0 if actor is duel.anna else 1
    gone(duel, actor, 104_000)
    assert [m.seat for m in engine.messages if isinstance(m, Invited)] == [seat]
    info = seats(other, duel.table)[seat]
    assert (info.state, info.name) == (SeatState.SUBSTITUTE, "greedy")
    assert engine.tables[duel.table].mine is not None


def test_the_seat_goes_back_at_the_next_turn_and_the_substitute_is_dismissed() -> None:
    duel, engine = with_engine(Lan(), TableOptions(turn_ms=0))
    actor, other = duel.actor, duel.other
    seat = 0 if actor is duel.anna else 1
    gone(duel, actor, 104_000)
    duel.lan.connect(actor)
    assert seats(actor, duel.table)[seat].state is SeatState.SUBSTITUTE
    while seats(other, duel.table)[seat].state is SeatState.SUBSTITUTE:
        if duel.asks(other) is not None:
            other.act(duel.table, DRAW)
        else:
            engine.act(duel.table, DRAW)
            duel.lan.pass_time(800)
    assert [m.reason for m in engine.messages if isinstance(m, Left)] == ["replaced"]
    assert duel.hand(actor)
    if duel.asks(other) is not None:
        other.act(duel.table, DRAW)
    assert duel.asks(actor) is not None
    assert isinstance(actor.act(duel.table, DRAW), Update)


@pytest.mark.parametrize("on_turn", [True, False])
def test_an_engine_takes_the_seat_of_who_leaves_before_a_turn_is_passed(on_turn: bool) -> None:
    duel, engine = with_engine(Lan(), TableOptions(turn_ms=0))
    quitter, other = (duel.actor, duel.other) if on_turn else (duel.other, duel.actor)
    seat = 0 if quitter is duel.anna else 1
    quitter.send(Leave(0, duel.table))
    if not on_turn:
        other.act(duel.table, DRAW)
    duel.lan.pass_time(1_100)
    assert [m.seat for m in engine.messages if isinstance(m, Invited)] == [seat]
    info = seats(other, duel.table)[seat]
    assert (info.state, info.name, info.gone) == (SeatState.SUBSTITUTE, "greedy", Gone.LEFT)
    engine.act(duel.table, DRAW)
    duel.lan.pass_time(800)
    assert not [event for event in acted(other) if event.timed_out]


def test_engines_are_sought_for_all_who_leave_at_once() -> None:
    lan = Lan()
    people = [lan.client(name) for name in ("anna", "bob", "cyd")]
    engines = [lan.client(name, "bot") for name in ("greedy", "calm")]
    table = lan.table(people[0], GameOptions(seats=3, target=9_999), TableOptions(turn_ms=0))
    for person in people[1:]:
        person.send(Join(0, table))
    for person in people:
        person.send(Ready(0, table))
    for person in people[1:]:
        person.send(Leave(0, table))
    lan.pass_time(1_100)
    assert [len([m for m in e.messages if isinstance(m, Invited)]) for e in engines] == [1, 1]


def test_two_engines_alone_the_one_that_is_lost_forfeits() -> None:
    lan = Lan()
    engines = [lan.client(f"e{number}", "bot") for number in range(2)]
    table = lan.table(lan.client("anna"), GAME, TableOptions(turn_ms=0), sit=False)
    for engine in engines:
        engine.send(Join(0, table))
    watcher = lan.watcher("cyd", table)
    lan.cut(engines[0])
    lan.pass_time(HEARTBEAT.timeout_ms + 7_000)
    ended = [e for u in updates(watcher) for e in u.events if isinstance(e, MatchEnded)]
    assert [(end.reason, end.winner) for end in ended] == [("forfeit", 1)]


def test_both_partners_gone_end_the_match_for_the_others() -> None:
    lan = Lan()
    people = [lan.client(name) for name in ("anna", "bob", "cyd", "dan")]
    game = GameOptions(seats=4, partners=True, target=9_999)
    table = lan.table(people[0], game, TableOptions(absent="pass"))
    for person in people[1:]:
        person.send(Join(0, table))
    for person in people:
        person.send(Ready(0, table))
    lan.cut(people[1])
    lan.cut(people[3])
    lan.pass_time(105_000)
    ended = [e for u in updates(people[0]) for e in u.events if isinstance(e, MatchEnded)]
    assert [(end.reason, end.winner) for end in ended] == [("forfeit", 0)]


def test_when_all_are_gone_the_table_pauses_and_goes_on_with_the_first_back() -> None:
    duel = Duel(Lan())
    hand = duel.hand(duel.anna)
    for client in (duel.anna, duel.bob):
        duel.lan.cut(client)
    duel.lan.pass_time(110_000)
    assert duel.room.table.state is TableState.PAUSED
    duel.lan.pass_time(3_600_000, step=4_000)
    duel.lan.connect(duel.anna)
    assert state(duel.anna, duel.table) is TableState.PLAYING
    assert duel.hand(duel.anna) == hand


def test_a_table_that_nobody_comes_back_to_is_closed_after_a_day() -> None:
    duel = Duel(Lan())
    for client in (duel.anna, duel.bob):
        duel.lan.cut(client)
    duel.lan.pass_time(110_000)
    duel.lan.pass_time(86_400_000, step=5_000)
    assert not duel.lan.server.lobby.rooms


def test_a_person_who_vanished_before_the_match_frees_the_seat() -> None:
    lan = Lan()
    anna, bob = lan.client("anna"), lan.client("bob")
    table = lan.table(anna, GAME)
    bob.send(Join(0, table))
    lan.cut(anna)
    lan.pass_time(105_000)
    assert [seat.state for seat in seats(bob, table)] == [SeatState.EMPTY, SeatState.TAKEN]
    lan.connect(anna)
    assert [m.reason for m in anna.messages if isinstance(m, Left)] == ["removed"]
    assert isinstance(anna.ask(Join(0, table)), Update)
