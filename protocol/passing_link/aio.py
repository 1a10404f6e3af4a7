"""A connection for asyncio programs; it keeps itself alive as long as the event loop runs.

The sockets are plain ones whose descriptors the event loop watches: nothing here ever waits
in a call, and a message costs no more than in a program that waits.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Self, TypeVar

from passing_link import words
from passing_link.address import Address
from passing_link.answers import Answer
from passing_link.driver import BYE_S, OPEN_S, REQUEST_S, Driver
from passing_link.keys import Security
from passing_link.news import Item, LinkEnded, LinkError, LinkNews, NoAnswer
from passing_link.resolving import look_up
from passing_link.threads import in_thread
from passing_link.transport import Transport
from passing_protocol.messages import Agent, Bye, Caps, Request, Welcome

Found = TypeVar("Found")


class AsyncConnection:
    """Hold one session with a server; for one event loop. Made by `open`.

    Usable with `async with`, which closes it, and `async for`, which ends when the link does.
    """

    def __init__(self, driver: Driver) -> None:
        """Take over a driver; needs a running event loop."""
        self._driver = driver
        self._line = driver.line
        self._loop = asyncio.get_running_loop()
        self._watched: Transport | None = None
        self._descriptors: tuple[int, ...] = ()
        self._timer: asyncio.TimerHandle | None = None
        self._soon: asyncio.Handle | None = None
        self._waiters: set[asyncio.Future[None]] = set()
        self.keeps_seats: Callable[[], bool] = lambda: False
        """Tells whether to end as if the connection were lost: the seats are kept for a while."""

    @classmethod
    async def open(
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
            await _looked_up(address),
            name=name,
            agent=agent,
            caps=caps or Caps(),
            token=token,
            security=security,
        )
        connection = cls(driver)
        try:
            await connection._wait_open(timeout_s, report)
        except BaseException:
            await connection.close()
            raise
        return connection

    @property
    def welcome(self) -> Welcome:
        """Return the server's last welcome: our name and role there, its limits."""
        return self._driver.welcome

    async def request(self, message: Request, timeout_s: float = REQUEST_S) -> Answer:
        """Send a request and wait for its answer; other messages are kept for `receive`.

        While the connection is down it waits for that too. Raises RequestFailed with the
        server's refusal, NoAnswer, RequestLost, LinkEnded, and LinkDown when nothing was sent.
        """
        deadline = monotonic() + timeout_s
        with suppress(TimeoutError):
            await self._until(self._can_send, deadline)
        number = self._line.ask(message, monotonic())
        self._pump()
        try:
            return await self._until(lambda: self._line.answer(number), deadline)
        except TimeoutError:
            raise NoAnswer(words.no_reply(message, timeout_s)) from None
        finally:
            self._line.forget(number)

    def send(self, message: Request) -> int:
        """Send a request without waiting and return its id; its answer comes with `receive`.

        Raises LinkEnded, and LinkDown while the connection is down: nothing was sent then.
        """
        number = self._line.send(message, monotonic())
        self._driver.flush()
        if self._soon is None:  # once for all that is sent in this turn of the loop
            self._soon = self._loop.call_soon(self._pump)
        return number

    async def receive(self) -> Item:
        """Return the next message or news; raises LinkEnded after the last.

        May be cancelled at any time; nothing is lost by that.
        """
        await self._until(self._has_more)
        if not self._line.inbox and self._line.last_news is not None:
            raise LinkEnded(self._line.last_news)
        return self._line.inbox.popleft()

    async def __aiter__(self) -> AsyncIterator[Item]:
        """Yield every message and all news until the link has ended."""
        with suppress(LinkEnded):
            while True:
                yield await self.receive()

    async def close(self) -> None:
        """Say `bye`, which gives up every seat, unless they are kept; let go of the socket."""
        try:
            if self._driver.may_be_known and not self.keeps_seats():
                await self.request(Bye(0), timeout_s=BYE_S)
        except LinkError:
            pass  # gone is gone
        finally:
            self._let_go()

    async def __aenter__(self) -> Self:
        """Return the connection itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connection."""
        await self.close()

    # --- inside ----------------------------------------------------------------------------

    def _can_send(self) -> bool | None:
        return self._driver.is_open or self._line.last_news is not None or None

    def _has_more(self) -> bool | None:
        return bool(self._line.inbox) or self._line.last_news is not None or None

    async def _wait_open(
        self, timeout_s: float | None, report: Callable[[LinkNews], None] | None
    ) -> None:
        def is_open() -> bool | None:
            """Tell what is new, and whether the server has welcomed us."""
            for news in self._driver.early_news():
                if report is not None:
                    report(news)
            return self._driver.check_open() or None

        self._pump()
        try:
            await self._until(is_open, None if timeout_s is None else monotonic() + timeout_s)
        except TimeoutError:
            raise self._driver.out_of_time(timeout_s or 0) from None

    async def _until(
        self, find: Callable[[], Found | None], deadline: float | None = None
    ) -> Found:
        """Wait until `find` finds something; raises TimeoutError and what `find` raises."""
        while (found := find()) is None:
            waiter: asyncio.Future[None] = self._loop.create_future()
            self._waiters.add(waiter)
            try:
                async with asyncio.timeout(None if deadline is None else deadline - monotonic()):
                    await waiter
            finally:
                self._waiters.discard(waiter)
        return found

    def _pump(self) -> None:
        """Carry what can be carried, watch what is to be watched, wake who waits."""
        self._driver.pump()
        self._watch(self._driver.transport)
        self._cancel_calls()
        wait_s = self._driver.wait_s()
        self._timer = None if wait_s is None else self._loop.call_later(wait_s, self._pump)
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    def _watch(self, transport: Transport | None) -> None:
        """Watch the descriptors of this attempt; an earlier one may have had the same numbers."""
        if transport is self._watched:
            return
        for descriptor in self._descriptors:
            self._loop.remove_reader(descriptor)
        self._watched = transport
        self._descriptors = () if transport is None else transport.descriptors
        for descriptor in self._descriptors:
            self._loop.add_reader(descriptor, self._pump)

    def _let_go(self) -> None:
        self._watch(None)
        self._cancel_calls()
        self._driver.close()

    def _cancel_calls(self) -> None:
        for call in (self._timer, self._soon):
            if call is not None:
                call.cancel()
        self._timer = self._soon = None


async def _looked_up(address: Address) -> tuple[Address, ...]:
    """Look up where a machine is; raises UnknownMachine. May be cancelled at any time."""
    return await in_thread(lambda: look_up(address))
