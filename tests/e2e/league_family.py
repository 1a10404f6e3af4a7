"""The big league with the bad family: `python -m tests.e2e.league_family --blocks 500`."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from passing_link.exits import ExitCode
from tests.support.league_files import (
    BAD,
    GOOD,
    ODD,
    REMEMBERING,
    TWIN,
    Engine,
    finish,
    processes_of,
    standings_of,
    toml,
    written,
)

QUIET_ODD = {name: engine for name, engine in ODD.items() if name != "babbling"}
"""One that writes megabytes at every turn would write for hours here."""

ENGINES: dict[str, Engine] = {
    **GOOD, "twin": TWIN, "remembering": REMEMBERING, **BAD, **QUIET_ODD,
}  # fmt: skip
DAY_S = 86_400


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.league_family", description=__doc__)
    parser.add_argument("--blocks", type=int, default=500, help="blocks of each pairing")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        file = written(Path(name) / "family.toml", toml(ENGINES, blocks=arguments.blocks))
        began = time.monotonic()
        done = finish("run", str(file), timeout_s=DAY_S)
        spent = time.monotonic() - began
        assert done.returncode == ExitCode.LEAGUE_FAULTS, done.stderr
        assert not processes_of(Path(name) / "family")
        table = standings_of(Path(name) / "family")
    games = table.games + table.unpaired
    sys.stdout.write(
        f"{done.stdout}\n{games} games in {spent:.0f} s: {games / spent:.1f} a second\n"
    )
    blamed = [row.engine for row in table.rows if row.faults and row.engine not in BAD]
    assert not blamed, blamed


if __name__ == "__main__":
    main()
