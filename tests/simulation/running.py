"""Run many seeds in several processes, go on where an earlier run stopped, tell the rate."""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from passing_server.loop import collect_seldom
from tests.simulation.simulation import Outcome, Simulation, simulate

CHUNK = 50


@dataclass
class Chunk:
    """What came of some seeds in a row."""

    first: int
    seeds: int = 0
    rounds: int = 0
    faults: int = 0
    restarts: int = 0
    cpu_s: float = 0.0
    failures: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def add(self, outcome: Outcome) -> None:
        """Count one seed."""
        self.seeds += 1
        self.rounds += outcome.rounds
        self.faults += outcome.faults
        self.restarts += outcome.restarts
        if outcome.failure is not None:
            self.failures.append((outcome.seed, outcome.failure))

    def join(self, other: "Chunk") -> None:
        """Count another chunk with this one."""
        self.seeds += other.seeds
        self.rounds += other.rounds
        self.faults += other.faults
        self.restarts += other.restarts
        self.cpu_s += other.cpu_s
        self.failures += other.failures


def run_chunk(first: int, seeds: int) -> Chunk:
    """Run seeds one after the other."""
    began = time.process_time()
    chunk = Chunk(first)
    for seed in range(first, first + seeds):
        chunk.add(simulate(seed))
    chunk.cpu_s = time.process_time() - began
    return chunk


def done_before(file: Path | None) -> dict[int, Chunk]:
    """The chunks that a file of an earlier run holds; a line that is cut off is none."""
    chunks: dict[int, Chunk] = {}
    if file is None or not file.exists():
        return chunks
    for line in file.read_text().splitlines():
        try:
            chunk = msgspec.json.decode(line, type=Chunk)
        except msgspec.DecodeError:
            continue
        chunks[chunk.first] = chunk
    return chunks


def run_all(first: int, seeds: int, jobs: int, file: Path | None) -> Iterator[Chunk]:
    """Run what no earlier run has done, and give each chunk, the earlier ones too."""
    done = done_before(file)
    starts = range(first, first + seeds, CHUNK)
    sizes = {start: min(CHUNK, first + seeds - start) for start in starts}
    known = [done[start] for start in starts if start in done and done[start].seeds == sizes[start]]
    yield from known
    left = [start for start in starts if start not in {chunk.first for chunk in known}]
    with ProcessPoolExecutor(jobs, initializer=collect_seldom) as pool:
        for chunk in pool.map(run_chunk, left, [sizes[start] for start in left]):
            if file is not None:
                with file.open("a") as appended:
                    appended.write(msgspec.json.encode(chunk).decode() + "\n")
            yield chunk


def report(total: Chunk, wall_s: float, earlier: int = 0) -> str:
    """What a run has come to, for people; it had `earlier` rounds before it went on."""
    cpu_rate = total.rounds / total.cpu_s if total.cpu_s else 0.0
    rate = (total.rounds - earlier) / max(wall_s, 0.001)
    return (
        f"{total.seeds} seeds, {total.rounds} rounds, {total.faults} faults, "
        f"{total.restarts} starts of the server; {rate:.0f} rounds/s, "
        f"{cpu_rate:.0f} per second of processor; {len(total.failures)} failed"
    )


def show(seed: int, *, trace: bool) -> int:
    """Run one seed, and print what happens."""
    outcome = Simulation(seed, tell=say if trace else None).run()
    say(str(outcome))
    return 0 if outcome.failure is None else 1


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser("python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=500, help="how many seeds to run")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="in how many processes")
    parser.add_argument("--resume", type=Path, help="a file that keeps what is done already")
    parser.add_argument("--seed", type=int, help="run this seed alone")
    parser.add_argument("--trace", action="store_true", help="with --seed: print what happens")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the command line asks; return 1 when a seed has failed."""
    chosen = arguments(argv)
    if chosen.seed is not None:
        return show(chosen.seed, trace=chosen.trace)
    total = Chunk(chosen.first)
    known, earlier = done_before(chosen.resume), 0
    began = time.monotonic()
    for chunk in run_all(chosen.first, chosen.seeds, chosen.jobs, chosen.resume):
        total.join(chunk)
        earlier += chunk.rounds if chunk == known.get(chunk.first) else 0
        for seed, failure in chunk.failures:
            say(f"seed {seed}: {failure[:300]}")
            say(f"  again: python -m tests.simulation --seed {seed} --trace")
        if total.seeds % (20 * CHUNK) == 0:
            say(report(total, time.monotonic() - began, earlier))
    say(report(total, time.monotonic() - began, earlier))
    return 1 if total.failures else 0
