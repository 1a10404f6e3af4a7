"""One attempt at one connection over ZeroMQ: a DEALER and its monitor, both never waiting.

Each attempt gets a socket of its own, so nothing that was meant for a lost connection can wait
in a queue and act itself out after a restart of the server.
"""

import itertools
from enum import StrEnum
from typing import Final

import zmq
from zmq.utils.monitor import recv_monitor_message

from passing_link.keys import Security
from passing_protocol.limits import SERVER_FRAME_LIMIT

HEARTBEAT_MS: Final = 2_000
SILENCE_MS: Final = 6_000
HANDSHAKE_MS: Final = 3_000
LINGER_MS: Final = 500
"""How long a closed socket goes on to deliver what was sent."""

NEVER_MS: Final = 3_600_000
"""When ZeroMQ would connect again by itself: long after the line has closed the socket."""

_OPTIONS: Final = {
    # With 1, or where connecting again is forbidden, ZeroMQ drops what has come and is not read
    # yet when a connection breaks: the last answers of a server that ends, and its goodbye.
    zmq.IMMEDIATE: 0,
    zmq.RECONNECT_IVL: NEVER_MS,
    zmq.IPV6: 1,
    zmq.MAXMSGSIZE: SERVER_FRAME_LIMIT,
    zmq.LINGER: LINGER_MS,
    zmq.HEARTBEAT_IVL: HEARTBEAT_MS,
    zmq.HEARTBEAT_TIMEOUT: SILENCE_MS,
    zmq.HEARTBEAT_TTL: SILENCE_MS,
    zmq.HANDSHAKE_IVL: HANDSHAKE_MS,
}

_numbers = itertools.count()
_IN: Final = int(zmq.POLLIN)


class Sign(StrEnum):
    """Name what the socket's monitor shows of an attempt.

    A server with another key than ours for it is NOT_ZMTP too: it hangs up in the handshake.
    """

    REACHED = "reached"
    AGREED = "agreed"
    NOT_ZMTP = "not_zmtp"
    OTHER_SECURITY = "other_security"
    NOT_LET_IN = "not_let_in"
    SILENT = "silent"
    CLOSED = "closed"


_SIGNS: Final[dict[zmq.Event, Sign]] = {
    zmq.Event.CONNECTED: Sign.REACHED,
    zmq.Event.HANDSHAKE_SUCCEEDED: Sign.AGREED,
    zmq.Event.HANDSHAKE_FAILED_NO_DETAIL: Sign.NOT_ZMTP,
    zmq.Event.HANDSHAKE_FAILED_PROTOCOL: Sign.NOT_ZMTP,
    zmq.Event.HANDSHAKE_FAILED_AUTH: Sign.NOT_LET_IN,
    zmq.Event.CLOSED: Sign.CLOSED,
    zmq.Event.DISCONNECTED: Sign.CLOSED,
}


def sign_of(event: zmq.Event, value: int) -> Sign:
    """Return what a monitor event means; `value` tells which handshake error it was."""
    if event is zmq.Event.HANDSHAKE_FAILED_PROTOCOL and (
        value == zmq.PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH
    ):
        return Sign.OTHER_SECURITY
    if event is zmq.Event.HANDSHAKE_FAILED_NO_DETAIL and value == zmq.EAGAIN:
        return Sign.SILENT  # there was nothing to read when the time for the handshake was over
    return _SIGNS[event]


def _can_read(socket: zmq.Socket[bytes]) -> bool:
    """Tell whether a message waits; asking costs half of what `zmq.Again` does."""
    return bool(int(socket.getsockopt(zmq.EVENTS)) & _IN)


class Transport:
    """Carry frames to and from one endpoint over one socket; all calls return at once."""

    def __init__(self, endpoint: str, security: Security | None = None) -> None:
        """Begin to connect to an endpoint (`tcp://HOST:PORT`); raises zmq.ZMQError.

        With a `security` all is encrypted, and nothing is sent before the server has proved to
        have its key; without one nothing is encrypted.
        """
        context = zmq.Context[zmq.Socket[bytes]].instance()
        self.socket = context.socket(zmq.DEALER)
        for option, value in _OPTIONS.items():
            self.socket.set(option, value)
        if security is not None:
            self.socket.set(zmq.CURVE_SERVERKEY, security.server_key.encode())
            self.socket.set(zmq.CURVE_PUBLICKEY, security.own.public.encode())
            self.socket.set(zmq.CURVE_SECRETKEY, security.own.secret.encode())
        name = f"inproc://passing-link-{next(_numbers)}"
        events = 0
        for event in _SIGNS:
            events |= event
        self.socket.monitor(name, events)
        self.monitor = context.socket(zmq.PAIR)
        self.monitor.set(zmq.LINGER, 0)
        self.monitor.connect(name)
        self.socket.connect(endpoint)

    @property
    def descriptors(self) -> tuple[int, ...]:
        """Return what can be read when something has happened and `frames`, `signs` are due."""
        return self.socket.fileno(), self.monitor.fileno()

    def signs(self) -> list[Sign]:
        """Return what the monitor has seen since the last call, in order."""
        signs: list[Sign] = []
        while _can_read(self.monitor):
            message = recv_monitor_message(self.monitor, zmq.NOBLOCK)
            signs.append(sign_of(zmq.Event(message["event"]), message["value"]))
        return signs

    def frames(self) -> list[bytes]:
        """Return the frames that have come; a message of several frames is no message of ours."""
        frames: list[bytes] = []
        while _can_read(self.socket):
            parts = self.socket.recv_multipart(zmq.NOBLOCK)
            if len(parts) == 1:
                frames.append(parts[0])
        return frames

    def send(self, frame: bytes) -> bool:
        """Send a frame; returns False where the socket takes none at the moment.

        What is sent while there is no connection is lost.
        """
        try:
            self.socket.send(frame, zmq.NOBLOCK)
        except zmq.Again:
            return False
        return True

    def close(self) -> None:
        """Close both sockets; what was sent goes on its way for up to LINGER_MS."""
        self.socket.disable_monitor()
        self.monitor.close()
        self.socket.close()
