"""What can be found at a server: its tables and the engines that wait."""

from collections.abc import Sequence

from passing_client.words.basics import count, listing
from passing_protocol.messages import EngineInfo, TableInfo
from passing_protocol.names import clean_name
from passing_protocol.views import SeatInfo, SeatState, TableState


def lobby_lines(tables: Sequence[TableInfo], engines: Sequence[EngineInfo]) -> list[str]:
    """Return the tables, numbered as they are joined by, the engines, and what to type."""
    if not tables:
        lines = ["There is no table yet."]
    else:
        lines = [f"{count(len(tables), 'table')}:"]
        lines += [f"  {number}  {table_line(table)}" for number, table in enumerate(tables, 1)]
    lines.append(engines_line(engines))
    sit = "Type its number to sit down, watch and its number to watch, " if tables else "Type "
    return [*lines, f"{sit}new to make a table, ? for help."]


def table_line(table: TableInfo) -> str:
    """Return one table: who sits there, what is played, and how far it is."""
    held = [_holder(seat) for seat in table.seats if seat.name is not None]
    free = sum(seat.state is SeatState.EMPTY for seat in table.seats)
    seats = ", ".join(held) or "nobody"
    teams = ", partnerships" if table.game.partners else ""
    game = f"{count(len(table.seats), 'seat')}{teams}, to {table.game.target}"
    return f"{clean_name(table.name)}: {seats}; {_progress(table, free)}; {game}."


def _holder(seat: SeatInfo) -> str:
    name = clean_name(seat.name or "")
    return f"{name} ({clean_name(seat.engine)})" if seat.engine is not None else name


def _progress(table: TableInfo, free: int) -> str:
    if table.state in (TableState.PLAYING, TableState.BETWEEN):
        return f"round {table.round}"
    if table.state is TableState.OPEN:
        return f"{count(free, 'seat')} free"
    return {TableState.STARTING: "about to start", TableState.OVER: "match over"}.get(
        table.state, str(table.state)
    )


def engines_line(engines: Sequence[EngineInfo]) -> str:
    """Return the engines that can be invited."""
    names = [clean_name(engine.name) for engine in engines]
    if not names:
        return "No engine is waiting."
    return f"{'Engine' if len(names) == 1 else 'Engines'} waiting: {listing(names)}."
