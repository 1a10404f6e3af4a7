"""The server's disk: it fails for a while, and a server can die just before or after a commit."""

from collections.abc import Iterator
from enum import StrEnum

from passing_server.storing import (
    Batch,
    Durability,
    FinishedMatch,
    Kept,
    MatchKey,
    StoreFailed,
)
from tests.simulation.book import Book
from tests.simulation.files import Files
from tests.simulation.world import Broken
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

    def __init__(self, book: Book, *, files: bool) -> None:
        """Keep it in memory, or in the files that a server really has."""
        self.death: Death | None = None
        self.fails = False
        self.commits = 0
        self.keep_days = 0
        self.days = 0
        """How often the date was set, to whatever."""
        self._last_row: dict[MatchKey, int] = {}
        self._book = book
        self._memory = Files() if files else MemoryStore()

    @property
    def unsynced(self) -> int:
        """How many commits a loss of power may take."""
        return self._memory.unsynced

    def lose_power(self, survive: int) -> None:
        """Lose the tail of what was not synced."""
        self._memory.crash(survive)
        self._book.reload(self._memory.load(), Durability.FAST)

    def lose_file(self, durability: Durability) -> None:
        """Lose the file of one durability, while no server runs."""
        self._memory.crash(self.unsynced)
        self._memory.lose(durability)
        self._book.reload(self._memory.load(), durability)

    def load(self) -> Kept:
        return self._memory.load()

    def commit(self, batch: Batch) -> None:
        if self.death is Death.BEFORE_COMMIT:
            raise Died
        if self.fails:
            raise StoreFailed("disk: no space is left.")
        self._memory.commit(batch)
        self.commits += 1
        for part in (batch.full, batch.fast):
            for entry in part.entries:
                self._last_row[entry.key] = self.days
        self._book.write(batch)
        if self.death is Death.AFTER_COMMIT:
            raise Died

    def finished(self) -> Iterator[FinishedMatch]:
        return self._memory.finished()

    def prune(self, before: int) -> int | None:
        """Remove old matches: none that was over for fewer days than it is to be kept.

        However far the date is set, that is one day more at the most.
        """
        if self.fails:
            raise StoreFailed("disk: no space is left.")
        there = self._finished_keys()
        pruned = self._memory.prune(before)
        gone = there - self._finished_keys()
        for key in gone:
            if self.keep_days and self.days - self._last_row[key] <= self.keep_days:
                raise Broken(f"{key} is not kept for {self.keep_days} days")
        if len(gone) != (pruned or 0):
            raise Broken(f"{pruned} matches are said to be removed, it is {gone}")
        return pruned

    def _finished_keys(self) -> set[MatchKey]:
        return {MatchKey(match.table, match.match) for match in self.finished()}

    def verify_finished(self) -> None:
        """Find every match that is over as it was stored, row by row."""
        for match in self.finished():
            if match.damage is None and not self._book.has_match(match):
                raise Broken(f"match {match.match} of {match.table} is kept as another one")

    def discard(self) -> None:
        """Let nothing of it remain."""
        self._memory.discard()

    def close(self) -> None:
        self._memory.close()
