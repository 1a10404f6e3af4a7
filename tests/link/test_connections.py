"""Both kinds of connection over real sockets; each test runs once blocking and once in asyncio."""

import asyncio
import os
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Protocol, TypeVar

import pytest

from passing_link import aio
from passing_link.address import Address
from passing_link.aio import AsyncConnection
from passing_link.answers import Answer
from passing_link.blocking import Connection
from passing_link.news import (
    CannotReach,
    Item,
    LinkDown,
    LinkEnded,
    LinkNews,
    NewsKind,
    NoAnswer,
    RequestFailed,
    TurnedAway,
)
from passing_protocol.errors import ErrorCode
from passing_protocol.limits import Heartbeat
from passing_protocol.messages import (
    Agent,
    Bye,
    Caps,
    ClientMessage,
    Error,
    Goodbye,
    Hello,
    Invited,
    Lobby,
    Ok,
    Ping,
    Ready,
    Request,
    ServerMessage,
    Welcome,
)
from tests.support.fake_server import FakeServer, Polite, refused

Result = TypeVar("Result")
Report = Callable[[LinkNews], None]
AGENT = Agent("test", "1")


class Client(Protocol):
    """Say what both kinds of connection do, as the blocking one does it."""

    @property
    def welcome(self) -> Welcome: ...
    def request(self, message: Request, timeout_s: float = 10) -> Answer: ...
    def send(self, message: Request) -> int: ...
    def receive(self, timeout_s: float = 10) -> Item | None: ...
    def close(self) -> None: ...


class Connect(Protocol):
    def __call__(
        self,
        address: Address,
        *,
        timeout_s: float | None = 5,
        report: Report | None = None,
        caps: Caps | None = None,
        token: str | None = None,
    ) -> Client: ...


class Awaited:
    """Use an asyncio connection as if it were a blocking one."""

    def __init__(self, runner: asyncio.Runner, connection: AsyncConnection) -> None:
        self._runner = runner
        self.connection = connection

    @property
    def welcome(self) -> Welcome:
        return self.connection.welcome

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._runner.run(work)

    def request(self, message: Request, timeout_s: float = 10) -> Answer:
        return self.run(self.connection.request(message, timeout_s))

    def send(self, message: Request) -> int:
        async def send() -> int:
            return self.connection.send(message)

        return self.run(send())

    def receive(self, timeout_s: float = 10) -> Item | None:
        async def receive() -> Item | None:
            try:
                async with asyncio.timeout(timeout_s):
                    return await self.connection.receive()
            except TimeoutError:
                return None

        return self.run(receive())

    def close(self) -> None:
        self.run(self.connection.close())


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as server:
        yield server


@pytest.fixture(params=["blocking", "asyncio"])
def connect(request: pytest.FixtureRequest, server: FakeServer) -> Iterator[Connect]:
    """Return what opens a connection of one kind; all are closed before the server stops."""
    assert server.received == []
    opened: list[Client] = []

    def open_blocking(
        address: Address,
        *,
        timeout_s: float | None = 5,
        report: Report | None = None,
        caps: Caps | None = None,
        token: str | None = None,
    ) -> Client:
        connection = Connection.open(
            address, name="Ann", agent=AGENT, caps=caps, token=token,
            timeout_s=timeout_s, report=report,
        )  # fmt: skip
        opened.append(connection)
        return connection

    def open_awaited(
        address: Address,
        *,
        timeout_s: float | None = 5,
        report: Report | None = None,
        caps: Caps | None = None,
        token: str | None = None,
    ) -> Client:
        work = AsyncConnection.open(
            address, name="Ann", agent=AGENT, caps=caps, token=token,
            timeout_s=timeout_s, report=report,
        )  # fmt: skip
        connection = Awaited(runner, runner.run(work))
        opened.append(connection)
        return connection

    with asyncio.Runner() as runner:
        yield open_blocking if request.param == "blocking" else open_awaited
        for client in opened:
            client.close()


def news_of(client: Client, kind: NewsKind) -> LinkNews:
    """Receive until there is news of a kind."""
    while True:
        item = client.receive()
        assert item is not None, f"no news of {kind}"
        if isinstance(item, LinkNews) and item.kind is kind:
            return item


def received(server: FakeServer, kind: type[ClientMessage]) -> list[ClientMessage]:
    return [message for message in server.received if isinstance(message, kind)]


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def unused() -> Address:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return Address("127.0.0.1", listener.getsockname()[1])


# --- opening -------------------------------------------------------------------------------------


def test_hello_says_who_we_are_and_what_we_can_do(connect: Connect, server: FakeServer) -> None:
    client = connect(server.address, caps=Caps(tables=3), token="t" * 32)
    (hello,) = server.received
    assert isinstance(hello, Hello)
    assert (hello.name, hello.agent, hello.caps) == ("Ann", AGENT, Caps(tables=3, fair=True))
    assert hello.token == "t" * 32
    assert client.welcome.server == "fake"


def test_a_name_with_several_numbers_is_reached_whichever_listens(
    connect: Connect, server: FakeServer
) -> None:
    assert connect(Address("localhost", server.address.port)).welcome.server == "fake"


def test_nobody_listening_is_said_with_the_place(connect: Connect) -> None:
    address = unused()
    with pytest.raises(CannotReach, match=rf"^Nobody is listening at {address}\. Gave up after"):
        connect(address, timeout_s=0.3)


def test_an_unknown_machine_is_said_by_its_name(connect: Connect) -> None:
    with pytest.raises(CannotReach, match=r"No machine called no-such\.invalid"):
        connect(Address("no-such.invalid"))


def test_a_program_that_is_no_server_is_said_at_once(connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def hang_up() -> None:
            listener.accept()[0].close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        with pytest.raises(CannotReach, match="is not a Passing Game server"):
            connect(Address("127.0.0.1", listener.getsockname()[1]), timeout_s=None)
        thread.join()


def test_being_turned_away_keeps_the_code(connect: Connect) -> None:
    def turn_away(_: ClientMessage) -> list[ServerMessage]:
        return [refused(ErrorCode.VERSION, "This server speaks 9 only.")]

    with FakeServer(turn_away) as server, pytest.raises(TurnedAway, match="9 only") as turned:
        connect(server.address)
    assert turned.value.code is ErrorCode.VERSION


def test_a_server_that_comes_up_later_is_found_and_the_wait_is_told(
    connect: Connect, server: FakeServer
) -> None:
    told: list[LinkNews] = []
    server.cut()

    def report(news: LinkNews) -> None:
        told.append(news)
        threading.Thread(target=server.listen).start()

    assert connect(server.address, timeout_s=None, report=report).welcome.server == "fake"
    assert [news.kind for news in told] == [NewsKind.TRYING]


# --- a machine that is somewhere else by now -----------------------------------------------------


class Resolver:
    """Tell where `table.lan` is, in place of the system, as soon as `may_answer` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *numbers: str) -> None:
        self.numbers = numbers
        self.asked = 0
        self.may_answer = threading.Event()
        self.may_answer.set()
        monkeypatch.setattr(Address, "resolve", self._resolve)

    def _resolve(self) -> tuple[Address, ...]:
        self.asked += 1
        numbers = self.numbers
        assert self.may_answer.wait(10), "everybody waits for this answer"
        if not numbers:
            raise OSError("no such name")
        return tuple(Address(number, self.port) for number in numbers)

    port = 0


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch, server: FakeServer) -> Resolver:
    found = Resolver(monkeypatch, "127.0.0.1")
    found.port = server.address.port
    return found


def moved(server: FakeServer, resolver: Resolver, host: str) -> None:
    """Let the server come back at another number of this machine."""
    server.cut()
    server.endpoint = f"tcp://{host}:{resolver.port}"
    server.listen()


def test_a_server_that_comes_back_at_another_number_is_found(
    connect: Connect, server: FakeServer, resolver: Resolver
) -> None:
    client = connect(Address("table.lan", resolver.port))
    assert resolver.asked == 1
    resolver.numbers = ("127.0.0.2",)
    moved(server, resolver, "127.0.0.2")
    news_of(client, NewsKind.BACK)
    assert isinstance(client.request(Lobby(0)), Ok)


def test_a_name_that_leads_nowhere_for_a_while_is_tried_where_it_was(
    connect: Connect, server: FakeServer, resolver: Resolver
) -> None:
    client = connect(Address("table.lan", resolver.port))
    resolver.numbers = ()
    server.cut()
    wait_while_receiving(client, lambda: resolver.asked > 1)
    server.listen()
    news_of(client, NewsKind.BACK)


def test_all_numbers_are_tried_before_the_name_is_looked_up_again(
    connect: Connect, server: FakeServer, resolver: Resolver
) -> None:
    resolver.numbers = ("127.0.0.3", "127.0.0.2", "127.0.0.1")
    connect(Address("table.lan", resolver.port))
    assert resolver.asked == 1


def test_a_slow_look_up_holds_nobody_up(
    connect: Connect, server: FakeServer, resolver: Resolver
) -> None:
    client = connect(Address("table.lan", resolver.port))
    resolver.may_answer.clear()
    server.cut()
    wait_while_receiving(client, lambda: resolver.asked > 1)
    server.listen()
    news_of(client, NewsKind.BACK)
    assert resolver.asked == 2  # it is not asked twice at once
    resolver.may_answer.set()


def test_whoever_leaves_while_a_name_is_looked_up_waits_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers, asked = threading.Event(), threading.Event()
    looking: list[threading.Thread] = []

    def slow(address: Address) -> tuple[Address, ...]:
        looking.append(threading.current_thread())
        asked.set()
        answers.wait(10)
        return (address,)

    async def leave() -> None:
        opening = asyncio.create_task(
            AsyncConnection.open(Address("table.lan", 1), name="Dana", agent=AGENT)
        )
        assert await asyncio.to_thread(asked.wait, 5)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)

    monkeypatch.setattr(aio, "look_up", slow)
    started = time.monotonic()
    asyncio.run(leave())
    assert time.monotonic() - started < 5
    answers.set()
    assert looking[0].daemon  # so the interpreter does not wait for it either
    looking[0].join()  # it finds that nobody listens any more, and says nothing of it


def test_a_number_is_never_looked_up_again(
    connect: Connect, server: FakeServer, resolver: Resolver
) -> None:
    client = connect(server.address)
    server.cut()
    news_of(client, NewsKind.LOST)
    client.receive(0.5)
    assert resolver.asked == 1
    server.listen()
    news_of(client, NewsKind.BACK)


def wait_while_receiving(client: Client, condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        client.receive(0.02)


# --- requests and messages -----------------------------------------------------------------------


def test_each_request_gets_its_answer(connect: Connect, server: FakeServer) -> None:
    client = connect(server.address)
    for number in range(1, 20):
        assert client.request(Lobby(0)) == Ok(number, number)


def test_messages_that_come_during_a_request_are_kept_in_order(connect: Connect) -> None:
    polite = Polite()

    def answer(message: ClientMessage) -> list[ServerMessage]:
        if not isinstance(message, Lobby):
            return polite(message)
        polite.seq += 3
        return [
            Invited(polite.seq - 2, "t1", 0, 1),
            Ok(polite.seq - 1, message.id),
            Invited(polite.seq, "t2", 0, 1),
        ]

    with FakeServer(answer) as server:
        client = connect(server.address)
        assert client.request(Lobby(0)) == Ok(2, 1)
        assert client.receive() == Invited(1, "t1", 0, 1)
        assert client.receive() == Invited(3, "t2", 0, 1)
        client.close()


def test_a_refusal_is_raised(connect: Connect) -> None:
    polite = Polite()

    def answer(message: ClientMessage) -> list[ServerMessage]:
        if not isinstance(message, Ready):
            return polite(message)
        polite.seq += 1
        return [Error(polite.seq, ErrorCode.NO_SUCH_TABLE, "No t9.", False, re=message.id)]

    with FakeServer(answer) as server:
        client = connect(server.address)
        with pytest.raises(RequestFailed, match=r"No t9\."):
            client.request(Ready(0, "t9"))
        client.close()


def test_no_answer_in_time_is_said_and_the_answer_still_comes(connect: Connect) -> None:
    polite = Polite()

    def answer(message: ClientMessage) -> list[ServerMessage]:
        return [] if isinstance(message, Lobby) else polite(message)

    with FakeServer(answer) as server:
        client = connect(server.address)
        with pytest.raises(NoAnswer, match=r"No answer to lobby within 0\.1 s"):
            client.request(Lobby(0), timeout_s=0.1)
        server.push(Ok(1, 1))
        assert client.receive() == Ok(1, 1)
        client.close()


def test_what_is_sent_without_waiting_is_answered_by_receive(
    connect: Connect, server: FakeServer
) -> None:
    client = connect(server.address)
    assert client.send(Lobby(0)) == 1
    assert client.receive() == Ok(1, 1)


def test_nothing_to_receive_is_none(connect: Connect, server: FakeServer) -> None:
    assert connect(server.address).receive(0.05) is None


def test_the_connection_pings_by_itself(connect: Connect) -> None:
    with FakeServer(Polite(Heartbeat(interval_ms=100, timeout_ms=2_000))) as server:
        client = connect(server.address)
        deadline = time.monotonic() + 5  # the usual interval would take longer
        while len(received(server, Ping)) < 4:
            assert time.monotonic() < deadline
            assert client.receive(0.1) is None
        client.close()


def test_bye_is_said_and_answered(connect: Connect, server: FakeServer) -> None:
    connect(server.address).close()
    assert isinstance(server.received[-1], Bye)


def test_whoever_is_interrupted_while_greeting_still_says_bye(connect: Connect) -> None:
    """Else the server would hold a session of nobody for as long as it waits for a sign of life."""
    polite = Polite()

    def late(message: ClientMessage) -> list[ServerMessage]:
        if isinstance(message, Hello):
            time.sleep(0.2)
        return polite(message)

    with FakeServer(late) as server:
        with pytest.raises(CannotReach):
            connect(server.address, timeout_s=0.05)
        wait_for(lambda: received(server, Bye))


# --- loss and return -----------------------------------------------------------------------------


def test_a_lost_connection_comes_back_with_its_session(
    connect: Connect, server: FakeServer
) -> None:
    client = connect(server.address)
    client.request(Lobby(0))
    server.cut()
    lost = news_of(client, NewsKind.LOST)
    assert str(server.address) in lost.sentence
    with pytest.raises(LinkDown):
        client.send(Lobby(0))
    server.listen()
    news_of(client, NewsKind.BACK)
    hello = received(server, Hello)[-1]
    assert isinstance(hello, Hello)
    assert hello.resume is not None
    assert hello.resume.seq == 1
    assert isinstance(client.request(Lobby(0)), Ok)


def test_a_request_made_while_the_connection_is_down_waits_for_it(
    connect: Connect, server: FakeServer
) -> None:
    client = connect(server.address)
    server.cut()
    news_of(client, NewsKind.LOST)
    threading.Timer(0.2, server.listen).start()
    assert isinstance(client.request(Lobby(0)), Ok)


def test_a_request_fails_clearly_when_the_connection_stays_down(
    connect: Connect, server: FakeServer
) -> None:
    client = connect(server.address)
    server.cut()
    news_of(client, NewsKind.LOST)
    with pytest.raises(LinkDown, match="nothing was sent"):
        client.request(Lobby(0), timeout_s=0.2)


def test_c26_a_request_whose_answer_was_lost_is_sent_again(connect: Connect) -> None:
    polite = Polite()
    swallowed: list[ClientMessage] = []

    def answer(message: ClientMessage) -> list[ServerMessage]:
        if isinstance(message, Ready) and not swallowed:
            swallowed.append(message)
            return []
        return polite(message)

    with FakeServer(answer) as server:
        client = connect(server.address)

        def cut_and_listen() -> None:
            wait_for(lambda: swallowed)
            server.cut()
            server.listen()

        thread = threading.Thread(target=cut_and_listen)
        thread.start()
        assert client.request(Ready(0, "t1")) == Ok(1, 1)
        thread.join()
        first, second = received(server, Ready)
        assert first == second
        client.close()


def test_superseded_is_the_end(connect: Connect, server: FakeServer) -> None:
    client = connect(server.address)
    client.send(Lobby(0))
    assert client.receive() == Ok(1, 1)
    server.push(Goodbye(ErrorCode.SUPERSEDED))
    news_of(client, NewsKind.SUPERSEDED)
    for use in (client.receive, lambda: client.send(Lobby(0)), lambda: client.request(Lobby(0))):
        with pytest.raises(LinkEnded, match="another connection"):
            use()


# --- what only one kind has ----------------------------------------------------------------------


def test_blocking_receive_returns_when_another_descriptor_can_be_read(server: FakeServer) -> None:
    readable, writable = os.pipe()
    try:
        with Connection.open(server.address, name="Ann", agent=AGENT) as connection:
            threading.Timer(0.1, os.write, (writable, b"x")).start()
            started = time.monotonic()
            assert connection.receive(10, also=[readable]) is None
            assert time.monotonic() - started < 5
            server.push(Invited(1, "t1", 0, 1))
            assert connection.receive(10) == Invited(1, "t1", 0, 1)
    finally:
        os.close(readable)
        os.close(writable)


def test_async_for_ends_with_the_link(server: FakeServer) -> None:
    async def collect() -> list[Item]:
        async with await AsyncConnection.open(server.address, name="Ann", agent=AGENT) as link:
            await link.request(Lobby(0))
            await asyncio.to_thread(server.push, Invited(2, "t1", 0, 1))
            await asyncio.to_thread(server.push, Goodbye(ErrorCode.SUPERSEDED))
            return [item async for item in link]

    invited, ended = asyncio.run(collect())
    assert invited == Invited(2, "t1", 0, 1)
    assert isinstance(ended, LinkNews)
    assert ended.kind is NewsKind.SUPERSEDED


def test_a_cancelled_receive_loses_nothing(server: FakeServer) -> None:
    async def work() -> Item:
        async with await AsyncConnection.open(server.address, name="Ann", agent=AGENT) as link:
            receiving = asyncio.create_task(link.receive())
            await asyncio.sleep(0)
            link.send(Lobby(0))
            receiving.cancel()
            return await link.receive()

    assert asyncio.run(work()) == Ok(1, 1)


def test_many_requests_at_once_each_get_their_own_answer(server: FakeServer) -> None:
    async def work() -> list[Answer]:
        async with await AsyncConnection.open(server.address, name="Ann", agent=AGENT) as link:
            return list(await asyncio.gather(*(link.request(Lobby(0)) for _ in range(30))))

    answers = asyncio.run(work())
    assert answers == [Ok(number, number) for number in range(1, 31)]


def test_the_event_loop_is_never_held_up_by_a_server_that_is_away() -> None:
    async def work() -> float:
        opening = asyncio.create_task(
            AsyncConnection.open(unused(), name="Ann", agent=AGENT, timeout_s=0.5)
        )
        longest = 0.0
        while not opening.done():
            before = time.monotonic()
            await asyncio.sleep(0.001)
            longest = max(longest, time.monotonic() - before)
        with pytest.raises(CannotReach):
            await opening
        return longest

    assert asyncio.run(work()) < 0.4
