"""A match outlives the server: at every kind of moment it goes on as if nothing had been."""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Act, Join, Ready, Update
from passing_protocol.views import (
    Acted,
    Ask,
    GameOptions,
    PublicView,
    SeatState,
    TableOptions,
    TableState,
)
from passing_protocol.wire import ActionMessage
from passing_server.limits import CLOCK_MS
from tests.support.duel import DRAW, PASS, Duel, error, updates
from tests.support.lan import Lan, LanClient

SHORT = GameOptions(seats=2, target=5)
LONG = GameOptions(seats=2, target=9_999)
Known = tuple[PublicView, list[str] | None, Ask | None]


def known(client: LanClient, table: str) -> Known:
    """What a client knows of a table, but for the count of its news and the time."""
    followed = client.tables[table]
    assert followed.public is not None
    hand: list[str] | None = [*followed.mine.hand] if followed.mine is not None else None
    ask = followed.ask
    return (
        replace(followed.public, rev=0),
        hand,
        replace(ask, clock=None) if ask is not None else None,
    )


def state(duel: Duel) -> TableState:
    return known(duel.anna, duel.table)[0].state


def pass_round(duel: Duel) -> Duel:
    while state(duel) is TableState.PLAYING:
        duel.act(PASS)
    return duel


def best(ask: Ask) -> ActionMessage:
    return ask.legal[0]


def play_on(duel: Duel) -> None:
    """Play until the match is over."""
    while state(duel) is not TableState.OVER:
        if state(duel) is TableState.BETWEEN:
            duel.ready()
        else:
            duel.act(best(duel.ask))


# --- moments -------------------------------------------------------------------------------------


def unfilled() -> Duel:
    """Only Anna sits; Bob has a place as a watcher."""
    duel = Duel.__new__(Duel)
    duel.lan = Lan()
    duel.anna = duel.lan.client("anna")
    duel.table = duel.lan.table(duel.anna, SHORT)
    duel.bob = duel.lan.watcher("bob", duel.table)
    return duel


def starting() -> Duel:
    duel = unfilled()
    duel.bob.send(Join(0, duel.table))
    assert state(duel) is TableState.STARTING
    return duel


def half_ready() -> Duel:
    duel = starting()
    duel.bob.send(Ready(0, duel.table))
    return duel


def first_turn() -> Duel:
    return Duel(Lan(), game=SHORT)


def after_a_draw() -> Duel:
    duel = first_turn()
    duel.act(DRAW)
    return duel


def later_turn() -> Duel:
    duel = Duel(Lan(), TableOptions(turn_ms=20_000, bank_ms=60_000), SHORT)
    for seconds in (1, 35, 2):
        duel.lan.pass_time(seconds * 1_000)
        duel.act(best(duel.ask))
    duel.lan.pass_time(3_000)
    return duel


def between() -> Duel:
    duel = pass_round(Duel(Lan(), game=LONG))
    assert state(duel) is TableState.BETWEEN
    return duel


def half_ready_between() -> Duel:
    duel = between()
    duel.anna.send(Ready(0, duel.table))
    return duel


def second_round() -> Duel:
    duel = between()
    duel.ready()
    duel.act(best(duel.ask))
    return duel


def over() -> Duel:
    duel = first_turn()
    play_on(duel)
    return duel


def rematch_asked() -> Duel:
    duel = over()
    duel.anna.send(Ready(0, duel.table))
    assert state(duel) is TableState.OVER
    return duel


def rematch() -> Duel:
    duel = over()
    duel.ready()
    assert state(duel) is TableState.PLAYING
    return duel


Moment = Callable[[], Duel]
BEFORE: list[Moment] = [unfilled, starting, half_ready]
PLAYING: list[Moment] = [first_turn, after_a_draw, later_turn, second_round, rematch]
RESTING: list[Moment] = [between, half_ready_between, over, rematch_asked]


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("moment", [*BEFORE, *PLAYING, *RESTING])
def test_c39_seats_hands_turn_scores_owner_and_options_are_as_they_were(
    moment: Moment, times: int
) -> None:
    duel = moment()
    watcher = duel.lan.watcher("cyd", duel.table)
    everybody = (duel.anna, duel.bob, watcher)
    before = [known(client, duel.table) for client in everybody]
    options = duel.room.table.settings.wishes
    for _ in range(times):
        duel.lan.restart()
    assert [known(client, duel.table) for client in everybody] == before
    assert duel.room.table.settings.wishes == options


@pytest.mark.parametrize("moment", [*PLAYING, *RESTING])
def test_a_match_is_played_to_its_end_after_a_restart(moment: Moment) -> None:
    duel = moment()
    duel.lan.restart()
    if duel.room.table.game.target == LONG.target:
        for _ in range(10):
            duel.ready() if state(duel) is TableState.BETWEEN else duel.act(best(duel.ask))
    else:
        play_on(duel)
    first, second = (known(client, duel.table)[0] for client in (duel.anna, duel.bob))
    assert first == second


@pytest.mark.parametrize("moment", BEFORE)
def test_a_table_is_filled_and_begins_after_a_restart(moment: Moment) -> None:
    duel = moment()
    duel.lan.restart()
    if moment is unfilled:
        duel.bob.send(Join(0, duel.table))
    duel.ready()
    assert state(duel) is TableState.PLAYING


def test_c22_the_deal_stays_the_same_to_its_last_tile() -> None:
    """One match is interrupted after every action and one is not: every tile is where it was."""
    whole, broken = first_turn(), first_turn()
    play_on(whole)
    while state(broken) is not TableState.OVER:
        broken.lan.restart()
        broken.ready() if state(broken) is TableState.BETWEEN else broken.act(best(broken.ask))
    known_to = [known(duel.anna, duel.table)[0] for duel in (whole, broken)]
    assert known_to[0].scores == known_to[1].scores
    assert [whole.hand(c) for c in (whole.anna, whole.bob)] == [
        broken.hand(c) for c in (broken.anna, broken.bob)
    ]


# --- an action that was on its way ---------------------------------------------------------------


def actions_of(client: LanClient) -> list[Acted]:
    return [event for u in updates(client) for event in u.events if isinstance(event, Acted)]


@pytest.mark.parametrize("action", [DRAW, PASS])
@pytest.mark.parametrize(
    ("handled", "stored"), [(False, False), (True, False), (True, True)], ids=str
)
def test_an_action_without_an_answer_counts_once(
    action: ActionMessage, handled: bool, stored: bool
) -> None:
    """It never came, or came and was not stored, or was stored and never told."""
    duel = first_turn()
    actor, other, turn = duel.actor, duel.other, duel.ask.turn
    hand = duel.hand(actor)
    number, data = actor.session.request(Act(0, duel.table, turn, action))
    duel.lan.put(actor.peer, data)
    duel.lan.restart(handled=handled, stored=stored)
    answer = actor.answer(number)
    assert isinstance(answer, Update)
    assert len(duel.hand(actor)) == len(hand) + (action == DRAW)
    view = known(other, duel.table)[0]
    assert [(each.turn, each.action) for each in view.actions] == [(turn, action)]
    assert len(actions_of(other)) == (not stored)
    assert duel.actor is other


def test_an_action_that_is_repeated_after_its_answer_was_lost_is_shown_the_table() -> None:
    duel = first_turn()
    actor, turn = duel.actor, duel.ask.turn
    number, data = actor.session.request(Act(0, duel.table, turn, DRAW))
    duel.lan.put(actor.peer, data)
    duel.lan.restart(stored=True)
    answer = actor.answer(number)
    assert isinstance(answer, Update)
    assert answer.public is not None
    assert (answer.public.turn, answer.events) == (turn + 1, [])


def test_a_repeated_action_later_on_changes_nothing() -> None:
    duel = first_turn()
    actor, turn = duel.actor, duel.ask.turn
    duel.act(DRAW)
    duel.lan.restart()
    before = known(actor, duel.table)
    for _ in range(2):
        assert isinstance(actor.act(duel.table, DRAW, turn), Update)
    assert known(actor, duel.table) == before
    assert error(actor.act(duel.table, PASS, turn)).code is ErrorCode.TURN_DECIDED


def test_a_stale_action_is_refused_and_never_played() -> None:
    """It waited somewhere while the clock decided the turn (C22, C24)."""
    duel = Duel(Lan(), TableOptions(turn_ms=5_000, bank_ms=0), SHORT)
    actor, turn = duel.actor, duel.ask.turn
    _, data = actor.session.request(Act(0, duel.table, turn, DRAW))
    clients = duel.lan.crash()
    duel.lan.start_again()
    duel.lan.fall_silent(6_000)
    duel.lan.come_back(*clients)
    assert [each.timed_out for each in known(actor, duel.table)[0].actions][:1] == [True]
    assert data in actor.frames or actor.messages
    refused = next(m for m in reversed(actor.messages) if getattr(m, "code", None) is not None)
    assert error(refused).code in (ErrorCode.TOO_LATE, ErrorCode.TURN_DECIDED)
    assert len(duel.hand(actor)) == 7


# --- clocks --------------------------------------------------------------------------------------


def verify_left(duel: Duel, turn_ms: int, bank_ms: int) -> None:
    """What is told is what is left, or a little more: a clock is stored every few seconds."""
    clock = duel.ask.clock
    assert clock is not None
    assert turn_ms <= clock.turn_ms <= turn_ms + CLOCK_MS + 100
    assert clock.bank_ms == bank_ms


@pytest.mark.parametrize("away_for", [0, 60_000, 86_400_000])
def test_the_time_while_no_server_ran_is_nobodys(away_for: int) -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=20_000, bank_ms=60_000))
    duel.lan.pass_time(12_000)
    clients = duel.lan.crash()
    duel.lan.now += away_for
    duel.lan.start_again()
    duel.lan.come_back(*clients)
    verify_left(duel, 8_000, 60_000)
    assert [seat.state for seat in known(duel.anna, duel.table)[0].seats] == [SeatState.TAKEN] * 2


def test_c45_who_comes_back_later_is_told_the_time_that_is_truly_left() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=20_000, bank_ms=60_000))
    duel.lan.pass_time(12_000)
    clients = duel.lan.crash()
    duel.lan.start_again()
    duel.lan.fall_silent(5_000)
    duel.lan.come_back(*clients)
    verify_left(duel, 3_000, 60_000)


def test_a_player_gains_nothing_by_one_restart_after_the_other() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=20_000, bank_ms=0))
    for _ in range(6):
        duel.lan.pass_time(3_000)
        duel.lan.restart()
    clock = duel.ask.clock
    assert clock is not None
    assert clock.turn_ms <= 20_000 - 6 * (3_000 - CLOCK_MS)


def test_c42_a_player_who_does_not_come_back_stops_nobody() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=5_000, bank_ms=0), SHORT)
    actor, other = duel.actor, duel.other
    clients = duel.lan.crash()
    duel.lan.start_again()
    duel.lan.come_back(*(client for client in clients if client is not actor))
    duel.lan.pass_time(6_000)
    assert duel.asks(other) is not None
    assert [each.timed_out for each in known(other, duel.table)[0].actions] == [True]


def test_nobody_comes_back_and_the_table_waits() -> None:
    """After the grace of all it is paused, and goes on when one is there again."""
    duel = Duel(Lan(), TableOptions(turn_ms=0))
    before = known(duel.actor, duel.table)
    actor = duel.actor
    clients = duel.lan.crash()
    duel.lan.start_again()
    duel.lan.fall_silent(100_000)
    assert duel.room.table.state is TableState.PAUSED
    duel.lan.crash()
    duel.lan.start_again()
    assert duel.room.table.state is TableState.PAUSED
    duel.lan.come_back(*clients)
    after = known(actor, duel.table)
    assert after[0].state is TableState.PLAYING
    assert (after[1], after[0].to_act) == (before[1], before[0].to_act)
    play = duel.room.table.play
    assert play is not None
    assert play.turn == before[0].turn + 1  # the question is asked anew


# --- lives of the server -------------------------------------------------------------------------


def test_each_life_of_a_server_has_a_greater_number() -> None:
    duel = first_turn()
    seen: list[int] = []
    for _ in range(4):
        welcome = duel.anna.session.welcome
        assert welcome is not None
        seen.append(welcome.epoch)
        duel.lan.restart()
    assert seen == sorted(set(seen))


def test_the_answer_to_a_token_is_the_same_session_in_another_life() -> None:
    duel = first_turn()
    before = duel.anna.session.welcome
    duel.lan.restart()
    after = duel.anna.session.welcome
    assert before is not None
    assert after is not None
    assert (after.session, after.resumed, after.name) == (before.session, True, before.name)
    assert after.resume_token != before.resume_token
    assert before.resume_token.encode() not in msgspec.msgpack.encode(duel.lan.store.load())
