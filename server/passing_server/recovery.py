"""Go on from what a store has kept: sessions, tables, and who is at which of them.

Nobody is connected yet. Players are away from now on and are waited for; the seat on turn has the
time that it had left.
"""

from collections.abc import Callable, Iterator

from passing_protocol.messages import Role
from passing_server.access import Access
from passing_server.keeping import Keeping, number_of
from passing_server.lobby import TheLobby
from passing_server.making import match_ids
from passing_server.rooms import Room
from passing_server.sessions import Session, Sessions
from passing_server.storing import Durability, Kept, MatchKey, StoredTable
from passing_table import InvalidKept, Table, read_kept, read_row, restore


class Recovery:
    """Fill a server that has nothing yet with what was kept."""

    def __init__(
        self,
        sessions: Sessions,
        lobby: TheLobby,
        keeping: Keeping,
        entropy: Callable[[int], bytes],
        access: Access,
    ) -> None:
        """Take the parts that are to be filled."""
        self._sessions = sessions
        self._lobby = lobby
        self._keeping = keeping
        self._entropy = entropy
        self._access = access

    def run(self, kept: Kept, now: int) -> Iterator[str]:
        """Restore everything; yields a sentence for each thing that is lost.

        A session that came in by a token or a key that is no more has ended, and has left every
        table.
        """
        yield from kept.damage
        for value in kept.sessions.values():
            self._sessions.restore(Session.restored(value, now))
        for table_id, stored in kept.tables.items():
            try:
                table = self._table(stored, kept, now)
            except InvalidKept as error:
                self._keeping.lost(table_id, stored.durability)
                yield f"Table {table_id} cannot go on: {error}."
                continue
            self._lobby.rooms[table_id] = self._room(table, stored.durability, now)
        self._watch(kept)
        self._lobby.interrupt(now)
        for session in list(self._sessions.by_id.values()):
            if self._access.holds(session.role, session.admitted, session.key):
                self._lobby.away(now, session)
            else:
                self._lobby.forget(now, session)
        self._lobby.begin()

    def _table(self, stored: StoredTable, kept: Kept, now: int) -> Table:
        value = read_kept(stored.value)
        rows: list[bytes] = []
        if value.play is not None:
            rows = kept.logs.get(MatchKey(value.id, value.play.match), [])
        log = [read_row(row) for row in rows]
        return restore(value, log, self._entropy, match_ids(self._entropy), now)

    def _room(self, table: Table, durability: Durability, now: int) -> Room:
        """Return a table's room with the sessions that have a part in it."""
        room = Room(table, number_of(table.id), durability)
        for seat in table.seats:
            for occupant in seat.claimants:
                session = self._sessions.by_id.get(occupant.key)
                if session is None:
                    table.leave(now, occupant.key)
                else:
                    room.players[session.id] = session
                    session.tables[table.id] = None
            invited = self._sessions.by_id.get(seat.invited.key) if seat.invited else None
            if invited is not None:
                invited.invited[table.id] = None
        return room

    def _watch(self, kept: Kept) -> None:
        """Give those their places back who watched; an organiser watches what it has made."""
        for session in self._sessions.by_id.values():
            watched = kept.sessions[session.id].watches
            for room in self._lobby.rooms.values():
                own = session.role is Role.ORGANISER and room.table.maker == session.id
                if (own or room.table.id in watched) and session.id not in room.players:
                    room.watchers[session.id] = session
                    session.tables[room.table.id] = None
                    session.watched[room.table.id] = None
