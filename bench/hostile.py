"""Two tables that play on under attack: `python -m bench.hostile`.

Four bare engines play at two tables and think a few milliseconds each turn. Measured is how long
a turn takes its player: from the `act` to the `update` that answers it. A quiet stretch of time is
paired with one in which another process attacks the server in every way that
`tests.support.hostile_bytes` knows; shown are the p99 of both and their ratio, for each pair and
as the median of all. Nothing is asserted.

The attacker has a lower priority: on a network it would have a processor of its own.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Final

import msgspec
import zmq

from bench.children import child, give_way, spawn
from bench.meters import Counted, counts
from bench.peers import Question
from bench.tables import make_table
from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.connection_file import ConnectionFile
from passing_link.keys import Security
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
)
from tests.support.hostile_bytes import KINDS, Mark

if TYPE_CHECKING:
    from multiprocessing.connection import Connection as Pipe

SEATS: Final = 2
TABLES: Final = 2
THINK_S: Final = 0.005
PING_S: Final = 1.0
WARM_UP_S: Final = 1.0
AGENT: Final = Agent("bench", "1")
VERSIONS: Final = (PROTOCOL_VERSION, PROTOCOL_VERSION)
MODES: Final = {"plaintext": (), "encrypted": ("--lan", "--bind", "127.0.0.1")}


class Told(msgspec.Struct):
    """Read no more of a message than is needed here."""

    type: str
    items: list[msgspec.Raw] = []
    table: str = ""
    seat: int = 0
    re: int | None = None
    ask: Question | None = None


decoder = msgspec.msgpack.Decoder(Told)


def name_of(number: int) -> str:
    """Return what an engine is called."""
    return f"e{number}"


def play(endpoint: str, token: str, security: Security | None, port: "Pipe") -> None:
    """Play in all seats until killed; tell, whenever asked, how long turns took since then."""
    with zmq.Context() as context, ExitStack() as stack:
        engines = [
            _Engine(stack.enter_context(context.socket(zmq.DEALER)), security)
            for _ in range(TABLES * SEATS)
        ]
        for number, engine in enumerate(engines):
            engine.open(endpoint, Hello(VERSIONS, name_of(number), AGENT, Caps(tables=1), token))
        poller = zmq.Poller()
        for engine in engines:
            poller.register(engine.socket, zmq.POLLIN)
        while True:
            poller.poll(1)
            for engine in engines:
                engine.go_on()
            if port.poll():
                port.recv()
                port.send([turn for engine in engines for turn in engine.turns_ms])
                for engine in engines:
                    engine.turns_ms.clear()


class _Engine:
    """Play at one table, the first legal action each turn, and time the answers."""

    def __init__(self, socket: "zmq.Socket[bytes]", security: Security | None) -> None:
        """Take a socket that is not connected yet."""
        self.socket = socket
        self.turns_ms: list[float] = []
        self._id = 0
        self._due: tuple[float, Told] | None = None
        self._acted: tuple[int, float] | None = None
        self._ping_at = 0.0
        if security is not None:
            socket.curve_serverkey = security.server_key.encode()
            socket.curve_publickey = security.own.public.encode()
            socket.curve_secretkey = security.own.secret.encode()

    def open(self, endpoint: str, hello: Hello) -> None:
        """Connect and greet."""
        self.socket.connect(endpoint)
        self.socket.send(encode(hello))

    def go_on(self) -> None:
        """Read what is there, and answer what is due."""
        with suppress(zmq.Again):
            while True:
                message = decoder.decode(self.socket.recv(zmq.NOBLOCK))
                for item in message.items:
                    self._take(decoder.decode(item))
                self._take(message)
        now = time.monotonic()
        if self._due is not None and self._due[0] <= now:
            self._act(self._due[1])
        if self._ping_at <= now:
            self._ping_at = now + PING_S
            self.socket.send(encode(Ping(self._next_id())))

    def _take(self, message: Told) -> None:
        if self._acted is not None and message.re == self._acted[0]:
            self.turns_ms.append((time.perf_counter() - self._acted[1]) * 1e3)
            self._acted = None
        if message.ask is not None:
            self._due = time.monotonic() + THINK_S, message
        elif message.type == "invited":
            self.socket.send(encode(Join(self._next_id(), message.table, message.seat)))

    def _act(self, asked: Told) -> None:
        self._due = None
        if asked.ask is None:
            return
        number = self._next_id()
        data = encode(Act(number, asked.table, asked.ask.turn, asked.ask.legal[0]))
        self._acted = number, time.perf_counter()
        self.socket.send(data)

    def _next_id(self) -> int:
        self._id += 1
        return self._id


def attack(address: str, server_key: str | None, kinds: Sequence[str], tried: Counted) -> None:
    """Attack a server in these ways, one after the other by chance, until killed."""
    give_way(10)
    mark = Mark.of(address, server_key)
    chance = random.SystemRandom()
    while True:
        with suppress(OSError):
            KINDS[chance.choice(kinds)](mark, chance)
        tried[0].decisions += 1


@dataclass(frozen=True, slots=True)
class Stretch:
    """Hold how long turns took in one stretch of time, and how many attacks a second there were."""

    turns_ms: list[float]
    attacks_per_s: float = 0.0

    @property
    def p99_ms(self) -> float:
        """Return how long 99 of 100 turns took at most."""
        return quantiles(self.turns_ms, n=100)[98]


class Field:
    """A server, its two tables, and who attacks it."""

    def __init__(self, file: ConnectionFile, port: "Pipe", kinds: Sequence[str]) -> None:
        """Take a server whose engines tell their turns through `port`."""
        self._file = file
        self._port = port
        self._kinds = kinds

    def quiet(self, seconds: float) -> Stretch:
        """Measure while nobody attacks."""
        self._turns()
        time.sleep(seconds)
        return Stretch(self._turns())

    def attacked(self, seconds: float) -> Stretch:
        """Measure while somebody attacks."""
        tried = counts()
        with child(attack, self._file.address, self._file.server_key, self._kinds, tried):
            while not tried[0].decisions:
                time.sleep(0.05)
            before = tried[0].decisions
            turns = self.quiet(seconds).turns_ms
            return Stretch(turns, (tried[0].decisions - before) / seconds)

    def _turns(self) -> list[float]:
        self._port.send(True)
        turns: list[float] = self._port.recv()
        return turns


def measure(arguments: Sequence[str], kinds: Sequence[str], pairs: int, seconds: float) -> float:
    """Print a line for each pair at a server started so, and return the median of the ratios."""
    here, there = spawn.Pipe()
    with (
        tempfile.TemporaryDirectory() as folder,
        start_server(Path(folder), arguments) as server,
    ):
        file = server.connection
        endpoint = Address.parse(file.address).endpoint
        with child(play, endpoint, file.tokens["bot"], file.security, there):
            _make_tables(file)
            time.sleep(WARM_UP_S)
            field = Field(file, here, kinds)
            return median(_pair(field, number, seconds) for number in range(pairs))


def _pair(field: Field, number: int, seconds: float) -> float:
    """Measure one pair, every other one the other way round, and return the ratio of its p99s."""
    if number % 2:
        attacked, quiet = field.attacked(seconds), field.quiet(seconds)
    else:
        quiet, attacked = field.quiet(seconds), field.attacked(seconds)
    ratio = attacked.p99_ms / quiet.p99_ms
    _say(
        f"{len(quiet.turns_ms):7,}  {median(quiet.turns_ms):6.2f}  {quiet.p99_ms:6.2f}"
        f"  | {len(attacked.turns_ms):7,}  {median(attacked.turns_ms):6.2f}"
        f"  {attacked.p99_ms:6.2f}  {attacked.attacks_per_s:9.0f}  | {ratio:5.2f}"
    )
    return ratio


def _make_tables(file: ConnectionFile) -> None:
    """Make both tables and invite the engines, each as soon as it is there."""
    maker = Connection.open(
        Address.parse(file.address), name="maker", agent=AGENT, security=file.security
    )
    with maker:
        for table in range(TABLES):
            seats = range(table * SEATS, (table + 1) * SEATS)
            make_table(maker, table, [name_of(number) for number in seats])


def show(kinds: Sequence[str], pairs: int, seconds: float) -> None:
    """Print a table for a server without encryption, and for one with it."""
    for mode, arguments in MODES.items():
        _say(
            f"{TABLES} tables, {mode}; a turn in ms, quiet and under attack by {len(kinds)} kinds:"
        )
        _say("  turns     p50     p99  |   turns     p50     p99  attacks/s  | ratio of p99")
        _say(f"median of {pairs}: {measure(arguments, kinds, pairs, seconds):.2f}\n")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Read the command line and show."""
    parser = argparse.ArgumentParser(prog="python -m bench.hostile", description=__doc__)
    parser.add_argument("--pairs", type=int, default=5, help="quiet and hostile stretches")
    parser.add_argument("--seconds", type=float, default=10, help="how long each stretch takes")
    parser.add_argument("--kind", action="append", choices=KINDS, help="attack in this way alone")
    arguments = parser.parse_args()
    show(arguments.kind or list(KINDS), arguments.pairs, arguments.seconds)


if __name__ == "__main__":
    main()
