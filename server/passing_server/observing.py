"""Look at a server between two turns of its loop, and log what has changed."""

from typing import Final

from passing_server.core import Server
from passing_server.log import Log

CUTS_MS: Final = 60_000
"""Cuts are counted for so long before a line tells of them: a flood must not flood the log."""


class Observer:
    """Remember what was logged of a server, so that each thing is told once."""

    def __init__(self, server: Server, log: Log) -> None:
        """Begin with a server that is well."""
        self._server = server
        self._log = log
        self._ailment: str | None = None
        self._ailing_since = 0
        self._draining = False
        self._cuts = 0
        self._cuts_until = 0

    def look(self, now: int, cuts: int) -> None:
        """Log what is new; `cuts` is how many connections were cut since the last look."""
        if self._server.ailment != self._ailment:
            self._tell_ailment(now)
        if self._server.draining.active and not self._draining:
            self._draining = True
            playing = self._server.lobby.playing()
            sentence = f"Ending; tables where a round is played to its end: {playing}."
            self._log.tell("draining", sentence, playing=playing)
        if cuts and not self._cuts:
            self._cuts_until = now + CUTS_MS
        self._cuts += cuts
        if self._cuts and now >= self._cuts_until:
            self._tell_cuts()

    def end(self) -> None:
        """Log the end of the server."""
        if self._cuts:
            self._tell_cuts()
        if self._server.ailment is None:
            self._log.tell("ended", "Ended. Everything is stored.")
        else:
            sentence = "Ended while nothing could be stored; what is not stored, nobody was told."
            self._log.tell("ended", sentence)

    def _tell_ailment(self, now: int) -> None:
        before, self._ailment = self._ailment, self._server.ailment
        if self._ailment is not None:
            self._ailing_since = now
            sentence = f"Nothing can be stored, so nobody plays: {self._ailment}"
            self._log.tell("store_failed", sentence)
        elif before is not None:
            seconds = (now - self._ailing_since) // 1_000
            sentence = f"The store works again, after {seconds} s."
            self._log.tell("store_works", sentence, seconds=seconds)

    def _tell_cuts(self) -> None:
        sentence = f"Connections cut within a minute, far beyond their limits: {self._cuts}."
        self._log.tell("cut", sentence, connections=self._cuts)
        self._cuts = 0
