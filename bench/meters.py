"""What is measured: counts that children keep in shared memory, and a process's CPU time."""

import ctypes
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.sharedctypes import RawArray
from pathlib import Path

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Counts(ctypes.Structure):
    """Count what one child has done, where its parent can read it at any time."""

    _fields_ = [
        ("decisions", ctypes.c_ulonglong),
        ("bytes_out", ctypes.c_ulonglong),
        ("bytes_in", ctypes.c_ulonglong),
        ("frames_in", ctypes.c_ulonglong),
    ]

    decisions: int
    bytes_out: int
    bytes_in: int
    frames_in: int


Counted = ctypes.Array[Counts]
"""One `Counts` in shared memory, in the form in which it can be handed to a child."""


def counts() -> Counted:
    """Return counts at 0 that may be handed to a child process."""
    return RawArray(Counts, 1)


def cpu_s(pid: int) -> float:
    """Return the CPU seconds, of every thread, that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


@dataclass(frozen=True, slots=True)
class Measured:
    """Hold what went on during one stretch of time."""

    wall_s: float
    cpu_s: float
    decisions: int
    bytes_out: int = 0
    bytes_in: int = 0
    frames_in: int = 0

    @property
    def per_s(self) -> float:
        """Return the decisions per second."""
        return self.decisions / self.wall_s

    @property
    def wall_us(self) -> float:
        """Return the microseconds that went by per decision."""
        return self.wall_s * 1e6 / self.decisions

    @property
    def cpu_us(self) -> float:
        """Return the microseconds of the server's CPU per decision."""
        return self.cpu_s * 1e6 / self.decisions


def measure(pid: int, children: Sequence[Counted], seconds: int) -> Measured:
    """Watch a server and its peers, and return the best of so many seconds.

    What else the machine does can only make a second worse.
    """
    return max((_second(pid, children) for _ in range(seconds)), key=lambda m: m.decisions)


def _second(pid: int, children: Sequence[Counted]) -> Measured:
    before, cpu, start = _total(children), cpu_s(pid), time.perf_counter()
    time.sleep(1)
    after, cpu_after, end = _total(children), cpu_s(pid), time.perf_counter()
    grown = [new - old for new, old in zip(after, before, strict=True)]
    return Measured(end - start, cpu_after - cpu, *grown)


def _total(children: Sequence[Counted]) -> tuple[int, int, int, int]:
    each = [child[0] for child in children]
    return (
        sum(c.decisions for c in each),
        sum(c.bytes_out for c in each),
        sum(c.bytes_in for c in each),
        sum(c.frames_in for c in each),
    )
