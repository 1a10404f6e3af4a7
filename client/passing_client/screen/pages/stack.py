"""How the blocks of a page share its lines: the most important first, then air between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from passing_client.screen.cells import Line
from passing_client.screen.parts import blank, filled


@dataclass(frozen=True, slots=True)
class Block:
    """Hold lines that are shown all or not at all; a block of a low rank stays the longest.

    `air` asks for an empty line before it where there is room.
    """

    lines: Sequence[Line]
    rank: int = 0
    air: bool = False


def stacked(blocks: Iterable[Block], cells: int, rows: int) -> list[Line]:
    """Return exactly so many lines: the blocks in their order, those left out that do not fit."""
    given = [block for block in blocks if block.lines]
    kept: set[int] = set()
    left = rows
    for number in sorted(range(len(given)), key=lambda number: given[number].rank):
        if len(given[number].lines) <= left or given[number].rank == 0:
            kept.add(number)
            left -= len(given[number].lines)
    lines: list[Line] = []
    for number in sorted(kept):
        if given[number].air and left > 0:
            lines.append(blank(cells))
            left -= 1
        lines += given[number].lines
    return filled(lines, cells, rows)
