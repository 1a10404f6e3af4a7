"""A server with a crowd at it: `python -m bench.crowd`.

Four processes hold 248 bare connections each and sit at 248 tables of four; each answers a
question a while after it came, so that the tables make a given number of decisions a second.
Shown is how long the server takes from reading a message to sending all that it caused, as it
says itself, and how long a ping of a probe takes. Nothing is asserted.

The crowd has a lower priority than the server and the probe, and the flooder the lowest: on a
network they would have processors of their own, and must take none here from what is measured.
"""

import argparse
import heapq
import select
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Final

import zmq

from bench.children import child, give_way
from bench.meters import Counted, counts, cpu_s
from bench.peers import Heard, decoder
from bench.tables import make_table
from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.connection_file import ConnectionFile
from passing_link.processes import start_server
from passing_protocol.codec import encode
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    Act,
    Agent,
    Caps,
    Hello,
    Join,
    Ping,
    Status,
    StatusReport,
)
from passing_protocol.messages import Lobby as AskLobby

PROCESSES: Final = 4
EACH: Final = 248
"""With those who make tables and the probe they are as many as a server takes."""
TABLES: Final = PROCESSES * EACH // 4
TABLES_EACH: Final = 4
PING_S: Final = 2.0
PROBE_S: Final = 0.02
MB: Final = 1_000_000
FLOOD: Final = 64
PREPARED: Final = 4_096
AGENT: Final = Agent("bench", "1")
VERSIONS: Final = (PROTOCOL_VERSION, PROTOCOL_VERSION)


def sit(endpoint: str, token: str, first: int, wait_s: float, counted: Counted) -> None:
    """Hold `EACH` connections until killed; answer each question after `wait_s` seconds."""
    give_way(10)
    with zmq.Context() as context:
        context.setsockopt(zmq.MAX_SOCKETS, EACH + 10)
        sockets = [context.socket(zmq.DEALER) for _ in range(EACH)]
        for number, socket in enumerate(sockets, first):
            socket.connect(endpoint)
            hello = Hello(VERSIONS, f"e{number}", AGENT, Caps(tables=1), token)
            socket.send(encode(hello))
        _Crowd(sockets, wait_s, counted).run()


class _Crowd:
    """Answer on many sockets, each answer at its time."""

    def __init__(
        self, sockets: Sequence["zmq.Socket[bytes]"], wait_s: float, counted: Counted
    ) -> None:
        """Take connected sockets."""
        self._sockets = sockets
        self._wait_s = wait_s
        self._counts = counted[0]
        self._due: list[tuple[float, int, bytes]] = []
        self._ids = [0] * len(sockets)
        self._ping_at = 0.0
        self._pinged = 0

    def run(self) -> None:
        """Answer until killed.

        The descriptor of a socket tells of news only once, also when that came while it was sent
        on, so a socket is always read until it is empty. A poller of ZeroMQ's own would look at
        every socket each time.
        """
        epoll = select.epoll(EACH)
        places = {socket.fileno(): place for place, socket in enumerate(self._sockets)}
        for descriptor in places:
            epoll.register(descriptor, select.EPOLLIN)
        for place in places.values():
            self._read(place)
        while True:
            for descriptor, _ in epoll.poll(self._wait_s_left()):
                self._read(places[descriptor])
            self._answer()

    def _wait_s_left(self) -> float:
        until = min(self._due[0][0] if self._due else self._ping_at, self._ping_at)
        return max(0.0, until - time.monotonic())

    def _read(self, place: int) -> None:
        socket = self._sockets[place]
        with suppress(zmq.Again):
            while True:
                message = decoder.decode(socket.recv(zmq.NOBLOCK))
                for item in message.items:
                    self._take(place, decoder.decode(item))
                self._take(place, message)

    def _send(self, place: int, data: bytes) -> None:
        self._sockets[place].send(data)
        self._read(place)

    def _take(self, place: int, message: Heard) -> None:
        if message.ask is not None:
            act = Act(self._next_id(place), message.table, message.ask.turn, message.ask.legal[0])
            heapq.heappush(self._due, (time.monotonic() + self._wait_s, place, encode(act)))
        elif message.type == "invited":
            join = Join(self._next_id(place), message.table, message.seat)
            self._sockets[place].send(encode(join))  # read on by who called

    def _answer(self) -> None:
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            _, place, data = heapq.heappop(self._due)
            self._send(place, data)
            self._counts.decisions += 1
        if now >= self._ping_at:
            self._ping_at = now + PING_S / len(self._sockets)
            self._pinged = (self._pinged + 1) % len(self._sockets)
            self._send(self._pinged, encode(Ping(self._next_id(self._pinged))))

    def _next_id(self, place: int) -> int:
        self._ids[place] += 1
        return self._ids[place]


def flood(endpoint: str) -> None:
    """Greet and then send without end, on new connections when cut, until killed."""
    give_way(19)
    prepared = [encode(AskLobby(number)) for number in range(1, PREPARED)]
    with zmq.Context() as context:
        while True:
            with context.socket(zmq.DEALER) as socket:
                socket.setsockopt(zmq.LINGER, 0)
                socket.connect(endpoint)
                socket.send(encode(Hello(VERSIONS, "flood", AGENT, Caps())))
                until = time.monotonic() + 1
                flood = cycle(prepared)
                while time.monotonic() < until:
                    for data in islice(flood, FLOOD):
                        socket.send(data)


@dataclass(frozen=True, slots=True)
class Seen:
    """Hold what was measured of one crowd."""

    decisions_per_s: float
    cpu_share: float
    report: StatusReport
    pings_ms: list[float]

    def line(self, name: str) -> str:
        """Return a line of the table."""
        cuts = quantiles(self.pings_ms, n=100)
        return (
            f"{name:22}  {self.decisions_per_s:11,.0f}  {self.cpu_share:8.0%}"
            f"  {self.report.memory / MB:9.0f}  {self.report.in_per_s:10,}"
            f"  {self.report.answer_p50_us / 1_000:7.2f}  {self.report.answer_p99_us / 1_000:6.2f}"
            f"  {median(self.pings_ms):7.2f}  {cuts[98]:6.2f}"
        )


def measure(durability: str, wanted_per_s: int, seconds: int, *, hostile: bool) -> Seen:
    """Measure a server with the whole crowd; `durability` is that of the tables."""
    wait_s = TABLES / wanted_per_s
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        server = stack.enter_context(start_server(Path(folder), ["--durability", durability]))
        file = server.connection
        endpoint = Address.parse(file.address).endpoint
        counted = [counts() for _ in range(PROCESSES)]
        for number, each in enumerate(counted):
            token = file.tokens["bot"]
            stack.enter_context(child(sit, endpoint, token, number * EACH, wait_s, each))
        _make_tables(file)
        if hostile:
            stack.enter_context(child(flood, endpoint))
        time.sleep(2)
        before = sum(each[0].decisions for each in counted)
        cpu, start = cpu_s(server.pid), perf_counter()
        pings = _probe(file, seconds)
        wall = perf_counter() - start
        grown = sum(each[0].decisions for each in counted) - before
        return Seen(grown / wall, (cpu_s(server.pid) - cpu) / wall, _report(file), pings)


def _probe(file: ConnectionFile, seconds: int) -> list[float]:
    """Return how long pings took, in milliseconds."""
    pings: list[float] = []
    with _connect(file, "probe", None) as probe:
        end = perf_counter() + seconds
        while perf_counter() < end:
            start = perf_counter()
            probe.request(Ping(0))
            pings.append((perf_counter() - start) * 1e3)
            time.sleep(PROBE_S)
    return pings


def _report(file: ConnectionFile) -> StatusReport:
    """Return what the server says of itself."""
    with _connect(file, "admin", file.tokens["admin"]) as admin:
        report = admin.request(Status(0))
    if not isinstance(report, StatusReport):
        raise TypeError(f"{report!r} where a status report was expected")
    return report


def _make_tables(file: ConnectionFile) -> None:
    """Make all tables, as people do, and invite four engines to each."""
    for first in range(0, TABLES, TABLES_EACH):
        with _connect(file, f"maker {first}", None) as maker:
            for number in range(first, min(first + TABLES_EACH, TABLES)):
                make_table(maker, number, [f"e{number * 4 + seat}" for seat in range(4)])


def _connect(file: ConnectionFile, name: str, token: str | None) -> Connection:
    return Connection.open(Address.parse(file.address), name=name, agent=AGENT, token=token)


def show(wanted_per_s: int, seconds: int) -> None:
    """Print a line for each durability, alone and beside a flooder."""
    _say(f"{PROCESSES * EACH} connections at {TABLES} tables, {wanted_per_s} decisions/s wanted:")
    _say(
        "stored                  decisions/s  of a CPU  memory MB  messages/s"
        "  ms: p50     p99  a ping     p99"
    )
    for durability in ("full", "fast", "none"):
        for hostile in (False, True):
            name = f"{durability}{', with a flooder' if hostile else ''}"
            _say(measure(durability, wanted_per_s, seconds, hostile=hostile).line(name))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Read the command line and show."""
    parser = argparse.ArgumentParser(prog="python -m bench.crowd", description=__doc__)
    parser.add_argument("--decisions", type=int, default=2_000, help="decisions wanted a second")
    parser.add_argument("--seconds", type=int, default=10, help="how long each measure takes")
    arguments = parser.parse_args()
    show(arguments.decisions, arguments.seconds)


if __name__ == "__main__":
    main()
