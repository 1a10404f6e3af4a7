"""The server's disk: it fails for a while, and a server can die just before or after a commit."""

from collections.abc import Iterator
from enum import StrEnum

from passing_server.storing import Batch, FinishedMatch, Kept, StoreFailed
from tests.simulation.book import Book
from tests.support.memory_store import MemoryStore


class Died(BaseException):
    """Raised where the process of the server is killed; nothing may catch it but who killed it."""


class Death(StrEnum):
    """Name the points at which a server dies."""

    IDLE = "idle"
    RECEIVING = "receiving"
    BEFORE_COMMIT = "before the commit"
    AFTER_COMMIT = "after the commit"
    SENDING = "sending"


class Disk:
    """Keep what a server stores, and write down in a book what is."""

    def __init__(self, book: Book) -> None:
        self.death: Death | None = None
        self.fails = False
        self.commits = 0
        self._book = book
        self._memory = MemoryStore()

    @property
    def unsynced(self) -> int:
        """How many commits a loss of power may take."""
        return self._memory.unsynced

    def lose_power(self, survive: int) -> Kept:
        """Lose the tail of what was not synced; return what is there."""
        self._memory.crash(survive)
        kept = self._memory.load()
        self._book.reload(kept)
        return kept

    def load(self) -> Kept:
        return self._memory.load()

    def commit(self, batch: Batch) -> None:
        if self.death is Death.BEFORE_COMMIT:
            raise Died
        if self.fails:
            raise StoreFailed("disk: no space is left.")
        self._memory.commit(batch)
        self.commits += 1
        self._book.write(batch)
        if self.death is Death.AFTER_COMMIT:
            raise Died

    def finished(self) -> Iterator[FinishedMatch]:
        return self._memory.finished()

    def prune(self, before: int) -> int:
        return self._memory.prune(before)

    def close(self) -> None:
        self._memory.close()
