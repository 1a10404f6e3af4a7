"""The folder with the game records that the client keeps: where it is, and what is in it."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

import platformdirs

from passing_client.settings import Settings

SUFFIX: Final = ".pass"
_OWN_NAME: Final = re.compile(r"\d{4}-\d{2}-\d{2}-\d{4}-[^\W_]+(?:-[^\W_]+)*\.pass")
"""How a file is called that was kept here; no other is ever removed."""
_WORD: Final = re.compile(r"[^\W_]+")
_NAME_CHARS: Final = 60


def folder_of(settings: Settings) -> Path:
    """Return where records are kept, whether or not that exists."""
    if settings.records_folder is not None:
        return Path(settings.records_folder).expanduser()
    return platformdirs.user_data_path("passing", appauthor=False) / "records"


def file_name(now: datetime, table: str, match: str) -> str:
    """Return what the file of a match is called, without its ending: letters, digits, hyphens.

    >>> file_name(datetime(2026, 11, 30, 19, 45), "Åsa's kitchen", "t1.m2")
    '2026-11-30-1945-Åsa-s-kitchen-t1-m2'
    """
    words = [*_words(table), *_words(match)]
    return "-".join([f"{now:%Y-%m-%d-%H%M}", *(words or ["table"])])


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:_NAME_CHARS])


def kept_files(folder: Path) -> list[Path]:
    """Return the records that were kept in a folder, the newest first by the time in the name.

    There are none where it cannot be read.
    """
    try:
        return sorted(filter(_is_own, folder.iterdir()), key=lambda path: path.name, reverse=True)
    except OSError:
        return []


def _is_own(path: Path) -> bool:
    named = _OWN_NAME.fullmatch(path.name) is not None
    return named and path.is_file() and not path.is_symlink()


def remove_oldest(folder: Path, keep: int) -> None:
    """Remove the oldest of the records that were kept, until there are no more than so many."""
    for path in kept_files(folder)[keep:]:
        with suppress(OSError):  # then it stays, and is tried again
            path.unlink()


def write_new(folder: Path, name: str, text: str) -> Path:
    """Write a file that is not there yet, of this name or with a number after it; raises OSError.

    Others may write here at the same time.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    paths = _paths(folder, name)
    while True:
        path = next(paths)
        try:
            handle = _claim(path)
        except FileExistsError:
            continue
        if not path.exists():
            _write(path, handle, text)
            return path
        os.close(handle)
        _new(path).unlink()


def _paths(folder: Path, name: str) -> Iterator[Path]:
    """Yield the paths that a file may have, in their order."""
    yield folder / f"{name}{SUFFIX}"
    for number in count(2):
        yield folder / f"{name}-{number}{SUFFIX}"


def write_again(path: Path, text: str) -> None:
    """Write a file of ours whole or not at all, for its owner alone; raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _new(path).unlink(missing_ok=True)
    _write(path, _claim(path), text)


def _new(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def _claim(path: Path) -> int:
    """Open the file from which this one is made; raises FileExistsError while another does."""
    return os.open(_new(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def _write(path: Path, handle: int, text: str) -> None:
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        _new(path).replace(path)
    except OSError:
        with suppress(OSError):
            _new(path).unlink()
        raise
