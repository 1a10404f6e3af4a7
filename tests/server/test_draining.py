"""A server that is to end takes nothing new, lets rounds end, and loses nothing."""

from typing import Any

import pytest

from passing_protocol.errors import ErrorCode
from passing_protocol.messages import (
    Act,
    Chat,
    Create,
    Drain,
    Error,
    Goodbye,
    Invite,
    Join,
    Lobby,
    Ok,
    Ping,
    Pong,
    Ready,
    Refused,
    Request,
    Role,
    Start,
    Tables,
    Update,
    Watch,
)
from passing_protocol.session import ClientSession
from passing_protocol.views import GameOptions, TableOptions, TableState
from passing_server.draining import Draining
from tests.support.duel import PASS, Duel
from tests.support.lan import AGENT, Lan, LanClient
from tests.support.memory_store import MemoryStore
from tests.support.stored_lan import StoredLan

LONG_MS = 3_600_000
BEGINS: dict[str, Request] = {
    "create": Create(0, "x", GameOptions(seats=2)),
    "join": Join(0, "t2"),
    "watch": Watch(0, "t2"),
    "ready": Ready(0, "t1"),
    "start": Start(0, "t1"),
    "invite": Invite(0, "t1", "greedy"),
}
GOES_ON: dict[str, tuple[Request, type[Any]]] = {
    "lobby": (Lobby(0), Tables),
    "chat": (Chat(0, "t1", "hi"), Ok),
    "ping": (Ping(0), Pong),
}


def drain(lan: Lan, grace_ms: int = LONG_MS) -> LanClient:
    admin = lan.client("root", "admin")
    assert isinstance(admin.ask(Drain(0, grace_ms)), Ok)
    return admin


def state(duel: Duel) -> TableState:
    return duel.room.table.state


def play_the_round(duel: Duel) -> None:
    """Pass until the round is over."""
    while any(duel.asks(client) is not None for client in (duel.anna, duel.bob)):
        duel.act(PASS)


# --- what is taken, and what is not


@pytest.mark.parametrize("name", list(BEGINS))
def test_what_begins_something_is_refused_and_may_be_tried_later(name: str) -> None:
    lan = Lan()
    duel = Duel(lan)
    lan.table(lan.client("zoe"), GameOptions(seats=3))
    drain(lan)
    refusal = duel.anna.refusal(BEGINS[name])
    assert refusal.code is ErrorCode.DRAINING
    assert refusal.retry


@pytest.mark.parametrize("name", list(GOES_ON))
def test_everything_else_goes_on(name: str) -> None:
    lan = Lan()
    duel = Duel(lan)
    drain(lan)
    request, kind = GOES_ON[name]
    assert isinstance(duel.anna.ask(request), kind)


def test_no_new_session_is_let_in_but_an_admins() -> None:
    lan = Lan()
    drain(lan)
    late = LanClient(lan, ClientSession("late", AGENT), b"")
    lan.connect(late)
    (refused,) = late.messages
    assert isinstance(refused, Refused)
    assert refused.code is ErrorCode.DRAINING
    assert lan.client("root 2", "admin").session.welcome is not None


def test_a_session_may_be_resumed() -> None:
    lan = Lan()
    duel = Duel(lan)
    drain(lan)
    lan.cut(duel.anna)
    lan.connect(duel.anna)
    assert duel.anna.session.welcome is not None
    assert duel.anna.session.welcome.resumed


def test_an_invited_engine_may_take_its_seat() -> None:
    lan = Lan()
    engine = lan.client("greedy", "bot")
    anna = lan.client("anna")
    table = lan.table(anna, GameOptions(seats=2))
    engine.accepts = False
    anna.send(Invite(0, table, "greedy"))
    drain(lan)
    assert isinstance(engine.ask(Join(0, table)), Update)


# --- rounds


def test_a_round_is_played_to_its_end_and_the_match_is_paused_then() -> None:
    lan = Lan()
    duel = Duel(lan)
    drain(lan)
    assert state(duel) is TableState.PLAYING
    assert not lan.server.draining.over
    play_the_round(duel)
    assert state(duel) is TableState.PAUSED
    lan.settle()
    assert lan.server.draining.over


def test_between_rounds_the_match_is_paused_at_once() -> None:
    lan = Lan()
    duel = Duel(lan)
    play_the_round(duel)
    assert state(duel) is TableState.BETWEEN
    drain(lan)
    assert state(duel) is TableState.PAUSED
    lan.settle()
    assert lan.server.draining.over


def test_engines_alone_do_not_begin_another_round() -> None:
    lan = Lan()
    organiser = lan.client("org", "organiser")
    engines = [lan.client(f"greedy {n}", "bot") for n in (1, 2)]
    table = lan.table(organiser, GameOptions(seats=2, target=9_999), sit=False)
    for engine in engines:
        organiser.send(Invite(0, table, f"greedy {engines.index(engine) + 1}"))
    room = lan.server.lobby.rooms[table]
    drain(lan)
    while room.table.state is TableState.PLAYING:
        next(e for e in engines if e.tables[table].ask is not None).act(table, PASS)
    assert room.table.state is TableState.PAUSED
    assert room.table.play is not None
    assert room.table.play.match.round_number == 1


def test_nobody_comes_back_to_a_match_that_is_paused_for_the_end() -> None:
    lan = Lan()
    duel = Duel(lan)
    play_the_round(duel)
    drain(lan)
    lan.cut(duel.anna)
    lan.connect(duel.anna)
    assert state(duel) is TableState.PAUSED


def test_no_rematch_begins() -> None:
    lan = Lan()
    duel = Duel(lan, game=GameOptions(seats=2, target=9_999, max_rounds=1))
    play_the_round(duel)
    assert state(duel) is TableState.OVER
    duel.bob.send(Ready(0, duel.table))
    drain(lan)
    lan.cut(duel.anna)
    lan.connect(duel.anna)
    assert state(duel) is TableState.OVER


def test_without_a_round_there_is_nothing_to_wait_for() -> None:
    lan = Lan()
    lan.table(lan.client("anna"), GameOptions(seats=2))
    drain(lan)
    lan.settle()
    assert lan.server.draining.over


def test_when_the_time_is_up_nothing_is_waited_for() -> None:
    lan = Lan()
    Duel(lan)
    drain(lan, 30_000)
    lan.pass_time(29_000, 1_000)
    assert not lan.server.draining.over
    lan.pass_time(2_000, 1_000)
    assert lan.server.draining.over


def test_a_second_request_may_only_shorten_the_time() -> None:
    draining = Draining()
    draining.begin(0, 100)
    draining.begin(10, 1_000)
    draining.look(99, lambda: 1)
    assert not draining.over
    draining.look(100, lambda: 1)
    assert draining.over
    draining = Draining()
    draining.begin(0, 1_000)
    draining.begin(10, 5)
    draining.look(15, lambda: 1)
    assert draining.over


def test_a_server_that_goes_on_is_never_over() -> None:
    draining = Draining()
    draining.look(10**9, lambda: 0)
    assert not draining.active
    assert not draining.over
    draining.verify_newcomer(Role.PLAYER)


# --- the end, and the next start


def test_everybody_is_told_at_the_end() -> None:
    lan = Lan()
    duel = Duel(lan)
    admin = drain(lan, 0)
    lan.server.close(lan.now)
    lan.settle()
    for client in (duel.anna, duel.bob, admin):
        goodbye = client.messages[-1]
        assert isinstance(goodbye, Goodbye)
        assert goodbye.code is ErrorCode.DRAINING


def test_a_paused_match_goes_on_with_its_next_round_at_the_next_start() -> None:
    lan = StoredLan(MemoryStore())
    duel = Duel(lan)
    drain(lan)
    play_the_round(duel)
    scores = list(duel.room.table.play.match.scores) if duel.room.table.play else []
    lan.start_anew()
    assert state(duel) is TableState.PAUSED
    lan.connect(duel.bob)
    lan.connect(duel.anna)
    assert state(duel) is TableState.PLAYING
    assert duel.room.table.play is not None
    assert duel.room.table.play.match.round_number == 2
    assert list(duel.room.table.play.match.scores) == scores
    duel.act(PASS)


def test_a_turn_goes_on_with_the_time_that_was_left_at_the_end() -> None:
    lan = StoredLan(MemoryStore())
    duel = Duel(lan, TableOptions(turn_ms=30_000, bank_ms=0))
    hands = {client.session: duel.hand(client) for client in (duel.anna, duel.bob)}
    turn = duel.ask.turn
    lan.pass_time(20_000)
    lan.start_anew()
    for client in (duel.anna, duel.bob):
        lan.connect(client)
    assert duel.ask.turn == turn
    assert {client.session: duel.hand(client) for client in (duel.anna, duel.bob)} == hands
    lan.pass_time(9_000)
    assert duel.ask.turn == turn
    lan.pass_time(1_100)
    assert duel.ask.turn == turn + 1


def test_the_store_gets_a_last_chance_at_the_end() -> None:
    store = MemoryStore()
    lan = StoredLan(store)
    duel = Duel(lan)
    turn = duel.ask.turn
    actor = duel.actor
    store.fail_next(1)
    lan.put(actor.peer, actor.session.request(_pass(duel))[1])
    lan.settle()
    assert lan.server.ailment is not None
    lan.server.close(lan.now)
    assert lan.server.ailment is None
    lan.start()
    play = duel.room.table.play
    assert play is not None
    assert play.turn == turn + 1


def _pass(duel: Duel) -> Request:
    return Act(0, duel.table, duel.ask.turn, PASS)


def test_an_error_is_no_ok() -> None:
    """What `drain` answers to a player ends nothing."""
    lan = Lan()
    answer = lan.client("anna").ask(Drain(0, 0))
    assert isinstance(answer, Error)
    lan.settle()
    assert not lan.server.draining.active
