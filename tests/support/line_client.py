"""A line-mode client in a process of its own, driven through pipes by what it prints.

Any other program that speaks in lines can be read like that as well.
"""

import os
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

PATIENCE_S = 20.0
_PLAY = re.compile(r"(\d)-(\d) (left|right)")
_TILE = re.compile(r"(\d)-(\d)")


class LineClient:
    """Run `passing` with these words in line mode; read its lines and type into it.

    `program` is another module to run in its place.
    """

    def __init__(
        self,
        *words: str,
        environment: Mapping[str, str] | None = None,
        inside: Sequence[str] = (),
        program: str = "passing_client",
    ) -> None:
        self.lines: list[str] = []
        self._queue: queue.Queue[str | None] = queue.Queue()
        self.process = subprocess.Popen(
            [*inside, sys.executable, "-m", program, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PASSING_PLAIN": "1", **(environment or {})},
        )
        assert self.process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout,))
        self._reader.start()

    def _read(self, output: IO[str]) -> None:
        for line in output:
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def next_line(self, seconds: float = PATIENCE_S) -> str | None:
        """Return the next line, None after the last; raises queue.Empty when none comes."""
        line = self._queue.get(timeout=seconds)
        if line is not None:
            self.lines.append(line)
        return line

    def until(self, text: str) -> str:
        """Return the first line from here on that contains a text."""
        with suppress(queue.Empty):
            while (line := self.next_line()) is not None:
                if text in line:
                    return line
        raise AssertionError(f"{text!r} never came:\n" + "\n".join(self.lines))

    def ends(self) -> int:
        """Return the exit code, with all that was still printed read."""
        while self.next_line() is not None:
            pass
        return self.process.wait(PATIENCE_S)


def answer(client: LineClient, question: str) -> None:
    """Answer `Your turn. ...` as the words of the question allow: play, else draw, else pass."""
    play = _PLAY.search(question)
    if "any tile" in question:
        client.type("hand")
        tile = _TILE.search(client.until("Your hand"))
        assert tile is not None
        client.type(f"{tile[1]}{tile[2]}")
    elif play is not None:
        client.type(f"{play[2]}{play[1]} {play[3]}")
    else:
        client.type("d" if "draw" in question else "p")


def play_on(client: LineClient, until: str = "The match is over") -> None:
    """Answer whatever is asked until a line begins so, or the client has ended."""
    patience_s = 2 * PATIENCE_S  # a pause between rounds is as long as the usual
    while (line := client.next_line(patience_s)) is not None and not line.startswith(until):
        if line.startswith("Your turn. "):
            answer(client, line)
        elif line.startswith("The next round begins"):
            client.type("")


def play_match(client: LineClient) -> None:
    """Play until the match is over, by nothing but what the client prints."""
    steps: dict[str, Callable[[str], None]] = {
        "Your turn. ": lambda line: answer(client, line),
        "The next round begins": lambda _: client.type(""),
    }
    with suppress(queue.Empty):
        while (line := client.next_line()) is not None:
            if line.startswith("The match is over"):
                return
            for start, step in steps.items():
                if line.startswith(start):
                    step(line)
    raise AssertionError("the match was never over:\n" + "\n".join(client.lines))


def server_pid(folder: Path) -> int | None:
    """Return the process of the private server that has its folder in `folder`."""
    for path in folder.glob("passing-*/server/server.json"):
        found = re.search(r'"pid": (\d+)', path.read_text())
        return int(found[1]) if found is not None else None
    return None
