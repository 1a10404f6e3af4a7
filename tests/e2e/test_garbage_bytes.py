"""No bytes at its port end the server, whoever they come from, and two matches there go on."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from passing_link.processes import ServerProcess
from tests.e2e.garbage import PLAIN, bombard, mark_of, memory_mb, playing
from tests.support.hostile_bytes import BEGINNINGS, KINDS, PAYLOADS, Mark, throw
from tests.support.sockets import running_server

TRIES = 300
MANY = 3_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("garbage") / "state", PLAIN) as process:
        yield process


@pytest.fixture(scope="module")
def mark(server: ServerProcess) -> Mark:
    return mark_of(server)


def test_five_bytes_of_zmtp_1_end_nothing(tmp_path: Path) -> None:
    with running_server(tmp_path / "state") as server:
        with playing(server):
            throw(mark_of(server).address, b"\x01\x00\x02\x00x")
        assert server.exit_code is None


@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS.keys())
def test_every_version_of_zmtp_with_every_payload_ends_nothing(
    server: ServerProcess, mark: Mark, beginning: bytes
) -> None:
    with playing(server):
        for payload in PAYLOADS.values():
            throw(mark.address, beginning + payload, how=2)
    assert server.exit_code is None


@pytest.mark.parametrize("kind", KINDS)
def test_c28_garbage_of_every_kind_ends_nothing_and_two_tables_finish(
    server: ServerProcess, mark: Mark, kind: str
) -> None:
    bombard(server, mark, kind, TRIES, seed=1)


def test_c28_who_is_taken_for_an_old_peer_leaves_no_memory_behind(
    server: ServerProcess, mark: Mark
) -> None:
    """What begins like HTTP has a routing id to ZeroMQ, and always the same."""
    chance = random.Random(1)
    before = memory_mb(server)
    for _ in range(MANY):
        KINDS["HTTP"](mark, chance)
    assert memory_mb(server) - before < MANY // 500  # 2 KiB for each are more than a little
