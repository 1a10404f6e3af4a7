"""The files that a server really stores in, in a folder of their own for one match."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from passing_server.sqlite_store import FAST, FULL, SqliteStore, finished_in
from passing_server.storing import Batch, Durability, FinishedMatch, Kept

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder is made there; nothing has to be synced


class Files:
    """Keep what is committed in files, which are opened anew for each life of a server."""

    unsynced = 0
    """No power is lost here: that is tried where nothing is synced but by plan."""

    def __init__(self) -> None:
        place = IN_MEMORY if IN_MEMORY.is_dir() else None
        self._folder = TemporaryDirectory(prefix="passing-", dir=place)
        self._store: SqliteStore | None = None

    def crash(self, survive: int) -> None:
        """Let go of the files as a process does that is killed."""
        self._store = None

    def lose(self, durability: Durability) -> None:
        """Lose the file of one durability."""
        name = FULL if durability is Durability.FULL else FAST
        for file in Path(self._folder.name).glob(f"{name}*"):
            file.unlink()

    def load(self) -> Kept:
        self._store = None
        self._store = SqliteStore(Path(self._folder.name))
        return self._store.load()

    @property
    def _opened(self) -> SqliteStore:
        assert self._store is not None, "it is loaded first"
        return self._store

    def commit(self, batch: Batch) -> None:
        self._opened.commit(batch)

    def finished(self) -> Iterator[FinishedMatch]:
        return finished_in(Path(self._folder.name))

    def prune(self, before: int) -> int | None:
        return self._opened.prune(before)

    def close(self) -> None:
        self._opened.close()
        self._store = None

    def discard(self) -> None:
        """Remove the folder."""
        self._store = None
        self._folder.cleanup()
