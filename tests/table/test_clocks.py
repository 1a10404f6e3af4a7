"""Clocks, strikes and faults: the table's clock decides, and nothing is ever played for anyone."""

import pytest

from passing_protocol.errors import ErrorCode
from passing_protocol.events import SeatChanged
from passing_protocol.views import Acted, Ask, Clock, SeatState, TableOptions, TableState
from passing_protocol.wire import ActionMessage
from passing_rules import Options
from passing_table import Occupant, Outcome, view
from tests.support.sitting import Sitting, engine, person

ANNA, BOB, CYD = person("anna"), person("bob"), person("cyd")
GREEDY, CALM = engine("greedy"), engine("calm")
LONG = Options.of(2, target=9_999)


def question(sitting: Sitting, seat: int) -> Ask:
    asked = view.question(sitting.table, seat, sitting.now)
    assert asked is not None
    return asked


def strikes(sitting: Sitting, seat: int) -> int:
    return sitting.table.seats[seat].struck.count


@pytest.mark.parametrize(
    ("occupant", "turn_ms", "bank_ms"), [(ANNA, 30_000, 120_000), (GREEDY, 2_000, 10_000)]
)
def test_people_have_30_and_120_s_engines_2_and_10(
    occupant: Occupant, turn_ms: int, bank_ms: int
) -> None:
    sitting = Sitting(LONG)
    sitting.begin(occupant, BOB)
    assert question(sitting, 0).clock == Clock(turn_ms, bank_ms)


def test_the_bank_is_used_after_the_turn_and_for_the_whole_match() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=500))
    sitting.begin(ANNA, BOB)
    sitting.wait(1_300)
    assert question(sitting, 0).clock == Clock(0, 200)
    sitting.act("d")
    sitting.act("d")
    assert question(sitting, 0).clock == Clock(1_000, 200)
    sitting.wait(1_200)
    assert sitting.to_act == 1


def test_the_bank_is_full_again_in_the_next_match() -> None:
    sitting = Sitting(Options.of(2, max_rounds=1), TableOptions(turn_ms=1_000, bank_ms=500))
    sitting.begin(ANNA, BOB)
    sitting.wait(1_400)
    sitting.pass_round()
    sitting.ready("anna", "bob")
    assert question(sitting, 0).clock == Clock(1_000, 500)


def test_who_does_not_answer_in_time_passes_and_gets_a_strike() -> None:
    sitting = Sitting(LONG)
    sitting.begin(ANNA, BOB)
    sitting.wait(149_900)
    assert sitting.to_act == 0
    sitting.wait(100)
    assert sitting.to_act == 1
    passed = Acted(0, 1, ActionMessage(pass_=True), timed_out=True)
    assert passed in sitting.told(Acted)
    assert strikes(sitting, 0) == 1


def test_strikes_are_told_and_cleared_by_an_answer_in_time() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0))
    sitting.begin(ANNA, BOB)
    sitting.wait(1_000)
    sitting.act("d")
    sitting.act("d")
    told = [
        event.info.strikes
        for event in sitting.told(SeatChanged)
        if isinstance(event, SeatChanged) and event.seat == 0
    ]
    assert told[-2:] == [1, 0]


def test_a_refused_action_does_not_reset_the_clock() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0))
    sitting.begin(ANNA, BOB)
    for _ in range(9):
        sitting.wait(100)
        assert sitting.refusal(sitting.tile_not_held(0)) is ErrorCode.NOT_IN_HAND
    assert question(sitting, 0).clock == Clock(100, 0)
    sitting.wait(100)
    assert sitting.to_act == 1


def test_a_late_answer_is_refused_and_never_counts_for_the_next_turn() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0))
    sitting.begin(ANNA, BOB)
    sitting.wait(1_000)
    assert sitting.refusal("d", seat=0, turn=1) is ErrorCode.TOO_LATE
    sitting.act("d")
    assert sitting.to_act == 0
    assert sitting.refusal("d", seat=0, turn=1) is ErrorCode.TOO_LATE
    assert sitting.to_act == 0


def test_an_answer_that_comes_before_the_time_out_is_noticed_is_late_all_the_same() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0))
    sitting.begin(ANNA, BOB)
    sitting.now += 1_001
    assert sitting.refusal("d") is ErrorCode.TOO_LATE
    assert sitting.to_act == 1
    assert strikes(sitting, 0) == 1


def test_an_answer_in_the_last_millisecond_counts() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0))
    sitting.begin(ANNA, BOB)
    sitting.now += 1_000
    assert sitting.act("d") is Outcome.DONE


def test_there_is_no_clock_at_seeded_tables_or_where_it_is_turned_off() -> None:
    for sitting in (Sitting(LONG, clocked=False), Sitting(LONG, TableOptions(turn_ms=0))):
        sitting.begin(ANNA, BOB)
        assert question(sitting, 0).clock is None
        sitting.wait(10_000_000, step=100_000)
        assert sitting.to_act == 0
        assert strikes(sitting, 0) == 0


def test_a_seeded_table_has_a_clock_if_its_maker_wants_one() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0), clocked=False)
    sitting.begin(ANNA, BOB)
    sitting.wait(1_000)
    assert sitting.to_act == 1


def time_out(sitting: Sitting, times: int) -> None:
    """Let seat 0 run out of time so often; the other draws, so that no round ends."""
    for _ in range(times):
        while sitting.to_act != 0:
            sitting.act("d")
        sitting.wait(1_000)


@pytest.mark.parametrize(
    ("faults", "allowed"), [("forfeit", 3), ("retry:0", 3), ("retry:2", 5), (None, 3)]
)
def test_after_three_strikes_and_the_retries_a_seat_is_forfeited(
    faults: str | None, allowed: int
) -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0, faults=faults))
    sitting.begin(*((GREEDY, CALM) if faults is None else (ANNA, BOB)))
    time_out(sitting, allowed - 1)
    assert sitting.state() is TableState.PLAYING
    time_out(sitting, 1)
    ended = sitting.match_end()
    assert (ended.reason, ended.winner) == ("forfeit", 1)
    assert ended.fault is not None
    assert (ended.fault.owner, ended.fault.seat) == ("player", 0)


@pytest.mark.parametrize("faults", ["pass", None])
def test_people_are_passed_for_however_often_their_time_is_up(faults: str | None) -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0, faults=faults))
    sitting.begin(ANNA, BOB)
    time_out(sitting, 9)
    assert sitting.state() is TableState.PLAYING
    assert strikes(sitting, 0) == 9


def test_strikes_must_come_in_a_row() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0, faults="forfeit"))
    sitting.begin(ANNA, BOB)
    for _ in range(3):
        time_out(sitting, 2)
        sitting.act("d")
        sitting.act("-")
    assert sitting.state() is TableState.PLAYING


def test_a_forfeited_seat_is_passed_for_at_once_and_the_others_play_on() -> None:
    sitting = Sitting(
        Options.of(3, target=9_999), TableOptions(turn_ms=1_000, bank_ms=0, faults="forfeit")
    )
    sitting.begin(ANNA, BOB, CYD)
    time_out(sitting, 3)
    assert sitting.seat(0) is SeatState.FORFEITED
    sitting.play("d -")
    assert sitting.to_act == 0
    sitting.take()
    assert sitting.change.asked is None
    assert view.question(sitting.table, 0, sitting.now) is None
    assert sitting.refusal("d", seat=0) is ErrorCode.NOT_SEATED
    sitting.wait(20)
    assert sitting.to_act == 1
    assert sitting.state() is TableState.PLAYING


def test_who_forfeited_is_there_again_for_the_rematch() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0, faults="forfeit"))
    sitting.begin(ANNA, BOB)
    time_out(sitting, 3)
    assert sitting.state() is TableState.OVER
    assert sitting.seat_told(0)[-2:] == [SeatState.FORFEITED, SeatState.TAKEN]
    assert sitting.to_act is None
    assert sitting.refusal("-", seat=1) is ErrorCode.ROUND_OVER
    sitting.ready("anna", "bob")
    assert sitting.state() is TableState.PLAYING
    assert strikes(sitting, 0) == 0


def test_an_engine_that_is_refused_three_times_in_a_turn_has_lost_it() -> None:
    sitting = Sitting(LONG)
    sitting.begin(GREEDY, CALM)
    for _ in range(3):
        assert sitting.to_act == 0
        assert sitting.refusal(sitting.tile_not_held(0), seat=0) is ErrorCode.NOT_IN_HAND
    assert sitting.to_act == 1
    assert strikes(sitting, 0) == 1


def test_a_person_may_be_refused_as_often_as_they_like() -> None:
    sitting = Sitting(LONG)
    sitting.begin(ANNA, BOB)
    for _ in range(20):
        assert sitting.refusal(sitting.tile_not_held(0)) is ErrorCode.NOT_IN_HAND
    assert sitting.to_act == 0


def test_an_engine_at_a_table_of_people_is_shown_no_earlier_than_700_ms() -> None:
    sitting = Sitting(LONG)
    sitting.begin(GREEDY, BOB)
    sitting.wait(100)
    assert sitting.act("-") is Outcome.HELD
    sitting.wait(580)
    assert sitting.to_act == 0
    assert sitting.told(Acted) == []
    sitting.wait(20)
    assert sitting.to_act == 1


def test_while_an_action_is_held_the_turn_is_decided() -> None:
    sitting = Sitting(LONG)
    sitting.begin(GREEDY, BOB)
    assert sitting.act("-") is Outcome.HELD
    assert view.question(sitting.table, 0, sitting.now) is None
    assert sitting.act("-") is Outcome.REPEATED
    assert sitting.refusal("d") is ErrorCode.TURN_DECIDED


def test_the_time_an_action_is_held_costs_nothing() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=100, bank_ms=1_000, pace_ms=5_000))
    sitting.begin(GREEDY, BOB)
    sitting.wait(300)
    sitting.act("-")
    sitting.wait(4_700)
    assert sitting.to_act == 1
    assert sitting.table.seats[0].bank_ms == 800
    assert strikes(sitting, 0) == 0


def test_an_action_that_is_held_is_not_lost_when_its_engine_goes_away() -> None:
    sitting = Sitting(LONG, TableOptions(pace_ms=9_000))
    sitting.begin(GREEDY, BOB)
    sitting.act("d")
    sitting.table.away(sitting.now, "greedy")
    sitting.wait(9_000)
    assert sitting.told(Acted) == [Acted(0, 1, ActionMessage(draw=True))]


def test_an_action_that_is_held_is_shown_when_its_engine_leaves() -> None:
    sitting = Sitting(Options.of(3))
    sitting.begin(GREEDY, BOB, CYD)
    sitting.act("d")
    sitting.table.leave(sitting.now, "greedy")
    assert sitting.told(Acted)[0] == Acted(0, 1, ActionMessage(draw=True))


@pytest.mark.parametrize(
    ("occupants", "wishes", "shown"),
    [
        ((GREEDY, CALM), TableOptions(), Outcome.DONE),
        ((GREEDY, CALM), TableOptions(pace_ms=50), Outcome.HELD),
        ((GREEDY, BOB), TableOptions(pace_ms=0), Outcome.DONE),
    ],
)
def test_engines_alone_play_at_their_own_pace(
    occupants: tuple[Occupant, ...], wishes: TableOptions, shown: Outcome
) -> None:
    sitting = Sitting(LONG, wishes)
    sitting.begin(*occupants)
    assert sitting.act("-") is shown


def test_a_person_is_never_held_back() -> None:
    sitting = Sitting(LONG)
    sitting.begin(ANNA, GREEDY)
    assert sitting.act("-") is Outcome.DONE
