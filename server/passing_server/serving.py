"""One server process: its folder, its tokens, its socket, and the words it prints."""

import os
import platform
import secrets
import sys
import time
import traceback
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from passing_link.address import LOOPBACK
from passing_link.connection_file import NAME, ConnectionFile
from passing_link.exits import CommandFailed, ExitCode
from passing_link.processes import ParentWatch
from passing_link.state_lock import holder_of
from passing_server.access import Access
from passing_server.answering import Ear, hearing
from passing_server.core import Server
from passing_server.housekeeping import Housekeeping
from passing_server.log import Log
from passing_server.loop import (
    Loop,
    collect_seldom,
    listening,
    memory_bytes,
    now_ms,
    prepare_process,
    watch_signals,
)
from passing_server.observing import Observer
from passing_server.signpost import Signpost, id_of
from passing_server.sqlite_store import SqliteStore
from passing_server.state_folder import FolderInUse, StateFolder, folder_of
from passing_server.storing import DiskFull, Durability, Store, StoreFailed, failed_for
from passing_server.token_file import kept_tokens
from passing_server.waiting import Waiting

DAY_NS = 86_400_000_000_000
MOST_DAYS = 36_500
PREPARED = f"{NAME}.new"
"""What the connection file is called before the server is ready."""
DEBUG_VARIABLE = "PASSING_DEBUG"
BANNER = (
    "WARNING: everything this server sends and hears is unencrypted, hands included, and\n"
    "anybody who reaches it may play. Use it on networks you trust wholly, or not at all."
)


def today() -> int:
    """Return the number of this day, counted from 1970-01-01 in UTC."""
    return time.time_ns() // DAY_NS


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Hold how a server was asked to run."""

    bind: str
    port: int
    name: str
    state: str | None
    plaintext: bool
    durability: Durability
    keep_days: int
    log_json: bool
    end_with_parent: bool

    def run(self) -> int:
        """Listen, write the connection file, say how to join, and serve until stopped.

        Raises CommandFailed when the address, the folder or its store is refused, and where the
        port is taken; with a log for programs that is in the log instead.
        """
        log = Log(sys.stderr, as_json=self.log_json)
        try:
            self._serve(log)
        except CommandFailed as failed:
            if not self.log_json:
                raise
            log.tell("failed", failed.sentence, code=int(failed.code))
            return failed.code
        return ExitCode.DONE

    def _serve(self, log: Log) -> None:
        self._verify()
        self._verify_port()
        prepare_process()
        if self.end_with_parent:
            ParentWatch().start()
        waiting = Waiting(log)
        folder = waiting.done(self._folder)
        tokens = waiting.done(lambda: kept_tokens(folder.path, log))
        with (
            closing(waiting.done(lambda: SqliteStore(folder.path))) as store,
            listening(self.bind, self.port) as (socket, port),
            hearing([self.bind], port, log) as ears,
        ):
            server = self._server(tokens, store)
            _tell_recovered(server, waiting.done(lambda: server.recover(now_ms())), log)
            address = _joined(self._reach(), port)
            connection = ConnectionFile(address, None, os.getpid(), tokens)
            waiting.done(lambda: _prepare(connection, folder))
            observer = Observer(server, log)
            housekeeping = Housekeeping(
                store, self.keep_days, lambda: server.run_day, log, now_ms()
            )

            def after(now: int, cuts: int) -> None:
                observer.look(now, cuts)
                housekeeping.look(now)

            loop = Loop(server, socket, after)
            watch_signals(loop)
            kept = connection.server_key or tokens["admin"]
            signpost = Signpost(server, id_of(kept), port, connection.server_key)
            _answer_queries(loop, ears, signpost)
            with _published(folder, log) as path:
                self._announce(log, port, path)
                _run(loop)
            observer.end()

    def _server(self, tokens: dict[str, str], store: Store) -> Server:
        return Server(
            self.name or platform.node(),
            Access(tokens),
            secrets.token_bytes,
            time.time_ns() // 1_000_000,
            store,
            people=self.durability,
            today=today,
            memory=memory_bytes,
        )

    def _verify(self) -> None:
        if not 0 <= self.port <= 65_535:
            raise CommandFailed(ExitCode.USAGE, f"--port {self.port}: allowed is 0 to 65535.")
        if not 0 <= self.keep_days <= MOST_DAYS:
            sentence = f"--keep-days {self.keep_days}: allowed is 0 to {MOST_DAYS}."
            raise CommandFailed(ExitCode.USAGE, sentence)
        if self.bind not in LOOPBACK and not self.plaintext:
            port = self.port or "PORT"
            raise CommandFailed(
                ExitCode.USAGE,
                f"--bind {self.bind}: that address can be reached from other machines, and nothing "
                "is encrypted: who listens on the way reads every hand, and anybody who reaches it "
                "may play. For a network that you trust wholly add --insecure-plaintext. Else "
                "leave --bind out, and let others come by ssh: "
                f"`ssh -N -L {port}:127.0.0.1:{port} USER@{platform.node()}` on their machine, and "
                f"there `passing play localhost:{port}`.",
            )

    def _verify_port(self) -> None:
        """Raise CommandFailed where nobody can listen, before anything is made in the folder.

        Of a folder that is in use there is more to say, and nothing is made there.
        """
        if holder_of(folder_of(self.state)) is None:
            with listening(self.bind, self.port):
                pass

    def _folder(self) -> StateFolder:
        """Lock the state folder.

        Raises DiskFull, and CommandFailed when it is of no use, or in use.
        """
        try:
            return StateFolder(folder_of(self.state))
        except FolderInUse as error:
            raise CommandFailed(ExitCode.USAGE, str(error)) from None
        except DiskFull:
            raise
        except StoreFailed as error:
            raise CommandFailed(ExitCode.USAGE, f"--state {error}") from None

    def _reach(self) -> str:
        """Return the host by which a process on this machine reaches the server."""
        return "127.0.0.1" if self.bind in ("0.0.0.0", "::", "*", "localhost") else self.bind  # noqa: S104

    def _announce(self, log: Log, port: int, path: Path) -> None:
        """Say how to join; on standard error, so that standard output stays for data."""
        address = _joined(self.bind, port)
        log.tell("listening", f"Serving on {address}.", address=address)
        if self.bind not in LOOPBACK:
            log.show(BANNER)
        log.show(f"Sit down:  passing play {_joined(self._reach(), port)}")
        log.show(f"Engines:   passing bot run greedy --connection {path}")


def _answer_queries(loop: Loop, ears: Sequence[Ear], signpost: Signpost) -> None:
    """Answer those who look for servers, in the loop."""

    def answer(data: bytes, source: str) -> bytes | None:
        return signpost.answer(now_ms(), data, source)

    for ear in ears:
        loop.watch(ear.hears.fileno(), partial(ear.serve, answer))


def _tell_recovered(server: Server, lost: list[str], log: Log) -> None:
    """Say what the server goes on with, and what is lost."""
    for words in lost:
        log.tell("lost", words)
    tables, sessions = len(server.lobby.rooms), len(server.sessions.by_id)
    if tables or sessions:
        sentence = f"Going on with what was stored: tables {tables}, sessions {sessions}."
        log.tell("recovered", sentence, tables=tables, sessions=sessions)


def _prepare(connection: ConnectionFile, folder: StateFolder) -> None:
    """Write down where the server is, under a name that nobody looks for yet.

    Raises StoreFailed.
    """
    folder.tell(connection.address)
    try:
        connection.write(folder.path / PREPARED)
    except OSError as error:
        words = f"{folder.path / NAME} cannot be written: {error.strerror}."
        raise failed_for(error, words) from None


@contextmanager
def _published(folder: StateFolder, log: Log) -> Generator[Path]:
    """Show where the server is, for as long as it is there. Raises CommandFailed."""
    path = folder.path / NAME
    try:
        (folder.path / PREPARED).replace(path)
    except OSError as error:
        sentence = f"{path} cannot be written: {error.strerror}."
        raise CommandFailed(ExitCode.UNEXPECTED, sentence) from None
    try:
        yield path
    finally:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            sentence = f"{path} is left behind: it cannot be removed ({error.strerror})."
            log.tell("left_behind", sentence)


def _run(loop: Loop) -> None:
    """Serve until stopped. Raises CommandFailed, which tells where a fault of ours lies."""
    collect_seldom()
    try:
        loop.run()
    except Exception as error:
        if os.environ.get(DEBUG_VARIABLE):
            raise
        raise CommandFailed(ExitCode.UNEXPECTED, fault_in_words(error)) from None


def fault_in_words(error: Exception) -> str:
    """Say where an error of our own came up, and nothing that it holds: that might be a hand."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
    return f"The server has ended by a fault of its own ({where}). What was told is stored."


def _joined(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
