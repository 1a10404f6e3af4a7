"""No bytes at its port end the server, whoever they come from, and a match there goes on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from passing_link.processes import ServerProcess
from tests.e2e.garbage import BEGINNINGS, PAYLOADS, bombard, playing, throw
from tests.support.sockets import running_server

TRIES = 300


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("garbage") / "state") as process:
        yield process


def test_five_bytes_of_zmtp_1_end_nothing(tmp_path: Path) -> None:
    with running_server(tmp_path / "state") as server, playing(server) as pair:
        throw(server, b"\x01\x00\x02\x00x")
        pair.play_round()
        assert server.exit_code is None


@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS.keys())
def test_every_version_of_zmtp_with_every_payload_ends_nothing(
    server: ServerProcess, beginning: bytes
) -> None:
    with playing(server) as pair:
        for payload in PAYLOADS.values():
            throw(server, beginning + payload, how=2)
        pair.play_round()
    assert server.exit_code is None


def test_any_bytes_end_nothing(server: ServerProcess) -> None:
    bombard(server, TRIES, seed=1)
