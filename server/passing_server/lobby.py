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
    Invite,
    Join,
    Leave,
    Left,
    Ready,
    Remove,
    Role,
    Start,
    TableInfo,
    Watch,
)
from passing_protocol.names import clean_chat
from passing_protocol.views import TableState
from passing_server.invitations import Invitations
from passing_server.limits import FORGET_MS, LIMITS, SWEEP_MS
from passing_server.listing import page_of
from passing_server.making import free_name, new_table, verify_deals, verify_sitter
from passing_server.rooms import Room, Telling
from passing_server.sessions import Session, Sessions
from passing_table import Occupant, Outcome
from passing_table.changes import Reason

NEVER = 2**62


class TheLobby:
    """Keep the tables, and do for a session what it asks of them."""

    def __init__(
        self,
        sessions: Sessions,
        entropy: Callable[[int], bytes],
        post: Callable[[Session, bytes], None],
    ) -> None:
        """Start without tables; `post` takes a numbered message to a session."""
        self.rooms: dict[str, Room] = {}
        self.invitations = Invitations(sessions, post)
        self.due = NEVER
        self._sessions = sessions
        self._entropy = entropy
        self._post = post
        self._made = 0
        self._swept_at = 0
        self._changed: dict[str, Room] = {}
        self._repeats: list[tuple[Room, Session, int]] = []

    # --- looking around

    def page(self, after: str | None) -> tuple[list[TableInfo], list[EngineInfo], bool]:
        """Return a page of tables, those made after `after`, the engines, and if more follow."""
        return page_of(self.rooms.values(), self.invitations.waiting(), after)

    def turn(self, table_id: str | None) -> int | None:
        """Return the number of a table's current turn."""
        room = self.rooms.get(table_id) if table_id is not None else None
        return room.table.play.turn if room is not None and room.table.play is not None else None

    def _room(self, table_id: str) -> Room:
        room = self.rooms.get(table_id)
        if room is None:
            raise RequestRefused(ErrorCode.NO_SUCH_TABLE, f"There is no table {table_id!r}.")
        return room

    def _member(self, session: Session, table_id: str) -> Room:
        room = self._room(table_id)
        if session.id not in room.players and session.id not in room.watchers:
            raise RequestRefused(ErrorCode.NOT_SEATED)
        return room

    def _owned(self, session: Session, table_id: str) -> Room:
        room = self._room(table_id)
        if not room.table.is_owner(session.id):
            raise RequestRefused(ErrorCode.NOT_OWNER)
        return room

    def _touch(self, room: Room) -> None:
        self._changed[room.table.id] = room
        room.due = 0

    # --- tables and places

    def create(self, now: int, session: Session, request: Create) -> bytes:
        """Make a table, with a seat or a watcher's place for who makes it."""
        verify_deals(session, request)
        if len(self.rooms) >= LIMITS.tables and session.role is not Role.ORGANISER:
            raise RequestRefused(ErrorCode.FULL, f"This server takes {LIMITS.tables} tables.")
        self._verify_place(session)
        table = new_table(request, f"t{self._made + 1}", session.id, self._entropy, now)
        self._made += 1
        room = self.rooms[table.id] = Room(table, self._made)
        if request.sit:
            return self._sit(now, session, room, None, request.id)
        return self._watch(now, session, room, request.id)

    def _verify_place(self, session: Session) -> None:
        limited = session.role in (Role.PLAYER, Role.SPECTATOR)
        if limited and len(session.tables) >= LIMITS.tables_each:
            raise RequestRefused(
                ErrorCode.FULL, f"You are at {LIMITS.tables_each} tables, the most for one person."
            )

    def join(self, now: int, session: Session, request: Join) -> bytes:
        """Take a seat; the answer shows the table."""
        room = self._room(request.table)
        if request.table not in session.tables:
            self._verify_place(session)
        return self._sit(now, session, room, request.seat, request.id)

    def _sit(
        self, now: int, session: Session, room: Room, seat: int | None, request_id: int
    ) -> bytes:
        table = room.table
        verify_sitter(session, table)
        name = session.name if session.engine is None else free_name(table, session)
        table.sit(now, Occupant(session.id, name, session.engine), seat)
        if room.watchers.pop(session.id, None) is not None:
            table.watchers(len(room.watchers))
        self._tell(now, room)
        room.due = 0
        room.players[session.id] = session
        session.tables[table.id] = None
        session.invited.pop(table.id, None)
        return room.snapshot(now, session, request_id)

    def watch(self, now: int, session: Session, request: Watch) -> bytes:
        """Watch a table; the answer shows it."""
        room = self._room(request.table)
        if session.id in room.players:
            raise RequestRefused(ErrorCode.SEAT_TAKEN, "You sit at this table.", retry=False)
        if session.id not in room.watchers:
            self._verify_place(session)
        return self._watch(now, session, room, request.id)

    def _watch(self, now: int, session: Session, room: Room, request_id: int) -> bytes:
        if session.id not in room.watchers:
            if len(room.watchers) >= LIMITS.watchers:
                raise RequestRefused(ErrorCode.TABLE_FULL, "No more watchers fit at this table.")
            room.table.watchers(len(room.watchers) + 1)
            self._tell(now, room)
            room.watchers[session.id] = session
            session.tables[room.table.id] = None
        return room.snapshot(now, session, request_id)

    def leave(self, now: int, session: Session, request: Leave) -> None:
        """Give up a seat or a watcher's place."""
        room = self._member(session, request.table)
        self._leave(now, session, room)

    def _leave(self, now: int, session: Session, room: Room) -> None:
        table = room.table
        if room.watchers.pop(session.id, None) is not None:
            table.watchers(len(room.watchers))
        else:
            table.leave(now, session.id)
            self._tell(now, room)  # what was done is answered before the place is given up
            self._unseat(session, room)
        session.tables.pop(table.id, None)
        self._touch(room)

    def _unseat(self, session: Session, room: Room) -> None:
        room.players.pop(session.id, None)
        room.waiting.pop(session.id, None)
        room.answers.pop(session.id, None)
        session.tables.pop(room.table.id, None)

    def remove(self, now: int, session: Session, request: Remove) -> None:
        """Take a seat or a watcher's place from somebody, for the owner."""
        room = self._owned(session, request.table)
        if request.seat is not None:
            keys = room.table.remove(now, request.seat)
            self._tell(now, room)  # what was done is answered before the place is taken
        else:
            keys = [_watcher(room, request.watcher)]
        for key in keys:
            self._dismiss(room, key, "removed")
        self._touch(room)

    def _dismiss(self, room: Room, key: str, reason: Reason) -> None:
        """Send somebody away from a table, unless they are gone already."""
        session = room.players.get(key) or room.watchers.get(key)
        if session is None:
            return
        if room.watchers.pop(key, None) is not None:
            room.table.watchers(len(room.watchers))
        self._unseat(session, room)
        self._post(session, encode(Left(session.number(), room.table.id, reason)))

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
        if outcome is Outcome.REPEATED and not waiting:
            self._repeats.append((room, session, request.id))
            return
        waiting.append(request.id)
        if outcome is not Outcome.REPEATED:
            session.refund()

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

    def _rooms_of(self, session: Session) -> list[Room]:
        return [self.rooms[table_id] for table_id in session.tables]

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

    def snapshots(self, now: int, session: Session) -> None:
        """Send the session what it may know of each of its tables."""
        for room in self._rooms_of(session):
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
            room.table.tick(now)
            self.invitations.find_substitute(now, room)
            self._touch(room)
            due = room.table.due
        room.due = NEVER if due is None else due

    def _sweep(self, now: int) -> None:
        """Forget who has been away for long without a seat, and invitations that are over."""
        self._swept_at = now
        for session in list(self._sessions.by_id.values()):
            self.invitations.drop_old(session, self.rooms)
            if session.heard_at < now - FORGET_MS and self._lost(session):
                self._forget(now, session)

    def _lost(self, session: Session) -> bool:
        """Tell whether a session is away and holds no seat."""
        seated = any(session.id in room.players for room in self._rooms_of(session))
        return session.peer is None and not seated

    def _forget(self, now: int, session: Session) -> None:
        self.end(now, session)
        self._sessions.forget(session)

    def forget_longest_away(self, now: int) -> None:
        """Make room for a new session, if one can go that is away without a seat."""
        lost = [session for session in self._sessions.by_id.values() if self._lost(session)]
        if lost:
            self._forget(now, min(lost, key=lambda session: session.heard_at))

    def tell(self, now: int) -> None:
        """Tell every change since the last call to those at the tables."""
        changed, self._changed = self._changed, {}
        for room in changed.values():
            self._tell(now, room)
            if room.table.state is TableState.CLOSED:
                self._close(room)
        repeats, self._repeats = self._repeats, []
        for room, session, request_id in repeats:
            self._repeat(now, room, session, request_id)

    def _tell(self, now: int, room: Room) -> None:
        change = room.table.take_change()
        if change is None:
            return
        telling = Telling(now, room, change)
        for session in room.members:
            self._post(session, telling.update(session))
            waiting = room.waiting.get(session.id)
            if waiting and not room.table.holds(room.table.seats.decides(session.id)):
                for request_id in waiting:
                    self._repeat(now, room, session, request_id)
                waiting.clear()
        for key, reason in change.dismissed.items():
            self._dismiss(room, key, reason)

    def _repeat(self, now: int, room: Room, session: Session, request_id: int) -> None:
        """Give the answer again; one who has the seat anew is shown the table instead."""
        data = room.repeat(session, request_id) or room.snapshot(now, session, request_id)
        self._post(session, data)

    def _close(self, room: Room) -> None:
        del self.rooms[room.table.id]
        for session in room.members:
            session.tables.pop(room.table.id, None)
            self._post(session, encode(Left(session.number(), room.table.id, "closed")))


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
}
"""What answers each request about a table: a message of its own, or nothing for a plain `ok`."""


def _watcher(room: Room, name: str | None) -> str:
    for key, session in room.watchers.items():
        if session.name == name:
            return key
    raise RequestRefused(ErrorCode.NOT_SEATED, f"Nobody called {name!r} watches.")
