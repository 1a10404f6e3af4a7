"""An organiser's work at a real server: seat engines at tables, and watch their matches."""

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.connection_file import ConnectionFile
from passing_protocol.events import Event, MatchEnded
from passing_protocol.messages import Agent, Create, Invite, Lobby, Tables, Update, UpdateOf
from passing_protocol.views import Acted, GameOptions, TableOptions


def open_as_organiser(path: Path) -> Connection:
    """Connect to the server of a connection file with its organiser's token."""
    file = ConnectionFile.read(path)
    return Connection.open(
        Address.parse(file.address),
        name="Org",
        agent=Agent("test", "1"),
        token=file.tokens["organiser"],
        security=file.security,
    )


def await_engines(organiser: Connection, names: Sequence[str]) -> None:
    """Wait until engines of these names wait in the lobby, and none that were there before."""
    deadline = time.monotonic() + 10
    while True:
        tables = organiser.request(Lobby(0))
        assert isinstance(tables, Tables)
        waiting = Counter(engine.name for engine in tables.engines if engine.name in names)
        if waiting == Counter(names):
            return
        assert time.monotonic() < deadline, tables.engines
        time.sleep(0.03)  # the server takes 64 messages a second from anybody


def seat(
    organiser: Connection,
    names: Sequence[str],
    game: GameOptions,
    table: TableOptions | None = None,
    seed: str | None = None,
) -> str:
    """Make a table, invite engines to its seats in order, and return its id."""
    await_engines(organiser, names)
    update = organiser.request(
        Create(0, "hall", game, table or TableOptions(), sit=False, seed=seed)
    )
    assert isinstance(update, Update)
    for number, name in enumerate(names):
        organiser.request(Invite(0, update.table, name, number))
    return update.table


def watch(organiser: Connection, tables: Sequence[str], seconds: float = 30) -> list[Event]:
    """Return all events of the tables until a match has ended at each."""
    events: list[Event] = []
    playing = set(tables)
    deadline = time.monotonic() + seconds
    while playing:
        message = organiser.receive(max(0.0, deadline - time.monotonic()))
        assert message is not None, f"no match ended within {seconds} s: {events[-5:]}"
        if isinstance(message, UpdateOf) and message.table in tables:
            events += message.events
            if any(isinstance(event, MatchEnded) for event in message.events):
                playing.discard(message.table)
    return events


def actions(events: Sequence[Event]) -> list[Acted]:
    return [event for event in events if isinstance(event, Acted)]


def ending(events: Sequence[Event]) -> MatchEnded:
    (ended,) = [event for event in events if isinstance(event, MatchEnded)]
    return ended
