"""One clock, one source of chance, and a queue of what happens next: a seed fixes all of it."""

import hashlib
import heapq
import itertools
import random
from collections.abc import Callable


class Broken(AssertionError):
    """Raised when a promise is broken; says which one and how."""


class World:
    """Run what is planned, in order of time; the same seed does the same again."""

    def __init__(self, seed: str, tell: Callable[[str], None] | None = None) -> None:
        """Start at 1 s; `tell` is given each line of the trace."""
        self.chance = random.Random(seed)
        self.now = 1_000
        self.steps = 0
        self._tell = tell
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._number = itertools.count()
        self._trace = hashlib.blake2b(digest_size=8)

    @property
    def trace(self) -> str:
        """The hash over all that has been noted."""
        return self._trace.hexdigest()

    def note(self, who: str, what: str, data: bytes = b"") -> None:
        """Write down that something happened."""
        line = f"{self.now} {who} {what}"
        self._trace.update(line.encode())
        self._trace.update(data)
        if self._tell is not None:
            self._tell(f"{line} {readable(data)}" if data else line)

    def at(self, time: int, what: Callable[[], None]) -> None:
        """Plan something; it is done no sooner than now."""
        heapq.heappush(self._queue, (max(time, self.now), next(self._number), what))

    def after(self, ms: int, what: Callable[[], None]) -> None:
        """Plan something in so many milliseconds."""
        self.at(self.now + ms, what)

    def step(self) -> None:
        """Do what comes next."""
        self.now, _, what = heapq.heappop(self._queue)
        self.steps += 1
        what()

    def likely(self, probability: float) -> bool:
        """Let chance decide."""
        return self.chance.random() < probability

    def between(self, low: int, high: int) -> int:
        """A time, or a number; small ones are as likely as large ones."""
        span = (high + 1) / (low + 1)
        return min(high, int((low + 1) * span ** self.chance.random()) - 1)


def readable(data: bytes) -> str:
    """What a frame holds, for the eye."""
    text = data.decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else "." for letter in text)
