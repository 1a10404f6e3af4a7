"""A session outlives its connections: tokens, replays, snapshots, and the newest wins."""

import copy

import pytest

from passing_protocol.codec import decode_server, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.limits import REPLAY_LENGTH
from passing_protocol.messages import (
    Act,
    Error,
    Goodbye,
    Join,
    Leave,
    Lobby,
    Ok,
    Ping,
    Pong,
    Ready,
    Refused,
    Resync,
    Update,
    Watch,
    Welcome,
)
from passing_protocol.session_states import (
    ClientState,
)
from passing_protocol.views import Acted, Clock, TableOptions
from passing_server.limits import REPLAY_BYTES
from tests.support.duel import DRAW, PASS, Duel, updates
from tests.support.lan import Lan, LanClient


def newest(client: LanClient) -> Welcome:
    assert client.session.welcome is not None
    return client.session.welcome


def second_connection(client: LanClient) -> LanClient:
    """The same program once more, with the state it had: its old connection stays open."""
    lan = client.lan
    again = LanClient(lan, copy.deepcopy(client.session), b"")
    again.tables = client.tables
    lan.connect(again)
    return again


def test_who_comes_back_has_the_seat_the_hand_and_the_question() -> None:
    match = Duel(Lan())
    actor, table = match.actor, match.table
    before = actor.tables[table]
    hand, ask = before.mine, before.ask
    match.lan.cut(actor)
    match.lan.connect(actor)
    assert newest(actor).resumed
    assert actor.tables[table].mine == hand
    assert actor.tables[table].ask == ask
    assert isinstance(actor.act(table, PASS), Update)


def test_c45_who_comes_back_is_told_the_time_that_is_truly_left() -> None:
    match = Duel(Lan(), TableOptions(turn_ms=20_000, bank_ms=5_000))
    actor, other = match.actor, match.other
    match.lan.cut(other)
    match.act(DRAW)
    match.lan.pass_time(9_000)
    match.lan.connect(other)
    assert match.actor is other
    assert match.ask.clock == Clock(11_000, 5_000)
    match.lan.cut(other)
    match.lan.pass_time(13_000)
    match.lan.connect(other)
    assert match.ask.clock == Clock(0, 3_000)
    assert match.asks(actor) is None


def test_what_was_missed_is_sent_again_once_and_in_order() -> None:
    match = Duel(Lan())
    actor, other, table = match.actor, match.other, match.table
    match.lan.cut(other)
    actor.act(table, DRAW)
    assert other.tables[table].ask is None
    seen = other.session.seq
    match.lan.connect(other)
    numbers = [m.seq for m in other.messages if isinstance(m, Update)]
    assert numbers[-1] > seen
    assert numbers == sorted(set(numbers))
    assert other.tables[table].ask is not None


def test_an_answer_that_was_lost_comes_with_the_replay_and_the_action_counts_once() -> None:
    match = Duel(Lan())
    actor, table = match.actor, match.table
    ask = actor.tables[table].ask
    assert ask is not None
    request_id, data = actor.session.request(Act(0, table, ask.turn, DRAW))
    match.lan.put(actor.peer, data)
    match.lan.cut(actor)
    match.lan.settle()
    match.lan.connect(actor)
    first = actor.answer(request_id)
    assert isinstance(first, Update)
    assert [event for event in first.events if isinstance(event, Acted)]
    assert len(match.hand(actor)) == 8


def test_after_more_than_is_kept_a_snapshot_comes() -> None:
    lan = Lan()
    match = Duel(lan)
    other, table = match.other, match.table
    lan.cut(other)
    cyd = lan.client("cyd")
    for _ in range(REPLAY_LENGTH // 2 + 5):
        cyd.send(Watch(0, table))
        cyd.send(Leave(0, table))
        lan.now += 100
    seen = len(other.messages)
    lan.connect(other)
    fresh = updates(other, seen)
    assert fresh
    assert all(update.public is not None and update.mine is not None for update in fresh)


def test_another_epoch_brings_a_snapshot() -> None:
    match = Duel(Lan())
    other = match.other
    session = match.lan.server.sessions.by_peer[other.peer]
    match.lan.server.epoch = 2
    seen = len(other.messages)
    match.lan.cut(other)
    match.lan.connect(other)
    fresh = updates(other, seen)
    assert fresh
    assert all(update.public is not None for update in fresh)
    assert match.lan.server.sessions.by_peer[other.peer] is session


def test_the_newest_connection_wins_and_the_old_one_hears_it() -> None:
    match = Duel(Lan())
    actor = match.actor
    old = actor.peer
    again = second_connection(actor)
    assert actor.session.state is ClientState.CLOSED
    assert newest(again).resumed
    assert isinstance(actor.messages[-1], Goodbye)
    assert actor.messages[-1].code is ErrorCode.SUPERSEDED
    match.lan.server.receive(match.lan.now, old, encode(Ping(9)))
    out = match.lan.server.flush(match.lan.now)
    assert [frame.peer for frame in out] == [old]
    answer = decode_server(out[0].data)[0]
    assert isinstance(answer, Refused)
    assert answer.code is ErrorCode.NOT_ADMITTED


def test_the_token_before_is_good_until_the_first_message_after_the_newest() -> None:
    lan = Lan()
    anna = lan.client("anna")
    first, unaware = newest(anna), copy.deepcopy(anna.session)
    second = newest(second_connection(anna))
    assert second.resumed
    assert second.resume_token != first.resume_token
    anna.session = unaware  # the second welcome never arrived
    lan.connect(anna)
    assert newest(anna).resumed
    assert newest(anna).resume_token == second.resume_token
    assert isinstance(anna.ask(Ping(0)), Pong)
    late = LanClient(lan, copy.deepcopy(anna.session), b"")
    late.session.welcome = first
    lan.connect(late)
    assert not newest(late).resumed


def test_a_hello_that_comes_after_the_one_that_followed_it_supersedes_nobody() -> None:
    """Two connections of one client, of which the first is gone when its `hello` is read."""
    lan = Lan()
    anna = lan.client("anna")
    gone = LanClient(lan, copy.deepcopy(anna.session), b"")
    lan.connect(anna)
    lan.connect(gone)
    assert not [m for m in anna.messages if isinstance(m, Goodbye)]
    lan.connect(anna)
    assert newest(anna).resumed


def test_a_thief_without_the_token_gets_nothing_of_a_seat() -> None:
    """A name, a routing id of one's own choice and a seat number are worth nothing."""
    match = Duel(Lan())
    thief = match.lan.client("anna")
    assert thief.refusal(Act(0, match.table, 1, PASS)).code is ErrorCode.NOT_SEATED
    assert thief.refusal(Ready(0, match.table)).code is ErrorCode.NOT_SEATED
    assert not updates(thief)


def test_resync_brings_what_was_missed_byte_for_byte_and_then_ok() -> None:
    match = Duel(Lan())
    other = match.other
    kept = match.lan.server.sessions.by_peer[other.peer].sent
    last = kept[-1]
    seen = len(other.frames)
    answer = other.ask(Resync(0, last[0] - 1))
    assert isinstance(answer, Ok)
    assert last[1] in other.frames[seen]


def test_no_more_bytes_are_kept_for_a_replay_than_fit_into_a_frame() -> None:
    lan = Lan()
    client = lan.client("anna")
    session = lan.server.sessions.by_peer[client.peer]
    for _ in range(3 * REPLAY_LENGTH):
        session.number()
        session.keep_sent(bytes(REPLAY_BYTES // 10))
        assert session.sent_bytes == sum(len(data) for _, data in session.sent) <= REPLAY_BYTES
    assert session.can_replay_after(session.seq - 10)
    assert not session.can_replay_after(session.seq - 11)
    session.number()
    session.keep_sent(bytes(REPLAY_BYTES + 1))
    assert not session.sent
    assert not session.can_replay_after(session.seq - 1)


def test_resync_0_always_brings_snapshots() -> None:
    match = Duel(Lan())
    other = match.other
    seen = len(other.messages)
    other.ask(Resync(0, 0))
    fresh = updates(other, seen)
    assert [update.public is not None for update in fresh] == [True]


def test_resync_after_a_number_that_was_never_sent_brings_snapshots() -> None:
    match = Duel(Lan())
    seen = len(match.other.messages)
    match.other.ask(Resync(0, 9_999))
    fresh = updates(match.other, seen)
    assert [update.public is not None for update in fresh] == [True]


def test_resyncs_are_dearer_than_other_messages() -> None:
    anna = Lan().client("anna")
    for _ in range(8):
        assert isinstance(anna.ask(Resync(0, 0)), Ok)
    assert anna.refusal(Resync(0, 0)).code is ErrorCode.RATE_LIMITED


def test_a_connection_that_takes_nothing_gets_snapshots_when_it_is_heard_again() -> None:
    match = Duel(Lan())
    lan, actor, other, table = match.lan, match.actor, match.other, match.table
    lan.server.stalled(other.peer)
    frames = len(other.frames)
    actor.act(table, DRAW)
    assert len(other.frames) == frames
    other.ask(Ping(0))
    assert other.tables[table].ask is not None
    assert isinstance(other.act(table, DRAW), Update)


def test_a_stalled_connection_of_which_nothing_is_known_is_no_matter() -> None:
    Lan().server.stalled(b"nobody")


def test_the_same_request_again_is_answered_the_same_and_done_once() -> None:
    lan = Lan()
    match = Duel(lan)
    anna = match.anna
    request_id, data = anna.session.request(Lobby(0))
    lan.put(anna.peer, data)
    lan.settle()
    joins, joined = anna.session.request(Join(0, match.table))
    for _ in range(3):
        lan.put(anna.peer, joined)
    lan.settle()
    assert anna.answer(request_id)
    assert anna.answer(joins)
    assert len(lan.server.lobby.rooms) == 1


@pytest.mark.parametrize("times", [2, 5])
def test_a_refusal_is_not_done_again_either(times: int) -> None:
    """An engine that sends one bad action again after a reconnect is refused once, not thrice."""
    lan = Lan()
    match = Duel(lan)
    actor = match.actor
    ask = actor.tables[match.table].ask
    assert ask is not None
    _, data = actor.session.request(Act(0, match.table, ask.turn + 1, PASS))
    for _ in range(times):
        lan.put(actor.peer, data)
    seen = len(actor.frames)
    lan.settle()
    assert len(actor.frames) == seen + 1


def test_a_refusal_is_kept_though_the_request_could_be_done_by_now() -> None:
    lan = Lan()
    match = Duel(lan)
    cyd = lan.client("cyd")
    request_id, joining = cyd.session.request(Join(0, match.table))
    for _ in range(2):
        lan.put(cyd.peer, joining)
        lan.settle()
    first, again = (decode_server(frame)[0] for frame in cyd.frames[-2:])
    assert isinstance(first, Error)
    assert (first.re, again) == (request_id, first)


def test_a_request_that_came_too_soon_is_done_when_it_comes_again() -> None:
    lan = Lan()
    anna = lan.client("anna")
    for _ in range(8):
        anna.ask(Resync(0, 0))
    request_id, data = anna.session.request(Resync(0, 0))
    for _ in range(2):
        lan.put(anna.peer, data)
        lan.settle()
        lan.pass_time(1_000)
    first, again = (decode_server(frame)[-1] for frame in anna.frames[-2:])
    assert isinstance(first, Error)
    assert first.code is ErrorCode.RATE_LIMITED
    assert isinstance(again, Ok)
    assert again.re == request_id


def test_a_silent_connection_that_speaks_again_is_told_to_say_hello() -> None:
    match = Duel(Lan())
    actor = match.actor
    match.lan.fall_silent(14_000)
    actor.send(Ping(0))
    assert isinstance(actor.messages[-1], Refused)
    assert actor.session.state is ClientState.CLOSED
    match.lan.connect(actor)
    assert newest(actor).resumed


def test_an_action_sent_again_is_answered_before_its_seat_is_given_up() -> None:
    """The store has the action, the server that was started anew no answer to it."""
    match = Duel(Lan())
    actor, lan = match.actor, match.lan
    ask = actor.tables[match.table].ask
    assert ask is not None
    assert isinstance(actor.act(match.table, PASS, ask.turn), Update)
    lan.server.lobby.rooms[match.table].answers.clear()
    again = actor.session.request(Act(0, match.table, ask.turn, PASS))
    leaving = actor.session.request(Leave(0, match.table))
    for _, data in (again, leaving):
        lan.put(actor.peer, data)
    lan.settle()
    answered = [m.re for m in actor.messages if isinstance(m, Update | Ok) and m.re]
    assert answered[-2:] == [again[0], leaving[0]]
