"""Children: ready when they say so, gone with their whole group, and gone when we are."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.connection_file import ConnectionFile
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkNews, NewsKind
from passing_link.processes import (
    RESTARTS,
    WITHIN_S,
    Child,
    Guarded,
    GuardedServer,
    own_command,
    start_engine,
    start_program,
    start_server,
)
from passing_protocol.messages import Agent, Lobby, Role, Tables

LEAVE_S = 2.0
"""The promise: a child whose parent is gone has left within this time."""


def wait_until(condition: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def runs(pid: int) -> bool:
    """Tell whether a process runs; one that only waits to be collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def watcher(code: str) -> "subprocess.Popen[bytes]":
    """Start a program that watches its parent; it prints one line when it does."""
    program = (
        "import signal, sys, time\n"
        "from passing_link.processes import ParentWatch\n"
        f"{code}\n"
        "print('ready', flush=True)\n"
        "while True: time.sleep(1)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    return child


def leave_time(child: "subprocess.Popen[bytes]") -> float:
    """Close a child's standard input and return how long it takes to leave."""
    assert child.stdin is not None
    assert child.stdout is not None
    started = time.monotonic()
    child.stdin.close()
    child.wait(10)
    child.stdout.close()
    return time.monotonic() - started


# --- a server ------------------------------------------------------------------------------------


def test_a_started_server_listens_and_takes_its_tokens(tmp_path: Path) -> None:
    with start_server(tmp_path) as server:
        assert server.connection == ConnectionFile.read(tmp_path / "server.json")
        assert server.connection_path == tmp_path / "server.json"
        assert server.connection.pid == server.pid
        with Connection.open(
            Address.parse(server.connection.address),
            name="Ann",
            agent=Agent("test", "1"),
            token=server.connection.tokens["organiser"],
        ) as connection:
            assert connection.welcome.role is Role.ORGANISER
        assert server.exit_code is None
    assert server.exit_code == 0
    assert "Serving on" in (tmp_path / "server.log").read_text()


def test_its_files_are_for_its_owner_alone(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with start_server(state):
        assert state.stat().st_mode & 0o777 == 0o700
        assert all(path.stat().st_mode & 0o077 == 0 for path in state.iterdir())


def test_a_connection_file_left_behind_is_no_sign_of_readiness(tmp_path: Path) -> None:
    old = ConnectionFile("127.0.0.1:1", None, 2**22 - 1, {})
    old.write(tmp_path / "server.json")
    with start_server(tmp_path) as server:
        assert server.connection != old


def test_why_a_server_did_not_start_is_said_in_its_own_words(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match=r"The server did not start: .*--port 70000"):
        start_server(tmp_path, ["--port", "70000"])


def test_a_server_that_is_not_ready_in_time_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passing_link.processes.READY_S", 0.0)
    with pytest.raises(CommandFailed, match=r"not ready within 0 s"):
        start_server(tmp_path)


# --- a server that is started again --------------------------------------------------------------


def server_pid(server: GuardedServer) -> int:
    return ConnectionFile.read(server.connection_path).pid


def die(server: GuardedServer) -> None:
    """Kill the process of a guarded server, and wait until all its threads and files are gone."""
    pid = server_pid(server)
    descriptor = os.pidfd_open(pid)
    os.kill(pid, signal.SIGKILL)
    assert select.select([descriptor], [], [], 20)[0]
    os.close(descriptor)


def look_until_there(server: GuardedServer, died: int) -> None:
    """Do as those do who hold a guarded server, until another process is in its place."""

    def there() -> bool:
        server.look()
        return server_pid(server) != died

    wait_until(there)


def test_a_server_that_is_killed_is_started_again_and_its_client_comes_back(
    tmp_path: Path,
) -> None:
    with (
        GuardedServer(tmp_path) as server,
        Connection.open(
            Address.parse(server.connection.address), name="Ann", agent=Agent("test", "1")
        ) as connection,
    ):
        session, first = connection.welcome.session, server_pid(server)
        die(server)
        look_until_there(server, first)
        kinds: list[NewsKind] = []
        while NewsKind.RESTARTED not in kinds:
            item = connection.receive(10)
            assert isinstance(item, LinkNews)
            kinds.append(item.kind)
        assert set(kinds) <= {NewsKind.LOST, NewsKind.TRYING, NewsKind.RESTARTED}
        assert connection.welcome.session == session
        again = ConnectionFile.read(server.connection_path)
        assert (again.address, again.tokens) == (
            server.connection.address,
            server.connection.tokens,
        )
        last = server_pid(server)
    assert not runs(last)


def test_looking_at_a_server_that_runs_does_nothing(tmp_path: Path) -> None:
    with GuardedServer(tmp_path) as server:
        first = server_pid(server)
        server.look()
        assert server_pid(server) == first
        assert runs(first)


def test_a_server_that_dies_too_often_is_given_up_with_its_last_words(tmp_path: Path) -> None:
    with GuardedServer(tmp_path) as server:
        die(server)
        address = Address.parse(server.connection.address)
        with (
            socket.create_server((address.host, address.port)),  # so that it cannot listen there
            pytest.raises(CommandFailed, match=r"4 times within 60 s .* Cannot listen on"),
        ):
            wait_until(server.look)
    log = (tmp_path / "server.log").read_text()
    assert log.count("Cannot listen on") == RESTARTS == 3


def test_deaths_of_long_ago_are_forgiven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    with GuardedServer(tmp_path) as server:
        monkeypatch.setattr("passing_link.processes.time.monotonic", lambda: now)
        for _ in range(RESTARTS + 2):
            first = server_pid(server)
            die(server)
            look_until_there(server, first)
            now += WITHIN_S / RESTARTS
        monkeypatch.undo()


# --- engines -------------------------------------------------------------------------------------


def test_a_started_engine_waits_in_the_lobby(tmp_path: Path) -> None:
    with (
        start_server(tmp_path) as server,
        start_engine("greedy", server.connection_path, tmp_path, ["--name", "Bo"]) as engine,
        Connection.open(
            Address.parse(server.connection.address),
            name="Ann",
            agent=Agent("test", "1"),
            token=server.connection.tokens["organiser"],  # who may look often
        ) as connection,
    ):

        def waits() -> bool:
            tables = connection.request(Lobby(0))
            assert isinstance(tables, Tables)
            return [info.name for info in tables.engines] == ["Bo"]

        wait_until(waits)
        engine.stop()
        wait_until(lambda: not waits())
    assert engine.exit_code == 0
    assert (tmp_path / "engine-greedy.log").exists()


def test_a_guarded_child_that_ends_is_started_again_and_given_up_in_its_own_words(
    tmp_path: Path,
) -> None:
    log = tmp_path / "child.log"
    command = [sys.executable, "-c", "print('so be it', flush=True)"]
    started: list[Child] = []

    def start() -> Child:
        started.append(Child(command, log))
        return started[-1]

    with Guarded(start(), start, "The child") as guarded:

        def dies() -> None:
            wait_until(lambda: guarded.child.exit_code is not None)

        for number in range(RESTARTS):
            dies()
            guarded.look()
            assert len(started) == number + 2
            assert guarded.child is started[-1]
        dies()
        with pytest.raises(CommandFailed, match=r"The child has ended 4 times .* so be it"):
            guarded.look()
    assert len(started) == RESTARTS + 1


def test_what_an_engine_says_is_kept(tmp_path: Path) -> None:
    with start_engine("no-such", tmp_path / "server.json", tmp_path) as engine:
        assert engine.wait(10) == 2
        assert "'no-such' is not installed" in engine.last_words()


ASKING = """
import os
raise LookupError(f"told {os.environ['TOLD']} at {os.environ['HOME']}")
"""


def test_a_command_of_ours_is_given_an_environment_besides_ours(tmp_path: Path) -> None:
    (tmp_path / "asking.py").write_text(ASKING)
    environment = {"PYTHONPATH": str(tmp_path), "TOLD": "much"}
    words = ["bot", "run", "asking:Asking"]
    with Child(own_command(words), tmp_path / "asking.log", environment) as engine:
        assert engine.wait(10) == ExitCode.USAGE
        assert f"told much at {os.environ['HOME']}" in engine.last_words()
    assert "TOLD" not in os.environ


# --- other programs ------------------------------------------------------------------------------


def python(code: str) -> list[str]:
    """Return the command of a program; it says when it is there."""
    return [sys.executable, "-uc", code]


def lines(log: Path, count: int = 1) -> list[str]:
    """Return what a program has written, once that is so many lines."""
    wait_until(lambda: log.exists() and log.read_text().count("\n") >= count)
    return log.read_text().splitlines()


def test_a_program_gets_arguments_an_environment_besides_ours(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "program.log"
    code = "import os, sys; print(sys.argv[1:], os.environ['TOLD'], os.environ['PATH'])"
    with start_program([*python(code), "a b", ""], log, {"TOLD": "much"}) as child:
        assert child.wait(10) == 0
        assert child.last_words() == f"['a b', ''] much {os.environ['PATH']}"


def test_what_a_program_writes_is_added_to_its_log_for_its_owner_alone(tmp_path: Path) -> None:
    log = tmp_path / "program.log"
    code = "import sys; print('out'); print('err', file=sys.stderr)"
    for _ in range(2):
        with start_program(python(code), log, {}) as child:
            assert child.wait(10) == 0
    assert log.read_text().split() == ["out", "err"] * 2
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_program_reads_a_pipe_that_closes_with_us(tmp_path: Path) -> None:
    log = tmp_path / "program.log"
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from passing_link.processes import start_program\n"
        'reading = \'import sys; print("here"); sys.stdin.read(); print("over")\'\n'
        f"child = start_program([sys.executable, '-uc', reading], Path({str(log)!r}), {{}})\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program])
    assert lines(log) == ["here"]
    parent.kill()
    parent.wait()
    assert lines(log, 2) == ["here", "over"]


def test_a_programs_exit_code_and_the_signal_that_ended_it_are_told(tmp_path: Path) -> None:
    with start_program(python("raise SystemExit(7)"), tmp_path / "a.log", {}) as child:
        assert child.wait(10) == 7
    code = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    with start_program(python(code), tmp_path / "b.log", {}) as child:
        assert child.wait(10) == child.exit_code == -signal.SIGSEGV


FAMILY = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)  # its child inherits that
sleep = "import time; print('child'); time.sleep(60)"
child = subprocess.Popen([sys.executable, "-uc", sleep])
print("parent")
time.sleep(60 if sys.argv[1:] else 0)
"""


def test_stop_ends_all_that_a_program_has_started(tmp_path: Path) -> None:
    log = tmp_path / "program.log"
    child = start_program([*python(FAMILY), "stay"], log, {})
    lines(log, 2)
    assert len(members(child.pid)) == 2
    child.stop(grace_s=0.1)
    wait_until(lambda: not members(child.pid))  # the kernel takes its time


def test_what_a_program_leaves_behind_ends_when_its_own_end_is_seen(tmp_path: Path) -> None:
    log = tmp_path / "program.log"
    with start_program(python(FAMILY), log, {}) as child:
        lines(log, 2)
        wait_until(lambda: not runs(child.pid))
        assert len(members(child.pid)) == 1
        assert child.exit_code == 0
        wait_until(lambda: not members(child.pid))


def test_nobody_is_signalled_once_the_exit_code_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number may be that of another group by then."""
    signalled: list[int] = []

    def note(group: int, _number: int) -> None:
        signalled.append(group)

    with start_program(python(""), tmp_path / "program.log", {}) as child:
        wait_until(lambda: not runs(child.pid))
        assert Path(f"/proc/{child.pid}").exists()
        monkeypatch.setattr(os, "killpg", note)
        assert child.wait(10) == 0
        assert not Path(f"/proc/{child.pid}").exists()
        assert signalled == [child.pid]
        child.ask_to_leave()
        child.stop()
    assert signalled == [child.pid]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["no-such-program", "-x"], "'no-such-program' cannot be started: No such file"),
        (["/"], "'/' cannot be started: Permission denied"),
        (["a\0b"], r"'a\\x00b' cannot be started: embedded null byte"),
    ],
)
def test_a_program_that_cannot_be_started_is_named(
    tmp_path: Path, command: list[str], why: str
) -> None:
    with pytest.raises(CommandFailed, match=why) as caught:
        start_program(command, tmp_path / "program.log", {})
    assert caught.value.code is ExitCode.USAGE


# --- ending --------------------------------------------------------------------------------------


def test_stop_ends_the_whole_group_and_may_be_repeated(tmp_path: Path) -> None:
    with start_server(tmp_path) as server:
        command = ["greedy", "--processes", "3"]
        engine = start_engine(command[0], server.connection_path, tmp_path, command[1:])
        group = engine.pid
        wait_until(lambda: len(members(group)) >= 1)
        engine.stop()
        engine.stop()
        assert members(group) == []


def members(group: int) -> list[int]:
    """Return the running processes of a process group."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and runs(int(entry.name)):
            try:
                if os.getpgid(int(entry.name)) == group:
                    found.append(int(entry.name))
            except ProcessLookupError:
                continue
    return found


def test_a_child_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    with start_server(tmp_path) as server:
        os.kill(server.pid, signal.SIGSTOP)  # it can neither read its pipe nor take a signal
        started = time.monotonic()
        server.stop(grace_s=0.2)
        assert time.monotonic() - started < LEAVE_S
        assert server.exit_code == -signal.SIGKILL


def test_a_child_without_a_log_says_so_little(tmp_path: Path) -> None:
    with Child(own_command(["bot", "list"])) as child:
        assert child.wait(10) is not None
        assert child.last_words() == "it said nothing"


def test_children_leave_when_their_parent_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from passing_link.processes import start_engine, start_server\n"
        f"state = Path({str(tmp_path)!r})\n"
        "server = start_server(state)\n"
        "engine = start_engine('random', server.connection_path, state)\n"
        "print(server.pid, engine.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    children = [int(word) for word in parent.stdout.readline().split()]
    assert all(runs(pid) for pid in children)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    killed = time.monotonic()
    wait_until(lambda: not any(runs(pid) for pid in children))
    assert time.monotonic() - killed < LEAVE_S


def test_a_closed_pipe_asks_a_process_to_leave() -> None:
    child = watcher("ParentWatch().start()")
    assert leave_time(child) < LEAVE_S
    assert child.returncode == -signal.SIGTERM


def test_a_process_that_will_not_leave_is_ended() -> None:
    child = watcher("signal.signal(signal.SIGTERM, signal.SIG_IGN); ParentWatch().start()")
    assert 1 < leave_time(child) < LEAVE_S
    assert child.returncode == 1


def test_what_comes_through_the_pipe_is_read_over() -> None:
    child = watcher("ParentWatch().start()")
    assert child.stdin is not None
    child.stdin.write(b"x" * 5000)
    child.stdin.flush()
    assert child.poll() is None
    assert leave_time(child) < LEAVE_S


def test_a_descriptor_that_is_closed_already_counts_as_gone() -> None:
    child = watcher(
        "import os; signal.signal(signal.SIGTERM, lambda *_: sys.exit(7)); os.close(0)\n"
        "print('ready', flush=True); ParentWatch().start()"
    )
    assert leave_time(child) < LEAVE_S
    assert child.returncode == 7
