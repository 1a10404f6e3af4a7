"""Remove the matches that have been over for so long that nobody wants them any more."""

from collections.abc import Callable
from typing import Final

from passing_server.log import Log
from passing_server.storing import Store, StoreFailed

DAY_MS: Final = 86_400_000
MINUTE_MS: Final = 60_000
HOUR_MS: Final = 3_600_000


class Housekeeping:
    """Look once a day which matches are old; where none is to be kept, once a minute."""

    def __init__(
        self, store: Store, keep_days: int, today: Callable[[], int], log: Log, now: int
    ) -> None:
        """Keep a match for `keep_days` whole days after its last; `today` counts days."""
        self._store = store
        self._keep_days = keep_days
        self._today = today
        self._log = log
        self._due = now

    def look(self, now: int) -> None:
        """Remove what is old, if it is time to look."""
        if now < self._due:
            return
        self._due = now + (DAY_MS if self._keep_days else MINUTE_MS)
        today = self._today()
        before = today - self._keep_days if self._keep_days else today + 1
        try:
            removed = self._store.prune(before)
        except StoreFailed as failed:
            self._due = now + HOUR_MS
            self._log.tell("prune_failed", f"Old matches cannot be removed: {failed}")
            return
        if removed:
            sentence = f"Matches removed that were over for {self._keep_days} days: {removed}."
            self._log.tell("pruned", sentence, matches=removed)
