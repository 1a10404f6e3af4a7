"""What is shown of the seats."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Hold one seat; `style` is that of the name, `acts` marks whose turn it is.

    `state` says what is particular about the seat. `tiles` is None while no round is played;
    `size` is the same in words. `short` and `figures` are the name, the tiles and the points for
    a small screen.
    """

    name: str
    style: str
    acts: bool
    state: str
    tiles: int | None
    size: str
    score: str
    last: str
    short: str
    figures: str


@dataclass(frozen=True, slots=True)
class SeatsModel:
    """Hold the seats in the order in which they play, and the last lap, oldest first."""

    rows: tuple[SeatRow, ...]
    lap: tuple[str, ...]
