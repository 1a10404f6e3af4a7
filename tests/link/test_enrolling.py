"""Enrolment over real sockets: a token is a key, and without it nobody is heard."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from passing_link import enrolling
from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.denials import CodeNotTaken, TakesNoCode, WrongCode
from passing_link.enrolling import enrol
from passing_link.keys import KeyPair, Security, key_bytes
from passing_link.news import CannotReach, LinkError, TurnedAway, UnknownMachine
from passing_protocol.errors import ErrorCode
from passing_protocol.handshake import Enrol, Enrolled, Role
from passing_protocol.join_codes import join_secret
from passing_protocol.messages import Agent, ClientMessage, Pong, ServerMessage
from tests.support.curve_server import CurveServer
from tests.support.fake_server import FakeServer, Polite, refused
from tests.support.tcp_proxy import TcpTap

TOKEN = "7H3GAMES"
OWN = KeyPair.new()


def join(address: Address, server_key: str) -> Enrolled:
    return enrol(address, server_key, TOKEN, OWN, "Ann", 4)


def admit(server: CurveServer, token: str = TOKEN) -> None:
    secret = join_secret(token, key_bytes(server.key))
    server.admitted.add(KeyPair.of_secret(secret).public)


@pytest.fixture
def server() -> Iterator[CurveServer]:
    with CurveServer() as server:
        admit(server)
        yield server


def failure(kind: type[LinkError], address: Address, server_key: str) -> str:
    """Return what is said of an enrolment that fails, within 5 s, without any secret."""
    began = time.monotonic()
    with pytest.raises(kind) as caught:
        join(address, server_key)
    assert time.monotonic() - began < 5
    assert TOKEN not in f"{caught.value!r}"
    assert OWN.secret not in f"{caught.value!r}"
    return str(caught.value)


def test_who_has_the_token_is_remembered_and_comes_back_with_a_key_of_his_own(
    server: CurveServer,
) -> None:
    assert join(server.address, server.key) == Enrolled(Role.PLAYER, "Ann")
    assert server.received == [Enrol((0, 0), OWN.public, "Ann")]
    server.admitted.add(OWN.public)
    security = Security(server.key, OWN)
    with Connection.open(
        server.address, name="Ann", agent=Agent("test", "1"), security=security
    ) as connection:
        assert connection.welcome.server == "fake"


def test_another_token_is_not_taken_and_says_nothing(server: CurveServer) -> None:
    server.admitted.clear()
    admit(server, "00000000")
    said = failure(CodeNotTaken, server.address, server.key)
    assert "does not take the code" in said
    assert "older than a day or replaced" in said
    assert server.received == []


def test_a_link_with_another_key_fits_no_server(server: CurveServer) -> None:
    said = failure(WrongCode, server.address, KeyPair.new().public)
    assert "does not fit the code" in said
    assert server.received == []


def test_a_server_that_encrypts_nothing_is_told_nothing() -> None:
    with FakeServer() as plain:
        said = failure(TakesNoCode, plain.address, KeyPair.new().public)
        assert "encrypts nothing, so no code is for it" in said
        assert plain.received == []


def test_no_token_and_no_name_can_be_read_on_the_way(server: CurveServer) -> None:
    with TcpTap(server.address) as tap:
        join(tap.address, server.key)
    assert server.received != []
    for text in (TOKEN, "Ann", OWN.public, "enrol"):
        assert text.encode() not in tap.seen


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        (ErrorCode.FULL, "This server remembers 1000 clients and takes no more."),
        (ErrorCode.VERSION, "This server speaks version 9 alone."),
    ],
)
def test_a_refusal_is_told_in_the_server_s_words(
    server: CurveServer, code: ErrorCode, detail: str
) -> None:
    def turn_away(_: ClientMessage) -> list[ServerMessage]:
        return [refused(code, detail)]

    server.answer = turn_away
    with pytest.raises(TurnedAway, match=detail) as turned:
        join(server.address, server.key)
    assert turned.value.code is code


class Crowded:
    """Turn away who comes before it is their turn: so many times, as a server with a crowd does."""

    def __init__(self, times: int, code: ErrorCode = ErrorCode.RATE_LIMITED) -> None:
        self._left = times
        self._code = code

    def __call__(self, message: ClientMessage) -> list[ServerMessage]:
        assert isinstance(message, Enrol)
        self._left -= 1
        return [refused(self._code)] if self._left >= 0 else [Enrolled(Role.PLAYER, message.name)]


def test_who_comes_with_a_crowd_asks_again_with_the_same_key(
    server: CurveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enrolling, "AGAIN_S", 0.01)
    server.answer = Crowded(3)
    assert join(server.address, server.key) == Enrolled(Role.PLAYER, "Ann")
    assert server.received == [Enrol((0, 0), OWN.public, "Ann")] * 4


def test_who_comes_with_a_crowd_asks_no_longer_than_it_is_told_to_wait(
    server: CurveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enrolling, "AGAIN_S", 0.2)
    server.answer = Crowded(100)
    began = time.monotonic()
    with pytest.raises(TurnedAway) as turned:
        enrol(server.address, server.key, TOKEN, OWN, "Ann", 1.5)
    assert time.monotonic() - began < 3
    assert turned.value.code is ErrorCode.RATE_LIMITED
    assert len(server.received) > 1


@pytest.mark.parametrize("code", set(ErrorCode) - {ErrorCode.RATE_LIMITED})
def test_no_other_refusal_is_asked_about_again(server: CurveServer, code: ErrorCode) -> None:
    server.answer = Crowded(1, code)
    with pytest.raises(TurnedAway):
        join(server.address, server.key)
    assert len(server.received) == 1


def test_what_is_no_answer_is_passed_over(server: CurveServer) -> None:
    polite = Polite()

    def answer(message: ClientMessage) -> list[ServerMessage]:
        return [Pong(0, 1), *polite(message)]

    server.answer = answer
    assert join(server.address, server.key).role is Role.PLAYER


def test_nobody_listening_is_said_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = Address("127.0.0.1", listener.getsockname()[1])
    said = failure(CannotReach, address, OWN.public)
    assert said == (
        f"Nobody is listening at {address}. Is that the address, and does a server run there?"
    )


def test_a_program_of_another_kind_is_said_to_be_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def hang_up() -> None:
            for _ in range(2):  # the second time it is looked at more closely
                listener.accept()[0].close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        address = Address("127.0.0.1", listener.getsockname()[1])
        assert "not a Passing Game server" in failure(CannotReach, address, OWN.public)
        thread.join()


def test_a_server_that_says_nothing_is_given_up() -> None:
    with CurveServer(answer=lambda _message: []) as server:
        admit(server)
        with pytest.raises(CannotReach, match=r"does not greet us.*Gave up after 0\.[23] s"):
            enrol(server.address, server.key, TOKEN, OWN, "Ann", 0.3)


def test_an_unknown_machine_is_said_by_its_name() -> None:
    address = Address("no-such.invalid")
    with pytest.raises(UnknownMachine, match=r"no-such\.invalid"):
        join(address, OWN.public)


def test_every_number_of_a_machine_is_tried(server: CurveServer) -> None:
    """`localhost` is often an IPv6 number first, where nobody listens here."""
    assert join(Address("localhost", server.address.port), server.key).name == "Ann"
