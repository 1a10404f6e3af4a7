"""Who sits where: invitations, names, the owner, removing, and seats of those who go."""

import pytest

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import OwnerChanged, WatchersChanged
from passing_protocol.views import SeatInfo, SeatState, TableOptions, TableState
from passing_rules import Options
from passing_table import Occupant
from tests.support.sitting import Sitting, engine, person

ANNA, BOB, CYD = person("anna"), person("bob"), person("cyd")
GREEDY, CALM = engine("greedy"), engine("calm")


def verify_refused(code: ErrorCode, sitting: Sitting, key: str, seat: int | None = None) -> None:
    with pytest.raises(RequestRefused) as refused:
        sitting.table.sit(sitting.now, person(key), seat)
    assert refused.value.code is code


def test_one_takes_the_seat_one_wants_or_the_first_that_is_free() -> None:
    sitting = Sitting(Options.of(4))
    assert sitting.table.sit(sitting.now, ANNA, 1) == 1
    assert sitting.table.sit(sitting.now, BOB, None) == 0
    assert sitting.table.sit(sitting.now, CYD, None) == 2


def test_a_seat_is_taken_once_and_a_person_sits_once() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA)
    verify_refused(ErrorCode.SEAT_TAKEN, sitting, "bob", 0)
    verify_refused(ErrorCode.SEAT_TAKEN, sitting, "anna", 1)
    verify_refused(ErrorCode.MALFORMED, sitting, "bob", 2)
    sitting.sit(BOB)
    verify_refused(ErrorCode.TABLE_FULL, sitting, "cyd")


@pytest.mark.parametrize("name", ["Bob", "b0b", "\u0412ob"])
def test_two_names_that_read_the_same_do_not_share_a_table(name: str) -> None:
    sitting = Sitting(Options.of(3))
    sitting.sit(BOB)
    verify_refused(ErrorCode.NAME_TAKEN, sitting, name)


def test_nobody_sits_down_in_the_middle_of_a_match() -> None:
    sitting = Sitting(Options.of(2))
    sitting.begin(ANNA, BOB)
    sitting.table.leave(sitting.now, "bob")
    verify_refused(ErrorCode.TABLE_FULL, sitting, "cyd")
    verify_refused(ErrorCode.SEAT_TAKEN, sitting, "cyd", 1)


def test_a_seat_is_kept_10_s_for_an_invited_engine() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA)
    assert sitting.table.invite(sitting.now, GREEDY, None) == 1
    assert sitting.seat(1) is SeatState.INVITED
    verify_refused(ErrorCode.SEAT_TAKEN, sitting, "bob", 1)
    verify_refused(ErrorCode.TABLE_FULL, sitting, "bob")
    sitting.wait(9_900)
    assert sitting.seat(1) is SeatState.INVITED
    sitting.wait(100)
    assert sitting.seat(1) is SeatState.EMPTY
    sitting.sit(BOB)


def test_an_invitation_says_who_is_expected() -> None:
    sitting = Sitting(Options.of(2))
    sitting.table.invite(sitting.now, GREEDY, 1)
    expected = SeatInfo(SeatState.INVITED, "greedy", "greedy 1.0")
    assert sitting.table.seats[1].info() == expected


def test_an_engine_takes_the_seat_it_was_invited_to() -> None:
    sitting = Sitting(Options.of(3))
    sitting.sit(ANNA)
    sitting.table.invite(sitting.now, GREEDY, 2)
    assert sitting.table.sit(sitting.now, GREEDY, None) == 2
    assert sitting.table.seats[2].ready


def test_an_engine_that_sits_elsewhere_leaves_the_seat_it_was_invited_to() -> None:
    sitting = Sitting(Options.of(3))
    sitting.table.invite(sitting.now, GREEDY, 2)
    assert sitting.table.sit(sitting.now, GREEDY, 0) == 0
    assert sitting.seat(2) is SeatState.EMPTY


def test_an_engine_declines() -> None:
    sitting = Sitting(Options.of(2))
    sitting.table.invite(sitting.now, GREEDY, 1)
    sitting.table.decline("greedy")
    assert sitting.seat(1) is SeatState.EMPTY
    with pytest.raises(RequestRefused) as refused:
        sitting.table.decline("greedy")
    assert refused.value.code is ErrorCode.NOT_SEATED


def test_an_engine_is_not_invited_to_a_seat_or_a_name_that_is_taken() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA)
    for occupant, seat, code in (
        (GREEDY, 0, ErrorCode.SEAT_TAKEN),
        (Occupant("e1", "Anna", "greedy 1.0"), 1, ErrorCode.NAME_TAKEN),
        (GREEDY, 5, ErrorCode.MALFORMED),
    ):
        with pytest.raises(RequestRefused) as refused:
            sitting.table.invite(sitting.now, occupant, seat)
        assert refused.value.code is code


def test_the_first_person_owns_the_table_and_engines_never_do() -> None:
    sitting = Sitting(Options.of(4))
    sitting.sit(GREEDY)
    assert sitting.table.seats.owner is None
    assert sitting.table.is_owner("maker")
    sitting.sit(ANNA)
    assert sitting.told(OwnerChanged) == [OwnerChanged(1)]
    assert sitting.table.is_owner("anna")
    assert not sitting.table.is_owner("maker")
    assert not sitting.table.is_owner("greedy")


def test_ownership_goes_to_the_next_person_by_seat() -> None:
    sitting = Sitting(Options.of(4))
    for occupant, seat in ((ANNA, 2), (GREEDY, 3), (BOB, 0), (CYD, 1)):
        sitting.table.sit(sitting.now, occupant, seat)
    sitting.table.leave(sitting.now, "anna")
    assert sitting.table.is_owner("bob")
    sitting.table.leave(sitting.now, "bob")
    assert sitting.table.is_owner("cyd")
    sitting.table.leave(sitting.now, "cyd")
    assert sitting.told(OwnerChanged)[-1] == OwnerChanged(None)
    sitting.sit(BOB)
    assert sitting.table.is_owner("bob")


def test_ownership_moves_on_in_the_middle_of_a_match() -> None:
    sitting = Sitting(Options.of(3))
    sitting.begin(ANNA, BOB, CYD)
    sitting.table.leave(sitting.now, "anna")
    assert sitting.table.seats.owner == 1


def test_the_owner_removes_a_player_or_an_invitation() -> None:
    sitting = Sitting(Options.of(3))
    sitting.sit(ANNA, BOB)
    sitting.table.invite(sitting.now, GREEDY, 2)
    assert sitting.table.remove(sitting.now, 1) == ["bob"]
    assert sitting.table.remove(sitting.now, 2) == []
    assert [sitting.seat(seat) for seat in (1, 2)] == [SeatState.EMPTY] * 2
    for seat in (1, 3):
        with pytest.raises(RequestRefused) as refused:
            sitting.table.remove(sitting.now, seat)
        assert refused.value.code is ErrorCode.NOT_SEATED


def test_who_was_removed_in_a_match_cannot_be_removed_again() -> None:
    sitting = Sitting(Options.of(3))
    sitting.begin(ANNA, BOB, CYD)
    assert sitting.table.remove(sitting.now, 1) == ["bob"]
    with pytest.raises(RequestRefused) as refused:
        sitting.table.remove(sitting.now, 1)
    assert refused.value.code is ErrorCode.NOT_SEATED


def test_one_leaves_once() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA)
    sitting.table.leave(sitting.now, "anna")
    with pytest.raises(RequestRefused) as refused:
        sitting.table.leave(sitting.now, "anna")
    assert refused.value.code is ErrorCode.NOT_SEATED


def test_only_who_decides_at_a_seat_says_ready() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA)
    for key, code in (("bob", ErrorCode.NOT_SEATED), ("anna", ErrorCode.TABLE_STATE)):
        with pytest.raises(RequestRefused) as refused:
            sitting.ready(key)
        assert refused.value.code is code


def test_before_the_match_a_seat_is_free_after_90_s_of_absence() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(89_900, step=100)
    assert sitting.seat(0) is SeatState.AWAY
    sitting.wait(2_000, step=100)
    assert sitting.seat(0) is SeatState.EMPTY
    assert sitting.state() is TableState.OPEN
    assert sitting.table.seats.owner == 1
    sitting.take()
    assert sitting.change.dismissed == {"anna": "removed"}


def test_who_is_back_in_time_keeps_the_seat() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(60_000, step=100)
    sitting.table.back(sitting.now, "anna")
    sitting.wait(60_000, step=100)
    assert sitting.seat_told(0) == [SeatState.TAKEN, SeatState.AWAY, SeatState.TAKEN]


def test_sides_follow_the_seats_whoever_fills_them_in_whatever_order() -> None:
    sitting = Sitting(Options.of(4, partners=True))
    for occupant, seat in ((ANNA, 3), (BOB, 1), (GREEDY, 0), (CALM, 2)):
        sitting.table.sit(sitting.now, occupant, seat)
    sitting.table.leave(sitting.now, "bob")
    sitting.table.sit(sitting.now, CYD, 1)
    sitting.ready("anna", "cyd")
    assert [sitting.table.options.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [seat.occupant for seat in sitting.table.seats] == [GREEDY, CYD, CALM, ANNA]


def test_how_many_watch_is_told() -> None:
    sitting = Sitting(Options.of(2))
    sitting.table.watchers(3)
    assert sitting.told(WatchersChanged) == [WatchersChanged(3)]


# --- engines for whom nobody is left


def test_the_engines_of_an_open_table_go_with_the_last_person() -> None:
    sitting = Sitting(Options.of(4))
    sitting.sit(ANNA, GREEDY, BOB)
    sitting.table.invite(sitting.now, CALM, 3)
    sitting.table.leave(sitting.now, "anna")
    sitting.take()
    assert sitting.seat(1) is SeatState.TAKEN
    sitting.table.leave(sitting.now, "bob")
    sitting.take()
    assert sitting.change.dismissed == {"greedy": "removed"}
    assert [seat.state for seat in sitting.table.seats] == [SeatState.EMPTY] * 4
    assert sitting.state() is TableState.OPEN
    sitting.sit(CYD)
    assert sitting.table.is_owner("cyd")


def test_engines_that_were_about_to_start_go_with_the_person() -> None:
    sitting = Sitting(Options.of(2))
    sitting.sit(ANNA, GREEDY)
    assert sitting.state() is TableState.STARTING
    sitting.table.leave(sitting.now, "anna")
    sitting.take()
    assert sitting.change.dismissed == {"greedy": "removed"}
    assert sitting.state() is TableState.OPEN


def test_they_go_also_with_one_who_only_stays_away() -> None:
    sitting = Sitting(Options.of(3))
    sitting.sit(ANNA, GREEDY)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_000)
    assert sitting.seat(1) is SeatState.EMPTY


def test_an_engine_that_goes_sends_no_other_away() -> None:
    sitting = Sitting(Options.of(3))
    sitting.sit(GREEDY, CALM)
    sitting.table.leave(sitting.now, "greedy")
    sitting.take()
    assert sitting.change.dismissed == {}
    assert sitting.seat(1) is SeatState.TAKEN


def test_after_a_match_the_table_closes_with_the_last_person() -> None:
    sitting = Sitting(Options.of(2, max_rounds=1), TableOptions(pace_ms=0))
    sitting.begin(ANNA, GREEDY)
    sitting.pass_round()
    assert sitting.state() is TableState.OVER
    sitting.table.leave(sitting.now, "anna")
    assert sitting.state() is TableState.CLOSED
