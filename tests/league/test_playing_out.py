"""`passing league run` and `resume`, as they are typed: what they refuse, say and leave behind."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from passing_bots.league import playing_out
from passing_bots.league.log import (
    GameOver,
    LeagueBegan,
    LeagueEvent,
    LeagueOver,
    read_log,
    write_event,
)
from passing_bots.league.standings import standings
from passing_bots.league.telling import standings_text
from passing_client.command import main
from tests.support.league_logs import SEED, by_luck, league, whole_log

TOML = """\
name = "small"
seed = "{seed}"
blocks = 3
rules = {{ seats = 2 }}
[[engine]]
name = "random"
{random}
[[engine]]
name = "greedy"
run = "greedy"
"""


def toml(folder: Path, engine: str = 'run = "random"', seed: str = SEED) -> Path:
    path = folder / "small.toml"
    path.write_text(TOML.format(seed=seed, random=engine), encoding="utf-8")
    return path


def put(folder: Path, events: list[LeagueEvent]) -> Path:
    folder.mkdir()
    (folder / "log.ndjson").write_bytes(b"".join(map(write_event, events)))
    return folder


def failure(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    """Run a command that must fail, and return its exit code and what it says."""
    code = main(["league", *map(str, words)])
    captured = capsys.readouterr()
    assert captured.out == ""
    return code, captured.err.splitlines()[-1].removeprefix("passing: ")


def passing(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "passing_client", "league", *words],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip


# --- where a league goes -------------------------------------------------------------------------


@pytest.mark.parametrize("extra", [[], ["--out", "elsewhere"]])
def test_a_folder_that_holds_something_else_is_left_alone(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    extra: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / (extra[-1] if extra else "small")
    folder.mkdir()
    (folder / "thesis.tex").write_text("mine")
    code, said = failure(capsys, "run", toml(Path()), *extra)
    assert code == 2
    assert said == (
        f"{folder.name}: this folder is not empty, and no league's; choose another with --out."
    )
    assert [path.name for path in folder.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize(
    ("events", "said"),
    [
        (-1, "is not finished. Go on with `passing league resume {}`, by the settings that it "
         "began with, whatever the file says now"),
        (None, "is finished. See it with `passing league report {}`"),
    ],
)  # fmt: skip
def test_a_leagues_folder_says_what_can_be_done_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], events: int | None, said: str
) -> None:
    chosen = league("a", "b")
    folder = put(tmp_path / "small", whole_log(chosen, by_luck(chosen))[:events])
    before = (folder / "log.ndjson").read_bytes()
    assert failure(capsys, "run", toml(tmp_path)) == (
        2,
        f"{folder}: the league there {said.format(folder)}, or choose another folder with --out.",
    )
    assert (folder / "log.ndjson").read_bytes() == before


def test_a_folder_that_is_a_file_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small").write_text("")
    code, said = failure(capsys, "run", toml(tmp_path))
    assert code == 2
    assert said == f"--out {tmp_path / 'small'}: cannot be used as a folder (Not a directory)."


# --- engines that cannot be started --------------------------------------------------------------

MODULES: Mapping[str, str] = {
    "xx_broken.py": "def (",
    "xx_other.py": "print('hello')\nclass NoEngine: ...\nvalue = 3\n",
    "xx_leaves.py": "raise SystemExit('not here')",
}


@pytest.mark.parametrize(
    ("engine", "why"),
    [
        ('run = "randomm"', "run: 'randomm' is not installed here; known are "),
        ('run = "xx_none:Engine"', "run: 'xx_none:Engine' cannot be loaded: No module named"),
        ('run = "xx_other:Engine"', "run: 'xx_other:Engine' cannot be loaded: module 'xx_other' "),
        ('run = "xx_broken:Engine"', "run: 'xx_broken:Engine' cannot be loaded: invalid syntax"),
        ('run = "xx_leaves:Engine"', "run: 'xx_leaves:Engine' cannot be loaded: not here."),
        ('run = "xx_other:NoEngine"', "run: 'xx_other:NoEngine' is not a subclass of "),
        ('run = "xx_other:value"', "run: 'xx_other:value' is not a subclass of "),
        ('command = ["./none"]', "command begins with './none', which is no program here."),
    ],
)
def test_an_engine_that_cannot_be_started_is_refused_before_the_first_game(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    engine: str,
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    code, said = failure(capsys, "run", toml(tmp_path, engine))
    assert code == 2
    assert said.startswith(f"engine random: {why}")
    assert not (tmp_path / "small").exists()


# --- what is printed -----------------------------------------------------------------------------


def test_json_is_the_log_and_a_seed_that_was_drawn_is_told(tmp_path: Path) -> None:
    path = toml(tmp_path)
    path.write_text(path.read_text().replace(f'seed = "{SEED}"\n', ""))
    done = passing(tmp_path, "run", path.name, "--json")
    assert done.returncode == 0
    assert done.stdout == (tmp_path / "small/log.ndjson").read_text("utf-8")
    began = json.loads(done.stdout.splitlines()[0])
    assert began["event"] == "league_began"
    first = done.stderr.splitlines()[0]
    assert first == f"small.toml has no seed; drawn for this league: {began['league']['seed']}"
    again = passing(tmp_path, "resume", "small")
    assert again.returncode == 0
    assert again.stderr.splitlines()[0] == "This league is finished: nothing is left to play."
    assert again.stdout == standings_text(standings(read_log(tmp_path / "small/log.ndjson")))


def test_output_that_nobody_reads_stops_a_league_that_can_go_on(tmp_path: Path) -> None:
    toml(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-m", "passing_client", "league", "run", "small.toml", "--json"],
        cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline().startswith(b'{"event":"league_began"')
        running.stdout.close()
        said = running.stderr.read().decode().splitlines()
    assert running.returncode == 1
    assert said[-1] == (
        "passing: Stopped, as nobody reads the output any more. Every game that has ended is kept: "
        "go on with `passing league resume small`, or see the standings so far with "
        "`passing league report small`."
    )
    kept = read_log(tmp_path / "small/log.ndjson")
    assert isinstance(kept[0], LeagueBegan)
    assert not isinstance(kept[-1], LeagueOver)
    again = passing(tmp_path, "resume", "small")
    assert again.returncode == 0
    whole = read_log(tmp_path / "small/log.ndjson")
    assert whole[: len(kept)] == kept
    assert sum(isinstance(event, GameOver) for event in whole) == 6


def test_a_league_that_was_stopped_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(playing_out, "run_league", stop)
    code, said = failure(capsys, "run", toml(tmp_path))
    folder = tmp_path / "small"
    assert code == 130
    assert said == (
        f"Stopped. Every game that has ended is kept: go on with `passing league resume {folder}`, "
        f"or see the standings so far with `passing league report {folder}`."
    )
    assert main(["league", "report", str(folder)]) == 0


def test_a_league_that_lacks_a_game_does_not_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = league("a", "b")
    events = whole_log(chosen, by_luck(chosen))
    folder = put(tmp_path / "small", [*events[:3], *events[4:]])
    for command in ("resume", "report"):
        code, said = failure(capsys, command, folder)
        assert code == 5
        assert said == (
            f"{folder / 'log.ndjson'}: game a+b/2/0 is missing, although the league is over."
        )
