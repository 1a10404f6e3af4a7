"""The server without its sockets: messages in, messages out, and a time that is handed in.

`receive` takes one frame of one connection, `tick` does what is due, and `flush` returns the
frames to send: one per connection, however much has happened. Nothing here waits or fails on
what a client sends; every request is answered.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from passing_protocol.codec import CodecError, decode_client, encode
from passing_protocol.errors import MEANINGS, ErrorCode, RequestRefused
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    Act,
    Bye,
    Error,
    Goodbye,
    Hello,
    Lobby,
    Ok,
    Ping,
    Pong,
    Refused,
    Request,
    Resync,
    Tables,
    Welcome,
)
from passing_protocol.names import clean_name
from passing_protocol.session import RemoteProtocolError, ServerState, advance
from passing_protocol.views import RULES_VERSION
from passing_server.access import Access, verify_allowed
from passing_server.allowance import PerConnection
from passing_server.clock import SteadyClock
from passing_server.framing import frames_of
from passing_server.limits import (
    CONNECTIONS_KEPT,
    EXCESS_BURST,
    EXCESS_PER_S,
    HEARTBEAT,
    HELLO_BURST,
    HELLOS_PER_S,
    LIMITS,
    RESYNC_COST,
    SCAN_MS,
    SWEEP_MS,
)
from passing_server.lobby import TABLE_REQUESTS, TheLobby
from passing_server.making import readable, readable_agent
from passing_server.sessions import Session, Sessions

AWAITING, OPEN = ServerState.AWAITING, ServerState.OPEN
SUPPORTED = (PROTOCOL_VERSION, PROTOCOL_VERSION)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Hold one frame for one connection."""

    peer: bytes
    data: bytes


class Server:
    """Answer every message of every connection, and run the tables."""

    def __init__(
        self, name: str, access: Access, entropy: Callable[[int], bytes], epoch: int
    ) -> None:
        """Start without sessions or tables; `entropy(n)` returns n bytes nobody can foresee."""
        self.name = clean_name(name) or "server"
        self.epoch = epoch
        self.sessions = Sessions()
        self.lobby = TheLobby(self.sessions, entropy, self.post)
        self._access = access
        self._entropy = entropy
        self._outbox: dict[bytes, list[bytes]] = {}
        self._clock = SteadyClock()
        self._greetings = PerConnection(HELLO_BURST, HELLOS_PER_S)
        self._excess = PerConnection(EXCESS_BURST, EXCESS_PER_S)
        self._cut: OrderedDict[bytes, None] = OrderedDict()
        self._to_cut: list[bytes] = []
        self._scan_at = 0

    # --- in

    def receive(self, now: int, peer: bytes, data: bytes | None) -> None:
        """Take one message of a connection; `data` is None when it was not exactly one frame."""
        if peer in self._cut:
            return
        now = self._clock.read(now)
        session = self.sessions.by_peer.get(peer)
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
            self._hello(now, peer, message)
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
            self._turn_away(now, peer, error.code, error.detail)
            return
        self._heard(now, session)
        request_id, field = (
            (error.id, error.field) if isinstance(error, CodecError) else (None, None)
        )
        try:
            session.spend(now)
        except RequestRefused as refused:
            self._error(now, session, request_id, refused)
            return
        self._error(now, session, request_id, RequestRefused(error.code, error.detail), field=field)

    def _heard(self, now: int, session: Session) -> None:
        session.heard_at = now
        self.sessions.confirm_token(session)
        if session.stalled:
            session.stalled = False
            self.lobby.snapshots(now, session)

    # --- the handshake

    def _hello(self, now: int, peer: bytes, hello: Hello) -> None:
        try:
            self._greetings.spend(now, peer)
            lowest, highest = hello.protocol
            if not lowest <= PROTOCOL_VERSION <= highest:
                raise RequestRefused(
                    ErrorCode.VERSION,
                    f"protocol {lowest} to {highest}: this server speaks {PROTOCOL_VERSION}.",
                )
            if not self._resume(now, peer, hello):
                self._open(now, peer, hello)
        except RequestRefused as refused:
            self._turn_away(now, peer, refused.code, refused.detail)

    def _open(self, now: int, peer: bytes, hello: Hello) -> None:
        role = self._access.role(hello.token, hello.name)
        session = Session(
            id=self._entropy(8).hex(),
            name=readable("name", hello.name),
            agent=readable_agent(hello.agent),
            role=role,
            caps=hello.caps,
            peer=peer,
            heard_at=now,
        )
        session.allowance.at = now
        if self.sessions.full:
            self.lobby.forget_longest_away(now)
        self.sessions.add(session)
        self._welcome(session, resumed=False)

    def _resume(self, now: int, peer: bytes, hello: Hello) -> bool:
        """Give a session to its newest connection; False when there is none to give."""
        resume = hello.resume
        session = self.sessions.by_token(resume.token) if resume is not None else None
        if resume is None or session is None:
            return False
        before = self.sessions.move(session, peer)
        if before is not None:
            gone = Goodbye(ErrorCode.SUPERSEDED, MEANINGS[ErrorCode.SUPERSEDED].sentence)
            self._put(before, encode(gone))
        session.heard_at = now
        session.caps = hello.caps
        self._welcome(session, resumed=True, used=resume.token)
        known = resume.epoch == self.epoch and session.can_replay_after(resume.seq)
        self._catch_up(now, session, resume.seq if known else None)
        self.lobby.back(now, session)
        return True

    def _welcome(self, session: Session, *, resumed: bool, used: str | None = None) -> None:
        token = self._entropy(32).hex()
        self.sessions.give_token(session, token, used)
        welcome = Welcome(
            protocol=PROTOCOL_VERSION,
            server=self.name,
            epoch=self.epoch,
            session=session.id,
            resume_token=token,
            role=session.role,
            name=session.name,
            limits=LIMITS,
            heartbeat=HEARTBEAT,
            rules=RULES_VERSION,
            resumed=resumed,
        )
        self._put_to(session, encode(welcome))

    def _catch_up(self, now: int, session: Session, seq: int | None) -> None:
        """Send what was missed after `seq`, or snapshots when that is not kept any more."""
        if seq is None:
            self.lobby.snapshots(now, session)
            return
        for number, data in session.sent:
            if number > seq:
                self._put_to(session, data)

    # --- requests

    def _request(self, now: int, session: Session, request: Request) -> None:
        kept = session.answers.get(request.id)
        try:
            if not isinstance(request, Bye):  # who goes is not held up
                session.spend(now)
            if kept is not None:
                self._put_to(session, kept)
                return
            verify_allowed(session.role, request)
            self._do(now, session, request)
        except RequestRefused as refused:
            self._error(now, session, request.id, refused, request=request)

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
            case _:
                handler = TABLE_REQUESTS[type(request)]
                answer = handler(self.lobby, now, session, request)
                if answer is None:
                    self._ok(session, request.id, _table_of(request))
                else:
                    session.keep_answer(request.id, answer)
                    self.post(session, answer)

    def _resync(self, now: int, session: Session, request: Resync) -> None:
        """Send what was missed after `seq`; 0 asks for snapshots, whatever is kept."""
        session.spend(now, RESYNC_COST - 1)
        known = request.seq > 0 and session.can_replay_after(request.seq)
        self._catch_up(now, session, request.seq if known else None)
        self._ok(session, request.id)

    def _pong(self, session: Session, ping: Ping) -> None:
        self._put_to(session, encode(Pong(session.seq, ping.id)))

    def _tables(self, session: Session, request: Lobby) -> None:
        tables, engines, more = self.lobby.page(request.after)
        self.post(session, encode(Tables(session.number(), request.id, tables, engines, more)))

    def _ok(self, session: Session, request_id: int, table: str | None = None) -> None:
        data = encode(Ok(session.number(), request_id, table))
        session.keep_answer(request_id, data)
        self.post(session, data)

    def _bye(self, now: int, session: Session, bye: Bye) -> None:
        self.lobby.end(now, session)
        self._put_to(session, encode(Goodbye(re=bye.id)))
        self.sessions.forget(session)

    def _error(
        self,
        now: int,
        session: Session,
        request_id: int | None,
        refused: RequestRefused,
        *,
        request: Request | None = None,
        field: str | None = None,
    ) -> None:
        table = _table_of(request) if request is not None else None
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
            self._count_excess(now, session.peer)
        elif request is not None:
            session.keep_answer(request.id, data)

    def _turn_away(self, now: int, peer: bytes, code: ErrorCode, detail: str) -> None:
        self._put(peer, encode(Refused(code, detail, SUPPORTED)))
        self._count_excess(now, peer)

    def _count_excess(self, now: int, peer: bytes | None) -> None:
        """Cut a connection that goes on and on beyond its limits; it may connect anew."""
        if peer is None:
            return
        try:
            self._excess.spend(now, peer)
        except RequestRefused:
            self._cut[peer] = None
            self._to_cut.append(peer)
            if len(self._cut) > CONNECTIONS_KEPT:
                self._cut.popitem(last=False)

    def take_cuts(self) -> list[bytes]:
        """Return, once, the connections that are to be closed; nothing from them is read."""
        cuts, self._to_cut = self._to_cut, []
        return cuts

    # --- time

    @property
    def next_tick(self) -> int:
        """Return when `tick` has something to look at, in the time that is handed in."""
        return self._clock.outside(self._scan_at)

    def tick(self, now: int) -> None:
        """Do what is due: time-outs, absences, deadlines of tables, forgotten sessions."""
        now = self._clock.read(now)
        if now < self._scan_at:
            return
        for session in self.sessions.silent(now):
            self.sessions.disconnect(session)
            self.lobby.away(now, session)
        self.lobby.tick(now)
        self._scan_at = max(now + SCAN_MS, min(self.lobby.due, now + SWEEP_MS))

    # --- out

    def post(self, session: Session, data: bytes) -> None:
        """Keep a numbered message for a replay, and send it if the session is connected."""
        session.sent.append((session.seq, data))
        if not session.stalled:
            self._put_to(session, data)

    def close(self) -> None:
        """Tell every connection that the server ends."""
        for peer in self.sessions.by_peer:
            self._put(peer, encode(Goodbye(ErrorCode.DRAINING, "The server has been stopped.")))

    def stalled(self, peer: bytes) -> None:
        """Note that a connection takes no more; it gets a snapshot when it is heard again."""
        session = self.sessions.by_peer.get(peer)
        if session is not None:
            session.stalled = True

    def _put_to(self, session: Session, data: bytes) -> None:
        if session.peer is not None:
            self._put(session.peer, data)

    def _put(self, peer: bytes, data: bytes) -> None:
        self._outbox.setdefault(peer, []).append(data)

    def flush(self, now: int) -> list[Outgoing]:
        """Return every frame that is to be sent, one or a few for each connection."""
        self.lobby.tell(self._clock.read(now))
        outbox, self._outbox = self._outbox, {}
        return [
            Outgoing(peer, frame) for peer, items in outbox.items() for frame in frames_of(items)
        ]


def _table_of(request: Request) -> str | None:
    """Return the table that a request is about; `create` has options under that name."""
    table = getattr(request, "table", None)
    return table if isinstance(table, str) else None
