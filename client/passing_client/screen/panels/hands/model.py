"""What is shown of the hands at the end of a round."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Held:
    """Hold one line: a seat, or a side of a partnership with its seats behind it.

    `note` stands in place of the tiles where they are not shown. `points` and `total` are empty
    for the seats of a partnership, as their side has them.
    """

    name: str
    tiles: tuple[str, ...] = ()
    note: str = ""
    pips: str = ""
    points: str = ""
    total: str = ""
    won: bool = False
    you: bool = False
    is_side: bool = False
    is_partner: bool = False


@dataclass(frozen=True, slots=True)
class Hands:
    """Hold the heads of the columns (player, tiles, pips, round, total), and the lines."""

    heads: tuple[str, str, str, str, str]
    rows: tuple[Held, ...]
