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
    plain = fitted(row, stream)
    gap = _GAP.search(row)
    if gap is None or plain == row:
        return plain
    first, second = row[: gap.start()], row[gap.end() :]
    if gap.end() > _FARTHEST:
        return f"{first}\n{fitted(_BELOW + second, stream)}"
    below = fitted(" " * gap.end() + second, stream)
    return row[: gap.end()] + below[gap.end() :]
