"""`passing doctor` looks for a server where it was before, as whoever plays there does."""

from collections.abc import Iterator

import pytest

from passing_client.command import main
from passing_link.address import Address
from passing_link.exits import ExitCode
from passing_link.keys import KeyPair, Security
from passing_link.known_servers import KnownServers, client_folder
from passing_protocol.handshake import Role
from tests.support.curve_server import Answerer, CurveServer

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def hardly_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passing_link.places.PLACE_S", 0.5)


@pytest.fixture
def server() -> Iterator[CurveServer]:
    """Be a server that this person has joined."""
    own = KeyPair.new()
    with CurveServer({own.public}) as server:
        known = KnownServers(client_folder())
        known.remember(server.address, Security(server.key, own), Role.PLAYER)
        yield server


def test_a_server_that_is_not_where_an_answer_leads_is_found_where_it_was(
    server: CurveServer, capsys: Captured
) -> None:
    there = Address("127.0.0.9", server.address.port)
    with Answerer(there, server.key):
        assert main(["doctor", str(there)]) == ExitCode.DONE
    greeted, keys = capsys.readouterr().out.splitlines()[-2:]
    assert greeted.startswith("fine  server ")
    assert f"fake answers at {server.address} in" in greeted
    assert keys.startswith("fine  keys ")
    (entry,) = KnownServers(client_folder()).all()
    assert entry.addresses == (str(server.address),)  # nothing was proved there


def test_one_who_poses_as_it_is_passed_by_and_told_nothing(
    server: CurveServer, capsys: Captured
) -> None:
    with CurveServer() as other, Answerer(other.address, server.key):
        assert main(["doctor", str(other.address)]) == ExitCode.DONE
        assert other.received == []
    assert f"answers at {server.address} in" in capsys.readouterr().out


def test_a_server_that_is_at_none_of_its_addresses_is_not_reached(
    server: CurveServer, capsys: Captured
) -> None:
    there = Address("127.0.0.9", server.address.port)
    server.cut()
    with Answerer(there, server.key):
        assert main(["doctor", str(there)]) == ExitCode.UNREACHABLE
    assert f"bad   server     Nobody is listening at {there}" in capsys.readouterr().out
