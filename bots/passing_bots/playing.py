"""Connect an engine to a server and let it play: blocking and asyncio, over one core."""

import sys
from collections import deque
from collections.abc import Callable
from importlib import metadata
from typing import TypedDict

from passing_bots.engine import Engine
from passing_bots.server import NoBotToken, OthersCode, Server
from passing_bots.session import EngineSession, Report
from passing_link.address import Address
from passing_link.aio import AsyncConnection
from passing_link.blocking import Connection
from passing_link.driver import OPEN_S
from passing_link.fitting import fitted
from passing_link.keys import Security
from passing_link.news import Item, LinkDown, LinkNews, NewsKind
from passing_link.places import open_first, open_first_async
from passing_protocol.messages import Agent, Caps, Request, Role, Welcome

Welcomed = Callable[[Welcome, Address], None]
"""Is told the server's welcome, and at which address it came."""


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
    is told once that the server lets the engine wait. Raises CannotReach, TurnedAway,
    AccessDenied and LinkEnded.
    """
    desk = Desk(make, tables, matches, report or _to_stderr, strict=strict)
    greeting = _greeting(server, name, agent, tables, desk)

    def open_at(place: Address, within_s: float | None) -> Connection:
        """Be welcomed at an address."""
        return Connection.open(place, timeout_s=within_s, **greeting)

    place, opened = open_first(server.places, open_at, timeout_s)
    with opened as connection:
        server.visited(connection.welcome, place)
        verify_engine(connection.welcome, server)
        if welcomed is not None:
            welcomed(connection.welcome, place)
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
    greeting = _greeting(server, name, agent, tables, desk)

    async def open_at(place: Address, within_s: float | None) -> AsyncConnection:
        """Be welcomed at an address."""
        return await AsyncConnection.open(place, timeout_s=within_s, **greeting)

    place, opened = await open_first_async(server.places, open_at, timeout_s)
    async with opened as connection:
        server.visited(connection.welcome, place)
        verify_engine(connection.welcome, server)
        if welcomed is not None:
            welcomed(connection.welcome, place)
        going_on = True
        while going_on:
            going_on = desk.serve(await connection.receive(), connection.send)


class _Greeting(TypedDict):
    """Hold what an engine says to a server first, and who is told how that goes."""

    name: str
    agent: Agent
    caps: Caps
    token: str | None
    security: Security | None
    report: Callable[[LinkNews], None]


def _greeting(
    server: Server, name: str, agent: Agent | None, tables: int, desk: "Desk"
) -> _Greeting:
    return {
        "name": name,
        "agent": agent or agent_of(name),
        "caps": Caps(tables=tables),
        "token": server.token,
        "security": server.security,
        "report": desk.tell,
    }


def agent_of(program: str) -> Agent:
    """Return what an engine of this distribution tells of itself."""
    return Agent(program, metadata.version("passing-game"))


def verify_engine(welcome: Welcome, server: Server) -> None:
    """Raise NoBotToken when the server does not take this connection as an engine's.

    Raises OthersCode where it is a key that the server takes for somebody else's.
    """
    if welcome.role is Role.BOT:
        return
    if server.known is not None and server.token is None and server.security is not None:
        raise OthersCode(welcome.role)
    raise NoBotToken


def _to_stderr(sentence: str) -> None:
    sys.stderr.write(f"{fitted(sentence, sys.stderr)}\n")


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

    def serve(self, item: Item, send: Callable[[Request], int]) -> bool:
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
