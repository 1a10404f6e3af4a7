"""At the end of a match it is said once how many of its deals were checked, and why not all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.deal_tally import DealTally
from passing_client.language import use
from passing_client.words.deals import tally_line
from passing_protocol.events import MatchEnded
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import DealKind, TableState
from tests.support.catalogues import TRANSLATED
from tests.support.client_scene import TABLE, Talk, round_view

MATCH = round_view().match
FAIR = replace(round_view(), deal=DealKind.FAIR, round=2, deal_number=2)
WON = MatchEnded("target", [64, 0, 0, 0], 0)


def verdict(
    outcome: Outcome,
    reason: Reason | None = None,
    *,
    deal: int = 2,
    table: str = TABLE,
    match: str = MATCH,
) -> Verdict:
    return Verdict(table, match, deal, deal, outcome, reason)


def seated() -> Talk:
    talk = Talk()
    talk.sits(FAIR, hand="46 55")
    return talk


def deals(said: list[str]) -> list[str]:
    return [line for line in said if line.startswith("Deals of this match: ")]


def tallied(*verdicts: Verdict) -> DealTally:
    tally = DealTally()
    for found in verdicts:
        tally.note(found, MATCH)
    return tally


def test_the_sum_is_said_after_the_last_verdict_of_the_match_and_once() -> None:
    talk = seated()
    assert deals(talk.hears(verdict(Outcome.CHECKED, deal=1))) == []
    assert deals(talk.update(WON)) == []
    last = verdict(Outcome.UNCHECKED, Reason.MISSED)
    assert talk.hears(last)[-1] == (
        "Deals of this match: 1 checked, 1 not checked (messages did not arrive)."
    )
    assert deals(talk.hears(last)) == []


def test_the_sum_is_said_with_the_end_where_the_last_verdict_came_before() -> None:
    talk = seated()
    talk.hears(verdict(Outcome.CHECKED))
    assert talk.update(WON)[-1] == "Deals of this match: 1 checked."


def test_who_took_part_in_no_deal_is_told_of_none() -> None:
    talk = seated()
    assert deals(talk.update(WON)) == []


def test_the_next_match_is_counted_anew() -> None:
    talk = seated()
    talk.hears(verdict(Outcome.CHECKED))
    talk.update(WON)
    talk.update(public=replace(FAIR, match="next", state=TableState.PLAYING), hand="46 55")
    talk.hears(verdict(Outcome.UNCHECKED, Reason.NO_PART, match="next"))
    assert talk.update(WON)[-1] == (
        "Deals of this match: 0 checked, 1 not checked (your program had no part)."
    )


def test_deals_of_other_tables_and_those_that_were_done_again_do_not_count() -> None:
    talk = seated()
    talk.hears(verdict(Outcome.CHECKED))
    for other in (
        verdict(Outcome.UNCHECKED, Reason.SESSION_GONE, deal=1, table="t99", match="other"),
        verdict(Outcome.UNCHECKED, Reason.TOO_MANY, deal=0, match=""),
        verdict(Outcome.REDONE, Reason.INTERRUPTED, deal=3),
    ):
        talk.hears(other)
    assert talk.update(WON)[-1] == "Deals of this match: 1 checked."


def test_each_reason_is_named_once_and_a_failure_is_counted_whatever_comes_after() -> None:
    tally = tallied(
        verdict(Outcome.UNCHECKED, Reason.NOT_FROM_START, deal=1),
        verdict(Outcome.UNCHECKED, Reason.MISSED, deal=2),
        verdict(Outcome.UNCHECKED, Reason.MISSED, deal=3),
        verdict(Outcome.UNCHECKED, Reason.SESSION_GONE, deal=4),
        verdict(Outcome.FAILED, Reason.OWN_HAND, deal=5),
        verdict(Outcome.CHECKED, deal=5),
    )
    assert tally_line(tally) == (
        "Deals of this match: 0 checked, 4 not checked (you came in the middle of the round, "
        "messages did not arrive, the server forgot you), 1 unfair."
    )


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("number", [1, 2])
def test_the_sum_is_said_in_every_language(language: str, number: int) -> None:
    kinds = [(o, Reason.MISSED) for o in Outcome if o is not Outcome.REDONE] * number
    found = [verdict(o, reason, deal=deal) for deal, (o, reason) in enumerate(kinds)]
    use(language)
    line = tally_line(tallied(*found))
    assert line.count(str(number)) == 3
    assert not any(word in line for word in ("checked", "unfair", "arrive", "{"))


OUTCOMES = st.builds(
    verdict, st.sampled_from(Outcome), st.sampled_from(Reason), deal=st.integers(0, 5)
)


@given(st.lists(OUTCOMES, max_size=20))
@settings(max_examples=30)
def test_every_deal_is_counted_once(found: list[Verdict]) -> None:
    tally = tallied(*found)
    judged = {each.deal for each in found if each.outcome is not Outcome.REDONE}
    failed = {each.deal for each in found if each.outcome is Outcome.FAILED}
    assert tally.count(Outcome.FAILED) == len(failed)
    assert tally.count(Outcome.UNCHECKED) == tally.unchecked().total()
    kinds = (Outcome.CHECKED, Outcome.UNCHECKED, Outcome.FAILED)
    assert sum(map(tally.count, kinds)) == len(judged)
