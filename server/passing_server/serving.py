"""One server process: its folder, its tokens, its socket, and the words it prints."""

import os
import platform
import secrets
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from passing_link.address import LOOPBACK
from passing_link.connection_file import NAME, ConnectionFile
from passing_link.exits import CommandFailed, ExitCode
from passing_link.processes import ParentWatch
from passing_protocol.messages import Role
from passing_server.access import Access
from passing_server.core import Server
from passing_server.loop import Loop, listening, prepare_process, watch_signals

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
    end_with_parent: bool

    def run(self) -> int:
        """Listen, write the connection file, say how to join, and serve until stopped.

        Raises CommandFailed when the address is refused or the port is taken.
        """
        self._verify_address()
        prepare_process()
        folder = self._folder()
        tokens = {role.value: secrets.token_urlsafe(32) for role in TOKEN_ROLES}
        with listening(self.bind, self.port) as (socket, port):
            server = Server(
                self.name or platform.node(),
                Access(tokens),
                secrets.token_bytes,
                epoch=time.time_ns() // 1_000_000,
            )
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
            path = folder / NAME
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

    def _folder(self) -> Path:
        default = platformdirs.user_state_path("passing-game") / "server"
        folder = Path(self.state) if self.state else default
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise CommandFailed(
                ExitCode.USAGE, f"--state {folder}: cannot be used as a folder ({error.strerror})."
            ) from None
        self._verify_alone(folder / NAME)
        return folder

    def _verify_alone(self, path: Path) -> None:
        """Refuse to run beside another server on the same state."""
        try:
            other = ConnectionFile.read(path)
        except (OSError, ValueError):
            return
        if other.server_runs and other.pid != os.getpid():
            raise CommandFailed(
                ExitCode.USAGE,
                f"A server runs on {path.parent} already: process {other.pid} at {other.address}. "
                "Stop it, or choose another folder with --state.",
            )

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


def _joined(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
