"""A whole screen as it is to be shown."""

from dataclasses import dataclass

from passing_client.screen.cells import Line


@dataclass(frozen=True, slots=True)
class Picture:
    """Hold the lines of a screen, all as wide as it is, and where its cursor stands.

    `cursor` is a row and a column, counted from 0; None hides it.
    """

    lines: list[Line]
    cursor: tuple[int, int] | None = None
