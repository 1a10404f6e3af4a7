"""The parts that an organiser is made of: its schedule, accounts, lanes, requests and words."""

import io
import signal
from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_bots.league.game import Game
from passing_bots.league.ledger import ENOUGH_GAMES, REPLAYS, Ledger
from passing_bots.league.log import EngineOut, FaultKind, LeagueEvent
from passing_bots.league.outbox import Outbox, Sent
from passing_bots.league.plan import GameKey, block_key, games, seating
from passing_bots.league.progress import Progress
from passing_bots.league.referee import Missed, OutOfStep, Referee
from passing_bots.league.roster import STARTING_AT_ONCE, Lane, Roster
from passing_bots.league.schedule import WINDOW, Schedule
from passing_bots.league.settings import EngineSettings, FaultPolicy
from passing_bots.league.words import FORFEITS, absence, confessed, death
from passing_link.news import LinkDown
from passing_protocol.events import Fault, ForfeitKind, SeatChanged
from passing_protocol.messages import Leave, Request, Update
from passing_protocol.views import SeatInfo, SeatState
from tests.support.league_logs import by_luck, fault, game_over, league, whole_log

TWO = league("a", "b", blocks=200)
KEYS = list(games(TWO))

# --- the schedule --------------------------------------------------------------------------------


def test_games_come_in_the_plans_order_where_all_fit() -> None:
    schedule = Schedule(games(TWO), lambda key: False)
    assert [schedule.next(lambda key: True) for _ in KEYS] == KEYS
    assert schedule.empty
    assert schedule.next(lambda key: True) is None


def is_of_class(choice: int, key: GameKey) -> bool:
    return key.block % 6 == choice


@given(st.lists(st.integers(0, 5), max_size=60))
def test_every_game_comes_once_whatever_fits(choices: list[int]) -> None:
    schedule = Schedule(games(TWO), lambda key: key.block > 20)
    taken: list[GameKey] = []
    for choice in choices:
        key = schedule.next(partial(is_of_class, choice))
        taken += [key] if key is not None else []
    while (key := schedule.next(lambda key: True)) is not None:
        taken.append(key)
    assert sorted(map(str, taken)) == sorted(str(key) for key in KEYS if key.block <= 20)


def test_a_game_beyond_the_window_waits() -> None:
    schedule = Schedule(games(TWO), lambda key: False)
    assert schedule.next(lambda key: key == KEYS[WINDOW]) is None
    assert schedule.next(lambda key: key == KEYS[WINDOW - 1]) == KEYS[WINDOW - 1]
    assert schedule.next(lambda key: key == KEYS[WINDOW]) == KEYS[WINDOW]


def test_a_game_that_is_played_again_comes_first_unless_it_is_off() -> None:
    off: set[GameKey] = set()
    schedule = Schedule(games(TWO), off.__contains__)
    first, second = (schedule.next(lambda key: True) for _ in range(2))
    assert first is not None
    assert second is not None
    off.add(second)
    schedule.again(second)
    schedule.again(first)
    assert schedule.next(lambda key: True) == first
    assert schedule.next(lambda key: True) == KEYS[2]


def test_games_that_are_off_are_dropped() -> None:
    off: set[GameKey] = set()
    schedule = Schedule(games(TWO), off.__contains__)
    assert not schedule.empty
    off.update(KEYS)
    assert not schedule.empty
    schedule.purge()
    assert schedule.empty


# --- the accounts --------------------------------------------------------------------------------


def test_out_after_so_many_in_a_row_and_told_once() -> None:
    ledger = Ledger(FaultPolicy(in_a_row=3, percent=100))
    assert [ledger.failed("a") for _ in range(2)] == [None, None]
    ledger.played("a")
    assert [ledger.failed("a") for _ in range(4)] == [None, None, "3 faults in a row", None]
    assert ledger.is_out("a")
    assert not ledger.is_out("b")


def test_faults_of_one_incident_count_once_in_a_row() -> None:
    ledger = Ledger(FaultPolicy(in_a_row=2, percent=100))
    assert [ledger.failed("a", 1) for _ in range(5)] == [None] * 5
    assert ledger.failed("a", 2) == "2 faults in a row"


@pytest.mark.parametrize("percent", [1, 10, 50])
def test_out_by_the_share_from_twenty_games_on(percent: int) -> None:
    ledger = Ledger(FaultPolicy(in_a_row=1000, percent=percent))
    faulty = max(1, ENOUGH_GAMES * percent // 100)
    for _ in range(ENOUGH_GAMES - faulty):
        ledger.played("a")
    reasons = [ledger.failed("a") for _ in range(faulty)]
    assert reasons == [None] * (faulty - 1) + [f"faults in {faulty} of 20 games"]


def test_so_many_replays_and_no_more() -> None:
    ledger = Ledger(FaultPolicy())
    for _ in range(REPLAYS):
        assert ledger.may_replay("a")
        ledger.replayed("a")
    assert not ledger.may_replay("a")
    assert ledger.may_replay("b")


# --- the roster ----------------------------------------------------------------------------------


class Started:
    """Note what is started and stopped."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.stopped: list[Lane] = []

    def start(self, lane: Lane, name: str) -> None:
        self.names.append(name)

    def stop(self, lane: Lane) -> None:
        self.stopped.append(lane)

    def said(self, lane: Lane, table: str | None) -> str:
        return f"{lane} {table}"


def roster(tables: int = 3) -> tuple[Roster, Started]:
    started = Started()
    engines = [EngineSettings(name=name, run="x", tables=tables) for name in "abcdefgh"]
    return Roster(engines, started), started


A1, B2 = Lane("a", 0), Lane("b", 1)


def test_a_lanes_first_game_is_alone_until_it_is_in_the_lobby() -> None:
    lanes, started = roster()
    assert lanes.fits([A1, B2])
    lanes.enter(A1)
    lanes.enter(B2)
    assert started.names == ["a.1", "b.2"]
    assert not lanes.fits([A1, Lane("c", 1)])
    lanes.connected(A1)
    assert lanes.fits([A1, Lane("c", 1)])
    lanes.enter(A1)
    lanes.enter(A1)
    assert not lanes.fits([A1, Lane("c", 1)])
    lanes.leave(A1)
    assert lanes.fits([A1, Lane("c", 1)])
    assert started.names == ["a.1", "b.2"]


def test_a_lane_that_has_ended_is_started_again_under_a_new_name() -> None:
    lanes, started = roster()
    for expected in ("a.1", "a.1-2", "a.1-3"):
        lanes.enter(A1)
        assert lanes.name(A1) == started.names[-1] == expected
        lanes.connected(A1)
        lanes.ended(A1)
        assert not lanes.state(A1).ready
        lanes.leave(A1)


def test_no_more_than_some_start_at_once() -> None:
    lanes, _ = roster()
    names = "abcdefgh"
    for name in names[:STARTING_AT_ONCE]:
        assert lanes.fits([Lane(name, 0)])
        lanes.enter(Lane(name, 0))
    assert not lanes.fits([Lane("h", 0)])
    lanes.leave(Lane("a", 0))  # nobody waits for it any more
    assert lanes.fits([Lane("h", 0)])
    lanes.connected(Lane("b", 0))
    assert lanes.fits([Lane("h", 0), Lane("h", 1)])


def test_a_game_of_four_may_start_four() -> None:
    lanes, _ = roster()
    assert lanes.fits([Lane(name, seat) for seat, name in enumerate("abcd")])


def test_stopping_ends_what_runs_and_idle_lanes_are_those_without_a_game() -> None:
    lanes, started = roster()
    lanes.enter(A1)
    lanes.enter(Lane("a", 1))
    lanes.leave(A1)
    assert lanes.idle_lanes("a") == [A1]
    lanes.stop(A1)
    lanes.stop(A1)
    assert started.stopped == [A1]
    assert lanes.idle_lanes("a") == []
    assert lanes.said(A1, "t1") == "a.1 t1"


# --- the outbox ----------------------------------------------------------------------------------


def game() -> Game:
    referee = Referee(TWO.options, bytes.fromhex(block_key(TWO, ("a", "b"), 1)))
    return Game(KEYS[0], seating(TWO, KEYS[0]), referee, 0.0)


def test_what_cannot_be_sent_stays_in_its_order() -> None:
    outbox, sent = Outbox(), list[Request]()
    requests = [Leave(0, f"t{number}") for number in range(4)]
    for request in requests:
        outbox.put(request)

    def send(request: Request) -> int:
        if len(sent) == 2 and request not in tried:
            tried.append(request)
            raise LinkDown
        sent.append(request)
        return len(sent)

    tried: list[Request] = []
    with pytest.raises(LinkDown):
        outbox.send_all(send)
    outbox.send_all(send)
    assert sent == requests
    assert [outbox.answered(number) for number in (2, 2, None, 9)] == [
        Sent(requests[1]), None, None, None,
    ]  # fmt: skip


def test_what_was_too_early_is_sent_again_when_it_is_due_and_wanted() -> None:
    outbox, sent = Outbox(), list[Request]()

    def send(request: Request) -> int:
        sent.append(request)
        return len(sent)

    wanted, unwanted = Sent(Leave(0, "t1"), game()), Sent(Leave(0, "t2"))
    outbox.put_later(wanted, 5.0)
    outbox.put_later(unwanted, 5.0)
    outbox.tick(4.9, lambda _: True)
    outbox.send_all(send)
    assert sent == []
    outbox.tick(5.0, lambda each: each.game is not None)
    outbox.send_all(send)
    assert sent == [wanted.request]
    assert outbox.answered(1) == wanted
    outbox.tick(9.0, lambda _: True)
    outbox.send_all(send)
    assert sent == [wanted.request]


def test_a_lost_session_answers_nothing() -> None:
    outbox = Outbox()
    outbox.put(Leave(0, "t1"))
    outbox.send_all(lambda _: 1)
    outbox.forget_asked()
    assert outbox.answered(1) is None


# --- the referee ---------------------------------------------------------------------------------


def test_news_that_skip_a_number_are_missed() -> None:
    referee = game().referee
    referee.follow(Update(1, "t1", 3, []))
    referee.follow(Update(2, "t1", 3, []))
    with pytest.raises(Missed, match="news 5 came after 3"):
        referee.follow(Update(3, "t1", 5, [SeatChanged(0, SeatInfo(SeatState.TAKEN))]))


def test_a_seat_that_the_table_has_not_is_out_of_step() -> None:
    with pytest.raises(OutOfStep):
        game().referee.follow(Update(1, "t1", 1, [SeatChanged(2, SeatInfo(SeatState.TAKEN))]))


def test_why_a_seat_was_forfeited_is_what_the_table_tells() -> None:
    referee = game().referee
    info = SeatInfo(SeatState.FORFEITED)
    fault = Fault("player", "off it went", 1, ForfeitKind.LEFT)
    referee.follow(Update(1, "t1", 1, [SeatChanged(1, info, fault)]))
    referee.follow(Update(2, "t1", 2, [SeatChanged(1, info)]))  # it is so still
    assert referee.forfeits == {1: (ForfeitKind.LEFT, "off it went")}
    assert [len(changes) for changes in referee.changes.values()] == [1]
    assert not referee.dealt


@pytest.mark.parametrize("fault", [None, Fault("player", "left", 1)])
def test_a_seat_that_is_forfeited_for_nothing_is_out_of_step(fault: Fault | None) -> None:
    told = SeatChanged(1, SeatInfo(SeatState.FORFEITED), fault)
    with pytest.raises(OutOfStep, match="seat 1 has forfeited, and it is not told for what"):
        game().referee.follow(Update(1, "t1", 1, [told]))


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (3, "its process ended with exit code 3"),
        (0, "its process ended with exit code 0"),
        (-signal.SIGSEGV, "its process was ended by SIGSEGV"),
        (-99, "its process was ended by signal 99"),
    ],
)
def test_a_death_is_told_with_its_last_words(code: int, words: str) -> None:
    assert death(code, "") == words
    assert death(code, "oops") == f"{words}; it said: oops"


def test_an_absence_tells_how_far_the_engine_came() -> None:
    assert absence(False, 5) == "did not come to the lobby within 5 s"
    assert absence(True, 5) == "did not take its seat within 5 s"


def test_each_kind_of_forfeit_is_a_fault() -> None:
    assert FORFEITS.keys() == set(ForfeitKind)


@pytest.mark.parametrize(
    ("kind", "said", "told"),
    [
        (FaultKind.LEFT, "", FaultKind.LEFT),
        (FaultKind.LEFT, "table t1, turn 2: x is not legal; giving up the seat", FaultKind.ILLEGAL),
        (FaultKind.LEFT, "table t1: the engine failed: E: y", FaultKind.CRASHED),
        (FaultKind.NO_ANSWER, "table t1: the engine failed: E: y", FaultKind.NO_ANSWER),
    ],
)
def test_one_that_left_and_says_why_is_believed(
    kind: FaultKind, said: str, told: FaultKind
) -> None:
    assert confessed(kind, said) is told


# --- progress ------------------------------------------------------------------------------------


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def shown(
    events: Sequence[LeagueEvent], *, terminal: bool, step: float, before: int = 0
) -> list[str]:
    stream, clock = io.StringIO(), Clock()
    progress = Progress(TWO, stream, terminal=terminal, clock=clock)
    for event in events[:before]:
        progress.recall(event)
    for event in events[before:]:
        clock.now += step
        progress.tell(event, 7)
    progress.close()
    return stream.getvalue().split("\r" if terminal else "\n")


EVENTS = whole_log(TWO, by_luck(TWO))


def test_off_a_terminal_a_line_comes_now_and_then_and_at_the_end() -> None:
    lines = shown(EVENTS, terminal=False, step=1.0)
    assert len(lines) == 402 // 10 + 1 + 1
    assert lines[0] == (
        "games 9/400   2%  faults 0  playing 7  0.9 games/s  left 7:14 [...............]"
    )
    assert lines[-2].startswith("games 400/400 100%  faults 0  playing 0  1.0 games/s  left 0:00")
    assert all(len(line) <= 79 for line in lines)


def test_on_a_terminal_one_line_is_drawn_again_and_fits() -> None:
    lines = shown(EVENTS, terminal=True, step=0.01)
    assert 402 // 20 <= len(lines) <= 402 // 20 + 2
    assert all(line.startswith("\x1b[K") for line in lines[1:])
    assert all(len(line) <= 79 + 3 for line in lines)
    assert lines[-1] == "\x1b[K"


def test_the_rate_is_that_of_this_run() -> None:
    lines = shown(EVENTS, terminal=False, step=2.0, before=201)
    assert "  0.5 games/s  left " in lines[0]


def test_faults_are_told_in_one_harmless_line_each() -> None:
    evil = fault("a", KEYS[0], evidence="\x1b[2J\nboom " + "x" * 500)
    out = EngineOut("a", "5 faults in a row")
    lines = shown([EVENTS[0], evil, out, game_over(TWO, KEYS[0], (0, 0), ["a"])],
                  terminal=False, step=0.1)  # fmt: skip
    assert lines[0].startswith("a: no answer, game a+b/1/0: boom xxx")
    assert len(lines[0]) <= 200
    assert lines[1] == "a is out: 5 faults in a row"
    assert lines[2].startswith("games 1/1 100%  faults 1  playing 0")


def test_many_faults_of_one_kind_are_told_three_times_and_then_counted() -> None:
    many = [fault("a", key) for key in KEYS[:9]]
    lines = shown([EVENTS[0], *many], terminal=False, step=0.1)
    assert [line.startswith("a: no answer, game") for line in lines[:3]] == [True] * 3
    assert lines[4] == "a: no answer, in 6 more games"
