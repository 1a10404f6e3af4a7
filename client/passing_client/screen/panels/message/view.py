"""The message and the input line as they are drawn."""

import re
from typing import Final

from passing_client.screen.cells import Line, line, width
from passing_client.screen.panels.message.model import MessageModel
from passing_client.screen.parts import wrapped

_GAP: Final = re.compile(r" {2,}")
"""What stands between the parts of a hint."""


def draw(model: MessageModel, cells: int, most: int) -> list[Line]:
    """Return the message in at most so many lines, one at least; the last is cut if need be."""
    return _drawn(model, model.text, cells, most)


def draw_short(model: MessageModel, cells: int, most: int) -> list[Line]:
    """Return the same for a small screen."""
    return _drawn(model, model.short, cells, most)


def _drawn(model: MessageModel, text: str, cells: int, most: int) -> list[Line]:
    strong = f"{model.strong}  " if model.strong else ""
    rows = wrapped(strong + text, cells - 2)
    if len(rows) > most:
        kept = rows[: most - 1]
        rows = [*kept, " ".join(row.strip() for row in rows[most - 1 :])]
    first = [("", " "), ("turn", strong), (model.style, rows[0][len(strong) :])]
    later = (line(cells, [("", " "), (model.style, row.lstrip())]) for row in rows[1:])
    return [line(cells, first), *later]


def draw_input(model: MessageModel, cells: int) -> Line:
    """Return the line with what is typed, or else with what would happen to the chosen tile."""
    before = _before(model)
    if not model.typed:
        return line(
            cells, [("prompt", before), ("note", _whole(model.hint, cells - width(before)))]
        )
    return line(cells, [("prompt", before), ("", _end_of(model.typed, cells - width(before) - 1))])


def draw_said(model: MessageModel, cells: int, most: int) -> list[Line]:
    """Return the same in as many lines as what was said needs, if there are so many."""
    before = _before(model)
    rows = [] if model.typed else wrapped(model.hint, cells - width(before) - 1)
    if not 1 < len(rows) <= most:
        return [draw_input(model, cells)]
    indent = " " * width(before)
    below = [line(cells, [("", indent), ("note", row)]) for row in rows[1:]]
    return [line(cells, [("prompt", before), ("note", rows[0])]), *below]


def _whole(hint: str, cells: int) -> str:
    """Return as many of the parts of a hint as fit whole; the first is there always."""
    while width(hint) > cells and (parts := _GAP.split(hint))[1:]:
        hint = hint.removesuffix(parts[-1]).rstrip()
    return hint


def cursor_column(model: MessageModel, cells: int) -> int:
    """Return the column behind what is typed."""
    before = width(_before(model))
    return before + width(_end_of(model.typed, cells - before - 1))


def _before(model: MessageModel) -> str:
    return f" {model.label} "


def _end_of(text: str, cells: int) -> str:
    """Return as much of the end of a text as fits."""
    while width(text) > cells:
        text = text[1:]
    return text
