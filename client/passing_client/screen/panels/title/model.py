"""What the line at the top says."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TitleModel:
    """Hold the parts of the line: the game's name, what stands after it, and the right side.

    `short` and `short_right` are what takes their place on a small screen.
    """

    game: str
    parts: tuple[str, ...]
    right: tuple[str, ...]
    short: tuple[str, ...]
    short_right: tuple[str, ...]
