"""CURVE handshakes by their bytes: what a client sends for one, recorded or changed on its way."""

import select
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import zmq

from passing_link.keys import KeyPair

GREETING_BYTES = 64
HELLO_BYTES = 2 + 200
"""A frame of CURVE's HELLO (RFC 26 of ZeroMQ), with the two bytes before it."""

PATIENCE_S = 5.0
LOOK_S = 0.02
"""How long the server has to decide."""

_FIRST = GREETING_BYTES + HELLO_BYTES


@dataclass(frozen=True, slots=True)
class Handshake:
    """Hold what a client has sent until it could send messages, or until it was given up."""

    greeting: bytes
    hello: bytes
    initiate: bytes


def unchanged(initiate: bytes) -> bytes:
    """Let the last step of a handshake pass as it is."""
    return initiate


class Relay:
    """Stand between one client and a server until the client has sent all of a handshake."""

    def __init__(self, change: Callable[[bytes], bytes]) -> None:
        """Listen; `change` is done to the last step before it goes on."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._change = change
        self.port = int(self._listener.getsockname()[1])

    def run(self, address: tuple[str, int]) -> Handshake:
        """Carry bytes both ways, and return the client's; the connections are closed then."""
        with (
            self._listener,
            self._listener.accept()[0] as client,
            socket.create_connection(address, timeout=PATIENCE_S) as server,
        ):
            sent = b""
            passed = 0
            while not _is_whole(sent):
                ready, _, _ = select.select([client, server], [], [], PATIENCE_S)
                came = client.recv(4_096) if client in ready else None
                answered = server.recv(4_096) if server in ready else None
                if not ready or came == b"" or answered == b"":
                    break
                client.sendall(answered or b"")
                sent += came or b""
                server.sendall(sent[passed:_FIRST])
                passed = min(len(sent), _FIRST)
            shaken = _parted(sent)
            with suppress(OSError):  # it need not listen to the end
                server.sendall(self._change(shaken.initiate))
                select.select([server], [], [], LOOK_S)
            return shaken


def _is_whole(sent: bytes) -> bool:
    """Tell whether the last step is there, which is one frame with a short or a long length."""
    rest = sent[_FIRST:]
    if len(rest) < 9:
        return False
    if rest[0] & 2:
        return len(rest) >= 9 + int.from_bytes(rest[1:9])
    return len(rest) >= 2 + rest[1]


def _parted(sent: bytes) -> Handshake:
    return Handshake(sent[:GREETING_BYTES], sent[GREETING_BYTES:_FIRST], sent[_FIRST:])


def shake(
    address: tuple[str, int],
    server_key: str,
    own: KeyPair,
    change: Callable[[bytes], bytes] = unchanged,
) -> Handshake:
    """Let a client of ZeroMQ shake hands with a server, and return what it has sent for it."""
    relay = Relay(change)
    with zmq.Context() as context, context.socket(zmq.DEALER) as dealer:
        dealer.setsockopt(zmq.LINGER, 0)
        dealer.curve_serverkey = server_key.encode()
        dealer.curve_publickey = own.public.encode()
        dealer.curve_secretkey = own.secret.encode()
        dealer.connect(f"tcp://127.0.0.1:{relay.port}")
        return relay.run(address)


def recorded() -> Handshake:
    """Return a whole handshake with a server of its own, whose key nobody else has."""
    pair = KeyPair.new()
    with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
        router.setsockopt(zmq.LINGER, 0)
        router.curve_server = True
        router.curve_secretkey = pair.secret.encode()
        port = router.bind_to_random_port("tcp://127.0.0.1")
        return shake(("127.0.0.1", port), pair.public, KeyPair.new())
