"""Remove the matches that have been over for so long that nobody wants them any more."""

import time
from collections.abc import Callable
from typing import Final

from passing_server.log import Log
from passing_server.storing import Store, StoreFailed

PIECE_MS: Final = 20
PIECE_NS: Final = 3_000_000
"""Nobody is answered while matches are removed: it is done for so long, then again a bit later."""

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 3_600_000


class Housekeeping:
    """Look each day which matches are old; where none is to be kept, once a minute.

    They are removed in pieces, between which the server goes on.
    """

    def __init__(
        self, store: Store, keep_days: int, run_day: Callable[[], int], log: Log, now: int
    ) -> None:
        """Keep a match for `keep_days` days of running; `run_day` counts those."""
        self._store = store
        self._keep_days = keep_days
        self._run_day = run_day
        self._log = log
        self._due = now
        self._removed = 0
        self._done: int | None = None

    def look(self, now: int) -> None:
        """Remove a piece of what is old, if it is time to look."""
        if now < self._due:
            return
        before = self._run_day() + (-self._keep_days if self._keep_days else 1)
        if self._keep_days and before == self._done:
            self._due = now + MINUTE_MS
            return
        try:
            more = self._remove(before)
        except StoreFailed as failed:
            self._due = now + HOUR_MS
            self._log.tell("prune_failed", f"Old matches cannot be removed: {failed}")
            return
        self._due = now + (PIECE_MS if more else MINUTE_MS)
        if not more:
            self._done = before
            self._tell()

    def _remove(self, before: int) -> bool:
        """Remove for a moment what is old, and tell whether there may be more."""
        until = time.monotonic_ns() + PIECE_NS
        while (removed := self._store.prune(before)) is not None:
            self._removed += removed
            if time.monotonic_ns() >= until:
                return True
        return False

    def _tell(self) -> None:
        removed, self._removed = self._removed, 0
        if removed:
            lasting = f" for {self._keep_days} days" if self._keep_days else ""
            sentence = f"Matches removed that were over{lasting}: {removed}."
            self._log.tell("pruned", sentence, matches=removed)
