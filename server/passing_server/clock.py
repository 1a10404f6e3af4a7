"""The server's idea of time: it goes on only while the server runs.

When the process was stopped, nobody could be heard and nobody could act in time. That must cost
no player a turn, and no session its connection.
"""

from passing_server.limits import GAP_MS


class SteadyClock:
    """Turn the time that is handed in into one without gaps and steps back, in milliseconds."""

    def __init__(self) -> None:
        """Agree with the time outside at the first look."""
        self._seen: int | None = None
        self._lost = 0

    def read(self, outside: int) -> int:
        """Return the time here; what is longer than the server ever sleeps is not counted."""
        if self._seen is not None and not 0 <= outside - self._seen <= GAP_MS:
            self._lost += outside - self._seen
        self._seen = outside
        return outside - self._lost

    def skip(self, ms: int) -> int:
        """Count so much of the time that has gone by as none; return the time here."""
        self._lost += ms
        return (self._seen or 0) - self._lost

    def outside(self, here: int) -> int:
        """Return the time outside at which it is `here` here, if there is no further gap."""
        return here + self._lost
