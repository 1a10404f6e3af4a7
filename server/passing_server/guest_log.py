"""Log who may come in from now on, and who may no more: never a name, a code or a whole key."""

from passing_server.guests import GuestChange, Guests
from passing_server.log import Log


class GuestLog:
    """Remember what was logged of the guests, so that each thing is told once."""

    def __init__(self, guests: Guests, log: Log) -> None:
        """Begin when nothing is paused, and nothing has failed."""
        self._guests = guests
        self._log = log
        self._paused = False
        self._ailing = False

    def look(self, now: int) -> None:
        """Log what is new."""
        for change in self._guests.take_changes():
            self._tell(change)
        if (self._guests.ailment is not None) != self._ailing:
            self._ailing = not self._ailing
            self._tell_ailment(self._guests.ailment)
        if self._guests.pauses(now) != self._paused:
            self._paused = not self._paused
            self._tell_pause(self._guests.denials(now))

    def _tell(self, change: GuestChange) -> None:
        role, key = change.role, change.key
        match change.kind:
            case "enrolled":
                self._log.tell("enrolled", f"Enrolled a {role}, key {key}.", role=role, key=key)
            case "revoked":
                self._log.tell("revoked", f"Revoked a {role}, key {key}.", role=role, key=key)
            case "new_code":
                self._log.tell("new_code", f"There is a new code for the role {role}.", role=role)

    def _tell_ailment(self, ailment: str | None) -> None:
        if ailment is not None:
            self._log.tell("access_failed", f"Nobody can be remembered or revoked now: {ailment}")
        else:
            self._log.tell("access_works", "Clients can be remembered and revoked again.")

    def _tell_pause(self, denials: int) -> None:
        if self._paused:
            sentence = (
                f"Connections not admitted within a minute: {denials}. Until they are fewer no "
                "code is taken from other machines; who is remembered comes in."
            )
            self._log.tell("enrolment_paused", sentence, denials=denials)
        else:
            self._log.tell("enrolment_open", "Codes are taken again.")
