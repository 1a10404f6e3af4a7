"""A whole league in one process: a server's core, the organiser, and lanes, under one clock.

Nothing waits and nothing is left to chance unless a source of it is handed in, which then mixes
up who is served first and how much of what is on its way arrives. Every engine's process is a
`Player`; how it is made is its maker's business, and a player that raises `Death` takes its
process along.
"""

import itertools
import random
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from passing_bots import Engine, EngineSession
from passing_bots.league.log import GameOver, LeagueEvent, LeagueOver
from passing_bots.league.organiser import Organiser
from passing_bots.league.roster import Lane
from passing_bots.league.settings import LeagueSettings
from passing_link.news import LinkDown, LinkNews, NewsKind
from passing_protocol.events import RoundBegan, RoundEnded
from passing_protocol.messages import (
    Bye,
    Caps,
    Ping,
    Request,
    Role,
    ServerMessage,
    Update,
    UpdateOf,
    Welcome,
)
from passing_protocol.session import ClientSession
from passing_protocol.session_states import (
    ClientState,
)
from passing_protocol.views import SeatState
from passing_server.access import Access
from passing_server.core import Server
from tests.support.lan import AGENT, TOKENS, counted_entropy, new_server
from tests.support.league_logs import began
from tests.support.memory_store import MemoryStore

LOOK_MS = 50
"""How often the organiser looks at processes, and how far the clock goes while all wait."""

STARTS_IN_MS = 120
PING_MS = 2_000
LONGEST_MS = 600_000
"""A league that takes longer by its own clock hangs."""


class Death(BaseException):
    """Raised by an engine to end its process, with an exit code or minus a signal."""

    def __init__(self, code: int, words: str = "", *, bye: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.words = words
        self.bye = bye
        """Whether the connection is closed properly on the way out."""


class Player(Protocol):
    """Decide for one process of an engine, at all of its tables."""

    def receive(self, message: ServerMessage | LinkNews, /) -> list[Request]:
        """Return what is sent because of a message."""
        ...


@dataclass(eq=False)
class Process:
    """One start of a lane, and its connection; `start` counts those of the lane from 1."""

    lane: Lane
    name: str
    start: int
    tables: int
    starts_at: int
    lines: list[str] = field(default_factory=list[str])
    player: Player | None = None
    session: ClientSession | None = None
    peer: bytes | None = None
    inbox: deque[bytes] = field(default_factory=deque[bytes])
    hangs: bool = False

    def report(self, line: str) -> None:
        self.lines.append(line)


Maker = Callable[[Process], Player | None]
"""Makes what decides for a process that starts; None for one that never connects."""


def sdk(engine: Callable[[], Engine]) -> Maker:
    """The SDK's core as `passing bot run --strict` has it."""
    return lambda process: EngineSession(engine, process.tables, process.report, strict=True)


def as_it_came(update: Update) -> Iterable[Update]:
    return [update]


class LeagueLan:
    """Run a league to its end, or stop it anywhere; `log` is what its log would hold."""

    def __init__(
        self,
        settings: LeagueSettings,
        makers: Mapping[str, Maker],
        done: Iterable[LeagueEvent] = (),
        *,
        chance: random.Random | None = None,
        tamper: Callable[[Update], Iterable[Update]] = as_it_came,
    ) -> None:
        self.log = list(done) or [began(settings)]
        self.settings = settings
        self.now = 1_000
        self._store = MemoryStore()
        self.server = self._new_server(1)
        self.met: dict[Lane, list[tuple[str, ...]]] = defaultdict(list)
        """The hands that each lane was dealt."""
        self._rounds: dict[Lane, set[tuple[str, int]]] = defaultdict(set)
        self.shown = 0
        """How often a lane was shown all hands at the end of a round."""
        self.most_playing = 0
        self.processes: dict[Lane, Process] = {}
        self.started: list[Process] = []
        self._makers = makers
        self._chance = chance
        self._tamper = tamper
        self._wire: list[tuple[bytes, bytes]] = []
        self._dead: list[tuple[Lane, int]] = []
        self._peers = itertools.count(1)
        self._looked_at = 0
        self._pinged_at = 0
        self._epoch = 0
        self._inbox: deque[bytes] = deque()
        self._session = ClientSession("organiser", AGENT, Caps(view="on_join"), TOKENS["organiser"])
        self._peer = self._greet(self._session)
        self.organiser = Organiser(settings, self, self.log)

    # --- the processes, as the organiser knows them

    def start(self, lane: Lane, name: str) -> None:
        assert lane not in self.processes, lane
        assert name not in {process.name for process in self.started}
        count = sum(process.lane == lane for process in self.started) + 1
        tables = next(e.tables for e in self.settings.engines if e.name == lane.engine)
        process = Process(lane, name, count, tables, self.now + STARTS_IN_MS)
        self.processes[lane] = process
        self.started.append(process)

    def stop(self, lane: Lane) -> None:
        process = self.processes.pop(lane, None)
        self._dead = [dead for dead in self._dead if dead[0] != lane]
        if process is not None:
            process.peer = None

    def said(self, lane: Lane, table: str | None) -> str:
        lines = [p.lines for p in self.started if p.lane == lane][-1]
        about = [line for line in lines if f"table {table}," in line]
        return " / ".join((about or lines)[-1:])

    def kill(self, lane: Lane, code: int) -> None:
        """End a process from outside; the server is not told."""
        self.processes.pop(lane).peer = None
        self._dead.append((lane, code))

    def _greet(self, session: ClientSession) -> bytes:
        peer = b"\x00" + next(self._peers).to_bytes(4, "big")
        self._wire.append((peer, session.connect()))
        return peer

    # --- the organiser's link

    def reconnect(self, *, forgotten: bool = False) -> None:
        """Lose the organiser's connection with all that is on its way, and connect again."""
        session = self.server.sessions.by_peer[self._peer]
        if forgotten:
            self.server.lobby.end(self.now, session)
            self.server.sessions.forget(session)
        self._wire = [(peer, data) for peer, data in self._wire if peer != self._peer]
        self._inbox.clear()
        self._peer = self._greet(self._session)

    def restart(self) -> None:
        """Kill the server with all that is on its way, and start another on the same store."""
        self.server = self._new_server(self.server.epoch + 1)
        assert self.server.recover(self.now) == []
        self._wire.clear()
        self._inbox.clear()
        self._peer = self._greet(self._session)
        for process in self.processes.values():
            process.inbox.clear()
            if process.session is not None and process.peer is not None:
                process.peer = self._greet(process.session)

    def _new_server(self, epoch: int) -> Server:
        entropy = counted_entropy(f"league {epoch}")
        return new_server("den", Access(dict(TOKENS)), entropy, epoch, self._store)

    def limit_rate(self, messages: float) -> None:
        """Let the server refuse the organiser's next messages as too many."""
        self.server.sessions.by_peer[self._peer].allowance.left = -messages

    def lose_news(self) -> None:
        """Let the organiser's connection take no more for one turn, as when it is full."""
        self._inbox.clear()
        self.server.stalled(self._peer)

    # --- the course of things

    @property
    def games(self) -> list[GameOver]:
        return [event for event in self.log if isinstance(event, GameOver)]

    def run(self, until: Callable[[], bool] | None = None) -> None:
        """Go on until the league is over, or until something holds after an event."""
        while not self.organiser.over:
            assert self.now < LONGEST_MS, "the league hangs"
            if self.step() and until is not None and until():
                return
        self.log.append(LeagueOver())

    def seats_left(self) -> list[tuple[str, int]]:
        """Let the last requests do their work; return the seats that are taken all the same."""
        for _ in range(20):
            self.step()
        return [
            (room.table.id, number)
            for room in self.server.lobby.rooms.values()
            for number, seat in enumerate(room.table.seats)
            if seat.state is SeatState.TAKEN
        ]

    def step(self) -> int:
        """Let everybody act once, move the clock, and return how many events were logged."""
        self._look()
        self.organiser.tick(self.now / 1000)
        with suppress(LinkDown):
            self.organiser.send_all(self._send)
        moved = self._serve()
        for process in self._mixed(list(self.processes.values())):
            moved += self._turn_of(process)
        moved += self._organise()
        self.most_playing = max(self.most_playing, self.organiser.playing)
        events = self.organiser.take_events()
        self.log += events
        if not moved:
            self._nobody_is_away()
        self.now += 1 if moved else LOOK_MS
        return len(events)

    def _look(self) -> None:
        if self.now < self._looked_at + LOOK_MS:
            return
        self._looked_at = self.now
        dead, self._dead = self._dead, []
        for lane, code in dead:
            self.organiser.lane_ended(lane, code)

    def _send(self, request: Request) -> int:
        if self._session.state is not ClientState.OPEN:
            raise LinkDown
        number, data = self._session.request(request)
        self._wire.append((self._peer, data))
        return number

    def _serve(self) -> int:
        """Carry what is on the wire to the server, and its answers to their readers."""
        wire, self._wire = self._shuffled_wire(), []
        for peer, data in wire:
            self.server.receive(self.now, peer, data)
        self.server.tick(self.now)
        inboxes = {p.peer: p.inbox for p in self.processes.values() if p.peer is not None}
        inboxes[self._peer] = self._inbox
        outgoing = self.server.flush(self.now)
        for out in outgoing:
            if out.peer in inboxes:
                inboxes[out.peer].append(out.data)
        return len(wire) + len(outgoing)

    def _turn_of(self, process: Process) -> int:
        """Let one process do what it has to do; one that hangs reads nothing."""
        if process.session is None:
            if self.now >= process.starts_at:
                self._connect(process)
            return 0
        if process.hangs:
            return 0
        count = self._some(process.inbox)
        for _ in range(count):
            for message in process.session.receive(process.inbox.popleft()):
                self._observe(process.lane, message)
                if not self._acts(process, message):
                    return count
        for data in process.session.outgoing():
            self._put(process, data)
        return count

    def _connect(self, process: Process) -> None:
        try:
            process.player = self._makers[process.lane.engine](process)
        except Death as death:
            self._dies(process, death)
            return
        process.session = ClientSession(
            process.name, AGENT, Caps(tables=process.tables), TOKENS["bot"]
        )
        if process.player is not None:
            process.peer = self._greet(process.session)

    def _acts(self, process: Process, message: ServerMessage) -> bool:
        """Hand a message to a player and send its requests; tells whether it lives on."""
        assert process.player is not None
        assert process.session is not None
        if isinstance(message, Welcome):
            assert message.role is Role.BOT
            for data in process.session.unanswered:
                self._put(process, data)
            return True
        try:
            requests = process.player.receive(message)
        except Death as death:
            self._dies(process, death)
            return False
        for request in requests:
            self._put(process, process.session.request(request)[1])
        return True

    def _dies(self, process: Process, death: Death) -> None:
        if death.words:
            process.report(death.words)
        if death.bye and process.session is not None:
            self._put(process, process.session.request(Bye(0))[1])
        self.kill(process.lane, death.code)

    def _put(self, process: Process, data: bytes) -> None:
        if process.peer is not None:
            self._wire.append((process.peer, data))

    def _organise(self) -> int:
        """Hand the organiser what has come for it."""
        count = self._some(self._inbox)
        now = self.now / 1000
        for _ in range(count):
            for message in self._session.receive(self._inbox.popleft()):
                for each in self._told(message):
                    self.organiser.receive(each, now)
        for data in self._session.outgoing():
            self._wire.append((self._peer, data))
        return count

    def _told(self, message: ServerMessage) -> Iterable[ServerMessage | LinkNews]:
        """Return what reaches the organiser of a message, as its connection would hand it out."""
        match message:
            case Update():
                return self._tamper(message)
            case Welcome():
                before, self._epoch = self._epoch, message.epoch
                if not message.resumed:
                    return [LinkNews(NewsKind.NEW_SESSION, "A new session.")] if before else []
                self._wire += [(self._peer, data) for data in self._session.unanswered]
                anew = before != message.epoch
                return [LinkNews(NewsKind.RESTARTED, "It was started again.")] if anew else []
            case _:
                return [message]

    def _observe(self, lane: Lane, message: ServerMessage) -> None:
        """Note which deals a lane meets, and what it is shown of them afterwards."""
        if not isinstance(message, UpdateOf):
            return
        began = [event.round for event in message.events if isinstance(event, RoundBegan)]
        if not began and message.public is not None:
            began = [message.public.round]  # it was dealt before this seat's first news
        round_ = message.table, began[-1] if began else 0
        if message.mine is not None and round_[1] and round_ not in self._rounds[lane]:
            self._rounds[lane].add(round_)
            self.met[lane].append(tuple(sorted(message.mine.hand)))
        ended = [event for event in message.events if isinstance(event, RoundEnded)]
        self.shown += any(event.hands is not None for event in ended)

    def _nobody_is_away(self) -> None:
        """Let every process that does not hang be heard, as its pings would."""
        if self.now >= self._pinged_at + PING_MS and self._session.state is ClientState.OPEN:
            self._pinged_at = self.now
            self._send(Ping(0))
        peers = [p.peer for p in self.processes.values() if not p.hangs]
        for peer in (*peers, self._peer):
            session = self.server.sessions.by_peer.get(peer) if peer is not None else None
            if session is not None:
                session.heard_at = self.now

    # --- chance

    def _mixed(self, processes: list[Process]) -> list[Process]:
        if self._chance is not None:
            self._chance.shuffle(processes)
        return processes

    def _some(self, inbox: deque[bytes]) -> int:
        if self._chance is None:
            return len(inbox)
        return self._chance.randint(0, len(inbox))

    def _shuffled_wire(self) -> list[tuple[bytes, bytes]]:
        """Return what is on the wire; what one peer sent stays in its order."""
        if self._chance is None:
            return self._wire
        queues: dict[bytes, deque[bytes]] = defaultdict(deque)
        for peer, data in self._wire:
            queues[peer].append(data)
        order = [peer for peer, _ in self._wire]
        self._chance.shuffle(order)
        return [(peer, queues[peer].popleft()) for peer in order]
