"""What changes around the game, as sentences: seats, the owner, the table's life, watchers."""

from passing_client.model import Moment
from passing_client.words.basics import count, listing, seconds, why
from passing_client.words.people import People
from passing_protocol.events import OwnerChanged, SeatChanged, StateChanged, WatchersChanged
from passing_protocol.views import PublicView, SeatInfo, SeatState, TableState


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
            return [f"{'1 person watches' if number == 1 else f'{number} people watch'}."]
        case _:
            return []


def _seat_changed(event: SeatChanged, moment: Moment, me: int | None) -> list[str]:
    before, info = moment.before.seats[event.seat], event.info
    was, now = People(moment.before, me), People(moment.after, me)
    if (before.state, before.name) != (info.state, info.name):
        return [_new_holder(event, before, was, now)]
    if info.strikes > before.strikes:
        return [f"{now.does(event.seat, 'has', 'have')} {count(info.strikes, 'strike')}."]
    if info.ready and not before.ready:
        return [f"{now.does(event.seat, 'is', 'are')} ready."]
    return []


def _new_holder(event: SeatChanged, before: SeatInfo, was: People, now: People) -> str:
    seat = event.seat
    match event.info.state:
        case SeatState.EMPTY if before.state is SeatState.INVITED:
            return f"{was.name(seat)} does not come; seat {seat + 1} is free."
        case SeatState.EMPTY:
            return f"{was.does(seat, 'leaves', 'leave')} seat {seat + 1}."
        case SeatState.INVITED:
            return f"{now.name(seat)} is invited to seat {seat + 1}."
        case SeatState.AWAY:
            return f"{now.does(seat, 'is', 'are')} away."
        case SeatState.SUBSTITUTE:
            return f"{now.name(seat)} stands in for {was.within(seat)} at seat {seat + 1}."
        case SeatState.FORFEITED:
            return f"{now.does(seat, 'is', 'are')} out of the match{why(event.fault)}."
        case SeatState.TAKEN:
            return _taken(seat, before, was, now)


def _taken(seat: int, before: SeatInfo, was: People, now: People) -> str:
    if before.state is SeatState.AWAY and before.name == now.view.seats[seat].name:
        return f"{now.does(seat, 'is', 'are')} back."
    if before.state is SeatState.FORFEITED:
        return f"{now.does(seat, 'is', 'are')} in again for the next match."
    if before.state is SeatState.SUBSTITUTE:
        return f"{now.does(seat, 'takes', 'take')} the seat back from {was.name(seat)}."
    return f"{now.does(seat, 'sits', 'sit')} down: {now.label(seat)}."


def _owner_changed(event: OwnerChanged, people: People) -> list[str]:
    if event.owner is None:
        return []
    return [f"{people.does(event.owner, 'owns', 'own')} the table now."]


def _state_changed(event: StateChanged, moment: Moment, me: int | None) -> list[str]:
    match event.state:
        case TableState.OPEN:
            return ["The table waits for players."]
        case TableState.STARTING:
            return [_starting(moment.after, me)]
        case TableState.BETWEEN:
            wait = f", or in {seconds(event.next_ms)}" if event.next_ms is not None else ""
            text = f"The next round begins when everybody is ready{wait}."
            return [f"{text} Press Enter when you are."] if me is not None else []
        case TableState.OVER:
            return ["Type ready for another match, leave, or quit."] if me is not None else []
        case TableState.PAUSED:
            return ["The match is paused."]
        case TableState.PLAYING:
            return ["The match goes on."]
        case TableState.CLOSED:
            return ["The table is closed."]


def _starting(view: PublicView, me: int | None) -> str:
    waits = [People(view, me).within(n) for n, seat in enumerate(view.seats) if not seat.ready]
    text = "Every seat is filled."
    if me is None or not waits:
        return text
    begin = " Type start to begin." if view.owner == me else " Type ready when you are."
    return f"{text} Not ready yet: {listing(waits)}.{begin}"
