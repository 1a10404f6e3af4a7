"""What the loop reads is of the connection that sent it, and who comes in waits for what is unread.

Everything runs in one process, turn by turn, over real connections.
"""

import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from passing_protocol.codec import encode
from passing_protocol.messages import PROTOCOL_VERSION, Agent, Hello, Ping
from passing_server import loop as loops
from passing_server.access import Access
from passing_server.limits import DRAIN, EXCESS_BURST, LIMITS, READ_FIRST
from passing_server.loop import Loop, listening
from passing_server.origins import News
from tests.support.hostile_bytes import GREETING, READY, SHAKEN, framed
from tests.support.lan import counted_entropy, new_server
from tests.support.memory_store import MemoryStore

TURNS = 400
LOOK_S = 0.05
"""How long ZeroMQ has to send what a turn has caused; a turn without any takes as long."""

FLOODED = 16 * (LIMITS.burst + EXCESS_BURST)
FLOOD = framed(encode(Ping(1)), 0) * FLOODED
HELLO = framed(encode(Hello((PROTOCOL_VERSION, PROTOCOL_VERSION), "Bo", Agent("raw", "1"))), 0)


class Table:
    """Hold a loop that goes on by a turn when told, and connections to it."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        listens = stack.enter_context(listening("127.0.0.1", 0))
        self._port, self._gate = listens.port, listens.gate
        server = new_server("den", Access({}), counted_entropy("turns"), 1, MemoryStore())
        self._cuts: list[int] = []
        self.loop = Loop(server, listens, lambda _now, cuts: self._cuts.append(cuts))

    @property
    def cuts(self) -> int:
        """How many connections were cut."""
        return sum(self._cuts)

    def knock(self) -> socket.socket:
        """Connect and shake hands as far as goes without the loop: it is asked then."""
        stream = self._stack.enter_context(
            socket.create_connection(("127.0.0.1", self._port), timeout=10)
        )
        stream.sendall(SHAKEN)
        heard = 0
        while heard < len(GREETING):
            heard += len(stream.recv(len(GREETING) - heard))
        assert self._gate.socket.poll(10_000)
        stream.setblocking(False)
        return stream

    def turns_until(self, stream: socket.socket, wanted: bytes) -> bytes:
        """Let the loop go on until a connection hears that, and return all that it heard."""
        heard = b""
        for _ in range(TURNS):
            self.loop.turn()
            if not select.select([stream], [], [], LOOK_S)[0]:
                continue
            more = stream.recv(65_536)
            assert more, "it was closed"
            heard += more
            if wanted in heard:
                return heard
        raise AssertionError(f"only this was heard: {heard!r}")

    def come_in(self) -> socket.socket:
        """Return a connection that may speak."""
        stream = self.knock()
        self.turns_until(stream, READY[:6])
        return stream


@pytest.fixture
def table() -> Iterator[Table]:
    with ExitStack() as stack:
        yield Table(stack)


def send(stream: socket.socket, data: bytes) -> None:
    """Send all of it, which ZeroMQ reads without the loop."""
    stream.settimeout(10)
    stream.sendall(data)
    stream.setblocking(False)


def test_a_flood_that_is_read_when_its_connection_is_gone_cuts_nobody_else(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next connection has the same descriptor, as the system gives the lowest."""
    descriptors: list[int] = []

    def noted(descriptor: int, has_come: bool) -> News:
        descriptors.append(descriptor)
        return News(descriptor, has_come)

    monkeypatch.setattr(loops, "News", noted)
    flooder = table.come_in()
    send(flooder, FLOOD)
    flooder.setblocking(True)
    flooder.shutdown(socket.SHUT_WR)  # ZeroMQ has read it all before it sees the end
    assert flooder.recv(1) == b""
    flooder.close()
    guest = table.come_in()
    for _ in range(FLOODED // DRAIN + 1):
        table.loop.turn()
    assert table.cuts
    assert len(set(descriptors)) == 1
    send(guest, HELLO)
    table.turns_until(guest, b"welcome")


def test_while_messages_wait_to_be_read_one_comes_in_after_so_many(table: Table) -> None:
    flooder = table.come_in()
    send(flooder, FLOOD)
    first, second = table.knock(), table.knock()
    for _ in range(READ_FIRST // DRAIN - 1):
        table.loop.turn()
        for guest in (first, second):
            with pytest.raises(BlockingIOError):
                guest.recv(1)
    table.turns_until(first, READY[:6])
    with pytest.raises(BlockingIOError):
        second.recv(1)
    table.turns_until(second, READY[:6])
