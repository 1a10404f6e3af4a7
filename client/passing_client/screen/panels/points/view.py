"""Draw the scores as bars towards the target."""

from typing import Final

from passing_client.screen.cells import Line, fit, fit_right, line, width
from passing_client.screen.panels.points.model import Bar, Points
from passing_client.screen.parts import name_width
from passing_client.screen.skin import Skin

_MARK: Final = 3
_LONGEST: Final = 100


def draw(model: Points, cells: int, skin: Skin) -> list[Line]:
    """Return what is played to, and a line for each side."""
    name = name_width([bar.name for bar in model.bars], cells)
    digits = max(len(str(bar.score)) for bar in model.bars)
    length = min(cells // 2, cells - _MARK - name - 1 - 2 - digits - 1, _LONGEST)
    title = line(cells, [("note", " " * _MARK + model.title)])
    return [title, *(_bar(bar, cells, skin, name, length, model.target) for bar in model.bars)]


def _bar(bar: Bar, cells: int, skin: Skin, name: int, length: int, target: int) -> Line:
    full = min(length, bar.score * length // target)
    style = "won" if bar.won else "you" if bar.you else ""
    return line(
        cells,
        [
            ("won", fit(f" {skin.won}" if bar.won else "", _MARK)),
            (style, fit(bar.name, name)),
            ("", " "),
            ("bar", skin.full * full),
            ("note", skin.rest * (length - full)),
            (style, fit_right(str(bar.score), max(4, width(str(bar.score)) + 2))),
        ],
    )
