"""Rows of two columns, what is typed and what it does, as they fit the terminal."""

import re
from typing import Final, TextIO

from passing_link.fitting import fitted

_GAP: Final = re.compile(r"(?<=\S) {2,}(?=\S)")
"""What parts the columns; nothing in a sentence is that far apart."""

_FARTHEST: Final = 52
"""Where the second column may begin and still have room for words in 80 columns."""

_BELOW: Final = " " * 6


def hung(row: str, stream: TextIO | None) -> str:
    """Return a row as it fits the terminal of a stream, later lines below the second column.

    A second column that begins too far to the right has lines of its own. What has one column is
    broken between words, and elsewhere than at a terminal all stays as it is.
    """
    gap = _GAP.search(row)
    return fitted(row, stream) if gap is None else hung_from(gap.end(), row, stream)


def hung_from(start: int, row: str, stream: TextIO | None, farthest: int = _FARTHEST) -> str:
    """Return a row as it fits, later lines below the column that begins after `start` characters.

    Where that is beyond the `farthest` place, the column has lines of its own.
    """
    from passing_client.screen.cells import width

    if fitted(row, stream) == row:
        return row
    if start > farthest:
        return f"{row[:start].rstrip()}\n{fitted(_BELOW + row[start:], stream)}"
    cells = width(row[:start])
    return row[:start] + fitted(" " * cells + row[start:], stream)[cells:]
