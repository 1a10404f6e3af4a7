"""The folder of a private table, which goes with the process that has made it."""

import fcntl
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

PREFIX: Final = "passing-"
_LOCK: Final = "in-use"
"""The file that is locked as long as the process lives to which the folder belongs."""


@contextmanager
def scratch_folder() -> Generator[Path]:
    """Make a folder for as long as this lasts, and remove those of processes that were killed."""
    for stale in _left_behind(Path(tempfile.gettempdir())):
        shutil.rmtree(stale, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name:
        folder = Path(name)
        with (folder / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder


def _left_behind(parent: Path) -> Iterator[Path]:
    """Yield the folders that nobody holds; one without its lock is just being made, or not ours."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError), (folder / _LOCK).open("r+") as lock:
            if _can_lock(lock):
                yield folder


def _can_lock(lock: IO[str]) -> bool:
    """Tell whether no living process holds a lock, and take it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
