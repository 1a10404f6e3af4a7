"""What lies under a place of the picture that somebody points at."""

import re
from typing import Final

from passing_client.screen.cells import width
from passing_client.screen.picture import Picture
from passing_rules import Tile

_TILE: Final = re.compile(r"\D([0-6])\D([0-6])\D")
"""A tile as it is drawn: its two numbers between three characters of the skin."""

_STYLES: Final = ("tile", "tile.fits", "tile.chosen")


def tile_at(picture: Picture, row: int, column: int) -> Tile | None:
    """Return the tile that is drawn at a row and a column; the frame around it is part of it."""
    for near in (row, row - 1, row + 1):
        if 0 <= near < len(picture.lines):
            found = _TILE.fullmatch(_text_at(picture, near, column))
            if found is not None:
                return Tile(int(found[1]), int(found[2]))
    return None


def _text_at(picture: Picture, row: int, column: int) -> str:
    """Return the fragment at a place if it is one of a tile, else nothing."""
    start = 0
    for style, text in picture.lines[row]:
        start += width(text)
        if column < start:
            return text if style in _STYLES else ""
    return ""
