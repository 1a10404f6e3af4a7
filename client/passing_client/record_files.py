"""Files of game records, as the commands about records read them and speak of them."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from passing_client.language import _, plural
from passing_client.record_folder import folder_of, kept_files
from passing_client.settings import effective_settings
from passing_link.exits import CommandFailed, ExitCode
from passing_protocol.names import clean_chat
from passing_protocol.records import InvalidRecord, NoRecord

STDIN: Final = "-"
_DIGITS: Final = 6
LINE_CHARS: Final = 1000
"""The most characters of a line about a file."""
QUOTED_CHARS: Final = 60
"""The most characters of a line of a file that is no record."""


def read_file(name: str) -> bytes:
    """Return the bytes of a file, of standard input for `-`; raises CommandFailed.

    A name that is no path may be that of a record which was kept, or its number in their list.
    """
    if name == STDIN:
        return sys.stdin.buffer.read()
    try:
        return _path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        told = _("{name} cannot be read: {reason}.").format(name=name, reason=reason)
        raise CommandFailed(ExitCode.USAGE, told) from None


def _path(name: str) -> Path:
    """Return the file that is meant: a path comes before what was kept; raises CommandFailed."""
    path = Path(name)
    if path.exists():
        return path
    kept = kept_files(folder_of(effective_settings().settings))
    if name.isascii() and name.isdecimal() and len(name) <= _DIGITS:
        return _kept(kept, int(name))
    return next((file for file in kept if name in (file.name, file.stem)), path)


def _kept(files: Sequence[Path], number: int) -> Path:
    """Return the file of a number in the list of what was kept; raises CommandFailed."""
    if 1 <= number <= len(files):
        return files[number - 1]
    text = plural(
        "No game record has the number {wanted}: `passing record list` holds {number}.",
        "No game record has the number {wanted}: `passing record list` holds {number}, from 1.",
        len(files),
    )
    told = text.format(wanted=number, number=len(files))
    raise CommandFailed(ExitCode.USAGE, told if files else _("No game records are kept yet."))


def verify_game(number: int, name: str, games: int) -> None:
    """Refuse the number of a game that a file does not have; raises CommandFailed."""
    if not 1 <= number <= games:
        told = _("--game: {number}, {name} has {games}, counted from 1.")
        told = told.format(number=number, name=name, games=game_count(games))
        raise CommandFailed(ExitCode.USAGE, told)


def verify_seat(number: int | None, seats: int) -> None:
    """Refuse a seat, counted from 1, that a game does not have; raises CommandFailed."""
    if number is not None and number > seats:
        told = _("--seat: {number}, this game has {seats} seats.")
        raise CommandFailed(ExitCode.USAGE, told.format(number=number, seats=seats))


def shown(text: str) -> str:
    """Return text as one line that a terminal only prints."""
    return clean_chat(text, LINE_CHARS)


def game_count(number: int) -> str:
    """Say how many games there are: `1 game`, `2 games`."""
    return plural("{number} game", "{number} games", number).format(number=number)


def sentence(name: str, error: InvalidRecord) -> str:
    """Say which piece of a file is wrong, and how; of what is none at all only that."""
    if isinstance(error, NoRecord):
        text = _("{name}: this is no game record. One begins with [, and line {number} is {line}.")
        long = len(error.line) > QUOTED_CHARS
        line = repr(error.line[:QUOTED_CHARS]) + (" ..." if long else "")
        return shown(text.format(name=name, number=error.place.line, line=line))
    return shown(f"{name}, {error}")
