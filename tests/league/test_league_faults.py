"""What an engine does wrong costs it its own games, each with its reason, and no others (C52)."""

import random
import signal
from collections import Counter
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from passing_bots.engines.careful import CarefulEngine
from passing_bots.engines.greedy import GreedyEngine
from passing_bots.engines.random import RandomEngine
from passing_bots.league.log import EngineOut, FaultKind, FaultNoted, GameOver
from passing_bots.league.plan import games
from passing_bots.league.roster import Lane
from passing_bots.league.settings import FaultPolicy, LeagueClock, LeagueSettings
from passing_bots.league.standings import standings
from passing_protocol.records import ChangeKind, EndReason, verify_records
from tests.support.league_lan import LeagueLan, Maker, sdk
from tests.support.league_logs import league
from tests.support.league_players import (
    Failing,
    Illegal,
    Unwilling,
    decline,
    does_not_start,
    dying,
    hanging,
    ignore,
    illegal,
    killed,
    leave,
    never_connects,
    nothing,
    script,
)

GOOD: Mapping[str, Maker] = {
    "greedy": sdk(GreedyEngine),
    "random": sdk(RandomEngine),
    "careful": sdk(CarefulEngine),
}
NEVER_OUT = FaultPolicy(in_a_row=1000, percent=100, connect_s=4)
QUICK = LeagueClock(turn_ms=500, bank_ms=1_000)

BAD: Mapping[str, tuple[Maker, FaultKind, str]] = {
    "never_connects": (
        never_connects, FaultKind.NOT_CONNECTED, "did not come to the lobby within 4 s",
    ),
    "does_not_start": (
        does_not_start, FaultKind.CRASHED,
        "its process ended with exit code 1; it said: It has lost its weights.",
    ),
    "mute": (script(nothing, ignore), FaultKind.NOT_CONNECTED, "did not take its seat within 4 s"),
    "declines": (
        script(nothing, decline), FaultKind.NOT_CONNECTED, "did not accept the invitation",
    ),
    "silent": (
        script(nothing), FaultKind.NO_ANSWER, "3 strikes: 3 turns without an answer in time",
    ),
    "illegal": (
        script(illegal), FaultKind.ILLEGAL, "3 strikes: 3 turns with 3 refused actions each",
    ),
    "leaves": (script(leave), FaultKind.LEFT, "left"),
    "strictly_illegal": (sdk(Illegal), FaultKind.ILLEGAL, "left; it said: table t"),
    "fails": (sdk(Failing), FaultKind.CRASHED, "the engine failed: RuntimeError: fell over"),
    "unwilling": (sdk(Unwilling), FaultKind.CRASHED, "RuntimeError: not today"),
    "exits": (
        dying(3), FaultKind.CRASHED, "its process ended with exit code 3; it said: fell over",
    ),
    "ends_well": (dying(0), FaultKind.CRASHED, "its process ended with exit code 0"),
    "uncaught": (dying(1, bye=True), FaultKind.LEFT, "; it said: fell over"),
    "segfaults": (dying(-signal.SIGSEGV), FaultKind.CRASHED, "was ended by SIGSEGV"),
    "aborts": (dying(-signal.SIGABRT), FaultKind.CRASHED, "was ended by SIGABRT"),
    "hangs": (hanging, FaultKind.NO_ANSWER, "3 strikes"),
}  # fmt: skip
ALSO: Mapping[str, set[FaultKind]] = {
    "uncaught": {FaultKind.CRASHED, FaultKind.NOT_CONNECTED},
    "hangs": {FaultKind.NOT_CONNECTED},
}
"""How the end of such a process shows in games that it is to begin."""

STRUCK = ("silent", "illegal", "hangs")
"""These need three turns for it, and a game may be over before."""


def bad_league(
    *names: str,
    seats: int = 2,
    partners: bool = False,
    blocks: int = 3,
    faults: FaultPolicy = NEVER_OUT,
    clock: LeagueClock = QUICK,
) -> LeagueSettings:
    settings = league(*names, seats=seats, partners=partners, blocks=blocks)
    return replace(settings, faults=faults, clock=clock)


def faults_of(lan: LeagueLan) -> list[FaultNoted]:
    return [event for event in lan.log if isinstance(event, FaultNoted)]


def outs_of(lan: LeagueLan) -> dict[str, str]:
    return {event.engine: event.reason for event in lan.log if isinstance(event, EngineOut)}


def verify_faults_and_games_agree(lan: LeagueLan) -> None:
    """Each lost game has one fault of each that lost it, which comes before it, and vice versa."""
    noted: Counter[tuple[object, str | None]] = Counter()
    lost: Counter[tuple[object, str | None]] = Counter()
    for event in lan.log:
        if isinstance(event, FaultNoted) and event.owner == "player":
            assert not event.replay
            noted[event.game, event.engine] += 1
        elif isinstance(event, GameOver):
            lost.update((event.game, name) for name in event.forfeits)
            assert all(noted[event.game, name] == 1 for name in event.forfeits)
    assert noted == lost


def verify_records_of(lan: LeagueLan) -> None:
    for game in lan.games:
        if game.record is not None:
            verify_records(game.record)


def run(settings: LeagueSettings, makers: Mapping[str, Maker]) -> LeagueLan:
    lan = LeagueLan(settings, makers)
    lan.run()
    verify_faults_and_games_agree(lan)
    verify_records_of(lan)
    assert not lan.seats_left()
    assert len({game.game for game in lan.games}) == len(lan.games)
    return lan


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("kind", BAD)
def test_c52_each_loses_all_its_games_with_its_reason(kind: str, seats: int) -> None:
    names = ("greedy", "random", "careful")[: max(seats - 1, 2)]
    settings = bad_league(*names, kind, seats=seats, blocks=2)
    lan = run(settings, {**GOOD, kind: BAD[kind][0]})
    assert Counter(game.game for game in lan.games) == Counter(games(settings))
    verify_blame(lan, kind)


def verify_blame(lan: LeagueLan, kind: str) -> None:
    """All faults are of that kind of engine, are what is expected of it, and are in all games."""
    _, fault, words = BAD[kind]
    noted = faults_of(lan)
    kinds = [each.kind for each in noted]
    assert {(each.engine, each.owner) for each in noted} == {(kind, "player")}
    assert fault in kinds
    assert set(kinds) <= {fault, *ALSO.get(kind, set())}
    assert all(words in each.evidence for each in noted if each.kind is fault)
    its_games = [game for game in lan.games if kind in game.pairing]
    lost = [game for game in lan.games if game.forfeits]
    assert all(game.forfeits == (kind,) for game in lost)
    assert len(lost) > len(its_games) / 2 if kind in STRUCK else lost == its_games


@pytest.mark.parametrize("kind", BAD)
def test_with_partners_a_side_loses_by_either_of_its_seats(kind: str) -> None:
    lan = run(
        bad_league("greedy", "random", kind, seats=4, partners=True, blocks=2),
        {**GOOD, kind: BAD[kind][0]},
    )
    assert len(lan.games) == 12
    verify_blame(lan, kind)


def test_all_kinds_at_once_leave_the_others_games_alone() -> None:
    makers = {**GOOD, **{kind: maker for kind, (maker, _, _) in BAD.items()}}
    settings = bad_league(*makers, blocks=4, faults=FaultPolicy(connect_s=4))
    lan = run(settings, makers)
    out = outs_of(lan)
    assert out.keys() == BAD.keys()
    between_good = [game for game in lan.games if set(game.pairing) <= GOOD.keys()]
    assert len(between_good) == 3 * 4 * 2
    assert not any(game.forfeits for game in between_good)
    assert {each.engine for each in faults_of(lan)} == BAD.keys()
    assert {row.engine for row in standings(lan.log).rows if row.out} == BAD.keys()


def test_an_engine_that_is_out_has_no_process_left() -> None:
    lan = run(bad_league("greedy", "random", "silent", blocks=8, faults=FaultPolicy()),
              {**GOOD, "silent": BAD["silent"][0]})  # fmt: skip
    assert outs_of(lan).keys() == {"silent"}
    assert not [lane for lane in lan.processes if lane.engine == "silent"]


# --- at three and four seats ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["silent", "illegal", "exits", "leaves", "segfaults", "hangs"])
@pytest.mark.parametrize("seats", [3, 4])
def test_a_lost_seat_passes_to_the_end_and_the_others_are_scored(kind: str, seats: int) -> None:
    names = ("greedy", "random", "careful")[: seats - 1]
    lan = run(bad_league(*names, kind, seats=seats, blocks=3), {**GOOD, kind: BAD[kind][0]})
    scored = 0
    for game in lan.games:
        if game.record is None or not game.forfeits:
            continue
        (record,) = verify_records(game.record)
        (round_,) = record.rounds
        assert round_.result is not None
        seat = game.engines.index(kind)
        assert [c.kind for c in round_.changes if c.seat == seat] == [ChangeKind.FORFEIT]
        (change,) = round_.changes
        after = [a for a in round_.actions[change.after :] if a.seat == seat]
        assert all(str(action).startswith("-") for action in after)
        scored += max(game.points)
    assert scored > 0
    margins = {row.engine: row.margin.mean for row in standings(lan.log).rows}
    assert margins[kind] == -40 or not all(game.forfeits for game in lan.games)


def test_two_of_three_fail_and_the_third_wins_by_both() -> None:
    lan = run(
        bad_league("exits", "greedy", "fails", seats=3, blocks=2),
        {**GOOD, "exits": BAD["exits"][0], "fails": BAD["fails"][0]},
    )
    both = [game for game in lan.games if game.forfeits == ("exits", "fails")]
    assert both
    assert all(game.forfeits for game in lan.games)
    if len(both) == len(lan.games):
        margins = {row.engine: row.margin.mean for row in standings(lan.log).rows}
        assert margins == {"greedy": 80, "exits": -40, "fails": -40}


# --- both at once --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["exits", "segfaults", "fails", "never_connects"])
def test_where_both_fail_each_game_is_lost_by_one_or_both(kind: str) -> None:
    lan = run(bad_league("one", "two", blocks=2), dict.fromkeys(["one", "two"], BAD[kind][0]))
    assert len(lan.games) == 4
    assert all(game.forfeits for game in lan.games)
    if kind == "never_connects":
        assert all(game.forfeits == ("one", "two") for game in lan.games)


def test_two_that_are_not_heard_any_more_are_away() -> None:
    """Their table pauses, as nobody is there to play on for; the league does not wait."""
    settings = bad_league("one", "two", blocks=1, clock=LeagueClock(turn_ms=60_000, bank_ms=0))
    lan = LeagueLan(replace(settings, tables=1), dict.fromkeys(["one", "two"], GOOD["greedy"]))
    while not lan.met:
        lan.step()
    for process in lan.processes.values():
        process.hangs = True
    lan.run()
    assert lan.games[0].forfeits == ("one", "two")
    assert {(each.kind, each.evidence) for each in faults_of(lan)[:2]} == {
        (FaultKind.AWAY, "was not heard any more")
    }


def kill_both(code: int) -> LeagueLan:
    """Let both engines of a game die at the same moment, in the middle of their games."""
    lan = LeagueLan(bad_league("greedy", "random", blocks=3), GOOD)
    lan.run(until=lambda: len(lan.games) == 2)
    assert lan.organiser.playing
    for lane in list(lan.processes):
        lan.kill(lane, code)
    lan.run()
    return lan


def test_all_processes_die_at_the_same_moment() -> None:
    lan = kill_both(1)
    verify_faults_and_games_agree(lan)
    lost = [game for game in lan.games if game.forfeits]
    assert lost
    assert all(game.forfeits == ("greedy", "random") for game in lost)
    assert len(lan.games) == 6
    assert {fault.incident for fault in faults_of(lan)} <= {1, 2, 3, 4}


# --- the end of a process when its games are over already ----------------------------------------


def test_a_process_that_ends_between_its_games_loses_none() -> None:
    """It plays its games to the end; where it is needed again it is started again."""
    settings = replace(bad_league("greedy", "random", blocks=4), tables=1)
    lan = LeagueLan(settings, GOOD)

    def kill_idle() -> bool:
        if not lan.organiser.playing and ("greedy", 0) in lan.processes:
            lan.kill(Lane("greedy", 0), 1)
        return False

    lan.run(until=kill_idle)
    assert len(lan.games) == 8
    assert not faults_of(lan)
    assert sum(process.lane == ("greedy", 0) for process in lan.started) > 1


# --- killed from outside -------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 2])
def test_a_killed_process_is_no_fault_and_its_games_are_played_again(times: int) -> None:
    settings = replace(bad_league("greedy", "killed"), tables=1)
    lan = run(settings, {**GOOD, "killed": killed(times)})
    assert len(lan.games) == 6
    assert not any(game.forfeits for game in lan.games)
    noted = faults_of(lan)
    assert [(each.engine, each.owner, each.kind, each.replay) for each in noted] == [
        ("killed", "worker", FaultKind.KILLED, True)
    ] * times
    assert "SIGKILL" in noted[0].evidence
    assert [each.incident for each in noted] == list(range(1, times + 1))


def test_a_game_is_played_again_with_the_same_deal() -> None:
    settings = replace(bad_league("greedy", "killed", blocks=1), tables=1)
    lan = run(settings, {**GOOD, "killed": killed(1)})
    seen_twice = [hands for hands in lan.met.values() if len(hands) != len(set(hands))]
    assert {len(hands) for hands in seen_twice} == {2}


def test_a_process_that_is_killed_again_and_again_is_at_fault_from_the_third_time_on() -> None:
    settings = replace(bad_league("greedy", "killed", blocks=3), tables=1)
    lan = run(settings, {**GOOD, "killed": killed(99)})
    owners = [each.owner for each in faults_of(lan)]
    assert owners == ["worker"] * 2 + ["player"] * 6
    assert all(game.forfeits == ("killed",) for game in lan.games)


def test_all_games_that_a_kill_hits_are_played_again_and_count_as_one_kill() -> None:
    settings = bad_league("greedy", "killed", blocks=8)
    lan = run(settings, {**GOOD, "killed": killed(2)})
    noted = faults_of(lan)
    assert {each.owner for each in noted} == {"worker"}
    assert len({each.incident for each in noted}) == 2
    assert not any(game.forfeits for game in lan.games)


def test_the_kills_of_an_earlier_run_count() -> None:
    settings = replace(bad_league("greedy", "killed", blocks=3), tables=1)
    first = LeagueLan(settings, {**GOOD, "killed": killed(99)})
    first.run(until=lambda: len(faults_of(first)) == 2)
    assert [each.owner for each in faults_of(first)] == ["worker"] * 2
    second = LeagueLan(settings, {**GOOD, "killed": killed(99)}, first.log)
    second.run()
    assert [each.owner for each in faults_of(second)] == ["worker"] * 2 + ["player"] * 6
    assert [each.incident for each in faults_of(second)] == list(range(1, 9))


# --- out -----------------------------------------------------------------------------------------


def test_after_so_many_faults_in_a_row_an_engine_is_out() -> None:
    settings = replace(bad_league("greedy", "silent", faults=FaultPolicy(in_a_row=4)), tables=1)
    lan = run(settings, {**GOOD, "silent": BAD["silent"][0]})
    assert outs_of(lan) == {"silent": "4 faults in a row"}
    assert len(lan.games) == 4


def test_the_games_that_one_death_costs_are_one_fault_in_a_row() -> None:
    policy = FaultPolicy(in_a_row=2, percent=100)
    lan = run(bad_league("greedy", "exits", blocks=20, faults=policy),
              {**GOOD, "exits": dying(3, turn=3)})  # fmt: skip
    assert outs_of(lan) == {"exits": "2 faults in a row"}
    incidents = {each.incident for each in faults_of(lan)}
    assert len(faults_of(lan)) > len(incidents) > 1


def test_an_engine_with_too_large_a_share_of_faults_is_out() -> None:
    """It fails in every fourth game, so never in a row."""
    count = 0

    class FailsSometimes(GreedyEngine):
        def __init__(self) -> None:
            nonlocal count
            count += 1
            self.fails = count % 4 == 0

        def end_round(self, result: object) -> None:
            pass

        def begin_round(self, round_: object) -> None:
            if self.fails:
                raise RuntimeError("every fourth")

    policy = FaultPolicy(in_a_row=3, percent=20)
    settings = replace(bad_league("greedy", "fails", blocks=30, faults=policy), tables=1)
    lan = run(settings, {**GOOD, "fails": sdk(FailsSometimes)})
    assert outs_of(lan) == {"fails": "faults in 5 of 20 games"}
    assert len(lan.games) == 20


def test_games_that_are_going_on_when_an_engine_is_out_are_played_to_their_end() -> None:
    lan = run(
        bad_league("greedy", "random", "illegal", blocks=20, faults=FaultPolicy(in_a_row=2)),
        {**GOOD, "illegal": script(illegal)},
    )
    last = max(n for n, e in enumerate(lan.log) if isinstance(e, GameOver) and e.forfeits)
    out = next(n for n, event in enumerate(lan.log) if isinstance(event, EngineOut))
    assert last > out
    assert len([e for e in lan.log if isinstance(e, EngineOut)]) == 1


# --- starting again ------------------------------------------------------------------------------


def test_a_lane_that_is_started_again_is_invited_under_a_new_name() -> None:
    """The server still holds the session of the one that died."""
    settings = replace(bad_league("greedy", "exits", blocks=2), tables=1)
    lan = run(settings, {**GOOD, "exits": dying(3)})
    names = [process.name for process in lan.started if process.lane == ("exits", 0)]
    assert names == ["exits.1", "exits.1-2"]


def test_many_that_never_sit_down_do_not_keep_others_from_starting() -> None:
    """Declining engines run on and are at no table; others still find a place to start."""
    names = ["d1", "d2", "d3", "d4", "greedy", "random"]
    makers = {**GOOD, **dict.fromkeys(names[:4], BAD["declines"][0])}
    lan = run(bad_league(*names, blocks=2), makers)
    assert len(lan.games) == 15 * 4
    good = next(game for game in lan.games if game.pairing == ("greedy", "random"))
    assert good.record is not None


def test_engines_that_wait_for_one_that_fails_to_start_do_not_block_each_other() -> None:
    """None of them has come to the lobby when its game is given up: it waits for no game then."""
    names = [f"f{number}" for number in range(4)] + [f"g{number}" for number in range(6)]
    makers = {name: does_not_start if name[0] == "f" else GOOD["greedy"] for name in names}
    lan = run(bad_league(*names, blocks=1), makers)
    assert len(lan.games) == 45 * 2


@pytest.mark.parametrize("seed", range(10))
def test_whoever_is_served_first_only_the_bad_are_blamed(seed: int) -> None:
    """Also where an engine sits down at a table that was just given up: it must not stay there."""
    bad = ("exits", "declines", "does_not_start", "leaves")
    makers = {**GOOD, **{kind: BAD[kind][0] for kind in bad}}
    settings = bad_league(*GOOD, *bad, blocks=1)
    engines = tuple(replace(engine, tables=2) for engine in settings.engines)
    lan = LeagueLan(replace(settings, engines=engines), makers, chance=random.Random(seed))
    lan.run()
    verify_faults_and_games_agree(lan)
    assert {event.engine for event in faults_of(lan)} == set(bad)
    assert len(lan.games) == 21 * 2
    assert not lan.seats_left()


# --- C59 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_c59_an_engine_that_does_not_answer_forfeits_after_three_turns(seats: int) -> None:
    names = ("greedy", "random", "careful")[: seats - 1]
    lan = run(bad_league(*names, "silent", seats=seats, blocks=1),
              {**GOOD, "silent": BAD["silent"][0]})  # fmt: skip
    for game in lan.games:
        assert game.record is not None
        (record,) = verify_records(game.record)
        seat = game.engines.index("silent")
        timed_out = [a for a in record.rounds[0].actions if a.seat == seat and a.timed_out]
        if seats == 2:
            assert len(timed_out) <= 3
            assert record.outcome is not None
            assert record.outcome.reason is EndReason.FORFEIT
        assert str(record.rounds[0].actions[:40]).count("timed_out=True") >= 2
