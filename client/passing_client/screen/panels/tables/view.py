"""Draw the tables as a list that scrolls, the chosen one marked."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from passing_client.screen.cells import Line, cut, fit, line, width
from passing_client.screen.panels.tables.model import Holder, TableList, TableRow
from passing_client.screen.skin import Skin

_MARK: Final = 3
_GAME: Final = 10
_STATE: Final = (14, 11)
"""The least cells of the state on a wide and a narrow screen; some languages need more."""
_WIDEST_STATE: Final = 18
_WIDE: Final = 80
_GAPS: Final = 3
_NAME: Final = 24
_SEATS: Final = 26
"""The least cells of the seats, if there are as many."""
_FREE: Final = "."


class _Widths(NamedTuple):
    """Hold how many cells a table's name, its seats and its state get."""

    name: int
    seats: int
    state: int


def draw(model: TableList, cells: int, rows: int, skin: Skin) -> list[Line]:
    """Return the heads and as many tables as fit into the rows, the chosen one among them."""
    widths = _widths(model, cells)
    table, seats, game, state = model.heads
    lines = [_line(cells, widths, "", table, seats, game, state, "note")]
    first = first_row(model, rows)
    for number, row in enumerate(model.rows[first : first + rows - 1], first):
        lines.append(_row(row, cells, widths, skin, chosen=number == model.chosen))
    return lines


def first_row(model: TableList, rows: int) -> int:
    """Return the table at the top, so that the chosen one is to be seen below the heads."""
    shown = rows - 1
    return max(0, min(model.chosen - shown // 2, len(model.rows) - shown))


def _widths(model: TableList, cells: int) -> _Widths:
    """Share what the other columns leave; the seats get no more than they need."""
    needed = max((width(row.state) for row in model.rows), default=0)
    state = max(_STATE[cells < _WIDE], min(needed, _WIDEST_STATE))
    rest = cells - _MARK - _GAPS - _GAME - state - 1
    name = max(8, min(_NAME, rest * 2 // 5))
    needed = max((width(_whole(row)) for row in model.rows), default=0)
    return _Widths(name, min(rest - name, max(_SEATS, needed)), state)


def _whole(row: TableRow) -> str:
    """Return who sits at a table with whole names, and a sign for each free seat."""
    names = [f"{holder.name}{holder.mark}" for holder in row.holders]
    return " ".join([*names, *_free(row)])


def _free(row: TableRow) -> list[str]:
    return ["  ".join([_FREE] * row.free)] if row.free else []


def _row(row: TableRow, cells: int, widths: _Widths, skin: Skin, *, chosen: bool) -> Line:
    seats = _seats(row, widths.seats)
    mark = skin.chosen if chosen else ""
    style = "selected" if chosen else ""
    return _line(cells, widths, mark, row.name, seats, row.game, row.state, style)


def _seats(row: TableRow, cells: int) -> str:
    """Return who sits there; long names are cut so that everybody is seen."""
    free = _free(row)
    room = cells - sum(width(text) + 1 for text in free)
    names = [_names(row.holders, room)] if row.holders else []
    return " ".join([*names, *free])


def _names(holders: Sequence[Holder], cells: int) -> str:
    """Return the names, each of the longest length at which all of them fit."""
    for most in range(_NAME, 0, -1):
        names = " ".join(f"{cut(holder.name, most)}{holder.mark}" for holder in holders)
        if width(names) <= cells:
            return names
    return cut(" ".join(cut(holder.name, 2) for holder in holders), cells)


def _line(
    cells: int,
    widths: _Widths,
    mark: str,
    name: str,
    seats: str,
    game: str,
    state: str,
    style: str,
) -> Line:
    text = (
        f"{fit(name, widths.name)} {fit(seats, widths.seats)} {fit(game, _GAME)} "
        f"{fit(state, widths.state)}"
    )
    return line(cells, [("mark", fit(f" {mark}", _MARK)), (style, text)])
