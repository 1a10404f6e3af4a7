"""The machine of the server: its process, which is started, stopped, killed, and its clock."""

import io
from collections import deque
from collections.abc import Callable
from typing import Protocol

from passing_server.access import Access
from passing_server.core import Outgoing, Server
from passing_server.housekeeping import Housekeeping
from passing_server.limits import GAP_MS
from passing_server.log import Log
from passing_server.storing import Durability
from tests.simulation.book import Book
from tests.simulation.clocks import Clocks
from tests.simulation.disk import Death, Died, Disk
from tests.simulation.drains import Drain
from tests.simulation.inspector import Inspector
from tests.simulation.network import Link, Near
from tests.simulation.world import Broken, World
from tests.support.lan import TOKENS, counted_entropy

NEVER = 2**60
HIGH_WATER = 12
"""So many frames are kept for a client that does not read; the real mark is higher."""

MEMORY = 48_000_000
MOMENT_MS = 2_000
"""In so short a time nobody is given as much anew as may be sent at once."""
FILES = 0.02
"""In so many matches the server stores in files."""


class ServerType(Protocol):
    """What makes a server."""

    def __call__(
        self,
        name: str,
        access: Access,
        entropy: Callable[[int], bytes],
        epoch: int,
        store: Disk,
        *,
        people: Durability,
        today: Callable[[], int],
        memory: Callable[[], int],
    ) -> Server: ...


class Host:
    """Run one server after the other on the same disk."""

    def __init__(self, world: World, seed: str, server_type: ServerType) -> None:
        self.world = world
        self.book = Book()
        self.disk = Disk(self.book, files=world.likely(FILES))
        self.day = 10_000
        """What the calendar of the machine shows."""
        self.inspector = Inspector(self.book)
        self.clocks = Clocks()
        self.server: Server | None = None
        self.links: dict[bytes, Link] = {}
        self.restarts = 0
        self.frozen_until = 0
        self.stood_since = 0
        """From when on it stood still the last time; moments in between are part of that."""
        self.well_since = 0
        """Since when the server runs, and answers within a moment."""
        self._server_type = server_type
        self._people = Durability.FAST if world.likely(0.25) else Durability.FULL
        self._housekeeping: Housekeeping | None = None
        self._drain: Drain | None = None
        self.disk.keep_days = world.chance.choice((0, 1, 3, 30))
        self._entropy = counted_entropy(seed)
        self._inbox: deque[tuple[Link, bytes | None]] = deque()
        self._offset = world.chance.randrange(10**10, 10**11)
        self._turn_at = NEVER
        self._peers = 0
        self._sends_left = 0
        self._then: Callable[[], None] = self._unplanned

    # --- clocks

    def clock(self) -> int:
        """What the clock of the machine shows."""
        return self.world.now + self._offset

    def jump(self, ms: int) -> None:
        """Let the clock jump, so far that a server can tell, or back."""
        self._offset += ms
        if self._drain is not None:
            self._drain.jumped()
        self._plan(self.world.now)

    def set_date(self, days: int) -> None:
        """Set the calendar of the machine forward, or back."""
        self.day += days
        self.disk.days += 1

    # --- connections

    def connect(self, near: Near, name: str) -> Link | None:
        """Return a new connection, None while nobody listens."""
        if self.server is None:
            return None
        self._peers += 1
        peer = b"\0" + (0xA1B2C3D4 + self._peers).to_bytes(4, "big")
        link = self.links[peer] = Link(self.world, peer, near, self, name)
        return link

    def arrive(self, link: Link, data: bytes | None) -> None:
        if self.server is None or link.peer not in self.links:
            return
        self._inbox.append((link, data))
        self._plan(self.world.now + self.world.chance.randrange(3))

    # --- the process

    def start(self) -> None:
        """Start the server's process; what it goes on with is held against what is stored."""
        server = self._server_type(
            "den",
            Access(dict(TOKENS)),
            self._entropy,
            1,
            self.disk,
            people=self._people,
            today=lambda: self.day,
            memory=lambda: MEMORY,
        )
        if self.world.likely(0.5):  # another machine's clock, or the same
            self._offset = self.world.chance.randrange(10**10, 10**11)
        damage = server.recover(self.clock())
        if damage and not self.clocks.may_lose:
            raise Broken(f"the server has lost something: {damage}")
        self.server = server
        self.restarts += 1
        self.well_since = self.world.now
        self.inspector.restarted()
        self.clocks.restarted(server, self.clock(), self.book)
        self._housekeeping = Housekeeping(
            self.disk,
            self.disk.keep_days,
            lambda: server.run_day,
            Log(io.StringIO(), as_json=False),
            self.clock(),
        )
        self.world.note("server", f"starts, epoch {server.epoch}")
        self._plan(self.world.now)

    def die(
        self, *, down_ms: int, power: bool = False, lost_file: Durability | None = None
    ) -> None:
        """Kill the process where it is, and start it again after a while."""
        what = ", power lost" if power else f", {lost_file} lost" if lost_file else ""
        self.world.note("server", f"dies for {down_ms} ms{what}")
        self._gone()
        if power:
            self.disk.lose_power(self.world.chance.randint(0, self.disk.unsynced))
        if lost_file is not None:
            self.disk.lose_file(lost_file)
        if power or lost_file is not None:
            self.inspector.lost()
        self.clocks.died(losing=power, file=lost_file is not None)
        self.world.after(down_ms, self.start)

    def _gone(self) -> None:
        self.server = None
        self._drain = None
        self.disk.death = None
        self._inbox.clear()
        self._turn_at = NEVER
        self.frozen_until = 0
        links, self.links = self.links, {}
        for link in links.values():
            notice = None if self.world.likely(0.2) else self.world.between(0, 500)
            link.break_off(notice_ms=notice)

    # --- the end in good order

    def told_to_end(self, grace_ms: int) -> None:
        """Take note that an operator tells the server to end."""
        if self._drain is None:
            self._drain = Drain(grace_ms, self.world.now)
        else:
            self._drain.again(grace_ms, self.world.now)

    def says_it_ends(self, grace_ms: int) -> None:
        """Hold the server to its word: it has said that it ends."""
        if self._drain is not None:
            self._drain.promised(grace_ms, self.world.now)

    def _end(self, server: Server) -> None:
        """Let the process end as its loop does."""
        now = self.clock()
        if self._drain is not None:
            self._drain.verify_may_end(self.world.now, server.lobby.playing())
        server.close(now)
        self._send(server, server.flush(now))
        self.disk.close()
        self.world.note("server", "ends")
        self._gone()
        self.clocks.died()
        self.world.after(self.world.between(10, 20_000), self.start)

    def plan_death(self, death: Death, then: Callable[[], None]) -> None:
        """Let the process die at that point of a turn, the next time it comes there."""
        self.disk.death = death
        self._then = then
        self._sends_left = self.world.chance.randrange(3)

    def _unplanned(self) -> None:
        raise Broken("the server died by itself")

    def freeze(self, ms: int) -> None:
        """Stop the process for a while (SIGSTOP)."""
        if self.server is None:
            return
        self.world.note("server", f"stands still for {ms} ms")
        if self.world.now > self.frozen_until + MOMENT_MS:
            self.stood_since = self.world.now
        self.frozen_until = max(self.frozen_until, self.world.now + ms)

    # --- a turn of the loop

    def _plan(self, at: int) -> None:
        if self.server is None:
            return
        at = max(at, self.frozen_until, self.world.now)
        if at < self._turn_at:
            self._turn_at = at
            self.world.at(at, lambda: self._turn(at))

    def _turn(self, planned: int) -> None:
        if planned != self._turn_at or self.server is None:
            return
        self._turn_at = NEVER
        if self.world.now < self.frozen_until:
            self._plan(self.frozen_until)
            return
        try:
            self._serve(self.server)
            if self.server.draining.over:
                self._end(self.server)
        except Died:
            self._then()
        self._plan_next()

    def _plan_next(self) -> None:
        if self.server is None:
            return
        if self._inbox:
            self._plan(self.world.now)
        self._plan(self.server.next_tick - self._offset)

    def _serve(self, server: Server) -> None:
        now = self.clock()
        dying = self.disk.death is Death.RECEIVING
        left = self.world.chance.randrange(4) if dying and self._inbox else 256
        ailing = server.ailment
        while self._inbox and left:
            link, data = self._inbox.popleft()
            left -= 1
            self.world.note(link.name, ">", data or b"")
            if data is not None:
                self.inspector.receives(link.peer, data)
            server.receive(now, link.peer, data)
        if dying and left == 0:
            raise Died
        server.tick(now)
        outgoing = server.flush(now)
        if server.ailment != ailing:
            self.world.note("server", f"ailment: {server.ailment}")
        if server.ailment is not None or ailing is not None:
            self.well_since = self.world.now
        self.clocks.look(server, now, self.book)
        self._send(server, outgoing)
        for peer in server.take_cuts():
            if peer in self.links:
                link = self.links.pop(peer)
                self.world.note(link.name, "is cut by the server")
                link.break_off(notice_ms=1)
        if self._housekeeping is not None:
            self._housekeeping.look(now)
        if self._drain is not None and not server.draining.over:
            ails = server.ailment is not None
            self._drain.look(self.world.now, self.book.deals, ails=ails)

    def _send(self, server: Server, outgoing: list[Outgoing]) -> None:
        for out in outgoing:
            if self.disk.death is Death.SENDING:
                self._sends_left -= 1
                if self._sends_left < 0:
                    raise Died
            link = self.links.get(out.peer)
            self.inspector.leaves(out.peer, out.data)
            if link is None or not link.there:
                continue
            self.world.note(link.name, "<", out.data)
            if not link.reading and link.backlog >= HIGH_WATER:
                link.was_stalled = True
                server.stalled(out.peer)
            else:
                link.down(out.data)

    @property
    def is_well(self) -> bool:
        """Tell whether the server has run without any trouble for a while."""
        longest = 2 * GAP_MS
        return (
            self.server is not None
            and self.world.now - max(self.well_since, self.frozen_until) > longest
        )
