"""A league may stop anywhere and go on: each game once, and the same standings (C54)."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_bots.engines.greedy import GreedyEngine
from passing_bots.engines.random import RandomEngine
from passing_bots.league.log import EngineOut, GameOver, LeagueEvent, LeagueOver
from passing_bots.league.plan import games
from passing_bots.league.settings import (
    EngineSettings,
    FaultPolicy,
    LeagueClock,
    LeagueSettings,
)
from passing_bots.league.standings import Standings, standings
from tests.support.league_lan import LeagueLan, Maker, sdk
from tests.support.league_logs import league
from tests.support.league_players import Illegal, dying, leave, script

GOOD: Mapping[str, Maker] = {
    "greedy": sdk(GreedyEngine),
    "random": sdk(RandomEngine),
    "twin": sdk(GreedyEngine),
}
MAKERS: Mapping[str, Maker] = {
    **GOOD,
    "illegal": sdk(Illegal),
    "leaves": script(leave),
    "dies": dying(3, turn=3),
}


def one_run(settings: LeagueSettings) -> LeagueLan:
    lan = LeagueLan(settings, MAKERS)
    lan.run()
    return lan


GOOD_LEAGUE = league("greedy", "random", "twin", blocks=3)
BAD_LEAGUE = replace(
    league("greedy", "twin", "illegal", "leaves", "dies", blocks=2),
    faults=FaultPolicy(in_a_row=1000, percent=100),
    clock=LeagueClock(turn_ms=500, bank_ms=500),
    engines=(
        *(EngineSettings(name=name, run="x") for name in ("greedy", "twin", "illegal", "leaves")),
        EngineSettings(name="dies", run="x", tables=1),  # its death costs the one game alone
    ),
)
TRIPLES = league("greedy", "random", "twin", seats=3, blocks=6)
PARTNERS = league("greedy", "random", "twin", seats=4, partners=True, blocks=3)


@cache
def whole(settings: LeagueSettings) -> Standings:
    """Return the standings of a league that was never stopped."""
    return standings(one_run(settings).log)


def has_more_than(lan: LeagueLan, events: int) -> bool:
    return len(lan.log) > events


def stop_and_go_on(
    settings: LeagueSettings, stops: Sequence[int], chance: random.Random
) -> list[LeagueEvent]:
    """Stop after so many further events each time, wherever the next line would be cut off.

    Who is served when is left to chance; so is where in a batch of lines the league is killed.
    """
    log: list[LeagueEvent] = []
    for stop in stops:
        lan = LeagueLan(settings, MAKERS, log, chance=chance)
        least = len(lan.log) + stop
        lan.run(until=partial(has_more_than, lan, least))
        if isinstance(lan.log[-1], LeagueOver):
            return lan.log
        log = lan.log[:least]
    lan = LeagueLan(settings, MAKERS, log, chance=chance)
    lan.run()
    return lan.log


def verify_each_game_once(settings: LeagueSettings, log: Sequence[LeagueEvent]) -> None:
    counts = Counter(event.game for event in log if isinstance(event, GameOver))
    assert counts == Counter(games(settings))


@given(stops=st.lists(st.integers(0, 14), min_size=1, max_size=4), seed=st.integers(0, 2**32))
@examples(max_examples=10)
def test_c54_good_engines(stops: list[int], seed: int) -> None:
    log = stop_and_go_on(GOOD_LEAGUE, stops, random.Random(seed))
    verify_each_game_once(GOOD_LEAGUE, log)
    assert standings(log) == whole(GOOD_LEAGUE)


@given(stops=st.lists(st.integers(0, 30), min_size=1, max_size=5), seed=st.integers(0, 2**32))
@examples(max_examples=8)
def test_c54_engines_with_faults(stops: list[int], seed: int) -> None:
    """Also between the line of a fault and that of its game: it counts once, as the game does.

    What an engine said names a table, and that may be another one.
    """
    log = stop_and_go_on(BAD_LEAGUE, stops, random.Random(seed))
    verify_each_game_once(BAD_LEAGUE, log)
    table, uncut = standings(log), whole(BAD_LEAGUE)
    assert [(row.engine, row.margin, row.forfeits, row.faults) for row in table.rows] == [
        (row.engine, row.margin, row.forfeits, row.faults) for row in uncut.rows
    ]
    assert table.crosstable == uncut.crosstable


@pytest.mark.parametrize("settings", [TRIPLES, PARTNERS], ids=["triples", "partners"])
@pytest.mark.parametrize("seed", range(4))
def test_c54_at_larger_tables(settings: LeagueSettings, seed: int) -> None:
    chance = random.Random(seed)
    log = stop_and_go_on(settings, [chance.randrange(8) for _ in range(3)], chance)
    verify_each_game_once(settings, log)
    assert standings(log) == whole(settings)


@pytest.mark.parametrize("seed", range(6))
def test_who_is_served_first_changes_no_game(seed: int) -> None:
    lan = LeagueLan(GOOD_LEAGUE, MAKERS, chance=random.Random(seed))
    lan.run()
    assert standings(lan.log) == whole(GOOD_LEAGUE)


# --- what counts of an earlier run ---------------------------------------------------------------


OUT_LEAGUE = replace(
    league("greedy", "twin", "dies", "leaves", blocks=12),
    faults=FaultPolicy(in_a_row=4),
    clock=LeagueClock(turn_ms=500, bank_ms=500),
)


def outs(log: Sequence[LeagueEvent]) -> Counter[str]:
    return Counter(event.engine for event in log if isinstance(event, EngineOut))


@pytest.mark.parametrize("seed", range(12))
def test_an_engine_goes_out_once_however_often_the_league_stops(seed: int) -> None:
    chance = random.Random(seed)
    log = stop_and_go_on(OUT_LEAGUE, [chance.randrange(12) for _ in range(5)], chance)
    assert outs(log) == {"dies": 1, "leaves": 1}
    good = [e for e in log if isinstance(e, GameOver) and set(e.pairing) == {"greedy", "twin"}]
    assert len(good) == len({game.game for game in good}) == 24


def test_what_the_log_does_not_say_any_more_is_said_when_the_league_goes_on() -> None:
    """The league was killed after the game by which an engine was out, and before the line."""
    lan = one_run(OUT_LEAGUE)
    said = next(n for n, event in enumerate(lan.log) if isinstance(event, EngineOut))
    again = LeagueLan(OUT_LEAGUE, MAKERS, lan.log[:said])
    assert again.organiser.take_events() == [lan.log[said]]


def test_the_games_of_one_death_are_one_fault_in_a_row_in_a_later_run_too() -> None:
    settings = replace(
        league("greedy", "dies", blocks=30), faults=FaultPolicy(in_a_row=3, percent=100)
    )
    whole = one_run(settings)
    for cut in range(2, len(whole.log) - 1):
        again = LeagueLan(settings, MAKERS, whole.log[:cut])
        told = outs(whole.log[:cut])
        missing = outs(again.organiser.take_events())
        before_the_line = isinstance(whole.log[cut], EngineOut)
        assert (told + missing)["dies"] == (told["dies"] or before_the_line)
