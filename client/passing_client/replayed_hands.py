"""Every hand of a recorded round after each of its actions, as far as the record knows it.

A record may not know which tile was drawn. But whoever plays a tile later has held it since the
last time when it can have been drawn; and what is left in a hand at the end was there as long.
"""

from collections.abc import Iterable

from passing_protocol.records import RoundRecord, Tiles
from passing_rules import ActionRecord, Draw, Play, Tile


def hands_after(played: RoundRecord) -> list[tuple[Tiles, ...]]:
    """Return the hands at the deal, and after each action; None for each tile not known."""
    seats = [_course(played, seat) for seat in range(len(played.hands))]
    return list(zip(*seats, strict=True))


def _course(played: RoundRecord, seat: int) -> list[Tiles]:
    """Return the hand of one seat, at the deal and after each action of the round."""
    later = _held_later(played, seat)
    size, tiles = len(played.hands[seat]), _known(played.hands[seat])
    course = [_hand(size, tiles | later[0])]
    for done, held in zip(played.actions, later[1:], strict=True):
        if done.seat == seat:
            size += _growth(done)
            tiles = tiles | _known([done.drawn])
            tiles -= _played(done)
        course.append(_hand(size, tiles | held))
    return course


def _held_later(played: RoundRecord, seat: int) -> list[set[Tile]]:
    """Return what a seat must have held at each moment, for what it did or had afterwards."""
    held = _known(played.left[seat]) if played.left else set[Tile]()
    moments = [held]
    for done in reversed(played.actions):
        if done.seat == seat:
            if isinstance(done.action, Draw):
                held = set[Tile]() if done.drawn is None else held - {done.drawn}
            held = held | _played(done)
        moments.append(held)
    return moments[::-1]


def _growth(done: ActionRecord) -> int:
    """Return by how much an action makes a hand larger."""
    return isinstance(done.action, Draw) - isinstance(done.action, Play)


def _played(done: ActionRecord) -> set[Tile]:
    return {done.action.tile} if isinstance(done.action, Play) else set()


def _known(tiles: Iterable[Tile | None]) -> set[Tile]:
    return {tile for tile in tiles if tile is not None}


def _hand(size: int, tiles: set[Tile]) -> Tiles:
    return (*sorted(tiles), *(None,) * (size - len(tiles)))
