"""Who is at which table, and what each of them is told of it."""

from collections.abc import Callable

from msgspec.structs import replace

from passing_protocol.codec import encode
from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import Left, Role
from passing_protocol.views import TableState
from passing_server.invitations import Invitations
from passing_server.keeping import Keeping
from passing_server.limits import LIMITS
from passing_server.making import free_name, verify_sitter
from passing_server.rooms import Room, Telling
from passing_server.sessions import Session, Sessions
from passing_table import Change, Occupant, view
from passing_table.changes import Reason

NEVER = 2**62


class Places:
    """Keep the rooms, seat and unseat, and tell everybody at a table what has changed there."""

    def __init__(
        self,
        sessions: Sessions,
        entropy: Callable[[int], bytes],
        post: Callable[[Session, bytes], None],
        keeping: Keeping,
    ) -> None:
        """Start without tables; `post` takes a numbered message to a session.

        What has to be stored of the tables is collected in `keeping`.
        """
        self.rooms: dict[str, Room] = {}
        self.invitations = Invitations(sessions, post)
        self.due = NEVER
        self._sessions = sessions
        self._entropy = entropy
        self._post = post
        self._keeping = keeping
        self._swept_at = 0
        self._changed: dict[str, Room] = {}
        self._repeats: list[tuple[Room, Session, int]] = []

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

    def _verify_place(self, session: Session) -> None:
        limited = session.role in (Role.PLAYER, Role.SPECTATOR)
        if limited and len(session.tables) >= LIMITS.tables_each:
            raise RequestRefused(
                ErrorCode.FULL, f"You are at {LIMITS.tables_each} tables, the most for one person."
            )

    def _sit(
        self, now: int, session: Session, room: Room, seat: int | None, request_id: int
    ) -> bytes:
        table = room.table
        verify_sitter(session, table)
        name = session.name if session.engine is None else free_name(table, session)
        table.sit(now, Occupant(session.id, name, session.engine, session.caps.fair), seat)
        if room.watchers.pop(session.id, None) is not None:
            table.watchers(len(room.watchers))
            self._note_watching(session, room, False)
        self._tell(now, room)
        room.due = 0
        room.players[session.id] = session
        session.tables[table.id] = None
        session.invited.pop(table.id, None)
        return room.snapshot(now, session, request_id)

    def _watch(self, now: int, session: Session, room: Room, request_id: int) -> bytes:
        if session.id not in room.watchers:
            if len(room.watchers) >= LIMITS.watchers:
                raise RequestRefused(ErrorCode.TABLE_FULL, "No more watchers fit at this table.")
            room.table.watchers(len(room.watchers) + 1)
            self._tell(now, room)
            room.watchers[session.id] = session
            session.tables[room.table.id] = None
            self._note_watching(session, room, True)
        return room.snapshot(now, session, request_id)

    def _note_watching(self, session: Session, room: Room, watching: bool) -> None:
        """Remember which tables a session watches; an organiser watches all that it has made."""
        if watching:
            session.watched[room.table.id] = None
        else:
            session.watched.pop(room.table.id, None)
        if session.role is not Role.ORGANISER:
            self._sessions.note(session)

    def _leave(self, now: int, session: Session, room: Room) -> None:
        table = room.table
        if room.watchers.pop(session.id, None) is not None:
            table.watchers(len(room.watchers))
            self._note_watching(session, room, False)
        else:
            table.leave(now, session.id)
            self._tell(now, room)  # what was done is answered before the place is given up
            self._answer_repeats(now, room)
            self._unseat(session, room)
        session.tables.pop(table.id, None)
        self._touch(room)

    def _unseat(self, session: Session, room: Room) -> None:
        room.players.pop(session.id, None)
        room.waiting.pop(session.id, None)
        room.answers.pop(session.id, None)
        session.tables.pop(room.table.id, None)

    def _dismiss(self, now: int, room: Room, key: str, reason: Reason) -> None:
        """Send somebody away from a table, unless they are gone already."""
        session = room.players.get(key) or room.watchers.get(key)
        if session is None:
            return
        self._answer_repeats(now, room)
        if room.watchers.pop(key, None) is not None:
            room.table.watchers(len(room.watchers))
            self._note_watching(session, room, False)
        self._unseat(session, room)
        self._post(session, encode(Left(session.number(), room.table.id, reason)))

    def drop_requests(self, session: Session) -> None:
        """Leave unanswered what a session has asked: another client goes on with it."""
        for room in self._rooms_of(session):
            room.waiting.pop(session.id, None)
        self._repeats = [repeat for repeat in self._repeats if repeat[1] is not session]

    def _rooms_of(self, session: Session) -> list[Room]:
        return [self.rooms[table_id] for table_id in session.tables]

    def tell(self, now: int) -> None:
        """Tell every change since the last call to those at the tables."""
        changed, self._changed = self._changed, {}
        for room in changed.values():
            self._tell(now, room)
            self._answer_repeats(now, room)
            self._keeping.table(room)
            if room.table.state is TableState.CLOSED:
                self._close(room)

    def _tell(self, now: int, room: Room) -> None:
        change = room.table.take_change()
        if change is None:
            return
        self._keeping.rows(room, change.rows)
        self._keeping.table(room)
        if change.events:
            self._tell_events(now, room, change)
        for seat in sorted(change.wanted):
            occupant = room.table.seats[seat].occupant
            session = room.players.get(occupant.key) if occupant is not None else None
            if session is not None:
                self._ask_for_part(now, room, session)

    def _tell_events(self, now: int, room: Room, change: Change) -> None:
        telling = Telling(now, room, change)
        for session in room.members:
            self._post(session, telling.update(session))
            waiting = room.waiting.get(session.id)
            if waiting and not room.table.holds(room.table.seats.decides(session.id)):
                for request_id in waiting:
                    self._repeat(now, room, session, request_id)
                waiting.clear()
        for key, reason in change.dismissed.items():
            self._dismiss(now, room, key, reason)

    def _ask_for_part(self, now: int, room: Room, session: Session) -> None:
        """Ask the software of a session for its part in a fair deal, if one is waited for."""
        seat = room.table.seats.decides(session.id)
        wanted = view.wanted(room.table, seat, now) if seat is not None else None
        if wanted is not None:
            self._post(session, encode(replace(wanted, seq=session.number())))

    def _answer_repeats(self, now: int, room: Room) -> None:
        """Answer the actions that were sent again, while those who sent them have their places."""
        here = [repeat for repeat in self._repeats if repeat[0] is room]
        self._repeats = [repeat for repeat in self._repeats if repeat[0] is not room]
        for _, session, request_id in here:
            self._repeat(now, room, session, request_id)

    def _repeat(self, now: int, room: Room, session: Session, request_id: int) -> None:
        """Give the answer again; one who has the seat anew is shown the table instead."""
        data = room.repeat(session, request_id) or room.snapshot(now, session, request_id)
        self._post(session, data)

    def _close(self, room: Room) -> None:
        del self.rooms[room.table.id]
        self._keeping.gone(room)
        for session in room.members:
            session.tables.pop(room.table.id, None)
            self._post(session, encode(Left(session.number(), room.table.id, "closed")))
