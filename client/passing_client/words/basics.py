"""The small parts that stand in sentences: counts, tiles, ends, how often, why.

A count is a part of a list or a sum, never the object of a verb: in some languages that has
another form. Sentences that count are whole ones by `plural`.
"""

from collections.abc import Iterable
from typing import Final

from passing_client.language import LANGUAGES, _, mark, plural, spoken
from passing_protocol.events import Fault, ForfeitKind
from passing_protocol.names import clean_chat
from passing_rules import End, Tile


def tile_count(number: int) -> str:
    """Return so many tiles: `1 tile`, `2 tiles`."""
    return plural("{number} tile", "{number} tiles", number).format(number=number)


def pip_count(number: int) -> str:
    """Return so many pips, the dots of tiles."""
    return plural("{number} pip", "{number} pips", number).format(number=number)


def point_count(number: int) -> str:
    """Return so many points, what is scored."""
    return plural("{number} point", "{number} points", number).format(number=number)


def seat_count(number: int) -> str:
    """Return so many seats."""
    return plural("{number} seat", "{number} seats", number).format(number=number)


def seconds(milliseconds: int) -> str:
    """Return a time in whole seconds."""
    number = round(milliseconds / 1000)
    return plural("{number} second", "{number} seconds", number).format(number=number)


def times(number: int) -> str:
    """Return how often something was done: once, twice, 3 times."""
    if number == 1:
        return _("once")
    if number == 2:
        return _("twice")
    return plural("{number} time", "{number} times", number).format(number=number)


def tile_words(tile: Tile) -> str:
    """Return a tile as it is read: `4-6`."""
    return f"{tile.low}-{tile.high}"


def tiles_words(tiles: Iterable[Tile]) -> str:
    """Return several tiles, parted by commas."""
    return ", ".join(map(tile_words, tiles))


def end_word(end: End) -> str:
    """Return an end of the train as one word."""
    return _("left") if end is End.LEFT else _("right")


def at_ends(ends: tuple[int, int] | None) -> str:
    """Return at which ends something was done: `at 2 and 3`, `at the start`."""
    if ends is None:
        return _("at the start")
    return _("at {left} and {right}").format(left=ends[0], right=ends[1])


def reason(fault: Fault | None) -> str:
    """Return what the server saw of a fault; nothing without one.

    The server's own words say more, but in English alone.
    """
    if fault is None:
        return ""
    if spoken() == LANGUAGES[0]:
        return clean_chat(fault.evidence)
    return _(_FORFEITED_FOR[fault.kind]) if fault.kind is not None else ""


_FORFEITED_FOR: Final = {
    ForfeitKind.LEFT: mark("the seat was given up"),
    ForfeitKind.REMOVED: mark("the owner took the seat away"),
    ForfeitKind.AWAY: mark("nobody came back in time"),
    ForfeitKind.NO_ANSWER: mark("no answers in time"),
    ForfeitKind.REFUSED: mark("actions that are not allowed"),
}
