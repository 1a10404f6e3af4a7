"""The page about leagues shows what a league prints."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.house.readme import README
from tests.support.sources import ROOT

PAGE = ROOT / "docs" / "leagues.md"
_FILE = re.compile(r"<!-- file: (\S+) -->\n```toml\n(.*?)```\n", re.DOTALL)
_LEAGUE = re.compile(r"<!-- league: (\S+) -->\n```text\n(.*?)```\n", re.DOTALL)
_ENGINE = re.compile(r"<!-- engine: (\S+) -->\n```sh\n(.*?)```\n", re.DOTALL)
_RESULT = re.compile(r"<!-- standings -->\n```text\n(.*?)```\n", re.DOTALL)


WITH_A_PROGRAM = """\
name = "programs"
blocks = 3
rules = {{ seats = 2 }}
engine = [{{ name = "mine", command = ["./{name}"] }}, {{ name = "random", run = "random" }}]
"""


def play(folder: Path, file: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "passing_client", "league", "run", file],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def environment(folder: Path) -> dict[str, str]:
    """Ours, with a `passing` that is this very one."""
    passing = folder / "bin" / "passing"
    passing.parent.mkdir()
    passing.write_text(f'#!/bin/sh\nexec {sys.executable} -m passing_client "$@"\n')
    passing.chmod(0o755)
    return {**os.environ, "PATH": f"{passing.parent}{os.pathsep}{os.environ['PATH']}"}


def test_the_first_league_prints_what_the_page_shows(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    ((name, settings),) = _FILE.findall(page)
    ((played, standings),) = _LEAGUE.findall(page)
    assert played == name
    (tmp_path / name).write_text(settings, encoding="utf-8")
    done = play(tmp_path, name)
    assert done.returncode == 0, done.stderr
    assert done.stdout == standings


def test_the_program_of_the_page_plays(tmp_path: Path) -> None:
    ((name, script),) = _ENGINE.findall(PAGE.read_text(encoding="utf-8"))
    (tmp_path / name).write_text(script, encoding="utf-8")
    (tmp_path / name).chmod(0o755)
    (tmp_path / "programs.toml").write_text(WITH_A_PROGRAM.format(name=name), encoding="utf-8")
    done = play(tmp_path, "programs.toml")
    assert done.returncode == 0, done.stderr
    assert "6 of 6 games count" in done.stdout
    said = (tmp_path / "programs" / "engines" / "mine.1.log").read_text(encoding="utf-8")
    assert " begins\n" in said


def test_the_readme_shows_a_part_of_the_same_league() -> None:
    (standings,) = _RESULT.findall(README.read_text(encoding="utf-8"))
    assert standings in PAGE.read_text(encoding="utf-8")
    assert "careful" in standings
