"""Lines for people, as they fit the terminal where they are read."""

import os
import shutil
import textwrap
from contextlib import suppress
from typing import TextIO


def fitted(text: str, stream: TextIO | None) -> str:
    """Return lines broken between words as they fit the terminal that a stream leads to.

    Elsewhere they stay as they are: a program wants a sentence in one line. A word that is longer
    than a line stays whole: it is a link or a path, which somebody copies.
    """
    if stream is None or not stream.isatty():
        return text
    width = _columns(stream)
    return "\n".join(_broken(line, width) for line in text.split("\n"))


def fitted_prose(line: str, stream: TextIO | None) -> str:
    """Return a sentence as it fits, but a line with a command in it as it is: that is copied.

    Two spaces set a command apart.
    """
    return line if "  " in line else fitted(line, stream)


def _columns(stream: TextIO) -> int:
    """Return how wide the terminal of a stream is; standard output may lead elsewhere."""
    if not os.environ.get("COLUMNS"):
        with suppress(OSError, ValueError):
            return os.get_terminal_size(stream.fileno()).columns or shutil.get_terminal_size()[0]
    return shutil.get_terminal_size().columns


def _broken(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(
        line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
