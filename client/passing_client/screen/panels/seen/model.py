"""What is shown of the hands of a replay."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeenHand:
    """Hold who holds which tiles, as they are read."""

    name: str
    tiles: tuple[str, ...]
    you: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """Hold the title, and a hand for each seat in the order in which seats stand."""

    title: str
    hands: tuple[SeenHand, ...]
