"""A table of real processes that an organiser watches, for clients that die or stand still."""

import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from passing_link.blocking import Connection
from passing_link.processes import Child, ServerProcess, start_engine, start_server
from passing_protocol.events import Event
from passing_protocol.messages import Create, Invite, Update, UpdateOf
from passing_protocol.views import Acted, GameOptions, TableOptions
from tests.support.hall import await_engines, open_as_organiser, seat
from tests.support.line_client import LineClient

Kind = TypeVar("Kind", bound=Event)
PATIENCE_S = 40.0


@dataclass
class Watched:
    """A table, and what happens there."""

    organiser: Connection
    server: ServerProcess
    id: str
    engines: list[Child]
    events: list[Event] = field(default_factory=list[Event])

    def until(self, kind: type[Kind]) -> Kind:
        """Return the next event of a kind."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            while self.events:
                event = self.events.pop(0)
                if isinstance(event, kind):
                    return event
            item = self.organiser.receive(max(0.0, deadline - time.monotonic()))
            assert item is not None, f"no {kind.__name__} came"
            if isinstance(item, UpdateOf) and item.table == self.id:
                self.events += item.events

    def act_of(self, number: int) -> Acted:
        """Return the next action of a seat."""
        while (acted := self.until(Acted)).seat != number:
            pass
        return acted


@dataclass
class WithPerson(Watched):
    """A person at a line-mode client has seat 0, an engine seat 1."""

    person: LineClient | None = None

    @property
    def client(self) -> LineClient:
        assert self.person is not None
        return self.person

    @property
    def engine(self) -> Child:
        return self.engines[0]


@contextmanager
def engines_at(folder: Path, names: Sequence[str]) -> Generator[Watched]:
    """Run a server and greedy engines of these names that wait there; no table is made yet."""
    with ExitStack() as stack:
        server = stack.enter_context(start_server(folder / "server"))
        engines = [
            stack.enter_context(
                start_engine("greedy", server.connection_path, folder, ["--name", name], name)
            )
            for name in names
        ]
        organiser = stack.enter_context(open_as_organiser(server.connection_path))
        await_engines(organiser, names)
        yield Watched(organiser, server, "", engines)


@contextmanager
def a_table(folder: Path, turn_ms: int = 1_200) -> Generator[WithPerson]:
    """Begin a match of a person and an engine."""
    with engines_at(folder, ["greedy"]) as hall:
        game = GameOptions(seats=2, target=9_999)
        options = TableOptions(turn_ms=turn_ms, bank_ms=0, pace_ms=0)
        made = hall.organiser.request(Create(0, "kitchen", game, options, sit=False))
        assert isinstance(made, Update)
        hall.organiser.request(Invite(0, made.table, "greedy", 1))
        words = ("play", hall.server.connection.address, "--plain", "--name", "Dana")
        with LineClient(*words) as client:
            client.until("kitchen")
            client.type("join kitchen")
            client.until("You are Dana, seat 1 of 2.")
            client.type("start")
            yield WithPerson(hall.organiser, hall.server, made.table, hall.engines, [], client)


@contextmanager
def two_people(folder: Path, turn_ms: int) -> Generator[tuple[WithPerson, LineClient]]:
    """Begin a match of two people, Dana in seat 0 and Eve; an engine waits in the lobby."""
    with engines_at(folder, ["greedy"]) as hall:
        game = GameOptions(seats=2, target=9_999)
        options = TableOptions(turn_ms=turn_ms, bank_ms=0, pace_ms=0)
        made = hall.organiser.request(Create(0, "kitchen", game, options, sit=False))
        assert isinstance(made, Update)
        words = ("play", hall.server.connection.address, "--plain", "--name")
        with LineClient(*words, "Dana") as dana, LineClient(*words, "Eve") as eve:
            for client in (dana, eve):
                client.until("kitchen")
                client.type("join kitchen")
                client.until(", seat ")
            dana.until("Every seat is filled.")
            dana.type("start")
            eve.type("ready")
            yield WithPerson(hall.organiser, hall.server, made.table, hall.engines, [], dana), eve


@contextmanager
def engines_alone(folder: Path, names: Sequence[str], *, partners: bool) -> Generator[Watched]:
    """Begin a match of engines alone, without a clock."""
    with engines_at(folder, names) as hall:
        game = GameOptions(seats=len(names), partners=partners, target=9_999)
        options = TableOptions(turn_ms=0, pace_ms=50)
        hall.id = seat(hall.organiser, names, game, options)
        yield hall
