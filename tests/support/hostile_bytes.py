"""Bytes that no good client sends, of every kind: what `tests.e2e.garbage` throws at a server."""

import random
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Final

import msgpack
import zmq

from passing_link.keys import KeyPair
from passing_protocol.codec import encode
from passing_protocol.discovery import DATAGRAM_BYTES, query
from passing_protocol.messages import Agent, Enrol, Hello, Ping, Resume
from tests.support.handshakes import Handshake, recorded, shake
from tests.support.protocol.bad_frames import BAD_FRAMES
from tests.support.protocol.samples import CLIENT

AGENT: Final = Agent("fiend", "1")
SIGNATURE: Final = b"\xff" + bytes(8) + b"\x7f"
NULL: Final = b"NULL" + bytes(48)
READY: Final = b"\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
LOOK_MS: Final = 5
"""How long is looked whether anything comes back."""

STORM: Final = 24
"""Connections at once."""

FLOOD: Final = 500
"""Requests at once, more than anybody is let."""


def framed(body: bytes, flags: int) -> bytes:
    """Return one frame of ZMTP 3; flag 1 says that more follow, 4 that it is a command."""
    if len(body) < 256:
        return bytes([flags, len(body)]) + body
    return bytes([flags | 2]) + len(body).to_bytes(8) + body


GREETING: Final = SIGNATURE + b"\x03\x00" + NULL
SHAKEN: Final = GREETING + framed(READY, 4)
"""What a peer of ZMTP 3 sends before its first message."""

OLD: Final = {
    "zmtp 1.0": b"\x01\x00",
    "zmtp 1.0 with an identity": b"\x06\x00fiend",
    "zmtp 1.0 with a long length": b"\xff" + (6).to_bytes(8) + b"\x00fiend",
    "zmtp 2.0": SIGNATURE + b"\x01\x05\x00\x00",
    "zmtp 2.1": SIGNATURE + b"\x02\x05\x00\x00",
    "zmtp 2.0 with an identity": SIGNATURE + b"\x01\x05\x00\x05fiend",
    "zmtp 2.0 of another kind": SIGNATURE + b"\x01\x02\x00\x00",
}
BEGINNINGS: Final = {
    "nothing": b"",
    **OLD,
    "zmtp 3.0, half a greeting": SIGNATURE + b"\x03",
    "zmtp 3.0, a greeting": GREETING,
    "zmtp 3.0": SHAKEN,
    "zmtp 3.1": SIGNATURE + b"\x03\x01" + NULL + framed(READY, 4),
    "zmtp 3.0 without properties": GREETING + framed(b"\x05READY", 4),
    "zmtp 3.0 with a ping": SHAKEN + framed(b"\x04PING\x00\x01x", 4),
    "zmtp 9.9": SIGNATURE + b"\x09\x09" + NULL + framed(READY, 4),
    "curve": SIGNATURE + b"\x03\x00CURVE" + bytes(47),
}
PAYLOADS: Final = {
    "nothing": b"",
    "five bytes": b"\x02\x00x",
    "a message": framed(b"x", 0),
    "an empty message": framed(b"", 0),
    "a ping": framed(encode(Ping(1)), 0),
    "two frames": framed(b"x", 1) + framed(b"y", 0),
    "an unfinished message": framed(bytes(4_000), 1) * 3,
    "too long a frame": framed(bytes(5_000), 0),
    "a length without end": b"\x02" + b"\xff" * 8,
    "an unknown command": framed(b"\x04WHAT", 4),
    "reserved flags": b"\xf8\x01x",
}
TLS_HELLO: Final = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
FRAMES: Final = [*map(encode, CLIENT.values()), *(bad.data for bad in BAD_FRAMES)]


@dataclass(frozen=True, slots=True)
class Mark:
    """Hold what is thrown at: an address, the server's key, and a handshake to begin with.

    Without a key the handshake is one for another server.
    """

    address: tuple[str, int]
    server_key: str | None
    handshake: Handshake

    @classmethod
    def of(cls, address: str, server_key: str | None) -> "Mark":
        """Return the mark that a server is; one with a key is shaken hands with, and denies it."""
        host, _, port = address.rpartition(":")
        place = (host, int(port))
        shaken = shake(place, server_key, KeyPair.new()) if server_key else recorded()
        return cls(place, server_key, shaken)


def throw(address: tuple[str, int], data: bytes, how: int = 0) -> None:
    """Send bytes over a connection of their own, and end it in one of three ways.

    After a whole greeting the other end is waited for: what comes earlier it need not read.
    """
    with socket.create_connection(address, timeout=10) as stream:
        if how == 1:  # no goodbye: the other end gets a reset
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00" + bytes(4))
        with suppress(OSError):  # it has cut us off, which is its right
            if data.startswith(SHAKEN):
                stream.sendall(SHAKEN)
                await_ready(stream)
                data = data.removeprefix(SHAKEN)
            stream.sendall(data)
            if how == 2:
                stream.shutdown(socket.SHUT_WR)
                stream.settimeout(LOOK_MS / 1_000)
                stream.recv(4_096)


def await_ready(stream: socket.socket) -> None:
    """Wait until the other end has shaken hands, or has hung up."""
    heard = 0
    while heard <= len(GREETING):
        more = len(stream.recv(4_096))
        if not more:
            return
        heard += more


def _part(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randint(0, len(data))]


def _bent(data: bytes, chance: random.Random) -> bytes:
    """Return bytes of which one to four have been changed."""
    bent = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        bent[chance.randrange(len(bent))] = chance.randrange(256)
    return bytes(bent)


def any_bytes(chance: random.Random) -> bytes:
    """Return bytes that now and then are almost right."""
    start = chance.choice(list(BEGINNINGS.values()))
    start = _part(start, chance) if chance.random() < 0.2 else start
    parts = [
        chance.choice(
            (
                chance.choice(list(PAYLOADS.values())),
                chance.randbytes(chance.choice((1, 5, 40, 400))),
                framed(chance.randbytes(chance.choice((0, 1, 60, 300))), chance.choice((0, 1, 4))),
            )
        )
        for _ in range(chance.randint(0, 4))
    ]
    return start + b"".join(parts)


def _anything(_: Mark, chance: random.Random) -> bytes:
    return any_bytes(chance)


def _http(_: Mark, chance: random.Random) -> bytes:
    verb = chance.choice(
        (b"GET /", b"POST /a?b=%00", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"OPTIONS *")
    )
    head = b" HTTP/1.1\r\nHost: den\r\nUpgrade: websocket\r\nX: " + b"x" * chance.randint(0, 9_000)
    return _part(verb + head + b"\r\n\r\n", chance)


def _tls(_: Mark, chance: random.Random) -> bytes:
    return TLS_HELLO + chance.randbytes(chance.choice((0, 32, 500, 17_000)))


def _ssh(_: Mark, chance: random.Random) -> bytes:
    return b"SSH-2.0-OpenSSH_9.2\r\n" + chance.randbytes(chance.choice((0, 40, 2_000)))


def _old_zmtp(_: Mark, chance: random.Random) -> bytes:
    hello = encode(Hello((0, 0), "fiend", AGENT))
    said = b"\x00" + bytes([min(255, len(hello))]) + hello
    payload = chance.choice(
        [*PAYLOADS.values(), said, bytes([len(hello) % 255 + 1]) + b"\x00" + hello]
    )
    return chance.choice(list(OLD.values())) + payload


def _half_handshake(mark: Mark, chance: random.Random) -> bytes:
    shaken = mark.handshake
    whole = chance.choice((SHAKEN, shaken.greeting + shaken.hello + shaken.initiate))
    return _part(whole, chance)


def _curve_hello(mark: Mark, chance: random.Random) -> bytes:
    """Bend the first step of a handshake, or cut it off, or say it several times."""
    shaken = mark.handshake
    hello = chance.choice(
        (
            _bent(shaken.hello, chance),
            _part(shaken.hello, chance),
            shaken.hello * 3,
            framed(_bent(shaken.hello[2:], chance), 4),
            framed(shaken.hello[2:] + bytes(50), 4),
        )
    )
    return shaken.greeting + hello


def _curve_initiate(mark: Mark, chance: random.Random) -> bytes:
    """Send the last step of another handshake, whole or bent, with and without the first."""
    shaken = mark.handshake
    first = chance.choice((shaken.hello, b""))
    last = chance.choice((shaken.initiate, _bent(shaken.initiate, chance), framed(bytes(300), 4)))
    return shaken.greeting + first + last + framed(b"\x07MESSAGE" + bytes(80), 0)


def _oversized(_: Mark, chance: random.Random) -> bytes:
    length = chance.choice((4_097, 5_000, 70_000))
    claimed = b"\x02" + chance.choice((2**31, 2**63 - 1, 2**64 - 1)).to_bytes(8)
    return SHAKEN + chance.choice((framed(bytes(length), 0), claimed + bytes(length)))


def _endless(_: Mark, chance: random.Random) -> bytes:
    return SHAKEN + framed(bytes(chance.randint(0, 4_000)), 1) * 64


def _frames(_: Mark, chance: random.Random) -> bytes:
    frames = chance.choices(FRAMES, k=8)
    bent = [_bent(data, chance) if data and chance.random() < 0.5 else data for data in frames]
    return SHAKEN + b"".join(framed(data, 0) for data in bent)


def _flood(_: Mark, chance: random.Random) -> bytes:
    hello = framed(encode(Hello((0, 0), "flood", AGENT)), 0) * chance.randint(0, 2)
    return SHAKEN + hello + framed(encode(Ping(chance.randint(0, 9))), 0) * FLOOD


def _guessed_token(_: Mark, chance: random.Random) -> bytes:
    guesses = [
        Hello((0, 0), "guess", AGENT, token=chance.randbytes(16).hex()),
        Hello((0, 0), "guess", AGENT, resume=Resume(chance.randbytes(32).hex(), 1, 0)),
    ]
    return SHAKEN + b"".join(framed(encode(chance.choice(guesses)), 0) for _ in range(10))


BYTES: Final[dict[str, Callable[[Mark, random.Random], bytes]]] = {
    "anything": _anything,
    "HTTP": _http,
    "TLS": _tls,
    "SSH": _ssh,
    "old ZMTP": _old_zmtp,
    "half handshakes": _half_handshake,
    "CURVE hello, mangled": _curve_hello,
    "CURVE initiate, stale or mangled": _curve_initiate,
    "oversized": _oversized,
    "endless": _endless,
    "bad frames": _frames,
    "floods": _flood,
    "guessed tokens": _guessed_token,
}
"""What is sent on a connection of its own."""


def _thrown(mark: Mark, chance: random.Random, name: str) -> None:
    throw(mark.address, BYTES[name](mark, chance), chance.randrange(3))


def _storm(mark: Mark, chance: random.Random) -> None:
    """Open many connections at once and say little on each."""
    with ExitStack() as stack:
        for _ in range(STORM):
            stream = stack.enter_context(socket.create_connection(mark.address, timeout=10))
            with suppress(OSError):
                stream.sendall(_part(SHAKEN, chance))


def _bent_on_the_way(mark: Mark, chance: random.Random) -> None:
    """Let a client shake hands and bend the last step, for which its key is right."""
    if mark.server_key is not None:
        shake(mark.address, mark.server_key, KeyPair.new(), lambda data: _bent(data, chance))


def _stranger(mark: Mark, chance: random.Random) -> None:
    """Come with a key of one's own, as who guesses a code does, and say what opens a session."""
    own = KeyPair.of_secret(chance.randbytes(32))
    with zmq.Context() as context, context.socket(zmq.DEALER) as dealer:
        dealer.setsockopt(zmq.LINGER, 0)
        dealer.curve_serverkey = (mark.server_key or KeyPair.new().public).encode()
        dealer.curve_publickey = own.public.encode()
        dealer.curve_secretkey = own.secret.encode()
        dealer.connect("tcp://{}:{}".format(*mark.address))
        for message in (Enrol((0, 0), own.public, "guess"), Hello((0, 0), "guess", AGENT)):
            with suppress(zmq.Again):  # one that is refused has nobody to send to
                dealer.send(encode(message), zmq.NOBLOCK)
        assert not dealer.poll(LOOK_MS), "a stranger was answered"


def _datagrams(mark: Mark, chance: random.Random) -> None:
    asked = query(chance.randbytes(16).hex())
    family = socket.AF_INET6 if ":" in mark.address[0] else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as stream:
        for data in (
            asked,
            _bent(asked, chance),
            _part(asked, chance),
            chance.randbytes(DATAGRAM_BYTES),
            msgpack.packb({"passing": "find", "nonce": "x" * 490}),
            b"\x91" * DATAGRAM_BYTES,
        ):
            with suppress(OSError):  # nobody need be there
                stream.sendto(data, mark.address)


Kind = Callable[[Mark, random.Random], None]


def _kind(name: str) -> Kind:
    return lambda mark, chance: _thrown(mark, chance, name)


KINDS: Final[dict[str, Kind]] = {
    **{name: _kind(name) for name in BYTES},
    "CURVE initiate, bent on the way": _bent_on_the_way,
    "strangers and guessed codes": _stranger,
    "connection storms": _storm,
    "datagrams": _datagrams,
}
"""Every kind of attack: one try each."""
