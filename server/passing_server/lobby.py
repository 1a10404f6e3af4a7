"""The tables of a server and what may be asked of them; who waits, who watches, who is told."""

from collections.abc import Callable
from typing import Any

from passing_protocol.codec import encode
from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import (
    Act,
    Chat,
    Create,
    Decline,
    EngineInfo,
    GiveLink,
    Invite,
    Join,
    Leave,
    Ok,
    Ready,
    Remove,
    Role,
    ShowTip,
    Start,
    TableInfo,
    TipsOk,
    Watch,
)
from passing_protocol.names import clean_chat
from passing_protocol.views import TableState
from passing_server.keeping import id_of
from passing_server.limits import CLOCK_MS, FORGET_MS, HEARTBEAT, LIMITS, SWEEP_MS
from passing_server.listing import page_of
from passing_server.making import new_table, verify_deals
from passing_server.places import NEVER, Places
from passing_server.rooms import Room
from passing_server.sessions import Session, verify_one_seat
from passing_table import Outcome, view


class TheLobby(Places):
    """Do for a session what it asks of the tables, and what is due at them."""

    # --- looking around

    def page(self, after: str | None) -> tuple[list[TableInfo], list[EngineInfo], bool]:
        """Return a page of tables, those made after `after`, the engines, and if more follow."""
        return page_of(self.rooms.values(), self.invitations.waiting(), after)

    def turn(self, table_id: str | None) -> int | None:
        """Return the number of a table's current turn."""
        room = self.rooms.get(table_id) if table_id is not None else None
        return room.table.play.turn if room is not None and room.table.play is not None else None

    # --- tables and places

    def create(self, now: int, session: Session, request: Create) -> bytes:
        """Make a table, with a seat or a watcher's place for who makes it."""
        verify_deals(session, request)
        if len(self.rooms) >= LIMITS.tables and session.role is not Role.ORGANISER:
            raise RequestRefused(ErrorCode.FULL, f"This server takes {LIMITS.tables} tables.")
        self._verify_place(session)
        number = self._keeping.next_table()
        table = new_table(request, id_of(number), session, self._entropy, now)
        room = self.rooms[table.id] = Room(table, number, self._keeping.durability(session.role))
        self._sessions.note_done(session, request.id, table.id)
        self._keeping.table(room)
        if request.sit:
            return self._sit(now, session, room, None, request.id)
        return self._watch(now, session, room, request.id)

    def show(self, now: int, session: Session, table_id: str, request_id: int) -> bytes:
        """Show a table as the answer to a request, to one who has a place there still."""
        return self._member(session, table_id).snapshot(now, session, request_id)

    def join(self, now: int, session: Session, request: Join) -> bytes:
        """Take a seat; the answer shows the table."""
        room = self._room(request.table)
        verify_one_seat(session, room.players.values())
        if request.table not in session.tables:
            self._verify_place(session)
        shown = self._sit(now, session, room, request.seat, request.id)
        self._sessions.note_done(session, request.id, room.table.id)
        return shown

    def watch(self, now: int, session: Session, request: Watch) -> bytes:
        """Watch a table; the answer shows it."""
        room = self._room(request.table)
        if session.id in room.players:
            raise RequestRefused(ErrorCode.SEAT_TAKEN, "You sit at this table.", retry=False)
        if session.id not in room.watchers:
            self._verify_place(session)
        return self._watch(now, session, room, request.id)

    def leave(self, now: int, session: Session, request: Leave) -> None:
        """Give up a seat or a watcher's place."""
        room = self._member(session, request.table)
        self._leave(now, session, room)

    def remove(self, now: int, session: Session, request: Remove) -> None:
        """Take a seat or a watcher's place from somebody, for the owner."""
        room = self._owned(session, request.table)
        if request.seat is not None:
            keys = room.table.remove(now, request.seat)
            self._tell(now, room)  # what was done is answered before the place is taken
        else:
            keys = [_watcher(room, request.watcher)]
        for key in keys:
            self._dismiss(now, room, key, "removed")
        self._touch(room)

    # --- engines that wait

    def invite(self, now: int, session: Session, request: Invite) -> None:
        """Invite an engine that waits to a seat, for the owner."""
        room = self._owned(session, request.table)
        self.invitations.invite(now, room, request)
        self._touch(room)

    def decline(self, now: int, session: Session, request: Decline) -> None:
        """Turn an invitation down."""
        room = self._room(request.table)
        room.table.decline(session.id)
        session.invited.pop(request.table, None)
        self._touch(room)

    # --- playing and talking

    def ready(self, now: int, session: Session, request: Ready) -> None:
        """Note that a seat is ready."""
        room = self._member(session, request.table)
        room.table.ready(now, session.id)
        self._touch(room)

    def start(self, now: int, session: Session, request: Start) -> None:
        """Start the match, for the owner."""
        room = self._owned(session, request.table)
        room.table.start(now)
        self._touch(room)

    def act(self, now: int, session: Session, request: Act) -> None:
        """Take the answer to a turn; the update that tells of it answers the request."""
        room = self._member(session, request.table)
        seat = room.table.seats.decides(session.id)
        if seat is None:
            raise RequestRefused(ErrorCode.NOT_SEATED)
        waiting = room.waiting.setdefault(session.id, [])
        if waiting and not room.table.holds(seat):
            self._tell(now, room)  # the one before is answered on its own
        self._touch(room)
        outcome = room.table.act(now, seat, request.turn, request.action.action)
        if outcome is Outcome.REPEATED and not waiting and not room.table.holds(seat):
            self._repeats.append((room, session, request.id))
            return
        waiting.append(request.id)
        if outcome is not Outcome.REPEATED:
            session.refund()

    def contribute(self, now: int, session: Session, request: ShowTip | TipsOk | GiveLink) -> bytes:
        """Take a session's part in a fair deal, which it was asked for: it costs nothing."""
        room = self._member(session, request.table)
        self._touch(room)
        room.table.contribute(now, session.id, request)
        session.refund()
        return encode(Ok(session.number(), request.id, request.table))

    def chat(self, now: int, session: Session, request: Chat) -> None:
        """Tell the table what somebody says."""
        room = self._member(session, request.table)
        table = room.table
        if session.role is Role.BOT:
            raise RequestRefused(ErrorCode.NOT_ADMITTED, "Engines do not talk.")
        if not table.settings.chat(table.state is TableState.PLAYING):
            raise RequestRefused(ErrorCode.TABLE_STATE, "Nobody talks at this table now.")
        text = clean_chat(request.text)
        if not text:
            raise RequestRefused(
                ErrorCode.MALFORMED, "text: nothing readable is in it.", field="text"
            )
        session.speak(now)
        table.say(session.name, table.seats.seat_of(session.id), text)
        self._touch(room)

    # --- presence

    def away(self, now: int, session: Session) -> None:
        """Note that a session is not heard any more; without a seat it is forgotten."""
        for room in self._rooms_of(session):
            room.table.away(now, session.id)
            self._touch(room)

    def back(self, now: int, session: Session) -> None:
        """Note that a session is there again."""
        for room in self._rooms_of(session):
            room.table.back(now, session.id)
            self._touch(room)

    def end(self, now: int, session: Session) -> None:
        """Give up every place of a session that ends."""
        self.invitations.drop_old(session, self.rooms)
        for table_id in session.invited:
            self.rooms[table_id].table.decline(session.id)
            self._touch(self.rooms[table_id])
        for room in self._rooms_of(session):
            self._leave(now, session, room)

    def tell_places(self, now: int, session: Session) -> None:
        """Tell what has happened at the tables of a session before it is shown them."""
        for room in self._rooms_of(session):
            self._tell(now, room)

    def snapshots(self, now: int, session: Session) -> None:
        """Send the session what it may know of its tables, and its invitations once more."""
        self.tell_places(now, session)
        for room in self._rooms_of(session):
            self._post(session, room.snapshot(now, session))
            self._ask_for_part(now, room, session)
        self.invitations.repeat(now, session, self.rooms)

    # --- the beginning and the end of the server

    def interrupt(self, now: int) -> None:
        """Note at every table that all connections were lost."""
        for room in self.rooms.values():
            room.table.interrupt(now)

    def begin(self) -> None:
        """Look at every table that was restored: at some of them nobody is left."""
        for room in self.rooms.values():
            self._touch(room)

    def playing(self) -> int:
        """Return at how many tables a round is played."""
        return sum(room.table.asking for room in self.rooms.values())

    def finish_rounds(self, now: int) -> None:
        """Let no table begin another round; those that are played go on to their ends."""
        for room in self.rooms.values():
            room.table.finish_round(now)
            self._touch(room)

    def keep_all(self) -> None:
        """Store every table anew, for the time that is left on its clocks now."""
        for room in self.rooms.values():
            self._keeping.table(room)

    def show_clocks(self, now: int, session: Session) -> None:
        """Show the tables at which a session is asked and a clock runs.

        What is sent again tells the time that was left when it was sent first.
        """
        for room in self._rooms_of(session):
            seat = room.table.seats.decides(session.id)
            ask = view.question(room.table, seat, now) if seat is not None else None
            if ask is not None and ask.clock is not None:
                self._tell(now, room)
                self._post(session, room.snapshot(now, session))

    # --- time and telling

    def tick(self, now: int) -> None:
        """Do what is due at every table, and forget sessions that have been away for long."""
        self.due = NEVER
        for room in self.rooms.values():
            if room.due <= now:
                self._tick_room(now, room)
            self.due = min(self.due, room.due)
        if now >= self._swept_at + SWEEP_MS:
            self._sweep(now)

    def _tick_room(self, now: int, room: Room) -> None:
        due = room.table.due
        if due is not None and due <= now:
            self.invitations.find_substitutes(now, room)  # first, as a tick passes for who is gone
            room.table.tick(now)
            self._touch(room)
            due = room.table.due
        room.due = NEVER if due is None else due

    def _sweep(self, now: int) -> None:
        """Forget who has been away for long without a seat, and invitations that are over.

        What is left of a turn's time is stored now and then, so that no restart gives much back.
        """
        self._swept_at = now
        for room in self.rooms.values():
            play = room.table.play
            if play is not None and play.deadline is not None and now >= room.kept_at + CLOCK_MS:
                self._keeping.table(room)
        for session in list(self._sessions.by_id.values()):
            self.invitations.drop_old(session, self.rooms)
            if session.heard_at < now - _patience(session) and self._lost(session):
                self.forget(now, session)

    def _lost(self, session: Session) -> bool:
        """Tell whether a session is away and holds no seat."""
        seated = any(session.id in room.players for room in self._rooms_of(session))
        return (session.peer is None or session.is_cut) and not seated

    def forget(self, now: int, session: Session) -> None:
        """Let a session go for good, with every place that it has."""
        self.end(now, session)
        self._sessions.forget(session)

    def forget_longest_away(self, now: int, key: str | None = None) -> None:
        """Make room for a new session, of a key where it is given that holds as many as one may.

        That is done if one can go, of the same key then, that is away without a seat.
        """
        lost = [
            session
            for session in self._sessions.by_id.values()
            if key in (None, session.key) and self._lost(session)
        ]
        if lost:
            self.forget(now, min(lost, key=lambda session: session.heard_at))


TABLE_REQUESTS: dict[type[Any], Callable[..., bytes | None]] = {
    Create: TheLobby.create,
    Join: TheLobby.join,
    Watch: TheLobby.watch,
    Leave: TheLobby.leave,
    Remove: TheLobby.remove,
    Invite: TheLobby.invite,
    Decline: TheLobby.decline,
    Ready: TheLobby.ready,
    Start: TheLobby.start,
    Chat: TheLobby.chat,
    ShowTip: TheLobby.contribute,
    TipsOk: TheLobby.contribute,
    GiveLink: TheLobby.contribute,
}
"""What answers each request about a table: a message of its own, or nothing for a plain `ok`."""


def _patience(session: Session) -> int:
    """Return for how long a session that is away is kept; an admin has nothing to come back to."""
    return HEARTBEAT.timeout_ms if session.role is Role.ADMIN else FORGET_MS


def _watcher(room: Room, name: str | None) -> str:
    for key, session in room.watchers.items():
        if session.name == name:
            return key
    raise RequestRefused(ErrorCode.NOT_SEATED, f"Nobody called {name!r} watches.")
