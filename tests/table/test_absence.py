"""Players who are not heard any more: grace, substitutes, forfeits, and coming back."""

import pytest

from passing_protocol.errors import ErrorCode
from passing_protocol.events import Fault, ForfeitKind, MatchEnded
from passing_protocol.views import Acted, Clock, SeatState, TableOptions, TableState
from passing_rules import Options
from passing_table import view
from tests.support.sitting import Sitting, engine, person

ANNA, BOB, CYD, DAN = person("anna"), person("bob"), person("cyd"), person("dan")
GREEDY, CALM = engine("greedy"), engine("calm")
LONG = Options.of(2, target=9_999)
THREE = Options.of(3, target=9_999)
PARTNERS = Options.of(4, partners=True, target=9_999)


def invite_and_sit(sitting: Sitting, seat: int = 0) -> None:
    """Let the engine greedy take a seat as the server has it do."""
    assert sitting.table.wants_substitute(sitting.now) == seat
    sitting.table.seats.invite(sitting.now, seat, GREEDY)
    sitting.table.sit(sitting.now, GREEDY, seat)


def substituted(*, wishes: TableOptions | None = None) -> Sitting:
    """Anna has stayed away from a table with Bob, and an engine sits in her seat."""
    sitting = Sitting(LONG, wishes)
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    invite_and_sit(sitting)
    return sitting


def test_during_the_grace_the_clock_runs_and_passes_without_a_strike() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0))
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(900)
    assert sitting.to_act == 0
    sitting.wait(100)
    assert sitting.to_act == 1
    assert sitting.table.seats[0].struck.count == 0
    assert sitting.seat(0) is SeatState.AWAY


def test_who_is_back_within_the_grace_has_the_clock_that_is_left() -> None:
    sitting = Sitting(LONG)
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(12_000)
    sitting.table.back(sitting.now, "anna")
    asked = view.question(sitting.table, 0, sitting.now)
    assert asked is not None
    assert asked.clock == Clock(18_000, 120_000)


@pytest.mark.parametrize(("occupant", "grace_ms"), [(ANNA, 90_000), (GREEDY, 5_000)])
def test_people_are_waited_for_90_s_engines_5(occupant: object, grace_ms: int) -> None:
    sitting = Sitting(THREE, TableOptions(turn_ms=0, absent="forfeit"))
    sitting.begin(ANNA if occupant is ANNA else GREEDY, BOB, CYD)
    sitting.table.away(sitting.now, "anna" if occupant is ANNA else "greedy")
    sitting.wait(grace_ms - 100)
    assert sitting.seat(0) is SeatState.AWAY
    sitting.wait(100)
    assert sitting.seat(0) is SeatState.FORFEITED


def test_absent_pass_passes_turn_by_turn_at_once() -> None:
    sitting = Sitting(LONG, TableOptions(absent="pass"))
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    assert sitting.to_act == 1
    for _ in range(3):
        sitting.act("d")
        sitting.wait(20)
        assert sitting.to_act == 1
    assert sitting.state() is TableState.PLAYING
    assert sitting.table.wants_substitute(sitting.now) is None


def test_absent_forfeit_gives_the_match_to_the_last_who_is_left() -> None:
    sitting = Sitting(THREE, TableOptions(absent="forfeit"))
    sitting.begin(ANNA, BOB, CYD)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    assert sitting.state() is TableState.PLAYING
    sitting.table.leave(sitting.now, "cyd")
    ended = sitting.match_end()
    assert (ended.reason, ended.winner) == ("forfeit", 1)
    assert ended.fault == Fault("player", "left", 2, ForfeitKind.LEFT)


def test_engines_alone_forfeit_when_they_are_lost() -> None:
    sitting = Sitting(LONG)
    sitting.begin(GREEDY, CALM)
    sitting.table.away(sitting.now, "calm")
    sitting.wait(5_100)
    ended = sitting.match_end()
    assert ended.winner == 0
    assert ended.fault == Fault("player", "stayed away", 1, ForfeitKind.AWAY)
    assert sitting.state() is TableState.CLOSED


def test_a_whole_process_of_engines_that_dies_pauses_the_table() -> None:
    sitting = Sitting(LONG)
    sitting.begin(GREEDY, CALM)
    sitting.table.away(sitting.now, "greedy")
    sitting.table.away(sitting.now, "calm")
    sitting.wait(6_000)
    assert sitting.state() is TableState.PAUSED
    sitting.table.back(sitting.now, "greedy")
    sitting.table.back(sitting.now, "calm")
    assert sitting.state() is TableState.PLAYING
    sitting.act("-")


def test_a_person_who_plays_engines_alone_finds_the_table_paused() -> None:
    sitting = Sitting(LONG)
    sitting.begin(ANNA, GREEDY)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(91_000)
    assert sitting.state() is TableState.PAUSED
    assert sitting.table.wants_substitute(sitting.now) is None
    sitting.table.back(sitting.now, "anna")
    assert sitting.state() is TableState.PLAYING


def test_a_person_who_leaves_engines_for_good_loses_to_them() -> None:
    sitting = Sitting(LONG)
    sitting.begin(ANNA, GREEDY)
    sitting.table.leave(sitting.now, "anna")
    assert sitting.match_end().winner == 1
    assert sitting.state() is TableState.CLOSED


def test_a_substitute_answers_with_a_clock_of_its_own_and_no_strikes_of_others() -> None:
    sitting = substituted()
    sitting.act("d") if sitting.to_act == 1 else None
    assert sitting.seat(0) is SeatState.SUBSTITUTE
    assert sitting.table.seats[0].struck.count == 0
    asked = view.question(sitting.table, 0, sitting.now)
    assert asked is not None
    assert asked.clock is not None
    assert asked.clock.turn_ms == 2_000


def test_a_substitute_that_comes_in_the_middle_of_the_turn_gets_the_whole_time() -> None:
    sitting = Sitting(LONG)
    sitting.begin(ANNA, BOB)
    sitting.act("d")
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    sitting.act("d")
    assert sitting.to_act == 0
    invite_and_sit(sitting)
    assert sitting.table.seats[0].struck.count == 0
    sitting.wait(1_900)
    assert sitting.to_act == 0


def test_a_player_who_is_back_gets_the_seat_at_the_next_turn() -> None:
    sitting = substituted()
    sitting.table.back(sitting.now, "anna")
    assert sitting.seat(0) is SeatState.SUBSTITUTE
    assert sitting.table.seats.decides("anna") is None
    sitting.act("d")
    assert sitting.seat(0) is SeatState.TAKEN
    assert sitting.table.seats.decides("anna") == 0
    sitting.take()
    assert sitting.change.dismissed == {"greedy": "replaced"}
    assert 0 in sitting.change.hands


def test_a_player_who_is_back_between_rounds_gets_the_seat_at_once() -> None:
    sitting = substituted()
    while sitting.state() is TableState.PLAYING:
        sitting.wait(800)
        sitting.act("-")
    assert sitting.state() is TableState.BETWEEN
    sitting.table.back(sitting.now, "anna")
    assert sitting.seat(0) is SeatState.TAKEN
    sitting.ready("bob")
    assert sitting.state() is TableState.BETWEEN
    sitting.ready("anna")
    assert sitting.state() is TableState.PLAYING


def test_a_substitute_that_is_lost_leaves_the_seat_to_its_player() -> None:
    sitting = substituted()
    sitting.take()
    sitting.table.away(sitting.now, "greedy")
    sitting.take()
    assert sitting.change.dismissed == {"greedy": "replaced"}
    assert sitting.seat(0) is SeatState.AWAY
    assert sitting.table.seats.seat_of("anna") == 0
    assert sitting.table.wants_substitute(sitting.now) == 0
    sitting.table.back(sitting.now, "anna")
    assert sitting.seat(0) is SeatState.TAKEN


@pytest.mark.parametrize("leaves", [True, False])
def test_a_substitute_that_goes_when_its_player_is_back_hands_over_at_once(leaves: bool) -> None:
    sitting = substituted()
    sitting.act("d") if sitting.to_act == 1 else None
    sitting.table.back(sitting.now, "anna")
    if sitting.seat(0) is SeatState.SUBSTITUTE:
        (sitting.table.leave if leaves else sitting.table.away)(sitting.now, "greedy")
    assert sitting.seat(0) is SeatState.TAKEN
    assert sitting.table.seats.decides("anna") == 0
    sitting.take()
    assert 0 in sitting.change.hands
    assert "anna" not in sitting.change.dismissed


def test_a_substitute_that_leaves_takes_nothing_from_the_absent_owner() -> None:
    sitting = substituted()
    sitting.table.leave(sitting.now, "greedy")
    assert sitting.table.is_owner("anna")
    sitting.table.back(sitting.now, "anna")
    assert sitting.table.seats.decides("anna") == 0


def test_a_player_who_leaves_for_good_leaves_the_seat_to_the_substitute() -> None:
    sitting = substituted()
    sitting.table.leave(sitting.now, "anna")
    assert sitting.seat(0) is SeatState.SUBSTITUTE
    assert sitting.table.is_owner("bob")
    sitting.table.back(sitting.now, "anna")
    assert sitting.table.seats.seat_of("anna") is None


def test_removing_a_seat_with_a_substitute_removes_both() -> None:
    sitting = substituted()
    assert sitting.table.remove(sitting.now, 0) == ["greedy", "anna"]
    assert sitting.table.seats.seat_of("anna") is None


def test_a_player_who_returns_before_the_engine_answers_keeps_the_seat() -> None:
    sitting = Sitting(LONG)
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    sitting.table.seats.invite(sitting.now, 0, GREEDY)
    sitting.table.back(sitting.now, "anna")
    assert sitting.table.seats.invited_seat("greedy") is None
    assert sitting.seat(0) is SeatState.TAKEN


def test_a_player_who_returns_in_the_moment_of_the_pass_is_asked_with_time() -> None:
    sitting = Sitting(LONG)
    sitting.begin(ANNA, BOB)
    sitting.act("d")
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    sitting.act("d")
    sitting.table.back(sitting.now, "anna")
    sitting.wait(5_000)
    assert sitting.to_act == 0
    assert sitting.table.seats[0].struck.count == 0


@pytest.mark.parametrize("wishes", [TableOptions(), TableOptions(absent="pass")])
def test_both_partners_gone_past_the_grace_lose_the_match(wishes: TableOptions) -> None:
    sitting = Sitting(PARTNERS, wishes)
    sitting.begin(ANNA, BOB, CYD, DAN)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(30_000)
    sitting.table.away(sitting.now, "cyd")
    sitting.wait(89_000)
    assert sitting.state() is not TableState.OVER
    sitting.wait(2_000)
    ended = sitting.match_end()
    assert (ended.reason, ended.winner) == ("forfeit", 1)


def test_both_partners_gone_lose_though_an_engine_stands_in_for_one() -> None:
    sitting = Sitting(PARTNERS)
    sitting.begin(ANNA, BOB, CYD, DAN)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    invite_and_sit(sitting)
    sitting.table.away(sitting.now, "cyd")
    sitting.wait(90_100)
    assert sitting.match_end().winner == 1
    assert sitting.change.dismissed or sitting.told(MatchEnded)
    assert sitting.table.seats.decides("greedy") is None


def test_one_partner_who_stays_plays_on() -> None:
    sitting = Sitting(PARTNERS, TableOptions(absent="pass"))
    sitting.begin(ANNA, BOB, CYD, DAN)
    sitting.table.leave(sitting.now, "anna")
    sitting.wait(95_000)
    assert sitting.state() is not TableState.OVER


def test_an_absent_player_does_not_hold_up_the_next_round() -> None:
    sitting = Sitting(LONG, TableOptions(absent="pass"))
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    while sitting.state() is TableState.PLAYING:
        sitting.act("-")
        sitting.wait(20)
    assert sitting.state() is TableState.BETWEEN
    sitting.ready("bob")
    assert sitting.state() is TableState.PLAYING


def test_a_person_who_is_lost_as_the_round_ends_is_given_the_time_between() -> None:
    sitting = Sitting(LONG)
    sitting.begin(ANNA, GREEDY)
    sitting.act("-")
    sitting.act("-")
    sitting.table.away(sitting.now, "anna")
    sitting.wait(700)
    assert sitting.state() is TableState.BETWEEN


def test_who_forfeited_and_left_the_net_is_away_after_the_match() -> None:
    sitting = Sitting(LONG, TableOptions(absent="forfeit"))
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    assert sitting.state() is TableState.OVER
    assert sitting.seat(0) is SeatState.AWAY
    assert sitting.refusal("-", seat=0) in (ErrorCode.ROUND_OVER, ErrorCode.STALE_TURN)


def test_every_turn_of_an_absent_seat_is_told_as_a_pass_by_time() -> None:
    sitting = Sitting(LONG, TableOptions(absent="pass"))
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    acted = [event for event in sitting.told(Acted) if isinstance(event, Acted)]
    assert all(event.timed_out for event in acted if event.seat == 0)
    assert any(event.seat == 0 for event in acted)


def test_a_forfeit_between_rounds_holds_up_nobody() -> None:
    sitting = Sitting(THREE, TableOptions(absent="forfeit"))
    sitting.begin(ANNA, BOB, CYD)
    sitting.pass_round()
    sitting.ready("anna", "bob")
    assert sitting.state() is TableState.BETWEEN
    sitting.table.leave(sitting.now, "cyd")
    assert sitting.state() is TableState.PLAYING


def test_who_forfeits_on_turn_is_passed_for_at_once() -> None:
    sitting = Sitting(THREE, TableOptions(absent="forfeit"))
    sitting.begin(ANNA, BOB, CYD)
    sitting.table.leave(sitting.now, "anna")
    sitting.wait(20)
    assert sitting.to_act == 1
    assert sitting.seat(0) is SeatState.FORFEITED
    sitting.wait(100)
    assert sitting.to_act == 1
