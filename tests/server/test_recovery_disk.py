"""A disk that fails: nothing is told that is not stored, everybody hears why, and all goes on."""

import pytest

from passing_protocol.codec import decode_server
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import (
    Act,
    Chat,
    Error,
    Goodbye,
    Join,
    Ready,
    Refused,
    Request,
    Update,
)
from passing_protocol.session_states import (
    ClientState,
)
from passing_protocol.views import Acted, GameOptions, SeatState, TableOptions, TableState
from passing_protocol.wire import ActionMessage
from passing_server.limits import RETRY_MS
from tests.support.duel import DRAW, PASS, Duel, updates
from tests.support.lan import Lan, LanClient

FULL = "memory: the disk is full."
GAME = GameOptions(seats=2, target=9_999)


def acted(client: LanClient) -> list[Acted]:
    return [event for u in updates(client) for event in u.events if isinstance(event, Acted)]


def fail_over(client: LanClient, request: Request, times: int = 1) -> int:
    """Send a request whose effects cannot be stored; returns its id."""
    client.lan.store.fail_next(times)
    return client.send(request)


def come_back(duel: Duel) -> None:
    """Let time pass until the store is tried again, and everybody come back."""
    clients = list(duel.lan.connected())
    duel.lan.clients = {}
    duel.lan.fall_silent(RETRY_MS + 100)
    duel.lan.come_back(*clients)


@pytest.mark.parametrize("times", [1, 2, 5])
def test_everybody_is_sent_away_with_the_reason_and_nothing_is_told(times: int) -> None:
    duel = Duel(Lan())
    actor, turn = duel.actor, duel.ask.turn
    watcher = duel.lan.watcher("cyd", duel.table)
    number = fail_over(actor, Act(0, duel.table, turn, DRAW), times)
    for client in (duel.anna, duel.bob, watcher):
        goodbye = client.messages[-1]
        assert isinstance(goodbye, Goodbye)
        assert (goodbye.code, goodbye.detail) == (ErrorCode.DISK, FULL)
        assert client.session.state is ClientState.CLOSED
        assert not acted(client)
    assert not [m for m in actor.messages if getattr(m, "re", None) == number]
    assert duel.lan.server.ailment == FULL


@pytest.mark.parametrize("action", [DRAW, PASS])
def test_what_could_not_be_stored_is_stored_later_and_counts_once(action: ActionMessage) -> None:
    duel = Duel(Lan())
    actor, other, turn = duel.actor, duel.other, duel.ask.turn
    number = fail_over(actor, Act(0, duel.table, turn, action))
    come_back(duel)
    assert duel.lan.server.ailment is None
    assert isinstance(actor.answer(number), Update)
    public = other.tables[duel.table].public
    assert public is not None
    assert [each.action for each in public.actions] == [action]
    assert duel.asks(other) is not None
    duel.lan.restart()
    public = other.tables[duel.table].public
    assert public is not None
    assert [each.action for each in public.actions] == [action]


def test_what_was_not_stored_is_gone_if_the_server_dies_and_was_never_told() -> None:
    duel = Duel(Lan())
    actor, other, turn = duel.actor, duel.other, duel.ask.turn
    number = fail_over(actor, Act(0, duel.table, turn, DRAW), 100)
    duel.lan.store.fail_next(0)
    duel.lan.restart()
    assert isinstance(actor.answer(number), Update)  # it was sent again, and done now
    assert len(acted(other)) == 1
    assert len(duel.hand(actor)) == 8


def test_nobody_comes_in_until_the_disk_works_again() -> None:
    duel = Duel(Lan())
    fail_over(duel.actor, Act(0, duel.table, duel.ask.turn, DRAW), 3)
    for client in (duel.anna, duel.bob):
        duel.lan.connect(client)
        refused = client.messages[-1]
        assert isinstance(refused, Refused)
        assert (refused.code, refused.detail) == (ErrorCode.DISK, FULL)
    stranger = duel.lan.client("dan")
    assert isinstance(stranger.messages[-1], Refused)
    duel.lan.fall_silent(4 * RETRY_MS)
    assert duel.lan.server.ailment is None
    duel.lan.connect(duel.anna)
    assert duel.anna.session.state is ClientState.OPEN


@pytest.mark.parametrize("request_", [Ready(0, "t1"), Chat(0, "t1", "hi"), Join(0, "t1")], ids=str)
def test_what_a_person_asks_is_answered_once_the_disk_works(request_: Request) -> None:
    lan = Lan()
    anna, bob = lan.client("anna"), lan.client("bob")
    assert lan.table(anna, GAME) == "t1"
    if not isinstance(request_, Join):
        bob.send(Join(0, "t1"))
    number = fail_over(bob, request_)
    assert not [m for m in bob.messages if getattr(m, "re", None) == number]
    clients = list(lan.connected())
    lan.clients = {}
    lan.fall_silent(RETRY_MS + 100)
    lan.come_back(*clients)
    assert not isinstance(bob.answer(number), Error)


@pytest.mark.parametrize("failing_s", [2, 30, 600])
def test_clocks_stand_and_nobody_is_away_while_nothing_can_be_stored(failing_s: int) -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=20_000, bank_ms=0), GAME)
    duel.lan.pass_time(5_000)
    duel.lan.store.fail_next(failing_s)
    duel.anna.send(Chat(0, duel.table, "hello"))
    clients = list(duel.lan.connected())
    duel.lan.clients = {}
    duel.lan.fall_silent(failing_s * 1_000 - 500, step=500)
    assert duel.lan.server.ailment is not None
    duel.lan.fall_silent(1_000)
    duel.lan.come_back(*clients)
    assert not acted(duel.anna)
    clock = duel.ask.clock
    assert clock is not None
    assert 13_900 <= clock.turn_ms <= 15_000
    public = duel.anna.tables[duel.table].public
    assert public is not None
    assert [seat.state for seat in public.seats] == [SeatState.TAKEN] * 2


def test_a_disk_that_fails_again_and_again_loses_nothing() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=0), GAME)
    for count in range(1, 9):
        fail_over(duel.actor, Act(0, duel.table, duel.ask.turn, DRAW if count < 5 else PASS))
        come_back(duel)
        public = duel.anna.tables[duel.table].public
        assert public is not None
        if public.state is not TableState.PLAYING:
            break
        assert len(public.actions) == count
    whole = duel.room.table.play
    duel.lan.restart()
    again = duel.room.table.play
    assert whole is not None
    assert again is not None
    assert (again.rows, again.turn, again.to_act) == (whole.rows, whole.turn, whole.to_act)


def test_a_frame_that_was_held_back_is_never_sent_later() -> None:
    """What was told in the turn that failed is dropped whole; a snapshot comes instead."""
    duel = Duel(Lan())
    actor, other = duel.actor, duel.other
    seen = len(other.frames)
    fail_over(actor, Act(0, duel.table, duel.ask.turn, DRAW))
    come_back(duel)
    fresh = [m for frame in other.frames[seen:] for m in decode_server(frame)]
    told = [m for m in fresh if isinstance(m, Update) and m.table == duel.table]
    assert told[0].public is not None or acted(other)
    assert len({m.seq for m in told}) == len(told)
