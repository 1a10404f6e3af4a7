"""A line with a real socket under it: what the blocking and the asyncio connection share."""

from time import monotonic
from typing import Final

import zmq
from msgspec.structs import replace

from passing_link import words
from passing_link.address import Address
from passing_link.doubts import Doubt
from passing_link.hints import hint_for
from passing_link.keys import Security
from passing_link.line import Line, Phase
from passing_link.news import CannotReach, LinkNews, TurnedAway
from passing_link.resolving import Choices
from passing_link.transport import Transport
from passing_protocol.messages import Agent, Caps, Welcome
from passing_protocol.session import ClientSession

OPEN_S: Final = 5.0
"""How long to try to reach a server before giving up."""

REQUEST_S: Final = 10.0
"""How long to wait for the answer to a request."""

BYE_S: Final = 0.5
"""How long to wait for the answer to the last request."""

_CONNECTED: Final = (Phase.DIALLING, Phase.GREETING, Phase.OPEN)


class Driver:
    """Move frames between a line and its socket; nothing here waits."""

    def __init__(
        self,
        address: Address,
        choices: tuple[Address, ...],
        *,
        name: str,
        agent: Agent,
        caps: Caps,
        token: str | None,
        security: Security | None = None,
    ) -> None:
        """Prepare a line to a server; `choices` are the numbers of its machine."""
        self.session = ClientSession(name, agent, replace(caps, fair=True), token)
        secured = security is not None
        self.line = Line(
            self.session,
            str(address),
            monotonic(),
            len(choices),
            secured=secured,
            tables=caps.tables,
        )
        self.transport: Transport | None = None
        self._address = address
        self._choices = Choices(address, choices)
        self._number = address
        """The one of them that was dialled last."""
        self._security = security
        self._doubt = Doubt(None if security is None else security.server_key)

    @property
    def is_open(self) -> bool:
        """Tell whether a connection stands at the moment."""
        return self.line.phase is Phase.OPEN

    @property
    def may_be_known(self) -> bool:
        """Tell whether the server may hold a session for this connection, and so wants a `bye`."""
        return self.line.phase in (Phase.GREETING, Phase.OPEN)

    @property
    def welcome(self) -> Welcome:
        """Return the last welcome; raises RuntimeError before the first."""
        if self.session.welcome is None:
            raise RuntimeError("not welcomed yet")
        return self.session.welcome

    def pump(self) -> None:
        """Carry all that can be carried now, in both directions, and do what is due."""
        while self._carry():
            pass

    def flush(self) -> None:
        """Send what can be sent now; what has come stays where it is."""
        if self.transport is not None:
            self._send(self.transport)

    def wait_s(self) -> float | None:
        """Return for how long nothing is due; None is for ever."""
        due = self.line.due
        return None if due is None else max(0.0, due - monotonic())

    def check_open(self) -> bool:
        """Tell whether there has been a welcome; raises AccessDenied, TurnedAway, CannotReach."""
        if self.line.was_open:
            return True
        if self.line.denial is not None:
            raise self.line.denial
        if self.line.refusal is not None:
            raise TurnedAway(self.line.refusal)
        if self.line.last_news is not None:
            raise CannotReach(self.line.last_news.sentence)
        return False

    def out_of_time(self, timeout_s: float) -> CannotReach:
        """Return the error of a first connection that took too long, with the last trouble."""
        return CannotReach(words.gave_up(self.line.trouble, timeout_s))

    def early_news(self) -> list[LinkNews]:
        """Take out the news of the time before the first connection stood.

        How a line has ended is not among them: `check_open` raises that.
        """
        inbox = self.line.inbox
        if self.line.was_open:
            return []
        news = [item for item in inbox if isinstance(item, LinkNews) and not item.kind.final]
        inbox.clear()
        return news

    def sockets(self) -> list[tuple[zmq.Socket[bytes], int]]:
        """Return what to poll for, and how."""
        if self.transport is None:
            return []
        flags = zmq.POLLIN | zmq.POLLOUT if self.line.outbox else zmq.POLLIN
        return [(self.transport.socket, flags), (self.transport.monitor, zmq.POLLIN)]

    def close(self) -> None:
        """Let go of the socket."""
        if self.transport is not None:
            self.transport.close()
            self.transport = None

    def _carry(self) -> bool:
        """Go around once; tells whether anything moved, and so may have woken something else."""
        now = monotonic()
        line = self.line
        for denial in self._doubt.settled():
            line.settle(None if denial is None else denial(str(self._address)))
        line.tick(now)
        if line.phase is Phase.DIALLING and self.transport is None:
            self._dial()
        transport = self.transport
        if transport is None:
            return False
        signs = transport.signs()
        frames = transport.frames()  # fetched after the signs, for what came before a loss
        for frame in frames:
            line.take(frame, now)
        for sign in signs:
            line.notice(sign, now)
        sent = self._send(transport)
        if line.phase not in _CONNECTED:
            if line.doubt is not None:
                self._doubt.look(self._number)
            self.close()
            self._choices.failed()
        return bool(frames or signs or sent)

    def _dial(self) -> None:
        self._number = self._choices.next()
        self.line.choices = len(self._choices)
        self.line.hint = hint_for(self._number)
        self.transport = Transport(self._number.endpoint, self._security)

    def _send(self, transport: Transport) -> int:
        sent = 0
        outbox = self.line.outbox
        while outbox and transport.send(outbox[0]):
            outbox.popleft()
            sent += 1
        return sent
