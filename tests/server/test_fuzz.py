"""Whatever bytes come to the server's core, from whomever: it answers, and lives on."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_link.keys import KeyPair
from passing_protocol.codec import decode_server, encode
from passing_protocol.discovery import DATAGRAM_BYTES, query
from passing_protocol.messages import Ping, Pong
from passing_server.access_file import NAME, AccessFile
from passing_server.core import Server
from passing_server.guests import KeptClient, KeptCode, KeptGuests
from passing_server.signpost import Signpost
from passing_server.storing import StoreFailed
from tests.support.duel import Duel
from tests.support.lan import Lan, LanClient
from tests.support.mutations import THOROUGH, mutated, outcome
from tests.support.protocol.access_samples import ANN_KEY
from tests.support.protocol.bad_frames import BAD_FRAMES
from tests.support.protocol.discovery_vectors import NO_QUERIES, NONCE, SERVER_ID
from tests.support.protocol.samples import CLIENT

FRAMES = [*map(encode, CLIENT.values()), *(bad.data for bad in BAD_FRAMES)]
STRANGER = b"stranger"


def receive(lan: Lan, peer: bytes, data: bytes) -> None:
    """Hand one frame to the server; everything that it causes can be read by whom it is for."""
    lan.server.receive(lan.now, peer, data)
    for frame in lan.server.flush(lan.now):
        assert decode_server(frame.data)


def verify_alive(lan: Lan) -> None:
    newcomer = lan.client("newcomer", "admin")  # one of theirs may have let the server drain
    assert isinstance(newcomer.ask(Ping(0)), Pong)


@THOROUGH
@given(st.lists(st.tuples(st.integers(0, 4), mutated(FRAMES)), max_size=6))
def test_any_messages_from_anybody_leave_the_server_alive(
    sent: list[tuple[int, bytes]],
) -> None:
    lan = Lan()
    duel = Duel(lan)
    admin = lan.client("root", "admin")
    engine = lan.client("greedy", "bot")
    watchers: list[LanClient] = [duel.anna, duel.bob, admin, engine]
    peers = [STRANGER, *(client.peer for client in watchers)]
    for place, data in sent:
        receive(lan, peers[place], data)
        lan.now += 10
    verify_alive(lan)


def signpost(server: Server) -> Signpost:
    return Signpost(server, SERVER_ID, 28_066, None)


@THOROUGH
@given(mutated([query(NONCE), *NO_QUERIES.values()]), st.sampled_from(["127.0.0.1", "", "fe80::1"]))
def test_any_datagram_is_answered_with_no_more_than_it_had_or_not_at_all(
    data: bytes, source: str
) -> None:
    lan = Lan()
    answered = signpost(lan.server).answer(lan.now, data, source)
    if answered is not None:
        assert len(data) == DATAGRAM_BYTES
        assert len(answered) <= len(data)


KEPT = AccessFile(
    Path(),
    KeyPair.of_secret(bytes(range(32))),
    KeyPair.of_secret(bytes(range(1, 33))),
    KeptGuests({"player": KeptCode("7H3GAMES", 9)}, {ANN_KEY: KeptClient("Ann", "player", 20_787)}),
)


def kept_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        kept = AccessFile(Path(folder) / NAME, KEPT.server, KEPT.local, KEPT.guests)
        kept.keep(kept.guests)
        return (Path(folder) / NAME).read_bytes()


def opened(data: bytes) -> AccessFile:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / NAME).write_bytes(data)
        return AccessFile.open(Path(folder))


@THOROUGH
@given(mutated([kept_file(), b"", b"{}", b"null"]))
def test_the_file_of_keys_is_whole_or_damaged_and_never_replaced(data: bytes) -> None:
    found, error = outcome(opened, StoreFailed, data)
    if error is None:
        assert found is not None
        assert found.server.secret != found.local.secret
    else:
        assert NAME in str(error)
        assert KEPT.server.secret not in str(error)


def test_a_file_of_keys_that_is_nested_without_end_is_damaged_like_any_other() -> None:
    with pytest.raises(StoreFailed, match="damaged"):
        opened(b'{"x":' + b"[" * 100_000)
