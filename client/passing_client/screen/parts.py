"""The parts that pages and panels share: rules with titles, lines with two sides, wrapped text."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from passing_client.screen.cells import Fragment, Line, cut, line, width
from passing_client.screen.skin import Skin

_WIDEST_CHARACTER: Final = 2
_INDENT: Final = "   "
_NAME: Final = 12
"""So many cells a name gets at least."""
_LEAD: Final = 2
"""So many cells of a rule stand before its title and behind what is at its right end."""


def rule(cells: int, skin: Skin, title: str = "", right: str = "") -> Line:
    """Return a rule across the screen with a title in it, and perhaps a text at its right end.

    The text at the right stays whole as long as the title keeps half of the line.
    """
    if not title:
        return line(cells, [("rule", skin.horizontal * cells)])
    edge = skin.horizontal * _LEAD
    tail = f" {right} {edge}" if right and width(right) + 6 <= cells // 2 else ""
    shown = cut(title, cells - len(edge) - 2 - width(tail))
    gap = cells - len(edge) - 2 - width(shown) - width(tail)
    fragments = [("rule", f"{edge} "), ("rule.title", shown), ("rule", f" {skin.horizontal * gap}")]
    if tail:
        fragments += [("", " "), ("rule.title", right), ("rule", f" {edge}")]
    return line(cells, fragments)


def two_sided(cells: int, left: Sequence[Fragment], right: Sequence[Fragment]) -> Line:
    """Return a line with texts at both ends; where they do not both fit, the left one is cut."""
    tail = sum(width(text) for _, text in right)
    if tail + 1 >= cells:
        return line(cells, left)
    return [*line(cells - tail - 1, left), ("", " "), *right]


def sentence(text: str, cells: int, style: str = "") -> list[Line]:
    """Return a sentence in as many indented lines as it needs."""
    rows = wrapped(f"{_INDENT}{text}", cells - 1, _INDENT)
    return [line(cells, [(style, row)]) for row in rows]


def boxed(text: str, skin: Skin) -> list[str]:
    """Return a text of one line in a box, three lines."""
    edge = skin.horizontal * width(text)
    return [
        f"{skin.top_left}{edge}{skin.top_right}",
        f"{skin.vertical}{text}{skin.vertical}",
        f"{skin.bottom_left}{edge}{skin.bottom_right}",
    ]


def name_width(names: Iterable[str], cells: int) -> int:
    """Return how many cells names get: what the longest needs, up to a fifth of the line."""
    return max(_NAME, min(max(map(width, names), default=0), cells // 5))


def blank(cells: int) -> Line:
    """Return an empty line."""
    return line(cells)


def filled(lines: Iterable[Line], cells: int, rows: int) -> list[Line]:
    """Return exactly so many lines: the first of those given, then empty ones."""
    kept = list(lines)[:rows]
    return kept + [blank(cells) for _ in range(rows - len(kept))]


def wrapped(text: str, cells: int, indent: str = "") -> list[str]:
    """Break a text between words into lines of at most so many cells; at least one line.

    Spaces inside a line stay as they are, so columns do; later lines begin with the indent. A
    word that is longer than a line is broken anywhere.
    """
    return list(_wrapped(text, cells, indent))


@lru_cache(maxsize=1024)
def _wrapped(text: str, cells: int, indent: str) -> tuple[str, ...]:
    """Return the lines, which are kept: those of a long log are wanted again with every key."""
    cells = max(cells, width(indent) + _WIDEST_CHARACTER)
    lines: list[str] = []
    row, used = "", 0
    for word in _WORD.findall(text):
        if row.strip() and used + width(word) > cells:
            lines.append(row)
            row, used = indent, width(indent)
            word = word.lstrip(" ")
        row, used = row + word, used + width(word)
        while used > cells:
            head = _head(row, cells)
            lines.append(head)
            row = indent + row[len(head) :]
            used = width(row)
    return (*lines, row)


_WORD: Final = re.compile(" *[^ ]+")


def _head(text: str, cells: int) -> str:
    """Return as much of the start of a text as fits."""
    end = len(text)
    while width(text[:end]) > cells:
        end -= 1
    return text[:end]
