"""A server that was told to end: in time, not before its time, and with nothing new begun."""

from passing_server.limits import GAP_MS
from tests.simulation.world import Broken

SLACK_MS = 1_500
"""A server that cannot store looks every second."""


class Drain:
    """Follow one server from when it was told to end; `promised` is when it said that it does."""

    def __init__(self, grace_ms: int, now: int) -> None:
        self._graces = [(now, grace_ms)]
        self._until: int | None = None
        self._seen = now
        self._lived = self._excused = 0
        self._deals: int | None = None

    def again(self, grace_ms: int, now: int) -> None:
        """Note that it is told to end once more: that only shortens the time."""
        self._graces.append((now, grace_ms))

    def promised(self, grace_ms: int, now: int) -> None:
        """Hold the server to it from now on."""
        if self._until is None:
            self._seen = now
            self._until = grace_ms
        self._until = min(self._until, self._lived + grace_ms)

    def jumped(self) -> None:
        """Note that the clock has jumped: a server knows no better than that it stood still."""
        self._excused += GAP_MS

    def look(self, now: int, deals: int, *, ails: bool) -> None:
        """See after a turn that no round was begun, and that the time is not over.

        What the process stands still is not counted; that nothing can be stored is no excuse. But
        what was dealt before may be stored only when the store works again.
        """
        if self._until is None:
            return
        self._lived += now - self._seen if now - self._seen <= GAP_MS else 0
        self._seen = now
        if self._lived > self._until + self._excused + SLACK_MS:
            raise Broken(f"the server has {self._until} ms to end, {self._lived} are gone by")
        if ails or self._deals is None:
            self._deals = None if ails else deals
        elif deals > self._deals:
            raise Broken("a round is begun by a server that ends")

    def verify_may_end(self, now: int, playing: int) -> None:
        """See that no round is cut off before the time is over."""
        if playing and all(now + GAP_MS < at + grace for at, grace in self._graces):
            raise Broken(f"ends at {now} while a round is played, told {self._graces}")
