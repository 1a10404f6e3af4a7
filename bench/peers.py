"""What runs in other processes: engines that hardly think, and both ends of a bare echo."""

from typing import TYPE_CHECKING, Final

import msgspec
import zmq

from bench.meters import Counted
from passing_protocol.codec import encode
from passing_protocol.messages import PROTOCOL_VERSION, Act, Agent, Caps, Hello, Join, Ping
from passing_protocol.wire import ActionMessage

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

PING_EVERY_MS: Final = 1_000


class Question(msgspec.Struct):
    """Read no more of a question than is answered."""

    turn: int
    legal: list[ActionMessage]


class Heard(msgspec.Struct):
    """Read no more of a message than is needed here."""

    type: str
    items: list[msgspec.Raw] = []
    table: str = ""
    seat: int = 0
    ask: Question | None = None


decoder = msgspec.msgpack.Decoder(Heard)


def play(endpoint: str, token: str, name: str, tables: int, counted: Counted) -> None:
    """Play at up to `tables` tables until killed: always the first legal action."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.connect(endpoint)
        agent = Agent("bench", "1")
        versions = (PROTOCOL_VERSION, PROTOCOL_VERSION)
        socket.send(encode(Hello(versions, name, agent, Caps(tables=tables), token)))
        _Player(socket, counted).run()


class _Player:
    """Answer one server, as cheaply as can be done in Python."""

    def __init__(self, socket: "zmq.Socket[bytes]", counted: Counted) -> None:
        """Take a connected socket."""
        self._socket = socket
        self._counts = counted[0]
        self._id = 0

    def run(self) -> None:
        """Answer until killed."""
        counts = self._counts
        while True:
            if not self._socket.poll(PING_EVERY_MS):
                self._send(encode(Ping(self._next_id())))
                continue
            data = self._socket.recv()
            counts.frames_in += 1
            counts.bytes_in += len(data)
            message = decoder.decode(data)
            for item in message.items:
                self._take(decoder.decode(item))
            self._take(message)

    def _take(self, message: Heard) -> None:
        ask = message.ask
        if ask is not None:
            data = encode(Act(self._next_id(), message.table, ask.turn, ask.legal[0]))
            self._counts.decisions += 1
            self._counts.bytes_out += len(data)
            self._send(data)
        elif message.type == "invited":
            self._send(encode(Join(self._next_id(), message.table, message.seat)))

    def _next_id(self) -> int:
        self._id += 1
        return self._id

    def _send(self, data: bytes) -> None:
        self._socket.send(data)


def echo(port: "Connection", size: int) -> None:
    """Answer every message with one of `size` bytes until killed: the least a server can do."""
    answer = bytes(size)
    with zmq.Context() as context, context.socket(zmq.ROUTER) as socket:
        port.send(socket.bind_to_random_port("tcp://127.0.0.1"))
        poller = zmq.Poller()
        poller.register(socket, zmq.POLLIN)
        while True:
            poller.poll()
            try:
                while True:
                    peer, _ = socket.recv_multipart(zmq.NOBLOCK)
                    socket.send_multipart((peer, answer), zmq.NOBLOCK)
            except zmq.Again:
                pass


def call(endpoint: str, size: int, outstanding: int, counted: Counted) -> None:
    """Send messages of `size` bytes until killed, `outstanding` at a time without their echo."""
    message = bytes(size)
    counts = counted[0]
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.connect(endpoint)
        for _ in range(outstanding):
            socket.send(message)
        while True:
            socket.recv()
            counts.decisions += 1
            socket.send(message)
