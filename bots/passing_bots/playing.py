"""Connect an engine to a server and let it play: blocking and asyncio, over one core."""

import os
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final, Self

from passing_bots.engine import Engine
from passing_bots.session import EngineSession, Report
from passing_link.address import LOOPBACK, Address
from passing_link.aio import AsyncConnection
from passing_link.blocking import Connection
from passing_link.connection_file import ConnectionFile
from passing_link.driver import OPEN_S
from passing_link.news import CannotReach, LinkDown, LinkError, LinkNews, NewsKind
from passing_link.state_lock import may_run
from passing_protocol.messages import Agent, Caps, Request, Role, ServerMessage, Welcome

TOKEN_VARIABLE: Final = "PASSING_TOKEN"  # noqa: S105 (the variable's name, not its value)
"""The environment variable that holds a server's bot token, where its file cannot be read."""

Welcomed = Callable[[Welcome], None]
"""Is told the server's welcome."""


class NoBotToken(LinkError):
    """Raised when there is nothing to show the server that this program may play as an engine."""

    def __init__(self) -> None:
        """Say what is missing and where it comes from."""
        super().__init__(
            "An engine needs the server's bot token: give its connection file with --connection, "
            f"or the token itself in the environment variable {TOKEN_VARIABLE}."
        )


@dataclass(frozen=True, slots=True)
class Server:
    """Hold where a server is and the token by which it takes engines."""

    address: Address
    token: str

    @classmethod
    def find(
        cls, address: Address | str | None = None, connection: Path | str | None = None
    ) -> Self:
        """Complete what is given from the connection file or PASSING_TOKEN.

        Without an address the connection file's is taken, else this machine's default port.
        Raises NoBotToken, InvalidAddress, CannotReach for a file whose server has ended, and what
        reading the file raises.
        """
        if isinstance(address, str):
            address = Address.parse(address)
        if connection is not None:
            file = ConnectionFile.read(connection)
            address = address or _address_in(file, connection)
            token = file.tokens.get(Role.BOT.value)
        else:
            token = os.environ.get(TOKEN_VARIABLE)
        if not token:
            raise NoBotToken
        return cls(address or Address("localhost"), token)


def _address_in(file: ConnectionFile, path: Path | str) -> Address:
    """Return where the server that wrote the file listens.

    Raises CannotReach when that server was on this machine and has ended.
    """
    address = Address.parse(file.address)
    if address.host in LOOPBACK and not may_run(Path(path), file):
        raise CannotReach(f"{path}: the server that wrote it, process {file.pid}, has ended.")
    return address


def play(
    make: Callable[[], Engine],
    server: Server,
    *,
    name: str,
    tables: int = 1,
    matches: int | None = None,
    agent: Agent | None = None,
    report: Report | None = None,
    timeout_s: float | None = OPEN_S,
    strict: bool = False,
    welcomed: Welcomed | None = None,
) -> None:
    """Play until the link ends, or until `matches` matches are over.

    `make` makes an engine for each table (a class will do), `tables` is how many at once. An
    engine that raises or chooses what is not legal passes, or with `strict` gives up its seat.
    `report` is told in words what goes wrong; without it that goes to standard error. `welcomed`
    is told once that the server lets the engine wait. Raises CannotReach, TurnedAway and LinkEnded.
    """
    desk = Desk(make, tables, matches, report or _to_stderr, strict=strict)
    with Connection.open(
        server.address,
        name=name,
        agent=agent or agent_of(name),
        caps=Caps(tables=tables),
        token=server.token,
        timeout_s=timeout_s,
        report=desk.tell,
    ) as connection:
        verify_engine(connection.welcome)
        if welcomed is not None:
            welcomed(connection.welcome)
        going_on = True
        while going_on:
            item = connection.receive()
            going_on = item is None or desk.serve(item, connection.send)


async def play_async(
    make: Callable[[], Engine],
    server: Server,
    *,
    name: str,
    tables: int = 1,
    matches: int | None = None,
    agent: Agent | None = None,
    report: Report | None = None,
    timeout_s: float | None = OPEN_S,
    strict: bool = False,
    welcomed: Welcomed | None = None,
) -> None:
    """Do what `play` does within an asyncio program; cancel it to stop."""
    desk = Desk(make, tables, matches, report or _to_stderr, strict=strict)
    async with await AsyncConnection.open(
        server.address,
        name=name,
        agent=agent or agent_of(name),
        caps=Caps(tables=tables),
        token=server.token,
        timeout_s=timeout_s,
        report=desk.tell,
    ) as connection:
        verify_engine(connection.welcome)
        if welcomed is not None:
            welcomed(connection.welcome)
        going_on = True
        while going_on:
            going_on = desk.serve(await connection.receive(), connection.send)


def agent_of(program: str) -> Agent:
    """Return what an engine of this distribution tells of itself."""
    return Agent(program, metadata.version("passing-game"))


def verify_engine(welcome: Welcome) -> None:
    """Raise NoBotToken when the server does not take this connection as an engine's."""
    if welcome.role is not Role.BOT:
        raise NoBotToken


def _to_stderr(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


class Desk:
    """Stand between a connection and the core: what cannot be sent yet waits here."""

    def __init__(
        self,
        make: Callable[[], Engine],
        tables: int,
        matches: int | None,
        report: Report,
        *,
        strict: bool = False,
    ) -> None:
        """Begin without a table; `matches` None never has enough."""
        self._core = EngineSession(make, tables, report, strict=strict)
        self._matches = matches
        self._report = report
        self._waiting: deque[Request] = deque()

    def tell(self, news: LinkNews) -> None:
        """Report news of the link."""
        self._report(news.sentence)

    def serve(self, item: ServerMessage | LinkNews, send: Callable[[Request], int]) -> bool:
        """Take in an item and send what it leads to; tells whether to go on."""
        if isinstance(item, LinkNews):
            self.tell(item)
            if item.kind is NewsKind.NEW_SESSION:
                self._waiting.clear()
        self._waiting.extend(self._core.receive(item))
        try:
            while self._waiting:
                send(self._waiting[0])
                self._waiting.popleft()
        except LinkDown:
            pass  # they go out with the news that the connection is back
        return self._matches is None or self._core.matches_over < self._matches
