"""A server's state folder: where it is, and its lock: one server at a time, and who it is."""

import fcntl
import os
import shlex
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import platformdirs

from passing_link.state_lock import LOCK
from passing_server.storing import failed_for


class FolderInUse(Exception):
    """Raised when another server runs on the folder; its text is a sentence for people."""


def folder_of(state: str | None) -> Path:
    """Return the state folder that is meant by a `--state`, or without one."""
    return Path(state) if state else platformdirs.user_state_path("passing-game") / "server"


class StateFolder:
    """Hold a state folder, made if need be, for as long as the process lives.

    If it is ours, it is closed to all others. The system lets go of the lock when the process
    ends, however it ends.
    """

    def __init__(self, path: Path) -> None:
        """Take the folder. Raises FolderInUse, and StoreFailed when it is of no use."""
        self.path = path
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if path.stat().st_uid == os.geteuid():
                path.chmod(0o700)
            with ExitStack() as opened:
                self._lock(opened)
                self._opened = opened.pop_all()
        except OSError as error:
            words = f"{path}: cannot be used as a folder ({error.strerror})."
            raise failed_for(error, words) from None

    def _lock(self, opened: ExitStack) -> None:
        """Lock the file, and the folder itself, as a file can be removed; say who has them."""
        folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        opened.callback(os.close, folder)
        self._handle = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        opened.callback(os.close, self._handle)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _lock_folder(folder)
        except BlockingIOError:
            raise FolderInUse(
                f"A server runs on {self.path} already: {_words(os.pread(self._handle, 1_024, 0))}."
                f" Stop it with Ctrl-C where it runs or with `{_drain(self.path)}`, or choose "
                "another folder with --state."
            ) from None
        if os.fstat(self._handle).st_uid == os.geteuid():
            os.fchmod(self._handle, 0o600)
        self._write("")

    def tell(self, address: str) -> None:
        """Write down where this server listens, for who finds the folder locked.

        Raises StoreFailed.
        """
        try:
            self._write(address)
        except OSError as error:
            raise failed_for(error, f"{self.path / LOCK}: {error.strerror}.") from None

    def _write(self, address: str) -> None:
        """Write the one line, without giving its place on the disk away meanwhile."""
        line = f"{os.getpid()} {address}\n".encode()
        os.pwrite(self._handle, line, 0)
        os.ftruncate(self._handle, len(line))

    def release(self) -> None:
        """Let others have the folder."""
        self._opened.close()

    def __enter__(self) -> Self:
        """Return the folder, held."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let others have the folder."""
        self.release()


def _lock_folder(descriptor: int) -> None:
    """Lock a folder where its file system can do that. Raises BlockingIOError."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        pass  # the file is locked


def _drain(path: Path) -> str:
    """Return the command that lets the server of a folder end."""
    given = "" if path == folder_of(None) else f" --state {shlex.quote(str(path))}"
    return f"passing serve drain{given}"


def _words(holder: bytes) -> str:
    """Return who holds the lock, as far as it has said so."""
    line = holder.decode(errors="replace").partition("\n")[0]
    pid, _, address = line.strip().partition(" ")
    if not pid:
        return "it is just starting, or its file was removed"
    return f"process {pid} at {address}" if address else f"process {pid}, which is just starting"
