"""`passing league init` and `passing league report`, as they are typed."""

import json
import tomllib
from pathlib import Path

import pytest

from passing_bots.catalogue import installed
from passing_bots.league.log import LeagueEvent, write_event
from passing_bots.league.settings import (
    ALLOWED,
    FaultPolicy,
    GameKind,
    LeagueClock,
    parse_settings,
    read_settings,
)
from passing_bots.league.standings import standings
from passing_bots.league.telling import standings_text
from passing_client.command import main
from tests.support.league_logs import SEED, by_luck, league, whole_log

TWO = league("a", "b")
EVENTS = whole_log(TWO, by_luck(TWO))


def put(folder: Path, events: list[LeagueEvent], torn: bytes = b"") -> Path:
    (folder / "log.ndjson").write_bytes(b"".join(map(write_event, events)) + torn)
    return folder


def failure(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command that must fail, and return its exit code and what it says."""
    code = main(["league", *words])
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("passing: ")
    assert captured.err.count("\n") == 1
    return code, captured.err.removeprefix("passing: ")


def example(capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["league", "init"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


# --- init ----------------------------------------------------------------------------------------


def test_the_example_plays_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    settings = parse_settings(example(capsys).encode(), "example")
    assert [engine.name for engine in settings.engines] == ["random", "greedy", "careful"]
    assert {engine.run for engine in settings.engines} <= {offer.name for offer in installed()}
    assert (settings.game, settings.sides) == (GameKind.ROUND, 2)


def test_the_example_shows_the_defaults_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    settings = parse_settings(example(capsys).encode(), "example")
    assert settings.clock == LeagueClock()
    assert settings.faults == FaultPolicy()
    bare = parse_settings(
        b'name = "first"\nrules = { seats = 2 }\n'
        b'engine = [{name = "a", run = "x"}, {name = "b", run = "x"}]\n',
        "bare",
        SEED,
    )
    assert (settings.blocks, settings.game, settings.tables) == (
        bare.blocks,
        bare.game,
        bare.tables,
    )


def test_the_example_has_every_setting_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    text = example(capsys)
    for name in ALLOWED:
        assert name.removesuffix("[]").rpartition(".")[2] in text


def test_what_the_example_comments_out_is_valid_too(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        line.removeprefix("# ") if " = " in line or line == "# [[engine]]" else line
        for line in example(capsys).splitlines()
    ]
    text = "\n".join(lines).replace("seats = 2", "seats = 4")
    settings = parse_settings(text.replace('game = "round"', 'game = "match"').encode(), "example")
    assert settings.engines[-1].command == ("./mine",)
    assert (settings.options.target, settings.options.partners) == (101, True)
    assert settings.options.max_rounds == 20


def test_each_example_has_a_seed_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    one, other = (tomllib.loads(example(capsys))["seed"] for _ in range(2))
    assert one != other


def test_the_example_goes_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "league.toml"
    assert main(["league", "init", str(path)]) == 0
    assert capsys.readouterr().out == ""
    assert read_settings(path).name == "first"


def test_a_file_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "league.toml"
    path.write_text("mine")
    code, said = failure(capsys, "init", str(path))
    assert code == 2
    assert said == f"{path}: is there already, and is not written over.\n"
    assert path.read_text() == "mine"


def test_a_file_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "none" / "league.toml"
    code, said = failure(capsys, "init", str(path))
    assert code == 2
    assert said == f"{path}: cannot be written (No such file or directory).\n"


# --- report --------------------------------------------------------------------------------------


def test_report_prints_the_standings_and_derives_the_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, EVENTS)
    assert main(["league", "report", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert captured.out == standings_text(standings(EVENTS))
    assert captured.out == (tmp_path / "results" / "standings.txt").read_text("utf-8")
    assert captured.err == ""


def test_report_as_json_prints_the_other_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, EVENTS)
    assert main(["league", "report", "--json", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out == (tmp_path / "results" / "standings.json").read_text("utf-8")
    said = json.loads(out)
    assert said["over"] is True
    assert [row["engine"] for row in said["rows"]] == [row.engine for row in standings(EVENTS).rows]


@pytest.mark.parametrize("torn", [b"", b'{"event":"league_over"}'])
def test_report_says_that_a_league_is_not_finished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], torn: bytes
) -> None:
    put(tmp_path, EVENTS[:-1], torn)
    assert main(["league", "report", str(tmp_path)]) == 0
    assert capsys.readouterr().err == "The league is not finished: its log has no end.\n"


def test_report_of_no_league_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = failure(capsys, "report", str(tmp_path))
    assert code == 2
    assert said.startswith(f"{tmp_path / 'log.ndjson'}: No such file or directory.")
    assert not (tmp_path / "results").exists()


def test_report_of_a_broken_log_names_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, EVENTS[:2], torn=b"rubbish\n")
    code, said = failure(capsys, "report", str(tmp_path))
    assert code == 5
    assert said.startswith(f"{tmp_path / 'log.ndjson'}, line 3: no event of a league: ")


def test_report_of_a_game_that_ended_twice_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, [*EVENTS[:2], EVENTS[1]])
    code, said = failure(capsys, "report", str(tmp_path))
    assert code == 5
    assert said == f"{tmp_path / 'log.ndjson'}: game a+b/1/0 ended twice.\n"


def test_results_that_cannot_be_written_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, EVENTS)
    (tmp_path / "results").write_text("in the way")
    code, said = failure(capsys, "report", str(tmp_path))
    assert code == 2
    assert str(tmp_path / "results") in said
