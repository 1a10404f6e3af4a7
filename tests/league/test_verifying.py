"""`passing league verify`: what a league played is right, and what is changed of it is found."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_bots.engines.careful import CarefulEngine
from passing_bots.engines.greedy import GreedyEngine
from passing_bots.engines.random import RandomEngine
from passing_bots.league.log import (
    FaultKind,
    FaultNoted,
    GameOver,
    InvalidLog,
    LeagueBegan,
    LeagueEvent,
    write_event,
)
from passing_bots.league.results import derive
from passing_bots.league.settings import FaultPolicy, GameKind, LeagueClock, LeagueSettings
from passing_bots.league.verifying import InvalidResults, verify_log, verify_results
from passing_client.command import main
from tests.support.league_lan import LeagueLan, Maker, sdk
from tests.support.league_logs import league
from tests.support.league_players import Illegal, dying, leave, never_connects, nothing, script

MAKERS: Mapping[str, Maker] = {
    "greedy": sdk(GreedyEngine),
    "random": sdk(RandomEngine),
    "careful": sdk(CarefulEngine),
    "illegal": sdk(Illegal),
    "leaves": script(leave),
    "dies": dying(3, turn=2),
    "silent": script(nothing),
    "absent": never_connects,
}
PATIENT = FaultPolicy(in_a_row=1000, percent=100, connect_s=4)
QUICK = LeagueClock(turn_ms=500, bank_ms=500)
LEAGUES: Mapping[str, LeagueSettings] = {
    "pair": league("greedy", "random", "careful", blocks=3),
    "three": league("greedy", "random", "careful", seats=3, blocks=3),
    "four": league("greedy", "random", "careful", "absent", seats=4, blocks=2),
    "partners": league("greedy", "random", "dies", seats=4, partners=True, blocks=2),
    "match": league("greedy", "random", blocks=2, game=GameKind.MATCH),
    "bad": league("greedy", "illegal", "leaves", "dies", "silent", "absent", blocks=2),
    "bad three": league("greedy", "illegal", "leaves", "dies", seats=3, blocks=2),
}
in_a_folder = examples(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)


@cache
def played(name: str) -> tuple[LeagueEvent, ...]:
    """The log of a league that was played."""
    lan = LeagueLan(replace(LEAGUES[name], faults=PATIENT, clock=QUICK), MAKERS)
    lan.run()
    return tuple(lan.log)


def put(folder: Path, events: Sequence[LeagueEvent]) -> Path:
    path = folder / "log.ndjson"
    path.write_bytes(b"".join(map(write_event, events)))
    return path


def nobody_looks(_done: int, _of: int) -> None:
    return


def refusal(folder: Path, events: Sequence[LeagueEvent]) -> str:
    """What is said of a log that is not right, without its name."""
    path = put(folder, events)
    with pytest.raises(InvalidLog) as refused:
        verify_log(path, nobody_looks)
    return str(refused.value).removeprefix(str(path))


def changed(
    name: str, choose: Callable[[GameOver], bool], change: Callable[[GameOver], GameOver]
) -> tuple[int, GameOver, list[LeagueEvent]]:
    """A log in which the first of some games was changed; its line, and the game."""
    events = list(played(name))
    for place, event in enumerate(events):
        if isinstance(event, GameOver) and choose(event):
            events[place] = change(event)
            return place + 1, event, events
    raise AssertionError("no such game")


# --- what is right -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEAGUES)
def test_what_a_league_has_written_is_right(tmp_path: Path, name: str) -> None:
    looks: list[tuple[int, int]] = []
    path = put(tmp_path, played(name))
    events = verify_log(path, lambda done, of: looks.append((done, of)))
    assert tuple(events) == played(name)
    count = sum(isinstance(event, GameOver) for event in events)
    assert looks == [(done, count) for done in range(1, count + 1)]
    derive(path, tmp_path / "results")
    verify_results(tmp_path / "results", events)


# --- what is not ---------------------------------------------------------------------------------


@given(place=st.integers(0, 10**6), letter=st.sampled_from("0123456789ab|[]=-t \n"))
@in_a_folder
def test_no_letter_of_a_record_can_be_changed(tmp_path: Path, place: int, letter: str) -> None:
    """Of a game without a forfeit, as why a seat was lost is not for the rules to say."""
    chance = random.Random(place)
    name = chance.choice(["pair", "three", "match"])
    games = [e for e in played(name) if isinstance(e, GameOver) and e.record is not None]
    chosen = chance.choice(games)

    def change(event: GameOver) -> GameOver:
        text = event.record or ""
        at = place % len(text)
        if text[at] == letter:
            return replace(event, record=text[:at] + text[at + 1 :])
        return replace(event, record=text[:at] + letter + text[at + 1 :])

    line, event, events = changed(name, lambda each: each is chosen, change)
    assert refusal(tmp_path, events).startswith(f", line {line}: game {event.game}: ")


@pytest.mark.parametrize("side", [0, 1])
def test_points_are_those_of_the_record(tmp_path: Path, side: int) -> None:
    def more(event: GameOver) -> GameOver:
        points = tuple(value + (n == side) for n, value in enumerate(event.points))
        return replace(event, points=points)

    line, event, events = changed("pair", lambda event: event.block == 2, more)
    assert refusal(tmp_path, events).startswith(
        f", line {line}: game {event.game}: its points are [{event.points[0] + (side == 0)}, "
    )


def test_a_game_has_its_own_record(tmp_path: Path) -> None:
    first = next(e for e in played("pair") if isinstance(e, GameOver))
    line, event, events = changed(
        "pair",
        lambda event: event.pairing == first.pairing and event.block != first.block,
        lambda event: replace(event, record=first.record, points=first.points),
    )
    told = refusal(tmp_path, events)
    assert told.startswith(f", line {line}: game {event.game}: the deal of its round 1 is not that")


def test_the_deals_are_those_of_the_seed(tmp_path: Path) -> None:
    began, *rest = played("pair")
    assert isinstance(began, LeagueBegan)
    other = replace(began, league=replace(began.league, seed="f" * 32))
    told = refusal(tmp_path, [other, *rest])
    assert told.startswith(", line 2: game ")
    assert told.endswith("the deal of its round 1 is not that of the league's seed.")


def test_what_stands_twice_in_a_record_is_no_record(tmp_path: Path) -> None:
    line, event, events = changed(
        "pair", lambda _: True, lambda e: replace(e, record=f"{e.record}\n{e.record}")
    )
    assert refusal(tmp_path, events) == f", line {line}: game {event.game}: it has 2 records."


def test_a_game_without_a_record_was_forfeited(tmp_path: Path) -> None:
    line, event, events = changed("pair", lambda _: True, lambda e: replace(e, record=None))
    said = "it has no record, which is so only where a forfeit came before the deal."
    assert refusal(tmp_path, events) == f", line {line}: game {event.game}: {said}"
    line, event, events = changed(
        "bad", lambda e: e.record is None, lambda e: replace(e, points=(0, 4))
    )
    assert refusal(tmp_path, events) == f", line {line}: game {event.game}: {said}"


def test_a_forfeit_has_a_fault(tmp_path: Path) -> None:
    line, event, events = changed(
        "pair", lambda _: True, lambda e: replace(e, forfeits=(e.pairing[0],))
    )
    said = f"{event.pairing[0]} forfeited it, and no line tells of its fault."
    assert refusal(tmp_path, events) == f", line {line}: game {event.game}: {said}"


def test_a_game_that_was_played_to_its_end_was_forfeited_by_nobody(tmp_path: Path) -> None:
    line, event, events = changed(
        "pair", lambda _: True, lambda e: replace(e, forfeits=(e.pairing[0],))
    )
    key = event.game
    noted = FaultNoted(
        key.pairing[0], "player", FaultKind.LEFT, "left", key.pairing, key.block, key.rotation
    )
    said = f"it was forfeited by {key.pairing[0]}, and by its record by nobody."
    told = refusal(tmp_path, [*events[:-1], noted, events[-1]])
    assert told == f", line {line}: game {key}: {said}"


def test_a_forfeit_that_the_record_tells_of_counts(tmp_path: Path) -> None:
    line, event, events = changed(
        "bad", lambda e: bool(e.forfeits and e.record), lambda e: replace(e, forfeits=())
    )
    said = f"it was forfeited by nobody, and by its record by {', '.join(event.forfeits)}."
    assert refusal(tmp_path, events) == f", line {line}: game {event.game}: {said}"


# --- the results ---------------------------------------------------------------------------------


def test_results_are_compared_byte_for_byte(tmp_path: Path) -> None:
    events = played("pair")
    results = tmp_path / "results"
    derive(put(tmp_path, events), results)
    files = sorted(path for path in results.rglob("*") if path.is_file())
    assert len(files) == 5
    for path in files:
        right = path.read_bytes()
        at = right.index(b"\n", len(right) // 2)
        for wrong in (right[:at] + right[at + 1 :], right[:-1], right + b"\n"):
            path.write_bytes(wrong)
            with pytest.raises(InvalidResults) as refused:
                verify_results(results, events)
            line = right.count(b"\n", 0, next(
                (n for n, (a, b) in enumerate(zip(wrong, right, strict=False)) if a != b),
                min(len(wrong), len(right)),
            )) + 1  # fmt: skip
            assert str(refused.value) == f"{path}, line {line}: is not what follows from the log"
        path.unlink()
        with pytest.raises(InvalidResults, match="is missing"):
            verify_results(results, events)
        path.write_bytes(right)
    (results / "records" / "x.pass").write_text("")
    with pytest.raises(InvalidResults, match=r"x\.pass: is none of the results"):
        verify_results(results, events)


# --- the command ---------------------------------------------------------------------------------


def test_verify_says_that_all_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    derive(put(tmp_path, played("pair")), tmp_path / "results")
    assert main(["league", "verify", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert told.out == f"{tmp_path}: 18 games and all results are right.\n"
    assert told.err == ""


def test_verify_of_a_league_that_was_stopped_needs_no_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, played("pair")[:6])
    assert main(["league", "verify", str(tmp_path)]) == 0
    assert capsys.readouterr().out == (
        f"{tmp_path}: 5 games and all results are right; the league is not finished.\n"
    )


def test_verify_names_what_is_wrong_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line, event, events = changed("pair", lambda _: True, lambda e: replace(e, record=None))
    derive(put(tmp_path, played("pair")), tmp_path / "results")
    path = tmp_path / "results" / "standings.txt"
    path.write_text(f"x{path.read_text()}")
    assert main(["league", "verify", str(tmp_path)]) == 5
    assert capsys.readouterr().err == (
        f"passing: {path}, line 1: is not what follows from the log; "
        f"`passing league report {tmp_path}` writes it again from the log.\n"
    )
    log = put(tmp_path, events)
    assert main(["league", "verify", str(tmp_path)]) == 5
    said = capsys.readouterr().err
    assert said.startswith(f"passing: {log}, line {line}: game {event.game}: it has no record")


def test_verify_of_no_league_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["league", "verify", str(tmp_path)]) == 2
    assert "Is " in capsys.readouterr().err
