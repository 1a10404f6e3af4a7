"""Draw the servers as a list that scrolls, the chosen one marked."""

from typing import Final

from passing_client.screen.cells import Line, fit, fit_right, line
from passing_client.screen.panels.servers.model import ServerList, ServerRow
from passing_client.screen.skin import Skin

_MARK: Final = 3
_COUNT: Final = 12
_NAME: Final = 24
_WIDE: Final = 80
"""From so many cells on it is told how many people are there, too."""


def draw(model: ServerList, cells: int, rows: int, skin: Skin) -> list[Line]:
    """Return the heads and as many servers as fit into the rows, the chosen one among them."""
    lines = [_line(model.heads, cells, "", "note")]
    first = first_row(model, rows)
    for number, row in enumerate(model.rows[first : first + rows - 1], first):
        is_chosen = number == model.chosen
        mark, style = (skin.chosen, "selected") if is_chosen else ("", "")
        lines.append(_line(row, cells, mark, style))
    return lines


def first_row(model: ServerList, rows: int) -> int:
    """Return the server at the top, so that the chosen one is to be seen below the heads."""
    shown = rows - 1
    return max(0, min(model.chosen - shown // 2, len(model.rows) - shown))


def _line(row: ServerRow, cells: int, mark: str, style: str) -> Line:
    """Return one row: an address is typed, so it gets what the name leaves."""
    shown = (row.tables, row.free, row.people)[: 3 if cells >= _WIDE else 2]
    rest = cells - _MARK - len(shown) * (_COUNT + 1) - 2
    name = max(8, min(_NAME, rest * 2 // 5))
    counts = " ".join(fit_right(count, _COUNT) for count in shown)
    text = f"{fit(row.name, name)} {fit(row.place, rest - name)} {counts}"
    return line(cells, [("mark", fit(f" {mark}", _MARK)), (style, text)])
