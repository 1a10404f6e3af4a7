"""The page about leagues shows what a league prints."""

import re
import subprocess
import sys
from pathlib import Path

from tests.house.readme import README
from tests.support.sources import ROOT

PAGE = ROOT / "docs" / "leagues.md"
_FILE = re.compile(r"<!-- file: (\S+) -->\n```toml\n(.*?)```\n", re.DOTALL)
_LEAGUE = re.compile(r"<!-- league: (\S+) -->\n```text\n(.*?)```\n", re.DOTALL)
_RESULT = re.compile(r"<!-- standings -->\n```text\n(.*?)```\n", re.DOTALL)


def test_the_first_league_prints_what_the_page_shows(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    ((name, settings),) = _FILE.findall(page)
    ((played, standings),) = _LEAGUE.findall(page)
    assert played == name
    (tmp_path / name).write_text(settings, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "passing_client", "league", "run", name],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == standings


def test_the_readme_shows_a_part_of_the_same_league() -> None:
    (standings,) = _RESULT.findall(README.read_text(encoding="utf-8"))
    assert standings in PAGE.read_text(encoding="utf-8")
    assert "careful" in standings
