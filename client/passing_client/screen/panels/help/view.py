"""Draw the help as lines to be read one after the other."""

from typing import Final

from passing_client.screen.cells import Line, fit, line, width
from passing_client.screen.panels.help.model import Help, KeyHelp
from passing_client.screen.parts import blank, wrapped

_INDENT: Final = "   "


def draw(model: Help, cells: int) -> list[Line]:
    """Return as many lines as it needs."""
    column = max(width(key.keys) for key in model.keys)
    lines = _text(model.game, cells)
    lines.append(blank(cells))
    for key in model.keys:
        lines += _key(key, column, cells)
    lines += [blank(cells), *_text(model.heading, cells)]
    for command in model.commands:
        lines += _text(command.lstrip(), cells, "      ")
    return lines


def _key(key: KeyHelp, column: int, cells: int) -> list[Line]:
    """Return a key and what it does, with later lines below the text."""
    before = f"{_INDENT}{fit(key.keys, column)}{_INDENT}"
    first, *more = wrapped(key.text, cells - width(before) - 1)
    later = (line(cells, [("", " " * width(before) + row)]) for row in more)
    return [line(cells, [("key", before), ("", first)]), *later]


def _text(text: str, cells: int, indent: str = "") -> list[Line]:
    rows = wrapped(_INDENT + text, cells - 1, _INDENT + indent)
    return [line(cells, [("", row)]) for row in rows]
