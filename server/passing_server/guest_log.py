"""Log who may come in from now on, and who may no more: never a name, a code or a whole key."""

from collections.abc import Callable
from typing import Final

from passing_server.guests import GuestChange, Guests
from passing_server.log import Log

_SENTENCES: Final[dict[str, Callable[[GuestChange], str]]] = {
    "enrolled": lambda change: f"Enrolled a {change.role}, with the key {change.key}...",
    "revoked": lambda change: f"Revoked a {change.role}, with the key {change.key}...",
    "new_code": lambda change: f"There is a new join code for the role {change.role}.",
}


class GuestLog:
    """Remember what was logged of the guests, so that each thing is told once."""

    def __init__(self, guests: Guests, log: Log) -> None:
        """Begin when nothing is paused."""
        self._guests = guests
        self._log = log
        self._paused = False

    def look(self, now: int) -> None:
        """Log what is new."""
        for change in self._guests.take_changes():
            sentence = _SENTENCES[change.kind](change)
            fields = {"key": change.key} if change.key else {}
            self._log.tell(change.kind, sentence, role=change.role, **fields)
        if self._guests.pauses(now) != self._paused:
            self._paused = not self._paused
            self._tell_pause(self._guests.denials(now))

    def _tell_pause(self, denials: int) -> None:
        if self._paused:
            sentence = (
                f"Connections not admitted within a minute: {denials}. Until they are fewer no "
                "code is taken from other machines; who is remembered comes in."
            )
            self._log.tell("enrolment_paused", sentence, denials=denials)
        else:
            self._log.tell("enrolment_open", "Codes are taken again.")
