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
    """Return exactly so many lines: the blocks in their order, the least important left out."""
    given = [block for block in blocks if block.lines]
    kept = _kept(given, rows)
    left = rows - sum(len(given[number].lines) for number in kept)
    lines: list[Line] = []
    for number in sorted(kept):
        if given[number].air and left > 0:
            lines.append(blank(cells))
            left -= 1
        lines += given[number].lines
    return filled(lines, cells, rows)


def _kept(blocks: Sequence[Block], rows: int) -> list[int]:
    """Return which blocks there is room for, by rank; those of rank 0 are there always."""
    kept: list[int] = []
    for number in sorted(range(len(blocks)), key=lambda number: blocks[number].rank):
        rows -= len(blocks[number].lines)
        if rows < 0 and blocks[number].rank > 0:
            break
        kept.append(number)
    return kept
