"""Run a league: its server and engines as processes, its organiser at the server, its log."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from passing_bots.league.folder import LeagueFolder
from passing_bots.league.lanes import Lanes
from passing_bots.league.log import LeagueEvent, LeagueOver, LogWriter
from passing_bots.league.organiser import LeagueBroken, Organiser
from passing_bots.league.settings import LeagueSettings
from passing_bots.playing import agent_of
from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.connection_file import NAME, ConnectionFile, InvalidConnectionFile
from passing_link.exits import CommandFailed
from passing_link.news import LinkDown, LinkEnded
from passing_link.processes import GuardedServer
from passing_link.state_lock import may_run
from passing_protocol.messages import Caps

WAIT_S: Final = 0.05
"""How often processes and deadlines are looked at."""

LEFT_S: Final = 5.0
"""How long to wait for the server of a league that was killed; it ends by itself soon after."""

STOOD_S: Final = 1.0
"""A turn never takes so long: this process was stopped, and that is nobody's delay."""

LOGS_S: Final = 2.0
"""How often the logs of engines are looked at for their size."""

AT_ONCE: Final = 256
"""At most this many messages are taken in before what they caused is sent."""


def run_league(
    settings: LeagueSettings,
    folder: LeagueFolder,
    log: LogWriter,
    done: Sequence[LeagueEvent],
    report: Callable[[LeagueEvent, int], None],
) -> None:
    """Play all games that `done` does not tell of, and log each as it ends.

    `report` is called with each event after it is logged, and how many games are being played.
    Raises LeagueBroken, CommandFailed and LinkError; all processes are ended in any case.
    """
    _await_end_of_last(folder.server)
    with GuardedServer(folder.server) as server:
        lanes = Lanes(settings.engines, server.connection, folder.engines)
        try:
            with Connection.open(
                Address.parse(server.connection.address),
                name="organiser",
                agent=agent_of("league"),
                caps=Caps(view="on_join"),
                token=server.connection.tokens["organiser"],
                security=server.connection.security,
            ) as connection:
                organiser = Organiser(settings, lanes, done)
                _Run(organiser, connection, server, lanes, log, report).run()
        finally:
            lanes.close()


def _await_end_of_last(state: Path) -> None:
    """Wait while the server runs that a league of this folder has left behind."""
    deadline = time.monotonic() + LEFT_S
    path = state / NAME
    with suppress(OSError, InvalidConnectionFile):
        while may_run(path, ConnectionFile.read(path)) and time.monotonic() < deadline:
            time.sleep(WAIT_S)


class _Run:
    """Carry what happens to the organiser, and its requests and events to server and log."""

    def __init__(
        self,
        organiser: Organiser,
        connection: Connection,
        server: GuardedServer,
        lanes: Lanes,
        log: LogWriter,
        report: Callable[[LeagueEvent, int], None],
    ) -> None:
        """Take what there is to carry between."""
        self._organiser = organiser
        self._connection = connection
        self._server = server
        self._lanes = lanes
        self._log = log
        self._report = report
        self._look_at = 0.0
        self._trim_at = 0.0
        self._seen = time.monotonic()
        self._stood = 0.0

    def _now(self) -> float:
        """Return the time of a clock that stands while this process does."""
        now = time.monotonic()
        if now - self._seen > STOOD_S:
            self._stood += now - self._seen
        self._seen = now
        return now - self._stood

    def run(self) -> None:
        """Go on until nothing is left to play."""
        try:
            while not self._organiser.over:
                self._turn()
        finally:  # what has ended before the league breaks off stays so
            self._write(self._organiser.take_events())
        self._write([LeagueOver()])

    def _turn(self) -> None:
        now = self._now()
        if now >= self._look_at:
            self._look(now)
        self._organiser.tick(now)
        self._send()
        self._receive()
        self._write(self._organiser.take_events())

    def _look(self, now: float) -> None:
        """See which processes have ended. Raises LeagueBroken when the server does too often."""
        self._look_at = now + WAIT_S
        try:
            self._server.look()
        except CommandFailed as failed:
            raise LeagueBroken(failed.sentence) from failed
        for lane, code in self._lanes.ended():
            self._organiser.lane_ended(lane, code)
        if now >= self._trim_at:
            self._trim_at = now + LOGS_S
            self._lanes.trim_logs()

    def _send(self) -> None:
        with suppress(LinkDown):  # they go out when the connection is back
            self._organiser.send_all(self._connection.send)

    def _receive(self) -> None:
        """Take in what has come, waiting for a moment where nothing has."""
        try:
            message = self._connection.receive(WAIT_S)
            for _ in range(AT_ONCE):
                if message is None:
                    return
                self._organiser.receive(message, self._now())
                message = self._connection.receive(0)
            if message is not None:
                self._organiser.receive(message, self._now())
        except LinkEnded as ended:
            raise LeagueBroken(f"The league's own connection ended: {ended}") from ended

    def _write(self, events: Sequence[LeagueEvent]) -> None:
        """Log all events before the first is reported: Ctrl-C in a report loses none."""
        for event in events:
            self._log.append(event)
        for event in events:
            self._report(event, self._organiser.playing)
