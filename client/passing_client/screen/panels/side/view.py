"""What has happened and was said, as it is drawn: the newest at the bottom."""

from passing_client.screen.cells import Line, line
from passing_client.screen.panels.side.model import SideModel
from passing_client.screen.parts import filled, rule, wrapped
from passing_client.screen.skin import Skin


def draw(model: SideModel, cells: int, rows: int, skin: Skin) -> list[Line]:
    """Return exactly so many lines: a rule with the title, and the last lines, wrapped."""
    if rows <= 0:
        return []
    shown: list[str] = []
    for text in reversed(model.lines):
        if len(shown) >= rows - 1:
            break
        shown = [f" {part}" for part in wrapped(text, cells - 2, "  ")] + shown
    body = shown[-(rows - 1) :] if rows > 1 else []
    return [
        rule(cells, skin, model.title),
        *filled((line(cells, [("", text)]) for text in body), cells, rows - 1),
    ]
