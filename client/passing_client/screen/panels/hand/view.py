"""One's own hand as it is drawn: boxed tiles in a row, or `[6|4]` in as many rows as it takes.

A mark under a tile says where it fits: `<=` left, `=>` right, `<=>` at both ends. The chosen tile
stands between arrows.
"""

from collections.abc import Sequence
from typing import Final

from passing_client.screen.cells import Fragment, Line, line
from passing_client.screen.panels.hand.model import HandModel, HandTile
from passing_client.screen.parts import boxed, rule
from passing_client.screen.skin import Skin
from passing_rules import End

_TILE: Final = 6
"""The cells of a tile with the gap before it."""

_BOX: Final = 3
_MARKS: Final[dict[tuple[End, ...], str]] = {
    (): "   ",
    (End.LEFT,): "<= ",
    (End.RIGHT,): " =>",
    (End.LEFT, End.RIGHT): "<=>",
}


def draw_rule(model: HandModel, cells: int, skin: Skin) -> Line:
    """Return the rule above the hand."""
    return rule(cells, skin, f" {skin.dot} ".join(model.title))


def draw_short_rule(model: HandModel, cells: int, skin: Skin) -> Line:
    """Return the same rule for a small screen."""
    return rule(cells, skin, f" {skin.dot} ".join(model.short_title))


def draw(model: HandModel, cells: int, skin: Skin) -> list[Line]:
    """Return the hand, boxed where it fits in one row."""
    if not _is_boxed(model, cells):
        return draw_flat(model, cells, skin)
    boxes = [_boxed(tile, skin) for tile in model.tiles]
    fragments = [
        [
            part
            for tile, box in zip(model.tiles, boxes, strict=True)
            for part in _cell(tile, box[at])
        ]
        for at in range(_BOX)
    ]
    return [*(line(cells, row) for row in fragments), _marks(model.tiles, cells)]


def draw_flat(model: HandModel, cells: int, skin: Skin) -> list[Line]:
    """Return the hand in brackets, each row with its marks below it."""
    lines: list[Line] = []
    for row in _rows(model.tiles, cells):
        texts = [_cell(tile, _bracketed(tile, skin)) for tile in row]
        lines += [line(cells, [part for parts in texts for part in parts]), _marks(row, cells)]
    return lines


def place_of_chosen(model: HandModel, cells: int, *, flat: bool = False) -> tuple[int, int] | None:
    """Return the line and the column of the chosen tile's first number; None without one."""
    at = next((at for at, tile in enumerate(model.tiles) if tile.chosen), None)
    if at is None:
        return None
    if not flat and _is_boxed(model, cells):
        return 1, at * _TILE + 2
    row, column = divmod(at, cells // _TILE)
    return 2 * row, column * _TILE + 2


def _is_boxed(model: HandModel, cells: int) -> bool:
    return len(model.tiles) * _TILE <= cells


def _rows(tiles: Sequence[HandTile], cells: int) -> list[Sequence[HandTile]]:
    each = cells // _TILE
    return [tiles[at : at + each] for at in range(0, len(tiles), each)]


def _cell(tile: HandTile, text: str) -> list[Fragment]:
    """Return a part of a tile with the gap before it."""
    style = "tile.fits" if tile.fits else "tile"
    return [("", " "), ("tile.chosen" if tile.chosen else style, text)]


def _boxed(tile: HandTile, skin: Skin) -> list[str]:
    top, middle, bottom = boxed(f"{tile.tile.low}{skin.bar}{tile.tile.high}", skin)
    return [top, _pointed(middle, skin) if tile.chosen else middle, bottom]


def _bracketed(tile: HandTile, skin: Skin) -> str:
    text = f"[{tile.tile.low}{skin.half}{tile.tile.high}]"
    return _pointed(text, skin) if tile.chosen else text


def _pointed(text: str, skin: Skin) -> str:
    """Return a tile between two arrows instead of its sides."""
    return f"{skin.right}{text[1:-1]}{skin.left}"


def _marks(tiles: Sequence[HandTile], cells: int) -> Line:
    return line(cells, [("mark", f"  {_MARKS[tile.fits]} ") for tile in tiles])
