"""Engines that wait in the lobby, and the tables they are invited to."""

from collections.abc import Callable, Mapping

from passing_protocol.codec import encode
from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import Invite, Invited
from passing_server.making import free_name
from passing_server.rooms import Room
from passing_server.sessions import Session, Sessions
from passing_table import Occupant
from passing_table.settings import INVITATION_MS


class Invitations:
    """Invite engines for owners, and as substitutes for players who stay away."""

    def __init__(self, sessions: Sessions, post: Callable[[Session, bytes], None]) -> None:
        """Find engines among `sessions`; `post` takes a numbered message to one."""
        self._sessions = sessions
        self._post = post

    def waiting(self) -> list[Session]:
        """Return the engines that play at one more table."""
        return [session for session in self._sessions.by_peer.values() if session.free_tables]

    def _engine(self, room: Room, name: str | None) -> Session | None:
        """Return an engine that waits, of that name if one is given."""
        for session in self._sessions.by_peer.values():
            elsewhere = room.table.id not in session.tables | session.invited
            if session.free_tables and elsewhere and name in (None, session.name):
                return session
        return None

    def invite(self, now: int, room: Room, request: Invite) -> None:
        """Invite an engine to a seat. Raises RequestRefused with no_such_engine and more."""
        engine = self._engine(room, request.engine)
        if engine is None:
            raise RequestRefused(
                ErrorCode.NO_SUCH_ENGINE, f"No engine called {request.engine!r} is waiting."
            )
        seat = room.table.invite(now, _occupant(room, engine), request.seat)
        self._send(engine, room, seat)

    def find_substitutes(self, now: int, room: Room) -> None:
        """Invite engines to the seats of players who stay away, where the table wants that."""
        while (seat := room.table.wants_substitute(now)) is not None:
            engine = self._engine(room, None)
            if engine is None:
                return
            room.table.seats.invite(now, seat, _occupant(room, engine))
            self._send(engine, room, seat)

    def repeat(self, now: int, session: Session, rooms: Mapping[str, Room]) -> None:
        """Tell a session of the invitations that it has not answered: it may have missed them."""
        for room in [rooms[table_id] for table_id in session.invited if table_id in rooms]:
            seat = room.table.seats.invited_seat(session.id)
            until = room.table.seats[seat].deadline if seat is not None else None
            if seat is not None and until is not None and until > now:
                self._send(session, room, seat, until - now)

    def _send(self, engine: Session, room: Room, seat: int, ms: int = INVITATION_MS) -> None:
        engine.invited[room.table.id] = None
        self._post(engine, encode(Invited(engine.number(), room.table.id, seat, ms)))

    def drop_old(self, session: Session, rooms: Mapping[str, Room]) -> None:
        """Forget the session's invitations that are over."""
        for table_id in list(session.invited):
            room = rooms.get(table_id)
            if room is None or room.table.seats.invited_seat(session.id) is None:
                del session.invited[table_id]


def _occupant(room: Room, engine: Session) -> Occupant:
    return Occupant(engine.id, free_name(room.table, engine), engine.engine, engine.caps.fair)
