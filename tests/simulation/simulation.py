"""One match under faults, from one seed: the same seed does the same again."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from passing_protocol.codec import encode
from passing_protocol.follow import HashMismatch
from passing_protocol.messages import Caps
from passing_protocol.session_states import (
    ClientState,
    ProtocolError,
)
from passing_protocol.views import GameOptions, PublicView, SeatState, TableOptions, TableState
from passing_rules import Lead
from passing_server.core import Server
from passing_table import Table, view
from tests.simulation.client import Client
from tests.simulation.faults import Faults
from tests.simulation.host import Host, ServerType
from tests.simulation.minds import Engine, Organiser, Plan, Seeker, Watcher
from tests.simulation.shares import Manner
from tests.simulation.world import Broken, World

DEADLINE_MS = 1_200_000
"""A match is over no later than this after the last fault."""
CHECK_MS = 1_000
FAIR = 0.4
"""In so many matches the clients take part in fair deals."""

ALL = PublicView.__struct_fields__


@dataclass(frozen=True)
class Outcome:
    """What a seed has come to; `failure` says which promise was broken."""

    seed: int
    trace: str
    rounds: int
    faults: int
    restarts: int
    frames: int
    ms: int
    failure: str | None = None


class Simulation:
    """Play one match; `run` returns what came of it."""

    def __init__(
        self,
        seed: int,
        *,
        server_type: ServerType = Server,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.seed = seed
        self.world = World(f"simulation {seed}", tell)
        self.host = Host(self.world, f"simulation {seed}", server_type)
        self.clients: list[Client] = []
        self._fair = random.Random(f"fair {seed}")
        self._is_fair = self._fair.random() < FAIR
        self._likewise = random.Random(f"likewise {seed}")
        """Chance of its own: what was found by other seeds is found by them still."""
        self._plan = self._make_plan()
        self._make_clients()
        self.faults = Faults(self.world, self.host, self.clients, self.world.likely(0.5))
        self._calm_since: int | None = None
        self._done = False

    # --- what is played

    def _make_plan(self) -> Plan:
        world = self.world
        chance = world.chance
        seats = chance.randint(2, 4)
        people = chance.choice((0, 1, 2, seats, seats))
        clock = chance.random() < 0.7
        return Plan(
            game=GameOptions(
                seats=seats,
                partners=seats == 4 and world.likely(0.5),
                target=chance.choice((1, 40, 100, 100)),
                lead=chance.choice(list(Lead)),
                max_rounds=chance.choice((1, 2, 3, 4)),
                pass_circles=chance.choice((1, 2)),
            ),
            table=TableOptions(
                turn_ms=world.between(200, 20_000) if clock else None,
                bank_ms=world.between(0, 20_000) if clock else None,
                pace_ms=chance.choice((0, 0, 300, None)),
                absent=chance.choice(("engine", "pass", "forfeit", None)),
                faults=chance.choice(("pass", "forfeit", "retry:2", None)),
                reveal=chance.choice(("round", "after_block", None)),
                chat=chance.choice((True, None)),
            ),
            people=min(people, seats),
            engines=[f"engine {number}" for number in range(seats)],
            seed=f"{chance.getrandbits(128):032x}",
            is_fair=self._is_fair and self._fair.random() < 0.5,
            called="engine" if self._is_fair and self._likewise.random() < 0.5 else None,
        )

    def _make_clients(self) -> None:
        world, plan = self.world, self._plan
        slow = world.between(50, 3_000)
        for number in range(plan.people):
            client = self._client(f"person {number}", None, self._caps())
            client.mind = Seeker(client, slow, plan, makes=number == 0)
        if plan.people == 0:
            client = self._client("organiser", "organiser", self._caps())
            client.mind = Organiser(client, slow, plan, makes=True)
        for name in plan.engines:
            client = self._client(name, "bot", self._caps(tables=4), plan.called)
            client.mind = Engine(client, min(slow, 300))
        if world.likely(0.5):
            client = self._client("watcher", None, self._caps())
            client.mind = Watcher(client)

    def _caps(self, tables: int = 0) -> Caps:
        return Caps(view=self.world.chance.choice(("ask", "on_join")), tables=tables)

    def _client(self, name: str, role: str | None, caps: Caps, called: str | None = None) -> Client:
        manner = None
        if self._is_fair:
            weights = (6, 1, 1, 1) if self._plan.called is None else (1, 0, 1, 0)
            manner = self._fair.choices(list(Manner), weights)[0]
            caps = replace(caps, fair=True)
        client = Client(self.world, self.host, name, role, caps, manner, called)
        self.clients.append(client)
        return client

    # --- running

    def run(self) -> Outcome:
        """Play until the match is over, or a promise is broken."""
        failure = None
        try:
            self._run()
        except (Broken, HashMismatch, ProtocolError, AssertionError) as error:
            failure = f"{type(error).__name__}: {error}"
        except Exception as error:
            failure = f"raised {type(error).__name__}: {error}"
        finally:
            self.host.disk.discard()
        return self._outcome(failure)

    def _run(self) -> None:
        self.host.start()
        plan = self._plan
        spare = plan.engines[len(plan.engines) - plan.people + 1 :]
        for client in self.clients:
            if client.name not in spare:  # those come when all is quiet
                self.world.after(self.world.between(0, 300), client.start)
        self.faults.begin()
        self.world.after(CHECK_MS, self._check)
        while not self._done:
            self.world.step()
        self._verify_end()

    def _outcome(self, failure: str | None) -> Outcome:
        return Outcome(
            self.seed,
            self.world.trace,
            self.host.book.rounds,
            self.faults.happened,
            self.host.restarts,
            self.host.inspector.frames,
            self.world.now,
            failure,
        )

    def _check(self) -> None:
        """See whether it is over; all clients come back when the faults have stopped."""
        self.world.after(CHECK_MS, self._check)
        self._done = self._is_over()
        if self._done or not self.faults.over:
            return
        if self._calm_since is None:
            self._calm_since = self.world.now
        for client in self.clients:
            if not client.running:
                client.start()
        if self.world.now > self._calm_since + DEADLINE_MS:
            states = {key: s.stored.state for key, s in self.host.book.shelves.items()}
            raise Broken(f"the match does not end: {states}")

    def _is_over(self) -> bool:
        """Tell whether a match was played to its end, or is parked for good, and none goes on."""
        server = self.host.server
        if server is None or server.ailment is not None:
            return False
        tables = [room.table for room in server.lobby.rooms.values()]
        parked = [table for table in tables if self._is_parked(table)]
        if any(table.in_match for table in tables if table not in parked):
            return False
        return bool(parked) or self.host.book.matches_over > 0

    def _is_parked(self, table: Table) -> bool:
        """Tell whether a table waits for people of whom none has a token any more.

        Engines alone do not go on for people; where no people sit, it waits for engines.
        """
        there = {client.id for client in self.clients}
        playing = [seat for seat in table.seats if seat.state is not SeatState.FORFEITED]
        claimants = [who for seat in playing for who in seat.claimants]
        people = [who for who in claimants if who.engine is None]
        return table.state is TableState.PAUSED and not any(
            who.key in there for who in people or claimants
        )

    # --- the end

    def _verify_end(self) -> None:
        self.host.inspector.verify_kept()
        for client in self.clients:
            self._verify_followed(client)
        self.host.die(down_ms=1)
        while self.host.server is None:
            self.world.step()
        self.host.inspector.verify_kept()
        self.host.disk.verify_finished()

    def _verify_followed(self, client: Client) -> None:
        """Find the server's own view of each table with a client that has all messages."""
        server = self.host.server
        session = server.sessions.by_id.get(client.id) if server is not None else None
        if server is None or session is None or client.session.state is not ClientState.OPEN:
            return
        here = client.link.peer if client.link is not None else None
        if session.peer != here or client.session.epoch != server.epoch:
            return
        if session.seq != client.session.seq:
            return
        for key, follower in client.tables.items():
            room = server.lobby.rooms.get(key)
            if room is None or follower.public is None:
                continue
            public = view.public_view(room.table, view.table_hash(room.table))
            if encode(public) != encode(follower.public):
                raise Broken(f"{client.name} follows {differences(follower.public, public)}")


def differences(followed: PublicView, public: PublicView) -> dict[str, tuple[object, object]]:
    """What a client has, and what it should have, where that differs."""
    pairs = {name: (getattr(followed, name), getattr(public, name)) for name in ALL}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def simulate(seed: int, server_type: ServerType = Server) -> Outcome:
    """Run one seed."""
    return Simulation(seed, server_type=server_type).run()
