"""Files of game records, as the commands about records read them and speak of them."""

import sys
from pathlib import Path

from passing_link.exits import CommandFailed, ExitCode
from passing_protocol.records import InvalidRecord

STDIN = "-"


def read_file(name: str) -> bytes:
    """Return the bytes of a file, of standard input for `-`; raises CommandFailed."""
    if name == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise CommandFailed(ExitCode.USAGE, f"{name} cannot be read: {reason}.") from None


def harmless(text: str) -> str:
    """Return text as one line that a terminal only prints."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def sentence(name: str, error: InvalidRecord) -> str:
    """Say which piece of a file is wrong, and how."""
    return harmless(f"{name}, {error}")
