"""Strict engines: after a mistake the seat is given up, once, and the session goes on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_bots import Engine, MatchStart, RoundStart
from passing_bots.playing import Desk
from passing_link.news import LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.events import MatchBegan, MatchEnded, RoundBegan, RoundEnded, StateChanged
from passing_protocol.messages import Act, Invited, Join, Leave, Ok, Request
from passing_protocol.views import DealKind, TableState
from passing_protocol.wire import action_message
from passing_rules import Draw
from tests.support.bad_engines import Crashing, Illegal, Nothing
from tests.support.engine_desk import EngineDesk, Recorder

MATCH_BEGAN = MatchBegan("m", 101)
ROUND_BEGAN = RoundBegan(1, 0, DealKind.GIVEN, [7, 7], 14, 12)
ROUND_ENDED = RoundEnded(1, "out", [0, 9], [0], 9, [9, 0], side=0)
MATCH_ENDED = MatchEnded("target", [101, 0], winner=0)
LEAVE = Leave(0, "t1")
DRAW = action_message(Draw())


class BadStart(Recorder):
    """Fail when a round begins."""

    def begin_round(self, round_: RoundStart) -> None:
        raise ValueError("start")


class BadMatch(Recorder):
    """Fail when a match begins."""

    def begin_match(self, match: MatchStart) -> None:
        raise ValueError("match")


class BadEnd(Recorder):
    """Fail when a round ends."""

    def end_round(self, result: RoundEnded) -> None:
        raise ValueError("end")


def seated(make: type[Engine] = Recorder) -> EngineDesk:
    desk = EngineDesk(make, strict=True)
    desk.seat()
    return desk


def gave_up(make: type[Engine] = Crashing) -> EngineDesk:
    desk = seated(make)
    assert desk.update([MATCH_BEGAN, ROUND_BEGAN], turn=3) == [LEAVE]
    return desk


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (Crashing, "the engine failed: RuntimeError: seat 0 fell over"),
        (Illegal, "is not legal; giving up the seat"),
        (Nothing, "None is not legal; giving up the seat"),
    ],
)
def test_an_engine_that_fails_its_turn_gives_up_the_seat(make: type[Engine], words: str) -> None:
    desk = gave_up(make)
    (report,) = desk.reports
    assert report.startswith("table t1, turn 3: ")
    assert words in report.splitlines()[0]
    assert desk.session.tables == ()


@pytest.mark.parametrize("make", [BadMatch, BadStart])
def test_an_engine_that_fails_a_hook_is_not_asked_any_more(make: type[Recorder]) -> None:
    desk = seated(make)
    assert desk.update([MATCH_BEGAN, ROUND_BEGAN], turn=3) == [LEAVE]
    assert desk.recorder.views == []
    assert desk.reports[0].startswith("table t1, turn 3: the engine failed: ValueError: ")


def test_a_hook_may_fail_on_another_seats_turn() -> None:
    desk = seated(BadEnd)
    assert desk.update([MATCH_BEGAN, ROUND_BEGAN]) == []
    assert desk.update([ROUND_ENDED]) == [LEAVE]
    assert desk.reports[0].startswith("table t1: the engine failed: ValueError: end\n")


def test_a_table_that_closes_with_the_mistake_need_not_be_left() -> None:
    desk = seated(BadEnd)
    desk.update([MATCH_BEGAN, ROUND_BEGAN])
    assert desk.update([ROUND_ENDED, MATCH_ENDED, StateChanged(TableState.CLOSED)]) == []
    assert desk.session.matches_over == 1
    assert desk.invite() == [Join(0, "t1", 0)]


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
def test_an_action_that_the_server_refuses_gives_up_the_seat(code: ErrorCode) -> None:
    desk = seated()
    assert desk.update(turn=3) == [Act(0, "t1", 3, DRAW)]
    assert desk.error(code, turn=3) == [LEAVE]
    assert desk.reports == [f"table t1, turn 3: Because {code}."]


@pytest.mark.parametrize("code", [ErrorCode.STALE_TURN, ErrorCode.TOO_LATE, ErrorCode.TABLE_STATE])
def test_an_answer_that_is_only_late_keeps_the_seat(code: ErrorCode) -> None:
    desk = seated()
    desk.update(turn=3)
    assert desk.error(code, turn=4) == []
    assert desk.session.tables == ("t1",)


def test_an_answer_over_the_rate_is_given_again_and_keeps_the_seat() -> None:
    desk = seated()
    first = desk.update(turn=3)
    assert desk.error(ErrorCode.RATE_LIMITED, turn=3) == first


# --- on the way out ------------------------------------------------------------------------------


def test_what_still_comes_from_the_table_makes_no_new_engine_and_gets_no_answer() -> None:
    desk = gave_up()
    assert desk.update(turn=3) == []
    assert desk.update(turn=5) == []
    assert len(desk.engines) == len(desk.reports) == 1


def test_leaving_is_tried_again_when_it_was_too_much_at_once() -> None:
    desk = gave_up()
    assert desk.error(ErrorCode.RATE_LIMITED) == [LEAVE]


@pytest.mark.parametrize("code", [ErrorCode.NO_SUCH_TABLE, ErrorCode.NOT_SEATED])
def test_a_table_that_is_gone_already_is_left_without_a_word(code: ErrorCode) -> None:
    desk = gave_up()
    assert desk.error(code) == []
    assert len(desk.reports) == 1
    desk.invite()
    desk.update(view=True, round_=0)
    assert desk.session.tables == ("t1",)


def test_a_refusal_from_before_does_not_end_the_leaving() -> None:
    desk = gave_up()
    assert desk.error(ErrorCode.STALE_TURN, turn=4) == []
    assert desk.update(turn=5) == []
    assert len(desk.engines) == 1


def test_an_engine_that_has_left_may_come_back_to_the_same_table() -> None:
    desk = gave_up()
    desk.session.receive(Ok(9, 1, "t1"))
    assert desk.invite() == [Join(0, "t1", 0)]
    desk.update(view=True, round_=0)
    assert len(desk.engines) == 2


def test_a_new_session_knows_of_no_table_that_was_left() -> None:
    desk = gave_up()
    desk.session.receive(LinkNews(NewsKind.NEW_SESSION, "Forgotten."))
    desk.invite()
    desk.update(view=True, round_=0)
    assert desk.session.tables == ("t1",)


def test_a_match_that_was_given_up_counts_as_over() -> None:
    desk = gave_up()
    assert desk.session.matches_over == 1
    before = seated(Crashing)
    before.update([MATCH_BEGAN, ROUND_BEGAN, ROUND_ENDED, MATCH_ENDED])
    assert before.update(turn=3) == [LEAVE]
    assert before.session.matches_over == 1


def test_other_tables_go_on() -> None:
    desk = EngineDesk(BadEnd, strict=True)
    desk.seat("t1")
    desk.seat("t2")
    assert desk.update([ROUND_ENDED], table="t1") == [LEAVE]
    assert desk.update(table="t2", turn=4) == [Act(0, "t2", 4, DRAW)]


def test_a_program_for_one_match_ends_with_the_seat_it_gave_up() -> None:
    server, sent, reports = EngineDesk(), list[Request](), list[str]()
    desk = Desk(Crashing, tables=1, matches=1, report=reports.append, strict=True)

    def send(request: Request) -> int:
        sent.append(request)
        return len(sent)

    assert desk.serve(Invited(1, "t1", 0, 10_000), send)
    server.update(view=True, round_=0)
    assert desk.serve(server.last, send)
    server.update([MATCH_BEGAN, ROUND_BEGAN], turn=1)
    assert not desk.serve(server.last, send)
    assert sent == [Join(0, "t1", 0), LEAVE]
    assert len(reports) == 1


MISTAKES = st.sampled_from(["turn", "began", "ended", "refused", "stale"])


@given(st.lists(MISTAKES, max_size=30), st.sampled_from([Crashing, Illegal, BadEnd, BadStart]))
def test_a_seat_is_given_up_at_most_once_and_nothing_follows(
    steps: list[str], make: type[Engine]
) -> None:
    desk = seated(make)
    sent: list[Request] = []
    for turn, step in enumerate(steps, start=1):
        match step:
            case "turn":
                sent += desk.update(turn=turn)
            case "began":
                sent += desk.update([ROUND_BEGAN])
            case "ended":
                sent += desk.update([ROUND_ENDED])
            case "refused":
                sent += desk.error(ErrorCode.DOES_NOT_FIT, turn=turn - 1)
            case _:
                sent += desk.error(ErrorCode.STALE_TURN, turn=turn)
    assert LEAVE not in sent[:-1]
    assert all(isinstance(request, Act | Leave) for request in sent)
