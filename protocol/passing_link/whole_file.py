"""Read a small file, and write one whole or not at all, for the eyes of its owner alone."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

MOST_BYTES: Final = 4_194_304
"""How long a file of settings, keys or tokens may be: many times what any of them holds."""


class BrokenLink(Exception):
    """Raised when a symbolic link leads to no file; its text names both."""


def followed(path: Path) -> Path:
    """Return the file that is meant by a path, which may be a link to it.

    A file that is not there may be made, but not where a link leads, as to a disk that is not
    mounted. Raises BrokenLink and OSError.
    """
    if not path.is_symlink():
        return path
    if not path.exists():
        raise BrokenLink(f"{path} is a link to {path.readlink()}, where no file is")
    return path.resolve()


def read_small(path: Path) -> bytes:
    """Return what a file holds; one that never ends, and one that waits for a writer, is refused.

    Raises OSError.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "Not a regular file", str(path))
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(MOST_BYTES + 1)
    finally:
        os.close(handle)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"Longer than {MOST_BYTES} bytes", str(path))
    return data


def write_whole(path: Path, data: bytes, *, sync: bool = False) -> None:
    """Write a file, in place of an older one, as a new one that gets its name when it is whole.

    With `sync` a loss of power takes none of it afterwards. Raises OSError.
    """
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)  # that of a process which was killed
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if sync:
                file.flush()
                os.fsync(handle)
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise
    if sync:
        sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Let the names of a folder's files outlive a loss of power. Raises OSError."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
