"""What operators do at a server that runs: they look how it is, and let it end."""

from dataclasses import dataclass

from passing_protocol.messages import (
    Agent,
    Bye,
    Drain,
    Error,
    Goodbye,
    Ok,
    Refused,
    Request,
    Status,
    StatusReport,
    Welcome,
)
from passing_protocol.session import ClientSession
from passing_protocol.session_states import (
    ClientState,
)
from tests.simulation.host import Host
from tests.simulation.network import Link
from tests.simulation.world import Broken, World
from tests.support.lan import TOKENS

PATIENCE_MS = 3_000
EVERY_MS = 500


@dataclass(frozen=True)
class Asked:
    """What was asked, when, and of which life of the server."""

    request: Request
    at: int
    life: int


class Operator:
    """Run one command: a session of an admin that asks, gets its answers, and goes.

    It is answered whatever is wrong with the disk, and is never told that it asks too much.
    """

    def __init__(self, world: World, host: Host, requests: list[Request]) -> None:
        self._world = world
        self._host = host
        self._left = requests
        self._asked: Asked | None = None
        self._session = ClientSession("operator", Agent("sim", "1"), token=TOKENS["admin"])
        self._link = host.connect(self, "operator")
        if self._link is not None:
            self._link.up(self._session.connect())

    # --- what comes in

    def take(self, link: Link, data: bytes) -> None:
        for message in self._session.receive(data):
            match message:
                case Welcome():
                    self._next()
                case StatusReport() | Ok():
                    self._answered(message)
                case Error() | Refused():
                    raise Broken(f"an operator is refused: {message}")
                case Goodbye():
                    link.leave()
                    self._asked = None
                case _:
                    pass

    def lost(self, link: Link) -> None:
        """Give up: the command ends with its connection."""
        self._asked = None

    def _answered(self, message: StatusReport | Ok) -> None:
        asked, self._asked = self._asked, None
        if isinstance(message, StatusReport):
            self._verify(message)
        elif asked is not None and isinstance(asked.request, Drain):
            self._says_it_ends(asked.request)
        if self._left:
            self._world.after(EVERY_MS, self._next)
        elif self._link is not None:
            self._ask(Bye(0))

    def _says_it_ends(self, drain: Drain) -> None:
        """Hold the server to its word, unless who gave it has ended while that was on its way."""
        if self._link is not None and self._link.there:
            self._host.says_it_ends(drain.grace_ms)

    def _verify(self, report: StatusReport) -> None:
        if report.uptime_ms > self._world.now:
            raise Broken(f"a server says that it runs for longer than time itself: {report}")

    # --- what goes out

    def _next(self) -> None:
        if self._left and self._session.state is ClientState.OPEN:
            self._ask(self._left.pop(0))
            self._world.after(PATIENCE_MS, self._verify_answered)

    def _ask(self, request: Request) -> None:
        link = self._link
        if link is not None and link.open:
            _, data = self._session.request(request)
            if isinstance(request, Drain) and link.there:  # the next life hears nothing of it
                self._host.told_to_end(request.grace_ms)
            self._asked = Asked(request, self._world.now, self._host.restarts)
            link.up(data)

    def _verify_answered(self) -> None:
        """See that a server that was running all the time has answered."""
        asked, link, host = self._asked, self._link, self._host
        if asked is None or link is None or self._world.now < asked.at + PATIENCE_MS:
            return
        runs = host.server is not None and host.restarts == asked.life
        stood = host.frozen_until > asked.at
        if runs and not stood and link.there and not isinstance(asked.request, Bye):
            raise Broken(f"an operator has no answer: {asked}")


def looks(times: int) -> list[Request]:
    """Ask how the server is, again and again."""
    return [Status(0) for _ in range(times)]


def ends(grace_ms: int) -> list[Request]:
    """Ask how it is, and let it end."""
    return [Status(0), Drain(0, grace_ms)]
