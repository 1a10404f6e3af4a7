"""Let a running server end, and wait until its process has."""

import sys
import time
from pathlib import Path
from typing import Final

import msgspec

from passing_link.blocking import Connection
from passing_link.connection_file import ConnectionFile
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkNews, NewsKind
from passing_link.state_lock import holder_of, runs_on
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Drain, Status, StatusReport
from passing_protocol.views import TableState
from passing_server.asking import connection_file, speaking_to
from passing_server.state_folder import folder_of

LEAVE_S: Final = 10.0
"""How long a process may take to end after it has said goodbye."""

RESTART_S: Final = 5.0
"""How long to look for a new server where one has ended without a goodbye.

A supervisor may wait for 2 s, a start takes a moment, and so may the next try to connect.
"""

LOOK_S: Final = 0.05
"""How often it is looked whether a process has ended."""


class Ending:
    """Ask the server of a folder to end, and tell how that goes on standard output."""

    def __init__(self, state: str | None, grace_ms: int, *, as_json: bool) -> None:
        """Take the folder, None for the usual one; after `grace_ms` nothing is waited for."""
        self._folder = folder_of(state)
        self._grace_ms = grace_ms
        self._as_json = as_json

    def run(self) -> None:
        """Come back when the server's process is gone. Raises CommandFailed."""
        file = connection_file(self._folder)
        with speaking_to(file) as connection:
            report = connection.request(Status(0))
            connection.request(Drain(0, self._grace_ms))
            self._tell_begun(report.tables if isinstance(report, StatusReport) else {})
            _Wait(self._folder, file, connection).for_goodbye()
        self._await_end(file)
        self._tell("ended", "The server has ended. Everything is stored.")

    def _await_end(self, file: ConnectionFile) -> None:
        deadline = time.monotonic() + LEAVE_S
        while runs_on(self._folder, file):
            if time.monotonic() >= deadline:
                sentence = (
                    "The server has stored everything and said goodbye, but its process does not "
                    f"end: {self._folder} is in use still."
                )
                raise CommandFailed(ExitCode.UNEXPECTED, sentence)
            time.sleep(LOOK_S)
        if holder_of(self._folder) is not None:
            sentence = (
                "The server has ended and everything is stored, but another one was started on "
                f"{self._folder} since. That one is not ending."
            )
            raise CommandFailed(ExitCode.UNEXPECTED, sentence)

    def _tell_begun(self, tables: dict[TableState, int]) -> None:
        playing = tables.get(TableState.PLAYING, 0)
        sentence = (
            "The server takes nothing new. It ends when no round is played any more, in "
            f"{self._grace_ms / 1_000:g} s at the latest. Tables where one is played: {playing}."
        )
        self._tell("draining", sentence, playing=playing, grace_ms=self._grace_ms)

    def _tell(self, event: str, sentence: str, **fields: int) -> None:
        line = sentence
        if self._as_json:
            line = msgspec.json.encode({"event": event, **fields}).decode()
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


class _Wait:
    """Wait for the goodbye of a server, over connections that are lost and come back."""

    def __init__(self, folder: Path, file: ConnectionFile, connection: Connection) -> None:
        """Take a connection on which the server has just answered."""
        self._folder = folder
        self._file = file
        self._connection = connection
        self._epoch = connection.welcome.epoch
        self._lost: LinkNews | None = None
        self._gone_at: float | None = None

    def for_goodbye(self) -> None:
        """Come back when everything is stored and the server ends; raises CommandFailed."""
        while not self._is_goodbye(self._connection.receive(LOOK_S if self._lost else None)):
            if self._connection.welcome.epoch != self._epoch:
                sentence = (
                    "The server has ended before it was ready to, and was started anew. It is not "
                    "ending now: call drain again."
                )
                raise CommandFailed(ExitCode.UNEXPECTED, sentence)
            if self._lost is not None:
                self._look_for_process(self._lost)

    def _is_goodbye(self, item: object) -> bool:
        if isinstance(item, LinkNews):
            if item.kind is NewsKind.LOST:
                self._lost = item
            elif item.kind is not NewsKind.TRYING:
                self._lost = None
        return self._lost is not None and self._lost.code is ErrorCode.DRAINING

    def _look_for_process(self, lost: LinkNews) -> None:
        """Raise CommandFailed when a server has ended without a goodbye and does not come back."""
        now = time.monotonic()
        if self._gone_at is None and not runs_on(self._folder, self._file):
            self._gone_at = now
        if self._gone_at is not None and now >= self._gone_at + RESTART_S:
            sentence = (
                "The server has ended, and has not said that everything is stored. The last that "
                f"was heard of it: {lost.sentence}"
            )
            raise CommandFailed(ExitCode.UNEXPECTED, sentence)
