"""The misbehaving engines do misbehave, each in its way, when they are started as by a league."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from passing_bots.catalogue import find
from passing_link.blocking import Connection
from passing_link.processes import ServerProcess, start_engine, start_server
from passing_protocol.events import MatchEnded, SeatChanged
from passing_protocol.messages import Create, Invite, Lobby, Tables, Update, UpdateOf
from passing_protocol.views import GameOptions, SeatState, TableOptions
from tests.support.bad_engines import ABSENT, ENGINES, KINDS
from tests.support.bad_engines.__main__ import main
from tests.support.hall import await_engines, ending, open_as_organiser, seat, watch

ROOT = Path(__file__).parents[2]
PATIENCE_S = 10.0
ONE_ROUND = GameOptions(seats=2, max_rounds=1)
SLOW_CLOCK = TableOptions(turn_ms=500, bank_ms=0, faults="forfeit", absent="forfeit")
QUICK_CLOCK = TableOptions(turn_ms=100, bank_ms=0, faults="forfeit", absent="forfeit")

STRUCK_OUT = {
    "slow", "silent", "malformed", "illegal_on_the_wire", "elsewhere", "flooding",
    "flooding_for_ever", "dying", "segfaulting", "aborting", "killed", "killed_once",
}  # fmt: skip
LEFT = {"uncaught", "leaving"}
PLAYS_TO_THE_END = {
    "illegal", "nothing", "crashing",  # by the SDK's mild rule
    "babbling", "stubborn", "forking", "stale", "duplicate",
}  # fmt: skip
EXIT_CODES = {
    "dying": 3,
    "segfaulting": -signal.SIGSEGV,
    "aborting": -signal.SIGABRT,
    "killed": -signal.SIGKILL,
    "killed_once": -signal.SIGKILL,
    "uncaught": 1,
}
TABLES = {"silent": 3, "malformed": 3, "leaving": 3, "forking": 3}
"""How many tables some play at once; the others one."""


@dataclass
class Program:
    """Hold a process that was started as a league starts a program, and where its output goes."""

    process: "subprocess.Popen[bytes]"
    out: Path
    err: Path


@contextmanager
def program(
    kind: str, server: ServerProcess, folder: Path, name: str | None = None
) -> Generator[Program]:
    """Run a kind in a group of its own, which is killed in the end."""
    folder.mkdir(exist_ok=True)
    environment = os.environ | {
        "PASSING_ADDRESS": server.connection.address,
        "PASSING_TOKEN": server.connection.tokens["bot"],
        "PASSING_NAME": name or f"{kind}.1",
        "PASSING_TABLES": str(TABLES.get(kind, 1)),
        "TMPDIR": str(folder),
    }
    paths = folder / "out", folder / "err"
    with paths[0].open("wb") as out, paths[1].open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.bad_engines", kind],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
    try:
        yield Program(process, *paths)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def runs(pid: int) -> bool:
    """Tell whether a process is there and more than a zombie."""
    with suppress(OSError):
        status = Path(f"/proc/{pid}/stat").read_text()
        return status.rpartition(")")[2].split()[0] not in ("Z", "X")
    return False


def waiting(organiser: Connection) -> dict[str, int]:
    """Return the engines in the lobby and how many tables they take."""
    tables = organiser.request(Lobby(0))
    assert isinstance(tables, Tables)
    return {engine.name: engine.free for engine in tables.engines}


def endings(organiser: Connection, kinds: dict[str, str]) -> dict[str, list[MatchEnded]]:
    """Return how the matches ended at tables that are given with their kinds, by kind."""
    ended: dict[str, list[MatchEnded]] = {}
    left = set(kinds)
    while left:
        message = organiser.receive(PATIENCE_S)
        assert message is not None, [kinds[table] for table in left]
        if isinstance(message, UpdateOf) and message.table in left:
            found = [event for event in message.events if isinstance(event, MatchEnded)]
            ended.setdefault(kinds[message.table], []).extend(found)
            left -= {message.table} if found else set()
    return ended


@dataclass
class Evening:
    """Hold what came of all kinds having played at one server at the same time."""

    took: dict[str, int]
    programs: dict[str, Program]
    ended: dict[str, list[MatchEnded]] = field(default_factory=dict[str, list[MatchEnded]])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with start_server(tmp_path_factory.mktemp("state")) as server:
        yield server


@pytest.fixture(scope="module")
def organiser(server: ServerProcess) -> Iterator[Connection]:
    with open_as_organiser(server.connection_path) as connection:
        yield connection


@pytest.fixture(scope="module")
def good(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start an engine that behaves, and return its name."""
    options = ["--name", "good", "--tables", "64"]
    folder = tmp_path_factory.mktemp("good")
    with start_engine("greedy", server.connection_path, folder, options):
        yield "good"


@pytest.fixture(scope="module")
def evening(
    server: ServerProcess,
    organiser: Connection,
    good: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Evening]:
    folder = tmp_path_factory.mktemp("evening")
    kinds = [kind for kind in KINDS if kind != "flooding_for_ever"]  # it takes a whole processor
    with ExitStack() as stack:
        programs = {
            kind: stack.enter_context(program(kind, server, folder / kind)) for kind in kinds
        }
        await_engines(organiser, [f"{kind}.1" for kind in kinds])
        evening = Evening(waiting(organiser), programs)
        programs["stubborn"].process.terminate()
        tables = {
            seat(organiser, [f"{kind}.1", good], ONE_ROUND, SLOW_CLOCK): kind
            for kind in kinds
            for _ in range(TABLES.get(kind, 1))
        }
        evening.ended = endings(organiser, tables)
        with program("flooding_for_ever", server, folder / "flood") as flood:
            programs["flooding_for_ever"] = flood
            names = ["flooding_for_ever.1", good]
            table = seat(organiser, names, ONE_ROUND, QUICK_CLOCK)
            evening.ended |= endings(organiser, {table: "flooding_for_ever"})
        yield evening


def test_all_kinds_are_accounted_for() -> None:
    assert {*STRUCK_OUT, *LEFT, *PLAYS_TO_THE_END} == set(KINDS)
    assert not set(KINDS) & set(ABSENT)


@pytest.mark.parametrize("kind", KINDS)
def test_c51_each_ends_as_it_should(evening: Evening, kind: str) -> None:
    ended = evening.ended[kind]
    assert len(ended) == TABLES.get(kind, 1)
    for each in ended:
        if kind in PLAYS_TO_THE_END:
            assert (each.reason, each.fault) == ("max_rounds", None)
        else:
            assert (each.reason, each.winner) == ("forfeit", 1)
            assert each.fault is not None
            assert (each.fault.owner, each.fault.seat) == ("player", 0)
            assert ("left" if kind in LEFT else "3 strikes") in each.fault.evidence


def test_each_takes_as_many_tables_as_it_is_told(evening: Evening) -> None:
    for kind in evening.programs.keys() - {"flooding_for_ever"}:
        assert evening.took[f"{kind}.1"] == TABLES.get(kind, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_those_that_take_their_process_along_have_a_code_that_says_so(
    evening: Evening, kind: str
) -> None:
    process = evening.programs[kind].process
    code = EXIT_CODES.get(kind)
    if code is not None:
        assert process.wait(PATIENCE_S) == code
    elif kind != "flooding_for_ever":
        assert process.poll() is None


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("crashing", "RuntimeError: seat 0 fell over"),
        ("illegal", "is not legal; passing"),
        ("nothing", "None is not legal; passing"),
        ("dying", ": dying"),
        ("uncaught", "fell over"),
    ],
)
def test_what_fails_says_so(evening: Evening, kind: str, words: str) -> None:
    if kind in EXIT_CODES:
        evening.programs[kind].process.wait(PATIENCE_S)
    assert words in evening.programs[kind].err.read_text()


def test_one_babbles_megabytes_on_both_streams(evening: Evening) -> None:
    babbler = evening.programs["babbling"]
    assert min(babbler.out.stat().st_size, babbler.err.stat().st_size) > 2_000_000


def test_a_forking_one_leaves_a_process_behind_that_ends_with_the_group(
    server: ServerProcess, organiser: Connection, tmp_path: Path
) -> None:
    with program("forking", server, tmp_path / "own", "forks") as forker:
        await_engines(organiser, ["forks"])
        (grandchild,) = [int(line.split()[1]) for line in forker.err.read_text().splitlines()]
        forker.process.kill()
        forker.process.wait()
        assert runs(grandchild)
        os.killpg(forker.process.pid, signal.SIGKILL)
        until(lambda: not runs(grandchild))


def test_no_more_than_one_process_is_left_behind_however_many_tables(evening: Evening) -> None:
    assert evening.programs["forking"].err.read_text().count("grandchild") == 1


def test_one_is_killed_once_and_plays_when_it_is_started_again(
    server: ServerProcess, organiser: Connection, good: str, tmp_path: Path
) -> None:
    for again in (False, True):
        name = f"again {again}"  # the session of one that was killed stays a while
        with program("killed_once", server, tmp_path / "own", name) as killed:
            table = seat(organiser, [name, good], ONE_ROUND, QUICK_CLOCK)
            ended = ending(watch(organiser, [table]))
            assert ended.reason == ("max_rounds" if again else "forfeit")
            assert killed.process.poll() == (None if again else -signal.SIGKILL)


# --- those that never take a seat ----------------------------------------------------------------


def test_one_turns_every_invitation_down(
    server: ServerProcess, organiser: Connection, tmp_path: Path
) -> None:
    with program("declining", server, tmp_path / "own"):
        assert invite(organiser, "declining.1")[-1] is SeatState.EMPTY


def test_one_is_invited_and_never_says_a_word(
    server: ServerProcess, organiser: Connection, tmp_path: Path
) -> None:
    with program("mute", server, tmp_path / "own") as mute:
        assert invite(organiser, "mute.1", wait_s=0.5) == [SeatState.INVITED]
        assert mute.process.poll() is None


def invite(organiser: Connection, name: str, wait_s: float = PATIENCE_S) -> list[SeatState]:
    """Invite an engine to seat 0, and return what becomes of that until it is empty, or in time."""
    await_engines(organiser, [name])
    update = organiser.request(Create(0, "hall", ONE_ROUND, SLOW_CLOCK, sit=False))
    assert isinstance(update, Update)
    organiser.send(Invite(0, update.table, name, 0))
    deadline = time.monotonic() + wait_s
    states: list[SeatState] = []
    while SeatState.EMPTY not in states and time.monotonic() < deadline:
        message = organiser.receive(max(0.0, deadline - time.monotonic()))
        if isinstance(message, UpdateOf) and message.table == update.table:
            states += [e.info.state for e in message.events if isinstance(e, SeatChanged)]
    return states


def test_one_runs_and_never_connects(
    server: ServerProcess, organiser: Connection, tmp_path: Path
) -> None:
    with program("never_connecting", server, tmp_path / "own") as absent:
        with program("declining", server, tmp_path / "other", "started later"):
            await_engines(organiser, ["started later"])
        assert "never_connecting.1" not in waiting(organiser)
        assert absent.process.poll() is None
        absent.process.terminate()
        assert absent.process.wait(PATIENCE_S) == -signal.SIGTERM


def test_one_fails_at_the_start_and_says_why(server: ServerProcess, tmp_path: Path) -> None:
    with program("failing", server, tmp_path / "own") as failing:
        assert failing.process.wait(PATIENCE_S) == 1
        assert failing.err.read_text() == "This engine does not start: it has lost its weights.\n"


# --- all of them ---------------------------------------------------------------------------------


def test_a_program_ends_with_the_one_that_started_it() -> None:
    command = f"{sys.executable} -m tests.support.bad_engines never_connecting & echo $!; read end"
    with subprocess.Popen(
        ["/bin/sh", "-c", command], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as shell:
        assert shell.stdin is not None
        assert shell.stdout is not None
        pid = int(shell.stdout.readline())
        until(lambda: len(list(Path(f"/proc/{pid}/task").iterdir())) > 1)  # it watches now
        assert runs(pid)
        shell.stdin.close()
        until(lambda: not runs(pid))


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(SystemExit, match=r"kind: 'angry', known are slow, .*, failing"):
        main("angry")


@pytest.mark.parametrize("kind", ENGINES)
def test_the_classes_are_found_by_the_command_that_runs_engines(kind: str) -> None:
    assert find(f"tests.support.bad_engines:{ENGINES[kind].__name__}") is ENGINES[kind]
