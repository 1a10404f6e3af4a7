"""Players who leave a match for good: what the others are told, and who takes the seat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.events import SeatChanged
from passing_protocol.views import Acted, Gone, SeatInfo, SeatState, TableOptions, TableState
from passing_rules import Options
from passing_table.settings import INVITATION_MS
from tests.support.sitting import Sitting, engine, person

ANNA, BOB, CYD, DAN = person("anna"), person("bob"), person("cyd"), person("dan")
GREEDY, CALM = engine("greedy"), engine("calm")
THREE = Options.of(3, target=9_999)
PARTNERS = Options.of(4, partners=True, target=9_999)


def begun(wishes: TableOptions | None = None) -> Sitting:
    """A match of three people, whose first turn is Anna's; nothing is left to tell."""
    sitting = Sitting(THREE, wishes)
    sitting.begin(ANNA, BOB, CYD)
    sitting.take()
    sitting.events.clear()
    return sitting


def seats_told(sitting: Sitting) -> list[tuple[int, SeatInfo]]:
    """Every change of a seat since the match began."""
    changes = sitting.told(SeatChanged)
    return [(event.seat, event.info) for event in changes if isinstance(event, SeatChanged)]


def passed(sitting: Sitting) -> list[int]:
    """The seats for which was passed, in order."""
    acted = sitting.told(Acted)
    return [event.seat for event in acted if isinstance(event, Acted) and event.timed_out]


def invite(sitting: Sitting, seat: int = 0) -> None:
    """Find an engine for the seat as a server does, before a tick."""
    assert sitting.table.wants_substitute(sitting.now) == seat
    sitting.table.seats.invite(sitting.now, seat, GREEDY)


@pytest.mark.parametrize("absent", ["engine", "pass", None])
def test_all_are_told_once_that_a_player_has_left_for_good(absent: str | None) -> None:
    sitting = begun(TableOptions(absent="pass") if absent == "pass" else TableOptions())
    sitting.table.leave(sitting.now, "anna")
    left = SeatInfo(SeatState.AWAY, "anna", ready=True, gone=Gone.LEFT)
    assert seats_told(sitting) == [(0, left)]
    sitting.wait(5_000)
    assert seats_told(sitting) == [(0, left)]


def test_all_are_told_that_a_player_was_removed() -> None:
    sitting = begun()
    sitting.table.remove(sitting.now, 1)
    [(seat, info)] = seats_told(sitting)
    assert (seat, info.gone) == (1, Gone.REMOVED)


def test_who_is_only_not_heard_is_not_gone() -> None:
    sitting = begun(TableOptions(absent="pass"))
    sitting.table.away(sitting.now, "anna")
    sitting.wait(95_000)
    assert [info.gone for _, info in seats_told(sitting)] == [None, None]


def test_of_a_seat_that_is_forfeited_nothing_else_is_told() -> None:
    sitting = begun(TableOptions(absent="forfeit"))
    sitting.table.leave(sitting.now, "anna")
    [(seat, info)] = seats_told(sitting)
    assert (seat, info.state, info.gone) == (0, SeatState.FORFEITED, None)


def test_who_leaves_as_the_second_of_a_side_is_told_of_as_forfeited_alone() -> None:
    sitting = Sitting(PARTNERS, TableOptions(absent="pass"))
    sitting.begin(ANNA, BOB, CYD, DAN)
    sitting.table.leave(sitting.now, "anna")
    sitting.take()
    sitting.events.clear()
    sitting.table.leave(sitting.now, "cyd")
    states = [(seat, info.state) for seat, info in seats_told(sitting)]
    assert states[:2] == [(2, SeatState.FORFEITED), (0, SeatState.FORFEITED)]


def test_a_substitute_for_one_who_has_left_shows_it_until_the_match_is_over() -> None:
    sitting = begun()
    sitting.table.leave(sitting.now, "anna")
    invite(sitting)
    sitting.table.sit(sitting.now, GREEDY, 0)
    stands_in = sitting.table.seats[0].info()
    assert (stands_in.state, stands_in.gone) == (SeatState.SUBSTITUTE, Gone.LEFT)
    sitting.table.leave(sitting.now, "bob")
    sitting.table.leave(sitting.now, "cyd")
    sitting.wait(1_100)
    assert sitting.state() is not TableState.PLAYING
    assert sitting.table.seats[0].info().gone is None


def test_an_absent_player_who_leaves_makes_the_substitute_stay() -> None:
    sitting = begun()
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    invite(sitting)
    sitting.table.sit(sitting.now, GREEDY, 0)
    sitting.take()
    sitting.events.clear()
    sitting.table.leave(sitting.now, "anna")
    [(_, info)] = seats_told(sitting)
    assert (info.state, info.name, info.gone) == (SeatState.SUBSTITUTE, "greedy", Gone.LEFT)


def test_a_substitute_that_is_lost_is_not_the_one_who_has_left() -> None:
    sitting = begun()
    sitting.table.leave(sitting.now, "anna")
    invite(sitting)
    sitting.table.sit(sitting.now, GREEDY, 0)
    sitting.table.away(sitting.now, "greedy")
    assert sitting.table.seats[0].info().gone is None


# --- an engine is sought before anything is passed ---------------------------------------------


def test_a_turn_waits_for_the_engine_that_is_invited() -> None:
    sitting = begun()
    sitting.table.leave(sitting.now, "anna")
    invite(sitting)
    sitting.wait(3_000)
    assert sitting.to_act == 0
    sitting.table.sit(sitting.now, GREEDY, 0)
    sitting.act("d")
    sitting.wait(800)
    assert passed(sitting) == []


@pytest.mark.parametrize("wishes", [TableOptions(absent="pass"), TableOptions()])
def test_without_an_engine_the_turn_is_passed_at_once(wishes: TableOptions) -> None:
    sitting = begun(wishes)
    sitting.table.leave(sitting.now, "anna")
    sitting.wait(20)
    assert (sitting.to_act, passed(sitting)) == (1, [0])


def test_the_later_turn_of_one_who_has_left_waits_as_well() -> None:
    sitting = begun()
    sitting.table.leave(sitting.now, "cyd")
    invite(sitting, 2)
    sitting.act("d")
    sitting.act("d")
    sitting.wait(3_000)
    assert (sitting.to_act, passed(sitting)) == (2, [])


def test_an_engine_that_does_not_come_holds_up_one_turn_alone() -> None:
    sitting = begun()
    sitting.table.leave(sitting.now, "anna")
    invite(sitting)
    sitting.wait(INVITATION_MS - 100)
    assert sitting.to_act == 0
    sitting.wait(200)
    assert sitting.to_act == 1
    invite(sitting)
    sitting.act("d")
    sitting.act("d")
    sitting.wait(20)
    assert (sitting.to_act, passed(sitting)) == (1, [0, 0])


@given(st.lists(st.integers(100, 2_000), min_size=1, max_size=12))
def test_engines_that_decline_hold_up_a_turn_no_longer_than_one_that_does_not_come(
    answers: list[int],
) -> None:
    sitting = begun()
    left_at = sitting.now
    sitting.table.leave(sitting.now, "anna")
    for answer in answers:
        if sitting.table.wants_substitute(sitting.now) == 0:
            invite(sitting)
            sitting.table.tick(sitting.now)
            sitting.wait(answer, step=100)
            if sitting.table.seats.invited_seat("greedy") == 0:
                sitting.table.decline("greedy")
    sitting.wait(max(0, left_at + INVITATION_MS + 100 - sitting.now), step=100)
    assert passed(sitting)[:1] == [0]


def test_an_engine_is_sought_anew_when_the_substitute_is_lost_on_its_turn() -> None:
    sitting = begun()
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    invite(sitting)
    sitting.table.sit(sitting.now, GREEDY, 0)
    while sitting.to_act != 0:
        sitting.act("d")
    before = passed(sitting)
    sitting.table.away(sitting.now, "greedy")
    assert sitting.table.wants_substitute(sitting.now) == 0
    sitting.table.seats.invite(sitting.now, 0, CALM)
    sitting.wait(1_900)
    assert passed(sitting) == before
    sitting.table.sit(sitting.now, CALM, 0)
    sitting.wait(20)
    assert sitting.table.seats.decides("calm") == 0
