"""A server under load: tables between two engine processes, next to the same load on an echo."""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from bench import peers
from bench.children import child, spawn
from bench.meters import Measured, counts, cpu_s, measure
from bench.tables import ENDLESS
from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.connection_file import ConnectionFile
from passing_link.processes import start_engine, start_server
from passing_protocol.messages import (
    Agent,
    Create,
    EngineInfo,
    Invite,
    Leave,
    Lobby,
    Tables,
    Update,
    Watch,
)
from passing_protocol.views import GameOptions, PublicView

NAMES = ("one", "two")
WARM_UP_S = 1.0
TABLES_PER_ORGANISER = 30
"""Each takes four requests, of which a session may send 128 at once."""

Kind = TypeVar("Kind")


def measure_tables(tables: int, seconds: int) -> Measured:
    """Measure a server with so many tables, each between the two engine processes."""
    with tempfile.TemporaryDirectory() as folder, start_server(Path(folder)) as server:
        endpoint = Address.parse(server.connection.address).endpoint
        token = server.connection.tokens["bot"]
        counted = [counts() for _ in NAMES]
        with (
            child(peers.play, endpoint, token, NAMES[0], tables, counted[0]),
            child(peers.play, endpoint, token, NAMES[1], tables, counted[1]),
        ):
            _make_tables(server.connection, tables)
            time.sleep(WARM_UP_S)
            return measure(server.pid, counted, seconds)


def measure_sdk(tables: int, seconds: int, spec: str) -> Measured:
    """Measure the same with engines of the SDK; decisions are counted as the tables' turns."""
    with tempfile.TemporaryDirectory() as folder, start_server(Path(folder)) as server:
        state = Path(folder)
        path = server.connection_path
        own = ["--tables", str(tables), "--name"]
        with (
            start_engine(spec, path, state, [*own, NAMES[0]], NAMES[0]),
            start_engine(spec, path, state, [*own, NAMES[1]], NAMES[1]),
        ):
            made = _make_tables(server.connection, tables)
            time.sleep(WARM_UP_S)
            turns, cpu, start = _turns(server.connection, made), cpu_s(server.pid), perf_counter()
            time.sleep(seconds)
            grown = _turns(server.connection, made) - turns
            return Measured(perf_counter() - start, cpu_s(server.pid) - cpu, grown)


def measure_echo(like: Measured, outstanding: int, seconds: int) -> Measured:
    """Measure an echo of as many bytes each way, as many at a time, for two processes too."""
    received = round(like.bytes_out / like.decisions)
    answered = round(like.bytes_in / like.decisions)
    here, there = spawn.Pipe(duplex=False)
    counted = [counts() for _ in NAMES]
    with child(peers.echo, there, answered) as pid:
        endpoint = f"tcp://127.0.0.1:{here.recv()}"
        shares = (outstanding + 1) // 2, outstanding // 2
        with (
            child(peers.call, endpoint, received, shares[0], counted[0]),
            child(peers.call, endpoint, received, shares[1], counted[1]),
        ):
            time.sleep(WARM_UP_S)
            return measure(pid, counted, seconds)


def _make_tables(server: ConnectionFile, count: int) -> list[str]:
    """Make tables whose matches go on and on, and invite both engines to each."""
    made: list[str] = []
    for first in range(0, count, TABLES_PER_ORGANISER):
        with _organiser(server) as organiser:
            while len(_waiting(organiser)) < len(NAMES):
                time.sleep(0.05)
            numbers = range(first, min(count, first + TABLES_PER_ORGANISER))
            made.extend(_make_table(organiser, number) for number in numbers)
    return made


def _waiting(organiser: Connection) -> list[EngineInfo]:
    return _a(Tables, organiser.request(Lobby(0))).engines


def _make_table(organiser: Connection, number: int) -> str:
    game = GameOptions(seats=2, target=ENDLESS)
    create = Create(0, f"bench {number}", game, sit=False, seed=f"{number:032x}")
    update = _a(Update, organiser.request(create))
    for name in NAMES:
        organiser.request(Invite(0, update.table, name))
    organiser.request(Leave(0, update.table))
    return update.table


def _turns(server: ConnectionFile, tables: Sequence[str]) -> int:
    """Return how many turns all the tables have had."""
    total = 0
    for first in range(0, len(tables), TABLES_PER_ORGANISER):
        with _organiser(server) as organiser:
            for table in tables[first : first + TABLES_PER_ORGANISER]:
                update = _a(Update, organiser.request(Watch(0, table)))
                organiser.request(Leave(0, table))
                total += _a(PublicView, update.public).turn
    return total


def _organiser(server: ConnectionFile) -> Connection:
    return Connection.open(
        Address.parse(server.address),
        name="organiser",
        agent=Agent("bench", "1"),
        token=server.tokens["organiser"],
    )


def _a(kind: type[Kind], value: object) -> Kind:
    """Return a value as what it must be. Raises TypeError."""
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} where a {kind.__name__} was expected")
    return value
