"""The server without its sockets: messages in, messages out, and a time that is handed in.

`receive` takes one frame of one connection, `tick` does what is due, and `flush` returns the
frames to send: one per connection, however much has happened. Nothing here waits or fails on
what a client sends; every request is answered.
"""

from collections.abc import Callable
from dataclasses import dataclass

from passing_protocol.codec import CodecError, decode_client, encode
from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import (
    Act,
    Bye,
    Clients,
    Drain,
    Enrol,
    Error,
    Goodbye,
    Hello,
    JoinCode,
    Lobby,
    Ping,
    Pong,
    Request,
    Resync,
    Revoke,
    RevokeAll,
    Status,
    Tables,
)
from passing_protocol.session_states import (
    RemoteProtocolError,
    ServerState,
    advance,
)
from passing_server.access import Access, verify_allowed
from passing_server.framing import frames_of
from passing_server.front import table_of
from passing_server.keeping import Keeping
from passing_server.limits import LOBBY_COST, RESYNC_COST, RETRY_MS, SCAN_MS, SWEEP_MS
from passing_server.lobby import TABLE_REQUESTS
from passing_server.operating import Operating
from passing_server.recovery import Recovery
from passing_server.sessions import Session
from passing_server.status import StatusDesk
from passing_server.storing import Batch, Durability, Store, StoreFailed

UNSTORED = (Bye, Clients, Drain, Ping, Status)
"""What is done while nothing can be stored, for an admin who looks what is wrong."""

AWAITING, OPEN = ServerState.AWAITING, ServerState.OPEN


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Hold one frame for one connection."""

    peer: bytes
    data: bytes


class Server(Operating):
    """Answer every message of every connection, and run the tables."""

    def __init__(
        self,
        name: str,
        access: Access,
        entropy: Callable[[int], bytes],
        epoch: int,
        store: Store,
        *,
        people: Durability,
        today: Callable[[], int],
        memory: Callable[[], int],
        open_to_all: bool = False,
    ) -> None:
        """Start without sessions or tables; `recover` brings what `store` has kept.

        `entropy(n)` returns n bytes nobody can foresee, `epoch` is at least the number of this
        life of the server, `people` the durability of tables that people make, `today` tells
        the date in days from 1970-01-01, and `memory` how many bytes the process has. A server is
        `open_to_all` that other machines reach without encryption; clients are told so.
        """
        super().__init__(
            name,
            access,
            entropy,
            epoch,
            lambda sessions: Keeping(sessions, people, today),
            StatusDesk(people, memory),
        )
        self._open_to_all = open_to_all
        self._store = store
        self._scan_at = 0
        self._owed = Batch()
        self._retry_at = 0

    def recover(self, now: int) -> list[str]:
        """Go on from what the store has kept; return what was lost of it, in words.

        Raises StoreFailed.
        """
        now = self._clock.read(now)
        self._status.began = now
        kept = self._store.load()
        self.epoch = self._keeping.begin(kept, self.epoch)
        recovery = Recovery(self.sessions, self.lobby, self._keeping, self._entropy, self._access)
        return list(recovery.run(kept, now))

    # --- in

    def admits(self, now: int, address: str, key: str) -> bool:
        """Tell whether a connection with a key, from an address, may come in."""
        self._clock.read(now)
        guests = self._access.guests
        return guests is not None and guests.admits(self._clock.running, address, key)

    def receive(self, now: int, peer: bytes, data: bytes | None, key: str | None = None) -> None:
        """Take one message of a connection; `data` is None when it was not exactly one frame.

        `key` is the one that the connection was admitted with, None without encryption.
        """
        self._status.received += 1
        if self._patience.is_out(peer):
            return
        now = self._clock.read(now)
        session = self.sessions.by_peer.get(peer)
        if session is None and not self._lets_in(key):
            self._patience.dismiss(self._clock.running, peer)  # it is answered this once
        if self._ailment is not None and session is None and not self._is_admin(data):
            self._turn_away(peer, ErrorCode.DISK, self._ailment)
            return
        try:
            if data is None:
                raise CodecError(ErrorCode.MALFORMED, "A message is exactly one frame.")
            message = decode_client(data)
            advance(AWAITING if session is None else OPEN, str(message.__struct_config__.tag))
        except (CodecError, RemoteProtocolError) as error:
            self._refuse_frame(now, peer, session, error)
            return
        self._scan_at = min(self._scan_at, now + SCAN_MS)
        if isinstance(message, Hello):
            self._hello(now, peer, message, key)
        elif isinstance(message, Enrol):
            self._enrol(peer, message, key)
        elif session is not None:
            self._heard(now, session)
            self._request(now, session, message)

    def _refuse_frame(
        self,
        now: int,
        peer: bytes,
        session: Session | None,
        error: CodecError | RemoteProtocolError,
    ) -> None:
        if session is None:
            self._turn_away(peer, error.code, error.detail)
            return
        self._heard(now, session)
        request_id, field = (
            (error.id, error.field) if isinstance(error, CodecError) else (None, None)
        )
        try:
            session.spend(self._clock.running)
        except RequestRefused as refused:
            self._error(session, request_id, refused)
            return
        self._error(session, request_id, RequestRefused(error.code, error.detail), field=field)

    def _heard(self, now: int, session: Session) -> None:
        session.heard_at = now
        self.sessions.confirm_token(session)
        if session.stalled:
            session.stalled = False
            self.lobby.snapshots(now, session)

    # --- requests

    def _request(self, now: int, session: Session, request: Request) -> None:
        kept = session.answers.get(request.id)
        try:
            if not isinstance(request, Bye):  # who goes is not held up
                session.spend(self._clock.running)
            if kept is not None:
                self._put_to(session, kept)
                return
            if request.id in session.done:  # before the server was started anew
                self._done_before(now, session, request)
                return
            verify_allowed(session.role, request)
            self.draining.verify_goes_on(session, request)
            if self._ailment is not None and not isinstance(request, UNSTORED):
                raise RequestRefused(ErrorCode.DISK, self._ailment)
            self._do(now, session, request)
        except RequestRefused as refused:
            self._error(session, request.id, refused, request=request)

    def _do(self, now: int, session: Session, request: Request) -> None:
        match request:
            case Act():
                self.lobby.act(now, session, request)
            case Ping():
                self._pong(session, request)
            case Resync():
                self._resync(now, session, request)
            case Bye():
                self._bye(now, session, request)
            case Lobby():
                self._tables(session, request)
            case Status() | Drain() | JoinCode() | Clients() | Revoke() | RevokeAll():
                self._operate(now, session, request)
            case _:
                handler = TABLE_REQUESTS[type(request)]
                answer = handler(self.lobby, now, session, request)
                if answer is None:
                    self.sessions.note_done(session, request.id)
                    self._ok(session, request.id, table_of(request))
                else:
                    session.keep_answer(request.id, answer)
                    self.post(session, answer)

    def _done_before(self, now: int, session: Session, request: Request) -> None:
        """Answer what was done already, though the answer itself is not kept any more."""
        shown = session.done[request.id]
        if shown is None:
            self._ok(session, request.id, table_of(request))
        else:
            self.post(session, self.lobby.show(now, session, shown, request.id))

    def _resync(self, now: int, session: Session, request: Resync) -> None:
        """Send what was missed after `seq`; 0 asks for snapshots, whatever is kept."""
        session.spend(self._clock.running, RESYNC_COST - 1)
        known = request.seq > 0 and session.can_replay_after(request.seq)
        self._catch_up(now, session, request.seq if known else None)
        self._ok(session, request.id)

    def _pong(self, session: Session, ping: Ping) -> None:
        self._put_to(session, encode(Pong(session.seq, ping.id)))

    def _tables(self, session: Session, request: Lobby) -> None:
        session.spend(self._clock.running, LOBBY_COST - 1)
        tables, engines, more = self.lobby.page(request.after)
        self.post(session, encode(Tables(session.number(), request.id, tables, engines, more)))

    def answered(self, messages: int, us: int) -> None:
        """Note how long it took to read so many messages and to send all that they caused."""
        self._status.answered(messages, us)

    def _bye(self, now: int, session: Session, bye: Bye) -> None:
        self.lobby.end(now, session)
        self._put_to(session, encode(Goodbye(re=bye.id)))
        self.sessions.forget(session)

    def _error(
        self,
        session: Session,
        request_id: int | None,
        refused: RequestRefused,
        *,
        request: Request | None = None,
        field: str | None = None,
    ) -> None:
        table = table_of(request) if request is not None else None
        error = Error(
            seq=session.number(),
            code=refused.code,
            detail=refused.detail,
            retry=refused.retry,
            re=request_id,
            table=table,
            turn=self.lobby.turn(table) if isinstance(request, Act) else None,
            field=field or refused.field,
        )
        data = encode(error)
        self.post(session, data)
        if refused.code is ErrorCode.RATE_LIMITED:
            self._patience.count(self._clock.running, session.peer)
        elif request is not None:
            session.keep_answer(request.id, data)

    # --- time

    @property
    def next_tick(self) -> int:
        """Return when `tick` has something to look at, in the time that is handed in."""
        if self._ailment is not None:
            return self._clock.until_running(self._retry_at)
        return self._clock.until(self._scan_at)

    @property
    def run_day(self) -> int:
        """Return on how many days a server has run on this store."""
        return self._keeping.run_day

    @property
    def ailment(self) -> str | None:
        """Return in words why nothing can be stored at the moment, None while all is well."""
        return self._ailment

    def tick(self, now: int) -> None:
        """Do what is due: time-outs, absences, deadlines of tables, forgotten sessions."""
        now = self._clock.read(now)
        if self._ailment is not None:
            self._try_again()
        elif now >= self._scan_at:
            self._scan(now)
        self.draining.look(self._clock.running, self.lobby.playing)

    def _scan(self, now: int) -> None:
        self._status.sample(self._clock.running)
        for session in self.sessions.silent(now):
            self.sessions.disconnect(session)
            self.lobby.away(now, session)
        self.lobby.tick(now)
        self._scan_at = max(now + SCAN_MS, min(self.lobby.due, now + SWEEP_MS))

    # --- out

    def close(self, now: int) -> None:
        """Store what is not stored yet, and say goodbye to all; with disk if that is impossible."""
        if self._ailment is not None:
            self._clock.read(now)
            self._retry_at = self._clock.running
            self._try_again()
        self.lobby.keep_all()
        if self._access.guests is not None:
            self._access.guests.keep_names()
        goodbye = Goodbye(ErrorCode.DRAINING, "The server has been stopped.")
        if self._ailment is not None:
            goodbye = Goodbye(ErrorCode.DISK, self._ailment)
        for peer in self.sessions.by_peer:
            self._put(peer, encode(goodbye))

    def stalled(self, peer: bytes) -> None:
        """Note that a connection takes no more; it gets a snapshot when it is heard again."""
        session = self.sessions.by_peer.get(peer)
        if session is not None:
            session.stalled = True

    def flush(self, now: int) -> list[Outgoing]:
        """Store what has happened, and return every frame that is to be sent.

        Nothing is told that is not stored. When that fails everybody is sent away, to come back
        when the store works again.
        """
        if self._ailment is None:
            now = self._clock.read(now)
            self.lobby.tell(now)
            self._owed = self._keeping.batch(now)
            self._commit()
        outbox, self._outbox = self._outbox, {}
        self._status.sent += sum(map(len, outbox.values()))
        return [
            Outgoing(peer, frame) for peer, items in outbox.items() for frame in frames_of(items)
        ]

    # --- when nothing can be stored

    def _commit(self) -> None:
        if not self._owed:
            return
        try:
            self._store.commit(self._owed)
        except StoreFailed as failed:
            self._retry_at = self._clock.running + RETRY_MS
            if self._ailment is None:
                self._ail(str(failed))
        else:
            self._owed = Batch()
            self._status.commits += 1

    def _ail(self, words: str) -> None:
        """Send everybody away: what they would be told now is not stored.

        The time in which nothing can be is nobody's, so all clocks stand.
        """
        self._ailment = words
        self._clock.stop()
        self._outbox.clear()
        for session in list(self.sessions.by_peer.values()):
            self._put_to(session, encode(Goodbye(ErrorCode.DISK, words)))
            self.sessions.disconnect(session)

    def _try_again(self) -> None:
        """Store what is owed; when that is done all goes on."""
        if self._clock.running < self._retry_at:
            return
        self._commit()
        if self._owed:
            return
        self._ailment = None
        now = self._clock.go_on()
        self.lobby.interrupt(now)
        for session in self.sessions.by_id.values():
            session.heard_at = now
            self.lobby.away(now, session)
