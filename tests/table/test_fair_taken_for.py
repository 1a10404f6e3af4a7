"""Nobody can be taken for another in fair deals: not by a tip, and not by a seat and a name."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_protocol.errors import ErrorCode
from passing_protocol.fair_messages import GiveLink, LinkWanted, ShowTip, TipsOffered
from passing_protocol.views import TableOptions, TableState
from passing_rules import Options
from passing_table import Occupant
from passing_table.dealing import Wanted
from passing_table.dealing_state import MOST_STRIKES
from tests.support.contributing import Software
from tests.support.fair_sitting import FairSitting, fair

FALSE = "ab" * 32


def playing(*occupants: Occupant) -> FairSitting:
    sitting = FairSitting(Options.of(2, target=9_999), TableOptions(pace_ms=0))
    sitting.begin(*occupants)
    return sitting


# --- tips


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("base", [0, 1])
@pytest.mark.parametrize("whose", ["another's", "the server's", "another's of before"])
def test_a_tip_that_somebody_else_has_shown_is_refused(
    whose: str, base: int, restarts: bool
) -> None:
    sitting = playing(fair("anna"), fair("bob"))
    tips = sitting.agreed[0].tips
    tip = tips.server.tip if whose == "the server's" else tips.seats[0].tip
    if whose == "another's of before":
        sitting.give("anna", Software("anna with another chain").tip("t1", "m1", 1))
        sitting.software["anna"] = Software("anna with another chain")
        sitting.software["anna"].tip("t1", "m1", 1)
        sitting.pass_round()
        sitting.next_round()
        assert sitting.agreed[-1].tips.seats[0].tip != tip
    if restarts:
        sitting.restart()
        sitting.back("anna", "bob")
    agreed = len(sitting.agreed)
    refused = sitting.refused("bob", ShowTip(0, "t1", "m1", base, tip))
    assert (refused.code, refused.field) == (ErrorCode.MALFORMED, "tip")
    sitting.pass_round()
    sitting.next_round()
    assert len(sitting.agreed) == agreed
    assert sitting.state() is TableState.PLAYING


def test_a_tip_that_was_given_for_the_list_to_come_is_nobody_elses_either() -> None:
    sitting = FairSitting(Options.of(2))
    sitting.sit(fair("anna"), fair("bob"))
    sitting.ready("anna", "bob")
    part = sitting.answer("anna")
    assert sitting.refused("bob", part).code is ErrorCode.MALFORMED
    sitting.answer_all()
    assert sitting.contributors() == [0, 1]


def test_a_tip_of_ones_own_may_be_shown_again() -> None:
    sitting = playing(fair("anna"), fair("bob"))
    own = sitting.agreed[0].tips.seats[1]
    bob = sitting.software["bob"]
    sitting.software["bob"] = other = Software("bob with another chain")
    sitting.give("bob", other.tip("t1", "m1", 1))
    sitting.pass_round()
    sitting.next_round()
    assert sitting.agreed[-1].tips.seats[1] != own
    sitting.software["bob"] = bob
    sitting.give("bob", ShowTip(0, "t1", "m1", own.base, own.tip))
    sitting.pass_round()
    sitting.next_round()
    assert sitting.agreed[-1].tips.seats[1] == own


# --- seats and names


def engine(key: str, name: str) -> Occupant:
    return Occupant(key, name, f"{name} 1.0", fair=True)


def give_all(sitting: FairSitting, liar: str | None) -> None:
    """Let everybody answer; `liar` gives links that lead nowhere."""
    sitting.take()
    asked = True
    while asked:
        asked = False
        for seat in sitting.table.seats:
            key = seat.occupant.key if seat.occupant is not None else ""
            if sitting.wanted(key) is None:
                continue
            asked = True
            wanted = sitting.wanted(key)
            if isinstance(wanted, LinkWanted) and key == liar:
                false = GiveLink(0, "t1", wanted.match, wanted.deal, FALSE)
                assert sitting.refused(key, false).code is ErrorCode.MALFORMED
            else:
                sitting.answer(key)


def play_round(sitting: FairSitting, liar: str | None = None) -> None:
    sitting.pass_round()
    if sitting.state() is TableState.BETWEEN:
        sitting.ready("anna")
    give_all(sitting, liar)
    assert sitting.state() is TableState.PLAYING


def take_over(sitting: FairSitting, who: Occupant) -> None:
    """Let an engine take the place of that at seat 1."""
    occupant = sitting.table.seats[1].occupant
    assert occupant is not None
    sitting.table.leave(sitting.now, occupant.key)
    sitting.table.seats.invite(sitting.now, 1, who)
    sitting.table.sit(sitting.now, who, 1)
    sitting.take()


def test_who_would_be_taken_for_one_struck_off_for_good_is_not_on_the_list_either() -> None:
    sitting = playing(fair("anna"), engine("e1", "E"))
    for _ in range(MOST_STRIKES):
        play_round(sitting, "e1")
        play_round(sitting)
    assert sitting.contributors() == [0]
    take_over(sitting, engine("e2", "E 2"))
    play_round(sitting)
    assert sitting.contributors() == [0, 1]
    take_over(sitting, engine("e3", "E"))
    play_round(sitting, "e3")
    assert sitting.contributors() == [0]
    assert [void.missing for void in sitting.reveals if void.void] == [[1]] * MOST_STRIKES


def test_who_has_another_name_at_the_same_seat_is_on_a_new_list() -> None:
    sitting = playing(fair("anna"), engine("e1", "E"))
    take_over(sitting, engine("e1", "E 2"))
    play_round(sitting)
    assert len(sitting.agreed) == 2


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(st.sampled_from("ABC"), st.sampled_from(["E", "E 2"]), st.booleans()),
        max_size=9,
    )
)
def test_no_seat_and_name_is_missing_more_often_than_clients_allow(
    steps: list[tuple[str, str, bool]],
) -> None:
    sitting = playing(fair("anna"), engine("first", "E"))
    missing: Counter[str] = Counter()
    for key, name, lies in steps:
        now = sitting.table.seats[1].occupant
        assert now is not None
        if now.name != name:
            now = engine(key, name)
            take_over(sitting, now)
        before = len(sitting.reveals)
        play_round(sitting, now.key if lies else None)
        missing[name] += sum(1 in shown.missing for shown in sitting.reveals[before:])
    assert max(missing.values(), default=0) <= MOST_STRIKES


def restarted_when_asked(kind: type[Wanted]) -> FairSitting:
    """A server that was killed when it had asked for that; e1 has answered if it was to agree.

    All are back since, but another engine has taken the seat of e1.
    """
    sitting = playing(fair("anna"), engine("e1", "E"))
    sitting.software["e1"] = Software("another chain")
    sitting.give("e1", sitting.software["e1"].tip("t1", "m1", 1))
    sitting.pass_round()
    sitting.ready("anna")
    while not isinstance(sitting.wanted("anna"), kind):
        sitting.answer("anna")
        sitting.answer("e1")
    if kind is TipsOffered:
        sitting.answer("e1")
    sitting.restart()
    sitting.back("anna", "e1")
    take_over(sitting, engine("e2", "E 2"))
    sitting.answer("anna")
    return sitting


def test_no_list_is_agreed_to_after_a_restart_with_one_at_whose_seat_another_is() -> None:
    sitting = restarted_when_asked(TipsOffered)
    assert [event.tips.version for event in sitting.agreed] == [1]
    give_all(sitting, None)
    assert [event.tips.version for event in sitting.agreed] == [1, 3]
    assert (sitting.contributors(), sitting.state()) == ([0], TableState.PLAYING)


def test_no_link_is_waited_for_after_a_restart_of_one_at_whose_seat_another_is() -> None:
    sitting = restarted_when_asked(LinkWanted)
    assert [(shown.void, shown.missing) for shown in sitting.reveals] == [(False, []), (True, [1])]
    give_all(sitting, None)
    assert (sitting.contributors(), sitting.state()) == ([0], TableState.PLAYING)


def test_nobody_is_struck_off_for_a_substitute_that_a_restart_has_taken_away() -> None:
    sitting = playing(fair("anna"), engine("e1", "E"))
    sitting.software["e1"] = Software("another chain")
    sitting.give("e1", sitting.software["e1"].tip("t1", "m1", 1))
    sitting.pass_round()
    sitting.ready("anna")
    assert isinstance(sitting.wanted("e1"), TipsOffered)
    sitting.restart()
    sitting.table.seats.invite(sitting.now, 1, engine("e2", "E 2"))
    sitting.table.sit(sitting.now, engine("e2", "E 2"), 1)
    assert isinstance(sitting.table.seats[1].keeper, Occupant)
    sitting.restart()  # anna is noted as away before the substitute is
    sitting.back("anna", "e1")
    give_all(sitting, None)
    assert [event.tips.version for event in sitting.agreed] == [1, 2]
    assert (sitting.contributors(), sitting.state()) == ([0, 1], TableState.PLAYING)
