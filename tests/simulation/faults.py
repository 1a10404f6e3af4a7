"""What goes wrong, and when: chance decides, at most 200 times in one match."""

import copy
from functools import partial

from passing_protocol.codec import encode
from passing_protocol.messages import Act, Bye, Leave, Lobby, Remove, Resync
from passing_protocol.wire import TILE_TEXTS, ActionMessage
from passing_server.storing import Durability
from tests.simulation.client import Client, SavedState
from tests.simulation.disk import Death
from tests.simulation.host import Host
from tests.simulation.operators import Operator, ends, looks
from tests.simulation.world import World

MOST = 200
LATEST_MS = 60_000
GARBAGE = (b"", b"\xc1", b"\x80", b"\xff" * 40, b"GET / HTTP/1.0\r\n\r\n", b"\x91" * 900)


class Faults:
    """Let faults happen until there were enough of them."""

    def __init__(self, world: World, host: Host, clients: list[Client], hostile: bool) -> None:
        self.happened = 0
        self._world = world
        self._host = host
        self._clients = clients
        self._left = world.between(5, MOST) if world.likely(0.9) else 0
        self._gap_ms = world.between(8_000, 120_000) // max(1, self._left)
        self._waits = world.likely(0.6)
        self._saved: list[tuple[Client, SavedState]] = []
        kinds = [
            (self._crash, 2.5),
            (self._cut, 2.0),
            (self._second_connection, 1.0),
            (self._freeze_client, 0.7),
            (self._deafen, 0.7),
            (self._freeze_server, 0.5),
            (self._jump, 0.5),
            (self._fail_disk, 0.5),
            (self._save, 1.0),
            (self._restart_client, 0.6),
            (self._stray, 1.5),
            (self._leave, 0.05),
            (self._remove, 0.1),
            (self._drain, 0.5),
            (self._status, 0.5),
            (self._calendar, 0.4),
            (self._lose_file, 0.15),
        ]
        if hostile:
            kinds += [
                (self._old_token, 1.0),
                (self._garbage, 1.0),
                (self._flood, 0.2),
                (self._thief, 0.5),
            ]
        chosen = [kind for kind in kinds if world.likely(0.7)] or kinds
        self._kinds = [kind for kind, _ in chosen]
        self._weights = [weight for _, weight in chosen]

    @property
    def over(self) -> bool:
        """Tell whether no more will happen."""
        return self._left <= 0

    def begin(self) -> None:
        """Let the first fault come, at once or when tiles have been dealt."""
        if self._waits and self._world.now < LATEST_MS and not self._host.book.is_played:
            self._world.after(100, self.begin)
        else:
            self._world.after(self._world.chance.randrange(4 * self._gap_ms + 1), self._next)

    def _next(self) -> None:
        if self.over:
            return
        self._left -= 1
        self.happened += 1
        self._world.chance.choices(self._kinds, self._weights)[0]()
        self._world.after(self._world.chance.randrange(2 * self._gap_ms + 1), self._next)

    # --- the server

    def _crash(self) -> None:
        if self._host.server is None:
            return
        down = self._world.between(10, 20_000)
        power = self._world.likely(0.3)
        point = self._world.chance.choice(list(Death))
        die = partial(self._host.die, down_ms=down, power=power)
        if point is Death.IDLE:
            die()
        else:
            self._host.plan_death(point, die)

    def _freeze_server(self) -> None:
        self._host.freeze(self._world.between(1_000, 60_000))

    def _jump(self) -> None:
        ms = self._world.between(5_001, 10_000_000)
        self._host.jump(ms if self._world.likely(0.5) else -ms)

    def _fail_disk(self) -> None:
        disk = self._host.disk
        disk.fails = True
        self._world.note("disk", "fails")
        self._world.after(self._world.between(10, 20_000), self._mend_disk)
        if self._world.likely(0.3):
            self._world.after(self._world.between(0, 3_000), self._status)

    def _mend_disk(self) -> None:
        self._host.disk.fails = False

    def _lose_file(self) -> None:
        if self._host.server is not None:
            lost = self._world.chance.choice((Durability.FULL, Durability.FAST))
            self._host.die(down_ms=self._world.between(10, 20_000), lost_file=lost)

    def _calendar(self) -> None:
        days = self._world.between(1, 400)
        self._host.set_date(days if self._world.likely(0.7) else -days)

    # --- operators

    def _status(self) -> None:
        Operator(self._world, self._host, looks(self._world.between(1, 30)))

    def _drain(self) -> None:
        Operator(self._world, self._host, ends(self._world.chance.randrange(20_000)))

    # --- clients

    def _any(self) -> Client:
        return self._world.chance.choice(self._clients)

    def _cut(self) -> None:
        link = self._any().link
        if link is not None and link.there:
            notice = self._world.between(0, 3_000) if self._world.likely(0.8) else None
            self._world.note(link.name, "is cut off")
            link.break_off(notice_ms=notice)

    def _second_connection(self) -> None:
        self._any().redial(leave=self._world.likely(0.5))

    def _freeze_client(self) -> None:
        self._any().freeze(self._world.between(100, 30_000))

    def _deafen(self) -> None:
        self._any().deafen(self._world.between(100, 15_000))

    def _save(self) -> None:
        client = self._any()
        self._saved.append((client, client.saved()))

    def _restart_client(self) -> None:
        """Kill a client; it comes back with what it has saved at some time, or with nothing."""
        client = self._any()
        if not client.running:
            return
        saved = client.saved() if self._world.likely(0.5) else None
        client.kill()
        pause = self._world.between(10, 20_000)
        self._world.after(pause, lambda: None if client.running else client.start(saved))

    def _leave(self) -> None:
        client = self._any()
        for table in list(client.tables)[:1]:
            client.send(Leave(0, table))

    def _remove(self) -> None:
        """Let an owner take a seat from somebody."""
        for client in self._clients:
            for table, follower in client.tables.items():
                seat = follower.mine.seat if follower.mine is not None else None
                if follower.public is not None and follower.public.owner == seat:
                    seats = len(follower.public.seats)
                    client.send(Remove(0, table, self._world.chance.randrange(seats)))
                    return

    # --- messages that nobody waits for

    def _stray(self) -> None:
        """Send what is out of place: an old turn, another's tile, a gap that is none."""
        client, world = self._any(), self._world
        for table, follower in list(client.tables.items())[:1]:
            turn = follower.public.turn if follower.public is not None else 0
            turn = max(0, turn + world.chance.randint(-4, 0))
            tile = world.chance.choice(TILE_TEXTS)
            action = world.chance.choice(
                [ActionMessage(pass_=True), ActionMessage(draw=True), ActionMessage(play=tile)]
            )
            client.send(Act(0, table, turn, action))
        if world.likely(0.3):
            client.send(Resync(0, world.chance.randrange(40)))

    def _garbage(self) -> None:
        client = self._any()
        link = client.link
        if link is not None:
            client.spend(1)
            link.up(None if self._world.likely(0.1) else self._world.chance.choice(GARBAGE))

    def _flood(self) -> None:
        client = self._any()
        for _ in range(self._world.chance.choice((30, 160))):
            client.send(Lobby(0))

    def _thief(self) -> None:
        """Connect as a stranger, with a message of somebody else and a guessed token."""
        host = self._host
        link = host.connect(Nobody(), "thief")
        if link is None:
            return
        link.up(encode(Bye(1)))
        victim = self._any()
        for table, follower in list(victim.tables.items())[:1]:
            if follower.ask is not None:
                link.up(encode(Act(2, table, follower.ask.turn, follower.ask.legal[0])))
        self._world.after(500, link.leave)

    def _old_token(self) -> None:
        """Connect with a token that somebody had, and has not any more."""
        if not self._saved:
            return
        client, saved = self._world.chance.choice(self._saved)
        then, now = saved.session.welcome, client.session.welcome
        if then is None or now is None or then.resume_token == now.resume_token:
            return
        link = self._host.connect(Nobody(), "thief")
        if link is not None:
            link.up(copy.deepcopy(saved.session).connect())
            self._world.after(2_000, link.leave)


class Nobody:
    """Read nothing of what is sent."""

    def take(self, link: object, data: bytes) -> None:
        """Let it lie."""

    def lost(self, link: object) -> None:
        """Be glad."""
