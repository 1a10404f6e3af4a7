"""Print how soon the client is there and how soon it answers a key: `python -m bench.client`.

The full screen and line mode start a private table at a terminal of the bench's own, as a person
does; line mode is the reference. A key is answered when the terminal has been written to, here
or after the server has done what was asked.
"""

import argparse
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Final, Self

from passing_link.processes import start_server

PLAY: Final = ("play", "--bots", "3", "--seed", "7", "--name", "Dana", "--pace", "0")
PATIENCE_S: Final = 30.0
REACTION_S: Final = 0.4
"""So long a turn is looked at before it is answered; a key that comes earlier does not count."""

QUIET_S: Final = 0.1
"""A terminal that is not written to for so long has been answered."""

LINES: Final = "import passing_client.private_table, passing_client.keyboard, prompt_toolkit"
SCREEN: Final = "import passing_client.private_table, passing_client.screen.full_screen"


@dataclass(frozen=True, slots=True)
class Mode:
    """Hold how one way to play is started, and what it writes: first, and on one's own turn.

    `look` is typed to look at something that is known here, `draw` to draw a tile, which the
    server does; `drawn` is written when that is known.
    """

    name: str
    flags: tuple[str, ...]
    first: str
    turn: str
    look: str
    draw: str
    drawn: str


MODES: Final = (
    Mode("full screen", (), "Starting 3 engines", "YOUR TURN", "\x1b[C", "d", "drew"),
    Mode("line mode", ("--plain",), "A private table", "Your turn.", "ends\r", "d\r", "You draw"),
)


class Terminal:
    """Hold a terminal where the client runs; usable with `with`, which ends it."""

    def __init__(self, mode: Mode) -> None:
        """Start the client in a terminal of 80 x 24."""
        self.written = ""
        self.began = time.perf_counter()
        self._here, there = pty.openpty()
        fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "passing_client", *PLAY, *mode.flags],
            stdin=there,
            stdout=there,
            stderr=there,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"},
        )
        os.close(there)

    def until(self, text: str, start: int = 0) -> float:
        """Wait until a text is written from `start` on, and return when that was."""
        while text not in _plain(self.written[start:]):
            if not self.reads(PATIENCE_S):
                raise TimeoutError(f"{text!r} never came")
        return time.perf_counter()

    def reads(self, seconds: float) -> bool:
        """Read what is written within so many seconds; tells whether anything was."""
        if not select.select([self._here], [], [], seconds)[0]:
            return False
        try:
            self.written += os.read(self._here, 1 << 16).decode(errors="replace")
        except OSError:  # the client is gone from the other side
            return False
        return True

    def rests(self) -> None:
        """Wait until nothing is written any more, and for as long as a person looks."""
        while self.reads(QUIET_S):
            pass
        time.sleep(REACTION_S)

    def types(self, text: str) -> float:
        """Type a text, and return when that was."""
        os.write(self._here, text.encode())
        return time.perf_counter()

    def __enter__(self) -> Self:
        """Return the terminal itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the client."""
        self._process.terminate()
        while self.reads(PATIENCE_S):
            pass
        self._process.wait()
        os.close(self._here)


def _plain(text: str) -> str:
    """Return what was written without escape sequences; a step to the right is a space."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", re.sub(r"\x1b\[[0-9]*C", " ", text))


@dataclass(frozen=True, slots=True)
class Times:
    """Hold what one run took, in milliseconds."""

    first: float
    turn: float
    look: float
    drawn: float


def measure(mode: Mode) -> Times:
    """Start the client, wait for one's own turn, look at something and draw a tile."""
    with Terminal(mode) as terminal:
        first = terminal.until(mode.first)
        turn = terminal.until(mode.turn)
        terminal.rests()
        typed = terminal.types(mode.look)
        terminal.reads(PATIENCE_S)
        looked = time.perf_counter()
        terminal.rests()
        start = len(terminal.written)
        asked = terminal.types(mode.draw)
        drawn = terminal.until(mode.drawn, start)
        began = terminal.began
        steps = (first - began, turn - began, looked - typed, drawn - asked)
        return Times(*(step * 1000 for step in steps))


def _python_ms(code: str) -> float:
    """Return how long the interpreter takes for some code, from start to end."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return (time.perf_counter() - began) * 1000


def _server_ms() -> float:
    """Return how long a server takes until it listens."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with start_server(Path(folder)):
            return (time.perf_counter() - began) * 1000


def show(runs: int = 5) -> None:
    """Measure both modes so many times, side by side, and print the medians."""
    found: dict[str, list[Times]] = {mode.name: [] for mode in MODES}
    for _ in range(runs + 1):
        for mode in MODES:
            found[mode.name].append(measure(mode))
    _say(f"The client at a terminal, with a server and 3 engines of its own; medians of {runs}")
    _say("warm runs, in ms from the start of the process, and from a key.")
    _say("              first picture  own turn  | a key answered: here  by the server")
    for name, times in found.items():
        warm = times[1:]
        first, turn = median(t.first for t in warm), median(t.turn for t in warm)
        look, drawn = median(t.look for t in warm), median(t.drawn for t in warm)
        _say(f"{name:12}  {first:13.0f}  {turn:8.0f}  | {look:20.1f}  {drawn:13.1f}")
    _say("Of that, as far as it can be had alone:")
    parts = {
        "the interpreter": lambda: _python_ms("pass"),
        "with what line mode imports": lambda: _python_ms(LINES),
        "with what the full screen imports": lambda: _python_ms(SCREEN),
        "a server, until it listens": _server_ms,
    }
    for name, part in parts.items():
        _say(f"  {name:34} {median(part() for _ in range(runs)):6.0f}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure the client."""
    parser = argparse.ArgumentParser(prog="python -m bench.client", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how often each mode is started")
    show(parser.parse_args().runs)


if __name__ == "__main__":
    main()
