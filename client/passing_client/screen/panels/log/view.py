"""What has happened, as it is drawn: the last lines, the newest at the bottom."""

from passing_client.screen.cells import Line, line
from passing_client.screen.panels.log.model import LogModel
from passing_client.screen.parts import filled


def draw(model: LogModel, cells: int, rows: int) -> list[Line]:
    """Return exactly so many lines, of the last things that happened."""
    shown = model.lines[-rows:] if rows > 0 else ()
    return filled((line(cells, [("note", f"   {text}")]) for text in shown), cells, max(0, rows))
