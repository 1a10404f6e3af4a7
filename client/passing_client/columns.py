"""Rows of text in columns, for commands that list something."""

from collections.abc import Sequence


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a line for the heads and one for each row, every column as wide as it has to be."""
    from passing_client.screen.cells import fit, width

    table = [heads, *rows]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(fit(text, cells) for text, cells in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
