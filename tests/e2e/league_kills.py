"""Kill a league again and again: `python -m tests.e2e.league_kills --kills 100`.

A small league is killed at random moments and gone on with until it is over; then its results
have to be those of the league that was never stopped, byte by byte (C54).
"""

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from passing_bots.league.log import GameOver
from tests.support.league_files import (
    Running,
    events_of,
    finish,
    lines_of,
    processes_of,
    results_of,
    toml,
    until,
    written,
)

ENGINES = {name: {"run": name} for name in ("greedy", "random")}
BLOCKS = 40
LONGEST_S = 2.5
"""A league that is let alone for longer than this may come to its end."""


def whole(folder: Path, file: Path) -> dict[str, bytes]:
    """Return the results of the league that is never stopped."""
    done = finish("run", str(file), "--out", str(folder))
    assert done.returncode == 0, done.stderr
    return results_of(folder)


def killed(league: Running, seconds: float) -> bool:
    """Kill a league after some time; tells whether it had not ended by then."""
    try:
        code = league.process.wait(seconds)
    except subprocess.TimeoutExpired:
        return league.end_by(signal.SIGKILL) == -signal.SIGKILL
    assert code == 0, league.said.read_text(encoding="utf-8")
    return False


def play(folder: Path, file: Path, chance: random.Random) -> int:
    """Play the league to its end and return how often it was killed on the way."""
    kills = 0
    while True:
        if lines_of(folder) == 0:  # it was killed before there was a league
            shutil.rmtree(folder, ignore_errors=True)
            arguments = ["run", str(file), "--out", str(folder)]
        else:
            arguments = ["resume", str(folder)]
        if not killed(Running(folder, *arguments), chance.uniform(0, LONGEST_S)):
            break
        kills += 1
    games = Counter(event.game for event in events_of(folder) if isinstance(event, GameOver))
    assert set(games.values()) == {1}
    assert len(games) == BLOCKS * 2
    until(lambda: not processes_of(folder))
    return kills


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.league_kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="at least so many")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other moments")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    began = time.monotonic()
    kills = leagues = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = written(folder / "league.toml", toml(ENGINES, blocks=BLOCKS))
        expected = whole(folder / "whole", file)
        while kills < arguments.kills:
            leagues += 1
            kills += play(folder / f"{leagues}", file, chance)
            assert results_of(folder / f"{leagues}") == expected
            sys.stdout.write(f"{kills} kills in {leagues} leagues, all with the same results\n")
            sys.stdout.flush()
    sys.stdout.write(f"{time.monotonic() - began:.0f} s\n")


if __name__ == "__main__":
    main()
