"""Start commands of our own and other programs as child processes, and end them all.

A child leads a process group of its own, so that ending it ends what it started; it holds the
reading end of a pipe as its standard input, so that it can notice when we are gone. Our own
commands do; another program that does not look at its standard input outlives us if we are
killed.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from passing_link.connection_file import NAME, ConnectionFile, InvalidConnectionFile
from passing_link.exits import CommandFailed, ExitCode

READY_S: Final = 10.0
"""How long a server may take to listen."""

GRACE_S: Final = 2.0
"""How long a child may take to leave by itself before it is killed."""

LOG_LINES: Final = 5
"""How many lines of a child's log tell why it failed."""

LOG_TAIL_BYTES: Final = 1 << 14
"""How much of the end of a log is looked at for them."""

END_WITH_PARENT: Final = "--end-with-parent"
"""The flag by which a command is told to leave when its standard input closes."""

STANDARD_ERROR: Final = 2
"""The descriptor of this process's standard error."""

RESTARTS: Final = 3
WITHIN_S: Final = 60.0
"""A child that dies is started again at most so many times within so many seconds."""

_POLL_S: Final = 0.01


class Child:
    """Hold a child process and its group; usable with `with`, which stops it."""

    def __init__(
        self,
        command: Sequence[str],
        log: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start a program; `environment` is added to our own. Raises OSError and ValueError.

        What it prints goes to the end of `log`, to our own standard error without one.
        """
        self._log = log
        self._log_start = 0
        """Where in its log begins what this child has written."""
        with ExitStack() as files:
            output: int | IO[bytes] = STANDARD_ERROR
            if log is not None:
                output = files.enter_context(_open_log(log))
                self._log_start = output.tell()
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                start_new_session=True,
                env={**os.environ, **(environment or {})},
            )

    @property
    def pid(self) -> int:
        """Return the process id, which is the group's too."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """Return how the child ended (below 0: by that signal); None while it runs.

        What is left of its group is ended then.
        """
        if self._process.returncode is None:
            self._end_group_of_the_dead(os.WNOHANG)
        return self._process.poll()

    def wait(self, timeout_s: float) -> int | None:
        """Wait for the child to end by itself; returns its exit code, None when it runs on."""
        deadline = time.monotonic() + timeout_s
        while (code := self.exit_code) is None and time.monotonic() < deadline:
            time.sleep(_POLL_S)
        return code

    def ask_to_leave(self) -> None:
        """Ask the child's whole group to end, without waiting for that."""
        if self.exit_code is None:
            self._signal(signal.SIGTERM)

    def stop(self, grace_s: float = GRACE_S) -> None:
        """End the child's whole group: ask first, then kill what is left. Safe to repeat."""
        self.ask_to_leave()
        if self.wait(grace_s) is None:
            self._signal(signal.SIGKILL)
            self._end_group_of_the_dead()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()

    def said(self, about: Sequence[str] = ()) -> str:
        """Return in one line what the child last wrote into its log; empty for nothing.

        Lines that have one of the texts `about` go before all others.
        """
        if self._log is None:
            return ""
        with suppress(OSError), self._log.open("rb") as log:
            log.seek(max(self._log_start, log.seek(0, os.SEEK_END) - LOG_TAIL_BYTES))
            lines = log.read().decode(errors="replace").strip().splitlines()
            chosen = [line for line in lines if any(text in line for text in about)]
            return " / ".join((chosen or lines)[-LOG_LINES:])
        return ""

    def last_words(self) -> str:
        """Return what the child last wrote, for a sentence."""
        return self.said() or "it said nothing"

    def trim_log(self, limit: int) -> None:
        """Empty the log if it is longer than so many bytes; raises OSError."""
        if self._log is not None and self._log.stat().st_size > limit:
            os.truncate(self._log, 0)
            self._log_start = 0

    def __enter__(self) -> Self:
        """Return the child itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the child."""
        self.stop()

    def _end_group_of_the_dead(self, options: int = 0) -> None:
        """Kill what is left of the group if the child has ended; waits for that without WNOHANG.

        The child's number is its own until its exit code is fetched, and anybody's afterwards: a
        group of that number may be another one then. So this comes before, and nothing later.
        """
        with suppress(ChildProcessError):  # the code was fetched elsewhere
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | options) is not None:
                self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        """Signal the group of a child whose exit code is not fetched yet."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def _open_log(log: Path) -> IO[bytes]:
    """Open a log to append to, for its owner's eyes alone."""
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return open(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def own_command(words: Sequence[str]) -> list[str]:
    """Return the command line of `passing` with these words, as a child that ends with us."""
    return [sys.executable, "-m", "passing_client", *words, END_WITH_PARENT]


def start_program(command: Sequence[str], log: Path, environment: Mapping[str, str]) -> Child:
    """Start a program of somebody else's as a child.

    Raises CommandFailed with the code of usage, naming the program, when it cannot be started.
    """
    try:
        return Child(command, log, environment)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise CommandFailed(ExitCode.USAGE, f"{command[0]!r} cannot be started: {why}.") from None


class ServerProcess(Child):
    """Hold a server of our own, and the connection file by which to reach it."""

    connection: ConnectionFile
    connection_path: Path


def start_server(state: Path, arguments: Sequence[str] = ()) -> ServerProcess:
    """Start a server with its own state folder on a free port, and wait until it listens.

    `arguments` are further ones of `passing serve`. Raises CommandFailed with the last lines
    of its log when it does not come up.
    """
    words = ["serve", "--port", "0", "--state", str(state), *arguments]
    server = ServerProcess(own_command(words), state / "server.log")
    try:
        server.connection_path = state / NAME
        server.connection = _await_file(server, server.connection_path)
    except BaseException:
        server.stop()
        raise
    return server


class Guarded:
    """Hold a child that is started again when it dies; usable with `with`, which stops it.

    `look` does it, and has to be called again and again.
    """

    def __init__(self, child: Child, again: Callable[[], Child], called: str) -> None:
        """Take over a child; `again` starts another in its place, `called` is for a sentence."""
        self._child = child
        self._again = again
        self._called = called
        self._deaths: deque[float] = deque(maxlen=RESTARTS)

    @property
    def child(self) -> Child:
        """Return the child that is there now."""
        return self._child

    def look(self) -> None:
        """Start the child again if it has ended; this does not wait until it is ready.

        Raises CommandFailed with its last words when it has died too often.
        """
        if self._child.exit_code is None:
            return
        now = time.monotonic()
        if len(self._deaths) == RESTARTS and now - self._deaths[0] < WITHIN_S:
            raise CommandFailed(
                ExitCode.UNEXPECTED,
                f"{self._called} has ended {RESTARTS + 1} times within {WITHIN_S:g} s and is not "
                f"started again. The last it said: {self._child.last_words()}",
            )
        self._deaths.append(now)
        self._child.stop(0)  # and what it may have left behind
        self._child = self._again()

    def stop(self) -> None:
        """End the child. Safe to repeat."""
        self._child.stop()

    def __enter__(self) -> Self:
        """Return the guarded child itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the child."""
        self.stop()


class GuardedServer(Guarded):
    """Hold a server of our own that is started again when it dies.

    It goes on with the same state folder, address and tokens, so that its clients come back by
    themselves to the seats that they had.
    """

    def __init__(self, state: Path) -> None:
        """Start the server, and wait until it listens; raises CommandFailed."""
        server = start_server(state)
        self.connection = server.connection
        self.connection_path = server.connection_path
        port = server.connection.address.rpartition(":")[2]
        command = own_command(["serve", "--port", port, "--state", str(state)])
        super().__init__(server, lambda: Child(command, state / "server.log"), "Our server")


def start_engine(
    spec: str, connection: Path, state: Path, arguments: Sequence[str] = (), label: str = ""
) -> Child:
    """Start an engine that waits at the server of a connection file; its log is put into `state`.

    `arguments` are further ones of `passing bot run`; `label` tells logs of one spec apart.
    """
    name = "".join(c if c.isalnum() else "-" for c in spec) + label
    words = ["bot", "run", spec, *arguments, "--connection", str(connection)]
    return Child(own_command(words), state / f"engine-{name}.log")


def _await_file(server: Child, path: Path) -> ConnectionFile:
    deadline = time.monotonic() + READY_S
    while True:
        with suppress(OSError, InvalidConnectionFile):
            connection = ConnectionFile.read(path)
            if connection.pid == server.pid:  # not one that another server left behind
                return connection
        if server.exit_code is not None:
            raise CommandFailed(
                ExitCode.UNEXPECTED, f"The server did not start: {server.last_words()}"
            )
        if time.monotonic() >= deadline:
            raise CommandFailed(
                ExitCode.UNEXPECTED,
                f"The server was not ready within {READY_S:g} s: {server.last_words()}",
            )
        time.sleep(_POLL_S)


class ParentWatch:
    """Leave when the parent is gone: when standard input, a pipe it holds, closes.

    SIGTERM asks this process to leave as anybody would; should it not, it is ended.
    """

    def __init__(self, descriptor: int = 0, leave_s: float = 1.5) -> None:
        """Watch a pipe's descriptor; after it closes, `leave_s` are left to clean up."""
        self._descriptor = descriptor
        self._leave_s = leave_s

    def start(self) -> None:
        """Begin to watch, in a thread."""
        threading.Thread(target=self._watch, name="parent-watch", daemon=True).start()

    def _watch(self) -> None:
        with suppress(OSError):
            while os.read(self._descriptor, 1024):
                pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(self._leave_s)
        os._exit(1)
