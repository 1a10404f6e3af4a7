"""The standings as text: narrow, aligned, and readable by somebody who is new."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_bots.league.log import EngineOut, FaultKind, FaultNoted, GameOver, LeagueEvent
from passing_bots.league.plan import GameKey
from passing_bots.league.settings import FaultPolicy, GameKind, LeagueRules, LeagueSettings
from passing_bots.league.standings import standings
from passing_bots.league.telling import WIDTH, standings_text
from tests.support.league_logs import (
    SEED,
    began,
    by_deal,
    by_luck,
    fault,
    game_over,
    league,
    logs,
    whole_log,
)

PAIRING = ("greedy", "silent")
FIRST = GameKey(PAIRING, 1, 0)

SMALL = """\
spring
2 engines; a game is a round at 2 seats; 2 blocks a pairing.
2 of 4 games count, those of 1 whole block.
Of blocks that are not whole: 1.
Not played, as an engine was out: 1.
The league is not finished.

  #  engine  margin  clean     won  games  forfeits  faults
  1  greedy  +22.50         100.0%      2         0       0
out  silent  -22.50           0.0%      2         1       1

margin    points a game above the mean of the other sides, +- its 95 % interval
clean     the same without the blocks in which somebody forfeited
won       games won outright; games, forfeits: those of whole blocks alone
forfeits  games lost by forfeit, each by 40 points
faults    all that the engine did wrong, told below
Intervals are told from 10 blocks on, where no pairing has 1 block only.

Faults
  silent: 1 x no answer; first in greedy+silent/1/0 (results/records/greedy+silent.pass, game 1): 3
    strikes
  silent: out: 5 faults in a row
"""


def text(events: list[LeagueEvent]) -> str:
    return standings_text(standings(events))


def section(told: str, head: str) -> list[str]:
    """The lines of a section, without its head."""
    found = next(part for part in told.split("\n\n") if part.startswith(head))
    return found.splitlines()[1:]


def test_a_small_league_reads_so() -> None:
    chosen = league(*PAIRING, blocks=2)
    events: list[LeagueEvent] = [
        began(chosen),
        fault("silent", FIRST),
        game_over(chosen, FIRST, (0, 0), ["silent"], record="[Event]\n"),
        game_over(chosen, GameKey(PAIRING, 1, 1), (12, 17)),
        game_over(chosen, GameKey(PAIRING, 2, 1), (1, 2)),
        EngineOut("silent", "5 faults in a row"),
    ]
    assert text(events) == SMALL


@given(logs(most_blocks=12))
@settings(max_examples=25)
def test_no_line_is_wide_and_none_ends_in_space(events: list[LeagueEvent]) -> None:
    lines = text(events).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert all(line.isascii() and line == line.rstrip() for line in lines)


@given(logs(most_blocks=12), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_the_order_of_events_changes_no_byte(
    events: list[LeagueEvent], chance: random.Random
) -> None:
    told = text(events)
    chance.shuffle(events)
    assert text(events) == told


def test_columns_of_the_table_are_aligned() -> None:
    chosen = league("a", "twenty-letters-long.", "x", blocks=12)
    head, *rows = text(whole_log(chosen, by_luck(chosen))).split("\n\n")[1].splitlines()
    assert len(rows) == 3
    ends = [match.end() for match in re.finditer(r"\S+", head)]
    for row in rows:
        assert {len(head), *ends[2:]} <= {match.end() for match in re.finditer(r"\S+", row)}
        assert len(row) == len(head)


def test_many_and_great_numbers_are_no_wider() -> None:
    names = [f"engine-number-{number:06}" for number in range(24)]
    chosen = LeagueSettings(
        name="wide",
        seed=SEED,
        blocks=10,
        game=GameKind.MATCH,
        rules=LeagueRules(seats=2, target=9999),
        faults=FaultPolicy(margin=1000),
        engines=league(*names).engines,
    )
    told = text(whole_log(chosen, by_luck(chosen, spread=9999)))
    assert max(map(len, told.splitlines())) <= WIDTH
    assert "a match to 9999" in told
    columns = re.findall(r"^ #  engine (.*)$", told, re.MULTILINE)
    numbers = " ".join(columns[1:]).split()
    assert numbers == [str(number) for number in range(1, 25)]


def test_what_is_exactly_0_is_told_apart_from_what_rounds_to_it() -> None:
    chosen = league("a", "b", blocks=12)
    alike = text(whole_log(chosen, by_deal(chosen)))
    assert alike.count("0 +- 0") == 6
    assert "Pairings in which all luck has cancelled exactly: 1.\n" in alike
    assert "Playing each deal" not in alike
    long = league("a", "b", blocks=300)
    nearly = text(whole_log(long, lambda key: (int((key.block, key.rotation) == (7, 0)), 0)))
    assert "+0.00 +- 0.00" in nearly
    assert "-0.00 +- 0.00" in nearly


@pytest.mark.parametrize(
    ("seats", "partners", "said"),
    [(2, False, "at 2 seats;"), (3, False, "at 3 seats;"), (4, True, "at 4 seats with partners;")],
)
def test_the_head_says_what_a_game_is(seats: int, partners: bool, said: str) -> None:
    chosen = league(*"abc", seats=seats, partners=partners)
    assert said in text([began(chosen)]).splitlines()[1]


def test_a_league_that_is_over_says_nothing_of_that() -> None:
    chosen = league("a", "b")
    assert "not finished" not in text(whole_log(chosen, by_luck(chosen)))
    assert "not finished" in text([began(chosen)])


def test_before_the_first_block_there_are_no_tables_of_nothing() -> None:
    told = text([began(league("a", "b"))])
    for head in ("Points a game by", "Playing each deal", "Pairings in which", "Faults\n"):
        assert head not in told
    assert len(told.split("\n\n")[1].splitlines()) == 3


def test_the_gain_is_one_line() -> None:
    two = league("a", "b", blocks=40)
    (gain,) = standings(whole_log(two, by_luck(two))).gains
    said = f"Playing each deal from every seat was worth {gain.gain:.1f} times as many games.\n"
    assert said in text(whole_log(two, by_luck(two)))
    many = league(*"abcdef", blocks=12)
    events = whole_log(many, by_luck(many))
    gains = sorted(gain.gain or 0 for gain in standings(events).gains)
    assert len(gains) == 15
    assert f"was worth {gains[0]:.1f} to {gains[-1]:.1f} times as many games.\n" in text(events)


def test_an_engine_that_is_out_has_no_rank_and_no_place_in_the_crosstable() -> None:
    chosen = league("a", "b", "c", blocks=12)
    points = by_luck(chosen)
    events = [*whole_log(chosen, lambda key: [v + 50 * (n == "a") for v, n in zip(
        points(key), key.engines, strict=True)])[:-1], EngineOut("a", "x")]  # fmt: skip
    told = text(events)
    table = told.split("\n\n")[1].splitlines()
    assert [line.split()[:2] for line in table[1:]][-1] == ["out", "a"]
    assert {line.split()[0] for line in table[1:]} == {"1", "2", "out"}
    assert not [line for line in section(told, "Points a game by") if line.endswith(" a")]
    assert len(re.findall(r"^#  engine .*1 .*2$", told, re.MULTILINE)) == 1


@given(logs(most_blocks=12))
@settings(max_examples=25)
def test_a_cell_is_marked_where_0_is_outside_its_interval(events: list[LeagueEvent]) -> None:
    table = standings(events)
    ranked = {row.engine for row in table.rows if row.rank is not None}
    sure = sum(
        cell.difference.interval is not None
        and abs(cell.difference.mean or 0) > cell.difference.interval
        for cell in table.crosstable
        if {cell.engine, cell.other} <= ranked
    )
    told = standings_text(table).partition("Points a game by")[2].partition("\nFaults")[0]
    assert len(re.findall(r"\d\*", told)) == sure


def test_margins_are_said_not_to_compare_where_opponents_were_others() -> None:
    chosen = league("a", "b", "c", blocks=2)
    events = whole_log(chosen, by_luck(chosen))
    said = "Some have met other opponents than others"
    assert said not in text(events)
    assert said in text(events[:-2])
    without = [e for e in events[:-1] if not (isinstance(e, GameOver) and "c" in e.pairing)]
    assert said in text(without)
    assert said not in text(events[:1])


def test_all_games_of_the_plan_are_accounted_for() -> None:
    chosen = league("a", "b", "c", blocks=2)
    events = whole_log(chosen, by_luck(chosen))
    assert "12 of 12 games count, those of 6 whole blocks.\n\n" in text(events)
    cut = [*events[:6], EngineOut("c", "x")]
    assert (
        "4 of 12 games count, those of 2 whole blocks.\n"
        "Of blocks that are not whole: 1.\n"
        "Not played, as an engine was out: 5.\n"
        "Not played yet: 2.\n"
    ) in text(cut)


def test_a_fault_that_is_not_the_engines_own_says_whose() -> None:
    chosen = league("a", "b")
    key = (("a", "b"), 1, 0)
    told = text(
        [
            began(chosen),
            FaultNoted("a", "worker", FaultKind.KILLED, "signal 9", *key, replay=True),
            FaultNoted(None, "server", FaultKind.BROKEN_OFF, "it left", *key),
        ]
    )
    assert section(told, "Faults") == [
        "  a: 1 x killed (by the machine it ran on), 1 played again; first in a+b/1/0: signal 9",
        "  (no engine): 1 x broken off (by the server); first in a+b/1/0: it left",
    ]


def test_evidence_cannot_harm_a_terminal_nor_fill_it() -> None:
    chosen = league("a", "b")
    evil = "\x1b[2Jboom\n\n" + "very " * 390
    lines = section(
        text([began(chosen), fault("a", GameKey(("a", "b"), 1, 0), evidence=evil)]), "Faults"
    )
    assert lines[0].startswith("  a: 1 x no answer; first in a+b/1/0: boom very very")
    assert all(line.isprintable() and len(line) <= WIDTH for line in lines)
    assert len(lines) < 6
