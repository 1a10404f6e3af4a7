"""What is said of deals: the table code, who takes no part, and what was found out."""

import dataclasses

import pytest
from msgspec.structs import replace

from passing_client.deal_tally import DealTally
from passing_client.words.deals import deal_lines, verdict_line
from passing_protocol.events import TipsAgreed
from passing_protocol.fair_deal import list_hash, table_code
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import DealKind, SeatTip, TableState, Tip, TipList
from tests.support.client_scene import TABLE, Talk, full_view, round_view

TIPS = TipList(1, Tip(0, "ab" * 32), [SeatTip(0, 0, "cd" * 32)])
FAIR = replace(round_view(), deal=DealKind.FAIR, tips=TIPS, deal_number=1)
CODE = table_code(list_hash(FAIR.match, TIPS))
FORGOT = "A deal: not checked by you, as the server forgot you in the middle of it."
TOO_MANY = "Not checked by you, as the server shows you at too many tables."


def verdict(
    outcome: Outcome, reason: Reason | None = None, *seats: int, table: str = TABLE
) -> Verdict:
    return Verdict(table, FAIR.match, 3, 2, outcome, reason, seats)


def seated() -> Talk:
    talk = Talk()
    talk.sits(FAIR, hand="46 55")
    return talk


def test_the_table_code_is_said_when_a_list_is_agreed_to() -> None:
    said = seated().update(TipsAgreed(FAIR.match, TIPS))
    assert said == [
        f"Table code {CODE}. Who has the same has the same deal; compare it aloud.",
        "No part in the deals: Bo, Caro and Emil.",
    ]


def test_nobody_is_named_where_all_take_part() -> None:
    tips = replace(TIPS, seats=[SeatTip(seat, 0, "cd" * 32) for seat in range(4)])
    said = seated().update(TipsAgreed(FAIR.match, tips))
    assert len(said) == 1


def test_a_deal_to_which_nobody_contributes_is_not_said_to_be_checked() -> None:
    talk = Talk()
    talk.sits(replace(FAIR, tips=replace(TIPS, seats=[])))
    assert talk.types("deal") == [
        "The server deals.",
        "No part in the deals: you, Bo, Caro and Emil.",
    ]


SHARES = [
    f"Table code {CODE}. Who has the same has the same deal; compare it aloud.",
    "No part in the deals: Bo, Caro and Emil.",
]


@pytest.mark.parametrize("state", [TableState.PLAYING, TableState.PAUSED])
def test_deal_says_it_again_with_what_was_found_out_last_and_which_round_each_is_about(
    state: TableState,
) -> None:
    talk = Talk()
    talk.sits(replace(FAIR, state=state), hand="46 55")
    promise = f"Round {FAIR.round}. The deal is checked when the round ends."
    assert talk.types("deal") == [promise, *SHARES]
    talk.hears(verdict(Outcome.CHECKED))
    assert talk.types("deal") == [promise, *SHARES, "Round 2. Deal checked."]
    talk.hears(verdict(Outcome.UNCHECKED, Reason.NO_PART))
    last = "Round 2. This deal: not checked by you, as your program had no part in it."
    assert talk.types("deal") == [promise, *SHARES, last]


@pytest.mark.parametrize("state", [TableState.OPEN, TableState.STARTING, TableState.BETWEEN])
def test_while_no_round_is_played_deal_promises_of_none_that_it_will_be_checked(
    state: TableState,
) -> None:
    talk = Talk()
    talk.sits(replace(FAIR, state=state))
    talk.hears(verdict(Outcome.CHECKED))
    each = "Each deal is checked when its round ends."
    assert talk.types("deal") == [each, *SHARES, "Round 2. Deal checked."]


def test_when_the_match_is_over_deal_says_what_was_found_out_and_promises_nothing() -> None:
    talk = Talk()
    talk.sits(replace(FAIR, state=TableState.OVER))
    assert talk.types("deal") == SHARES
    talk.hears(verdict(Outcome.CHECKED))
    found = ["Round 2. Deal checked.", "Deals of this match: 1 checked."]
    assert talk.types("deal") == [*SHARES, *found]


def test_deal_says_nothing_of_a_match_before() -> None:
    talk = seated()
    talk.hears(dataclasses.replace(verdict(Outcome.CHECKED), match="before"))
    assert not any("Deal checked." in line for line in talk.types("deal"))


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (DealKind.SERVER, "The server deals."),
        (DealKind.SEEDED, "The deal comes from a seed."),
        (DealKind.GIVEN, "The deal is given."),
    ],
)
def test_deal_says_where_other_deals_come_from(kind: DealKind, line: str) -> None:
    talk = Talk()
    talk.sits(replace(full_view(), deal=kind))
    assert talk.types("deal") == [line]


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (verdict(Outcome.CHECKED), "Deal checked."),
        (
            verdict(Outcome.UNCHECKED, Reason.NOT_FROM_START),
            "This deal: not checked by you, as you came in the middle of the round.",
        ),
        (
            verdict(Outcome.UNCHECKED, Reason.NO_PART),
            "This deal: not checked by you, as your program had no part in it.",
        ),
        (
            verdict(Outcome.UNCHECKED, Reason.ABSENT_TOO_OFTEN),
            "This deal: not checked by you, as too many deals were done again before it.",
        ),
        (
            verdict(Outcome.UNCHECKED, Reason.MISSED),
            "This deal: not checked by you, as messages about it did not arrive.",
        ),
        (verdict(Outcome.UNCHECKED, Reason.SESSION_GONE), FORGOT),
        (verdict(Outcome.UNCHECKED, Reason.TOO_MANY), TOO_MANY),
        (verdict(Outcome.REDONE, Reason.ABSENT, 1), "Deal done again because of Bo."),
        (verdict(Outcome.REDONE, Reason.ABSENT, 1, 7), "Deal done again because of Bo."),
        (
            verdict(Outcome.REDONE, Reason.OWN_LINK_LATE, 0),
            "Deal done again: the server says that your program's part came too late.",
        ),
        (verdict(Outcome.REDONE, Reason.INTERRUPTED), "Deal done again: it was interrupted."),
    ],
)
def test_what_was_found_out_is_said_once(found: Verdict, line: str) -> None:
    talk = seated()
    assert talk.hears(found) == [line]
    assert talk.conversation.desk.alarm == ""
    assert talk.face.rings == 0


def test_every_failure_begins_with_a_word_of_its_own_and_says_why_and_what_to_do() -> None:
    lines = {verdict_line(verdict(Outcome.FAILED, reason), None) for reason in Reason}
    assert all(
        line.startswith("UNFAIR: deal 3 of this match breaks the rules of fair deals. ")
        and line.endswith(" Do not play on here.")
        for line in lines
    )
    assert len(lines) == 11


def test_a_result_that_the_rules_do_not_give_is_told_as_such() -> None:
    line = verdict_line(verdict(Outcome.FAILED, Reason.RESULT), None)
    assert "It told what happened in two ways that cannot both be true." in line


def test_a_failure_stays_until_it_is_read_and_the_game_goes_on() -> None:
    talk = seated()
    found = verdict(Outcome.FAILED, Reason.OWN_HAND)
    (line,) = talk.hears(found)
    assert talk.face.rings == 1
    assert talk.over is None
    talk.hears(verdict(Outcome.CHECKED))
    assert talk.conversation.desk.alarm == line
    assert talk.types("deal")[-1] == line
    assert talk.conversation.desk.alarm == ""
    assert line not in talk.types("deal")


def test_a_failure_that_is_the_last_thing_found_out_is_said_once() -> None:
    talk = seated()
    (line,) = talk.hears(verdict(Outcome.FAILED, Reason.OWN_HAND))
    assert talk.types("deal").count(line) == 1


def test_without_a_table_a_deal_that_was_forgotten_is_said_all_the_same() -> None:
    talk = Talk()
    assert talk.hears(verdict(Outcome.UNCHECKED, Reason.SESSION_GONE)) == [FORGOT]


def test_of_another_table_only_what_concerns_the_person_is_said() -> None:
    talk = seated()
    assert talk.hears(verdict(Outcome.CHECKED, table="t9")) == []
    assert talk.hears(verdict(Outcome.UNCHECKED, Reason.MISSED, table="t9")) == []
    gone = verdict(Outcome.UNCHECKED, Reason.SESSION_GONE, table="t9")
    assert talk.hears(gone, verdict(Outcome.UNCHECKED, Reason.TOO_MANY, table="t9")) == [
        FORGOT,
        TOO_MANY,
    ]
    assert talk.conversation.desk.alarm == ""
    (line,) = talk.hears(verdict(Outcome.FAILED, Reason.NOT_REVEALED, table="t9"))
    assert line.startswith("UNFAIR:")
    assert talk.conversation.desk.verdict is None


def test_a_table_that_one_has_left_leaves_nothing_but_an_alarm() -> None:
    talk = seated()
    talk.hears(verdict(Outcome.FAILED, Reason.OWN_HAND))
    talk.conversation.desk.forget_table()
    assert talk.conversation.desk.verdict is None
    assert talk.conversation.desk.alarm


def test_an_alarm_of_a_table_that_one_has_left_is_read_in_the_lobby() -> None:
    talk = seated()
    (line,) = talk.hears(verdict(Outcome.FAILED, Reason.OWN_HAND))
    talk.conversation.desk.forget_table()
    assert talk.types("deal") == [line]
    assert talk.conversation.desk.alarm == ""
    assert talk.types("deal") == ["deal is for a table: sit down or watch one first."]
    talk.sits(FAIR, hand="46 55")
    assert line not in talk.types("deal")


def test_an_alarm_that_was_not_read_is_said_once_at_the_next_table() -> None:
    talk = seated()
    (line,) = talk.hears(verdict(Outcome.FAILED, Reason.OWN_HAND))
    talk.conversation.desk.forget_table()
    talk.sits(replace(FAIR, match="m9"), hand="46 55")
    assert talk.types("deal")[-1] == line
    assert line not in talk.types("deal")


def test_a_seat_that_the_table_does_not_have_is_not_named() -> None:
    talk = seated()
    table = talk.conversation.desk.table
    assert table is not None
    assert verdict_line(verdict(Outcome.REDONE, Reason.ABSENT, 1), None).endswith("interrupted.")
    promise = f"Round {FAIR.round}. The deal is checked when the round ends."
    assert deal_lines(table, None, DealTally())[0] == promise
