"""Let a running server end, and wait until its process has."""

import os
import select
import sys
from contextlib import suppress
from typing import Final

import msgspec

from passing_link.blocking import Connection
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkEnded, LinkNews
from passing_protocol.messages import Drain, Status, StatusReport
from passing_protocol.views import TableState
from passing_server.asking import connection_file, folder_of, speaking_to

LEAVE_S: Final = 10.0
"""How long a process may take to end after it has said goodbye."""


class Ending:
    """Ask the server of a folder to end, and tell how that goes on standard output."""

    def __init__(self, state: str | None, grace_ms: int, *, as_json: bool) -> None:
        """Take the folder, None for the usual one; after `grace_ms` nothing is waited for."""
        self._state = state
        self._grace_ms = grace_ms
        self._as_json = as_json

    def run(self) -> None:
        """Come back when the server's process is gone. Raises CommandFailed."""
        file = connection_file(folder_of(self._state))
        process = _opened(file.pid)
        try:
            with speaking_to(file) as connection:
                report = connection.request(Status(0))
                connection.request(Drain(0, self._grace_ms))
                self._tell_begun(report.tables if isinstance(report, StatusReport) else {})
                _await_goodbye(connection)
            if process is not None and not select.select([process], [], [], LEAVE_S)[0]:
                sentence = f"The server has said goodbye, but process {file.pid} does not end."
                raise CommandFailed(ExitCode.UNEXPECTED, sentence)
        finally:
            if process is not None:
                os.close(process)
        self._tell("ended", "The server has ended. Everything is stored.")

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


def _opened(pid: int) -> int | None:
    """Return a descriptor that can be read once the process is gone, None if it cannot be seen."""
    with suppress(OSError, OverflowError):
        return os.pidfd_open(pid)
    return None


def _await_goodbye(connection: Connection) -> None:
    """Wait until the server has ended the session, or the connection is lost with it."""
    with suppress(LinkEnded):
        while not isinstance(connection.receive(), LinkNews):
            pass
