"""The lock on a server's state folder: who has it is the server that runs there, if any does."""

import fcntl
import os
from pathlib import Path
from typing import Final

from passing_link.connection_file import ConnectionFile

LOCK: Final = "lock"
"""What the locked file is called; it stays when the server ends, the lock does not."""


UNKNOWN: Final = ""
"""What stands for a holder whose locked file was removed; the folder itself is locked still."""


def holder_of(folder: Path) -> str | None:
    """Return what the server that uses a folder has written into its lock, None without one."""
    try:
        with (folder / LOCK).open(encoding="utf-8", errors="replace") as lock:
            if _is_locked(lock.fileno()):
                return lock.read(1_024).strip()
    except OSError:
        pass
    return UNKNOWN if _is_folder_locked(folder) else None


def _is_folder_locked(folder: Path) -> bool:
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return False
    try:
        return _is_locked(descriptor)
    except OSError:  # some file systems cannot lock a folder
        return False
    finally:
        os.close(descriptor)


def _is_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def runs_on(folder: Path, file: ConnectionFile) -> bool:
    """Tell whether the server that wrote a connection file uses the folder still.

    A process number tells nothing in another container, and may be another process's by now. The
    lock is let go of when its process ends, however that ends, and all containers see it.
    """
    return holder_of(folder) in (f"{file.pid} {file.address}", UNKNOWN)


def may_run(path: Path, file: ConnectionFile) -> bool:
    """Tell whether the server that wrote the file at `path`, on this machine, may run still.

    Where no lock can be read beside it, as beside a copy, its process number is all that tells.
    """
    if os.access(path.parent / LOCK, os.R_OK):
        return runs_on(path.parent, file)
    return file.process_runs
