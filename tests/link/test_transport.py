"""What the monitor of a real socket shows, for every kind of thing that may listen at a port."""

import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest
import zmq

from passing_link.transport import LINGER_MS, NEVER_MS, Sign, Transport, sign_of
from passing_protocol.limits import SERVER_FRAME_LIMIT

Socket = zmq.Socket[bytes]


@contextmanager
def transport_to(endpoint: str) -> Generator[Transport, None, None]:
    transport = Transport(endpoint)
    try:
        yield transport
    finally:
        transport.close()


@contextmanager
def zmq_peer(
    kind: int,
    prepare: Callable[[Socket], None] | None = None,
    endpoint: str = "tcp://127.0.0.1:*",
) -> Generator[Socket, None, None]:
    peer = zmq.Context[Socket].instance().socket(kind)
    peer.set(zmq.LINGER, 0)
    if prepare is not None:
        prepare(peer)
    peer.bind(endpoint)
    try:
        yield peer
    finally:
        peer.close()


def endpoint_of(peer: Socket) -> str:
    return peer.get_string(zmq.LAST_ENDPOINT)


def signs_until(transport: Transport, last: Sign) -> list[Sign]:
    signs: list[Sign] = []
    while last not in signs:
        assert transport.monitor.poll(8_000), signs
        signs += transport.signs()
    return signs


@contextmanager
def tcp_peer(banner: bytes) -> Generator[str, None, None]:
    """Listen as another kind of program would: say something, then hang up."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def greet() -> None:
            taken, _ = listener.accept()
            with taken:
                taken.sendall(banner)
                taken.recv(64)

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        thread.join(5)


def free_endpoint() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"tcp://127.0.0.1:{listener.getsockname()[1]}"


def test_nobody_listening_closes_without_having_been_reached() -> None:
    with transport_to(free_endpoint()) as transport:
        assert signs_until(transport, Sign.CLOSED) == [Sign.CLOSED]


def test_a_router_is_reached_and_agrees() -> None:
    with zmq_peer(zmq.ROUTER) as peer, transport_to(endpoint_of(peer)) as transport:
        assert signs_until(transport, Sign.AGREED) == [Sign.REACHED, Sign.AGREED]


def test_a_peer_that_goes_away_closes() -> None:
    with zmq_peer(zmq.ROUTER) as peer, transport_to(endpoint_of(peer)) as transport:
        signs_until(transport, Sign.AGREED)
        peer.close()
        assert signs_until(transport, Sign.CLOSED) == [Sign.CLOSED]


def test_a_server_that_encrypts_is_told_apart() -> None:
    def encrypt(peer: Socket) -> None:
        _, secret = zmq.curve_keypair()
        peer.set(zmq.CURVE_SERVER, 1)
        peer.set(zmq.CURVE_SECRETKEY, secret)

    with zmq_peer(zmq.ROUTER, encrypt) as peer, transport_to(endpoint_of(peer)) as transport:
        assert Sign.OTHER_SECURITY in signs_until(transport, Sign.CLOSED)


def test_a_zeromq_program_of_another_kind_hangs_up() -> None:
    with zmq_peer(zmq.PUB) as peer, transport_to(endpoint_of(peer)) as transport:
        assert Sign.AGREED not in signs_until(transport, Sign.CLOSED)


@pytest.mark.parametrize("banner", [b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.0 400 No\r\n\r\n"])
def test_another_program_never_agrees(banner: bytes) -> None:
    with tcp_peer(banner) as endpoint, transport_to(endpoint) as transport:
        signs = signs_until(transport, Sign.CLOSED)
        assert signs[0] is Sign.REACHED
        assert Sign.AGREED not in signs


def test_every_sign_has_its_event() -> None:
    assert sign_of(zmq.Event.HANDSHAKE_FAILED_AUTH, 0) is Sign.NOT_LET_IN
    assert sign_of(zmq.Event.HANDSHAKE_FAILED_NO_DETAIL, 0) is Sign.NOT_ZMTP
    assert sign_of(zmq.Event.HANDSHAKE_FAILED_PROTOCOL, 0) is Sign.NOT_ZMTP
    mismatch = zmq.PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH
    assert sign_of(zmq.Event.HANDSHAKE_FAILED_PROTOCOL, mismatch) is Sign.OTHER_SECURITY


def test_nothing_waits_for_who_listens_there_next() -> None:
    with zmq_peer(zmq.ROUTER) as peer:
        endpoint = endpoint_of(peer)
        transport = Transport(endpoint)
        signs_until(transport, Sign.AGREED)
    signs_until(transport, Sign.CLOSED)
    transport.send(b"stale move")
    with zmq_peer(zmq.ROUTER, endpoint=endpoint) as peer:
        transport.close()
        assert not peer.poll(LINGER_MS + 200)


def test_what_came_before_the_connection_broke_can_still_be_read() -> None:
    with zmq_peer(zmq.ROUTER) as peer, transport_to(endpoint_of(peer)) as transport:
        signs_until(transport, Sign.AGREED)
        assert transport.send(b"hello")
        routing_id, _ = peer.recv_multipart()
        peer.set(zmq.LINGER, 1_000)
        for answer in (b"answer", b"goodbye"):
            peer.send_multipart([routing_id, answer])
        peer.close()
        signs_until(transport, Sign.CLOSED)
        assert transport.frames() == [b"answer", b"goodbye"]


def test_frames_go_both_ways_and_one_that_is_no_message_is_left_out() -> None:
    with zmq_peer(zmq.ROUTER) as peer, transport_to(endpoint_of(peer)) as transport:
        signs_until(transport, Sign.AGREED)
        assert transport.send(b"hello")
        routing_id, data = peer.recv_multipart()
        assert data == b"hello"
        for parts in ([b"one", b"two"], [b"three"]):
            peer.send_multipart([routing_id, *parts])
        frames: list[bytes] = []
        while not frames:
            assert transport.socket.poll(5_000)
            frames = transport.frames()
        assert frames == [b"three"]


def test_no_routing_id_of_our_own_is_sent() -> None:
    with zmq_peer(zmq.ROUTER) as peer, transport_to(endpoint_of(peer)) as transport:
        signs_until(transport, Sign.AGREED)
        assert transport.send(b"hello")
        routing_id, _ = peer.recv_multipart()
        assert routing_id[:1] == b"\x00"  # made by the server's socket
        assert transport.socket.get(zmq.ROUTING_ID) == b""


def test_a_frame_over_the_limit_cuts_the_connection() -> None:
    with zmq_peer(zmq.ROUTER) as peer, transport_to(endpoint_of(peer)) as transport:
        signs_until(transport, Sign.AGREED)
        assert transport.send(b"hello")
        routing_id, _ = peer.recv_multipart()
        peer.send_multipart([routing_id, bytes(SERVER_FRAME_LIMIT)])
        peer.send_multipart([routing_id, bytes(SERVER_FRAME_LIMIT + 1)])
        assert Sign.CLOSED in signs_until(transport, Sign.CLOSED)
        assert [len(frame) for frame in transport.frames()] in ([], [SERVER_FRAME_LIMIT])


def test_the_settings_that_matter_are_made() -> None:
    with transport_to(free_endpoint()) as transport:
        made = {
            name: transport.socket.get(getattr(zmq, name))
            for name in (
                "IMMEDIATE", "IPV6", "MAXMSGSIZE", "LINGER", "HEARTBEAT_IVL",
                "HEARTBEAT_TIMEOUT", "HEARTBEAT_TTL", "HANDSHAKE_IVL", "RECONNECT_IVL",
            )
        }  # fmt: skip
    assert made == {
        "IMMEDIATE": 0,
        "IPV6": 1,
        "MAXMSGSIZE": 65_536,
        "LINGER": LINGER_MS,
        "HEARTBEAT_IVL": 2_000,
        "HEARTBEAT_TIMEOUT": 6_000,
        "HEARTBEAT_TTL": 6_000,
        "HANDSHAKE_IVL": 3_000,
        "RECONNECT_IVL": NEVER_MS,
    }
