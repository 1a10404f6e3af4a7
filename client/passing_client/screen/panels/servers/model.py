"""What is shown of the servers that were found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerRow:
    """Hold one server: its name and place, and what goes on there in few words."""

    name: str
    place: str
    tables: str
    free: str
    people: str


@dataclass(frozen=True, slots=True)
class ServerList:
    """Hold the heads of the columns as a row of their own, the servers, and the chosen one."""

    heads: ServerRow
    rows: tuple[ServerRow, ...]
    chosen: int
