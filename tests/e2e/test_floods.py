"""Who sends too much is cut; the server goes on, also when flooders close while it reads."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from passing_link.processes import ServerProcess
from passing_protocol.codec import encode
from passing_protocol.messages import Ping, Pong
from passing_server.limits import EXCESS_BURST, LIMITS
from tests.e2e.garbage import memory_mb
from tests.support.hostile_bytes import SHAKEN, framed
from tests.support.sockets import RawClient, running_server

FLOODERS = 10
FRAMES = 2 * (LIMITS.burst + EXCESS_BURST)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with running_server(tmp_path / "state") as process:
        yield process


def flood(client: RawClient) -> None:
    """Send more pings than are put up with, and read nothing."""
    for number in range(1, FRAMES + 1):
        client.send(encode(Ping(number)))


@pytest.mark.parametrize("greets", [True, False], ids=["in a session", "a stranger"])
def test_a_flooder_is_cut_and_others_play_on(server: ServerProcess, greets: bool) -> None:
    with (
        RawClient(server.connection.address) as flooder,
        RawClient(server.connection.address) as other,
    ):
        other.hello("Other")
        if greets:
            flooder.hello("Flood")
        flooder.watch_for_cut()
        flood(flooder)
        assert flooder.was_cut()
        other.request(Ping(7))
        assert other.expect(Pong).re == 7


def test_flooders_that_close_do_not_end_the_server(server: ServerProcess) -> None:
    clients = [RawClient(server.connection.address) for _ in range(FLOODERS)]
    for number, client in enumerate(clients):
        client.hello(f"Flood {number}")
    for client in clients:
        flood(client)
    for client in clients:
        client.close()
    with RawClient(server.connection.address) as other:
        other.hello("Other")
        # Long enough for the heartbeats of ZeroMQ itself to come due.
        for number in range(1, 5):
            assert other.heard(1_000) is None
            other.request(Ping(number))
            assert other.expect(Pong).re == number
    assert server.exit_code is None


def test_who_was_cut_may_come_back(server: ServerProcess) -> None:
    address = server.connection.address
    with RawClient(address) as flooder:
        welcome = flooder.hello("Dana")
        flooder.watch_for_cut()
        flood(flooder)
        assert flooder.was_cut()
    with RawClient(address) as again:
        assert again.resume("Dana", welcome).session == welcome.session


def send_without_end(stream: socket.socket, data: bytes) -> None:
    """Send the same until the connection is cut, which shows in one way or another."""
    try:
        while True:
            stream.sendall(data)
    except TimeoutError:
        raise
    except OSError:
        return


def test_messages_of_parts_without_end_fill_no_memory(server: ServerProcess) -> None:
    host, _, port = server.connection.address.rpartition(":")
    before = memory_mb(server)
    for _ in range(3):
        with socket.create_connection((host, int(port)), timeout=10) as stream:
            stream.sendall(SHAKEN)
            send_without_end(stream, framed(bytes(4_000), 1) * 64)
    with RawClient(server.connection.address) as other:
        other.hello("Other")
    # What comes between two looks may be in memory, at the speed of this machine.
    assert memory_mb(server) < before + 200


FLOOD_THEN_CLOSE = """
import time
import zmq
from passing_server.loop import listening

with listening("127.0.0.1", 0) as listens:
    router, port = listens.socket, listens.port
    context = zmq.Context()
    dealer = context.socket(zmq.DEALER)
    dealer.setsockopt(zmq.LINGER, 0)
    dealer.connect(f"tcp://127.0.0.1:{port}")
    listens.gate.socket.poll(10_000)
    listens.gate.hear()
    listens.gate.answer(1)
    dealer.send(b"hello")
    router.recv_multipart()
    deadline = time.monotonic() + 0.5
    while time.monotonic() < deadline:
        try:
            dealer.send(bytes(4_000), zmq.NOBLOCK)
        except zmq.Again:
            pass
    dealer.close()
    context.term()
    with zmq.Context() as quiet, quiet.socket(zmq.PAIR) as silence:
        silence.bind("inproc://silence")
        silence.poll(3_000)
    print("alive")
"""


def test_closing_in_mid_flood_aborts_nothing_when_a_heartbeat_comes_due() -> None:
    """ZeroMQ aborted the whole process here while its queue to the server had a limit."""
    done = subprocess.run(
        [sys.executable, "-c", FLOOD_THEN_CLOSE],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr
