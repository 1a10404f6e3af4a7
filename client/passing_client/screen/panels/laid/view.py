"""Draw a train that is done, each tile in brackets, in as many rows as it needs."""

from passing_client.screen.cells import Line, line
from passing_client.screen.panels.laid.model import Laid
from passing_client.screen.parts import rule, wrapped
from passing_client.screen.skin import Skin


def draw(model: Laid, cells: int, skin: Skin) -> list[Line]:
    """Return a rule, the rows of the train, and what the boneyard held."""
    yard = wrapped(f"   {model.yard}", cells, "   ") if model.yard else []
    return [
        rule(cells, skin, model.title),
        *_rows(model.halves, cells, skin),
        *(line(cells, [("note", text)]) for text in yard),
    ]


def _rows(halves: tuple[tuple[int, int], ...], cells: int, skin: Skin) -> list[Line]:
    """Return the train as text is written: each row from left to right, marked where it goes on."""
    each = (cells - 4) // 5
    rows: list[Line] = []
    for start in range(0, len(halves), each):
        part = halves[start : start + each]
        first = f"{part[0][0]}{skin.left}" if start == 0 else f" {skin.more}"
        last = skin.more if start + each < len(halves) else f"{skin.right}{part[-1][1]}"
        text = "".join(f"[{low}{skin.half}{high}]" for low, high in part)
        rows.append(line(cells, [("end", first), ("tile", text), ("end", last)]))
    return rows
