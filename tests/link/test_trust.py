"""Encrypted connections over real sockets: who proves what, and what is said when one does not."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from passing_link.address import Address
from passing_link.aio import AsyncConnection
from passing_link.blocking import Connection
from passing_link.denials import AccessDenied, CodeNeeded, KeyChanged, NotAdmitted, NotEncrypted
from passing_link.keys import KeyPair, Security
from passing_link.news import CannotReach, LinkEnded, LinkError, LinkNews, NewsKind, TurnedAway
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Agent, ClientMessage, Hello, Lobby, Ok, ServerMessage
from tests.support.curve_server import Answerer, CurveServer
from tests.support.fake_server import FakeServer, refused
from tests.support.tcp_proxy import TcpTap

AGENT = Agent("test", "1")
OWN = KeyPair.new()
PROMPT_S = 5.0
"""Within that time it is said what is wrong, also where a datagram is waited for in vain."""

Try = Callable[[Address, Security | None], None]


def try_blocking(address: Address, security: Security | None) -> None:
    with Connection.open(address, name="Ann", agent=AGENT, security=security):
        pass


def try_awaited(address: Address, security: Security | None) -> None:
    async def connect() -> None:
        async with await AsyncConnection.open(address, name="Ann", agent=AGENT, security=security):
            pass

    asyncio.run(connect())


@pytest.fixture(params=[try_blocking, try_awaited], ids=["blocking", "asyncio"])
def attempt(request: pytest.FixtureRequest) -> Try:
    """Return what connects, and leaves, in one of the two ways."""
    chosen: Try = request.param
    return chosen


@pytest.fixture
def server() -> Iterator[CurveServer]:
    with CurveServer({OWN.public}) as server:
        yield server


def pinned(server: CurveServer) -> Security:
    return Security(server.key, OWN)


def denial(
    attempt: Try, address: Address, security: Security | None, kind: type[LinkError]
) -> LinkError:
    """Return the error of an attempt, which comes at once and shows no secret."""
    began = time.monotonic()
    with pytest.raises(kind) as caught:
        attempt(address, security)
    assert time.monotonic() - began < PROMPT_S
    assert str(address) in str(caught.value)
    assert OWN.secret not in f"{caught.value!r} {caught.value}"
    return caught.value


def test_who_has_the_server_s_key_and_is_admitted_is_welcomed(
    attempt: Try, server: CurveServer
) -> None:
    attempt(server.address, pinned(server))
    assert isinstance(server.received[0], Hello)


def test_nothing_readable_goes_over_an_encrypted_connection(
    attempt: Try, server: CurveServer
) -> None:
    with TcpTap(server.address) as tap:
        attempt(tap.address, pinned(server))
    assert len(tap.seen) > 1_000
    for text in (b"Ann", b"hello", b"protocol", OWN.secret.encode(), OWN.public.encode()):
        assert text not in tap.seen


def test_nothing_but_the_handshake_is_sent_to_a_server_with_another_key(
    attempt: Try, server: CurveServer
) -> None:
    security = Security(KeyPair.new().public, OWN)
    with TcpTap(server.address) as tap, Answerer(tap.address, server.key):
        denial(attempt, tap.address, security, KeyChanged)
    assert server.received == []
    assert b"Ann" not in tap.seen


def test_a_server_that_wants_encryption_wants_a_code(attempt: Try, server: CurveServer) -> None:
    error = denial(attempt, server.address, None, CodeNeeded)
    assert "--code" in str(error)
    assert server.received == []


def test_a_server_that_encrypts_nothing_is_never_spoken_to_where_a_key_is_known(
    attempt: Try,
) -> None:
    with FakeServer() as plain:
        security = Security(KeyPair.new().public, OWN)
        error = denial(attempt, plain.address, security, NotEncrypted)
        assert plain.received == []
    assert "has not been told anything" in str(error)


def test_a_client_that_is_not_admitted_is_told_to_ask_for_a_code(
    attempt: Try, server: CurveServer
) -> None:
    server.admitted.clear()
    error = denial(attempt, server.address, pinned(server), NotAdmitted)
    assert "--code" in str(error)
    assert server.received == []


def test_another_key_is_a_hard_stop(attempt: Try, server: CurveServer) -> None:
    security = Security(KeyPair.new().public, OWN)
    with Answerer(server.address, server.key):
        denial(attempt, server.address, security, KeyChanged)


def test_a_server_that_says_it_has_no_key_and_hangs_up_encrypts_nothing(
    attempt: Try, server: CurveServer
) -> None:
    security = Security(KeyPair.new().public, OWN)
    with Answerer(server.address, None):
        denial(attempt, server.address, security, NotEncrypted)


def test_a_server_that_hangs_up_and_tells_no_other_key_is_given_up(
    attempt: Try, server: CurveServer
) -> None:
    """It may be that it has another: nobody tells."""
    error = denial(attempt, server.address, Security(KeyPair.new().public, OWN), CannotReach)
    assert "not as the server whose key is known here" in str(error)
    assert server.received == []


def test_a_server_that_hangs_up_and_tells_the_key_that_is_known_is_given_up(
    attempt: Try, server: CurveServer
) -> None:
    known = KeyPair.new().public
    with Answerer(server.address, known):
        denial(attempt, server.address, Security(known, OWN), CannotReach)


@pytest.mark.parametrize("security", [None, Security(KeyPair.new().public, OWN)])
def test_a_program_of_another_kind_is_said_to_be_one(
    attempt: Try, security: Security | None
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def hang_up() -> None:
            with suppress(OSError):
                while True:
                    listener.accept()[0].close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        address = Address("127.0.0.1", listener.getsockname()[1])
        error = denial(attempt, address, security, CannotReach)
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
    said = "is not a Passing Game server" if security is None else "it is another program"
    assert said in str(error)


def test_a_version_that_is_not_shared_and_a_limit_are_told_in_the_server_s_words(
    attempt: Try,
) -> None:
    for code, detail in (
        (ErrorCode.VERSION, "This server speaks version 9 alone."),
        (ErrorCode.FULL, "This server is at its limit of 1000 sessions."),
    ):

        def turn_away(
            _: ClientMessage, code: ErrorCode = code, detail: str = detail
        ) -> list[ServerMessage]:
            return [refused(code, detail)]

        with CurveServer({OWN.public}, turn_away) as server:
            with pytest.raises(TurnedAway, match=detail) as turned:
                attempt(server.address, pinned(server))
            assert turned.value.code is code


# --- a connection that stood ------------------------------------------------------------------


def last_news(connection: Connection) -> LinkNews:
    """Receive until the link has ended."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            connection.receive(0.5)
        except LinkEnded as ended:
            return ended.news
    raise AssertionError("the link has not ended")


def test_a_server_that_comes_back_with_its_key_is_gone_on_with(server: CurveServer) -> None:
    with Connection.open(
        server.address, name="Ann", agent=AGENT, security=pinned(server)
    ) as connection:
        server.comes_back(server.keys)
        news = [connection.receive(5), connection.receive(5)]
        kinds = [item.kind for item in news if isinstance(item, LinkNews)]
        assert kinds == [NewsKind.LOST, NewsKind.BACK]
        assert isinstance(connection.request(Lobby(0)), Ok)


@pytest.mark.parametrize(
    ("keys", "kind"), [(KeyPair.new(), KeyChanged), (None, NotEncrypted)], ids=["other", "none"]
)
def test_a_server_that_comes_back_with_another_key_or_none_ends_the_link(
    server: CurveServer, keys: KeyPair | None, kind: type[AccessDenied]
) -> None:
    with Connection.open(
        server.address, name="Ann", agent=AGENT, security=pinned(server)
    ) as connection:
        key = None if keys is None else keys.public
        with Answerer(server.address, key):
            server.received.clear()
            server.comes_back(keys)
            assert last_news(connection) == LinkNews(
                NewsKind.REFUSED, str(kind(str(server.address))), kind.code
            )
    assert server.received == []


def test_a_client_that_is_revoked_while_it_is_connected_is_told(server: CurveServer) -> None:
    with Connection.open(
        server.address, name="Ann", agent=AGENT, security=pinned(server)
    ) as connection:
        server.admitted.clear()
        server.comes_back(server.keys)
        assert last_news(connection).code is ErrorCode.NOT_ADMITTED


def test_a_server_that_begins_to_encrypt_ends_the_link(server: CurveServer) -> None:
    keys = server.keys
    server.comes_back(None)
    with Connection.open(server.address, name="Ann", agent=AGENT) as connection:
        server.received.clear()
        server.comes_back(keys)
        assert last_news(connection).sentence == str(CodeNeeded(str(server.address)))
    assert server.received == []
