"""Engines at a real server, each in a process of its own: matches end, whoever sits there."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from passing_bots import Server, play, play_async
from passing_bots.engines.greedy import GreedyEngine
from passing_bots.engines.random import RandomEngine
from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.processes import ServerProcess, start_engine, start_server
from passing_protocol.views import Acted, GameOptions, TableOptions
from tests.support.bad_engines import KINDS
from tests.support.hall import actions, ending, open_as_organiser, seat, watch
from tests.support.tcp_proxy import TcpProxy

SEED = "5eed" * 8
QUICK = TableOptions(turn_ms=100, bank_ms=0)
SHORT = GameOptions(seats=2, max_rounds=3)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with start_server(tmp_path_factory.mktemp("state")) as server:
        yield server


@pytest.fixture
def organiser(server: ServerProcess) -> Iterator[Connection]:
    with open_as_organiser(server.connection_path) as connection:
        yield connection


@pytest.mark.parametrize(
    "game",
    [GameOptions(seats=2), GameOptions(seats=3), GameOptions(seats=4, partners=True)],
    ids=["2", "3", "partners"],
)
def test_engines_play_a_whole_match(
    server: ServerProcess, organiser: Connection, tmp_path: Path, game: GameOptions
) -> None:
    names = ["careful", "greedy", "random", "greedy"][: game.seats]
    engines = [
        start_engine(name, server.connection_path, tmp_path, label=f"-{number}")
        for number, name in enumerate(names)
    ]
    try:
        events = watch(organiser, [seat(organiser, names, game, seed=SEED)])
    finally:
        for engine in engines:
            engine.stop()
    ended = ending(events)
    assert ended.reason == "target"
    assert ended.winner is not None
    assert not any(acted.timed_out for acted in actions(events))
    assert {acted.seat for acted in actions(events)} == set(range(game.seats))
    assert [engine.last_words() for engine in engines] == ["it said nothing"] * game.seats


def test_the_same_seed_gives_the_same_match_to_engines_started_anew(
    server: ServerProcess, organiser: Connection, tmp_path: Path
) -> None:
    matches: list[list[Acted]] = []
    for label in ("-a", "-b"):
        with (
            start_engine("random", server.connection_path, tmp_path, ["--name", "Rob"], label),
            start_engine("random", server.connection_path, tmp_path, ["--name", "Ada"], label),
        ):
            table = seat(organiser, ["Rob", "Ada"], SHORT, seed=SEED)
            matches.append(actions(watch(organiser, [table])))
    assert matches[0] == matches[1]


def test_many_tables_on_one_connection(
    server: ServerProcess, organiser: Connection, tmp_path: Path
) -> None:
    options = ["--tables", "8"]
    with (
        start_engine("greedy", server.connection_path, tmp_path, [*options, "--name", "Many"]),
        start_engine("careful", server.connection_path, tmp_path, [*options, "--name", "More"]),
    ):
        tables = [seat(organiser, ["Many", "More"], SHORT, seed=SEED) for _ in range(8)]
        watch(organiser, tables)


@pytest.mark.parametrize("kind", KINDS)
def test_c51_a_match_ends_with_any_bad_engine_at_the_table(
    server: ServerProcess, organiser: Connection, tmp_path: Path, kind: str
) -> None:
    command = [sys.executable, "-m", "tests.support.bad_engines", kind, str(server.connection_path)]
    bad = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=Path(__file__).parents[2])
    try:
        options = ["--name", f"not {kind}"]
        with start_engine("greedy", server.connection_path, tmp_path, options) as good:
            events = watch(organiser, [seat(organiser, [kind, f"not {kind}"], SHORT, QUICK)])
        assert good.exit_code == 0
    finally:
        bad.kill()
        bad.wait()
    ended = ending(events)
    if ended.reason == "forfeit":
        assert ended.fault is not None
        assert (ended.fault.owner, ended.fault.seat) == ("player", 0)
    else:
        assert ended.reason in ("target", "max_rounds")


@pytest.mark.parametrize(
    ("kind", "said"), [("Crashing", "RuntimeError: seat 0 fell over"), ("Illegal", "is not legal")]
)
def test_c51_a_strict_engine_gives_up_its_seat_and_stays_for_other_tables(
    server: ServerProcess, organiser: Connection, tmp_path: Path, kind: str, said: str
) -> None:
    spec = f"tests.support.bad_engines:{kind}"
    path = server.connection_path
    with (
        start_engine(spec, path, tmp_path, ["--name", "Strict", "--strict"]) as bad,
        start_engine("greedy", path, tmp_path, ["--name", "Calm"]),
    ):
        for _ in range(2):
            table = seat(organiser, ["Strict", "Calm"], SHORT, QUICK)
            ended = ending(watch(organiser, [table]))
            assert (ended.reason, ended.winner) == ("forfeit", 1)
            (report,) = [
                line
                for line in (tmp_path / f"engine-tests-support-bad-engines-{kind}.log")
                .read_text()
                .splitlines()
                if line.startswith(f"table {table}, turn ")
            ]
            assert said in report
        bad.stop()
        assert bad.exit_code == 0


def test_the_blocking_and_the_asyncio_way_play_against_each_other(
    server: ServerProcess, organiser: Connection
) -> None:
    place = Server.find(connection=server.connection_path)
    reports: list[str] = []
    blocking = threading.Thread(
        target=play,
        args=(GreedyEngine, place),
        kwargs={"name": "Block", "matches": 1, "report": reports.append},
    )
    flowing = threading.Thread(
        target=lambda: asyncio.run(
            play_async(RandomEngine, place, name="Flow", matches=1, report=reports.append)
        )
    )
    blocking.start()
    flowing.start()
    events = watch(organiser, [seat(organiser, ["Block", "Flow"], SHORT)])
    blocking.join(10)
    flowing.join(10)
    assert not blocking.is_alive()
    assert not flowing.is_alive()
    assert ending(events).reason in ("max_rounds", "target")
    assert reports == []


def test_c26_an_engine_whose_cable_fails_again_and_again_finishes_its_match(
    server: ServerProcess, organiser: Connection, tmp_path: Path
) -> None:
    target = Address.parse(server.connection.address)
    with (
        TcpProxy(target) as proxy,
        start_engine(
            "careful", server.connection_path, tmp_path, [str(proxy.address), "--name", "Far"]
        ) as far,
        start_engine("greedy", server.connection_path, tmp_path, ["--name", "Near"]) as near,
    ):
        table = seat(organiser, ["Far", "Near"], GameOptions(seats=2, max_rounds=12), seed=SEED)
        failing = threading.Event()

        def fail() -> None:
            carried = proxy.carried
            for _ in range(5):
                while proxy.carried < carried + 4_000 and not failing.wait(0.001):
                    pass
                carried = proxy.carried
                proxy.cut()

        cable = threading.Thread(target=fail)
        cable.start()
        events = watch(organiser, [table])
        failing.set()
        cable.join()
        assert near.last_words() == "it said nothing"
        assert "is lost" in far.last_words()
        assert proxy.accepted > 2
    ended = ending(events)
    assert ended.reason in ("max_rounds", "target")
    turns = [acted.turn for acted in actions(events)]
    assert turns == sorted(set(turns))
