"""One server process: its folder, its tokens, its socket, and the words it prints."""

import os
import platform
import secrets
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import msgspec
import platformdirs

from passing_link.address import LOOPBACK
from passing_link.connection_file import NAME, ConnectionFile
from passing_link.exits import CommandFailed, ExitCode
from passing_link.processes import ParentWatch
from passing_protocol.messages import Role
from passing_server.access import Access
from passing_server.core import Server
from passing_server.loop import Loop, listening, now_ms, prepare_process, watch_signals
from passing_server.sqlite_store import SqliteStore
from passing_server.state_folder import FolderInUse, StateFolder
from passing_server.storing import Durability, StoreFailed

TOKENS = "tokens.json"
DAY_NS = 86_400_000_000_000
TOKEN_ROLES = (Role.BOT, Role.ORGANISER, Role.ADMIN)
BANNER = (
    "WARNING: everything this server sends and hears is unencrypted, hands included, and\n"
    "anybody who reaches it may play. Use it on networks you trust wholly, or not at all."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Hold how a server was asked to run."""

    bind: str
    port: int
    name: str
    state: str | None
    plaintext: bool
    durability: Durability
    end_with_parent: bool

    def run(self) -> int:
        """Listen, write the connection file, say how to join, and serve until stopped.

        Raises CommandFailed when the address is refused or the port is taken.
        """
        self._verify_address()
        prepare_process()
        folder = self._folder()
        tokens = _tokens(folder.path / TOKENS)
        with (
            closing(_store(folder.path)) as store,
            listening(self.bind, self.port) as (
                socket,
                port,
            ),
        ):
            server = Server(
                self.name or platform.node(),
                Access(tokens),
                secrets.token_bytes,
                time.time_ns() // 1_000_000,
                store,
                people=self.durability,
                today=lambda: time.time_ns() // DAY_NS,
            )
            _recover(server)
            loop = Loop(server, socket)
            watch_signals(loop)
            if self.end_with_parent:
                ParentWatch().start()
            connection = ConnectionFile(
                address=_joined(self._reach(), port),
                server_key=None,
                pid=os.getpid(),
                tokens=tokens,
            )
            path = folder.path / NAME
            folder.tell(connection.address)
            connection.write(path)
            try:
                self._announce(port, path)
                loop.run()
            finally:
                path.unlink(missing_ok=True)
        return ExitCode.DONE

    def _verify_address(self) -> None:
        if not 0 <= self.port <= 65_535:
            raise CommandFailed(ExitCode.USAGE, f"--port {self.port}: allowed is 0 to 65535.")
        if self.bind not in LOOPBACK and not self.plaintext:
            raise CommandFailed(
                ExitCode.USAGE,
                f"--bind {self.bind}: that address can be reached from other machines, and this "
                "version encrypts nothing. Leave --bind out to play on this machine alone.",
            )

    def _folder(self) -> StateFolder:
        """Lock the state folder. Raises CommandFailed when it is of no use, or in use."""
        default = platformdirs.user_state_path("passing-game") / "server"
        try:
            return StateFolder(Path(self.state) if self.state else default)
        except FolderInUse as error:
            raise CommandFailed(ExitCode.USAGE, str(error)) from None
        except StoreFailed as error:
            raise CommandFailed(ExitCode.USAGE, f"--state {error}") from None

    def _reach(self) -> str:
        """Return the host by which a process on this machine reaches the server."""
        return "127.0.0.1" if self.bind in ("0.0.0.0", "::", "*", "localhost") else self.bind  # noqa: S104

    def _announce(self, port: int, path: Path) -> None:
        """Say how to join; on standard error, so that standard output stays for data."""
        lines = [f"Serving on {_joined(self.bind, port)}."]
        if self.bind not in LOOPBACK:
            lines.append(BANNER)
        lines.append(f"Sit down:  passing play {_joined(self._reach(), port)}")
        lines.append(f"Engines:   passing bot run greedy --connection {path}")
        sys.stderr.write("\n".join(lines) + "\n")
        sys.stderr.flush()


def _tokens(path: Path) -> dict[str, str]:
    """Return the tokens of the state folder, made when there are none.

    They stay the same when the server is started anew, so that engines can go on.
    """
    try:
        known = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        known = {}
    if known.keys() == {role.value for role in TOKEN_ROLES}:
        return known
    tokens = {role.value: secrets.token_urlsafe(32) for role in TOKEN_ROLES}
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(msgspec.json.encode(tokens))
    return tokens


def _store(folder: Path) -> SqliteStore:
    """Open the store. Raises CommandFailed."""
    try:
        return SqliteStore(folder)
    except StoreFailed as error:
        raise CommandFailed(ExitCode.UNEXPECTED, str(error)) from None


def _recover(server: Server) -> None:
    """Go on from what was stored, and say what is lost of it. Raises CommandFailed."""
    try:
        lost = server.recover(now_ms())
    except StoreFailed as error:
        raise CommandFailed(ExitCode.UNEXPECTED, str(error)) from None
    for words in lost:
        sys.stderr.write(f"{words}\n")


def _joined(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
