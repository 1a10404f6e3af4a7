"""The seats as they are drawn: a line each, or all in one line on a small screen."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from passing_client.screen.cells import Fragment, Line, cut, fit, fit_right, line, width
from passing_client.screen.panels.seats.model import SeatRow, SeatsModel
from passing_client.screen.skin import Skin

_BLOCKS: Final = 14
_MOST: Final = _BLOCKS - 1
_NAME: Final = 11
_STATE: Final = 10
_SIZE: Final = 8
_LAST: Final = 12
_WIDEST_LAST: Final = 18
_MARK: Final = 3
_GAP: Final = 3


class _Widths(NamedTuple):
    """Hold how many cells the columns get: 0 those that are not there."""

    name: int
    state: int
    blocks: int
    size: int
    score: int


def draw(model: SeatsModel, cells: int, skin: Skin) -> list[Line]:
    """Return a line for each seat, in columns; a name gets what the other columns leave."""
    widths = _widths(model.rows, cells, skin)
    return [line(cells, _columns(row, skin, widths)) for row in model.rows]


def _widths(rows: Sequence[SeatRow], cells: int, skin: Skin) -> _Widths:
    """Share the line: where texts are long, the column of blocks is no wider than its blocks."""
    size = _widest(rows, lambda row: row.size)
    score = _widest(rows, lambda row: row.score)
    if size:
        size = max(size, _SIZE)
    last = min(max(_LAST, _widest(rows, lambda row: row.last)), _WIDEST_LAST)
    taken = [width + gap for width, gap in ((size, 1 + _GAP), (score, _GAP)) if width]
    rest = cells - _MARK - 2 - sum(taken) - last
    state = max(_STATE, _widest(rows, lambda row: row.state))
    name = max(_NAME, _widest(rows, lambda row: row.name))
    least = _widest(rows, lambda row: _blocks(row.tiles, skin))
    blocks = max(least, min(_BLOCKS, rest - state - name)) if size else 0
    state = min(state, rest - blocks - _NAME)
    return _Widths(min(name, rest - blocks - state), state, blocks, size, score)


def _widest(rows: Iterable[SeatRow], text: Callable[[SeatRow], str]) -> int:
    return max(width(text(row)) for row in rows)


def _columns(row: SeatRow, skin: Skin, widths: _Widths) -> list[Fragment]:
    here = skin.here if row.acts else " "
    fragments = [
        ("turn", f" {here} "),
        ("turn" if row.acts else row.style, fit(_cut_name(row.name, widths.name), widths.name)),
        ("", " "),
        (row.style, fit(row.state, widths.state) + " "),
    ]
    if widths.size:
        fragments.append(("tile", fit(_blocks(row.tiles, skin), widths.blocks) + " "))
        fragments.append(("", fit(row.size, widths.size) + " " * _GAP))
    if widths.score:
        fragments.append(("", fit_right(row.score, widths.score) + " " * _GAP))
    return [*fragments, ("note", row.last)]


def _cut_name(name: str, cells: int) -> str:
    """Return a name in so many cells; `you (Dana)` keeps its last sign."""
    if width(name) <= cells or not name.endswith(")"):
        return name
    return f"{cut(name[:-1], cells - 1)})"


def _blocks(tiles: int | None, skin: Skin) -> str:
    """Return a block for each tile of a hand that is not seen; `+` stands for what is left out."""
    if tiles is None or tiles <= _MOST:
        return skin.block * (tiles or 0)
    return f"{skin.block * _MOST}+"


def draw_short(model: SeatsModel, cells: int, skin: Skin) -> list[Line]:
    """Return one line with everybody's tiles and points; names are cut where they have to be."""
    parts = [_entry(row, skin, f"{row.short} {row.state}".rstrip()) for row in model.rows]
    if _length(parts) > cells:
        parts = [_entry(row, skin, row.short) for row in model.rows]
    room = max(map(width, (row.short for row in model.rows)))
    while _length(parts) > cells and room > 1:
        room -= 1
        parts = [_entry(row, skin, cut(row.short, room)) for row in model.rows]
    fragments = [fragment for part in parts for fragment in (("", "  "), *part)]
    return [line(cells, fragments[1:])]


def _entry(row: SeatRow, skin: Skin, name: str) -> list[Fragment]:
    here = skin.here if row.acts else " "
    return [("turn" if row.acts else row.style, f"{here}{name}"), ("", f" {row.figures}")]


def _length(parts: Iterable[list[Fragment]]) -> int:
    """Count the cells of all entries with the gaps between them."""
    return sum(sum(width(text) for _, text in part) + 2 for part in parts) - 2


def draw_lap(model: SeatsModel, cells: int) -> list[Line]:
    """Return one line with what everybody did last; the oldest goes where it is too long."""
    lap = list(model.lap)
    while len(lap) > 1 and width("; ".join(lap)) + 1 > cells:
        del lap[0]
    return [line(cells, [("note", f" {'; '.join(lap)}")])]
