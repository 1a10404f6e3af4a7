"""What is shown of the tables of a server."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Holder:
    """Hold who has a seat, and a mark behind the name, such as `(bot)`; a name may be cut."""

    name: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """Hold one table: its name, who sits there, how many seats are free, the game, the state."""

    name: str
    holders: tuple[Holder, ...]
    free: int
    game: str
    state: str


@dataclass(frozen=True, slots=True)
class TableList:
    """Hold the heads of the columns (table, seats, game, state), the tables, and the chosen one."""

    heads: tuple[str, str, str, str]
    rows: tuple[TableRow, ...]
    chosen: int
