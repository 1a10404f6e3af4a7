"""The train as it is drawn: boxed tiles with crosswise doubles, or `[6|4][4|4]` in few lines.

Rows go on like text: the left end is at the top left, the right end at the bottom right.
"""

from collections.abc import Callable, Sequence
from typing import Final

from passing_client.screen.cells import Fragment, Line, line
from passing_client.screen.panels.train.model import Laid, TrainModel
from passing_client.screen.parts import boxed, filled, rule
from passing_client.screen.skin import Skin

BAND: Final = 5
"""So many lines a row of boxed tiles has, as doubles lie crosswise."""

_EDGE: Final = 2
"""The cells before and behind a row: an end with its arrow, or the sign that it goes on."""

_FLAT: Final = 5
_CROSSWISE: Final = 3


def draw_rule(model: TrainModel, cells: int, skin: Skin) -> Line:
    """Return the rule above the train, with the open ends."""
    return rule(cells, skin, f" {skin.dot} ".join(model.title), model.right)


def draw_short_rule(model: TrainModel, cells: int, skin: Skin) -> Line:
    """Return the same rule for a small screen."""
    return rule(cells, skin, f" {skin.dot} ".join(model.short_title), model.short_right)


def draw(model: TrainModel, cells: int, rows: int, skin: Skin) -> list[Line]:
    """Return the train in at most so many lines: boxed, or in brackets where boxes do not fit."""
    boxes = draw_boxed(model, cells, skin)
    return boxes if len(boxes) <= rows else draw_flat(model, cells, skin)


def draw_boxed(model: TrainModel, cells: int, skin: Skin) -> list[Line]:
    """Return the train in boxes, `BAND` lines a row."""
    if not model.tiles:
        return filled([line(cells), line(cells), _empty(model, cells)], cells, BAND)
    rows = _rows(model.tiles, cells, lambda tile: _CROSSWISE if tile.is_double else _FLAT)
    lines: list[Line] = []
    for number, row in enumerate(rows):
        before, behind = _edges(model, rows, number, skin)
        lines += _band(row, before, behind, cells, skin)
    return lines


def draw_flat(model: TrainModel, cells: int, skin: Skin) -> list[Line]:
    """Return the train as `[6|4][4|4]`, a line a row."""
    if not model.tiles:
        return [_empty(model, cells)]
    rows = _rows(model.tiles, cells, lambda _: _FLAT)
    lines: list[Line] = []
    for number, row in enumerate(rows):
        before, behind = _edges(model, rows, number, skin)
        lines.append(line(cells, [before, *(_flat(tile, skin) for tile in row), behind]))
    return lines


def _empty(model: TrainModel, cells: int) -> Line:
    return line(cells, [("note", f"   {model.empty}")])


def _rows(tiles: Sequence[Laid], cells: int, size: Callable[[Laid], int]) -> list[list[Laid]]:
    """Part the tiles into rows, each with as many as fit."""
    room = cells - 2 * _EDGE - 1
    rows: list[list[Laid]] = [[]]
    used = 0
    for tile in tiles:
        if used + size(tile) > room:
            rows.append([])
            used = 0
        rows[-1].append(tile)
        used += size(tile)
    return rows


def _edges(
    model: TrainModel, rows: Sequence[Sequence[Laid]], number: int, skin: Skin
) -> tuple[Fragment, Fragment]:
    """Return what stands before and behind a row: an end of the train, or that it goes on."""
    first, last = model.tiles[0].left, model.tiles[-1].right
    before = ("end", f"{first}{skin.left}") if number == 0 else ("note", f" {skin.more}")
    is_last = number == len(rows) - 1
    behind = ("end", f"{skin.right}{last}") if is_last else ("note", skin.more)
    return before, behind


def _flat(tile: Laid, skin: Skin) -> Fragment:
    return _style(tile), f"[{tile.left}{skin.half}{tile.right}]"


def _style(tile: Laid) -> str:
    return "tile.new" if tile.new else "tile"


def _band(
    row: Sequence[Laid], before: Fragment, behind: Fragment, cells: int, skin: Skin
) -> list[Line]:
    """Return a row of boxed tiles, its ends in the middle line."""
    indent = ("", " " * _EDGE)
    columns = [_crosswise(tile, skin) if tile.is_double else _lying(tile, skin) for tile in row]
    lines: list[Line] = []
    for at in range(BAND):
        middle = at == BAND // 2
        parts = [(_style(tile), column[at]) for tile, column in zip(row, columns, strict=True)]
        lines.append(
            line(cells, [before if middle else indent, *parts, behind if middle else ("", "")])
        )
    return lines


def _lying(tile: Laid, skin: Skin) -> list[str]:
    empty = " " * _FLAT
    return [empty, *boxed(f"{tile.left}{skin.bar}{tile.right}", skin), empty]


def _crosswise(tile: Laid, skin: Skin) -> list[str]:
    top, half, bottom = boxed(f"{tile.left}", skin)
    return [top, half, f"{skin.tee_left}{skin.horizontal}{skin.tee_right}", half, bottom]
