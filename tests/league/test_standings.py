"""The standings: from events in any order, over whole blocks, and what cancels is exactly 0."""

import random
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from statistics import fmean, variance

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_bots.league.estimates import Estimate, Strata
from passing_bots.league.log import (
    EngineOut,
    FaultKind,
    FaultNoted,
    GameOver,
    InvalidLog,
    LeagueEvent,
    LeagueOver,
)
from passing_bots.league.plan import GameKey, games, pairings
from passing_bots.league.scoring import margins
from passing_bots.league.settings import GameKind, LeagueSettings
from passing_bots.league.standings import Row, Standings, standings
from tests.support.league_logs import (
    began,
    by_deal,
    by_luck,
    fault,
    game_over,
    league,
    logs,
    whole_log,
)

TWO = league("a", "b")
PAIRING = ("a", "b")
FIRST, SECOND = GameKey(PAIRING, 1, 0), GameKey(PAIRING, 1, 1)


def row(table: Standings, engine: str) -> Row:
    return next(each for each in table.rows if each.engine == engine)


def difference(table: Standings, engine: str, other: str) -> Estimate:
    return next(
        cell.difference for cell in table.crosstable if (cell.engine, cell.other) == (engine, other)
    )


def played(events: list[LeagueEvent]) -> list[GameOver]:
    return [event for event in events if isinstance(event, GameOver)]


def rivals(blocks: int = 12) -> tuple[LeagueSettings, list[LeagueEvent]]:
    """A whole league of two with the luck of single games."""
    chosen = league("a", "b", blocks=blocks)
    return chosen, whole_log(chosen, by_luck(chosen))


# --- from the events alone -----------------------------------------------------------------------


@given(logs(most_blocks=12), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_the_order_of_events_changes_nothing(
    events: list[LeagueEvent], chance: random.Random
) -> None:
    shuffled = events.copy()
    chance.shuffle(shuffled)
    assert standings(shuffled) == standings(events)


def test_the_order_of_a_big_league_changes_no_last_digit() -> None:
    chosen = league(*"abcd", seats=3, blocks=40)
    events = whole_log(chosen, by_luck(chosen))
    table = standings(events)
    for seed in range(3):
        random.Random(seed).shuffle(events)
        assert standings(events) == table


@pytest.mark.parametrize(
    ("events", "times"), [([], 0), ([LeagueOver()], 0), ([began(TWO), began(TWO)], 2)]
)
def test_a_log_needs_one_beginning(events: list[LeagueEvent], times: int) -> None:
    with pytest.raises(InvalidLog, match=f"this one began {times} times"):
        standings(events)


# --- what counts ---------------------------------------------------------------------------------


@given(logs())
def test_games_of_blocks_that_are_not_whole_change_nothing(events: list[LeagueEvent]) -> None:
    counts: dict[tuple[tuple[str, ...], int], int] = defaultdict(int)
    for game in played(events):
        counts[game.pairing, game.block] += 1

    def whole(event: LeagueEvent) -> bool:
        if isinstance(event, LeagueOver):  # there are games missing without an engine that is out
            return False
        return not isinstance(event, GameOver) or counts[event.pairing, event.block] == len(
            event.pairing
        )

    kept = list(filter(whole, events))
    table, without = standings(events), standings(kept)
    assert table.unpaired == len(played(events)) - len(played(kept))
    assert without.unpaired == 0
    assert table.games == without.games == len(played(kept))
    assert (table.rows, table.crosstable, table.gains) == (
        without.rows,
        without.crosstable,
        without.gains,
    )


def test_a_game_that_waits_for_its_block_counts_for_nothing() -> None:
    table = standings([began(TWO), game_over(TWO, FIRST, (30, 0))])
    assert (table.planned, table.games, table.blocks, table.unpaired) == (6, 0, 0, 1)
    assert row(table, "a").margin == Estimate(0, None, None)
    assert not table.crosstable


def test_a_block_counts_when_all_its_rotations_are_there() -> None:
    events: list[LeagueEvent] = [
        game_over(TWO, FIRST, (30, 0)),
        game_over(TWO, SECOND, (10, 0)),
        began(TWO),
    ]
    table = standings(events)
    assert (table.games, table.blocks, table.unpaired) == (2, 1, 0)
    assert row(table, "a").margin == Estimate(1, 10.0, None)
    assert row(table, "b").margin == Estimate(1, -10.0, None)
    assert (row(table, "a").games, row(table, "b").games) == (2, 2)


@pytest.mark.parametrize(
    ("seats", "partners", "games_of_a"), [(2, False, 12), (3, False, 18), (4, True, 12)]
)
def test_each_engine_plays_its_share(seats: int, partners: bool, games_of_a: int) -> None:
    chosen = league(*"abc", "d", seats=seats, partners=partners, blocks=2)
    table = standings(whole_log(chosen, by_luck(chosen)))
    assert {each.games for each in table.rows} == {games_of_a}
    assert table.games == table.planned == 4 * games_of_a // chosen.sides
    assert table.blocks == len(pairings(chosen)) * 2


def test_an_end_is_told() -> None:
    events = whole_log(TWO, by_luck(TWO))
    assert standings(events).over
    assert not standings(events[:-1]).over


@given(logs(), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_an_end_without_a_game_that_could_be_played_is_refused(
    events: list[LeagueEvent], chance: random.Random
) -> None:
    """Only games of engines that are out may be missing."""
    out = {event.engine for event in events if isinstance(event, EngineOut)}
    lost = chance.choice([*played(events), None])
    if lost is None or not isinstance(events[-1], LeagueOver):
        return
    kept = [event for event in events if event is not lost]
    chance.shuffle(kept)
    if out & set(lost.pairing):
        assert standings(kept).over
    else:
        with pytest.raises(InvalidLog) as refused:
            standings(kept)
        assert str(refused.value) == f"game {lost.game} is missing, although the league is over"


# --- means ---------------------------------------------------------------------------------------


def block_means(
    events: list[LeagueEvent], chosen: LeagueSettings, name: str
) -> dict[tuple[str, ...], list[float]]:
    """The mean margin of an engine in each block of its pairings, worked out the plain way."""
    values: dict[tuple[tuple[str, ...], int], list[float]] = defaultdict(list)
    for game in played(events):
        if name in game.pairing:
            side = game.game.engines.index(name)
            lost = {n for n, each in enumerate(game.game.engines) if each in game.forfeits}
            worth = margins(game.points, lost, chosen.faults.margin)[side]
            values[game.pairing, game.block].append(float(worth))
    means: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for (pairing, _), each in values.items():
        if len(each) == chosen.sides:
            means[pairing].append(fmean(each))
    return means


@given(logs(most_blocks=12))
@settings(max_examples=30)
def test_a_mean_is_over_blocks_and_its_interval_over_those_of_each_pairing(
    events: list[LeagueEvent],
) -> None:
    table = standings(events)
    for each in table.rows:
        strata = Strata()
        means = block_means(events, table.league, each.engine)
        for pairing, values in means.items():
            for value in values:
                strata.add(pairing, Fraction(value))
        plain = strata.estimate()
        assert each.margin.blocks == plain.blocks == sum(map(len, means.values()))
        assert (each.margin.mean is None) == (plain.mean is None)
        assert (each.margin.interval is None) == (plain.interval is None)
        assert (each.margin.mean or 0) == pytest.approx(plain.mean or 0, abs=1e-9)
        assert (each.margin.interval or 0) == pytest.approx(plain.interval or 0, abs=1e-2)


@given(logs())
def test_nobody_wins_what_nobody_loses(events: list[LeagueEvent]) -> None:
    table = standings(events)
    lost_by_all = any(len(game.forfeits) == len(game.pairing) for game in played(events))
    total = sum((each.margin.mean or 0.0) * each.margin.blocks for each in table.rows)
    assert lost_by_all or total == pytest.approx(0, abs=1e-6)


@given(logs(most_blocks=12))
@settings(max_examples=30)
def test_engines_stand_by_their_margin(events: list[LeagueEvent]) -> None:
    table = standings(events)
    out = [each.out is not None for each in table.rows]
    assert out == sorted(out)
    ranks = [each.rank for each in table.rows]
    ranked = [each for each in table.rows if each.out is None and each.margin.mean is not None]
    assert ranks == [*range(1, len(ranked) + 1), *[None] * (len(ranks) - len(ranked))]
    means = [each.margin.mean for each in table.rows if each.out is None]
    known = [mean for mean in means if mean is not None]
    assert means == known + [None] * (len(means) - len(known))
    assert all(one >= other for one, other in pairwise(known))
    names = {engine.name for engine in table.league.engines}
    assert {each.engine for each in table.rows} == names
    assert len(table.rows) == len(names)


def test_who_is_level_stands_in_the_order_of_the_settings() -> None:
    chosen = league("z", "a", "m", blocks=1)
    table = standings(whole_log(chosen, lambda _: (7, 7)))
    assert [each.engine for each in table.rows] == ["z", "a", "m"]


def test_few_blocks_have_no_interval() -> None:
    assert row(standings(rivals(9)[1]), "a").margin.interval is None
    estimate = row(standings(rivals(10)[1]), "a").margin
    assert estimate.blocks == 10
    assert estimate.interval is not None
    assert estimate.interval > 0


@given(logs())
def test_every_planned_game_is_accounted_for(events: list[LeagueEvent]) -> None:
    table = standings(events)
    out = {event.engine for event in events if isinstance(event, EngineOut)}
    done = {game.game for game in played(events)}
    missing = [key for key in games(table.league) if key not in done]
    assert table.dropped == sum(bool(out & set(key.pairing)) for key in missing)
    assert table.left == len(missing) - table.dropped
    assert table.planned == table.games + table.unpaired + table.dropped + table.left
    assert not (table.over and table.left)


@given(logs())
def test_won_are_the_games_with_more_points_than_all_who_did_not_forfeit(
    events: list[LeagueEvent],
) -> None:
    table = standings(events)
    whole = defaultdict[tuple[tuple[str, ...], int], list[GameOver]](list)
    for game in played(events):
        whole[game.pairing, game.block].append(game)
    won: dict[str, int] = defaultdict(int)
    for game in (game for block in whole.values() if len(block) == table.league.sides
                 for game in block):  # fmt: skip
        scores = dict(zip(game.game.engines, game.points, strict=True))
        for name, points in scores.items():
            others = set(scores) - {name, *game.forfeits}
            won[name] += name not in game.forfeits and all(
                points > scores[other] for other in others
            )
    assert {each.engine: each.won for each in table.rows} == {
        each.engine: won[each.engine] for each in table.rows
    }


# --- duplicate deals -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "partners", "kind"),
    [
        (2, False, GameKind.ROUND),
        (2, False, GameKind.MATCH),
        (3, False, GameKind.ROUND),
        (4, False, GameKind.ROUND),
        (4, True, GameKind.ROUND),
    ],
)
def test_engines_that_play_alike_differ_by_exactly_0(
    seats: int, partners: bool, kind: GameKind
) -> None:
    chosen = league(*"abcd", seats=seats, partners=partners, blocks=15, game=kind)
    table = standings(whole_log(chosen, by_deal(chosen)))
    assert all(each.margin.mean == each.margin.interval == 0 for each in table.rows)
    assert all(cell.difference.mean == cell.difference.interval == 0 for cell in table.crosstable)
    assert all(gain.cancels and gain.gain is None for gain in table.gains)
    assert len(table.gains) == len(pairings(chosen))


def test_thirds_cancel_exactly_too() -> None:
    chosen = league(*"abcd", seats=4, blocks=11)
    table = standings(whole_log(chosen, lambda key: (1 + key.block, 0, 0, key.block % 3)))
    assert {each.margin.mean for each in table.rows} == {0.0}


def test_the_gain_is_that_of_the_games_that_were_played() -> None:
    chosen = league("a", "b", blocks=40)
    luck = by_deal(chosen)
    skill = by_luck(chosen, spread=8)

    def points(key: GameKey) -> list[int]:
        return [own + extra for own, extra in zip(luck(key), skill(key), strict=True)]

    events = whole_log(chosen, points)
    (gain,) = standings(events).gains
    single = [
        float(margins(game.points, (), 40)[game.game.engines.index("a")]) for game in played(events)
    ]
    expected = variance(single) / 2 / variance(block_means(events, chosen, "a")[PAIRING])
    assert gain.gain == pytest.approx(expected)
    assert expected > 3
    assert (gain.pairing, gain.blocks, gain.cancels) == ("a+b", 40, False)


def test_where_deals_decide_nothing_nothing_is_gained() -> None:
    chosen = league("a", "b", blocks=2000)
    (gain,) = standings(whole_log(chosen, by_luck(chosen))).gains
    assert gain.gain == pytest.approx(1, abs=0.1)


def test_the_gain_is_measured_without_forfeits() -> None:
    chosen, events = rivals(20)
    spoilt = [event for event in events if not (isinstance(event, GameOver) and event.block > 12)]
    spoilt += [
        game_over(chosen, GameKey(PAIRING, block, rotation), (0, 0), ["b"])
        for block in range(13, 21)
        for rotation in range(2)
    ]
    shorter = league("a", "b", blocks=12)
    (gain,) = standings(spoilt).gains
    assert [gain] == list(standings(whole_log(shorter, by_luck(shorter))).gains)


def test_few_blocks_tell_no_gain() -> None:
    assert not standings(rivals(9)[1]).gains


# --- the crosstable ------------------------------------------------------------------------------


@given(logs(most_blocks=12))
@settings(max_examples=30)
def test_what_one_beats_the_other_by_the_other_loses_by(events: list[LeagueEvent]) -> None:
    table = standings(events)
    for cell in table.crosstable:
        back = difference(table, cell.other, cell.engine)
        assert back.mean == -(cell.difference.mean or 0.0)
        assert back.interval == cell.difference.interval
        assert back.blocks == cell.difference.blocks > 0


def test_a_difference_is_of_points_a_game() -> None:
    chosen = league(*"abc", seats=3, blocks=1)
    key = GameKey(("a", "b", "c"), 1, 0)
    turned = [(30, 20, 0), (20, 0, 30), (0, 30, 20)]
    events = [
        game_over(chosen, GameKey(key.pairing, 1, rotation), points)
        for rotation, points in enumerate(turned)
    ]
    table = standings([began(chosen), *events])
    assert difference(table, "a", "b").mean == 10
    assert difference(table, "c", "a").mean == -30
    assert row(table, "a").margin.mean == 20


def test_engines_that_never_met_have_no_cell() -> None:
    chosen = league(*"abc", blocks=1)
    events = [game_over(chosen, GameKey(("a", "b"), 1, n), (1, 0)) for n in range(2)]
    cells = {(cell.engine, cell.other) for cell in standings([began(chosen), *events]).crosstable}
    assert cells == {("a", "b"), ("b", "a")}


# --- forfeits, faults, out -----------------------------------------------------------------------


def test_a_forfeit_costs_the_margin_and_stands_apart() -> None:
    fine = [
        game_over(TWO, GameKey(PAIRING, 2, n), points) for n, points in [(0, (9, 3)), (1, (5, 9))]
    ]
    lost = [game_over(TWO, FIRST, (50, 0), ["a"]), game_over(TWO, SECOND, (0, 6))]
    table = standings([began(TWO), *fine, *lost])
    a, b = row(table, "a"), row(table, "b")
    assert a.margin.mean == ((-40 + 6) / 2 + (6 + 4) / 2) / 2 == -(b.margin.mean or 0.0)
    assert a.clean == Estimate(1, 5.0, None)
    assert b.clean == Estimate(1, -5.0, None)
    assert (a.forfeits, b.forfeits) == (1, 0)
    assert difference(table, "a", "b").mean == a.margin.mean


@given(logs(most_blocks=12))
@settings(max_examples=30)
def test_clean_is_the_league_without_the_blocks_that_hold_a_forfeit(
    events: list[LeagueEvent],
) -> None:
    spoilt = {(game.pairing, game.block) for game in played(events) if game.forfeits}
    kept = [
        event
        for event in events
        if not isinstance(event, LeagueOver)
        and not (isinstance(event, GameOver) and (event.pairing, event.block) in spoilt)
    ]
    table, without = standings(events), standings(kept)
    for each in table.rows:
        assert each.clean == row(without, each.engine).margin == row(without, each.engine).clean
    assert table.gains == without.gains


@given(logs())
def test_forfeits_are_the_lost_games_that_count(events: list[LeagueEvent]) -> None:
    table = standings(events)
    whole = defaultdict[tuple[tuple[str, ...], int], list[GameOver]](list)
    for game in played(events):
        whole[game.pairing, game.block].append(game)
    for each in table.rows:
        assert each.forfeits == sum(
            each.engine in game.forfeits
            for block in whole.values()
            if len(block) == table.league.sides
            for game in block
        )


def test_faults_are_counted_by_kind_with_the_first_of_the_plan() -> None:
    chosen = league(*"abc", blocks=2)
    late, early, first, other = (
        GameKey(("a", "b"), 2, 0),
        GameKey(("b", "c"), 1, 1),
        GameKey(("a", "b"), 1, 1),
        GameKey(("b", "c"), 2, 1),
    )
    events = [
        fault("b", late, FaultKind.CRASHED, "late"),
        fault("b", early, FaultKind.CRASHED, "early"),
        fault("b", first, FaultKind.CRASHED, "first"),
        fault("b", other, FaultKind.NO_ANSWER, "silent"),
        fault("a", late, FaultKind.LEFT, "left"),
    ]
    table = standings([*events, began(chosen)])
    told = [(each.engine, each.kind, each.count, each.game, each.evidence) for each in table.faults]
    assert told == [
        ("a", "left", 1, "a+b/2/0", "left"),
        ("b", "crashed", 3, "a+b/1/1", "first"),
        ("b", "no_answer", 1, "b+c/2/1", "silent"),
    ]
    assert [row(table, name).faults for name in "abc"] == [1, 4, 0]


def test_a_fault_names_the_record_of_its_game() -> None:
    """Games are numbered as they stand in their file, where those without a record do not."""
    events: list[LeagueEvent] = [
        game_over(TWO, SECOND, (0, 3), ["a"], record="[Event]\n"),
        game_over(TWO, FIRST, (0, 0), ["b"]),
        game_over(TWO, GameKey(PAIRING, 2, 0), (0, 0), ["b"], record="[Event]\n"),
        fault("a", SECOND),
        fault("b", FIRST),
        fault("b", GameKey(PAIRING, 2, 0), FaultKind.LEFT),
        began(TWO),
    ]
    told = [(each.game, each.record, each.number) for each in standings(events).faults]
    assert told == [
        ("a+b/1/1", "records/a+b.pass", 1),
        ("a+b/2/0", "records/a+b.pass", 2),
        ("a+b/1/0", None, None),
    ]


def test_a_fault_counts_once_a_game_that_was_played_again_after_a_kill() -> None:
    """The league was killed between the line of the fault and that of the game, twice."""
    noted = [fault("a", FIRST, FaultKind.CRASHED, each) for each in ("table t9", "table t1")]
    lost = game_over(TWO, FIRST, (0, 0), ["a"])
    table = standings([began(TWO), *noted, fault("a", SECOND), lost])
    assert row(table, "a").faults == 2
    assert [(each.kind, each.count) for each in table.faults] == [("crashed", 1), ("no_answer", 1)]
    assert table == standings([lost, *reversed(noted), fault("a", SECOND), began(TWO)])


def test_a_fault_of_a_game_that_went_well_when_it_was_played_again_does_not_count() -> None:
    table = standings([began(TWO), fault("a", FIRST), game_over(TWO, FIRST, (9, 0))])
    assert (row(table, "a").faults, table.faults) == (0, ())


def test_what_is_not_the_engines_own_fault_is_listed_and_not_counted() -> None:
    killed = FaultNoted("a", "worker", FaultKind.KILLED, "signal 9", PAIRING, 1, 0, replay=True)
    broken = FaultNoted(None, "server", FaultKind.BROKEN_OFF, "left", PAIRING, 1, 0, replay=True)
    table = standings([broken, killed, began(TWO), killed])
    assert [(each.engine, each.owner, each.count, each.replayed) for each in table.faults] == [
        ("a", "worker", 2, 2),
        (None, "server", 1, 1),
    ]
    assert row(table, "a").faults == 0


def test_an_engine_that_is_out_says_why() -> None:
    table = standings([EngineOut("a", "5 faults in a row"), began(TWO)])
    assert (row(table, "a").out, row(table, "b").out) == ("5 faults in a row", None)


# --- what belongs to no league -------------------------------------------------------------------


@given(logs(), st.data())
@settings(max_examples=25)
def test_the_same_game_twice_is_refused(events: list[LeagueEvent], data: st.DataObject) -> None:
    again = played(events)
    if again:
        game = data.draw(st.sampled_from(again))
        with pytest.raises(InvalidLog, match=r"ended twice"):
            standings([*events, game])


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (GameOver(("b", "a"), 1, 0, ("b", "a"), (1, 2)), r"b\+a/1/0 is not in the plan"),
        (GameOver(("a", "c"), 1, 0, ("a", "c"), (1, 2)), r"a\+c/1/0 is not in the plan"),
        (GameOver(PAIRING, 4, 0, PAIRING, (1, 2)), r"a\+b/4/0 is not in the plan"),
        (GameOver(PAIRING, 1, 2, PAIRING, (1, 2)), r"a\+b/1/2 is not in the plan"),
        (GameOver(PAIRING, 1, 1, PAIRING, (1, 2)), "other engines sat there"),
        (GameOver(PAIRING, 1, 0, ("a", "b", "a", "b"), (1, 2)), "other engines sat there"),
        (GameOver(PAIRING, 1, 0, PAIRING, (1,)), "points are needed for each side"),
        (GameOver(PAIRING, 1, 0, PAIRING, (1, 2, 3)), "points are needed for each side"),
        (GameOver(PAIRING, 1, 0, PAIRING, (1, 2), ("c",)), "engine c is told of where it is not"),
        (fault("c", FIRST), "engine c is told of where it is not: a, b"),
        (fault("a", GameKey(PAIRING, 9, 0)), r"a\+b/9/0 is not in the plan"),
        (EngineOut("c", "why not"), "engine c is told of where it is not: a, b"),
    ],
)
def test_what_is_not_in_the_plan_is_refused(event: LeagueEvent, why: str) -> None:
    with pytest.raises(InvalidLog, match=why):
        standings([began(TWO), event])


def test_an_engine_is_out_once() -> None:
    with pytest.raises(InvalidLog, match="engine a is out twice"):
        standings([began(TWO), EngineOut("a", "x"), EngineOut("a", "y")])


def test_every_game_of_the_plan_is_accepted() -> None:
    chosen = league(*"abcd", seats=4, partners=True, blocks=3)
    table = standings(whole_log(chosen, by_luck(chosen)))
    assert table.games == table.planned == len(list(games(chosen)))
