"""Nothing that comes from the network ends the server, and nobody else notices it."""

import itertools
import secrets
import socket
from collections.abc import Iterator

import msgpack
import pytest

from passing_link.processes import ServerProcess
from passing_protocol.codec import encode
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import (
    Act,
    Create,
    Error,
    Goodbye,
    Hello,
    Join,
    Ping,
    Pong,
    Ready,
    Refused,
    Resume,
    Update,
    Welcome,
)
from passing_protocol.views import GameOptions
from passing_protocol.wire import ActionMessage
from tests.support.sockets import AGENT, RawClient, running_server

NUMBERS = itertools.count(100)
"""Request ids that are new in every session."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("state")) as process:
        yield process


def port_of(server: ServerProcess) -> int:
    return int(server.connection.address.rpartition(":")[2])


def verify_alive(server: ServerProcess) -> None:
    with RawClient(server.connection.address) as client:
        client.hello("alive")
        client.request(Ping(1))
        assert client.expect(Pong).re == 1


@pytest.mark.parametrize("count", [0, 2, 3, 50])
def test_a_message_of_other_than_one_frame_is_answered_malformed(
    server: ServerProcess, count: int
) -> None:
    with RawClient(server.connection.address) as client:
        client.hello("frames")
        client.send(*[b"x"] * count if count else [b""])
        assert client.expect(Error).code is ErrorCode.MALFORMED
        client.request(Ping(1))
        assert client.expect(Pong).re == 1


@pytest.mark.parametrize(
    "garbage",
    [
        b"GET / HTTP/1.1\r\nHost: den\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64),
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"\xff" + bytes(8) + b"\x7f\x03\x00",
        b"\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL" + bytes(48),
        bytes(range(256)) * 64,
    ],
    ids=["http", "tls", "ssh", "half-greeting", "greeting-alone", "bytes"],
)
def test_a_stream_that_is_not_zeromq_harms_nobody(server: ServerProcess, garbage: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port_of(server)), timeout=10) as stream:
        stream.sendall(garbage)
        verify_alive(server)


def test_a_frame_over_the_limit_is_cut_off(server: ServerProcess) -> None:
    with RawClient(server.connection.address) as client:
        client.hello("large")
        client.send(bytes(50_000_000))
        verify_alive(server)


def test_a_stranger_is_refused_and_not_remembered(server: ServerProcess) -> None:
    with RawClient(server.connection.address) as client:
        client.send(b"\xc0")
        assert client.expect(Refused).code is ErrorCode.MALFORMED
        client.request(Ping(1))
        assert client.expect(Refused).code is ErrorCode.NOT_ADMITTED


def test_another_version_is_refused_with_the_versions_spoken(server: ServerProcess) -> None:
    with RawClient(server.connection.address) as client:
        client.send(encode(Hello((90, 91), "future", AGENT)))
        refused = client.expect(Refused)
    assert refused.code is ErrorCode.VERSION
    assert refused.supported == (0, 0)


def test_a_wrong_token_is_refused(server: ServerProcess) -> None:
    with RawClient(server.connection.address) as client:
        client.send(encode(Hello((0, 0), "guess", AGENT, token=secrets.token_urlsafe(32))))
        assert client.expect(Refused).code is ErrorCode.BAD_CODE


def test_a_thief_with_a_players_routing_id_hears_nothing(server: ServerProcess) -> None:
    with RawClient(server.connection.address, routing_id=b"victim") as player:
        player.hello("Victim")
        with RawClient(server.connection.address, routing_id=b"victim") as thief:
            thief.send(encode(Hello((0, 0), "Thief", AGENT)))
            player.request(Create(1, "kitchen", GameOptions(seats=2)))
            assert player.expect(Update).re == 1
            assert thief.heard(200) is None


def test_a_killed_client_is_back_with_its_token_and_a_new_routing_id(
    server: ServerProcess,
) -> None:
    with RawClient(server.connection.address) as first:
        welcome = first.hello("Dana")
        first.request(Create(1, "kitchen", GameOptions(seats=2)))
        table = first.expect(Update).table
        with RawClient(server.connection.address) as second:
            again = second.resume("Dana", welcome)
            assert again.resumed
            assert again.session == welcome.session
            assert again.resume_token != welcome.resume_token
            assert second.expect(Update).table == table
            assert first.expect(Goodbye).code is ErrorCode.SUPERSEDED
            first.request(Ping(2))
            assert first.expect(Refused).code is ErrorCode.NOT_ADMITTED


def test_a_guessed_token_gives_no_seat(server: ServerProcess) -> None:
    with RawClient(server.connection.address) as client:
        resume = Resume(secrets.token_hex(32), 0, 0)
        client.send(encode(Hello((0, 0), "Guess", AGENT, resume=resume)))
        welcome = client.expect(Welcome)
    assert not welcome.resumed


def flood_of_garbage() -> list[bytes]:
    return [
        b"\xc0",
        b"\x01",
        b"\x90",
        b"",
        msgpack.packb({"type": "ping", "id": 1}) + b"\x00",
        b"\x91" * 4_000,
        b"\xc7\x02\x05ab",
        b"\xd6\xff\x00\x00\x00\x00",
        b"\x81\xa4type\xa2\xff\xfe",
        msgpack.packb({"type": "ping", "id": float("nan")}),
        msgpack.packb({1: 2}),
        b"\x82\xa4type\xa4ping\xa4type\xa4ping",
        msgpack.packb({"type": "ping", "id": True}),
        msgpack.packb({"type": "teleport", "id": 7}),
    ]


def test_two_tables_play_on_while_another_client_sends_garbage(server: ServerProcess) -> None:
    address = server.connection.address
    with RawClient(address) as vandal, RawClient(address) as ann, RawClient(address) as bo:
        vandal.hello("Vandal")
        ann.hello("Ann")
        bo.hello("Bo")
        tables: list[str] = []
        for number in (1, 2):
            ann.request(Create(number, f"table {number}", GameOptions(seats=2, max_rounds=1)))
            tables.append(ann.expect_answer(number).table)
        players = {0: ann, 1: bo}
        for table in tables:
            joining = next(NUMBERS)
            bo.request(Join(joining, table))
            bo.expect_answer(joining)
            play_by_passing(table, players, vandal)
        vandal.request(Ping(99))
        answers = 0
        while not isinstance(message := vandal.heard(10_000), Pong):
            assert message is not None
            answers += 1
        assert answers == 2 * len(flood_of_garbage())


def play_by_passing(table: str, players: dict[int, RawClient], vandal: RawClient) -> None:
    """Play one round of two seats that only pass, with garbage in between."""
    for player in players.values():
        player.request(Ready(next(NUMBERS), table))
    garbage = flood_of_garbage()
    asked: Update | None = None
    for player in players.values():
        update = player.expect(Update)
        while not any(type(event).__name__ == "RoundBegan" for event in update.events):
            update = player.expect(Update)
        if update.ask is not None:
            asked = update
    assert asked is not None
    assert asked.mine is not None
    on_turn = asked.mine.seat
    for step in range(2):
        for frame in garbage[step::2]:
            vandal.send(frame)
        ask = asked.ask if step == 0 else players[on_turn].expect_turn().ask
        assert ask is not None
        act = Act(next(NUMBERS), table, ask.turn, ActionMessage(pass_=True))
        players[on_turn].request(act)
        on_turn = 1 - on_turn


def test_the_servers_log_holds_no_token(server: ServerProcess) -> None:
    log = server.connection_path.parent / "server.log"
    text = log.read_text(encoding="utf-8")
    for token in server.connection.tokens.values():
        assert token not in text
