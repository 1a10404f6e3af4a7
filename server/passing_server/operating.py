"""What an operator asks of a running server: how it is, that it end, and who may come in."""

from collections.abc import Callable

from passing_protocol.codec import encode
from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import (
    ClientInfo,
    Clients,
    ClientsReport,
    Drain,
    Goodbye,
    JoinCode,
    JoinCodeReport,
    Ok,
    Revoke,
    RevokeAll,
    Status,
)
from passing_server.access import Access
from passing_server.front import Front
from passing_server.guests import REVOKED, Guests, KeptClient
from passing_server.keeping import Keeping
from passing_server.limits import CLIENTS_PER_PAGE
from passing_server.sessions import Session, Sessions
from passing_server.status import StatusDesk

OPERATOR_REQUESTS = (Status, Drain, JoinCode, Clients, Revoke, RevokeAll)


class Operating(Front):
    """Answer an operator."""

    def __init__(
        self,
        name: str,
        access: Access,
        entropy: Callable[[int], bytes],
        epoch: int,
        keep: Callable[[Sessions], Keeping],
        status: StatusDesk,
    ) -> None:
        """Start as `Front` does; `status` counts what is done."""
        super().__init__(name, access, entropy, epoch, keep)
        self._status = status
        self._ailment: str | None = None

    def _operate(
        self,
        now: int,
        session: Session,
        request: Status | Drain | JoinCode | Clients | Revoke | RevokeAll,
    ) -> None:
        """Do what an operator asks; a session that may not ask for it was refused before."""
        match request:
            case Status():
                self._report(session, request)
            case Drain():
                self._drain(now, session, request)
            case JoinCode():
                self._join_code(session, request)
            case Clients():
                clients, more = self._guests.page(request.after)
                self.post(session, self._told(session, request.id, clients, more=more))
            case Revoke():
                gone = self._guests.revoke(request.name, self.sessions.keys_called(request.name))
                self._revoked(now, session, request.id, gone)
            case RevokeAll():
                gone, more = self._guests.revoke_all(request.role)
                self._revoked(now, session, request.id, gone, more=more)

    @property
    def _guests(self) -> Guests:
        """Return the keys that are let in. Raises RequestRefused where all are."""
        if self._access.guests is None:
            raise RequestRefused(
                ErrorCode.UNSUPPORTED,
                "This server is not encrypted, so it has no codes and remembers no clients. Start "
                "it with --lan for that.",
            )
        return self._access.guests

    def _report(self, session: Session, request: Status) -> None:
        now = self._clock.running
        report = self._status.report(
            now,
            seq=session.number(),
            re=request.id,
            epoch=self.epoch,
            rooms=self.lobby.rooms.values(),
            sessions=self.sessions.by_id.values(),
            ailment=self._ailment,
            draining=self.draining.active,
            guests=self._access.guests,
        )
        self.post(session, encode(report))

    def _drain(self, now: int, session: Session, request: Drain) -> None:
        if not self.draining.active:
            self.lobby.finish_rounds(now)
        self.draining.begin(self._clock.running, request.grace_ms)
        self._ok(session, request.id)

    def _join_code(self, session: Session, request: JoinCode) -> None:
        token, left_ms = self._guests.code(request.role, new=request.new)
        report = JoinCodeReport(session.number(), request.id, request.role, token, left_ms)
        data = encode(report)
        session.keep_answer(request.id, data)
        self.post(session, data)

    def _revoked(
        self,
        now: int,
        session: Session,
        request_id: int,
        gone: dict[str, KeptClient],
        *,
        more: bool = False,
    ) -> None:
        """Tell who is forgotten; their sessions end, and their connections are closed."""
        shown = dict(list(gone.items())[:CLIENTS_PER_PAGE])
        data = self._told(session, request_id, shown, more=more or len(shown) < len(gone))
        session.keep_answer(request_id, data)
        self.post(session, data)
        for other in list(self.sessions.by_id.values()):
            if other.key in gone:
                self._send_away(now, other)
        for key in gone:
            self._patience.dismiss_key(self._clock.running, key)

    def _send_away(self, now: int, session: Session) -> None:
        """End the session of a client that is revoked, with every place that it has."""
        peer = session.peer
        self.lobby.forget(now, session)
        if peer is not None:
            self._put(peer, encode(Goodbye(ErrorCode.NOT_ADMITTED, REVOKED)))
            self._patience.dismiss(self._clock.running, peer)

    def _told(
        self, session: Session, request_id: int, clients: dict[str, KeptClient], *, more: bool
    ) -> bytes:
        """Return an answer that tells of clients."""
        keys = [one.key for one in self.sessions.by_peer.values()]
        infos = [
            ClientInfo(key, client.name, client.role, client.since, keys.count(key))
            for key, client in clients.items()
        ]
        return encode(ClientsReport(session.number(), request_id, infos, more))

    def _ok(self, session: Session, request_id: int, table: str | None = None) -> None:
        data = encode(Ok(session.number(), request_id, table))
        session.keep_answer(request_id, data)
        self.post(session, data)
