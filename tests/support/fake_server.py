"""A server of the test's own making: welcomes anybody, and does what a test tells it to."""

import queue
import socket
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

import zmq

from passing_link.address import Address
from passing_protocol.codec import decode_client, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.limits import Heartbeat
from passing_protocol.messages import (
    Bye,
    ClientMessage,
    Enrol,
    Enrolled,
    Goodbye,
    Hello,
    Ok,
    Ping,
    Pong,
    Refused,
    Role,
    ServerMessage,
    Welcome,
)
from passing_protocol.views import RULES_VERSION
from passing_server.limits import LIMITS

TOKEN = "resume-token-0001"
HEARTBEAT = Heartbeat(interval_ms=3_000, timeout_ms=10_000)
Answering = Callable[[ClientMessage], Sequence[ServerMessage]]


def welcome(
    *,
    resumed: bool = False,
    role: Role = Role.PLAYER,
    epoch: int = 1,
    heartbeat: Heartbeat = HEARTBEAT,
    open_to_all: bool = False,
) -> Welcome:
    return Welcome(
        protocol=0,
        server="fake",
        epoch=epoch,
        session="s1",
        resume_token=TOKEN,
        role=role,
        name="Ann",
        limits=LIMITS,
        heartbeat=heartbeat,
        rules=RULES_VERSION,
        resumed=resumed,
        open_to_all=open_to_all,
    )


def refused(code: ErrorCode, detail: str = "No.") -> Refused:
    return Refused(code, detail, (0, 0))


class Polite:
    """Answer as a server without tables: `ok` to everything, numbered."""

    def __init__(self, heartbeat: Heartbeat = HEARTBEAT, role: Role = Role.PLAYER) -> None:
        self.seq = 0
        self.heartbeat = heartbeat
        self.role = role

    def __call__(self, message: ClientMessage) -> list[ServerMessage]:
        match message:
            case Hello(resume=resume):
                resumed = resume is not None
                return [welcome(resumed=resumed, heartbeat=self.heartbeat, role=self.role)]
            case Ping(id=number):
                return [Pong(self.seq, number)]
            case Bye(id=number):
                return [Goodbye(re=number)]
            case Enrol(name=name):
                return [Enrolled(Role.PLAYER, name)]
            case _:
                self.seq += 1
                return [Ok(self.seq, message.id)]


def _is_listened_at(address: Address) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((address.host, address.port)) == 0


class FakeServer:
    """Run in a thread on a real socket; what came in is in `received`."""

    def __init__(self, answer: Answering | None = None) -> None:
        self.answer = answer or Polite()
        self.received: list[ClientMessage] = []
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._running = True
        self._peer = b""
        self._socket = self._new_socket()
        # Below the ports that connections get for their own end: one that dials a port there at
        # which nobody listens can meet itself.
        port = self._socket.bind_to_random_port("tcp://127.0.0.1", min_port=20_000, max_port=32_000)
        self.endpoint = f"tcp://127.0.0.1:{port}"
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def address(self) -> Address:
        return Address.parse(self.endpoint)

    def push(self, message: ServerMessage) -> None:
        """Send a message to whoever was heard last."""
        self._order(lambda: self._send(message))

    def cut(self) -> None:
        """Drop every connection and stop listening, so that the next attempt finds nobody."""
        self._order(self._socket.close)
        while _is_listened_at(self.address):  # ZeroMQ closes a little later
            pass

    def listen(self) -> None:
        """Listen again at the same address."""
        self._order(self._rebind)

    def stop(self) -> None:
        self._order(self._end)
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _order(self, order: Callable[[], None]) -> None:
        """Have the thread do something, and wait until it is done."""
        done = threading.Event()

        def carry_out() -> None:
            order()
            done.set()

        self._orders.put(carry_out)
        assert done.wait(5)

    def _new_socket(self) -> zmq.Socket[bytes]:
        socket = zmq.Context[zmq.Socket[bytes]].instance().socket(zmq.ROUTER)
        socket.set(zmq.LINGER, 200)
        return socket

    def _rebind(self) -> None:
        self._socket = self._new_socket()
        deadline = time.monotonic() + 5
        while True:
            try:
                self._socket.bind(self.endpoint)
            except zmq.ZMQError:  # the socket before is still being closed
                assert time.monotonic() < deadline
                time.sleep(0.005)
            else:
                return

    def _end(self) -> None:
        self._running = False
        self._socket.close()

    def _run(self) -> None:
        while self._running:
            if not self._socket.closed and self._socket.poll(2):
                self._peer, data = self._socket.recv_multipart()
                message = decode_client(data)
                self.received.append(message)
                for answer in self.answer(message):
                    self._send(answer)
            try:
                self._orders.get(block=self._socket.closed, timeout=1)()
            except queue.Empty:
                continue

    def _send(self, message: ServerMessage) -> None:
        self._socket.send_multipart((self._peer, encode(message)))
