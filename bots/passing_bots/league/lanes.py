"""The processes of a league's lanes: started, watched, and ended with all that they started."""

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from passing_bots.league.roster import Lane
from passing_bots.league.settings import EngineSettings
from passing_bots.session import report_marks
from passing_link.connection_file import ConnectionFile
from passing_link.environment import environment_for
from passing_link.processes import Child, own_command, start_program
from passing_protocol.tokens import token_for

LOG_BYTES: Final = 1 << 24
"""A log that has grown beyond this is emptied: an engine may write without end."""

SAID_CHARS: Final = 300
STOP_S: Final = 1.0
"""How long an engine may take to leave when it is asked to."""

POLL_S: Final = 0.01


class Lanes:
    """Run the processes of lanes at one server, each with a log and folders of its own."""

    def __init__(
        self,
        engines: Iterable[EngineSettings],
        connection: ConnectionFile,
        folder: Path,
    ) -> None:
        """Begin with none. What an engine writes goes into `folder`."""
        self._engines = {engine.name: engine for engine in engines}
        self._connection = connection
        self._folder = folder
        self._children: dict[Lane, Child] = {}
        self._leaving: list[tuple[Child, float]] = []
        """Those that were asked to leave, and until when they may."""
        self._last: dict[Lane, Child] = {}
        """The process of each lane that was started last, ended or not."""

    def start(self, lane: Lane, name: str) -> None:
        """Start a lane's process under a name; raises CommandFailed where it cannot be started."""
        engine = self._engines[lane.engine]
        log = self._folder / f"{lane}.log"
        environment = self._environment(lane, name, engine)
        if engine.command is not None:
            child = start_program(engine.command, log, environment)
        else:
            words = ["bot", "run", engine.run or "", self._connection.address, "--strict"]
            words += ["--name", name, "--tables", str(engine.tables)]
            child = Child(own_command(words), log, environment)
        self._children[lane] = self._last[lane] = child

    def _environment(self, lane: Lane, name: str, engine: EngineSettings) -> Mapping[str, str]:
        """Return what a lane's program is told, and folders that no other lane is given.

        Its token is good for its own name alone: no engine can pose as another.
        """
        own = self._folder / f"{lane}.tmp"
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        return {
            **environment_for(self._connection, token_for(self._connection.tokens["bot"], name)),
            "PASSING_NAME": name,
            "PASSING_TABLES": str(engine.tables),
            **dict.fromkeys(("TMPDIR", "XDG_CACHE_HOME", "XDG_STATE_HOME"), str(own)),
        }

    def stop(self, lane: Lane) -> None:
        """Ask a lane's process to leave; `ended` and `close` see that it does."""
        child = self._children.pop(lane, None)
        if child is not None:
            child.ask_to_leave()
            self._leaving.append((child, time.monotonic() + STOP_S))

    def ended(self) -> list[tuple[Lane, int]]:
        """Return the lanes whose process has ended by itself, with its exit code; forget them.

        What such a process has left behind is ended too.
        """
        found = [(lane, child.exit_code) for lane, child in self._children.items()]
        ended = [(lane, code) for lane, code in found if code is not None]
        for lane, _ in ended:
            self._children.pop(lane).stop(0)
        self._see_off()
        return ended

    def _see_off(self) -> None:
        """End all that is left of those that have left, or were to have left by now."""
        now = time.monotonic()
        gone = [c for c, until in self._leaving if c.exit_code is not None or now >= until]
        self._leaving = [each for each in self._leaving if each[0] not in gone]
        for child in gone:
            child.stop(0)

    def trim_logs(self) -> None:
        """Empty the logs that have grown too long."""
        for child in self._children.values():
            with suppress(OSError):
                child.trim_log(LOG_BYTES)

    def said(self, lane: Lane, table: str | None) -> str:
        """Return in one line what a lane last wrote, about that table if it named one."""
        child = self._last.get(lane)
        about = () if table is None else report_marks(table)
        return "" if child is None else child.said(about)[-SAID_CHARS:]

    def close(self) -> None:
        """End all processes."""
        try:
            for lane in list(self._children):
                self.stop(lane)
            while self._leaving:
                self._see_off()
                time.sleep(POLL_S)
        finally:  # somebody may not want to wait for that
            for child, _ in self._leaving:
                child.stop(0)
