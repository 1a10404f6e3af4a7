"""A client's process: one session over connections that come and go, and the tables it follows."""

import copy
from collections import deque
from dataclasses import dataclass

from msgspec.structs import replace

from passing_protocol.errors import MEANINGS, ErrorCode
from passing_protocol.follow import Follower, HashMismatch
from passing_protocol.messages import (
    Act,
    Agent,
    Caps,
    Error,
    Goodbye,
    Join,
    Leave,
    Left,
    Lobby,
    Ok,
    Ping,
    Refused,
    Request,
    Resync,
    ServerMessage,
    Update,
    Welcome,
)
from passing_protocol.session import ClientSession
from passing_protocol.session_states import (
    ClientState,
)
from passing_server.limits import LIMITS, LOBBY_COST, RESYNC_COST
from tests.simulation.host import Host
from tests.simulation.network import Link
from tests.simulation.shares import Manner, Share
from tests.simulation.world import Broken, World
from tests.support.lan import TOKENS

AGENT = Agent(name="sim", version="1")
PING_MS = 5_800
SILENCE_MS = 10_000
WAKE_MS = 2_000
HELLO_MS = 4_000
COSTS: dict[type, int] = {Lobby: LOBBY_COST, Resync: RESYNC_COST}
TOO_MUCH_MS = 70_000
"""What was sent within this time may arrive at once."""
ON_ITS_WAY_MS = 10_000
"""What was sent is there after so long a time at the latest."""
PATIENCE_MS = 6_000
"""After so long a server that is well has answered."""


class Mind:
    """What a client wants; it does nothing here."""

    def look(self) -> None:
        """Decide what to do now."""

    def told(self, message: ServerMessage) -> None:
        """Take note of a message."""


@dataclass(frozen=True)
class SavedState:
    """What a client's process has on its own disk."""

    session: ClientSession
    asked: dict[int, tuple[Request, int]]


class Client:
    """Run one client; `mind` decides what it asks for."""

    def __init__(
        self,
        world: World,
        host: Host,
        name: str,
        role: str | None,
        caps: Caps | None = None,
        manner: Manner | None = None,
        called: str | None = None,
    ) -> None:
        """Set up a process that does not run; others may be `called` the same."""
        self.world = world
        self.host = host
        self.name = name
        self.called = called or name
        self.role = role
        self.mind = Mind()
        self.tables: dict[str, Follower] = {}
        self.link: Link | None = None
        self.running = False
        self.frozen_until = 0
        self.session = self._new_session(caps)
        self._caps = caps
        self._manner = manner
        self._share: Share | None = None
        self._asked: dict[int, tuple[Request, int]] = {}
        self._heard_at = self._sent_at = 0
        self._attempts = 0
        self._knows_nothing = False
        self._learns_by: int | None = None
        self._resync_at = -SILENCE_MS
        self._life = 0
        self._seen = (("", 0), 0)
        self._spent: deque[tuple[int, int]] = deque()

    def _new_session(self, caps: Caps | None) -> ClientSession:
        return ClientSession(self.called, AGENT, caps, TOKENS[self.role] if self.role else None)

    @property
    def id(self) -> str:
        """The session's name, empty before the first welcome."""
        return self.session.welcome.session if self.session.welcome is not None else ""

    @property
    def is_open(self) -> bool:
        """Tell whether it may ask for something now."""
        return (
            self.running
            and self.link is not None
            and self.world.now >= self.frozen_until
            and self.session.state is ClientState.OPEN
        )

    # --- its process

    def start(self, saved: SavedState | None = None) -> None:
        """Start the process, with what an earlier one has saved or without."""
        self._life += 1
        self.running = True
        self.session = copy.deepcopy(saved.session) if saved else self._new_session(self._caps)
        self.tables = {}
        self._knows_nothing = saved is not None
        self._asked = dict(saved.asked) if saved else {}
        self._attempts = 0
        self._seen = (("", 0), 0)
        if self._manner is not None:
            seed = f"{self.name} {self._life}"
            self._share = Share(
                self.world, self.name, self._manner, seed, self.send, forgetful=saved is not None
            )
        self.world.note(self.name, "starts" + (" with what it has saved" if saved else ""))
        self._dial()
        self._wake(self._life)

    def saved(self) -> SavedState:
        """What the process has saved by now."""
        return SavedState(copy.deepcopy(self.session), dict(self._asked))

    def kill(self) -> None:
        """End the process without a word."""
        self.world.note(self.name, "is killed")
        self.running = False
        self._hang_up()

    def freeze(self, ms: int) -> None:
        """Stop the process for a while (SIGSTOP): it reads nothing, and does nothing."""
        self.world.note(self.name, f"stands still for {ms} ms")
        self.frozen_until = max(self.frozen_until, self.world.now + ms)
        self.deafen(ms)

    def deafen(self, ms: int) -> None:
        """Let what comes pile up for a while."""
        link = self.link
        if link is not None:
            link.reading = False
            self.world.after(ms, link.read)

    # --- connections

    def _hang_up(self) -> None:
        link, self.link = self.link, None
        if link is not None:
            link.leave()

    def _dial(self) -> None:
        if not self.running or self.link is not None:
            return
        if self.world.now < self.frozen_until:
            self.world.at(self.frozen_until, self._dial)
            return
        self.link = self.host.connect(self, self.name)
        if self.link is None:
            self._rest()
            return
        self._heard_at = self._sent_at = self.world.now
        self.link.up(self.session.connect())

    def _rest(self) -> None:
        self._attempts += 1
        pause = min(100 * 2 ** min(self._attempts, 6), 2_000)
        self.world.after(int(pause * self.world.chance.uniform(0.5, 1.0)), self._dial)

    def lost(self, link: Link) -> None:
        """Try again: the connection is gone."""
        if link is self.link:
            self.world.note(self.name, "has lost the connection")
            self.link = None
            self._rest()

    def redial(self, *, leave: bool) -> None:
        """Take another connection, with or without hanging up the one there is."""
        if self.running and self.link is not None:
            self.world.note(self.name, "connects anew")
            if leave:
                self.link.leave()
            self.link = None
            self._dial()

    # --- what comes in

    def take(self, link: Link, data: bytes) -> None:
        if not self.running or link is not self.link:
            return
        self._heard_at = self.world.now
        messages = self.session.receive(data)
        for number, message in enumerate(messages):
            if isinstance(message, Update):
                self._follow(message, messages[number + 1 :])
            self._took(link, message)
        if self.link is link and self.session.state is ClientState.OPEN:
            for frame in self.session.outgoing():
                self._resync_at = self.world.now
                self.spend(RESYNC_COST)
                link.up(frame)
            self._monotonic()
            self.mind.look()

    def _follow(self, update: Update, later: list[ServerMessage]) -> None:
        """Follow a table. After a gap that is too long to be filled a snapshot sets it right."""
        try:
            self.tables.setdefault(update.table, Follower()).apply(update)
        except HashMismatch:
            tables = [m.table for m in later if isinstance(m, Update) and m.public is not None]
            if update.table not in tables:
                raise

    def _monotonic(self) -> None:
        """Within an epoch of a session the number of the last message never goes back."""
        life = (self.id, self.session.epoch)
        seen, seq = self._seen
        if seen == life and self.session.seq < seq:
            raise Broken(f"{self.name}: seq goes back from {seq} to {self.session.seq}")
        self._seen = (life, self.session.seq)

    def _took(self, link: Link, message: ServerMessage) -> None:
        if self._share is not None:
            self._share.hears(message)
        request_id = getattr(message, "re", None)
        if isinstance(request_id, int):
            request, _ = self._asked.pop(request_id, (None, 0))
            if isinstance(request, Leave) and not _is_held_up(message):
                self.tables.pop(request.table, None)
            if request_id == self._learns_by:
                self._learns_by = None
                self._knows_nothing = not isinstance(message, Ok)
        match message:
            case Welcome():
                self._welcomed(link, message)
            case Refused():
                self._verify_limit(message)
                self._turned_away(link, message)
            case Error():
                self._verify_limit(message)
            case Goodbye():
                self._dismissed(link, message)
            case Left():
                self.tables.pop(message.table, None)
            case _:
                pass
        self.mind.told(message)

    def _welcomed(self, link: Link, welcome: Welcome) -> None:
        self._attempts = 0
        for request_id, (request, _) in list(self._asked.items()):
            if not welcome.resumed or isinstance(request, Ping | Resync):
                del self._asked[request_id]
            else:
                self._asked[request_id] = (request, self.world.now)
        if not welcome.resumed or welcome.epoch != self._seen[0][1]:
            self.tables.clear()  # snapshots of those at which it has a place follow
        self._learns_by = None
        if not welcome.resumed:
            self._knows_nothing = False
            return
        self._learn()

    def _learn(self) -> None:
        """Ask for all tables, as often as it takes, if an earlier process knew them."""
        if self._knows_nothing and self._learns_by is None:
            self._learns_by = self.send(Resync(0, 0))

    def _turned_away(self, link: Link, refused: Refused) -> None:
        link.leave()
        self.link = None
        self._rest()

    def _dismissed(self, link: Link, goodbye: Goodbye) -> None:
        self._hang_up()
        again = goodbye.code is not None and MEANINGS[goodbye.code].retry
        if again:
            self._rest()
        elif goodbye.code is ErrorCode.SUPERSEDED:
            raise Broken(f"{self.name}: superseded on its newest connection")
        else:
            self.running = False

    # --- what goes out

    def send(self, request: Request) -> int | None:
        """Send a request; None while that cannot be done."""
        if not self.is_open or self.link is None:
            return None
        request_id, data = self.session.request(request)
        self._asked[request_id] = (request, self.world.now)
        if isinstance(request, Act | Join):
            self.host.inspector.asked(self.id, replace(request, id=request_id))
        if self._share is not None:
            self._share.sends(request_id, request)
        self._sent_at = self.world.now
        self.spend(COSTS.get(type(request), 1))
        self.link.up(data)
        return request_id

    def spend(self, cost: int) -> None:
        """Count what is sent against what a session may send."""
        self._spent.append((self.world.now, cost))

    def _verify_limit(self, message: Error | Refused) -> None:
        """See that nobody is told to send less who does not send much."""
        if message.code is not ErrorCode.RATE_LIMITED:
            return
        since = self.world.now - TOO_MUCH_MS
        if self.host.frozen_until >= since:  # all that was sent meanwhile arrives at once
            since = min(since, self.host.stood_since - ON_ITS_WAY_MS)
        while self._spent and self._spent[0][0] < since:
            self._spent.popleft()
        if isinstance(message, Refused) or sum(cost for _, cost in self._spent) < LIMITS.burst:
            raise Broken(f"{self.name} has sent {list(self._spent)}, and is refused: {message}")

    @property
    def is_waiting(self) -> bool:
        """Tell whether something that was asked is not answered yet."""
        return any(not isinstance(r, Ping | Resync) for r, _ in self._asked.values())

    def _wake(self, life: int) -> None:
        """Do what is due, and look again later."""
        if life != self._life or not self.running:
            return
        if self.world.now < self.frozen_until:
            self.world.at(self.frozen_until, lambda: self._wake(life))
            return
        self.world.after(WAKE_MS, lambda: self._wake(life))
        now, link = self.world.now, self.link
        if link is None or not link.reading:
            return
        if self.session.state is ClientState.OPEN:
            if now >= self._heard_at + SILENCE_MS:
                self._silent(link)
                return
            self._verify_answered(link)
            if now >= self._sent_at + PING_MS:
                self.send(Ping(0))
            self._learn()
            self.mind.look()
        elif now >= link.made_at + HELLO_MS:
            self._silent(link)

    def _silent(self, link: Link) -> None:
        link.leave()
        self.lost(link)

    def _verify_answered(self, link: Link) -> None:
        """See that nothing waits for an answer on a connection that lives."""
        if not (link.there and self.host.is_well) or link.was_stalled:
            return
        for request, at in self._asked.values():
            if isinstance(request, Resync):
                continue  # its answer may be in a gap that is too long to be filled
            gap = self._resync_at + PING_MS + WAKE_MS  # one that is refused is asked anew by then
            since = max(at, self.frozen_until, link.made_at, gap)
            if self.world.now - since > PATIENCE_MS:
                raise Broken(f"{self.name}: {request} is not answered")


def _is_held_up(message: ServerMessage) -> bool:
    """Tell whether something is refused that could be done later."""
    return isinstance(message, Error) and MEANINGS[message.code].retry
