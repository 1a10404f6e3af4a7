"""Draw the passes and draws of a round, a line for each seat."""

from typing import Final

from passing_client.screen.cells import CUT, Line, fit, line, width
from passing_client.screen.panels.passes.model import Idle, Passes
from passing_client.screen.parts import name_width, rule, wrapped
from passing_client.screen.skin import Skin

_INDENT: Final = "   "
_NAME: Final = 4


def draw(model: Passes, cells: int, skin: Skin) -> list[Line]:
    """Return a rule and a line for each seat, of which the oldest deeds go where all do not fit."""
    name = _names(model, cells)
    lines = [rule(cells, skin, model.title)]
    for seat in model.seats:
        deeds = _newest(seat, cells - name - 2 * len(_INDENT))
        lines.append(_line(cells, fit(seat.name, name), deeds, seat))
    return lines


def draw_whole(model: Passes, cells: int) -> list[Line]:
    """Return every deed, in as many lines as they need."""
    name = _names(model, cells)
    indent = " " * (name + 2 * len(_INDENT))
    lines: list[Line] = []
    for seat in model.seats:
        text = f"{_INDENT}{fit(seat.name, name)}{_INDENT}{_joined(seat.deeds)}"
        lines += [line(cells, [("", row)]) for row in wrapped(text, cells, indent)]
    return lines


def _names(model: Passes, cells: int) -> int:
    """Return how many cells the names get."""
    longest = max(width(seat.name) for seat in model.seats)
    return max(_NAME, min(longest, name_width([], cells)))


def _newest(seat: Idle, cells: int) -> str:
    """Return as many of the newest deeds as fit, marked where older ones are left out."""
    deeds = list(seat.deeds)
    text = _joined(deeds)
    while len(deeds) > 1 and width(text) > cells:
        deeds.pop(0)
        text = f"{CUT} {_joined(deeds)}"
    return text


def _joined(deeds: list[str] | tuple[str, ...]) -> str:
    return ", ".join(deeds) or "-"


def _line(cells: int, name: str, deeds: str, seat: Idle) -> Line:
    style = "" if seat.deeds else "note"
    return line(cells, [("", f"{_INDENT}{name}{_INDENT}"), (style, deeds)])
