"""What changes around the game, as sentences: seats, the owner, the table's life, watchers."""

from typing import Final

from passing_client.language import _, listing, mark, plural, typed
from passing_client.model import Moment
from passing_client.words.basics import reason
from passing_client.words.people import People
from passing_protocol.events import (
    Fault,
    ForfeitKind,
    OwnerChanged,
    SeatChanged,
    StateChanged,
    WatchersChanged,
)
from passing_protocol.follow import THERE
from passing_protocol.views import Gone, PublicView, SeatInfo, SeatState, TableState

PAUSED_FOR_PLAYERS: Final = mark(
    "The match is paused: the server is about to stop. It goes on from here when the server is "
    "started anew."
)
"""Where a player is there to read it, nothing else pauses a match."""


_BECOMES: Final = {
    "engine": mark("An engine takes seat {number} if one waits; until then its turns are passed."),
    "pass": mark("From now on every turn of seat {number} is passed."),
    "forfeit": mark("Seat {number} is out of the match."),
}
"""What the table does with a seat that is given up; where people play an engine takes it."""


def change_lines(moment: Moment, me: int | None) -> list[str]:
    """Return what has changed at the table, as `me` (None for a watcher) is told it."""
    match moment.event:
        case SeatChanged() as event:
            return _seat_changed(event, moment, me)
        case OwnerChanged() as event:
            return _owner_changed(event, People(moment.after, me))
        case StateChanged() as event:
            return _state_changed(event, moment, me)
        case WatchersChanged(count=number):
            form = plural("{number} person watches.", "{number} people watch.", number)
            return [form.format(number=number)]
        case _:
            return []


def _seat_changed(event: SeatChanged, moment: Moment, me: int | None) -> list[str]:
    before, info = moment.before.seats[event.seat], event.info
    was, now = People(moment.before, me), People(moment.after, me)
    if info.gone is not None and before.gone is None:
        return [_gone(event.seat, info.gone, now)]
    if (
        before.state is SeatState.SUBSTITUTE
        and before.gone is not None
        and info.name == before.name
    ):
        return []  # the match is over, and the seat is the engine's own
    if (before.state, before.name) != (info.state, info.name):
        return [_new_holder(event, before, was, now)]
    if info.strikes > before.strikes:
        return [_strikes(event.seat, info.strikes, now)]
    if info.ready and not before.ready and info.state in THERE:
        return [now.sentence(event.seat, _("You are ready."), _("{who} is ready."))]
    return []


def _gone(seat: int, gone: Gone, now: People) -> str:
    """Return that a player does not come back in this match, and what becomes of the seat."""
    if now.view.seats[seat].state is SeatState.SUBSTITUTE:
        text = _("{name} plays seat {number} to the end: its player has left for good.")
        return text.format(name=now.name(seat), number=seat + 1)
    if gone is Gone.REMOVED:
        own = _("The owner has removed you from the match.")
        others = _("The owner has removed {name} from the match.")
    else:
        own, others = (
            _("You have left the match for good."),
            _("{who} has left the match for good."),
        )
    becomes = _(_BECOMES[now.view.table.absent or "engine"]).format(number=seat + 1)
    return f"{now.sentence(seat, own, others)} {becomes}"


def _strikes(seat: int, strikes: int, now: People) -> str:
    own = plural("You have {number} strike.", "You have {number} strikes.", strikes)
    others = plural("{who} has {number} strike.", "{who} has {number} strikes.", strikes)
    return now.sentence(seat, own, others, number=strikes)


def _new_holder(event: SeatChanged, before: SeatInfo, was: People, now: People) -> str:
    seat, number = event.seat, event.seat + 1
    match event.info.state:
        case SeatState.EMPTY if before.state is SeatState.INVITED:
            text = _("{name} does not come; seat {number} is free.")
            return text.format(name=was.name(seat), number=number)
        case SeatState.EMPTY:
            own, others = _("You leave seat {number}."), _("{who} leaves seat {number}.")
            return was.sentence(seat, own, others, number=number)
        case SeatState.INVITED:
            text = _("{name} is invited to seat {number}.")
            return text.format(name=now.name(seat), number=number)
        case SeatState.AWAY:
            return now.sentence(seat, _("You are away."), _("{who} is away."))
        case SeatState.SUBSTITUTE if event.info.gone is not None:
            text = _("{other} takes over the seat of {name} to the end of the match.")
            return text.format(other=now.name(seat), name=was.name(seat))
        case SeatState.SUBSTITUTE:
            own = _("{other} stands in for you at seat {number}.")
            others = _("{other} stands in for {name} at seat {number}.")
            return was.sentence(seat, own, others, other=now.name(seat), number=number)
        case SeatState.FORFEITED:
            return _forfeited(seat, event.fault, now)
        case SeatState.TAKEN:
            return _taken(seat, before, was, now)


def _forfeited(seat: int, fault: Fault | None, now: People) -> str:
    if fault is not None and fault.kind is ForfeitKind.LEFT:
        own = _("You have left for good and are out of the match.")
        return now.sentence(seat, own, _("{who} has left for good and is out of the match."))
    why = reason(fault)
    if not why:
        own, others = _("You are out of the match."), _("{who} is out of the match.")
    else:
        own = _("You are out of the match ({reason}).")
        others = _("{who} is out of the match ({reason}).")
    return now.sentence(seat, own, others, reason=why)


def _taken(seat: int, before: SeatInfo, was: People, now: People) -> str:
    if before.state is SeatState.AWAY and before.name == now.view.seats[seat].name:
        return now.sentence(seat, _("You are back."), _("{who} is back."))
    if before.state is SeatState.FORFEITED:
        own = _("You are in again for the next match.")
        return now.sentence(seat, own, _("{who} is in again for the next match."))
    if before.state is SeatState.SUBSTITUTE:
        own = _("You take the seat back from {other}.")
        others = _("{who} takes the seat back from {other}.")
        return now.sentence(seat, own, others, other=was.name(seat))
    own, others = _("You sit down: {label}."), _("{who} sits down: {label}.")
    return now.sentence(seat, own, others, label=now.label(seat))


def _owner_changed(event: OwnerChanged, people: People) -> list[str]:
    if event.owner is None:
        return []
    own, others = _("You own the table now."), _("{who} owns the table now.")
    return [people.sentence(event.owner, own, others)]


def _state_changed(event: StateChanged, moment: Moment, me: int | None) -> list[str]:
    match event.state:
        case TableState.OPEN:
            return [_("The table waits for players.")]
        case TableState.STARTING:
            return [starting_line(moment.after, me)]
        case TableState.BETWEEN:
            return [between_line(event.next_ms)] if me is not None else []
        case TableState.OVER:
            return [over_line()] if me is not None else []
        case TableState.PAUSED:
            return [_("The match is paused.") if me is None else _(PAUSED_FOR_PLAYERS)]
        case TableState.PLAYING:
            return [_("The match goes on.")]
        case TableState.CLOSED:
            return [_("The table is closed.")]


def over_line() -> str:
    """Return what a player types when the match is over."""
    return typed(_("Type {slash}ready for another match, {slash}leave, or {slash}quit."))


def between_line(next_ms: int | None = None) -> str:
    """Return when the next round begins, and what to press for it."""
    enter = _("Press Enter when you are.")
    return f"{_next_round(next_ms)} {enter}"


def _next_round(next_ms: int | None) -> str:
    if next_ms is None:
        return _("The next round begins when everybody is ready.")
    number = round(next_ms / 1000)
    return plural(
        "The next round begins when everybody is ready, or in {number} second.",
        "The next round begins when everybody is ready, or in {number} seconds.",
        number,
    ).format(number=number)


def starting_line(view: PublicView, me: int | None) -> str:
    """Return that every seat is filled, who is still waited for, and what `me` types."""
    waits = [People(view, me).within(n) for n, seat in enumerate(view.seats) if not seat.ready]
    filled = _("Every seat is filled.")
    if me is None or not waits:
        return filled
    missing = _("Not ready yet: {names}.").format(names=listing(waits))
    owns = view.owner == me
    if view.seats[me].ready and not owns:
        return f"{filled} {missing}"
    begin = _("Type {slash}start to begin.") if owns else _("Type {slash}ready when you are.")
    return f"{filled} {missing} {typed(begin)}"
