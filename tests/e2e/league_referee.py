"""Many games over sockets, and not one legal action refused (C56).

`python -m tests.e2e.league_referee --games 100000` plays a league of the reference engines at 32
tables at once. The league's referee plays every action again by the rules; here a share of the
games, all of them by default, is played once more by the naive oracle.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from passing_bots.league.log import FaultNoted, GameOver
from passing_protocol.records import parse
from tests.support.league_files import GOOD, TWIN, events_of, finish, toml, written
from tests.support.league_naive import verify_by_naive_rules

ENGINES = {**GOOD, "twin": TWIN}
GAMES_A_BLOCK = 12
AT_ONCE = 32
DAY_S = 86_400


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.league_referee", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="at least so many games")
    parser.add_argument("--every", type=int, default=1, help="each so many-th for the oracle")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        blocks = -(-arguments.games // GAMES_A_BLOCK)
        text = toml(ENGINES, blocks=blocks, tables=AT_ONCE)
        began = time.monotonic()
        done = finish("run", str(written(Path(name) / "many.toml", text)), timeout_s=DAY_S)
        spent = time.monotonic() - began
        assert done.returncode == 0, done.stderr
        events = events_of(Path(name) / "many")
    assert not [event for event in events if isinstance(event, FaultNoted)]
    games = [event for event in events if isinstance(event, GameOver)]
    assert len(games) == blocks * GAMES_A_BLOCK
    assert not any(game.forfeits for game in games)
    sys.stdout.write(f"{len(games)} games in {spent:.0f} s, none with a fault\n")
    actions = 0
    for game in games[:: arguments.every]:
        assert game.record is not None
        for record in parse(game.record):
            actions += verify_by_naive_rules(record)
    sys.stdout.write(f"{actions} actions are legal by the naive rules too\n")


if __name__ == "__main__":
    main()
