"""Files of game records, as the commands about records read them and speak of them."""

import sys
from pathlib import Path
from typing import Final

from passing_client.language import _, plural
from passing_link.exits import CommandFailed, ExitCode
from passing_protocol.names import clean_chat
from passing_protocol.records import InvalidRecord

STDIN: Final = "-"
LINE_CHARS: Final = 1000
"""The most characters of a line about a file."""


def read_file(name: str) -> bytes:
    """Return the bytes of a file, of standard input for `-`; raises CommandFailed."""
    if name == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        told = _("{name} cannot be read: {reason}.").format(name=name, reason=reason)
        raise CommandFailed(ExitCode.USAGE, told) from None


def shown(text: str) -> str:
    """Return text as one line that a terminal only prints."""
    return clean_chat(text, LINE_CHARS)


def game_count(number: int) -> str:
    """Say how many games there are: `1 game`, `2 games`."""
    return plural("{number} game", "{number} games", number).format(number=number)


def sentence(name: str, error: InvalidRecord) -> str:
    """Say which piece of a file is wrong, and how."""
    return shown(f"{name}, {error}")
