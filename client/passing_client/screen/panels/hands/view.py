"""Draw the hands at the end of a round as a table."""

from dataclasses import replace
from typing import Final, NamedTuple

from passing_client.screen.cells import Line, cut, fit, fit_right, line, width
from passing_client.screen.panels.hands.model import Hands, Held
from passing_client.screen.parts import name_width
from passing_client.screen.skin import Skin

_MARK: Final = 3
_NUMBERS: Final = (5, 7, 7)
"""The least cells of pips, points and total; their heads may ask for more."""
_WIDEST_HEAD: Final = 9
_TILE: Final = 4
_WIDEST: Final = 120


class _Widths(NamedTuple):
    """Hold how many cells the name, the tiles, the pips, the points and the total get."""

    name: int
    tiles: int
    pips: int
    points: int
    total: int


def draw_heads(model: Hands, cells: int) -> list[Line]:
    """Return the line of heads."""
    widths = _widths(model, cells)
    player, tiles, *heads = model.heads
    numbers = [cut(head, cells - 1) for head, cells in zip(heads, widths[2:], strict=True)]
    return [_row(cells, widths, "", player, tiles, tuple(numbers), "note")]


def draw(model: Hands, cells: int, most: int, skin: Skin) -> list[Line]:
    """Return a line for each hand, and more where its tiles need them.

    If that were more than `most` lines, each hand has one, in which long ones are cut.
    """
    widths = _widths(model, cells)
    drawn = [_held(row, cells, widths, skin) for row in model.rows]
    if sum(map(len, drawn)) > most:
        model = replace(model, rows=tuple(map(_in_one_line, model.rows)))
        drawn = [_held(row, cells, widths, skin) for row in model.rows]
    return [each for lines in drawn for each in lines]


def _in_one_line(row: Held) -> Held:
    """Return a hand whose tiles are no longer parted for lines."""
    return replace(row, tiles=(), note=" ".join(row.tiles) or row.note)


def _widths(model: Hands, cells: int) -> _Widths:
    name = name_width([_name(row) for row in model.rows if not row.is_side], cells)
    edge = 5 if cells >= 80 else 1
    heads = [min(width(head) + 1, _WIDEST_HEAD) for head in model.heads[2:]]
    pips, points, total = map(max, _NUMBERS, heads)
    rest = min(cells, _WIDEST) - edge - _MARK - 1 - pips - points - total
    return _Widths(name, rest - name, pips, points, total)


def _held(row: Held, cells: int, widths: _Widths, skin: Skin) -> list[Line]:
    if row.is_side:
        return [_side(row, cells, widths)]
    style = "won" if row.won else "you" if row.you else ""
    mark = skin.won if row.won else ""
    first, *more = _tile_lines(row, widths.tiles)
    numbers = (row.pips, row.points, row.total)
    return [
        _row(cells, widths, mark, _name(row), first, numbers, style),
        *(_row(cells, widths, "", "", tiles, ("", "", ""), "") for tiles in more),
    ]


def _name(row: Held) -> str:
    """Return a name, that of a partner below the name of the side."""
    return f"  {row.name}" if row.is_partner else row.name


def _tile_lines(row: Held, cells: int) -> list[str]:
    """Return the tiles in as many lines as they need."""
    if not row.tiles:
        return [row.note]
    each = (cells + 1) // _TILE
    starts = range(0, len(row.tiles), each)
    return [" ".join(row.tiles[start : start + each]) for start in starts]


def _side(row: Held, cells: int, widths: _Widths) -> Line:
    """Return the line of a side, whose name may reach into the column of tiles."""
    name = fit(row.name, widths.name + 1 + widths.tiles + widths.pips)
    style = "you" if row.you else ""
    text = f"{name}{fit_right(row.points, widths.points)}{fit_right(row.total, widths.total)}"
    return line(cells, [("", " " * _MARK), (style, text)])


def _row(
    cells: int,
    widths: _Widths,
    mark: str,
    name: str,
    tiles: str,
    numbers: tuple[str, ...],
    style: str,
) -> Line:
    pips, points, total = numbers
    return line(
        cells,
        [
            ("won", fit(f" {mark}", _MARK)),
            (style, fit(name, widths.name)),
            ("note" if style == "note" else "", f" {fit(tiles, widths.tiles)}"),
            (style, fit_right(pips, widths.pips)),
            (style, fit_right(points, widths.points)),
            (style, fit_right(total, widths.total)),
        ],
    )
