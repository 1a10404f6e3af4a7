"""The lock on a server's state folder: who has it is the server that runs there, if any does."""

import fcntl
import os
from pathlib import Path
from typing import Final

from passing_link.connection_file import ConnectionFile

LOCK: Final = "lock"
"""What the locked file is called; it stays when the server ends, the lock does not."""


def holder_of(folder: Path) -> str | None:
    """Return what the server that uses a folder has written into its lock, None without one."""
    try:
        with (folder / LOCK).open(encoding="utf-8", errors="replace") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return lock.read(1_024).strip()
    except OSError:
        return None
    return None


def runs_on(folder: Path, file: ConnectionFile) -> bool:
    """Tell whether the server that wrote a connection file uses the folder still.

    A process number tells nothing in another container, and may be another process's by now. The
    lock is let go of when its process ends, however that ends, and all containers see it.
    """
    return holder_of(folder) == f"{file.pid} {file.address}"


def may_run(path: Path, file: ConnectionFile) -> bool:
    """Tell whether the server that wrote the file at `path`, on this machine, may run still.

    Where no lock can be read beside it, as beside a copy, its process number is all that tells.
    """
    if os.access(path.parent / LOCK, os.R_OK):
        return runs_on(path.parent, file)
    return file.process_runs
