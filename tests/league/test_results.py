"""The results: files that follow from the log alone, byte for byte."""

import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passing_bots.league.log import GameOver, InvalidLog, LeagueEvent, write_event
from passing_bots.league.plan import GameKey, games, pairings
from passing_bots.league.results import derive, standings_json
from passing_bots.league.standings import Standings, standings
from passing_bots.league.telling import standings_text
from passing_protocol.records import SeatTag, parse, record_of_match, write
from passing_protocol.views import DealKind
from tests.support.league_logs import began, by_luck, game_over, league, logs, whole_log
from tests.support.records import play_match

in_a_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)


def put(path: Path, events: list[LeagueEvent], torn: bytes = b"") -> Path:
    path.write_bytes(b"".join(map(write_event, events)) + torn)
    return path


def content(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def with_records(blocks: int = 3) -> list[LeagueEvent]:
    """A league of three in which each game was played by chance and has its true record."""
    chosen = league("a", "b", "c", blocks=blocks)
    events: list[LeagueEvent] = [began(chosen)]
    for key in games(chosen):
        match = play_match(random.Random(str(key)), chosen.options)
        record = record_of_match(
            match,
            event=chosen.name,
            seats=[SeatTag(name, name) for name in key.engines],
            deal_kind=DealKind.GIVEN,
            tags=[("Block", str(key.block)), ("Rotation", str(key.rotation))],
        )
        events.append(game_over(chosen, key, match.scores, record=write([record])))
    return events


def test_there_are_standings_and_a_file_of_records_for_each_pairing(tmp_path: Path) -> None:
    events = with_records()
    table = derive(put(tmp_path / "log", events), tmp_path / "results")
    files = content(tmp_path / "results")
    assert list(files) == [
        "records/a+b.pass",
        "records/a+c.pass",
        "records/b+c.pass",
        "standings.json",
        "standings.txt",
    ]
    assert files["standings.txt"].decode() == standings_text(table)
    assert files["standings.json"].decode() == standings_json(table)
    assert table == standings(events)


def test_records_are_files_of_records_in_the_plans_order(tmp_path: Path) -> None:
    events = with_records()
    played = events[1:]
    random.Random(5).shuffle(played)
    derive(put(tmp_path / "log", [events[0], *played]), tmp_path / "results")
    for pairing in pairings(league("a", "b", "c")):
        text = (tmp_path / f"results/records/{'+'.join(pairing)}.pass").read_text("utf-8")
        records = parse(text)
        assert write(records) == text
        places = [
            tuple(value for name, value in record.tags if name in ("Block", "Rotation"))
            for record in records
        ]
        assert places == [(str(block), str(turn)) for block in range(1, 4) for turn in range(2)]
        assert all({seat.name for seat in record.seats} == set(pairing) for record in records)


@given(events=logs(), chance=st.randoms(use_true_random=False))
@in_a_folder
def test_games_in_another_order_give_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, events: list[LeagueEvent], chance: random.Random
) -> None:
    folder = tmp_path_factory.mktemp("league")
    derive(put(folder / "log", events), folder / "one")
    finished = [event for event in events[1:] if isinstance(event, GameOver)]
    others = [event for event in events[1:] if not isinstance(event, GameOver)]
    chance.shuffle(finished)
    derive(put(folder / "log", [events[0], *finished, *others]), folder / "other")
    assert content(folder / "one") == content(folder / "other")


def test_derived_again_they_are_the_same_and_nothing_else_is_left(tmp_path: Path) -> None:
    log = put(tmp_path / "log", with_records())
    derive(log, tmp_path / "results")
    before = content(tmp_path)
    (tmp_path / "results/standings.txt").write_text("forged")
    (tmp_path / "results/records/a+b.pass").unlink()
    derive(log, tmp_path / "results")
    assert content(tmp_path) == before


def test_a_torn_line_changes_nothing(tmp_path: Path) -> None:
    events = with_records()
    derive(put(tmp_path / "log", events), tmp_path / "one")
    derive(put(tmp_path / "log", events, torn=b'{"event":"ga'), tmp_path / "other")
    assert content(tmp_path / "one") == content(tmp_path / "other")


def test_a_file_is_put_in_place_whole(tmp_path: Path) -> None:
    events = with_records()
    derive(put(tmp_path / "log", events[:-1]), tmp_path / "results")
    path = tmp_path / "results/standings.txt"
    with path.open(encoding="utf-8") as reader:
        derive(put(tmp_path / "log", events), tmp_path / "results")
        old = reader.read()
    assert old == standings_text(standings(events[:-1]))
    assert path.read_text("utf-8") == standings_text(standings(events)) != old


def test_games_without_a_record_are_no_file(tmp_path: Path) -> None:
    chosen = league("a", "b", "c", blocks=1)
    events = whole_log(chosen, by_luck(chosen))
    key = GameKey(("a", "c"), 1, 0)
    events[3] = game_over(chosen, key, (1, 2), record="[Event]\n")
    derive(put(tmp_path / "log", events), tmp_path / "results")
    files = content(tmp_path / "results/records")
    assert files == {"a+c.pass": b"[Event]\n"}


@given(logs(most_blocks=12))
@settings(max_examples=30)
def test_the_json_says_all_of_the_standings(events: list[LeagueEvent]) -> None:
    table = standings(events)
    text = standings_json(table)
    assert msgspec.json.decode(text, type=Standings) == table
    assert text.endswith("}\n")
    assert "\n  " in text


def test_a_log_that_is_no_league_leaves_no_results(tmp_path: Path) -> None:
    chosen = league("a", "b")
    game = game_over(chosen, GameKey(("a", "b"), 1, 0), (1, 2))
    log = put(tmp_path / "log", [began(chosen), game, game])
    with pytest.raises(InvalidLog) as refused:
        derive(log, tmp_path / "results")
    assert str(refused.value) == f"{log}: game a+b/1/0 ended twice."
    assert not (tmp_path / "results").exists()
