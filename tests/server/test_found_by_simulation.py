"""Faults that whole matches under faults have shown, each on its own."""

import copy
from itertools import pairwise

import pytest

from passing_protocol.codec import decode_server
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Act, Error, Join, Left, Ready, Remove, Update
from passing_protocol.views import GameOptions
from passing_protocol.wire import TILE_TEXTS, ActionMessage
from tests.support.duel import DRAW, PASS, Duel
from tests.support.lan import Lan, LanClient


def table_with_a_place(lan: Lan) -> tuple[LanClient, LanClient, str]:
    """Anna waits at a table of three, Bob is in the lobby."""
    anna, bob = lan.client("anna"), lan.client("bob")
    return anna, bob, lan.table(anna, GameOptions(seats=3))


def numbers(client: LanClient, since: int = 0) -> list[int]:
    """The numbers of a client's messages, from one place on."""
    found = [getattr(message, "seq", 0) for message in client.messages[since:]]
    return [number for number in found if number]


# --- told before it was stored


def test_a_seat_is_stored_when_the_answer_to_the_join_is_sent() -> None:
    lan = Lan()
    anna, bob, table = table_with_a_place(lan)
    assert isinstance(bob.ask(Join(0, table)), Update)
    lan.crash()
    assert lan.start_again() == []
    seats = lan.server.lobby.rooms[table].table.seats
    assert [seat.occupant and seat.occupant.name for seat in seats] == ["anna", "bob", None]
    lan.come_back(anna, bob)
    mine = bob.tables[table].mine
    assert mine is not None
    assert mine.seat == 1


def test_whatever_is_told_of_a_table_is_stored_with_it() -> None:
    """Every turn of the loop stores the newest number of each table of which it tells."""
    lan = Lan()
    anna, bob, table = table_with_a_place(lan)
    cyd = lan.client("cyd")
    for client in (bob, cyd):
        client.send(Join(0, table))
        told = max(m.rev for m in anna.messages if isinstance(m, Update))
        assert lan.start_again() == []
        assert lan.server.lobby.rooms[table].table.changes.rev >= told
        lan.come_back(anna, bob, cyd)


def test_a_join_that_is_sent_again_when_the_place_is_gone_is_refused() -> None:
    """Who would be shown the table then would wait there, and never hear of it again."""
    lan = Lan()
    anna, bob, table = table_with_a_place(lan)
    request_id, joining = bob.session.request(Join(0, table))
    lan.put(bob.peer, joining)
    clients = lan.crash(stored=True)
    assert clients == [anna, bob]
    assert lan.start_again() == []
    lan.come_back(anna)
    anna.send(Remove(0, table, 1))
    lan.come_back(bob)
    refused = bob.answer(request_id)
    assert isinstance(refused, Error)
    assert refused.code is ErrorCode.NOT_SEATED
    assert table not in bob.tables


# --- hellos that come late


def test_a_late_hello_of_another_life_does_not_number_messages_anew() -> None:
    """Two connections of one client after a restart: the second was dialled before the first."""
    match = Duel(Lan())
    lan, actor = match.lan, match.actor
    lan.crash()
    assert lan.start_again() == []
    late = copy.deepcopy(actor.session)
    lan.connect(actor)
    first = actor.session.seq
    assert first > 0
    again = LanClient(lan, late, b"")
    lan.connect(again)
    assert min(numbers(again)) > first


def test_the_numbers_of_a_session_go_up_one_by_one_over_restarts() -> None:
    match = Duel(Lan())
    lan, actor = match.lan, match.actor
    for _ in range(3):
        seen = len(actor.messages)
        lan.restart()
        for client in (actor, match.other):
            assert numbers(client)
        assert numbers(actor, seen)[0] == 1
        assert all(after == before + 1 for before, after in pairwise(numbers(actor, seen)))


def test_a_late_hello_brings_a_token_with_which_both_may_come_back() -> None:
    lan = Lan()
    anna = lan.client("anna")
    late = LanClient(lan, copy.deepcopy(anna.session), b"")
    lan.connect(anna)
    lan.connect(late)
    welcomes = [client.session.welcome for client in (anna, late)]
    tokens = {welcome.resume_token for welcome in welcomes if welcome is not None}
    assert len(tokens) == 1
    lan.connect(anna)
    assert anna.session.welcome is not None
    assert anna.session.welcome.resumed


# --- an answer, and a seat that is gone


def test_an_action_sent_again_is_answered_before_its_player_is_removed() -> None:
    match = Duel(Lan())
    lan, table = match.lan, match.table
    if match.actor is match.anna:  # she owns the table
        match.act(PASS)
    asked = Act(0, table, match.ask.turn, PASS)
    match.act(PASS)
    match.room.answers.clear()  # as in a server that was started anew
    request_id, again = match.bob.session.request(asked)
    mine = match.bob.tables[table].mine
    assert mine is not None
    _, removing = match.anna.session.request(Remove(0, table, mine.seat))
    lan.put(match.bob.peer, again)
    lan.put(match.anna.peer, removing)
    lan.settle()
    answer = match.bob.answer(request_id)
    assert isinstance(answer, Update)
    assert [type(m) for m in match.bob.messages if getattr(m, "seq", 0) > answer.seq][-1:] == [Left]


# --- several of one turn of the loop


@pytest.mark.parametrize("count", [2, 5])
def test_refusals_of_one_turn_of_the_loop_are_told_in_one_frame_each_with_its_own_id(
    count: int,
) -> None:
    match = Duel(Lan())
    actor, table = match.actor, match.table
    free = sorted(set(TILE_TEXTS).difference(match.hand(actor)))[:count]
    asked = [
        actor.session.request(Act(0, table, match.ask.turn, ActionMessage(play=tile)))
        for tile in free
    ]
    seen = len(actor.frames)
    for _, data in asked:
        match.lan.put(actor.peer, data)
    match.lan.settle()
    (frame,) = actor.frames[seen:]
    refusals = [m for m in decode_server(frame) if isinstance(m, Error)]
    assert [refusal.re for refusal in refusals] == [request_id for request_id, _ in asked]
    assert {refusal.code for refusal in refusals} == {ErrorCode.NOT_IN_HAND}
    assert all(tile in refusal.detail for tile, refusal in zip(free, refusals, strict=True))


def test_a_refusal_between_two_answers_keeps_its_place() -> None:
    match = Duel(Lan())
    actor, table, turn = match.actor, match.table, match.ask.turn
    asked = [
        actor.session.request(request)
        for request in (Ready(0, table), Act(0, table, turn, DRAW), Act(0, table, turn, PASS))
    ]
    for _, data in asked:
        match.lan.put(actor.peer, data)
    match.lan.settle()
    refused, drawn, too_late = (actor.answer(request_id) for request_id, _ in asked)
    assert isinstance(refused, Error)
    assert isinstance(drawn, Update)
    assert isinstance(too_late, Error)
    assert (refused.code, too_late.code) == (ErrorCode.TABLE_STATE, ErrorCode.TURN_DECIDED)
    assert refused.seq < drawn.seq < too_late.seq
