"""A connection for programs that wait: requests answered by a call, messages taken one by one.

It keeps itself alive (pings, new attempts, resuming) while one of its methods waits. A program
that thinks for longer than the server's heartbeat allows wants `aio`.
"""

from collections.abc import Callable, Iterable
from time import monotonic
from types import TracebackType
from typing import Self

import zmq

from passing_link import words
from passing_link.address import Address
from passing_link.answers import Answer
from passing_link.driver import BYE_S, OPEN_S, REQUEST_S, Driver
from passing_link.keys import Security
from passing_link.news import Item, LinkDown, LinkEnded, LinkError, LinkNews, NoAnswer
from passing_link.resolving import look_up
from passing_protocol.messages import (
    Agent,
    Bye,
    Caps,
    Request,
    Welcome,
)

Polled = tuple[zmq.Socket[bytes] | int, int]
"""A socket or a descriptor, and what is waited for there."""


class Connection:
    """Hold one session with a server; for one thread. Made by `open`.

    Usable with `with`, which closes it.
    """

    def __init__(self, driver: Driver) -> None:
        """Take over a driver whose first connection stands."""
        self._driver = driver
        self._line = driver.line
        self._poller = zmq.Poller()
        self._polled: list[Polled] = []

    @classmethod
    def open(
        cls,
        address: Address,
        *,
        name: str,
        agent: Agent,
        caps: Caps | None = None,
        token: str | None = None,
        security: Security | None = None,
        timeout_s: float | None = OPEN_S,
        report: Callable[[LinkNews], None] | None = None,
    ) -> Self:
        """Connect and greet; raises CannotReach, TurnedAway and AccessDenied.

        `security` is what `find_security` or the connection file gives; without it nothing is
        encrypted.
        `timeout_s` None tries for ever. `report` is told how it goes meanwhile.
        """
        driver = Driver(
            address,
            look_up(address),
            name=name,
            agent=agent,
            caps=caps or Caps(),
            token=token,
            security=security,
        )
        connection = cls(driver)
        try:
            connection._wait_open(timeout_s, report)
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def welcome(self) -> Welcome:
        """Return the server's last welcome: our name and role there, its limits."""
        return self._driver.welcome

    def request(self, message: Request, timeout_s: float = REQUEST_S) -> Answer:
        """Send a request and wait for its answer; other messages are kept for `receive`.

        While the connection is down it waits for that too. Raises RequestFailed with the
        server's refusal, NoAnswer, RequestLost, LinkEnded, and LinkDown when nothing was sent.
        """
        deadline = monotonic() + timeout_s
        number = self._ask(message, deadline)
        while True:
            self._driver.pump()
            answer = self._line.answer(number)
            if answer is not None:
                return answer
            if monotonic() >= deadline:
                self._line.forget(number)
                raise NoAnswer(words.no_reply(message, timeout_s))
            self._wait(deadline)

    def send(self, message: Request) -> int:
        """Send a request without waiting and return its id; its answer comes with `receive`.

        Raises LinkEnded, and LinkDown while the connection is down: nothing was sent then.
        """
        number = self._line.send(message, monotonic())
        self._driver.flush()
        return number

    def receive(self, timeout_s: float | None = None, also: Iterable[int] = ()) -> Item | None:
        """Return the next message or news; None when there is none in time.

        `also` are file descriptors (a terminal's, say): None comes at once when one of them can
        be read. Raises LinkEnded once the link has ended and all else has been received.
        """
        inbox = self._line.inbox
        if inbox and self._driver.wait_s() != 0:
            return inbox.popleft()
        deadline = None if timeout_s is None else monotonic() + timeout_s
        others = tuple(also)
        while True:
            self._driver.pump()
            if inbox:
                return inbox.popleft()
            if self._line.last_news is not None:
                raise LinkEnded(self._line.last_news)
            if self._wait(deadline, others) or (deadline is not None and monotonic() >= deadline):
                self._driver.pump()
                return inbox.popleft() if inbox else None

    def close(self) -> None:
        """Say `bye`, which gives up every seat, and let go of the socket."""
        try:
            if self._driver.may_be_known:
                self.request(Bye(0), timeout_s=BYE_S)
        except LinkError:
            pass  # gone is gone
        finally:
            self._driver.close()

    def __enter__(self) -> Self:
        """Return the connection itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connection."""
        self.close()

    def _ask(self, message: Request, deadline: float) -> int:
        """Send a request as soon as there is a connection."""
        while True:
            self._driver.pump()
            try:
                return self._line.ask(message, monotonic())
            except LinkDown:
                if monotonic() >= deadline:
                    raise
            self._wait(deadline)

    def _wait_open(
        self, timeout_s: float | None, report: Callable[[LinkNews], None] | None
    ) -> None:
        deadline = None if timeout_s is None else monotonic() + timeout_s
        while True:
            self._driver.pump()
            for news in self._driver.early_news():
                if report is not None:
                    report(news)
            if self._driver.check_open():
                return
            if timeout_s is not None and deadline is not None and monotonic() >= deadline:
                raise self._driver.out_of_time(timeout_s)
            self._wait(deadline)

    def _wait(self, deadline: float | None, others: tuple[int, ...] = ()) -> bool:
        """Wait until something is to be done; tells whether one of `others` can be read."""
        limits = [self._driver.wait_s()]
        if deadline is not None:
            limits.append(max(0.0, deadline - monotonic()))
        waits = [limit for limit in limits if limit is not None]
        wanted: list[Polled] = [*self._driver.sockets()]
        wanted += [(other, zmq.POLLIN) for other in others]
        if wanted != self._polled:
            self._poll_for(wanted)
        # Rounded up, or the last millisecond would be waited for by spinning.
        ready = self._poller.poll(int(min(waits) * 1000) + 1 if waits else None)
        return any(socket in others for socket, _ in ready)

    def _poll_for(self, wanted: list[Polled]) -> None:
        """Make a poller for other sockets, or other flags, than the last time."""
        self._poller = zmq.Poller()
        for socket, flags in wanted:
            self._poller.register(socket, flags)
        self._polled = wanted
