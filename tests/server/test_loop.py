"""The process of a server is made fit for many connections, and holds none that says nothing."""

import resource
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
import zmq

from passing_link.exits import CommandFailed
from passing_server.loop import Listening, listening, prepare_process

PATIENCE_S = 10.0
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"NULL".ljust(52, b"\0")
"""How a peer begins (ZMTP 3.1, RFC 37); it would say READY then."""

ROUTING_ID = """
import zmq

from passing_server.loop import prepare_process

prepare_process()
context = zmq.Context()
router, dealer = context.socket(zmq.ROUTER), context.socket(zmq.DEALER)
port = router.bind_to_random_port("tcp://127.0.0.1")
dealer.connect(f"tcp://127.0.0.1:{port}")
dealer.send(b"")
print(router.recv().hex())
"""


@pytest.mark.parametrize("error", [ValueError("not allowed to raise maximum limit"), OSError(1)])
def test_a_limit_of_open_files_that_may_not_be_raised_is_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(_resource: int, _limits: tuple[int, int]) -> None:
        raise error

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    monkeypatch.setattr(resource, "setrlimit", refuse)
    prepare_process()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before


def test_no_routing_id_can_be_foreseen_from_that_of_another_process() -> None:
    commands = [(sys.executable, "-c", ROUTING_ID)] * 2
    processes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands
    ]
    first, second = (process.communicate(timeout=PATIENCE_S)[0] for process in processes)
    assert [process.returncode for process in processes] == [0, 0]
    assert len(first) == len(second) == 2 * 5 + 1
    assert first != second


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "*"])
def test_an_address_that_cannot_be_had_is_told_without_what_zeromq_calls_it(host: str) -> None:
    with (
        listening(host, 0) as taken,
        pytest.raises(CommandFailed) as failed,
        listening(host, taken.port),
    ):
        pass
    place = "any address" if host == "*" else host
    why = "Address already in use. Another program may use it; try another --port."
    assert failed.value.sentence == f"Cannot listen on {place} port {taken.port}: {why}"


# --- handshakes


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listening]:
    """Listen, and give a handshake a fifth of a second for every three that it has."""
    set_option = zmq.Socket[bytes].setsockopt

    def hurry(of: "zmq.Socket[bytes]", option: int, value: int) -> None:
        set_option(of, option, value // 15 if option == zmq.HANDSHAKE_IVL else value)

    monkeypatch.setattr(zmq.Socket, "setsockopt", hurry)
    with listening("127.0.0.1", 0) as listens:
        yield listens


def test_a_handshake_has_three_seconds() -> None:
    with listening("127.0.0.1", 0) as listens:
        assert listens.socket.getsockopt(zmq.HANDSHAKE_IVL) == 3_000


@pytest.mark.parametrize(
    "said", [b"", GREETING[:1], GREETING[:20], GREETING], ids=["nothing", "1", "20", "greeting"]
)
def test_who_does_not_go_on_with_a_handshake_is_cut(hurried: Listening, said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", hurried.port), timeout=PATIENCE_S) as half:
        half.sendall(said)
        heard = b""
        while data := half.recv(1_024):
            heard += data
    assert heard.startswith(GREETING[:1])
