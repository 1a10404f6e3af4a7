"""The line-mode client end to end: server, engines and people in processes of their own."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from passing_client.language import listing
from passing_link.address import Address
from passing_link.exits import ExitCode
from passing_link.processes import start_engine, start_server
from tests.support.hall import await_engines, open_as_organiser
from tests.support.line_client import PATIENCE_S, LineClient, play_match, server_pid
from tests.support.tcp_proxy import TcpProxy

QUICK = {"PASSING_PACE": "0"}
PROMPT = "\x1b[0m>"
SCORES = re.compile(r"(?:Final scores|Scores): (.*?)\.")


@pytest.fixture
def scratch(tmp_path: Path) -> Generator[dict[str, str]]:
    """Return an environment whose temporary folder is the test's own, and look at it after."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield {"TMPDIR": str(folder), **QUICK}
    assert list(folder.iterdir()) == []


def transcript(*words: str, environment: dict[str, str]) -> str:
    """Run `passing watch` without a keyboard, and return all that it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "passing_client", "watch", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.stderr == ""
    assert done.returncode == ExitCode.DONE
    return done.stdout


# --- watching engines ---------------------------------------------------------------------------


def test_the_same_seed_prints_the_same_match(scratch: dict[str, str]) -> None:
    words = ("--bots", "4", "--plain", "--seed", "7")
    first = transcript(*words, environment=scratch)
    assert first == transcript(*words, environment=scratch)
    lines = first.splitlines()
    assert lines[0] == "The match begins: 4 seats, to 61 points."
    assert [line.split()[0] for line in lines[1:5]] == ["Bo", "Caro", "Emil", "Ann"]
    assert lines[-1].startswith("Final scores: Bo ")
    assert max(map(int, re.findall(r"\d+", lines[-1]))) >= 61


@pytest.mark.parametrize(
    ("words", "start", "target"),
    [
        (
            ["--bots", "2", "--seed", "7", "--target", "101"],
            "The match begins: 2 seats, to 101 points.",
            101,
        ),
        (["--bots", "3"], "The match begins: 3 seats, to 101 points.", 101),
        (
            ["--bots", "4", "--partners", "--seed", "8"],
            "The match begins: 4 seats in partnerships, to 61 points.",
            61,
        ),
    ],
)
def test_every_kind_of_match_is_watched_to_its_end(
    words: list[str], start: str, target: int, scratch: dict[str, str]
) -> None:
    lines = transcript(*words, "--plain", environment=scratch).splitlines()
    assert lines[0] == start
    assert "The match is over" in lines[-2]
    assert max(map(int, re.findall(r"\d+", lines[-1]))) >= target
    verify_sums(lines)


def verify_sums(lines: list[str]) -> None:
    """Add up every sum and every score that a transcript shows."""
    sums = [match for line in lines if (match := re.search(r": (\d.*) = (\d+) points?", line))]
    assert sums
    for found in sums:
        plus, _, minus = found[1].partition(" - ")
        assert sum(map(int, plus.split(" + "))) - int(minus) == int(found[2])
    scores = [SCORES.match(line) for line in lines if line.startswith(("Scores", "Final"))]
    totals = [sum(map(int, re.findall(r"\d+", found[1]))) for found in scores if found]
    assert totals[-1] == sum(int(found[2]) for found in sums)


# --- people and engines at a server -------------------------------------------------------------


@pytest.mark.parametrize("people", [1, 2])
def test_people_and_engines_in_processes_of_their_own_finish_a_match(
    people: int, tmp_path: Path
) -> None:
    """One server, one process for each seat, and nothing shared but the network."""
    engines = ("careful", "greedy", "random")[: 4 - people]
    with ExitStack() as stack:
        server = stack.enter_context(start_server(tmp_path / "server"))
        for engine in engines:
            stack.enter_context(start_engine(engine, server.connection_path, tmp_path))
        with open_as_organiser(server.connection_path) as organiser:
            await_engines(organiser, engines)
        address = server.connection.address
        names = ("Dana", "Zoe")[:people]
        clients = [
            stack.enter_context(LineClient("play", address, "--plain", "--name", name))
            for name in names
        ]
        sit_down(clients, engines)
        play_together(clients)
        for client in clients:
            final = client.until("Final scores: ")
            client.until("Type ready for another match")
            client.type("quit")
            assert client.ends() == ExitCode.DONE
            numbers = list(map(int, re.findall(r"\d+", final)))
            assert len(numbers) == 4
            assert max(numbers) >= 61
            verify_sums(client.lines)
        finals = {line for client in clients for line in client.lines if "wins with" in line}
        assert len(finals) <= 1


def sit_down(clients: list[LineClient], engines: tuple[str, ...]) -> None:
    """Let the first person make a table, the others join it, and the engines be invited."""
    owner, *others = clients
    waiting = owner.until(" waiting")
    assert all(engine in waiting for engine in engines)
    owner.type("new kitchen turn_ms=0 pace_ms=0")
    owner.until("Table kitchen. You are Dana, seat 1 of 4. To 61 points.")
    for client in others:
        client.until("Type ")
        client.type("tables")
        client.until("kitchen: Dana; 3 seats free; 4 seats, to 61.")
        client.type("join kitchen")
        client.until("Table kitchen. You are Zoe, seat 2 of 4.")
        owner.until("Zoe sits down: Zoe, seat 2.")
        client.type("c hello")
        owner.until("Zoe, seat 2: hello")
    for engine in engines:
        owner.type(f"invite {engine}")
        owner.until(f"{engine} sits down")
    owner.until(f"Not ready yet: {listing(['you', 'Zoe'][: len(clients)])}.")
    owner.type("start")


def play_together(clients: list[LineClient]) -> None:
    """Let each client play, the others in threads of their own."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(clients)) as pool:
        for done in [pool.submit(play_match, client) for client in clients]:
            done.result()


def test_a_table_is_watched_by_name(tmp_path: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(start_server(tmp_path / "server"))
        stack.enter_context(start_engine("greedy", server.connection_path, tmp_path))
        with open_as_organiser(server.connection_path) as organiser:
            await_engines(organiser, ["greedy"])
        address = server.connection.address
        dana = stack.enter_context(LineClient("play", address, "--name", "Dana"))
        assert "greedy" in dana.until(" waiting")
        dana.type("new kitchen seats=2 target=5 turn_ms=0 pace_ms=0")
        dana.until("Table kitchen.")
        watcher = stack.enter_context(LineClient("watch", address, "kitchen", "--name", "Zoe"))
        watcher.until("Table kitchen. You are watching. To 5 points.")
        watcher.end_input()
        dana.until("1 person watches.")
        dana.type("invite")
        dana.until("greedy sits down")
        dana.type("start")
        play_match(dana)
        assert watcher.ends() == ExitCode.DONE
        assert "Final scores: " in watcher.lines[-1]
        assert not [line for line in watcher.lines if "Your " in line]


def test_a_lost_connection_is_told_and_the_match_goes_on(tmp_path: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(start_server(tmp_path / "server"))
        stack.enter_context(start_engine("greedy", server.connection_path, tmp_path))
        with open_as_organiser(server.connection_path) as organiser:
            await_engines(organiser, ["greedy"])
        proxy = stack.enter_context(TcpProxy(Address.parse(server.connection.address)))
        words = ("play", str(proxy.address), "--name", "Dana")
        client = stack.enter_context(LineClient(*words))
        assert "greedy" in client.until(" waiting")
        client.type("new kitchen seats=2 target=5 turn_ms=0 pace_ms=0")
        client.until("Table kitchen.")
        client.type("invite")
        client.until("Type start to begin.")
        client.type("start")
        client.until("Round 1.")
        proxy.cut()
        client.until(f"The connection to {proxy.address} is lost")
        client.until(f"The connection to {proxy.address} is back")
        client.type("")
        client.type("turn")
        play_match(client)
        client.type("quit")
        assert client.ends() == ExitCode.DONE
        verify_sums(client.lines)


# --- private tables -----------------------------------------------------------------------------


def test_a_private_match_is_played_and_played_again(scratch: dict[str, str]) -> None:
    words = ("--bots", "1", "--target", "5", "--seed", "3", "--name", "Dana", "--plain")
    with LineClient("play", *words, environment=scratch) as client:
        play_match(client)
        client.until("Type ready for another match, leave, or quit.")
        client.type("ready")
        client.until("The match begins: 2 seats, to 5 points.")
        client.until("Your turn.")
        client.type("quit")
        assert client.ends() == ExitCode.DONE


def test_the_end_of_the_input_leaves_and_leaves_nothing_behind(scratch: dict[str, str]) -> None:
    with LineClient("play", "--bots", "2", environment=scratch) as client:
        client.end_input()
        assert client.ends() == ExitCode.DONE


def engine_pid(client: LineClient) -> int:
    """Return the process of the engine that a client has started."""
    listed = Path(f"/proc/{client.process.pid}/task").glob("*/children")
    children = [int(pid) for path in listed for pid in path.read_text().split()]
    (engine,) = [n for n in children if b"\0bot\0run\0" in Path(f"/proc/{n}/cmdline").read_bytes()]
    return engine


def test_an_engine_that_is_killed_is_started_again_and_plays_on(scratch: dict[str, str]) -> None:
    with LineClient("play", "--bots", "1", "--seed", "7", environment=scratch) as client:
        client.until("Your turn.")
        killed = engine_pid(client)
        os.kill(killed, signal.SIGKILL)
        told = len(client.lines)
        client.type("d")
        client.until("Bo 2 stands in for Bo at seat 2.")
        assert engine_pid(client) != killed
        if not any(line.startswith("Your turn.") for line in client.lines[told:]):
            client.until("Your turn.")
        client.type("d")
        client.until("Bo 2 ")
        client.type("quit")
        assert client.ends() == ExitCode.DONE


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_and_leaves_nothing_behind(
    number: signal.Signals, scratch: dict[str, str]
) -> None:
    with LineClient("play", "--bots", "1", environment=scratch) as client:
        client.until("Your turn.")
        pid = server_pid(Path(scratch["TMPDIR"]))
        assert pid is not None
        client.process.send_signal(number)
        assert client.ends() == 128 + number
        assert not [line for line in client.lines if "Traceback" in line]
        assert not is_alive(pid)


def test_children_end_by_themselves_when_their_parent_is_killed(tmp_path: Path) -> None:
    environment = {"TMPDIR": str(tmp_path), **QUICK}
    with LineClient("play", "--bots", "1", environment=environment) as client:
        client.until("Your turn.")
        pid = server_pid(tmp_path)
        assert pid is not None
        client.process.kill()
        deadline = time.monotonic() + 10
        while is_alive(pid) and time.monotonic() < deadline:
            select.select([], [], [], 0.05)
        assert not is_alive(pid)


def test_a_server_of_ours_that_dies_is_started_again_and_the_match_goes_on(
    scratch: dict[str, str],
) -> None:
    words = ("--bots", "1", "--target", "5", "--seed", "3", "--name", "Dana")
    with LineClient("play", *words, environment=scratch) as client:
        hand = client.until("Your hand, 7 tiles")
        client.until("Your turn.")
        pid = server_pid(Path(scratch["TMPDIR"]))
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        client.until("; trying to get it back.")
        client.until("; the server was started again and goes on where it was.")
        assert client.until("Your hand, 7 tiles") == hand
        play_match(client)
        client.type("quit")
        assert client.ends() == ExitCode.DONE
        verify_sums(client.lines)


def test_a_server_of_ours_that_dies_again_and_again_is_told(scratch: dict[str, str]) -> None:
    with LineClient("play", "--bots", "1", environment=scratch) as client:
        client.until("Your turn.")
        died: set[int] = set()
        while client.process.poll() is None:
            pid = server_pid(Path(scratch["TMPDIR"]))
            if pid is not None and pid not in died:
                os.kill(pid, signal.SIGKILL)
                died.add(pid)
            select.select([], [], [], 0.02)
        client.until("passing: Our server has ended 4 times within 60 s and is not started again.")
        assert client.ends() == ExitCode.UNEXPECTED
        assert len(died) == 4


def test_an_engine_that_does_not_exist_is_told(scratch: dict[str, str]) -> None:
    words = ("--bots", "2", "--bot", "nonsense")
    with LineClient("watch", *words, environment=scratch) as client:
        client.until("passing: The engine nonsense did not start: ")
        assert client.ends() == ExitCode.USAGE


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


# --- at a terminal ------------------------------------------------------------------------------


class Terminal:
    """Run `passing` at a terminal of the test's own."""

    def __init__(self, *words: str, environment: dict[str, str]) -> None:
        self.controller, self.terminal = pty.openpty()
        self.before = termios.tcgetattr(self.terminal)
        self.drawn = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "passing_client", *words],
            stdin=self.terminal,
            stdout=self.terminal,
            stderr=self.terminal,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", **environment},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.controller)
        os.close(self.terminal)

    def until(self, text: str, start: int = 0) -> int:
        """Wait until a text has been drawn from `start` on, and return where it ends."""
        deadline = time.monotonic() + PATIENCE_S
        while text not in self.drawn[start:]:
            assert time.monotonic() < deadline, self.drawn
            self._read()
        return self.drawn.index(text, start) + len(text)

    def type(self, keys: str) -> None:
        os.write(self.controller, keys.encode())

    def ends(self) -> int:
        deadline = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.drawn
            self._read()
        assert termios.tcgetattr(self.terminal) == self.before
        return self.process.wait()

    def _read(self) -> None:
        if select.select([self.controller], [], [], 0.1)[0]:
            self.drawn += os.read(self.controller, 65_536).decode(errors="replace")


@pytest.mark.parametrize(
    ("keys", "code"),
    [("quit\r", ExitCode.DONE), ("\x04", ExitCode.DONE), ("\x03", ExitCode.INTERRUPTED)],
)
def test_at_a_terminal_one_can_play_and_leave_and_the_terminal_is_as_before(
    keys: str, code: ExitCode, scratch: dict[str, str]
) -> None:
    words = ("--bots", "1", "--name", "Dana", "--plain")
    with Terminal("play", *words, environment=scratch) as terminal:
        asked = terminal.until("Your turn.")
        terminal.until(PROMPT, asked)
        terminal.type("who\r")
        told = terminal.until("You to play.", asked)
        # The prompt comes last, when the terminal listens key by key again.
        terminal.until(PROMPT, told)
        terminal.type(keys)
        assert terminal.ends() == code
    assert "\x1b[?1049h" not in terminal.drawn
    assert "\a" in terminal.drawn
    assert "Traceback" not in terminal.drawn
