"""The days on which a server ran, counted so that no clock that is wrong ages anything.

The clock of a machine may begin at 1970 until the network has told it the time, or be set to a
date that is far ahead. However far it jumps, and how often, that is one day more or none.
"""

from collections.abc import Callable, Mapping
from typing import Final

DAYS, DATE = "days", "date"
"""The counters: on how many days a server ran, and the newest date that was seen."""

BELIEVED_MS: Final = 86_400_000
"""After so long a clock that was set back is believed."""


class RunDays:
    """Count a day whenever the date is a later one than any before."""

    def __init__(self, today: Callable[[], int]) -> None:
        """Begin with none; `today` tells the date as the clock has it, counted in days."""
        self.today = today
        self.count: int = 0
        self._date: int = -1
        self._back_since: int | None = None

    def begin(self, counters: Mapping[str, int], run_day: int) -> None:
        """Go on from what was stored; `run_day` is the highest known where no counters are."""
        self.count = counters.get(DAYS, run_day)
        self._date = counters.get(DATE, -1)

    def look(self, now: int) -> dict[str, int]:
        """Return the counters that are others now, at a time in milliseconds that never jumps."""
        date = self.today()
        if date >= self._date:
            self._back_since = None
        elif self._back_since is None:
            self._back_since = now
        if date == self._date or not self._believed(now):
            return {}
        self.count += date > self._date
        self._date = date
        return {DAYS: self.count, DATE: date}

    def _believed(self, now: int) -> bool:
        return self._back_since is None or now >= self._back_since + BELIEVED_MS
