"""The line at the top as it is drawn."""

from collections.abc import Sequence

from passing_client.screen.cells import Line, width
from passing_client.screen.panels.title.model import TitleModel
from passing_client.screen.parts import two_sided
from passing_client.screen.skin import Skin


def draw(model: TitleModel, cells: int, skin: Skin) -> list[Line]:
    """Return the line; where it is too narrow, the name of the game goes first."""
    right = _joined(model.right, skin)
    whole = _joined((model.game, *model.parts), skin)
    left = whole if width(whole) + width(right) + 3 <= cells else _joined(model.parts, skin)
    return [_line(cells, left, right)]


def draw_short(model: TitleModel, cells: int, skin: Skin) -> list[Line]:
    """Return the line for a small screen."""
    left = _joined((model.game, *model.short), skin)
    return [_line(cells, left, _joined(model.short_right, skin))]


def _joined(parts: Sequence[str], skin: Skin) -> str:
    return f" {skin.dot} ".join(parts)


def _line(cells: int, left: str, right: str) -> Line:
    return two_sided(cells, [("title", f" {left}")], [("title", f"{right} ")])
