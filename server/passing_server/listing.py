"""What the lobby shows: the tables in pages, and the engines that wait."""

from collections.abc import Iterable
from typing import TypeVar

from passing_protocol.codec import encode
from passing_protocol.messages import EngineInfo, TableInfo
from passing_server.limits import PAGE_BYTES, TABLES_PER_PAGE
from passing_server.rooms import Room
from passing_server.sessions import Session

InfoT = TypeVar("InfoT", TableInfo, EngineInfo)


def page_of(
    rooms: Iterable[Room], waiting: list[Session], after: str | None
) -> tuple[list[TableInfo], list[EngineInfo], bool]:
    """Return a page of tables, those made after the table `after`, the engines, and if more follow.

    Both are as many as fit into a frame.
    """
    engines = [EngineInfo(s.name, s.agent, s.free_tables) for s in waiting[:TABLES_PER_PAGE]]
    following = [room for room in rooms if after is None or room.number > _number_of(after)]
    engines, left = _fitting(engines, PAGE_BYTES // 2)
    infos = [room.info() for room in following[:TABLES_PER_PAGE]]
    tables, _ = _fitting(infos, left + PAGE_BYTES // 2)
    return tables, engines, len(following) > len(tables)


def _fitting(infos: list[InfoT], room: int) -> tuple[list[InfoT], int]:
    """Return as many of the first as fit into `room` bytes, and the bytes left."""
    for number, info in enumerate(infos):
        size = len(encode(info))
        if size > room:
            return infos[:number], room
        room -= size
    return infos, room


def _number_of(table_id: str) -> int:
    """Return the number in a table's id; tables are listed in the order of these."""
    digits = table_id.removeprefix("t")
    return int(digits) if digits.isascii() and digits.isdigit() else 0
