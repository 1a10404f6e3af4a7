"""The sockets that hear queries: where they listen, and that nothing ends them or the server."""

import io
import select
import socket
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from passing_link.address import Address
from passing_link.finding import ALL_LOOPBACK, find
from passing_link.finding import query as ask
from passing_protocol.discovery import query
from passing_server.answering import Ear, hearing
from passing_server.limits import QUERIES_AT_ONCE
from passing_server.log import Log
from tests.support.servers_found import NONCE
from tests.support.sockets import RawClient, running_server

QUERY = query(NONCE)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def asking(host: str = "127.0.0.1") -> Generator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        if family == socket.AF_INET:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        one.settimeout(5.0)
        yield one


def serve(ears: list[Ear], answer: bytes = b"here") -> list[bytes]:
    """Serve every ear that has heard something, and return what it has heard."""
    heard: list[bytes] = []

    def note(data: bytes, _source: str) -> bytes:
        heard.append(data)
        return answer

    ready, _, _ = select.select([ear.hears for ear in ears], [], [], 5.0)
    for ear in ears:
        if ear.hears in ready:
            assert ear.serve(note)
    return heard


def log() -> tuple[Log, io.StringIO]:
    stream = io.StringIO()
    return Log(stream, as_json=False), stream


# --- where it hears


@pytest.mark.parametrize(
    ("host", "at"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", ALL_LOOPBACK),
        ("127.0.0.7", "127.0.0.7"),
        ("127.0.0.7", ALL_LOOPBACK),
        ("0.0.0.0", ALL_LOOPBACK),  # noqa: S104
        ("::", "127.0.0.1"),
        ("::", "::1"),
        ("*", "::1"),
        ("::1", "::1"),
        ("localhost", "127.0.0.1"),
    ],
)
def test_a_server_is_heard_at_its_address_and_where_all_are_called(host: str, at: str) -> None:
    port = free_port()
    with hearing([host], port, log()[0]) as ears, asking(at) as one:
        one.sendto(QUERY, (at, port))
        assert serve(ears) == [QUERY]
        answer, source = one.recvfrom(600)
    assert answer == b"here"
    assert source[1] == port
    assert source[0] != ALL_LOOPBACK


def test_a_server_on_the_loopback_listens_nowhere_else() -> None:
    with hearing(["127.0.0.1"], free_port(), log()[0]) as ears:
        hosts = {ear.hears.getsockname()[0] for ear in ears}
    assert hosts == {"127.0.0.1", ALL_LOOPBACK}


def test_several_servers_on_one_port_all_hear_who_calls_everybody() -> None:
    port = free_port()
    with (
        hearing(["127.0.0.1"], port, log()[0]) as first,
        hearing(["127.0.0.2"], port, log()[0]) as second,
        asking() as one,
    ):
        one.sendto(QUERY, (ALL_LOOPBACK, port))
        assert serve(first) == serve(second) == [QUERY]
        sources = {one.recvfrom(600)[1][0] for _ in range(2)}
    assert sources == {"127.0.0.1", "127.0.0.2"}


def test_a_port_that_is_taken_is_told_and_is_no_fault() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        told, stream = log()
        with hearing(["127.0.0.1"], port, told) as ears:
            assert ears == []
    assert (
        f"by looking on 127.0.0.1 port {port} (UDP): Address already in use." in stream.getvalue()
    )


def test_a_name_that_leads_nowhere_is_no_fault() -> None:
    with hearing(["no-such-machine.invalid"], 1, log()[0]) as ears:
        assert ears == []


# --- what comes in


def test_no_more_than_so_many_are_read_at_once() -> None:
    port = free_port()
    with hearing(["127.0.0.1"], port, log()[0]) as ears, asking() as one:
        for _ in range(QUERIES_AT_ONCE + 3):
            one.sendto(QUERY, ("127.0.0.1", port))
        assert len(serve(ears)) == QUERIES_AT_ONCE
        assert len(serve(ears)) == 3


def test_who_cannot_be_answered_ends_nothing() -> None:
    """An answer that is too long for any datagram stands for all that the system refuses."""
    port = free_port()
    with hearing(["127.0.0.1"], port, log()[0]) as ears, asking() as one:
        one.sendto(QUERY, ("127.0.0.1", port))
        assert serve(ears, b"." * 70_000) == [QUERY]


# --- a server process


def test_a_server_is_found_and_survives_garbage(tmp_path: Path) -> None:
    with running_server(tmp_path, ["--name", "den"]) as server:
        address = Address.parse(server.connection.address)
        with asking() as one:
            for length in (0, 1, 511, 512, 513, 60_000):
                one.sendto(b"\x81" * length, (address.host, address.port))
        found = ask(address, 10.0)
        assert found is not None
        assert found.answer.name == "den"
        assert found.answer.people == 0
        client = RawClient(server.connection.address)
        client.hello("anna")
        (listed,) = find([address.port], 1.0)
        client.close()
    assert listed.address == address
    assert listed.answer.people == 1
    assert listed.answer.id == found.answer.id


def test_several_servers_of_one_machine_are_told_apart(tmp_path: Path) -> None:
    with (
        running_server(tmp_path / "a", ["--name", "attic"]) as attic,
        running_server(tmp_path / "b", ["--name", "barn"]) as barn,
    ):
        ports = [Address.parse(each.connection.address).port for each in (barn, attic)]
        found = find(ports, 1.0)
    assert [each.answer.name for each in found] == ["attic", "barn"]
    assert len({each.answer.id for each in found}) == 2
