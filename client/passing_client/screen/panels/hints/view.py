"""The bar of keys as it is drawn: whole hints only, the selected one always among them."""

from typing import Final

from passing_client.screen.cells import Fragment, Line, line, width
from passing_client.screen.panels.hints.model import Hint, HintsModel
from passing_client.screen.skin import Skin

_GAP: Final = "  "


def draw(model: HintsModel, cells: int, skin: Skin) -> Line:
    """Return the bar, with as many hints as fit."""
    fragments: list[Fragment] = []
    first, last = _shown(model, cells)
    for at in range(first, last):
        fragments += [("", _GAP)] if fragments else []
        fragments += _hint(model.hints[at], at == model.selected, skin)
    return line(cells, fragments)


def cursor_column(model: HintsModel, cells: int) -> int | None:
    """Return the column of the selected hint; None when none is."""
    if model.selected is None:
        return None
    first, _ = _shown(model, cells)
    return 1 + sum(_size(hint) for hint in model.hints[first : model.selected])


def _shown(model: HintsModel, cells: int) -> tuple[int, int]:
    """Return the first hint that is shown and the one after the last."""
    first = 0
    while True:
        last, used = first, 0
        while last < len(model.hints) and used + _size(model.hints[last]) <= cells + width(_GAP):
            used += _size(model.hints[last])
            last += 1
        if model.selected is None or model.selected < max(last, first + 1):
            return first, last
        first += 1


def _size(hint: Hint) -> int:
    """Count the cells of a hint with the sign before it and the gap behind it."""
    return width(f" {hint.key} {hint.text}{_GAP}")


def _hint(hint: Hint, selected: bool, skin: Skin) -> list[Fragment]:
    before = skin.chosen if selected else " "
    key, text = ("selected", "selected") if selected else ("key", "hint")
    return [("", before), (key, hint.key), (text, f" {hint.text}")]
