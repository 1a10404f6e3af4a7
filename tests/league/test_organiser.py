"""A league plays every game of its plan once, fairly, and good engines have no faults."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from passing_bots.engines.careful import CarefulEngine
from passing_bots.engines.greedy import GreedyEngine
from passing_bots.engines.random import RandomEngine
from passing_bots.league.log import EngineOut, FaultNoted, GameOver, LeagueOver
from passing_bots.league.plan import games, seating
from passing_bots.league.settings import EngineSettings, GameKind, LeagueRules, LeagueSettings
from passing_bots.league.standings import standings
from passing_protocol.records import verify_records
from tests.support.league_lan import LeagueLan, Maker, sdk
from tests.support.league_logs import league
from tests.support.league_naive import verify_by_naive_rules

GOOD: Mapping[str, Maker] = {
    "greedy": sdk(GreedyEngine),
    "twin": sdk(GreedyEngine),
    "random": sdk(RandomEngine),
    "chance": sdk(RandomEngine),
    "careful": sdk(CarefulEngine),
}
TABLES = [(2, False, 8), (3, False, 3), (4, False, 2), (4, True, 4)]
"""Seats, partners and blocks."""


def good_league(seats: int, partners: bool, blocks: int) -> LeagueSettings:
    return league(*GOOD, seats=seats, partners=partners, blocks=blocks)


@pytest.fixture(scope="module", params=TABLES, ids=["2", "3", "4", "partners"])
def played(request: pytest.FixtureRequest) -> LeagueLan:
    lan = LeagueLan(good_league(*request.param), GOOD)
    lan.run()
    return lan


def test_every_game_of_the_plan_is_played_once(played: LeagueLan) -> None:
    counts = Counter(game.game for game in played.games)
    assert counts == Counter(games(played.settings))
    assert isinstance(played.log[-1], LeagueOver)


def test_good_engines_have_no_faults(played: LeagueLan) -> None:
    assert not [e for e in played.log if isinstance(e, FaultNoted | EngineOut)]
    assert not [line for process in played.started for line in process.lines]


def test_a_lane_is_one_process_at_one_seat(played: LeagueLan) -> None:
    sides = len(played.settings.engines) * played.settings.options.seats
    assert len(played.started) == len({process.lane for process in played.started}) == sides
    assert {process.name for process in played.started} == {
        f"{name}.{seat + 1}" for name in GOOD for seat in range(played.settings.options.seats)
    }


def test_no_lane_meets_a_deal_twice_nor_is_shown_one(played: LeagueLan) -> None:
    """As the processes saw it: what they were dealt, and what they were told afterwards."""
    options = played.settings.options
    assert sum(map(len, played.met.values())) == len(played.games) * options.seats
    for lane, hands in played.met.items():
        assert len(set(hands)) == len(hands), lane
    assert played.shown == 0


def test_many_games_are_played_at_once_and_no_lane_has_more_than_its_tables(
    played: LeagueLan,
) -> None:
    assert played.most_playing > 8


def test_c55_equal_engines_differ_by_exactly_nothing(played: LeagueLan) -> None:
    """What chance they use follows from the deal and the seat, so that it cancels too.

    At tables of more than two it does where they meet nobody else.
    """
    if played.settings.sides > 2:
        pytest.skip("a third engine sits at every table")
    for twins in (("greedy", "twin"), ("random", "chance")):
        blocks: dict[int, int] = defaultdict(int)
        for game in played.games:
            if game.pairing == twins:
                blocks[game.block] += game.points[game.rotation] - game.points[1 - game.rotation]
        assert len(blocks) == played.settings.blocks
        assert not any(blocks.values())
        cells = [c for c in standings(played.log).crosstable if {c.engine, c.other} == {*twins}]
        assert [(c.difference.mean, c.difference.interval or 0) for c in cells] == [(0, 0)] * 2


@pytest.mark.parametrize("engine", ["greedy", "random"])
@pytest.mark.parametrize("seats", [3, 4])
def test_c55_the_same_engine_at_all_seats_cancels_in_every_block(engine: str, seats: int) -> None:
    names = ("a", "b", "c", "d")[:seats]
    lan = LeagueLan(league(*names, seats=seats, blocks=6), dict.fromkeys(names, GOOD[engine]))
    lan.run()
    totals: dict[tuple[int, str], int] = defaultdict(int)
    for game in lan.games:
        for side, name in enumerate(game.game.engines):
            totals[game.block, name] += game.points[side]
    for block in range(1, 7):
        assert len({totals[block, name] for name in names}) == 1
    assert {cell.difference.mean for cell in standings(lan.log).crosstable} == {0}


def test_the_games_of_a_block_have_one_deal_and_those_of_others_another(played: LeagueLan) -> None:
    deals: dict[tuple[Sequence[str], int], set[object]] = defaultdict(set)
    for game in played.games:
        assert game.record is not None
        (record,) = verify_records(game.record)
        first = record.rounds[0]
        deals[game.pairing, game.block].add((first.hands, first.boneyard, first.leader))
    assert all(len(block) == 1 for block in deals.values())
    assert len({deal for block in deals.values() for deal in block}) == len(deals)


def test_every_record_is_by_the_rules_and_tells_the_game(played: LeagueLan) -> None:
    for game in played.games:
        assert game.record is not None
        (record,) = verify_records(game.record)
        assert record.options == played.settings.options
        assert [seat.name for seat in record.seats] == list(seating(played.settings, game.game))
        assert record.rounds[-1].result is not None
        assert record.rounds[-1].result.scores == game.points
        assert record.date is None


def test_c56_every_game_is_legal_by_the_naive_rules_too(played: LeagueLan) -> None:
    for game in played.games:
        assert game.record is not None
        (record,) = verify_records(game.record)
        assert verify_by_naive_rules(record) >= 2


def test_a_match_is_played_to_its_target() -> None:
    settings = replace(
        league("greedy", "random", blocks=2, game=GameKind.MATCH),
        rules=LeagueRules(seats=2, target=60),
    )
    lan = LeagueLan(settings, GOOD)
    lan.run()
    assert len(lan.games) == 4
    assert all(max(game.points) >= 60 for game in lan.games)
    for game in lan.games:
        assert game.record is not None
        assert len(verify_records(game.record)[0].rounds) > 1


@pytest.mark.parametrize(("at_once", "tables"), [(1, 8), (3, 8), (32, 1)])
def test_the_limits_of_the_settings_are_kept(at_once: int, tables: int) -> None:
    engines = [EngineSettings(name=name, run="x", tables=tables) for name in ("greedy", "random")]
    settings = replace(league("greedy", "random", blocks=6), tables=at_once, engines=tuple(engines))
    lan = LeagueLan(settings, GOOD)
    lan.run()
    assert len(lan.games) == 12
    assert lan.most_playing <= min(at_once, 2 * tables)


def test_a_league_that_was_played_has_nothing_left_to_play(played: LeagueLan) -> None:
    again = LeagueLan(played.settings, GOOD, played.log[:-1])
    assert again.organiser.over
    again.run()
    assert again.log == played.log
    assert not again.started


def test_the_log_has_nothing_that_differs_from_run_to_run(played: LeagueLan) -> None:
    again = LeagueLan(played.settings, GOOD)
    again.run()
    assert again.log == played.log
    assert all(isinstance(event, GameOver) for event in played.log[1:-1])
