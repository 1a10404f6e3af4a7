"""Nobody without a key that is known is heard by a server that encrypts, whatever they send."""

import random
import socket
from collections.abc import Iterator

import pytest

from passing_link.keys import KeyPair, Security
from passing_link.processes import ServerProcess
from passing_protocol.codec import encode
from passing_protocol.messages import Enrol, Hello, Ping, Pong
from tests.e2e.garbage import ENCRYPTED, bombard, mark_of, memory_mb, playing
from tests.support.handshakes import shake
from tests.support.hostile_bytes import AGENT, KINDS, OLD, SHAKEN, Mark, framed
from tests.support.sockets import RawClient, running_server

TRIES = 300
STRANGERS = 20
POURED = framed(b"\x07MESSAGE" + bytes(4_000), 0) * 2_000
"""8 MB of what looks like encrypted messages."""

SILENCE_S = 0.5


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("encrypted") / "state", ENCRYPTED) as process:
        yield process


@pytest.fixture(scope="module")
def mark(server: ServerProcess) -> Mark:
    return mark_of(server)


@pytest.mark.parametrize("kind", KINDS)
def test_c28_garbage_of_every_kind_ends_nothing_and_two_tables_finish(
    server: ServerProcess, mark: Mark, kind: str
) -> None:
    bombard(server, mark, kind, TRIES, seed=2)


def test_a_stranger_who_knows_the_public_key_fills_no_memory(
    server: ServerProcess, mark: Mark
) -> None:
    assert mark.server_key is not None
    with playing(server):
        before = memory_mb(server)
        for _ in range(STRANGERS):
            shake(mark.address, mark.server_key, KeyPair.new(), lambda last: last + POURED)
        assert memory_mb(server) - before < len(POURED) // 2**20
    assert server.exit_code is None


@pytest.mark.parametrize("message", [Hello((0, 0), "Eve", AGENT), Enrol((0, 0), "0" * 40, "Eve")])
def test_a_stranger_with_the_public_key_is_never_heard(
    server: ServerProcess, mark: Mark, message: Hello | Enrol
) -> None:
    assert mark.server_key is not None
    security = Security(mark.server_key, KeyPair.new())
    with RawClient(server.connection.address, security=security) as stranger:
        stranger.send(encode(message))
        assert stranger.heard(int(SILENCE_S * 1_000)) is None


@pytest.mark.parametrize("beginning", [SHAKEN, *OLD.values()], ids=["zmtp 3.0, NULL", *OLD])
def test_no_other_mechanism_and_no_old_zmtp_is_a_way_past_encryption(
    mark: Mark, beginning: bytes
) -> None:
    hello = encode(Hello((0, 0), "Eve", AGENT))
    said = framed(hello, 0) if beginning == SHAKEN else bytes([0, len(hello)]) + hello
    with socket.create_connection(mark.address, timeout=SILENCE_S) as stream:
        heard = b""
        try:
            stream.sendall(beginning + said + bytes([len(hello) + 1, 0]) + hello)
            while came := stream.recv(4_096):
                heard += came
        except OSError:
            pass
    assert b"welcome" not in heard
    assert b"refused" not in heard


def test_the_programs_of_the_machine_are_heard_after_all_that(
    server: ServerProcess, mark: Mark
) -> None:
    chance = random.Random(1)
    for attack in KINDS.values():
        attack(mark, chance)
    with RawClient(server.connection.address, security=server.connection.security) as client:
        client.hello("Ann")
        client.request(Ping(1))
        assert client.expect(Pong).re == 1
