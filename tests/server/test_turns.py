"""Turns over the wire: every answer is answered once, and what is refused changes nothing."""

import pytest

from passing_protocol.codec import decode_server, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.events import Fault, ForfeitKind, MatchEnded, SeatChanged
from passing_protocol.messages import Act, Bye, Join, Leave, Ready, Remove, Resync, Update
from passing_protocol.views import Acted, Clock, GameOptions, SeatState, TableOptions
from passing_protocol.wire import ActionMessage, action_message
from passing_rules import ALL_TILES, End, Play, Tile
from tests.support.duel import DRAW, PASS, Duel, error, updates
from tests.support.lan import Lan, LanClient


def same_act(duel: Duel, client: LanClient, action: ActionMessage, times: int) -> list[int]:
    """Send one answer so often at once, each as a request of its own."""
    ask = duel.asks(client)
    assert ask is not None
    ids: list[int] = []
    for _ in range(times):
        request_id, data = client.session.request(Act(0, duel.table, ask.turn, action))
        duel.lan.put(client.peer, data)
        ids.append(request_id)
    duel.lan.settle()
    return ids


def test_the_answer_to_an_action_tells_of_it() -> None:
    duel = Duel(Lan())
    actor = duel.actor
    answer = duel.act(DRAW)
    assert answer.re is not None
    assert not answer.duplicate
    assert [event for event in answer.events if isinstance(event, Acted)]
    assert answer.mine is not None
    assert answer.mine.drew in answer.mine.hand
    assert duel.asks(actor) is None


def test_same_draw_twice_draws_one_tile_and_is_answered_twice_alike() -> None:
    duel = Duel(Lan())
    actor = duel.actor
    first, second = (actor.answer(one) for one in same_act(duel, actor, DRAW, 2))
    assert isinstance(first, Update)
    assert isinstance(second, Update)
    assert (first.duplicate, second.duplicate) == (False, True)
    assert (first.events, first.mine, first.rev) == (second.events, second.mine, second.rev)
    assert len(duel.hand(actor)) == 8


def test_the_same_draw_sent_much_later_is_answered_as_the_first_time() -> None:
    duel = Duel(Lan())
    actor, turn = duel.actor, duel.ask.turn
    first = duel.act(DRAW)
    duel.lan.pass_time(5_000)
    again = actor.ask(Act(0, duel.table, turn, DRAW))
    assert isinstance(again, Update)
    assert again.duplicate
    assert (again.events, again.mine) == (first.events, first.mine)
    assert len(duel.hand(actor)) == 8


def test_the_others_hear_of_a_repeated_action_once() -> None:
    duel = Duel(Lan())
    actor, other = duel.actor, duel.other
    seen = len(other.messages)
    same_act(duel, actor, DRAW, 5)
    assert len(updates(other, seen)) == 1


def test_another_action_for_a_decided_turn_is_refused() -> None:
    duel = Duel(Lan())
    actor, turn = duel.actor, duel.ask.turn
    duel.act(DRAW)
    refusal = actor.refusal(Act(0, duel.table, turn, PASS))
    assert refusal.code is ErrorCode.TURN_DECIDED
    assert refusal.turn == turn + 1


@pytest.mark.parametrize("step", [-4, -3, 1, 1_000])
def test_an_action_for_another_turn_is_refused_with_the_number_of_the_current_one(
    step: int,
) -> None:
    duel = Duel(Lan())
    for _ in range(4):
        duel.act(DRAW)
    turn = duel.ask.turn
    refusal = error(duel.actor.act(duel.table, DRAW, turn + step))
    assert (refusal.code, refusal.turn, refusal.table) == (
        ErrorCode.STALE_TURN,
        turn,
        duel.table,
    )
    assert duel.ask.turn == turn


def test_nobody_acts_on_anothers_turn_or_at_anothers_table() -> None:
    lan = Lan()
    duel, second = Duel(lan), Duel(lan, names=("cyd", "dan"))
    refusal = duel.other.refusal(Act(0, duel.table, duel.ask.turn, PASS))
    assert refusal.code is ErrorCode.NOT_YOUR_TURN
    refusal = duel.actor.refusal(Act(0, second.table, second.ask.turn, PASS))
    assert refusal.code is ErrorCode.NOT_SEATED


@pytest.mark.parametrize("key", ["seat", "player", "session", "to_act"])
def test_a_seat_number_in_an_action_means_nothing(key: str) -> None:
    """Keys that the protocol does not have are ignored, whoever they name."""
    duel = Duel(Lan())
    other = duel.other
    plain = encode(Act(900, duel.table, duel.ask.turn, PASS))
    forged = bytes([plain[0] + 1, 0xA0 + len(key)]) + key.encode() + b"\x00" + plain[1:]
    duel.lan.server.receive(duel.lan.now, other.peer, forged)
    out = duel.lan.server.flush(duel.lan.now)
    assert [frame.peer for frame in out] == [other.peer]
    assert error(decode_server(out[0].data)[0]).code is ErrorCode.NOT_YOUR_TURN


def test_between_rounds_no_action_is_taken() -> None:
    duel = Duel(Lan())
    first = duel.actor
    duel.act(PASS)
    duel.act(PASS)
    refusal = first.refusal(Act(0, duel.table, 3, PASS))
    assert refusal.code is ErrorCode.ROUND_OVER


def test_at_a_paused_table_no_action_is_taken_and_the_question_comes_anew() -> None:
    duel = Duel(Lan())
    duel.lan.fall_silent(12_000)
    duel.lan.fall_silent(95_000, step=500)
    actor = duel.anna
    duel.lan.connect(actor)
    view = actor.tables[duel.table].public
    assert view is not None
    assert view.state == "playing"
    assert view.turn > 1


def test_a_tile_that_is_not_in_the_hand_is_refused_and_costs_no_more_time() -> None:
    duel = Duel(Lan())
    foreign = next(tile for tile in ALL_TILES if str(tile) not in duel.hand(duel.actor))
    duel.lan.pass_time(2_000)
    refusal = error(duel.actor.act(duel.table, action_message(Play(foreign, None))))
    assert (refusal.code, refusal.turn) == (ErrorCode.NOT_IN_HAND, duel.ask.turn)
    duel.lan.pass_time(3_000)
    assert clock_in_a_snapshot(duel) == Clock(25_000, 120_000)


def clock_in_a_snapshot(duel: Duel) -> Clock | None:
    """What the actor hears of the time left when it asks for the table anew."""
    duel.actor.ask(Resync(0, 0))
    return duel.ask.clock


def test_a_snapshot_tells_the_true_time_left_of_turn_and_bank() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=4_000, bank_ms=3_000))
    for passed, left in ((1_500, Clock(2_500, 3_000)), (3_000, Clock(0, 2_500))):
        duel.lan.pass_time(passed)
        assert clock_in_a_snapshot(duel) == left
        actor = duel.actor
        duel.lan.cut(actor)
        duel.lan.connect(actor)
        assert clock_in_a_snapshot(duel) == left


def test_a_play_needs_an_end_and_a_fit_once_a_tile_lies() -> None:
    duel = Duel(Lan())
    first = duel.ask.legal[0]
    wrong = ActionMessage(play=first.play, end="left")
    assert error(duel.actor.act(duel.table, wrong)).code is ErrorCode.DOES_NOT_FIT
    duel.act(first)
    held = duel.hand(duel.actor)
    codes = {
        error(duel.actor.act(duel.table, action_message(Play(Tile.parse(text), None)))).code
        for text in held
    }
    assert codes == {ErrorCode.END_NEEDED}
    for text, reason in duel.ask.refused.items():
        ends = [action_message(Play(Tile.parse(text), end)) for end in End]
        refusals = {error(duel.actor.act(duel.table, action)).code for action in ends}
        assert refusals == {ErrorCode.DOES_NOT_FIT} == {ErrorCode(reason)}


def test_at_two_left_a_draw_is_refused_and_the_turn_goes_on() -> None:
    duel = Duel(Lan())
    while DRAW in duel.ask.legal:
        duel.act(DRAW)
    turn = duel.ask.turn
    assert duel.ask.refused["draw"] == ErrorCode.BONEYARD_FLOOR
    assert error(duel.actor.act(duel.table, DRAW)).code is ErrorCode.BONEYARD_FLOOR
    assert duel.ask.turn == turn
    assert isinstance(duel.act(PASS), Update)


def test_an_engines_action_is_answered_when_it_is_shown() -> None:
    lan = Lan()
    anna, engine = lan.client("anna"), lan.client("greedy", "bot")
    table = lan.table(anna, GameOptions(seats=2, target=9_999), TableOptions(turn_ms=0))
    engine.send(Join(0, table))
    anna.send(Ready(0, table))
    if engine.tables[table].ask is None:
        anna.act(table, DRAW)
    ask = engine.tables[table].ask
    assert ask is not None
    ids = [engine.send(Act(0, table, ask.turn, PASS)) for _ in range(3)]
    lan.pass_time(600)
    assert not [update for update in updates(engine) if update.re in ids]
    assert anna.tables[table].ask is None
    lan.pass_time(100)
    answers = [engine.answer(one) for one in ids]
    assert [isinstance(one, Update) and one.duplicate for one in answers] == [False, True, True]
    assert anna.tables[table].ask is not None


@pytest.mark.parametrize("goes", ["leave", "removed", "bye"])
def test_an_action_that_is_held_is_answered_before_its_engine_is_gone(goes: str) -> None:
    lan = Lan()
    anna, engine = lan.client("anna"), lan.client("greedy", "bot")
    bob = lan.client("bob")
    table = lan.table(anna, GameOptions(seats=3, target=9_999), TableOptions(turn_ms=0))
    engine.send(Join(0, table))
    bob.send(Join(0, table))
    for client in (anna, bob):
        client.send(Ready(0, table))
    while engine.tables[table].ask is None:
        next(c for c in (anna, bob) if c.tables[table].ask is not None).act(table, PASS)
    ask = engine.tables[table].ask
    assert ask is not None
    held = engine.send(Act(0, table, ask.turn, PASS))
    if goes == "removed":
        anna.send(Remove(0, table, 1))
    else:
        engine.send(Leave(0, table) if goes == "leave" else Bye(0))
    answer = engine.answer(held)
    assert isinstance(answer, Update)
    assert [event for event in answer.events if isinstance(event, Acted)]


def test_a_late_answer_is_refused_and_the_next_question_is_another() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=1_000, bank_ms=0))
    late, turn = duel.actor, duel.ask.turn
    duel.lan.pass_time(1_100)
    assert late.refusal(Act(0, duel.table, turn, DRAW)).code is ErrorCode.TOO_LATE
    duel.act(DRAW)
    assert late.refusal(Act(0, duel.table, turn, DRAW)).code is ErrorCode.TOO_LATE
    assert duel.actor is late


def test_an_answer_that_reaches_the_server_after_the_deadline_is_late_before_any_tick() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=1_000, bank_ms=0))
    actor, other, turn = duel.actor, duel.other, duel.ask.turn
    duel.lan.now += 1_001
    request_id, data = actor.session.request(Act(0, duel.table, turn, DRAW))
    duel.lan.server.receive(duel.lan.now, actor.peer, data)
    duel.lan.settle()
    assert error(actor.answer(request_id)).code is ErrorCode.TOO_LATE
    assert duel.asks(other) is not None


def test_an_engine_floods_with_bad_answers_and_loses_the_match_with_the_others_told_why() -> None:
    lan = Lan()
    engines = [lan.client(f"e{number}", "bot") for number in range(2)]
    table = lan.table(lan.client("anna"), GameOptions(seats=2), sit=False)
    for engine in engines:
        engine.send(Join(0, table))
    watcher = lan.watcher("cyd", table)
    for _ in range(60):
        for engine in engines:
            ask = engine.tables[table].ask
            bad = engine is engines[0]
            if ask is None:
                continue
            legal = DRAW if DRAW in ask.legal else PASS
            engine.act(table, impossible(engine, table) if bad else legal)
    ended = [e for u in updates(watcher) for e in u.events if isinstance(e, MatchEnded)]
    assert len(ended) == 1
    assert ended[0].reason == "forfeit"
    evidence = "3 strikes: 3 turns with 3 refused actions each, the last not_in_hand"
    assert ended[0].fault == Fault("player", evidence, 0, ForfeitKind.REFUSED)
    for client in (*engines, watcher):
        told = [e for u in updates(client) for e in u.events if isinstance(e, SeatChanged)]
        faults = [(event.seat, event.info.state, event.fault) for event in told if event.fault]
        assert faults == [(0, SeatState.FORFEITED, ended[0].fault)]


def impossible(client: LanClient, table: str) -> ActionMessage:
    """A play of a tile that the client does not hold."""
    mine = client.tables[table].mine
    assert mine is not None
    foreign = next(tile for tile in ALL_TILES if str(tile) not in mine.hand)
    return action_message(Play(foreign, None))
