"""Bytes of every kind at a real server's port, while two people play there.

A short run is in the tests; `python -m tests.e2e.garbage --tries 10000` is a long one.
"""

import argparse
import itertools
import random
import socket
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from passing_link.processes import ServerProcess
from passing_protocol.codec import encode
from passing_protocol.messages import Act, Create, Join, Ping, Ready, Update
from passing_protocol.views import GameOptions
from passing_protocol.wire import ActionMessage
from tests.support.sockets import RawClient, running_server

TRIES_A_ROUND: Final = 50
SIGNATURE: Final = b"\xff" + bytes(8) + b"\x7f"
NULL: Final = b"NULL" + bytes(48)
READY: Final = b"\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"


def framed(body: bytes, flags: int) -> bytes:
    """Return one frame of ZMTP 3; flag 1 says that more follow, 4 that it is a command."""
    if len(body) < 256:
        return bytes([flags, len(body)]) + body
    return bytes([flags | 2]) + len(body).to_bytes(8) + body


GREETING: Final = SIGNATURE + b"\x03\x00" + NULL
SHAKEN: Final = GREETING + framed(READY, 4)
"""What a peer of ZMTP 3 sends before its first message."""

BEGINNINGS: Final = {
    "nothing": b"",
    "zmtp 1.0": b"\x01\x00",
    "zmtp 1.0 with an identity": b"\x06\x00fiend",
    "zmtp 1.0 with a long length": b"\xff" + (6).to_bytes(8) + b"\x00fiend",
    "zmtp 2.0": SIGNATURE + b"\x01\x05\x00\x00",
    "zmtp 2.1": SIGNATURE + b"\x02\x05\x00\x00",
    "zmtp 2.0 with an identity": SIGNATURE + b"\x01\x05\x00\x05fiend",
    "zmtp 2.0 of another kind": SIGNATURE + b"\x01\x02\x00\x00",
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


def any_bytes(chance: random.Random) -> bytes:
    """Return bytes that now and then are almost right."""
    start = chance.choice(list(BEGINNINGS.values()))
    start = start[: chance.randint(0, len(start))] if chance.random() < 0.2 else start
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


def throw(server: ServerProcess, data: bytes, how: int = 0) -> None:
    """Send bytes over a connection of their own, and end it in one of three ways."""
    host, _, port = server.connection.address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=10) as stream:
        if how == 1:  # no goodbye: the other end gets a reset
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00" + bytes(4))
        try:
            stream.sendall(data)
            if how == 2:
                stream.shutdown(socket.SHUT_WR)
                stream.settimeout(0.02)
                stream.recv(4_096)
        except OSError:
            pass  # it has cut us off, which is its right


class Pair:
    """Two people at a table of their own, who only ever pass."""

    def __init__(self, first: RawClient, second: RawClient) -> None:
        """Seat them."""
        self._numbers = itertools.count(1)
        self._clients = (first, second)
        first.hello("Ann")
        second.hello("Bo")
        number = next(self._numbers)
        first.request(Create(number, "kitchen", GameOptions(seats=2, target=9_999)))
        self._table = first.expect_answer(number).table
        number = next(self._numbers)
        second.request(Join(number, self._table))
        second.expect_answer(number)

    def play_round(self) -> None:
        """Play a whole round; fails when anything does not come as it should."""
        for client in self._clients:
            client.request(Ready(next(self._numbers), self._table))
        turns = dict(enumerate(map(self._begun, self._clients)))
        seat = next(seat for seat, update in turns.items() if update.ask is not None)
        ask = turns[seat].ask
        for step in range(2):
            client = self._clients[seat]
            if step:
                ask = client.expect_turn().ask
            assert ask is not None
            number = next(self._numbers)
            client.request(Act(number, self._table, ask.turn, ActionMessage(pass_=True)))
            client.expect_answer(number)
            seat = 1 - seat

    def _begun(self, client: RawClient) -> Update:
        while True:
            update = client.expect(Update)
            if any(type(event).__name__ == "RoundBegan" for event in update.events):
                return update


@contextmanager
def playing(server: ServerProcess) -> Generator[Pair]:
    """Give two people who play at a server."""
    address = server.connection.address
    with RawClient(address) as first, RawClient(address) as second:
        yield Pair(first, second)


def bombard(server: ServerProcess, tries: int, seed: int) -> None:
    """Throw so many strings of bytes; people play on, and the server ends in good order."""
    chance = random.Random(seed)  # it guards nothing
    with playing(server) as pair:
        for number in range(tries):
            throw(server, any_bytes(chance), chance.randrange(3))
            if number % TRIES_A_ROUND == 0:
                pair.play_round()
        pair.play_round()
    assert server.exit_code is None


def main() -> None:
    """Read the arguments and bombard a server."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.garbage", description=__doc__)
    parser.add_argument("--tries", type=int, default=10_000, help="how many strings of bytes")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other bytes")
    arguments = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name, running_server(Path(name) / "state") as server:
        bombard(server, arguments.tries, arguments.seed)
    seconds = time.monotonic() - began
    sys.stdout.write(f"{arguments.tries} strings of bytes: the match went on, {seconds:.0f} s\n")


if __name__ == "__main__":
    main()
