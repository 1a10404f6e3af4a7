"""Text measured in the cells of a terminal: every line has exactly as many as asked for."""

from collections.abc import Iterable
from typing import Final

from wcwidth import wcwidth

Fragment = tuple[str, str]
"""The name of a style, of `style.STYLES` or empty, and a text in it."""

Line = list[Fragment]
"""One line of the screen."""

CUT: Final = "~"
"""What stands at the end of a text that was cut."""


def width(text: str) -> int:
    """Return how many cells a text takes: those of its characters, each by itself.

    So prompt_toolkit counts them, and a line is as wide as its fragments together. A terminal that
    puts several characters into one picture, as some do with emoji, takes fewer.
    """
    return sum(max(0, wcwidth(character)) for character in text)


def cut(text: str, cells: int) -> str:
    """Return a text of at most so many cells; one that is longer ends in `CUT`.

    >>> cut("Anastasia", 5), cut("Bo", 5)
    ('Anas~', 'Bo')
    """
    if width(text) <= cells:
        return text
    kept = text
    while kept and width(kept) > cells - 1:
        kept = kept[:-1]
    return f"{kept}{CUT}" if cells > 0 else ""


def fit(text: str, cells: int) -> str:
    """Return a text of exactly so many cells, cut or with spaces behind it."""
    shown = cut(text, cells)
    return shown + " " * (cells - width(shown))


def fit_right(text: str, cells: int) -> str:
    """Return a text of exactly so many cells, cut or with spaces before it."""
    shown = cut(text, cells)
    return " " * (cells - width(shown)) + shown


def line(cells: int, fragments: Iterable[Fragment] = ()) -> Line:
    """Return a line of exactly so many cells: what is too much is cut, the rest is spaces."""
    left = cells
    fitted: Line = []
    for style, text in fragments:
        shown = cut(text, left)
        left -= width(shown)
        if shown:
            fitted.append((style, shown))
    if left:
        fitted.append(("", " " * left))
    return fitted


def text_of(drawn: Line) -> str:
    """Return a line without its styles."""
    return "".join(text for _, text in drawn)
