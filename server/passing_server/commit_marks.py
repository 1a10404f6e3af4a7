"""How often each file of the store was written, kept beside them.

SQLite passes over what it cannot read at the end of its log, without a word. A count that is kept
elsewhere shows that. It is written after each commit without a sync, which costs nothing to speak
of: after a loss of power it may be too low, and tells less then, but it is never too high for a
file that syncs.
"""

import os
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

NAME: Final = "commits"
"""What the file is called in a state folder."""

_FORM: Final = struct.Struct(">QQ")


class CommitMarks:
    """Hold the count of commits of the full file and of the fast one."""

    def __init__(self, folder: Path) -> None:
        """Open the file, made if it is not there. Raises OSError."""
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        self._handle = os.open(folder / NAME, flags, 0o600)
        os.fchmod(self._handle, 0o600)

    def read(self) -> tuple[int, int]:
        """Return what was written last, zeros where that is not there. Raises OSError."""
        data = os.pread(self._handle, _FORM.size, 0)
        full, fast = _FORM.unpack(data) if len(data) == _FORM.size else (0, 0)
        return full, fast

    def write(self, full: int, fast: int) -> None:
        """Write both counts; where that fails, less can be told."""
        with suppress(OSError):
            os.pwrite(self._handle, _FORM.pack(full, fast), 0)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._handle)
