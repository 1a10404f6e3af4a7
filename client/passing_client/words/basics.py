"""The small parts that sentences are made of: counts, lists, tiles, ends, seconds."""

from collections.abc import Iterable, Sequence

from passing_protocol.events import Fault
from passing_protocol.names import clean_chat
from passing_rules import End, Tile


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "tile"), count(2, "tile")
    ('1 tile', '2 tiles')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def times(number: int) -> str:
    """Return how often something was done: once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def listing(parts: Sequence[str], link: str = "and") -> str:
    """Join parts as a sentence does.

    >>> listing(["a", "b", "c"], "or")
    'a, b or c'
    """
    if len(parts) <= 1:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {link} {parts[-1]}"


def tile_words(tile: Tile) -> str:
    """Return a tile as it is read: `4-6`."""
    return f"{tile.low}-{tile.high}"


def tiles_words(tiles: Iterable[Tile]) -> str:
    """Return several tiles, parted by commas."""
    return ", ".join(map(tile_words, tiles))


def ends_words(ends: tuple[int, int] | None) -> str:
    """Return the two ends as part of a sentence."""
    return "the start" if ends is None else f"{ends[0]} and {ends[1]}"


def end_words(end: End, ends: tuple[int, int] | None) -> str:
    """Return one end with its number: `the left end (5)`."""
    number = "" if ends is None else f" ({ends[0] if end is End.LEFT else ends[1]})"
    return f"the {end} end{number}"


def seconds(milliseconds: int) -> str:
    """Return a time in whole seconds."""
    return count(round(milliseconds / 1000), "second")


def why(fault: Fault | None) -> str:
    """Return what the server saw of a fault, in brackets behind a space; nothing without one."""
    return f" ({clean_chat(fault.evidence)})" if fault is not None else ""


def capital(text: str) -> str:
    """Return a sentence with its first letter large and the rest as it is."""
    return text[:1].upper() + text[1:]
