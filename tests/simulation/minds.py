"""What clients want: people sit down and play, an organiser sets up, engines do as asked."""

from dataclasses import dataclass

from msgspec.structs import replace

from passing_protocol.messages import (
    Act,
    Chat,
    Create,
    Invite,
    Invited,
    Join,
    Lobby,
    Ready,
    ServerMessage,
    Start,
    Tables,
    Watch,
)
from passing_protocol.views import (
    Ask,
    GameOptions,
    PublicView,
    SeatState,
    TableOptions,
    TableState,
)
from tests.simulation.client import Client, Mind

BETWEEN = (TableState.STARTING, TableState.BETWEEN)
OVER = (TableState.OVER, TableState.CLOSED)
AGAIN_MS = 3_000
"""A question that is still open so long after it was answered is answered again."""


class Player(Mind):
    """Answer every question after a while, now and then badly first."""

    def __init__(self, client: Client, slow_ms: int) -> None:
        self.client = client
        self._slow_ms = slow_ms
        self._thinking: dict[str, tuple[int, int]] = {}
        self._answered_at: dict[str, int] = {}

    def look(self) -> None:
        for table, follower in list(self.client.tables.items()):
            if follower.ask is not None:
                self._think(table, follower.ask)

    def _think(self, table: str, ask: Ask) -> None:
        at = (self.client.session.epoch, ask.turn)
        world = self.client.world
        again_at = self._answered_at.get(table, world.now) + AGAIN_MS
        if self._thinking.get(table) == at and world.now < again_at:
            return
        self._thinking[table] = at
        self._answered_at.pop(table, None)
        world.after(world.chance.randrange(self._slow_ms), lambda: self._answer(table, ask.turn))

    def _answer(self, table: str, turn: int) -> None:
        follower = self.client.tables.get(table)
        ask = follower.ask if follower is not None else None
        if ask is None or ask.turn != turn:
            return
        plays = [action for action in ask.legal if isinstance(action.play, str)]
        world = self.client.world
        action = world.chance.choice(plays if plays and world.likely(0.9) else ask.legal)
        if self.client.send(Act(0, table, turn, action)) is None:
            self._thinking.pop(table, None)
        else:
            self._answered_at[table] = world.now


class Engine(Player):
    """Accept every invitation."""

    def told(self, message: ServerMessage) -> None:
        if isinstance(message, Invited):
            self.client.send(Join(0, message.table, message.seat))


@dataclass(frozen=True)
class Plan:
    """What is to be played: shared by all clients of a world."""

    game: GameOptions
    table: TableOptions
    people: int
    engines: list[str]
    seed: str | None = None
    is_fair: bool = False
    """Whether a table of engines alone has fair deals too."""
    called: str | None = None
    """What all engines are called, if they have one name."""


class Seeker(Player):
    """Look for a table in the lobby, and make one if nobody has."""

    def __init__(self, client: Client, slow_ms: int, plan: Plan, *, makes: bool) -> None:
        super().__init__(client, slow_ms)
        self._plan = plan
        self._makes = makes
        self._asked_at = self._looked_at = -10_000
        self._alone_since: int | None = None

    def look(self) -> None:
        super().look()
        client = self.client
        if client.is_waiting or client.world.now < self._looked_at + 400:
            return
        self._looked_at = client.world.now
        if not client.tables:
            if client.host.book.matches_over == 0 and client.world.now >= self._asked_at + 500:
                self._asked_at = client.world.now
                client.send(Lobby(0))
            return
        for table, follower in list(client.tables.items()):
            if follower.public is not None:
                self._at(table, follower.public)

    def told(self, message: ServerMessage) -> None:
        if isinstance(message, Tables) and not self.client.tables:
            self._choose(message)

    def _choose(self, tables: Tables) -> None:
        for info in tables.tables:
            free = any(seat.state is SeatState.EMPTY for seat in info.seats)
            if free and info.state is TableState.OPEN:
                self.client.send(Join(0, info.table))
                return
        if self._makes:
            self._create()

    def _create(self) -> None:
        plan = self._plan
        self.client.send(Create(0, "kitchen", plan.game, plan.table))

    def _seat(self, table: str) -> int | None:
        mine = self.client.tables[table].mine
        return mine.seat if mine is not None else None

    def _at(self, table: str, view: PublicView) -> None:
        """Do what is to be done at a table where no question is open."""
        seat = self._seat(table)
        if view.state is TableState.OPEN:
            self._fill(table, view)
        elif seat is None:
            return
        elif view.state in BETWEEN and not view.seats[seat].ready:
            self.client.send(Ready(0, table))
        elif view.state is TableState.STARTING and view.owner == seat:
            if self.client.world.likely(0.2):
                self.client.send(Start(0, table))
        elif self.client.world.likely(0.02):
            self.client.send(Chat(0, table, "well played"))

    def _fill(self, table: str, view: PublicView) -> None:
        """Invite engines to the seats that are not kept for people, or all after a while."""
        world = self.client.world
        if view.owner is None or view.owner != self._seat(table):
            return
        if self._alone_since is None:
            self._alone_since = world.now
        taken = sum(seat.state is not SeatState.EMPTY for seat in view.seats)
        late = world.now > self._alone_since + 15_000
        engines = sum(seat.engine is not None for seat in view.seats)
        wanted = len(view.seats) - self._plan.people
        if taken < len(view.seats) and (engines < wanted or late):
            self._invite(table)

    def _invite(self, table: str) -> None:
        if self._plan.engines:
            name = self.client.world.chance.choice(self._plan.engines)
            self.client.send(Invite(0, table, self._plan.called or name))


class Organiser(Seeker):
    """Make a table that it only watches, and invite engines to all of it."""

    def _create(self) -> None:
        plan = self._plan
        given = self.client.world.likely(0.5)
        if plan.is_fair:
            table = replace(plan.table, deal="fair", reveal="round")
            self.client.send(Create(0, "lane", plan.game, table, sit=False))
            return
        create = Create(
            0,
            "lane",
            plan.game,
            plan.table,
            sit=False,
            seed=None if given else plan.seed,
            given=plan.seed if given else None,
        )
        self.client.send(create)

    def _choose(self, tables: Tables) -> None:
        self._create()

    def _at(self, table: str, view: PublicView) -> None:
        if view.state is TableState.OPEN:
            if any(seat.state is SeatState.EMPTY for seat in view.seats):
                self._invite(table)
        elif view.state is TableState.STARTING:
            self.client.send(Start(0, table))


class Watcher(Mind):
    """Watch whatever table there is."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._asked_at = -10_000

    def look(self) -> None:
        client = self.client
        if client.tables or client.is_waiting or client.world.now < self._asked_at + 1_000:
            return
        self._asked_at = client.world.now
        client.send(Lobby(0))

    def told(self, message: ServerMessage) -> None:
        if isinstance(message, Tables) and message.tables and not self.client.tables:
            self.client.send(Watch(0, message.tables[-1].table))
