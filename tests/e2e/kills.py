"""Kill the server of one match again and again: `python -m tests.e2e.kills --kills 100`.

The match has to be the one that was never interrupted: every tile, every action, the scores. Then
clients die and stand still for longer than they are waited for. Last it is told how long the
server took to listen again, and how long its clients were without it.
"""

import argparse
import os
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from passing_protocol.events import MatchEnded, RoundBegan, SeatChanged
from passing_protocol.views import SeatState
from tests.support.killed_match import play_match, verify_same
from tests.support.line_client import LineClient, answer, play_on
from tests.support.watched_table import a_table, engines_alone, two_people

POINTS_A_KILL = 40
"""A match to so many points for each kill lasts long enough."""

STANDS_S = 60.0
"""How long a client stands still that is waited for."""

GRACE_S = 90.0
"""How long a seat is kept for a person before an engine plays on for it."""

FLOOD = 12
"""Fewer lines than this tell a person who comes back how the table stands."""


def engine_is_killed(folder: Path) -> None:
    """C42: a whole engine process is gone: its seat is forfeited, and the other one wins."""
    with engines_alone(folder, ["a", "b"], partners=False) as table:
        table.act_of(0)
        os.killpg(table.engines[1].pid, signal.SIGKILL)
        ended = table.until(MatchEnded)
        assert (ended.reason, ended.winner) == ("forfeit", 0), ended


def both_partners_are_killed(folder: Path) -> None:
    """C42: two seats together, which are partners: the match ends by forfeit."""
    with engines_alone(folder, ["a", "b", "c", "d"], partners=True) as table:
        table.act_of(0)
        for number in (1, 3):
            os.killpg(table.engines[number].pid, signal.SIGKILL)
        ended = table.until(MatchEnded)
        assert (ended.reason, ended.winner) == ("forfeit", 0), ended


def engine_stands_still(folder: Path) -> None:
    """C31: for longer than its grace; the others have gone on, and it lives to hear of it."""
    with engines_alone(folder, ["a", "b"], partners=False) as table:
        table.act_of(1)
        os.kill(table.engines[1].pid, signal.SIGSTOP)
        while table.until(SeatChanged).info.state is not SeatState.FORFEITED:
            pass
        os.kill(table.engines[1].pid, signal.SIGCONT)
        time.sleep(2)
        assert table.engines[1].exit_code is None


def person_stands_still(folder: Path) -> None:
    """C31: for a minute of fast turns; the table goes on, and is come back to without a flood."""
    with a_table(folder, turn_ms=200) as table:
        table.client.until("Your turn. ")
        os.kill(table.client.process.pid, signal.SIGSTOP)
        stood_until = time.monotonic() + STANDS_S
        while time.monotonic() < stood_until:
            table.act_of(1)
        lines = come_back(table.client, "You are back.")
        assert lines < FLOOD, lines
        while table.act_of(0).timed_out:
            pass
        assert table.engine.exit_code is None


def person_stays_away(folder: Path) -> None:
    """C31: for longer than the grace; an engine plays on for it, and hands the seat back."""
    with two_people(folder, turn_ms=2_000) as (table, eve), ThreadPoolExecutor(1) as pool:
        pool.submit(play_on, eve)
        table.client.until("Your turn. ")
        os.kill(table.client.process.pid, signal.SIGSTOP)
        away_at = time.monotonic()
        assert table.act_of(0).timed_out
        while table.act_of(0).timed_out:  # until an engine has the seat
            pass
        assert time.monotonic() > away_at + GRACE_S
        lines = come_back(table.client, "You take the seat back")
        assert lines < FLOOD, lines
        while table.until(SeatChanged).info.state is not SeatState.TAKEN:
            pass
        while table.act_of(0).timed_out:
            pass
        eve.process.kill()


def come_back(client: LineClient, told: str) -> int:
    """Let a client go on, and play with it again; returns how many lines it took to be told."""
    before = len(client.lines)
    os.kill(client.process.pid, signal.SIGCONT)
    play_on(client, until=told)
    lines = len(client.lines) - before
    play_on(client, until="You play")
    return lines


def person_is_killed_between_rounds(folder: Path) -> None:
    """C39, C42: the next round begins without waiting for it, and is played on."""
    with a_table(folder, turn_ms=5_000) as table:
        while not (line := table.client.next_line() or "").startswith("The next round begins"):
            if line.startswith("Your turn. "):
                answer(table.client, line)
        table.client.process.kill()
        while table.until(RoundBegan).round != 2:
            pass
        assert table.act_of(0).timed_out
        assert not table.act_of(1).timed_out


ABSENCES: tuple[Callable[[Path], None], ...] = (
    engine_is_killed,
    both_partners_are_killed,
    engine_stands_still,
    person_stands_still,
    person_stays_away,
    person_is_killed_between_rounds,
)


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> None:
    """Read the arguments, kill, and compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how often the server is killed")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other moments")
    arguments = parser.parse_args()
    target = max(150, arguments.kills * POINTS_A_KILL)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = play_match(folder / "whole", target=target)
        say(f"the match: {len(whole.log)} rows, {whole.scores}, {time.monotonic() - began:.0f} s")
        broken = play_match(
            folder / "broken", target=target, kills=arguments.kills, seed=arguments.seed
        )
        verify_same(broken, whole)
        say(f"{arguments.kills} kills: the same deals, actions and scores")
        for what, times in (("listening after", broken.starts_s), ("heard after", broken.back_s)):
            say(f"{what}: p50 {statistics.median(times):.2f} s, at most {max(times):.2f} s")
        for absence in ABSENCES:
            absence(folder / absence.__name__)
            say(f"{absence.__name__}: as it should be")
    say(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
