"""What can be found at a server: its tables and the engines that wait."""

from collections.abc import Sequence
from typing import Final

from passing_client.language import _, listing, mark, plural, typed
from passing_protocol.messages import EngineInfo, Role, TableInfo
from passing_protocol.names import clean_name
from passing_protocol.views import SeatInfo, SeatState, TableState

_STATES: Final = {
    TableState.STARTING: mark("about to start"),
    TableState.OVER: mark("match over"),
    TableState.PAUSED: mark("paused"),
    TableState.CLOSED: mark("closed"),
}


def open_to_all() -> str:
    """Return what is to be known of a server that encrypts nothing."""
    return _(
        "WARNING: this server encrypts nothing. Who listens on the way reads every hand, and "
        "anybody who reaches it may play."
    )


def first_time() -> str:
    """Return what has come of joining a server."""
    return _("This is the first time here: the server's key is kept. You need no code next time.")


def seat_kept() -> str:
    """Return what becomes of the seat of a person who was cut short, and how to come back."""
    return _("Your seat is kept for a while: the same command brings you back to it.")


def come_here(server: str, *, encrypted: bool) -> str:
    """Return how others come to a server; where it encrypts they need a code the first time."""
    if not encrypted:
        return _("Others come here with: passing play {server}").format(server=server)
    text = _(
        "Others come here with: passing play {server} --code CODE. At the server `passing serve "
        "invite` shows the code."
    )
    return text.format(server=server)


def role_lines(role: Role) -> list[str]:
    """Return what somebody may do who has not come in as a player; nothing for a player."""
    if role is Role.SPECTATOR:
        return [
            _(
                "You are here to watch, as the code that you have joined by is one for spectators. "
                "To play, ask for one for players."
            )
        ]
    if role is Role.BOT:
        return [
            _(
                "The code that you have joined by is one for engines: you can sit down and watch, "
                "but make no table. To play as a person, ask for one for players."
            )
        ]
    return []


def lobby_lines(
    tables: Sequence[TableInfo], engines: Sequence[EngineInfo], role: Role = Role.PLAYER
) -> list[str]:
    """Return the tables, numbered as they are joined by, the engines, and what to type.

    It offers what is open to the role.
    """
    number = len(tables)
    if not tables:
        lines = [_("There is no table yet.")]
    else:
        lines = [plural("{number} table:", "{number} tables:", number).format(number=number)]
        lines += [f"  {number}  {table_line(table)}" for number, table in enumerate(tables, 1)]
    return [*lines, engines_line(engines), typed(_todo(bool(tables), role))]


def _todo(found: bool, role: Role) -> str:
    """Return what to type where tables were found, or none."""
    if role not in (Role.SPECTATOR, Role.BOT):
        if found:
            return _(
                "Type its number to sit down, {slash}watch and its number to watch, {slash}new to "
                "make a table of 4 seats, {slash}new NAME seats=2 for another, ? for help."
            )
        return _(
            "Type {slash}new to make a table of 4 seats, {slash}new NAME seats=2 for another, "
            "? for help."
        )
    if not found:
        return _("Type {slash}tables to look again, ? for help.")
    if role is Role.BOT:
        return _("Type its number to sit down, {slash}watch and its number to watch, ? for help.")
    return _("Type {slash}watch and its number to watch, ? for help.")


def table_line(table: TableInfo) -> str:
    """Return one table: who sits there, what is played, and how far it is."""
    held = [_holder(seat) for seat in table.seats if seat.name is not None]
    seats = ", ".join(held) or _("nobody")
    return f"{clean_name(table.name)}: {seats}; {_progress(table)}; {_game(table)}."


def _holder(seat: SeatInfo) -> str:
    name = clean_name(seat.name or "")
    return f"{name} ({clean_name(seat.engine)})" if seat.engine is not None else name


def _game(table: TableInfo) -> str:
    number = len(table.seats)
    if table.game.partners:
        text = plural(
            "{number} seat, partnerships, to {target}",
            "{number} seats, partnerships, to {target}",
            number,
        )
    else:
        text = plural("{number} seat, to {target}", "{number} seats, to {target}", number)
    return text.format(number=number, target=table.game.target)


def _progress(table: TableInfo) -> str:
    if table.state in (TableState.PLAYING, TableState.BETWEEN):
        return _("round {number}").format(number=table.round)
    if table.state is TableState.OPEN:
        free = sum(seat.state is SeatState.EMPTY for seat in table.seats)
        return plural("{number} seat free", "{number} seats free", free).format(number=free)
    return _(_STATES[table.state])


def no_engine_line(*, encrypted: bool) -> str:
    """Return that no engine can be invited, and how one comes: by a code where there are codes."""
    if not encrypted:
        return _(
            "No engine is waiting. Whoever runs the server can start one: `passing serve` has "
            "printed the command."
        )
    return _(
        "No engine is waiting. Any machine can run one: `passing bot run greedy HOST --code CODE`. "
        "Ask whoever runs the server for the code of `passing serve invite --role bot`."
    )


def engines_line(engines: Sequence[EngineInfo]) -> str:
    """Return the engines that can be invited."""
    names = [clean_name(engine.name) for engine in engines]
    if not names:
        return _("No engine is waiting.")
    text = plural("Engine waiting: {names}.", "Engines waiting: {names}.", len(names))
    return text.format(names=listing(names))
