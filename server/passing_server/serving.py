"""One server process: its folder, its tokens, its socket, and the words it prints."""

import os
import platform
import secrets
import sys
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from passing_link.address import LOOPBACK, Address, InvalidAddress
from passing_link.connection_file import NAME, ConnectionFile
from passing_link.exits import CommandFailed, ExitCode
from passing_link.keys import KeyPair, key_bytes
from passing_link.processes import ParentWatch
from passing_link.state_lock import holder_of
from passing_protocol.errors import RequestRefused
from passing_protocol.join_codes import join_secret
from passing_server.access import Access
from passing_server.access_file import NAME as KEYS
from passing_server.access_file import AccessFile
from passing_server.answering import Ear, hearing
from passing_server.core import Server
from passing_server.everywhere import ANY, EVERYWHERE
from passing_server.guest_log import GuestLog
from passing_server.guests import Guests
from passing_server.housekeeping import Housekeeping
from passing_server.joining import (
    Joining,
    joined,
    joining_at,
    reach_here,
    reachable,
    serving_at,
)
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
    "WARNING: everything this server sends and hears is unencrypted, hands included,\n"
    "and anybody who reaches it may play. Use it on networks you trust wholly, or not\n"
    "at all."
)


def today() -> int:
    """Return the number of this day, counted from 1970-01-01 in UTC."""
    return time.time_ns() // DAY_NS


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Hold how a server was asked to run.

    `bind` is None for what follows from `lan`: every address of the machine, or loopback alone.
    """

    bind: str | None
    port: int
    name: str
    state: str | None
    lan: bool
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
        tokens = waiting.done(lambda: kept_tokens(folder.path, log), ExitCode.USAGE)
        keys = self._keys(folder, waiting)
        with (
            closing(waiting.done(lambda: SqliteStore(folder.path))) as store,
            listening(self._bind, self.port, _secret(keys)) as listens,
            hearing([self._bind], listens.port, log) as ears,
        ):
            port = listens.port
            guests = _guests(keys) if keys is not None else None
            server = self._server(Access(tokens, guests=guests), store)
            _tell_recovered(server, waiting.done(lambda: server.recover(now_ms())), log)
            connection = self._connection(port, tokens, keys)
            waiting.done(lambda: _prepare(connection, folder))
            observer = Observer(server, log)
            guest_log = GuestLog(guests, log) if guests is not None else None
            housekeeping = Housekeeping(
                store, self.keep_days, lambda: server.run_day, log, now_ms()
            )

            def after(now: int, cuts: int) -> None:
                observer.look(now, cuts)
                if guest_log is not None:
                    guest_log.look(server.running)
                housekeeping.look(now)

            loop = Loop(server, listens, after)
            watch_signals(loop)
            kept = connection.server_key or tokens["admin"]
            signpost = Signpost(server, id_of(kept), port, connection.server_key)
            _answer_queries(loop, ears, signpost)
            with _published(folder, log) as path:
                self._announce(log, port, path)
                if guests is not None and keys is not None and guest_log is not None:
                    joining = joining_at(connection, keys.server.public)
                    _announce_code(log, guests, joining, partial(guest_log.look, server.running))
                _run(loop)
            observer.end()

    def _keys(self, folder: StateFolder, waiting: Waiting) -> AccessFile | None:
        """Return the keys of an encrypted server. Raises CommandFailed."""
        if not self.lan:
            return None
        return waiting.done(lambda: AccessFile.open(folder.path), ExitCode.USAGE)

    def _connection(
        self, port: int, tokens: dict[str, str], keys: AccessFile | None
    ) -> ConnectionFile:
        """Return what the programs of this machine are told."""
        return ConnectionFile(
            address=joined(reach_here(self._bind), port),
            server_key=None if keys is None else keys.server.public,
            pid=os.getpid(),
            tokens=tokens,
            client_secret=None if keys is None else keys.local.secret,
            bind=self._bind,
        )

    def _server(self, access: Access, store: Store) -> Server:
        return Server(
            self.name or platform.node(),
            access,
            secrets.token_bytes,
            time.time_ns() // 1_000_000,
            store,
            people=self.durability,
            today=today,
            memory=memory_bytes,
            open_to_all=self._is_open_to_all,
        )

    @property
    def _bind(self) -> str:
        return self.bind or (ANY if self.lan else LOOPBACK[0])

    @property
    def _is_open_to_all(self) -> bool:
        """Tell whether other machines reach the server, and nothing is encrypted."""
        return not self.lan and self._bind not in LOOPBACK

    def _verify_bind(self) -> None:
        """Raise CommandFailed where --bind holds a port, which is no part of an address."""
        with suppress(InvalidAddress):
            address = Address.parse(self._bind)
            if self._bind not in (address.host, "*"):
                raise CommandFailed(
                    ExitCode.USAGE,
                    f"--bind {self._bind}: the port is no part of it. "
                    f"Say --bind {address.host} --port {address.port}.",
                )

    def _verify(self) -> None:
        self._verify_bind()
        if not 0 <= self.port <= 65_535:
            raise CommandFailed(ExitCode.USAGE, f"--port {self.port}: allowed is 0 to 65535.")
        if not 0 <= self.keep_days <= MOST_DAYS:
            sentence = f"--keep-days {self.keep_days}: allowed is 0 to {MOST_DAYS}."
            raise CommandFailed(ExitCode.USAGE, sentence)
        if self.lan and self.plaintext:
            sentence = "--lan encrypts and --insecure-plaintext does not: leave one of them out."
            raise CommandFailed(ExitCode.USAGE, sentence)
        if self._is_open_to_all and not self.plaintext:
            raise CommandFailed(
                ExitCode.USAGE,
                f"--bind {self._bind}: that address can be reached from other machines. Add --lan: "
                "then everything is encrypted, and who joins needs a code. Without encryption who "
                "listens on the way reads every hand, and anybody who reaches the server may play: "
                "only for a network that you trust wholly there is --insecure-plaintext.",
            )

    def _verify_port(self) -> None:
        """Raise CommandFailed where nobody can listen, before anything is made in the folder.

        Of a folder that is in use there is more to say, and nothing is made there.
        """
        if holder_of(folder_of(self.state)) is None:
            with listening(self._bind, self.port):
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

    def _announce(self, log: Log, port: int, path: Path) -> None:
        """Say how to join; on standard error, so that standard output stays for data."""
        address = joined(self._bind, port)
        place = serving_at(self._bind, port)
        secrecy = ", encrypted" if self.lan else ""
        log.tell("listening", f"Serving on {place}{secrecy}.", address=address)
        if self._is_open_to_all:
            log.show(BANNER)
            if self._bind in EVERYWHERE:
                log.show(f"Its addresses: {', '.join(reachable(self._bind))}")
        if not self.lan and (path.parent / KEYS).exists():
            log.tell(
                "not_encrypted",
                "Who has joined this server by a code does not come in now: their clients speak "
                "to it encrypted alone. Started with --lan it takes them again.",
            )
        if not self.lan:
            log.show(f"Sit down:  passing play {joined(reach_here(self._bind), port)}")
        log.show(f"Engines:   passing bot run greedy --connection {path}")


def _secret(keys: AccessFile | None) -> str | None:
    """Return the server's secret key, None without encryption."""
    return None if keys is None else keys.server.secret


def _guests(keys: AccessFile) -> Guests:
    """Return who may come in, as it was kept; the keys of codes take 60 ms each."""
    server_key = key_bytes(keys.server.public)
    return Guests(
        keys.guests,
        local_key=keys.local.public,
        keep=keys.keep,
        join_key=lambda token: KeyPair.of_secret(join_secret(token, server_key)).public,
        entropy=secrets.token_bytes,
        clock=lambda: int(time.time()),
    )


def _announce_code(log: Log, guests: Guests, joining: Joining, look: Callable[[], None]) -> None:
    """Say by which code players join; programs ask for it. `look` logs first if it is new."""
    try:
        token, left_ms = guests.code("player")
    except RequestRefused as refused:
        log.tell("no_code", f"There is no code to join by: {refused.detail}")
        return
    look()
    for line in joining.lines("player", token, left_ms):
        log.show(line)
    log.show(
        "Others:    passing serve invite --role bot, or --role spectator; --new for a new code"
    )


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
