"""A real server process and raw sockets for tests that go over the network's own bytes."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import msgspec
import zmq

from passing_link.keys import Security
from passing_link.processes import ServerProcess, start_server
from passing_protocol.codec import decode_server, encode
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    Agent,
    Caps,
    Hello,
    Request,
    Resume,
    ServerMessage,
    Update,
    Welcome,
)

PATIENCE_MS = 10_000
AGENT = Agent(name="raw", version="1")
Kind = TypeVar("Kind", bound=msgspec.Struct)


@contextmanager
def running_server(state: Path, arguments: Sequence[str] = ()) -> Generator[ServerProcess]:
    """Run `passing serve` on a free port of this machine."""
    server = start_server(state, arguments)
    try:
        yield server
    finally:
        server.stop()


class RawClient:
    """Speak to a server through a bare DEALER, message by message, right or wrong."""

    def __init__(
        self, address: str, routing_id: bytes | None = None, security: Security | None = None
    ) -> None:
        """Connect; nothing is sent yet."""
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.IPV6, 1)
        if routing_id is not None:
            self._socket.setsockopt(zmq.ROUTING_ID, routing_id)
        if security is not None:
            self._socket.curve_serverkey = security.server_key.encode()
            self._socket.curve_publickey = security.own.public.encode()
            self._socket.curve_secretkey = security.own.secret.encode()
        self._socket.connect(f"tcp://{address}")
        self._monitor: zmq.Socket[bytes] | None = None
        self._inbox: list[ServerMessage] = []
        self.frames: list[bytes] = []

    def send(self, *frames: bytes) -> None:
        """Send frames as one message."""
        self._socket.send_multipart(frames)

    def watch_for_cut(self) -> None:
        """Begin to note whether the other end closes the connection."""
        self._monitor = self._socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)

    def was_cut(self) -> bool:
        """Tell whether the other end has closed the connection, or does so soon."""
        assert self._monitor is not None
        return bool(self._monitor.poll(PATIENCE_MS))

    def request(self, request: Request) -> None:
        """Send a request as it is, its id included."""
        self.send(encode(request))

    def greet(self, name: str, *, token: str | None = None, tables: int = 0) -> None:
        """Greet, and leave it open what is answered."""
        versions = (PROTOCOL_VERSION, PROTOCOL_VERSION)
        self.send(encode(Hello(versions, name, AGENT, Caps(tables=tables), token)))

    def hello(self, name: str, *, token: str | None = None, tables: int = 0) -> Welcome:
        """Greet, and return the welcome."""
        self.greet(name, token=token, tables=tables)
        return self.expect(Welcome)

    def resume(self, name: str, welcome: Welcome, seq: int = 0) -> Welcome:
        """Go on with a session on this connection, and return the new welcome."""
        versions = (PROTOCOL_VERSION, PROTOCOL_VERSION)
        resume = Resume(welcome.resume_token, welcome.epoch, seq)
        self.send(encode(Hello(versions, name, AGENT, resume=resume)))
        return self.expect(Welcome)

    def heard(self, wait_ms: int) -> ServerMessage | None:
        """Return the next message, None when nothing comes in time."""
        if not self._inbox and self._socket.poll(wait_ms):
            data = self._socket.recv()
            self.frames.append(data)
            self._inbox.extend(decode_server(data))
        return self._inbox.pop(0) if self._inbox else None

    def expect(self, kind: type[Kind]) -> Kind:
        """Return the next message of that type, dropping others before it."""
        while True:
            message = self.heard(PATIENCE_MS)
            assert message is not None, f"no {kind.__name__} came"
            if isinstance(message, kind):
                return message

    def expect_answer(self, number: int) -> Update:
        """Return the update that answers a request, dropping what comes before it."""
        while True:
            update = self.expect(Update)
            if update.re == number:
                return update

    def expect_turn(self) -> Update:
        """Return the next update that asks for an action."""
        while True:
            update = self.expect(Update)
            if update.ask is not None:
                return update

    def close(self) -> None:
        """Let go of the socket without a word."""
        if self._monitor is not None:
            self._socket.disable_monitor()
            self._monitor.close()
        self._socket.close()
        self._context.term()

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the socket."""
        self.close()
