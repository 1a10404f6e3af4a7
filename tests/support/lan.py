"""A whole LAN in one process: the server's core, clients over the pure session, a virtual clock.

Every frame in either direction passes through here and is kept for those who tap the wire.
"""

import hashlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypedDict

from passing_protocol.contributing import Contributor
from passing_protocol.follow import Follower
from passing_protocol.messages import (
    Act,
    Agent,
    Caps,
    Create,
    Error,
    Invited,
    Join,
    Request,
    Role,
    ServerMessage,
    Update,
    Watch,
)
from passing_protocol.session import ClientSession
from passing_protocol.verdicts import Verdict
from passing_protocol.views import GameOptions, TableOptions
from passing_protocol.wire import ActionMessage
from passing_server.access import Access
from passing_server.core import Server
from passing_server.guests import Guests
from passing_server.storing import Durability, Store
from tests.support.memory_store import MemoryStore

TOKENS = {role: f"{role:-<32}" for role in ("bot", "organiser", "admin")}
AGENT = Agent(name="test", version="1")


def counted_entropy(seed: str) -> Callable[[int], bytes]:
    """Return a source of bytes that is the same for the same seed."""
    counter = itertools.count()

    def entropy(count: int) -> bytes:
        block = hashlib.sha512(f"{seed} {next(counter)}".encode()).digest()
        assert count <= len(block)
        return block[:count]

    return entropy


class Circumstances(TypedDict):
    """What a server is handed beside its name, its secrets and its store."""

    people: Durability
    today: Callable[[], int]
    memory: Callable[[], int]


def circumstances(
    people: Durability = Durability.FULL, today: Callable[[], int] = lambda: 0
) -> Circumstances:
    """Return those of tests: 48 MB of memory, and always the same day."""
    return {"people": people, "today": today, "memory": lambda: 48_000_000}


def new_server(
    name: str,
    access: Access,
    entropy: Callable[[int], bytes],
    epoch: int,
    store: Store,
) -> Server:
    """Return a server in the circumstances of tests."""
    return Server(name, access, entropy, epoch, store, **circumstances())


@dataclass(eq=False)
class LanClient:
    """One client of the LAN: what it was sent, and the tables it follows."""

    lan: "Lan"
    session: ClientSession
    peer: bytes
    key: str | None = None
    frames: list[bytes] = field(default_factory=list[bytes])
    messages: list[ServerMessage] = field(default_factory=list[ServerMessage])
    tables: dict[str, Follower] = field(default_factory=dict[str, Follower])
    accepts: bool = True
    contributor: Contributor | None = None
    """What takes part in fair deals; without it a client that says it does is silent."""
    verdicts: list[Verdict] = field(default_factory=list[Verdict])

    def send(self, request: Request) -> int:
        """Send a request, let the LAN settle, and return its id."""
        request_id, data = self.session.request(request)
        self.lan.put(self.peer, data)
        self.lan.settle()
        return request_id

    def ask(self, request: Request) -> ServerMessage:
        """Send a request and return the message that answers it."""
        request_id = self.send(request)
        return self.answer(request_id)

    def answer(self, request_id: int) -> ServerMessage:
        """Return the one message that answered a request, but for one that was sent again."""
        answers = [m for m in self.messages if getattr(m, "re", None) == request_id]
        found = [m for m in answers if not getattr(m, "duplicate", False)] or answers
        assert len(found) == 1, f"request {request_id} has {len(found)} answers"
        return found[0]

    def refusal(self, request: Request) -> Error:
        """Send a request that must be refused, and return the refusal."""
        answer = self.ask(request)
        assert isinstance(answer, Error), answer
        return answer

    def act(self, table: str, action: ActionMessage, turn: int | None = None) -> ServerMessage:
        """Answer the open question of a table."""
        ask = self.tables[table].ask
        if turn is None:
            assert ask is not None
            turn = ask.turn
        return self.ask(Act(0, table, turn, action))

    def take(self, data: bytes) -> None:
        """Take one frame from the server."""
        self.frames.append(data)
        for message in self.session.receive(data):
            self.messages.append(message)
            self._contribute(message)
            if isinstance(message, Update):
                self.tables.setdefault(message.table, Follower()).apply(message)
            elif isinstance(message, Invited) and self.accepts:
                _, accepting = self.session.request(Join(0, message.table, message.seat))
                self.lan.put(self.peer, accepting)
        for data_out in self.session.outgoing():
            self.lan.put(self.peer, data_out)

    def _contribute(self, message: ServerMessage) -> None:
        if self.contributor is None:
            return
        heard = self.contributor.hear(message)
        self.verdicts += heard.verdicts
        for request in heard.requests:
            number, data = self.session.request(request)
            self.contributor.sent(number, request, own=True)
            self.lan.put(self.peer, data)


class Lan:
    """Run a server's core and its clients under one clock that stands until it is moved."""

    def __init__(
        self,
        seed: str = "lan",
        *,
        default: Role = Role.PLAYER,
        guests: Callable[[], Guests | None] = lambda: None,
    ) -> None:
        """Start a server without clients; `default` is the role of those without a token.

        It is encrypted in the lives for which `guests` returns some.
        """
        self.store = MemoryStore()
        self._seed, self._default, self._guests = seed, default, guests
        self.server = self._new_server(1)
        self.now: int = 1_000
        self.server.recover(self.now)
        self.clients: dict[bytes, LanClient] = {}
        self._wire: list[tuple[bytes, bytes | None]] = []
        self._peers = itertools.count(1)

    def _new_server(self, life: int) -> Server:
        seed = self._seed if life == 1 else f"{self._seed} {life}"
        access = Access(dict(TOKENS), self._default, self._guests())
        return new_server("den", access, counted_entropy(seed), 1, self.store)

    def crash(self, *, handled: bool = False, stored: bool = False) -> list[LanClient]:
        """Kill the server; return the clients, which are cut off.

        What is on the wire is lost; or it was `handled`, and its effects are lost; or those were
        `stored`, and what was told of them is lost.
        """
        if handled or stored:
            for peer, data in self._wire:
                self._receive(peer, data)
        if stored:
            self.server.flush(self.now)
        self._wire = []
        clients = list(self.clients.values())
        self.clients = {}
        return clients

    def start_again(self) -> list[str]:
        """Start another server on what is stored; returns what it says is lost."""
        self.server = self._new_server(self.server.epoch + 1)
        return self.server.recover(self.now)

    def come_back(self, *clients: LanClient) -> None:
        """Let clients come back as their links would: what has no answer is sent again."""
        for client in clients:
            self.connect(client)
            for data in client.session.unanswered:
                self.put(client.peer, data)
            self.settle()

    def restart(self, *, handled: bool = False, stored: bool = False) -> None:
        """Kill the server, start another on what is stored, and let everybody come back."""
        clients = self.crash(handled=handled, stored=stored)
        assert self.start_again() == []
        self.come_back(*clients)

    def put(self, peer: bytes, data: bytes | None) -> None:
        """Put a frame on the wire to the server; None for a message of several frames."""
        self._wire.append((peer, data))

    def _receive(self, peer: bytes, data: bytes | None) -> None:
        client = self.clients.get(peer)
        self.server.receive(self.now, peer, data, client.key if client is not None else None)

    def settle(self) -> None:
        """Deliver until nothing is on the wire."""
        self.server.tick(self.now)
        while True:
            wire, self._wire = self._wire, []
            for peer, data in wire:
                self._receive(peer, data)
            outgoing = self.server.flush(self.now)
            for out in outgoing:
                client = self.clients.get(out.peer)
                if client is not None:
                    client.take(out.data)
            if not self._wire and not outgoing:
                return

    def settle_some(self, messages: int) -> None:
        """Deliver so many messages to the server, and what each of them brings about."""
        for _ in range(messages):
            if self._wire:
                peer, data = self._wire.pop(0)
                self._receive(peer, data)
            for out in self.server.flush(self.now):
                if out.peer in self.clients:
                    self.clients[out.peer].take(out.data)

    def pass_time(self, milliseconds: int, step: int = 100) -> None:
        """Let time pass in small steps; every client shows that it is there."""
        end = self.now + milliseconds
        while self.now < end:
            self.now = min(end, self.now + step)
            for client in self.connected():
                session = self.server.sessions.by_peer.get(client.peer)
                if session is not None:
                    session.heard_at = self.now
            self.settle()

    def fall_silent(self, milliseconds: int, step: int = 100) -> None:
        """Let time pass while nobody says anything."""
        end = self.now + milliseconds
        while self.now < end:
            self.now = min(end, self.now + step)
            self.settle()

    def connected(self) -> Iterator[LanClient]:
        """Go through the clients that are connected."""
        return iter(list(self.clients.values()))

    def client(
        self,
        name: str,
        role: str | None = None,
        *,
        caps: Caps | None = None,
        key: str | None = None,
    ) -> LanClient:
        """Connect a client and return it welcomed; with encryption it comes with a key."""
        tables = 4096 if role == "bot" else 0
        session = ClientSession(
            name, AGENT, caps or Caps(tables=tables), TOKENS[role] if role else None
        )
        client = LanClient(self, session, b"", key)
        self.connect(client)
        return client

    def fair_client(self, name: str, role: str | None = None) -> LanClient:
        """Connect a client that takes part in fair deals."""
        client = self.client(name, role, caps=Caps(tables=4 if role == "bot" else 0, fair=True))
        client.contributor = Contributor(counted_entropy(f"{self._seed} {name}"))
        return client

    def connect(self, client: LanClient) -> None:
        """Connect a client, again if it was before; it gets a new routing id."""
        self.clients.pop(client.peer, None)
        client.peer = b"\x00" + next(self._peers).to_bytes(4, "big")
        self.clients[client.peer] = client
        self.put(client.peer, client.session.connect())
        self.settle()

    def cut(self, client: LanClient) -> None:
        """Cut a client's connection: nothing reaches it any more, and nothing comes from it."""
        del self.clients[client.peer]

    def table(
        self,
        owner: LanClient,
        game: GameOptions,
        table: TableOptions | None = None,
        *,
        sit: bool = True,
        seed: str | None = None,
        given: str | None = None,
    ) -> str:
        """Make a table and return its id."""
        update = owner.ask(
            Create(0, "kitchen", game, table or TableOptions(), sit=sit, seed=seed, given=given)
        )
        assert isinstance(update, Update), update
        return update.table

    def watcher(self, name: str, table: str) -> LanClient:
        """Connect a client that watches a table."""
        client = self.client(name)
        client.send(Watch(0, table))
        return client
