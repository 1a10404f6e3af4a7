"""Print how many games a second a league plays, and on what time goes: `python -m bench.leagues`.

A league of two engines runs as anybody would run it, over sockets. The reference plays the same
games of the same engines in one process, on the rules alone: no server, no messages.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from bench.meters import cpu_s
from passing_bots.catalogue import find
from passing_bots.league.plan import block_key, games, seating
from passing_bots.league.settings import parse_settings
from passing_protocol.deals import bot_seed, deal_and_leader
from tests.support.arena import play_round

TABLES: Final = (1, 8, 32, 64)
ENGINES: Final = ("random", "greedy")
ROLES: Final = {"serve": "server", "bot": "engines"}
WARM_UP: Final = 0.2
"""This share of the games is not measured: the engines' processes are still starting."""

FULL: Final = 0.9
"""A CPU that is busy for this share of the time is full."""

LEAST_BLOCKS: Final = 40

SETTINGS: Final = """
name = "bench"
seed = "000102030405060708090a0b0c0d0e0f"
blocks = {blocks}
tables = {tables}
[[engine]]
name = "random"
run = "random"
tables = {each}
[[engine]]
name = "greedy"
run = "greedy"
tables = {each}
[rules]
seats = 2
"""


@dataclass(frozen=True, slots=True)
class Played:
    """Hold what a stretch of games took: seconds, and CPU seconds by role."""

    games: int
    wall_s: float
    cpu_s: dict[str, float]

    @property
    def per_s(self) -> float:
        """Return the games a second."""
        return self.games / self.wall_s

    def ms(self, role: str) -> float:
        """Return the milliseconds of CPU that a role took for one game."""
        return self.cpu_s.get(role, 0.0) * 1e3 / self.games

    def share(self) -> float:
        """Return how much of all CPUs these processes had."""
        return sum(self.cpu_s.values()) / (self.wall_s * (os.cpu_count() or 1))


def show(blocks: int) -> None:
    """Print a line for each number of tables."""
    reference = _in_process(_settings(blocks, 1))
    _say("A league of random and greedy over sockets: games/s, milliseconds of CPU for one game")
    _say("by role, and the share of all CPUs that these processes had. The same games in one")
    _say(f"process on the rules alone: {reference.per_s:,.0f} games/s.")
    _say("tables  games/s  server  league  engines  CPUs used  | to one process, and the limit")
    for tables in TABLES:
        played = _over_sockets(blocks if tables > 1 else blocks // 4, tables)
        _say(
            f"{tables:6}  {played.per_s:7.1f}  {played.ms('server'):6.2f}"
            f"  {played.ms('league'):6.2f}  {played.ms('engines'):7.2f}  {played.share():9.0%}"
            f"  | {played.per_s / reference.per_s:.3f}  {_limit(played)}"
        )


def _limit(played: Played) -> str:
    """Say what held the games up: the CPUs, one process that fills one, or waiting."""
    busiest = max(played.cpu_s, key=lambda role: played.cpu_s[role])
    if played.share() > FULL:
        return f"CPUs, most of it {busiest}"
    if played.cpu_s["server"] > FULL * played.wall_s:
        return "the server's one process"
    return "waiting: for turns, or for others on this machine"


def _settings(blocks: int, tables: int) -> str:
    return SETTINGS.format(blocks=blocks, tables=tables, each=min(tables, 64))


def _over_sockets(blocks: int, tables: int) -> Played:
    """Run a league and watch its processes from its first games to its last."""
    total = 2 * blocks
    skipped = int(total * WARM_UP)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.toml"
        file.write_text(_settings(blocks, tables))
        command = [sys.executable, "-m", "passing_client", "league", "run", str(file), "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as league:
            if league.stdout is None:
                raise AssertionError("stdout is a pipe")
            before, start, done = {}, 0.0, 0
            after, end = {}, 0.0
            for line in league.stdout:
                if not line.startswith(b'{"event":"game"'):
                    continue
                done += 1
                if done == skipped:
                    before, start = _cpu_by_role(league.pid), time.perf_counter()
                elif done == total:
                    after, end = _cpu_by_role(league.pid), time.perf_counter()
        if league.returncode:
            raise RuntimeError(f"the league ended with exit code {league.returncode}")
    grown = {role: after[role] - before.get(role, 0.0) for role in after}
    return Played(total - skipped, end - start, grown)


def _cpu_by_role(league: int) -> dict[str, float]:
    """Return the CPU seconds of a league's process and of its children."""
    used = {"league": cpu_s(league)}
    for child in Path(f"/proc/{league}/task/{league}/children").read_text().split():
        words = Path(f"/proc/{child}/cmdline").read_bytes().decode().split("\0")
        role = next((ROLES[word] for word in words if word in ROLES), "engines")
        used[role] = used.get(role, 0.0) + cpu_s(int(child))
    return used


def _in_process(text: str) -> Played:
    """Play the games of a league's plan by calling the engines."""
    settings = parse_settings(text.encode(), "bench")
    makers = {engine.name: find(engine.run or "") for engine in settings.engines}
    start = time.perf_counter()
    count = 0
    for key in games(settings):
        dealt = bytes.fromhex(block_key(settings, key.pairing, key.block))
        deal, leader = deal_and_leader(dealt, 1, 1, settings.options.seats)
        engines = [makers[name]() for name in seating(settings, key)]
        play_round(engines, deal, leader, settings.options, partial(bot_seed, dealt))
        count += 1
    return Played(count, time.perf_counter() - start, {})


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Read the command line and show."""
    parser = argparse.ArgumentParser(prog="python -m bench.leagues", description=__doc__)
    parser.add_argument("--blocks", type=int, default=500, help="blocks of each league (500)")
    blocks: int = parser.parse_args().blocks
    if blocks < LEAST_BLOCKS:
        parser.error(f"--blocks {blocks}: fewer than {LEAST_BLOCKS} measure the start alone")
    show(blocks)


if __name__ == "__main__":
    main()
