"""Whatever bytes come to the server's core, from whomever: it answers, and lives on."""

from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.codec import decode_server, encode
from passing_protocol.discovery import DATAGRAM_BYTES, query
from passing_protocol.messages import Ping, Pong
from passing_server.core import Server
from passing_server.signpost import Signpost
from tests.support.duel import Duel
from tests.support.lan import Lan, LanClient
from tests.support.mutations import THOROUGH, mutated
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
    newcomer = lan.client("newcomer")
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
