"""What is shown of one's own hand."""

from dataclasses import dataclass

from passing_rules import End, Tile


@dataclass(frozen=True, slots=True)
class HandTile:
    """Hold a tile of the hand, the ends that it fits, and whether it is chosen."""

    tile: Tile
    fits: tuple[End, ...] = ()
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class HandModel:
    """Hold the tiles, lowest first, and the parts of the title, also for a small screen."""

    tiles: tuple[HandTile, ...]
    title: tuple[str, ...]
    short_title: tuple[str, ...]
