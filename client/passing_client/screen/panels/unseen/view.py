"""Draw the tiles that are still out."""

from typing import Final

from passing_client.screen.cells import Line, line
from passing_client.screen.panels.unseen.model import Unseen
from passing_client.screen.parts import rule, wrapped
from passing_client.screen.skin import Skin

_INDENT: Final = "   "


def draw(model: Unseen, cells: int, skin: Skin) -> list[Line]:
    """Return a rule, the tiles, and how many are left of each number."""
    return [rule(cells, skin, model.title, model.hidden), *draw_whole(model, cells)]


def draw_whole(model: Unseen, cells: int) -> list[Line]:
    """Return the tiles and the numbers without a rule."""
    numbers = "  ".join(f"{number}: {left}" for number, left in enumerate(model.left))
    texts = [" ".join(model.tiles), f"{model.label}   {numbers}"]
    rows = [row for text in texts for row in wrapped(_INDENT + text, cells, _INDENT)]
    return [line(cells, [("", row)]) for row in rows]
