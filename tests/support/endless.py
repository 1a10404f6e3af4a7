"""Files that never end: who reads one whole would wait, or fill its memory."""

import os
from pathlib import Path

ENDLESS = ["/dev/zero", None]
"""Where a link leads that stands for such a file, None for a pipe that nobody writes to."""


def make_endless(path: Path, leads: str | None) -> None:
    """Put a file that never ends in a place."""
    if leads is None:
        os.mkfifo(path)
    else:
        path.symlink_to(leads)
