"""Where the pieces of a record stand in its text, to say which of them is wrong."""

from dataclasses import dataclass, field

from passing_protocol.records.record import Tiles
from passing_rules import Tile


@dataclass(slots=True)
class RoundPlaces:
    """Hold the places of a round's pieces, in characters, as its RoundRecord has them."""

    number: int
    leader: int = 0
    scores_before: list[int] = field(default_factory=lambda: list[int]())
    hands: list[list[int]] = field(default_factory=lambda: list[list[int]]())
    boneyard: list[int] = field(default_factory=lambda: list[int]())
    actions: list[int] = field(default_factory=lambda: list[int]())
    changes: list[int] = field(default_factory=lambda: list[int]())
    end: int = 0
    left: list[list[int]] = field(default_factory=lambda: list[list[int]]())
    pips: list[int] = field(default_factory=lambda: list[int]())
    won: int = 0
    points: int = 0
    scores: list[int] = field(default_factory=lambda: list[int]())


def in_text_order(tiles: Tiles, places: list[int]) -> list[tuple[Tile | None, int]]:
    """Return tiles with their places as the text has them: a hand is kept in another order."""
    return sorted(zip(tiles, places, strict=True), key=lambda placed: placed[1])
