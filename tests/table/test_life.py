"""The life of a table: every transition of its one table of transitions."""

import pytest

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import MatchBegan, StateChanged
from passing_protocol.views import TableOptions, TableState
from passing_rules import Options
from passing_table import view
from passing_table.states import TRANSITIONS, Cause
from tests.support.sitting import Sitting, engine, person

ANNA, BOB, CYD = person("anna"), person("bob"), person("cyd")
GREEDY, CALM = engine("greedy"), engine("calm")


def test_every_state_but_the_last_has_a_way_on_and_every_cause_a_place() -> None:
    assert set(TRANSITIONS) == set(TableState)
    assert [state for state, ways in TRANSITIONS.items() if not ways] == [TableState.CLOSED]
    assert {cause for ways in TRANSITIONS.values() for cause in ways} == set(Cause)


def test_a_table_is_open_until_every_seat_is_filled() -> None:
    sitting = Sitting(Options.of(3))
    sitting.sit(ANNA, BOB)
    assert sitting.state() is TableState.OPEN
    sitting.sit(CYD)
    assert sitting.state() is TableState.STARTING


def test_a_table_that_is_starting_opens_again_when_somebody_leaves() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.table.leave(sitting.now, "bob")
    assert sitting.states() == [TableState.STARTING, TableState.OPEN]


def test_the_match_begins_when_all_are_ready() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.ready("anna")
    assert sitting.state() is TableState.STARTING
    sitting.ready("bob")
    assert sitting.state() is TableState.PLAYING
    assert sitting.told(MatchBegan) == [MatchBegan("m1", 101)]


def test_the_owner_starts_without_waiting_for_the_others() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.table.start(sitting.now)
    assert sitting.state() is TableState.PLAYING


def test_nothing_is_started_while_a_seat_is_empty_or_a_match_is_on() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA)
    verify_not_started(sitting)
    sitting.sit(BOB)
    sitting.ready("anna", "bob")
    verify_not_started(sitting)


def verify_not_started(sitting: Sitting) -> None:
    with pytest.raises(RequestRefused) as refused:
        sitting.table.start(sitting.now)
    assert refused.value.code is ErrorCode.TABLE_STATE


def test_engines_alone_begin_as_soon_as_they_sit() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(GREEDY, CALM)
    assert sitting.state() is TableState.PLAYING


def test_engines_alone_begin_when_the_one_that_was_away_is_back() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(GREEDY)
    sitting.table.away(sitting.now, "greedy")
    sitting.sit(CALM)
    assert sitting.state() is TableState.STARTING
    sitting.wait(4_000)
    sitting.table.back(sitting.now, "greedy")
    assert sitting.state() is TableState.PLAYING


def test_a_table_that_is_starting_does_not_end_as_an_empty_one() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(GREEDY)
    sitting.wait(299_000)
    sitting.table.away(sitting.now, "greedy")
    sitting.sit(CALM)
    sitting.wait(6_000)
    assert sitting.states() == [TableState.STARTING, TableState.OPEN]


def test_the_match_begins_when_one_who_is_ready_is_back() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.ready("anna")
    sitting.table.away(sitting.now, "anna")
    sitting.ready("bob")
    assert sitting.state() is TableState.STARTING
    sitting.table.back(sitting.now, "anna")
    assert sitting.state() is TableState.PLAYING


def test_people_have_20_s_between_two_rounds() -> None:
    sitting = Sitting(Options.of(2, target=9_999))
    sitting.begin(ANNA, BOB)
    sitting.pass_round()
    assert sitting.state() is TableState.BETWEEN
    assert StateChanged(TableState.BETWEEN, 20_000) in sitting.take()
    sitting.wait(19_900)
    assert sitting.state() is TableState.BETWEEN
    sitting.wait(200)
    assert sitting.state() is TableState.PLAYING


def test_the_next_round_begins_at_once_when_all_are_ready() -> None:
    sitting = Sitting(Options.of(2, target=9_999))
    sitting.begin(ANNA, GREEDY)
    sitting.wait(1_000)
    while sitting.state() is TableState.PLAYING:
        sitting.act("-")
        sitting.wait(1_000)
    assert sitting.state() is TableState.BETWEEN
    sitting.ready("anna")
    assert sitting.state() is TableState.PLAYING


def test_engines_alone_do_not_wait_between_rounds() -> None:
    sitting = Sitting(Options.of(2, target=9_999))
    sitting.begin(GREEDY, CALM)
    sitting.pass_round()
    assert sitting.state() is TableState.PLAYING
    assert TableState.BETWEEN not in sitting.states()


def test_a_rematch_has_the_same_seats_a_new_match_and_turns_that_go_on() -> None:
    sitting = Sitting(Options.of(2, max_rounds=1))
    sitting.begin(ANNA, BOB)
    sitting.pass_round()
    assert sitting.state() is TableState.OVER
    last_turn = sitting.turn
    sitting.wait(30_000)
    sitting.ready("anna", "bob")
    assert sitting.state() is TableState.PLAYING
    assert sitting.turn == last_turn + 1
    assert [event.match for event in sitting.told(MatchBegan) if isinstance(event, MatchBegan)] == [
        "m1",
        "m2",
    ]
    assert [seat.occupant for seat in sitting.table.seats] == [ANNA, BOB]
    assert sitting.table.play is not None
    assert sitting.table.play.match.scores == (0, 0)


def test_people_have_60_s_to_agree_on_a_rematch() -> None:
    sitting = Sitting(Options.of(2, max_rounds=1))
    sitting.begin(ANNA, BOB)
    sitting.pass_round()
    assert StateChanged(TableState.OVER, 60_000) in sitting.take()
    sitting.ready("anna")
    sitting.wait(60_100)
    with pytest.raises(RequestRefused) as refused:
        sitting.ready("bob")
    assert refused.value.code is ErrorCode.TABLE_STATE


def test_no_rematch_begins_without_a_player_who_is_away() -> None:
    sitting = Sitting(Options.of(2, max_rounds=1))
    sitting.begin(ANNA, BOB)
    sitting.pass_round()
    sitting.table.away(sitting.now, "bob")
    sitting.ready("anna")
    assert sitting.state() is TableState.OVER
    sitting.table.back(sitting.now, "bob")
    sitting.ready("bob")
    assert sitting.state() is TableState.PLAYING


def test_a_newcomer_can_take_an_empty_seat_for_the_rematch() -> None:
    sitting = Sitting(Options.of(2, max_rounds=1))
    sitting.begin(ANNA, BOB)
    sitting.pass_round()
    sitting.table.leave(sitting.now, "bob")
    sitting.ready("anna")
    sitting.sit(GREEDY)
    assert sitting.state() is TableState.PLAYING


def test_an_empty_table_is_closed_after_5_min() -> None:
    sitting = Sitting(Options.of(2))
    sitting.wait(299_900, step=100)
    assert sitting.state() is TableState.OPEN
    sitting.wait(100)
    assert sitting.state() is TableState.CLOSED


def test_a_table_with_a_person_is_not_closed() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA)
    sitting.wait(400_000, step=1_000)
    assert sitting.state() is TableState.OPEN


def test_a_table_that_the_last_person_leaves_is_closed_5_min_later() -> None:
    sitting = Sitting(Options.of(3))
    sitting.sit(ANNA, GREEDY)
    sitting.wait(200_000, step=1_000)
    sitting.table.leave(sitting.now, "anna")
    sitting.wait(299_000, step=1_000)
    assert sitting.state() is TableState.OPEN
    sitting.wait(1_000)
    assert sitting.state() is TableState.CLOSED


def test_a_table_is_closed_10_min_after_the_match() -> None:
    sitting = Sitting(Options.of(2, max_rounds=1))
    sitting.begin(ANNA, BOB)
    sitting.pass_round()
    sitting.wait(599_000, step=1_000)
    assert sitting.state() is TableState.OVER
    sitting.wait(1_000)
    assert sitting.states()[-2:] == [TableState.OVER, TableState.CLOSED]


def test_a_table_of_engines_alone_is_closed_with_its_match() -> None:
    sitting = Sitting(Options.of(2, max_rounds=1))
    sitting.begin(GREEDY, CALM)
    sitting.pass_round()
    assert sitting.states()[-2:] == [TableState.OVER, TableState.CLOSED]


def test_a_table_pauses_when_all_people_are_gone_and_goes_on_with_the_first_back() -> None:
    sitting = Sitting(Options.of(2, target=9_999))
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.table.away(sitting.now, "bob")
    sitting.wait(91_000)
    assert sitting.state() is TableState.PAUSED
    turn = sitting.turn
    assert sitting.refusal("-") is ErrorCode.TABLE_STATE
    sitting.wait(3_600_000, step=60_000)
    sitting.table.back(sitting.now, "bob")
    assert sitting.states()[-2:] == [TableState.PAUSED, TableState.PLAYING]
    assert sitting.turn == turn + 1


def test_a_pause_between_rounds_ends_with_the_next_round() -> None:
    sitting = Sitting(Options.of(2, target=9_999))
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(80_000)
    while sitting.state() is TableState.PLAYING:
        sitting.act("-")
    sitting.table.away(sitting.now, "bob")
    assert sitting.state() is TableState.BETWEEN
    sitting.wait(11_000)
    assert sitting.state() is TableState.PAUSED
    sitting.table.back(sitting.now, "anna")
    assert sitting.state() is TableState.PLAYING
    assert sitting.table.play is not None
    assert sitting.table.play.match.round_number == 2


def test_a_table_parked_for_24_h_is_abandoned() -> None:
    sitting = Sitting(Options.of(2, target=9_999))
    sitting.begin(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.table.away(sitting.now, "bob")
    sitting.wait(91_000)
    sitting.wait(86_390_000, step=60_000)
    assert sitting.state() is TableState.PAUSED
    sitting.wait(20_000, step=1_000)
    assert sitting.states()[-3:] == [TableState.PAUSED, TableState.OVER, TableState.CLOSED]
    assert sitting.match_end().reason == "abandoned"
    assert sitting.match_end().winner is None


def test_a_match_that_everybody_has_left_is_abandoned_at_once() -> None:
    sitting = Sitting(Options.of(2), TableOptions(absent="pass"))
    sitting.begin(ANNA, BOB)
    sitting.table.leave(sitting.now, "anna")
    assert sitting.state() is TableState.PLAYING
    sitting.table.leave(sitting.now, "bob")
    assert sitting.state() is TableState.CLOSED
    assert sitting.match_end().reason == "abandoned"


def test_a_match_may_end_between_two_rounds() -> None:
    sitting = Sitting(Options.of(2, target=9_999), TableOptions(absent="forfeit"))
    sitting.begin(ANNA, BOB)
    sitting.pass_round()
    assert sitting.state() is TableState.BETWEEN
    sitting.table.leave(sitting.now, "bob")
    assert sitting.state() is TableState.OVER
    assert sitting.match_end().winner == 0


def test_nothing_happens_any_more_at_a_closed_table() -> None:
    sitting = Sitting(Options.of(2))
    sitting.wait(300_000, step=1_000)
    assert sitting.table.due is None
    sitting.table.tick(sitting.now + 10**9)
    assert sitting.state() is TableState.CLOSED
    with pytest.raises(RequestRefused) as refused:
        sitting.sit(ANNA)
    assert refused.value.code is ErrorCode.TABLE_STATE


def test_a_newcomer_after_a_match_is_shown_no_hand_of_it() -> None:
    sitting = Sitting(Options.of(3, max_rounds=1))
    sitting.begin(ANNA, BOB, CYD)
    sitting.pass_round()
    kept = view.mine(sitting.table, 0)
    sitting.table.leave(sitting.now, "bob")
    sitting.table.leave(sitting.now, "cyd")
    sitting.sit(person("dora"), BOB)
    assert len(kept.hand) == sitting.table.options.hand_size
    assert view.mine(sitting.table, 0) == kept
    assert view.mine(sitting.table, 1).hand == []
    assert view.mine_at_the_join(sitting.table, 2).hand == []
    assert view.question(sitting.table, 1, sitting.now) is None
    sitting.ready("anna", "dora", "bob")
    assert len(view.mine(sitting.table, 1).hand) == sitting.table.options.hand_size


def test_nobody_sits_down_after_the_time_for_another_match() -> None:
    sitting = Sitting(Options.of(2, max_rounds=1))
    sitting.begin(ANNA, BOB)
    sitting.pass_round()
    sitting.table.leave(sitting.now, "bob")
    sitting.wait(60_100)
    with pytest.raises(RequestRefused) as refused:
        sitting.sit(CYD)
    assert refused.value.code is ErrorCode.TABLE_STATE
    with pytest.raises(RequestRefused) as refused:
        sitting.table.invite(sitting.now, GREEDY, None)
    assert refused.value.code is ErrorCode.TABLE_STATE
