"""Every way on which a fair deal comes about otherwise than at once, and what it leaves behind."""

import pytest
from msgspec.structs import replace

from passing_protocol.errors import ErrorCode
from passing_protocol.events import DealRevealed, RoundBegan
from passing_protocol.fair_messages import (
    Contribute,
    GiveLink,
    LinkWanted,
    ShowTip,
    TipsOffered,
    TipsOk,
)
from passing_protocol.views import SeatState, TableOptions, TableState
from passing_rules import Options
from passing_table.dealing import ANSWER_MS, RETURN_MS
from passing_table.rows import KeptDeal, KeptLinks
from tests.support.contributing import Part, Software
from tests.support.fair_sitting import FairSitting, fair, fair_engine
from tests.support.sitting import engine, person

ANNA, BOB, CYD = fair("anna"), fair("bob"), fair("cyd")
FALSE = "ab" * 32


def playing(*names: str, wishes: TableOptions | None = None) -> FairSitting:
    sitting = FairSitting(Options.of(len(names), target=9_999), wishes)
    sitting.begin(*map(fair, names))
    return sitting


def between(*names: str, wishes: TableOptions | None = None) -> FairSitting:
    """A table whose first round is over; everybody is ready but for the first."""
    sitting = playing(*names, wishes=wishes)
    sitting.pass_round()
    sitting.ready(*names[1:])
    return sitting


def numbers(sitting: FairSitting) -> list[int | None]:
    told = sitting.told(RoundBegan)
    return [event.deal_number for event in told if isinstance(event, RoundBegan)]


def voids(sitting: FairSitting) -> list[DealRevealed]:
    return [event for event in sitting.reveals if event.void]


# --- who contributes


def test_a_table_at_which_nobody_contributes_is_dealt_at_once_by_the_server_alone() -> None:
    sitting = FairSitting(Options.of(2), TableOptions(pace_ms=0))
    sitting.sit(person("anna"), engine("calm"))
    sitting.ready("anna")
    assert sitting.state() is TableState.PLAYING
    assert sitting.contributors() == []
    sitting.pass_round()
    assert [event.links for event in sitting.reveals] == [[]]
    sitting.verify_dealt()


def test_engines_alone_go_through_the_same() -> None:
    sitting = FairSitting(Options.of(2), TableOptions(pace_ms=0))
    sitting.begin(fair_engine("greedy"), fair_engine("calm"))
    sitting.pass_round()
    assert sitting.state() is TableState.BETWEEN
    sitting.answer_all()
    assert numbers(sitting) == [1, 2]
    sitting.pass_round()
    sitting.verify_dealt()


def test_who_does_not_contribute_plays_with_those_who_do() -> None:
    sitting = FairSitting(Options.of(3))
    sitting.begin(ANNA, person("dan"), CYD)
    assert sitting.contributors() == [0, 2]
    sitting.pass_round()
    sitting.verify_dealt()


def test_who_is_away_when_the_list_is_made_is_on_the_next_one() -> None:
    sitting = between("anna", "bob", "cyd")
    sitting.table.away(sitting.now, "bob")
    sitting.next_round()
    assert sitting.contributors() == [0, 2]
    assert voids(sitting) == []
    sitting.back("bob")
    sitting.pass_round()
    sitting.next_round()
    assert sitting.contributors() == [0, 1, 2]
    assert numbers(sitting) == [1, 2, 3]


# --- who does not answer


@pytest.mark.parametrize("answers", [0, 1])
def test_a_tip_or_an_agreement_that_does_not_come_costs_no_link(answers: int) -> None:
    sitting = FairSitting(Options.of(3))
    sitting.sit(ANNA, BOB, CYD)
    sitting.ready("anna", "bob", "cyd")
    sitting.take()
    for _ in range(answers):
        for key in ("anna", "bob", "cyd"):
            sitting.answer(key)
    sitting.silent.add("bob")
    sitting.answer_all()
    assert sitting.state() is TableState.STARTING
    sitting.wait(ANSWER_MS)
    sitting.answer_all()
    assert sitting.state() is TableState.PLAYING
    assert sitting.contributors() == [0, 2]
    assert (voids(sitting), numbers(sitting)) == ([], [1])


def test_a_link_that_does_not_come_makes_the_attempt_void() -> None:
    sitting = between("anna", "bob", "cyd")
    sitting.ready("anna")
    sitting.silent.add("bob")
    sitting.answer_all()
    assert isinstance(sitting.wanted("bob"), LinkWanted)
    sitting.wait(ANSWER_MS - 100)
    assert voids(sitting) == []
    sitting.wait(100)
    (void,) = voids(sitting)
    assert (void.deal, void.missing) == (2, [1])
    assert [link.seat for link in void.links] == [0, 2]
    sitting.answer_all()
    assert numbers(sitting) == [1, 3]
    assert sitting.contributors() == [0, 2]
    sitting.pass_round()
    sitting.verify_dealt()


def test_who_was_struck_off_is_added_again_once() -> None:
    sitting = between("anna", "bob")
    listed: list[list[int]] = []
    for round_number in range(4):
        sitting.ready("anna") if round_number == 0 else None
        silent = round_number in (0, 2)
        sitting.silent = {"bob"} if silent else set()
        sitting.next_round()
        if silent:
            assert isinstance(sitting.wanted("bob"), LinkWanted)
            sitting.wait(ANSWER_MS)
            sitting.answer_all()
        listed.append(sitting.contributors())
        sitting.pass_round()
    assert listed == [[0], [0, 1], [0], [0]]
    assert [void.deal for void in voids(sitting)] == [2, 5]


@pytest.mark.parametrize("kind", ["tip", "agreement", "link"])
def test_something_false_is_refused_and_not_waited_for(kind: str) -> None:
    sitting = FairSitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.ready("anna", "bob")
    sitting.take()
    asked = {"tip": 0, "agreement": 1, "link": 2}[kind]
    for _ in range(asked):
        sitting.answer("anna")
        sitting.answer("bob")
    false: dict[str, Part] = {
        "tip": ShowTip(0, "t1", "m1", 1, FALSE),
        "agreement": TipsOk(0, "t1", "m1", 1, FALSE),
        "link": GiveLink(0, "t1", "m1", 1, FALSE),
    }
    assert sitting.refused("bob", false[kind]).code is ErrorCode.MALFORMED
    if kind == "tip":
        sitting.answer("bob")  # a better one may follow in time
        sitting.answer_all()
        assert sitting.contributors() == [0, 1]
        return
    sitting.answer_all()
    assert sitting.state() is TableState.PLAYING
    assert sitting.contributors() == [0]
    assert [void.missing for void in voids(sitting)] == ([[1]] if kind == "link" else [])


@pytest.mark.parametrize("answers", [0, 1, 2])
def test_who_goes_away_meanwhile_is_not_waited_for(answers: int) -> None:
    sitting = FairSitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.ready("anna", "bob")
    sitting.take()
    for _ in range(answers):
        sitting.answer("anna")
        sitting.answer("bob")
    sitting.table.away(sitting.now, "bob")
    sitting.answer_all()
    assert sitting.state() is TableState.PLAYING
    assert sitting.contributors() == [0]
    assert len(voids(sitting)) == (answers == 2)


def test_no_link_is_dropped_that_may_be_on_its_way() -> None:
    sitting = between("anna", "bob", "cyd")
    sitting.ready("anna")
    sitting.take()
    sitting.table.away(sitting.now, "bob")
    assert voids(sitting) == []
    sitting.answer("cyd")
    assert voids(sitting) == []
    sitting.answer("anna")
    assert [(void.missing, len(void.links)) for void in voids(sitting)] == [([1], 2)]


def test_who_has_given_a_link_may_go() -> None:
    sitting = between("anna", "bob")
    sitting.ready("anna")
    sitting.take()
    sitting.answer("bob")
    sitting.table.away(sitting.now, "bob")
    sitting.answer("anna")
    assert numbers(sitting) == [1, 2]
    assert voids(sitting) == []


# --- chains


def test_a_chain_that_is_about_to_end_is_replaced() -> None:
    sitting = FairSitting(Options.of(2, max_rounds=9_999, target=9_999))
    sitting.begin(ANNA, BOB)
    for _ in range(260):
        sitting.pass_round()
        sitting.next_round()
    sitting.restart()
    sitting.back("anna", "bob")
    sitting.pass_round()
    assert [event.tips.version for event in sitting.agreed] == [1, 2]
    bases = [[e.tips.server.base, *(s.base for s in e.tips.seats)] for e in sitting.agreed]
    assert bases == [[0, 0, 0], [249, 249, 249]]
    assert voids(sitting) == []
    sitting.verify_dealt()


def test_a_chain_that_was_lost_is_replaced_when_its_owner_says_so() -> None:
    sitting = between("anna", "bob")
    sitting.software["bob"].forget()
    sitting.give("bob", sitting.software["bob"].tip("t1", "m1", 1))
    sitting.next_round()
    assert [event.tips.version for event in sitting.agreed] == [1, 2]
    assert (sitting.contributors(), numbers(sitting), voids(sitting)) == ([0, 1], [1, 2], [])


def test_a_chain_that_is_lost_while_its_link_is_wanted_costs_one_attempt() -> None:
    sitting = between("anna", "bob")
    sitting.ready("anna")
    sitting.answer("anna")
    sitting.software["bob"].forget()
    sitting.give("bob", sitting.software["bob"].tip("t1", "m1", 2))
    assert [(void.deal, void.missing) for void in voids(sitting)] == [(2, [1])]
    sitting.answer_all()
    assert sitting.contributors() == [0]
    sitting.pass_round()
    sitting.next_round()
    assert sitting.contributors() == [0, 1]


def test_a_tip_that_changes_after_the_agreement_to_its_list_is_in_no_deal() -> None:
    sitting = between("anna", "bob", "cyd")
    sitting.table.away(sitting.now, "cyd")
    sitting.ready("anna")
    sitting.take()
    sitting.answer("bob")
    assert isinstance(sitting.wanted("anna"), TipsOffered)
    sitting.software["bob"].forget()
    sitting.give("bob", sitting.software["bob"].tip("t1", "m1", 1))
    sitting.answer_all()
    assert sitting.contributors() == [0]
    assert voids(sitting) == []
    sitting.pass_round()
    sitting.verify_dealt()


def test_a_tip_that_changes_after_its_link_is_on_the_next_list() -> None:
    sitting = between("anna", "bob")
    sitting.ready("anna")
    sitting.take()
    link = sitting.answer("bob")
    sitting.software["bob"].forget()
    sitting.give("bob", sitting.software["bob"].tip("t1", "m1", 2))
    sitting.give("bob", link)
    sitting.answer_all()
    sitting.pass_round()
    sitting.next_round()
    assert (voids(sitting), numbers(sitting)) == ([], [1, 2, 3])
    assert [tips.tips.seats[1].base for tips in sitting.agreed] == [0, 2]
    sitting.pass_round()
    sitting.verify_dealt()


def test_a_rematch_has_chains_of_its_own() -> None:
    sitting = FairSitting(Options.of(2, max_rounds=1))
    sitting.begin(ANNA, BOB)
    sitting.pass_round()
    assert sitting.state() is TableState.OVER
    sitting.ready("anna", "bob")
    wanted = sitting.wanted("anna")
    assert isinstance(wanted, Contribute)
    assert (wanted.match, wanted.base) == ("m2", 0)
    sitting.answer_all()
    assert sitting.state() is TableState.PLAYING
    sitting.pass_round()
    first, second = sitting.agreed
    assert {first.tips.server.tip}.isdisjoint({second.tips.server.tip})
    assert [(event.match, event.deal) for event in sitting.reveals] == [("m1", 1), ("m2", 1)]
    sitting.verify_dealt()


def test_a_seat_that_is_taken_over_gives_the_list_its_own_tip() -> None:
    sitting = playing("anna", "bob", wishes=TableOptions(pace_ms=0))
    sitting.table.leave(sitting.now, "bob")
    sitting.table.seats.invite(sitting.now, 1, fair_engine("calm"))
    sitting.table.sit(sitting.now, fair_engine("calm"), 1)
    sitting.pass_round()
    assert len(sitting.reveals) == 1
    sitting.next_round()
    first, second = sitting.agreed
    assert first.tips.seats[0] == second.tips.seats[0]
    assert first.tips.seats[1] != second.tips.seats[1]
    sitting.pass_round()
    sitting.verify_dealt()


# --- a match that ends or pauses


def test_a_match_that_ends_in_a_round_shows_its_links() -> None:
    sitting = playing("anna", "bob", wishes=TableOptions(absent="forfeit"))
    sitting.table.leave(sitting.now, "bob")
    kinds = [type(event).__name__ for event in sitting.take()]
    assert kinds.index("DealRevealed") < kinds.index("MatchEnded")
    assert sitting.table.fair is not None
    assert sitting.table.fair.dealing is None
    sitting.verify_dealt()


def test_a_match_that_is_abandoned_shows_its_links() -> None:
    sitting = playing("anna", "bob", wishes=TableOptions(absent="pass"))
    sitting.table.leave(sitting.now, "bob")
    sitting.table.leave(sitting.now, "anna")
    assert sitting.state() is TableState.CLOSED
    assert [event.void for event in sitting.reveals] == [False]


def test_a_match_that_ends_before_a_deal_is_complete_shows_it_as_void() -> None:
    sitting = between("anna", "bob", wishes=TableOptions(absent="forfeit"))
    sitting.ready("anna")
    sitting.answer("anna")
    sitting.table.leave(sitting.now, "bob")
    assert sitting.state() is TableState.OVER
    assert [(void.deal, len(void.links), void.missing) for void in voids(sitting)] == [(2, 1, [])]
    assert isinstance(sitting.logs["m1"][-2], KeptLinks)


def test_a_match_that_does_not_begin_shows_what_was_given() -> None:
    sitting = FairSitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.ready("anna", "bob")
    sitting.take()
    for key in ("anna", "bob", "anna", "bob", "anna"):
        sitting.answer(key)
    sitting.table.leave(sitting.now, "bob")
    assert sitting.state() is TableState.OPEN
    assert [(void.match, len(void.links)) for void in voids(sitting)] == [("m1", 1)]
    assert sitting.wanted("anna") is None
    sitting.sit(CYD)
    sitting.ready("cyd")
    sitting.answer_all()
    assert (sitting.state(), numbers(sitting)) == (TableState.PLAYING, [1])
    assert sitting.agreed[-1].match == "m2"


def test_links_that_came_while_the_match_was_paused_are_dealt_by_when_it_goes_on() -> None:
    sitting = between("anna", "bob")
    sitting.ready("anna")
    sitting.answer("anna")
    sitting.table.finish_round(sitting.now)
    assert sitting.state() is TableState.PAUSED
    sitting.answer("bob")
    sitting.wait(ANSWER_MS)
    assert sitting.state() is TableState.PAUSED
    sitting.restart()
    sitting.back("anna", "bob")
    assert (sitting.state(), numbers(sitting)) == (TableState.PLAYING, [1, 2])
    assert voids(sitting) == []


def test_a_pause_between_rounds_goes_on_with_a_deal() -> None:
    sitting = between("anna", "bob")
    sitting.table.finish_round(sitting.now)
    sitting.restart()
    sitting.back("anna")
    assert sitting.state() is TableState.BETWEEN
    sitting.back("bob")
    sitting.answer_all()
    assert numbers(sitting) == [1, 2]


def test_nobody_begins_twice_while_a_deal_is_on_its_way() -> None:
    sitting = FairSitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.table.start(sitting.now)
    sitting.ready("anna", "bob")
    sitting.table.start(sitting.now)
    sitting.answer_all()
    assert numbers(sitting) == [1]


def test_a_player_who_is_back_gets_the_seat_when_the_round_has_begun() -> None:
    sitting = playing("anna", "bob", wishes=TableOptions(pace_ms=0))
    sitting.table.away(sitting.now, "bob")
    sitting.wait(100)
    sitting.table.seats.invite(sitting.now, 1, fair_engine("calm"))
    sitting.table.sit(sitting.now, fair_engine("calm"), 1)
    sitting.pass_round()
    sitting.ready("anna")
    sitting.take()
    sitting.back("bob")
    assert sitting.seat(1) is SeatState.SUBSTITUTE
    sitting.answer_all()
    assert sitting.seat(1) is SeatState.TAKEN
    assert sitting.contributors() == [0, 1]


# --- restarts


@pytest.mark.parametrize("answers", range(6))
def test_a_restart_goes_on_with_the_very_same_attempt(answers: int) -> None:
    sitting = FairSitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.ready("anna", "bob")
    sitting.take()
    for number in range(answers):
        sitting.answer("anna" if number % 2 == 0 else "bob")
    sitting.restart(gap=60_000)
    sitting.wait(RETURN_MS - 1_000)
    assert voids(sitting) == []
    sitting.back("anna", "bob")
    sitting.answer_all()
    assert (sitting.state(), numbers(sitting)) == (TableState.PLAYING, [1])
    assert (voids(sitting), len(sitting.agreed)) == ([], 1)
    sitting.pass_round()
    sitting.verify_dealt()


@pytest.mark.parametrize("answers", range(6))
def test_who_is_not_back_in_time_after_a_restart_is_struck_off(answers: int) -> None:
    sitting = FairSitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.ready("anna", "bob")
    sitting.take()
    for number in range(answers):
        sitting.answer("anna" if number % 2 == 0 else "bob")
    sitting.restart()
    sitting.silent.add("bob")
    sitting.back("anna")
    sitting.answer_all()
    sitting.wait(RETURN_MS)
    sitting.answer_all()
    assert sitting.state() is TableState.PLAYING
    assert sitting.contributors() == [0]
    assert [void.missing for void in voids(sitting)] == ([[1]] if answers >= 4 else [])


def test_who_has_given_something_false_is_not_waited_for_after_a_restart() -> None:
    sitting = between("anna", "bob")
    sitting.ready("anna")
    sitting.take()
    sitting.refused("bob", GiveLink(0, "t1", "m1", 2, FALSE))
    sitting.restart()
    sitting.back("anna", "bob")
    assert sitting.wanted("bob") is None
    sitting.answer("anna")
    assert [(void.deal, void.missing) for void in voids(sitting)] == [(2, [1])]


def test_a_restart_in_a_round_keeps_its_links_until_the_end() -> None:
    sitting = playing("anna", "bob")
    sitting.restart()
    sitting.back("anna", "bob")
    assert sitting.reveals == []
    sitting.pass_round()
    sitting.verify_dealt()
    assert len(sitting.reveals) == 1


def test_nothing_is_logged_of_a_round_before_the_links_it_is_dealt_by() -> None:
    sitting = between("anna", "bob")
    sitting.next_round()
    kinds = [type(row).__name__ for row in sitting.logs["m1"]]
    assert kinds[:3] == ["KeptTips", "KeptLinks", "KeptDeal"]
    assert kinds[-2:] == ["KeptLinks", "KeptDeal"]
    assert isinstance(sitting.logs["m1"][2], KeptDeal)


# --- what is refused


def test_nothing_is_taken_that_was_not_asked_for() -> None:
    sitting = playing("anna", "bob")
    software = Software("bob")
    for part in (
        TipsOk(0, "t1", "m1", 7, FALSE),
        GiveLink(0, "t1", "m1", 1, FALSE),
        GiveLink(0, "t1", "m1", 9, FALSE),
        software.tip("t1", "m7", 0),
    ):
        assert sitting.refused("bob", part).code is ErrorCode.NO_SUCH_DEAL
    assert sitting.refused("zoe", TipsOk(0, "t1", "m1", 1, FALSE)).code is ErrorCode.NOT_SEATED


def test_the_same_answer_again_changes_nothing() -> None:
    sitting = FairSitting(Options.of(2))
    sitting.sit(ANNA, BOB)
    sitting.ready("anna", "bob")
    sitting.take()
    for kind in (Contribute, TipsOffered, LinkWanted):
        assert isinstance(sitting.wanted("anna"), kind)
        part = sitting.answer("anna")
        sitting.give("anna", part)
        if isinstance(part, GiveLink):
            other = replace(part, link=FALSE)
            assert sitting.refused("anna", other).code is ErrorCode.NO_SUCH_DEAL
        sitting.answer("bob")
        sitting.take()
    assert (sitting.state(), numbers(sitting)) == (TableState.PLAYING, [1])


def test_nothing_shows_a_root_or_a_link_by_accident() -> None:
    sitting = between("anna", "bob")
    sitting.ready("anna")
    sitting.answer("anna")
    assert sitting.table.fair is not None
    dealing = sitting.table.fair.dealing
    assert dealing is not None
    secrets = [dealing.state.root, *(m.answer for m in dealing.state.members if m.answer)]
    shown = f"{dealing.state!r} {dealing.state.members!r} {dealing!r} {sitting.logs!r}"
    assert len(secrets) == 2
    assert not any(secret in shown for secret in secrets)
