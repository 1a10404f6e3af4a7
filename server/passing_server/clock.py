"""The server's idea of time: it goes on only while the server runs.

When the process was stopped, nobody could be heard and nobody could act in time. That must cost
no player a turn, and no session its connection.
"""

from passing_server.limits import GAP_MS


class SteadyClock:
    """Turn the time that is handed in into one without gaps and steps back, in milliseconds.

    It can be stopped. The time here never goes back: no moment that was taken of it is ever in
    the future.
    """

    def __init__(self) -> None:
        """Agree with the time outside at the first look."""
        self._outside: int | None = None
        self._stopped = False
        self._here = 0
        self.running = 0
        """The time here as it would be if the clock had never been stopped."""

    def read(self, outside: int) -> int:
        """Return the time here; what is longer than the server ever sleeps is not counted."""
        if self._outside is None:
            self._here = self.running = outside
        else:
            gone = outside - self._outside
            if 0 <= gone <= GAP_MS:
                self.running += gone
                self._here += 0 if self._stopped else gone
        self._outside = outside
        return self._here

    def stop(self) -> None:
        """Let the time here stand."""
        self._stopped = True

    def go_on(self) -> int:
        """Let the time here go on from where it stood, and return it."""
        self._stopped = False
        return self._here

    def until(self, here: int) -> int:
        """Return the time outside at which it is `here` here, if nothing comes between."""
        return (self._outside or 0) + here - self._here

    def until_running(self, running: int) -> int:
        """Return the time outside at which `running` is so high, if nothing comes between."""
        return (self._outside or 0) + running - self.running
