"""Engines of the SDK that misbehave, each in one way: `passing bot run tests.support...:CLASS`."""

import os
import resource
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Final, cast

from passing_bots import Action, Play, Tile, TurnView
from passing_bots.engines.greedy import GreedyEngine

OVERTIME_S: Final = 0.1
BABBLE: Final = 1 << 20
"""How many bytes are babbled into each stream before each answer."""

GRANDCHILD: Final = "60"
"""How many seconds a grandchild lives when nobody ends it."""


class Slow(GreedyEngine):
    """Take longer than the clock allows."""

    def choose(self, view: TurnView) -> Action:
        clock = view.clock
        allowed_s = (clock.turn_ms + clock.bank_ms) / 1000 if clock is not None else 0.0
        time.sleep(allowed_s + OVERTIME_S)
        return super().choose(view)


class Illegal(GreedyEngine):
    """Play a tile that cannot be played, or none of the game."""

    def choose(self, view: TurnView) -> Action:
        elsewhere = view.unseen[0] if view.unseen else Tile(0, 0)
        return Play(elsewhere, None)


class Nothing(GreedyEngine):
    """Return what is no action at all."""

    def choose(self, view: TurnView) -> Action:
        return cast("Action", None)


class Crashing(GreedyEngine):
    """Fail at every question."""

    def choose(self, view: TurnView) -> Action:
        raise RuntimeError(f"seat {view.seat} fell over")


class Dying(GreedyEngine):
    """Take the whole process along at the first question."""

    def choose(self, view: TurnView) -> Action:
        sys.stderr.write(f"table {view.table}, turn {view.turn}: dying\n")
        sys.stderr.flush()
        os._exit(3)


class Segfaulting(GreedyEngine):
    """End the process as a bad pointer would, at the first question."""

    def choose(self, view: TurnView) -> Action:
        end_by(signal.SIGSEGV)
        return super().choose(view)


class Aborting(GreedyEngine):
    """End the process as a failed assertion of C would, at the first question."""

    def choose(self, view: TurnView) -> Action:
        end_by(signal.SIGABRT)
        return super().choose(view)


class Killed(GreedyEngine):
    """Be killed at the first question, as by a machine that has run out of memory."""

    def choose(self, view: TurnView) -> Action:
        end_by(signal.SIGKILL)
        return super().choose(view)


class KilledOnce(GreedyEngine):
    """Be killed at the first question, unless a note in the folder TMPDIR says that it was."""

    def choose(self, view: TurnView) -> Action:
        note = Path(os.environ["TMPDIR"]) / "was-killed" if "TMPDIR" in os.environ else None
        if note is None or not note.exists():
            if note is not None:
                note.touch()
            end_by(signal.SIGKILL)
        return super().choose(view)


class Babbling(GreedyEngine):
    """Play well, and write megabytes to both streams."""

    def choose(self, view: TurnView) -> Action:
        babble()
        return super().choose(view)


class Stubborn(GreedyEngine):
    """Play well, and ignore SIGTERM."""

    def __init__(self) -> None:
        ignore_sigterm()


class Forking(GreedyEngine):
    """Play well, and leave a process behind."""

    def __init__(self) -> None:
        leave_grandchild()


def end_by(number: signal.Signals) -> None:
    """End this process by a signal, without a core file."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), number)


def babble() -> None:
    for stream in (sys.stdout, sys.stderr):
        stream.write("blah\n" * (BABBLE // 5))
        stream.flush()


def ignore_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


@cache
def leave_grandchild() -> None:
    """Start a process of our group that outlives us, and say which."""
    grandchild = subprocess.Popen(["sleep", GRANDCHILD])
    sys.stderr.write(f"grandchild {grandchild.pid}\n")
    sys.stderr.flush()
