"""How a program greets tells whether it encrypts, and whether it speaks ZeroMQ at all."""

import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING

import pytest
import zmq
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_link.address import Address
from passing_link.denials import AccessDenied, CodeNeeded
from passing_link.doubts import CURVE, NULL, Doubt, mechanism_at
from tests.support.curve_server import CurveServer

if TYPE_CHECKING:
    from _typeshed import TraceFunction


@contextmanager
def saying(*parts: bytes) -> Generator[Address]:
    """Listen as another program would: say something, part by part, and hang up."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def greet() -> None:
            taken, _ = listener.accept()
            with taken:
                taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for part in parts:
                    taken.sendall(part)
                    taken.recv(64)

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        yield Address("127.0.0.1", listener.getsockname()[1])
        thread.join(5)


def test_a_server_that_encrypts_and_one_that_does_not_are_told_apart() -> None:
    with CurveServer() as server:
        assert mechanism_at(server.address) == CURVE
        server.comes_back(None)
        assert mechanism_at(server.address) == NULL
        assert server.received == []


def test_any_program_of_zeromq_greets_so() -> None:
    publisher = zmq.Context[zmq.Socket[bytes]].instance().socket(zmq.PUB)
    port = publisher.bind_to_random_port("tcp://127.0.0.1")
    assert mechanism_at(Address("127.0.0.1", port)) == NULL
    publisher.close()


@pytest.mark.parametrize(
    "banner", [b"", b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.0 400 No\r\n\r\n" + b"x" * 100, b"\xff"]
)
def test_another_program_has_no_mechanism(banner: bytes) -> None:
    with saying(banner) as address:
        assert mechanism_at(address, 0.3) is None


def test_a_greeting_may_come_in_parts() -> None:
    greeting = b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"CURVE".ljust(52, b"\0")
    for parts in ([greeting], [greeting[:11], greeting[11:]], [greeting[:32]]):
        with saying(*parts) as address:
            assert mechanism_at(address, 0.3) == CURVE


@settings(max_examples=20)
@given(st.binary(max_size=80))
def test_any_bytes_are_a_greeting_or_none(data: bytes) -> None:
    with saying(data) as address:
        found = mechanism_at(address, 0.05)
    assert found is None or (data[0], data[9]) == (0xFF, 0x7F)


def test_who_greets_byte_by_byte_is_waited_for_no_longer() -> None:
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            taken, _ = listener.accept()
            with taken, suppress(OSError):
                while not done.wait(0.05):
                    taken.sendall(b"\xff")

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        began = time.monotonic()
        assert mechanism_at(Address("127.0.0.1", listener.getsockname()[1]), 0.3) is None
        assert time.monotonic() - began < 1
        done.set()
        thread.join(5)


@contextmanager
def between_all_steps(of: str, do: Callable[[], None]) -> Generator[None]:
    """Do something before every step of a function in new threads, as another thread may."""

    def trace(frame: FrameType, _event: str, _argument: object) -> "TraceFunction | None":
        if frame.f_code.co_qualname != of:
            return None
        frame.f_trace_opcodes = True
        return step

    def step(_frame: FrameType, event: str, _argument: object) -> "TraceFunction":
        if event in ("opcode", "return"):
            do()
        return step

    before = threading.gettrace()
    threading.settrace(trace)
    try:
        yield
    finally:
        threading.settrace(before)


def test_what_is_found_is_told_once_whenever_it_is_asked_for() -> None:
    told: list[type[AccessDenied] | None] = []
    with CurveServer() as server:
        doubt = Doubt(None)
        with between_all_steps("Doubt._look", lambda: told.extend(doubt.settled())):
            doubt.look(server.address)
            for thread in threading.enumerate():
                if thread.name == "doubt":
                    thread.join(5)
    assert (told, doubt.settled()) == ([CodeNeeded], [])
