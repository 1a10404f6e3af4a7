"""What a server answers to those who look for servers, and how often it does."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from passing_protocol.discovery import Here, InvalidDatagram, answer, number, read_query
from passing_protocol.errors import RequestRefused
from passing_protocol.messages import Role
from passing_protocol.views import SeatState, TableState
from passing_server.allowance import Allowance, Allowances
from passing_server.front import SUPPORTED, Front
from passing_server.limits import ALL_QUERIES_BURST, ALL_QUERIES_PER_S, QUERIES_PER_S, QUERY_BURST
from passing_server.rooms import Room

_PEOPLE: Final = (Role.PLAYER, Role.SPECTATOR)


def id_of(kept: str) -> str:
    """Return the id of a server that has this key; without one, that keeps this secret.

    A hash tells nothing of a secret that cannot be guessed.
    """
    return hashlib.sha256(kept.encode()).hexdigest()[:16]


@dataclass(slots=True)
class Signpost:
    """Answer queries for one server; `id`, `port` and `key` are what it tells of itself.

    Each source is answered so often, and all of them together: more is left unanswered.
    """

    server: Front
    id: str
    port: int
    key: str | None
    _each: Allowances = field(default_factory=lambda: Allowances(QUERY_BURST, QUERIES_PER_S))
    _all: Allowance = field(default_factory=lambda: Allowance(ALL_QUERIES_BURST, 0))

    def answer(self, now: int, data: bytes, source: str) -> bytes | None:
        """Return the answer to a datagram from a host, None where there is none to give."""
        try:
            nonce = read_query(data).nonce
            self._each.spend(now, source.encode())
            self._all.spend(now, ALL_QUERIES_PER_S, ALL_QUERIES_BURST)
        except (InvalidDatagram, RequestRefused):
            return None
        return answer(self._here(nonce))

    def _here(self, nonce: str) -> Here:
        open_rooms = [room for room in self.server.lobby.rooms.values() if _is_open(room)]
        roles = Counter(
            session.role
            for session in self.server.sessions.by_id.values()
            if session.peer is not None
        )
        return Here(
            nonce=nonce,
            versions=SUPPORTED,
            id=self.id,
            name=self.server.name,
            port=self.port,
            key=self.key,
            tables=number(len(open_rooms)),
            seats=number(_free_seats(open_rooms)),
            people=number(sum(roles[role] for role in _PEOPLE)),
            engines=number(roles[Role.BOT]),
        )


def _is_open(room: Room) -> bool:
    return room.table.state is not TableState.CLOSED


def _free_seats(rooms: Iterable[Room]) -> int:
    """Count the seats that one may take."""
    return sum(
        seat.state is SeatState.EMPTY
        for room in rooms
        if room.table.state is TableState.OPEN
        for seat in room.table.seats
    )
