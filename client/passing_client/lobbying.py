"""What a person does around playing: find, make, join and leave tables, invite, talk, quit."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final

from passing_client.desk import NOT_SENT, Desk
from passing_client.language import _, typed
from passing_client.table_options import InvalidOption, read_options
from passing_client.words.lobby import no_engine_line
from passing_link.exits import ExitCode
from passing_protocol.messages import (
    CHAT_SENT_CHARS,
    Chat,
    Create,
    Invite,
    Join,
    Leave,
    Lobby,
    Ready,
    Remove,
    Start,
    TableInfo,
    Watch,
)
from passing_protocol.names import clean_name, name_key
from passing_protocol.views import SeatState

_SEAT_NUMBERS: Final = ("1", "2", "3", "4")


# --- tables ------------------------------------------------------------------------------------


def list_tables(desk: Desk, _text: str) -> None:
    """Ask for the tables and engines; the answer is shown when it comes."""
    desk.send(Lobby(0))


def new_table(desk: Desk, text: str) -> None:
    """Make a table: its name, then options such as `seats=2 target=101 partners`."""
    words = text.split()
    name = " ".join(word for word in words if not _is_option(word)) or "table"
    given = dict(_option(word) for word in words if _is_option(word))
    try:
        game, table = read_options(given)
    except InvalidOption as error:
        desk.say(str(error))
        return
    desk.send(Create(0, clean_name(name) or "table", game, table))


def _is_option(word: str) -> bool:
    return "=" in word or word == "partners"


def _option(word: str) -> tuple[str, str]:
    key, equals, value = word.partition("=")
    return key, value if equals else "true"


def join(desk: Desk, text: str) -> None:
    """Take a seat at a table of the list: `2`, or `2 4` for its seat 4."""
    if not _join(desk, text):
        _look_first(desk, text, _join)


def _join(desk: Desk, text: str) -> bool:
    """Take a seat at the table that a text names; tells whether the list has one that it may."""
    table = find_table(desk.tables, text)
    if table is None:
        return _join_seat(desk, text)
    desk.send(Join(0, table.table))
    return True


def _join_seat(desk: Desk, text: str) -> bool:
    """Take the seat that the last word of a text names, at the table that the others name."""
    name, _space, last = text.rpartition(" ")
    table = find_table(desk.tables, name) if last.isdecimal() else None
    if table is None:
        return False
    seat = seat_number(last, len(table.seats))
    if seat is None:
        which = _("Say which seat of that table, 1 to {last}.")
        desk.say(which.format(last=len(table.seats)))
    else:
        desk.send(Join(0, table.table, seat))
    return True


def watch(desk: Desk, text: str) -> None:
    """Watch a table of the list, without a text the first."""
    if not _watch(desk, text):
        _look_first(desk, text, _watch)


def _watch(desk: Desk, text: str) -> bool:
    """Watch the table that a text names; tells whether the list has it."""
    table = table_to_watch(desk.tables, text)
    if table is not None:
        desk.send(Watch(0, table.table))
    return table is not None


def _look_first(desk: Desk, text: str, go: Callable[[Desk, str], bool]) -> None:
    """Go to a table that the list does not have once it is known which there are now."""

    def go_now() -> None:
        """Go to the table if the list has it by now, and say so where it has not."""
        desk.sought = None
        if not go(desk, text):
            desk.say(_no_table_here(text))

    if desk.send(Lobby(0)):
        desk.sought = go_now


def table_to_watch(tables: Iterable[TableInfo], text: str) -> TableInfo | None:
    """Return the table that a text means, the first for none; None where there is none."""
    return find_table(tables, text) if text else next(iter(tables), None)


def _no_table_here(text: str) -> str:
    """Return that the list has no such table, and how to see it."""
    if not text:
        return typed(_("There is no table to go to; type {slash}tables to see which there are."))
    sentence = typed(_("There is no table {name}; type {slash}tables to see which there are."))
    return sentence.format(name=repr(clean_name(text)))


def no_table_at_server(text: str) -> str:
    """Return that there is no such table at all."""
    if not text:
        return _("There is no table to go to at this server.")
    return _("There is no table {name} at this server.").format(name=repr(clean_name(text)))


def find_table(tables: Iterable[TableInfo], text: str) -> TableInfo | None:
    """Return the table with a number of the list, the server's own name for it, or a name.

    They count in this order, as anybody can give a table a name that is a number.
    """
    listed = list(tables)
    numbered = (table for number, table in enumerate(listed, 1) if text == str(number))
    known = (table for table in listed if text == table.table)
    named = (table for table in listed if name_key(text) == name_key(table.name))
    return next(chain(numbered, known, named), None)


def seat_number(text: str, seats: int) -> int | None:
    """Return the seat, counted from 0, that a number from 1 to `seats` names; None for the rest.

    >>> seat_number("4", 4), seat_number("4", 2), seat_number("9" * 5000, 4)
    (3, None, None)
    """
    return int(text) - 1 if text in _SEAT_NUMBERS[:seats] else None


# --- at a table --------------------------------------------------------------------------------


def ready(desk: Desk, _text: str) -> None:
    """Say that one is ready for the start, the next round or another match."""
    if desk.table is not None:
        desk.send(Ready(0, desk.table.id))


def start(desk: Desk, _text: str) -> None:
    """Begin the match, for the owner."""
    if desk.table is not None:
        desk.send(Start(0, desk.table.id))


def invite(desk: Desk, text: str) -> None:
    """Invite an engine that waits: by name, or the first one; perhaps to a seat.

    Without a name it is looked first which engines wait now.
    """
    if desk.table is None:
        return
    name, seat = _name_and_seat(text, len(desk.table.view.seats))
    if name:
        desk.send(Invite(0, desk.table.id, name, seat))
    elif desk.send(Lobby(0)):
        desk.inviting = text


def invite_first(desk: Desk, text: str) -> None:
    """Invite the first engine that waits as far as is known; says so when none does."""
    if desk.table is None:
        return
    seat = _name_and_seat(text, len(desk.table.view.seats))[1]
    here = {info.name for info in desk.table.view.seats}
    name = next((engine.name for engine in desk.engines if engine.name not in here), None)
    if name is None:
        desk.say(no_engine_line(encrypted=desk.encrypted))
    else:
        desk.send(Invite(0, desk.table.id, name, seat))


def _name_and_seat(text: str, seats: int) -> tuple[str, int | None]:
    """Part `greedy 3` into a name and a seat, counted from 0."""
    words = text.split()
    seat = seat_number(words[-1], seats) if words else None
    return clean_name(" ".join(words if seat is None else words[:-1])), seat


def remove(desk: Desk, text: str) -> None:
    """Take a seat from whoever holds it, for the owner."""
    seat = _seat(desk, text)
    if seat is not None and desk.table is not None:
        desk.send(Remove(0, desk.table.id, seat))


def _seat(desk: Desk, text: str) -> int | None:
    """Return the seat that a number or a name means; says so when it is none."""
    seats = desk.table.view.seats if desk.table is not None else []
    number = seat_number(text, len(seats))
    if number is not None:
        return number
    for number, seat in enumerate(seats):
        if seat.state is not SeatState.EMPTY and name_key(seat.name or "") == name_key(text):
            return number
    desk.say(_("Say which seat, 1 to {last}, or a name.").format(last=len(seats)))
    return None


# --- talking -----------------------------------------------------------------------------------


def chat(desk: Desk, text: str) -> None:
    """Say something to the table."""
    if desk.table is None:
        return
    if not text:
        desk.say(typed(_("Type what you want to say after it: {slash}c well played")))
    else:
        desk.send(Chat(0, desk.table.id, text[:CHAT_SENT_CHARS]))


def mute(desk: Desk, text: str) -> None:
    """Hear no more of a person; without one, tell who is muted."""
    if text:
        name = _person(desk, text)
        desk.muted[name_key(name)] = name
    names = ", ".join(desk.muted.values()) or _("nobody")
    desk.say(_("Muted: {names}.").format(names=names))


def unmute(desk: Desk, text: str) -> None:
    """Hear a person again; without one, everybody."""
    if text:
        desk.muted.pop(name_key(_person(desk, text)), None)
    else:
        desk.muted.clear()
    mute(desk, "")


def _person(desk: Desk, text: str) -> str:
    """Return the name that a seat's number or a name means."""
    seats = desk.table.view.seats if desk.table is not None else []
    number = seat_number(text, len(seats))
    return clean_name(text if number is None else seats[number].name or text)


# --- going -------------------------------------------------------------------------------------


def leave(desk: Desk, text: str) -> None:
    """Leave the table; in the middle of a match it has to be said twice."""
    if desk.private or desk.gone:
        leave_server(desk, text)
    elif desk.table is not None and desk.down:
        desk.say(_(NOT_SENT))
    elif desk.table is not None and _sure(desk, "leave"):
        desk.leaving = not desk.send(Leave(0, desk.table.id))


def leave_server(desk: Desk, _text: str) -> None:
    """Leave the server; in the middle of a match with others it has to be said twice."""
    if desk.private or _sure(desk, "quit"):
        desk.over = ExitCode.DONE


def _sure(desk: Desk, word: str) -> bool:
    """Tell whether it was said before, or need not be said twice; else ask."""
    if desk.leaving or not desk.in_match:
        return True
    desk.leaving = True
    text = _("The match is not over, and your seat would be lost. {word} again leaves.")
    desk.say(text.format(word=word))
    return False
