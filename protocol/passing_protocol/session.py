"""The client's session across its connections (`session_states` has the states of both ends).

A session outlives its connections: `hello` on a new one goes on with it. Nothing here sends or
waits: bytes come in and go out as values.
"""

from typing import Final

from msgspec.structs import replace

from passing_protocol.codec import CodecError, decode_server, encode
from passing_protocol.errors import MEANINGS, ErrorCode
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    Agent,
    Batch,
    Caps,
    Contribute,
    Enrolled,
    Goodbye,
    Hello,
    Invited,
    Left,
    LinkWanted,
    Numbered,
    Ok,
    Ping,
    Pong,
    Refused,
    Request,
    Resume,
    Resync,
    ServerMessage,
    TipsOffered,
    Welcome,
)
from passing_protocol.session_states import (
    ClientState,
    RemoteProtocolError,
    advance,
)

UNASKED: Final = (Invited, Left, Contribute, TipsOffered, LinkWanted)
"""The numbered messages that answer no request."""


AGAIN_AT_ONCE: Final = 64
"""How many requests without an answer are sent again before one of them is answered."""

HELD_LIMIT: Final = 8 * 2**20
"""Bytes a client keeps of messages that came after a gap; a server never has so many unsent."""


class ClientSession:
    """Run the client's end of one session across any number of connections.

    For each connection send what `connect` returns, hand what comes in to `receive`, and send
    what `outgoing` returns after it. `welcome` is the newest one, `seq` the last message of
    the session that was handed out, `dropped` the ids of the requests that a server which began
    a new session will never answer.
    """

    def __init__(
        self, name: str, agent: Agent, caps: Caps | None = None, token: str | None = None
    ) -> None:
        """Start without a session; `token` is one of the server's connection file."""
        self.state = ClientState.IDLE
        self.welcome: Welcome | None = None
        self.seq = 0
        self.dropped: tuple[int, ...] = ()
        self._name = name
        self._agent = agent
        self._caps = caps if caps is not None else Caps()
        self._token = token
        self._resumable = False
        self._last_id = 0
        self._pending: dict[int, tuple[Request, bytes]] = {}
        self._outgoing: list[bytes] = []
        self._again: list[int] = []
        self._resync_id: int | None = None
        self._held: dict[int, tuple[Numbered, int]] = {}  # by seq, with their bytes
        self._held_bytes = 0

    @property
    def epoch(self) -> int:
        """Return which life of the server the session was last in, 0 before the first."""
        return self.welcome.epoch if self.welcome is not None else 0

    @property
    def unanswered(self) -> list[bytes]:
        """Return the requests without an answer, the first one first.

        `ping` and `resync` are left out: they are about one connection.
        """
        return [
            data
            for request, data in self._pending.values()
            if not isinstance(request, Ping | Resync)
        ]

    def _send_again(self) -> None:
        """Queue the requests without an answer, so many of them that a server can bear it.

        A client whose requests were too many is cut, and would be cut again for sending them all
        at once: more go out when these are answered.
        """
        self._again = [
            number
            for number, (request, _) in self._pending.items()
            if not isinstance(request, Ping | Resync)
        ][::-1]
        for _ in range(AGAIN_AT_ONCE):
            self._send_one_again()

    def _send_one_again(self) -> None:
        """Queue the next request that was not sent again yet and is not answered meanwhile."""
        while self._again:
            pending = self._pending.get(self._again.pop())
            if pending is not None:
                self._outgoing.append(pending[1])
                return

    # --- what goes out ----------------------------------------------------------------------

    def connect(self) -> bytes:
        """Return the `hello` for a new connection; it names the session that is to go on."""
        self.state = advance(self.state, "hello")
        self._outgoing.clear()
        self._again.clear()
        self._forget_gap()
        welcome = self.welcome if self._resumable else None
        return encode(
            Hello(
                protocol=(PROTOCOL_VERSION, PROTOCOL_VERSION),
                name=self._name,
                agent=self._agent,
                caps=self._caps,
                token=self._token,
                resume=Resume(welcome.resume_token, welcome.epoch, self.seq) if welcome else None,
            )
        )

    def request(self, message: Request) -> tuple[int, bytes]:
        """Give a request the next id and return that and its bytes.

        Raises LocalProtocolError when no session is open.
        """
        self.state = advance(self.state, str(message.__struct_config__.tag))
        self._last_id += 1
        numbered = replace(message, id=self._last_id)
        data = encode(numbered)
        self._pending[self._last_id] = (numbered, data)
        return self._last_id, data

    def outgoing(self) -> list[bytes]:
        """Return, once, what the session itself wants sent."""
        waiting, self._outgoing = self._outgoing, []
        return waiting

    def _resync(self) -> None:
        if self._resync_id is None:
            self._resync_id, data = self.request(Resync(0, self.seq))
            self._outgoing.append(data)

    # --- what comes in ----------------------------------------------------------------------

    def receive(self, data: bytes) -> list[ServerMessage]:
        """Return the new messages of a frame in order: repeated ones dropped, none after a gap.

        What comes after a gap is kept back until the server has filled it, for which a `resync`
        is queued. Raises RemoteProtocolError when the frame or a message breaks the protocol.
        """
        try:
            messages = decode_server(data)
        except CodecError as error:
            raise RemoteProtocolError(error.code, error.detail) from None
        arrived: list[ServerMessage] = []
        is_back = False
        for message in messages:
            self.state = advance(self.state, str(message.__struct_config__.tag))
            match message:
                case Welcome():
                    self._welcomed(message)
                    arrived.append(message)
                    is_back = message.resumed
                case Refused() | Enrolled():
                    arrived.append(message)
                case Goodbye():
                    self._ended(message)
                    arrived.append(message)
                case Pong():
                    self._settle(message.re)
                    arrived.append(message)
                    if message.seq > self.seq:
                        self._resync()
                case Batch():  # pragma: no cover (decode_server has unpacked it)
                    pass
                case _:
                    self._take(message, arrived)
        if is_back:  # with the welcome came what was missed, and answers in it
            self._send_again()
        return arrived

    def _welcomed(self, welcome: Welcome) -> None:
        """Go on with the session, or begin a new one in which nothing is asked or seated yet."""
        if welcome.protocol != PROTOCOL_VERSION:
            raise RemoteProtocolError(
                ErrorCode.VERSION,
                f"protocol: {welcome.protocol}: only {PROTOCOL_VERSION} was offered.",
            )
        if welcome.resumed and not self._resumable:
            raise RemoteProtocolError(ErrorCode.MALFORMED, "resumed: true: none was named.")
        self.dropped = ()
        if not welcome.resumed:
            self.dropped = tuple(self._pending)
            self._pending.clear()
        if not welcome.resumed or welcome.epoch != self.epoch:
            self.seq = 0
        self._drop_connection_requests()
        self.welcome = welcome
        self._resumable = True

    def _drop_connection_requests(self) -> None:
        for number, (request, _) in list(self._pending.items()):
            if isinstance(request, Ping | Resync):
                del self._pending[number]

    def _ended(self, goodbye: Goodbye) -> None:
        """Forget the session, unless the server may go on with it later."""
        if goodbye.code is None or not MEANINGS[goodbye.code].retry:
            self._resumable = False
        if goodbye.re is not None:
            self._settle(goodbye.re)

    def _settle(self, request_id: int) -> None:
        if request_id > self._last_id:
            raise RemoteProtocolError(
                ErrorCode.MALFORMED, f"re: {request_id}: the last request is {self._last_id}."
            )
        if self._pending.pop(request_id, None) is not None:
            self._send_one_again()

    def _take(self, message: Numbered, arrived: list[ServerMessage]) -> None:
        """Hand a numbered message out if it is the next one, keep it if it is a later one.

        An answer given again has its old number, and is news to a client that has not had it.
        """
        if message.seq <= self.seq and _re(message) in self._pending:
            self._answered(message, arrived)
        elif message.seq == self.seq + 1:
            self._hand_out(message, arrived)
            self._hand_out_held(arrived)
        elif message.seq > self.seq:
            self._hold(message)
            self._resync()
        if self._resync_id is not None and _re(message) == self._resync_id:
            self._resynced(self._resync_id, isinstance(message, Ok), arrived)

    def _hand_out(self, message: Numbered, arrived: list[ServerMessage]) -> None:
        self.seq = message.seq
        self._answered(message, arrived)

    def _answered(self, message: Numbered, arrived: list[ServerMessage]) -> None:
        request_id = _re(message)
        if request_id is not None:
            self._settle(request_id)
        arrived.append(message)

    def _hand_out_held(self, arrived: list[ServerMessage]) -> None:
        while (held := self._held.pop(self.seq + 1, None)) is not None:
            message, size = held
            self._held_bytes -= size
            self._hand_out(message, arrived)

    def _hold(self, message: Numbered) -> None:
        """Keep a message once, however often it comes, and count its own bytes alone."""
        if message.seq in self._held:
            return
        size = len(encode(message))
        self._held_bytes += size
        if self._held_bytes > HELD_LIMIT:
            raise RemoteProtocolError(ErrorCode.TOO_LARGE, "A gap in seq was never filled.")
        self._held[message.seq] = (message, size)

    def _resynced(self, resync_id: int, filled: bool, arrived: list[ServerMessage]) -> None:
        """Hand out all that was kept: what is still missing is covered by snapshots.

        Only an answer may be missing then, so requests without one are sent again. A `resync`
        that was refused has filled nothing; the next message asks again.
        """
        if filled and self._held:
            for seq in sorted(self._held):
                self._hand_out(self._held[seq][0], arrived)
            self._send_again()
        self._pending.pop(resync_id, None)
        self._forget_gap()

    def _forget_gap(self) -> None:
        self._held.clear()
        self._held_bytes = 0
        self._resync_id = None


def _re(message: Numbered) -> int | None:
    """Return the id of the request that a message answers."""
    return None if isinstance(message, UNASKED) else message.re
