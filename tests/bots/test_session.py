"""The core of every engine: messages of the server in, requests out; no server, no socket."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_bots import Action, Draw, Engine, MatchStart, RoundStart, TurnView
from passing_link.news import LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.events import (
    MatchBegan,
    MatchEnded,
    RoundBegan,
    RoundEnded,
    StateChanged,
)
from passing_protocol.messages import (
    Act,
    Decline,
    Join,
    Left,
    Ok,
)
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import DealKind, TableState
from passing_protocol.wire import ActionMessage, action_message
from tests.support.bad_engines import Crashing, Illegal, Nothing
from tests.support.engine_desk import OPTIONS, EngineDesk, Recorder

PASS = ActionMessage(pass_=True)


@pytest.fixture
def desk() -> EngineDesk:
    desk = EngineDesk()
    desk.seat()
    return desk


ROUND_BEGAN = RoundBegan(1, 0, DealKind.SEEDED, [7, 7], 14, 12)
ROUND_ENDED = RoundEnded(1, "out", [0, 9], [0], 9, [9, 0], side=0)
MATCH_ENDED = MatchEnded("target", [101, 0], winner=0)


# --- invitations ---------------------------------------------------------------------------------


def test_an_invitation_is_accepted_for_the_seat_that_is_offered() -> None:
    assert EngineDesk().invite("t7", 2) == [Join(0, "t7", 2)]


def test_no_more_tables_are_taken_than_announced() -> None:
    desk = EngineDesk(tables=2)
    desk.seat("t1")
    assert desk.invite("t2") == [Join(0, "t2", 0)]  # accepted, and not there yet
    assert desk.invite("t3") == [Decline(0, "t3")]


@pytest.mark.parametrize("ending", ["left", "closed", "new_session", "refused"])
def test_a_table_that_is_over_makes_room(ending: str) -> None:
    desk = EngineDesk(tables=1)
    desk.invite("t1")
    if ending == "refused":
        desk.error(ErrorCode.SEAT_TAKEN)
    else:
        desk.update(view=True, round_=0)
        assert desk.session.tables == ("t1",)
    if ending == "left":
        desk.session.receive(Left(9, "t1", "closed"))
    elif ending == "closed":
        desk.update([StateChanged(TableState.CLOSED)])
    elif ending == "new_session":
        desk.session.receive(LinkNews(NewsKind.NEW_SESSION, "Forgotten."))
    assert desk.session.tables == ()
    assert desk.invite("t2") == [Join(0, "t2", 0)]


def test_each_table_has_an_engine_of_its_own() -> None:
    desk = EngineDesk()
    desk.seat("t1")
    desk.seat("t2")
    first, second = desk.engines
    assert first is not second
    desk.update(table="t2", turn=4)
    assert isinstance(first, Recorder)
    assert isinstance(second, Recorder)
    assert (len(first.views), len(second.views)) == (0, 1)


def test_updates_of_tables_without_a_seat_are_nothing_to_an_engine() -> None:
    desk = EngineDesk()
    assert desk.update([ROUND_BEGAN]) == []
    assert desk.engines == []


# --- questions -----------------------------------------------------------------------------------


def test_a_question_is_answered_for_its_table_and_turn(desk: EngineDesk) -> None:
    assert desk.update(turn=7) == [Act(0, "t1", 7, action_message(Draw()))]
    (view,) = desk.recorder.views
    assert (view.table, view.turn, view.seat) == ("t1", 7, 0)


def test_c2_the_options_come_from_the_table(desk: EngineDesk) -> None:
    desk.update(turn=1)
    assert desk.recorder.views[0].options == OPTIONS
    assert desk.recorder.views[0].passes_left == 4


def test_a_question_that_comes_again_gets_the_same_answer_without_a_thought(
    desk: EngineDesk,
) -> None:
    first = desk.update(turn=7)
    assert desk.update(turn=7) == first
    assert len(desk.recorder.views) == 1


def test_a_question_that_is_past_is_left_alone(desk: EngineDesk) -> None:
    desk.update(turn=7)
    assert desk.update(turn=6) == []


def test_the_servers_seed_is_the_engines_chance(desk: EngineDesk) -> None:
    desk.update(turn=1)
    assert desk.recorder.views[0].seed == "5" * 32


def test_the_seed_of_the_join_holds_for_questions_that_do_not_repeat_it(desk: EngineDesk) -> None:
    desk.update(turn=1, bot_seed=None)
    assert desk.recorder.views[0].seed == "5" * 32


def test_without_a_seed_each_table_has_a_chance_of_its_own() -> None:
    seeds: set[str] = set()
    for _ in range(3):
        desk = EngineDesk()
        desk.invite()
        desk.update(view=True, round_=0, bot_seed=None)
        desk.update(turn=1, bot_seed=None)
        seeds.add(desk.recorder.views[0].seed)
    assert len(seeds) == 3
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds)


# --- fair deals ----------------------------------------------------------------------------------


def test_an_engine_learns_what_was_found_out_about_a_deal(desk: EngineDesk) -> None:
    checked = Verdict("t1", "m1", 3, 2, Outcome.CHECKED)
    assert desk.session.receive(checked) == []
    assert desk.recorder.told[-1] == checked
    assert desk.reports == []


def test_a_deal_that_was_not_fair_is_reported_and_the_engine_plays_on(desk: EngineDesk) -> None:
    failed = Verdict("t1", "m1", 3, 2, Outcome.FAILED, Reason.OWN_HAND)
    desk.session.receive(failed)
    assert desk.recorder.told[-1] == failed
    assert desk.reports == [
        "table t1: deal 3 of match m1: the server has broken the rules of fair deals (own_hand)"
    ]
    assert desk.update(turn=7) == [Act(0, "t1", 7, action_message(Draw()))]


def test_a_deal_at_a_table_that_is_left_is_reported_too(desk: EngineDesk) -> None:
    desk.session.receive(Verdict("t9", "m1", 3, 2, Outcome.FAILED, Reason.NOT_REVEALED))
    assert len(desk.reports) == 1


# --- engines that fail ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (Crashing, "the engine failed: RuntimeError: seat 0 fell over"),
        (Illegal, "is not legal; passing"),
        (Nothing, "None is not legal; passing"),
    ],
)
def test_c51_an_engine_that_fails_is_reported_and_passes(make: type[Engine], words: str) -> None:
    desk = EngineDesk(make)
    desk.seat()
    assert desk.update(turn=3) == [Act(0, "t1", 3, PASS)]
    (report,) = desk.reports
    assert report.startswith("table t1, turn 3: ")
    assert words in report.splitlines()[0]


class Fragile(Recorder):
    """Fail at everything but the question."""

    def begin_match(self, match: MatchStart) -> None:
        raise ValueError("match")

    def begin_round(self, round_: RoundStart) -> None:
        raise ValueError("round")

    def end_round(self, result: RoundEnded) -> None:
        raise ValueError("end")


def test_a_hook_that_fails_is_reported_and_the_game_goes_on() -> None:
    desk = EngineDesk(Fragile)
    desk.seat()
    desk.update([MatchBegan("m", 101), ROUND_BEGAN, ROUND_ENDED])
    assert [report.rpartition(" ")[2] for report in desk.reports] == ["match", "round", "end"]
    assert all(report.startswith("table t1: the engine failed: ") for report in desk.reports)
    assert desk.update(turn=1) == [Act(0, "t1", 1, action_message(Draw()))]


def test_a_hook_that_fails_on_the_engines_own_turn_costs_no_action() -> None:
    desk = EngineDesk(Fragile)
    desk.seat()
    assert desk.update([ROUND_BEGAN], turn=2) == [Act(0, "t1", 2, action_message(Draw()))]
    assert desk.reports[0].startswith("table t1, turn 2: the engine failed: ValueError: ")


class Wordy(Engine):
    """Fail with much to say."""

    def choose(self, view: TurnView) -> Action:
        raise ValueError("no\n  such\n\ttile")


def test_what_was_raised_is_in_the_first_line_of_a_report_and_its_trace_below() -> None:
    desk = EngineDesk(Wordy)
    desk.seat()
    desk.update(turn=3)
    first, second, *_ = desk.reports[0].splitlines()
    assert first == "table t1, turn 3: the engine failed: ValueError: no such tile"
    assert second == "Traceback (most recent call last):"


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.NOT_IN_HAND,
        ErrorCode.DOES_NOT_FIT,
        ErrorCode.END_NEEDED,
        ErrorCode.BONEYARD_FLOOR,
        ErrorCode.MALFORMED,
    ],
)
def test_an_action_that_is_refused_becomes_a_pass_once(desk: EngineDesk, code: ErrorCode) -> None:
    desk.update(turn=3)
    assert desk.error(code, turn=3) == [Act(0, "t1", 3, PASS)]
    assert desk.error(code, turn=3) == []
    assert f"Because {code}." in desk.reports[0]


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.STALE_TURN,
        ErrorCode.TOO_LATE,
        ErrorCode.TURN_DECIDED,
        ErrorCode.ROUND_OVER,
        ErrorCode.NOT_YOUR_TURN,
        ErrorCode.TABLE_STATE,
    ],
)
def test_an_answer_that_is_past_is_reported_and_not_repeated(
    desk: EngineDesk, code: ErrorCode
) -> None:
    desk.update(turn=3)
    assert desk.error(code, turn=4) == []
    assert len(desk.reports) == 1


def test_a_refusal_is_reported_with_the_turn_only_if_it_is_that_turns(desk: EngineDesk) -> None:
    desk.update(turn=3)
    desk.error(ErrorCode.DOES_NOT_FIT, turn=3)
    desk.error(ErrorCode.STALE_TURN, turn=3)
    fits, stale = desk.reports
    assert fits.startswith("table t1, turn 3: ")
    assert stale.startswith("table t1: ")


def test_a_refusal_of_an_earlier_turn_does_not_pass_this_one(desk: EngineDesk) -> None:
    desk.update(turn=3)
    desk.update(turn=5)
    assert desk.error(ErrorCode.DOES_NOT_FIT, turn=3) == []


def test_an_answer_over_the_rate_is_given_again(desk: EngineDesk) -> None:
    first = desk.update(turn=3)
    assert desk.error(ErrorCode.RATE_LIMITED, turn=3) == first


# --- hooks ---------------------------------------------------------------------------------------


def test_a_match_is_told_from_its_beginning(desk: EngineDesk) -> None:
    desk.update([MatchBegan("m", 101), ROUND_BEGAN], view=True)
    desk.update(
        [ROUND_ENDED, RoundBegan(2, 1, DealKind.SEEDED, [7, 7], 14, 12)], view=True, round_=2
    )
    match, first, ended, second = desk.recorder.told
    assert match == MatchStart("m", "t1", 0, OPTIONS, "5" * 32)
    assert isinstance(first, RoundStart)
    assert (first.round, first.leader, len(first.hand)) == (1, 0, 7)
    assert ended == ROUND_ENDED
    assert isinstance(second, RoundStart)
    assert (second.round, second.leader) == (2, 1)


def test_an_engine_that_comes_into_the_middle_is_told_where_it_is() -> None:
    desk = EngineDesk()
    desk.invite()
    desk.update(view=True, round_=3)
    match, round_ = desk.recorder.told
    assert isinstance(match, MatchStart)
    assert isinstance(round_, RoundStart)
    assert (match.match, round_.round) == ("m", 3)


def test_a_rematch_is_another_match(desk: EngineDesk) -> None:
    desk.update([MatchBegan("m1", 101), ROUND_BEGAN])
    desk.update([MATCH_ENDED])
    desk.update([MatchBegan("m2", 101), ROUND_BEGAN])
    matches = [told.match for told in desk.recorder.told if isinstance(told, MatchStart)]
    assert matches == ["m1", "m2"]
    assert desk.session.matches_over == 1


def test_nothing_is_told_twice(desk: EngineDesk) -> None:
    desk.update([MatchBegan("m", 101), ROUND_BEGAN], turn=1)
    desk.update(turn=3)
    desk.update(turn=5)
    assert len(desk.recorder.told) == 2


def test_an_answer_given_again_tells_nothing_anew(desk: EngineDesk) -> None:
    desk.update([MatchBegan("m", 101), ROUND_BEGAN], rev=4)
    desk.update([ROUND_ENDED, MATCH_ENDED], rev=6)
    desk.update([ROUND_ENDED, MATCH_ENDED], rev=6, duplicate=True)
    desk.update([ROUND_ENDED, MATCH_ENDED], rev=5)
    assert desk.recorder.told.count(ROUND_ENDED) == 1
    assert desk.session.matches_over == 1


# --- a server that was started again -------------------------------------------------------------

RESTARTED = LinkNews(NewsKind.RESTARTED, "It was started again.")


def test_a_seat_that_a_server_shows_when_it_is_back_goes_on_with_its_engine(
    desk: EngineDesk,
) -> None:
    (act,) = desk.update([MatchBegan("m", 101), ROUND_BEGAN], turn=1, rev=5)
    assert desk.session.receive(RESTARTED) == []
    assert desk.update(turn=1, rev=5) == [act]  # asked again, and answered the same
    assert len(desk.engines) == len(desk.recorder.views) == 1
    desk.session.receive(Ok(9, 1))
    assert desk.session.tables == ("t1",)


def test_a_seat_that_it_does_not_show_is_no_more_and_makes_room() -> None:
    desk = EngineDesk(tables=2)
    desk.seat("t1")
    desk.seat("t2")
    desk.session.receive(RESTARTED)
    desk.update(table="t2", view=True)
    assert desk.invite("t3") == [Join(0, "t3", 0)]
    assert desk.session.tables == ("t2",)


def test_a_table_that_has_lost_its_last_turns_is_played_from_where_it_is(desk: EngineDesk) -> None:
    desk.update([MatchBegan("m", 101), ROUND_BEGAN], turn=1, rev=5)
    desk.update(turn=9, rev=30)
    desk.session.receive(RESTARTED)
    answers = desk.update(turn=5, rev=17)
    assert [answer.turn for answer in answers if isinstance(answer, Act)] == [5]


def test_an_invitation_that_comes_again_is_accepted_once() -> None:
    desk = EngineDesk()
    assert desk.invite("t1") == [Join(0, "t1", 0)]
    assert desk.invite("t1") == []
    desk.error(ErrorCode.TABLE_FULL)
    assert desk.invite("t1") == [Join(0, "t1", 0)]


# --- whatever comes ------------------------------------------------------------------------------


def test_messages_that_ask_for_nothing_get_no_answer(desk: EngineDesk) -> None:
    assert desk.session.receive(Ok(9, 1)) == []
    assert desk.session.receive(LinkNews(NewsKind.BACK, "Back.")) == []
    assert desk.error(ErrorCode.RATE_LIMITED, table=None) == []


STEPS = st.sampled_from(["invite", "seat", "turn", "again", "error", "began", "ended", "left"])


@given(st.lists(st.tuples(STEPS, st.sampled_from(["t1", "t2", "t3"])), max_size=40))
def test_every_question_at_a_held_seat_is_answered_exactly_once(
    steps: list[tuple[str, str]],
) -> None:
    desk = EngineDesk(tables=2)
    turn = 0
    joining: set[str] = set()
    for step, table in steps:
        held = table in desk.session.tables
        match step:
            case "invite":
                answers = desk.invite(table)
                assert len(answers) == (table not in joining)
                joining |= {answer.table for answer in answers if isinstance(answer, Join)}
            case "seat":
                desk.update(table=table, view=True, round_=0)
            case "turn":
                turn += 1
                acts = desk.update(table=table, turn=turn)
                assert [act.turn for act in acts if isinstance(act, Act)] == [turn]
            case "error" if not held:
                assert desk.error(ErrorCode.TABLE_FULL, table=table) == []
                joining.discard(table)
            case "left":
                desk.session.receive(Left(desk.seq, table, "removed"))
                assert table not in desk.session.tables
                joining.discard(table)
            case _:
                desk.update([ROUND_BEGAN, ROUND_ENDED], table=table)
        if not held and table in desk.session.tables:
            joining.discard(table)
