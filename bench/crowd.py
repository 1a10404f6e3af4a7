"""A server with a crowd at it: `python -m bench.crowd`.

Four processes hold 248 bare connections each and sit at 248 tables of four; each answers a
question a while after it came, so that the tables make a given number of decisions a second. A
probe measures how long a ping takes meanwhile. Nothing is asserted.
"""

import argparse
import heapq
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Final

import zmq

from bench.meters import Counted, counts, cpu_s
from bench.peers import Heard, decoder
from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.connection_file import ConnectionFile
from passing_link.news import RequestFailed
from passing_link.processes import start_server
from passing_protocol.codec import encode
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    Act,
    Agent,
    Caps,
    Create,
    Hello,
    Invite,
    Join,
    Leave,
    Ping,
    Update,
)
from passing_protocol.messages import Lobby as AskLobby
from passing_protocol.views import GameOptions, TableOptions

PROCESSES: Final = 4
EACH: Final = 248
"""With those who make tables and the probe they are as many as a server takes."""
TABLES: Final = PROCESSES * EACH // 4
TABLES_EACH: Final = 4
PING_S: Final = 2.0
PROBE_S: Final = 0.01
ENDLESS: Final = 9_999
FLOOD: Final = 64
AGENT: Final = Agent("bench", "1")
VERSIONS: Final = (PROTOCOL_VERSION, PROTOCOL_VERSION)
spawn = multiprocessing.get_context("spawn")


def sit(endpoint: str, token: str, first: int, wait_s: float, counted: Counted) -> None:
    """Hold `EACH` connections until killed; answer each question after `wait_s` seconds."""
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
        self._ping_at = time.monotonic() + PING_S

    def run(self) -> None:
        """Answer until killed."""
        poller = zmq.Poller()
        places = {socket: place for place, socket in enumerate(self._sockets)}
        for socket in self._sockets:
            poller.register(socket, zmq.POLLIN)
        while True:
            for socket, _ in poller.poll(self._wait_ms()):
                data = socket.recv()
                place = places[socket]
                message = decoder.decode(data)
                for item in message.items:
                    self._take(place, decoder.decode(item))
                self._take(place, message)
            self._answer()

    def _wait_ms(self) -> int:
        until = min(self._due[0][0] if self._due else self._ping_at, self._ping_at)
        return max(0, int((until - time.monotonic()) * 1_000))

    def _take(self, place: int, message: Heard) -> None:
        if message.ask is not None:
            act = Act(self._next_id(place), message.table, message.ask.turn, message.ask.legal[0])
            heapq.heappush(self._due, (time.monotonic() + self._wait_s, place, encode(act)))
        elif message.type == "invited":
            join = Join(self._next_id(place), message.table, message.seat)
            self._sockets[place].send(encode(join))

    def _answer(self) -> None:
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            _, place, data = heapq.heappop(self._due)
            self._sockets[place].send(data)
            self._counts.decisions += 1
        if now >= self._ping_at:
            self._ping_at = now + PING_S
            for place, socket in enumerate(self._sockets):
                socket.send(encode(Ping(self._next_id(place))))

    def _next_id(self, place: int) -> int:
        self._ids[place] += 1
        return self._ids[place]


def flood(endpoint: str) -> None:
    """Greet and then send without end, on new connections when cut, until killed."""
    with zmq.Context() as context:
        while True:
            with context.socket(zmq.DEALER) as socket:
                socket.setsockopt(zmq.LINGER, 0)
                socket.connect(endpoint)
                socket.send(encode(Hello(VERSIONS, "flood", AGENT, Caps())))
                until = time.monotonic() + 1
                number = 0
                while time.monotonic() < until:
                    for _ in range(FLOOD):
                        number += 1
                        socket.send(encode(AskLobby(number)))


@dataclass(frozen=True, slots=True)
class Seen:
    """Hold what was measured of one crowd."""

    decisions_per_s: float
    cpu_share: float
    memory_mb: float
    pings_ms: list[float]

    def line(self, name: str) -> str:
        """Return a line of the table."""
        cuts = quantiles(self.pings_ms, n=100)
        return (
            f"{name:22}  {self.decisions_per_s:11,.0f}  {self.cpu_share:8.0%}"
            f"  {self.memory_mb:9.0f}  {median(self.pings_ms):7.2f}  {cuts[98]:7.2f}"
        )


def measure(durability: str, wanted_per_s: int, seconds: int, *, hostile: bool) -> Seen:
    """Measure a server with the whole crowd; `durability` is full or fast."""
    wait_s = TABLES / wanted_per_s
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        server = stack.enter_context(start_server(Path(folder)))
        file = server.connection
        endpoint = Address.parse(file.address).endpoint
        counted = [counts() for _ in range(PROCESSES)]
        for number, each in enumerate(counted):
            token = file.tokens["bot"]
            stack.enter_context(_child(sit, endpoint, token, number * EACH, wait_s, each))
        _make_tables(file, by_people=durability == "full")
        if hostile:
            stack.enter_context(_child(flood, endpoint))
        time.sleep(2)
        before = sum(each[0].decisions for each in counted)
        cpu, start = cpu_s(server.pid), perf_counter()
        pings = _probe(file, seconds)
        wall = perf_counter() - start
        grown = sum(each[0].decisions for each in counted) - before
        return Seen(grown / wall, (cpu_s(server.pid) - cpu) / wall, _memory(server.pid), pings)


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


def _memory(pid: int) -> float:
    """Return the resident megabytes of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) / 1024


def _make_tables(file: ConnectionFile, *, by_people: bool) -> None:
    """Make all tables and invite four engines to each."""
    token = None if by_people else file.tokens["organiser"]
    for first in range(0, TABLES, TABLES_EACH):
        with _connect(file, f"maker {first}", token) as maker:
            for number in range(first, min(first + TABLES_EACH, TABLES)):
                _make_table(maker, number)


def _make_table(maker: Connection, number: int) -> None:
    options = TableOptions(turn_ms=60_000, pace_ms=0)
    game = GameOptions(seats=4, target=ENDLESS)
    made = maker.request(Create(0, f"t {number}", game, options, sit=False))
    if not isinstance(made, Update):
        raise TypeError(f"{made!r} where an update was expected")
    for seat in range(4):
        _invite(maker, made.table, f"e{number * 4 + seat}", seat)
    maker.request(Leave(0, made.table))


def _invite(maker: Connection, table: str, engine: str, seat: int) -> None:
    """Invite an engine as soon as it is there."""
    while True:
        try:
            maker.request(Invite(0, table, engine, seat))
        except RequestFailed:
            time.sleep(0.05)
        else:
            return


def _connect(file: ConnectionFile, name: str, token: str | None) -> Connection:
    return Connection.open(Address.parse(file.address), name=name, agent=AGENT, token=token)


@contextmanager
def _child(target: Callable[..., None], *arguments: object) -> Generator[None]:
    """Run a function in a process of its own, and kill it at the end."""
    process = spawn.Process(target=target, args=arguments, daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


def show(wanted_per_s: int, seconds: int) -> None:
    """Print a line for each durability, alone and beside a flooder."""
    _say(f"{PROCESSES * EACH} connections at {TABLES} tables, {wanted_per_s} decisions/s wanted:")
    _say("stored                  decisions/s  of a CPU  memory MB  ping p50  p99 ms")
    for durability in ("full", "fast"):
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
