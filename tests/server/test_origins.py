"""What each connection of the server's socket has sent and taken, over real connections."""

import select
import socket as sockets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import zmq

from passing_link.keys import KeyPair
from passing_server import origins
from passing_server.limits import LOOK_MS, UNFINISHED_BYTES, UNREAD_BYTES, UNTAKEN_BYTES
from passing_server.loop import is_own, listening, news_of
from passing_server.origins import CURVE_BYTES, HEADER_BYTES, News, Origins, counted
from tests.support.hostile_bytes import GREETING, OLD, READY, SHAKEN, await_ready, framed

PATIENCE_MS = 5_000
PART = framed(bytes(4_000), 1)


class Bench:
    """Hold a listening socket, its origins, and raw connections to it."""

    def __init__(
        self, stack: ExitStack, server: KeyPair | None = None, local_key: str | None = None
    ) -> None:
        self._stack = stack
        self._server = server
        secret = server.secret if server is not None else None
        listens = stack.enter_context(listening("127.0.0.1", 0, secret))
        self.gate = listens.gate
        self.router, self.port = listens.socket, listens.port
        self._monitor = self.router.get_monitor_socket()
        self.origins = Origins(lambda: news_of(self._monitor), local_key)
        self.now = 0
        self._silence = tuple(stack.enter_context(end) for end in sockets.socketpair())

    def connect(self, shaken: bytes = SHAKEN) -> sockets.socket:
        """Return a connection of ZMTP 3 that the origins know of."""
        stream = sockets.socket()
        stream.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4_096)
        stream.settimeout(PATIENCE_MS / 1_000)
        stream.connect(("127.0.0.1", self.port))
        stream.sendall(shaken)
        self.decide()
        # Whoever sends messages before the other end is ready is dropped by ZeroMQ now and then.
        await_ready(stream)
        return self._stack.enter_context(stream)

    def keep(self, socket: "zmq.Socket[bytes]") -> "zmq.Socket[bytes]":
        """Close a socket at the end."""
        return self._stack.enter_context(socket)

    def look_for_news(self) -> bool:
        """Take note of what has come or gone, and tell whether anything has."""
        is_there = bool(self._monitor.poll(0))
        self.origins.note_news()
        return is_there

    def dealer(self, own: KeyPair) -> "zmq.Socket[bytes]":
        """Return a socket that shakes hands with a key of its own, and is let in."""
        assert self._server is not None
        context = self._stack.enter_context(zmq.Context[zmq.Socket[bytes]]())
        dealer = self._stack.enter_context(context.socket(zmq.DEALER))
        dealer.setsockopt(zmq.LINGER, 0)
        dealer.setsockopt(zmq.SNDHWM, 0)
        dealer.curve_serverkey = self._server.public.encode()
        dealer.curve_publickey = own.public.encode()
        dealer.curve_secretkey = own.secret.encode()
        dealer.connect(f"tcp://127.0.0.1:{self.port}")
        self.decide()
        return dealer

    def decide(self) -> None:
        """Decide on one who shakes hands."""
        assert self.gate.socket.poll(PATIENCE_MS)
        assert self.gate.hear()
        self.gate.answer(self.origins.let_in())

    def read(self) -> bytes:
        """Read one message, and return whose it is."""
        assert self.router.poll(PATIENCE_MS)
        peer = self.router.recv()
        frame = self.router.recv(copy=False)
        assert not frame.more
        encrypted = self._server is not None
        assert is_own(self.origins, peer, frame)
        self.origins.has_read(peer, len(frame) + HEADER_BYTES + encrypted * CURVE_BYTES)
        return peer

    def look(self, *, all_read: bool = True) -> int:
        """Cut who is too far ahead, as if it were time for that."""
        self.now += LOOK_MS
        return self.origins.cut_endless(self.now, all_read=all_read)

    def until(self, happened: Callable[[], bool]) -> bool:
        """Tell whether something happens within the time that bytes may take."""
        for _ in range(PATIENCE_MS // 2):
            if happened():
                return True
            select.select(self._silence[:1], [], [], 0.01)
        return False


@pytest.fixture
def bench() -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench(stack)


def is_closed(stream: sockets.socket) -> bool:
    """Read what there is, and tell whether the other end has closed the connection then."""
    try:
        while stream.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def test_a_message_of_parts_without_end_is_cut(bench: Bench) -> None:
    stream = bench.connect()
    stream.sendall(PART * (UNFINISHED_BYTES // len(PART) + 1))
    assert bench.until(lambda: bench.look() == 1)
    assert is_closed(stream)
    assert bench.look() == 0


def test_parts_that_still_may_become_a_message_are_waited_for(bench: Bench) -> None:
    stream = bench.connect()
    stream.sendall(PART * 3)
    assert [bench.look() for _ in range(3)] == [0, 0, 0]


def test_who_sends_whole_messages_may_send_any_number_of_them(bench: Bench) -> None:
    stream = bench.connect()
    for _ in range(UNFINISHED_BYTES // 4_000 + 5):
        stream.sendall(framed(bytes(4_000), 0))
        bench.read()
        assert bench.look() == 0


def test_more_may_wait_while_the_server_is_behind(bench: Bench) -> None:
    stream = bench.connect()
    stream.sendall(framed(bytes(4_000), 0) * (UNFINISHED_BYTES // 4_000 + 5))
    for _ in range(5):
        bench.read()
        assert bench.look(all_read=False) == 0


def test_who_sends_on_while_the_server_is_behind_is_cut_all_the_same(bench: Bench) -> None:
    stream = bench.connect()
    data = framed(bytes(4_000), 0) * 20
    for _ in range(UNREAD_BYTES // len(data) + 1):
        stream.sendall(data)
    assert bench.until(lambda: bench.look(all_read=False) == 1)
    assert is_closed(stream)


def test_it_is_looked_no_more_often_than_that(bench: Bench) -> None:
    assert bench.origins.wait(0, 1_000) == 1_000
    bench.connect()
    bench.look()
    assert bench.origins.wait(bench.now, 1_000) == LOOK_MS
    assert bench.origins.wait(bench.now + LOOK_MS - 1, 1_000) == 1
    assert bench.origins.wait(bench.now + LOOK_MS, 1_000) == 0


def test_a_connection_that_has_gone_is_not_looked_at(bench: Bench) -> None:
    bench.connect().close()
    bench.look()
    gone = bench.origins.wait(bench.now, 1_000)

    def is_forgotten() -> bool:
        bench.origins.note_news()
        return bench.origins.wait(bench.now, 1_000) == 1_000

    assert gone == 1_000 or bench.until(is_forgotten)


def test_who_takes_nothing_is_sent_no_more_until_it_does(bench: Bench) -> None:
    stream = bench.connect()
    stream.sendall(framed(b"hello", 0))
    peer = bench.read()
    frame = bytes(60_000)
    sent = 0
    while bench.origins.takes_more(peer):
        bench.router.send_multipart([peer, frame], zmq.NOBLOCK)
        bench.origins.was_sent(peer, len(frame))
        sent += 1
        assert sent < 100
    assert not bench.origins.takes_more(peer)
    received = 0
    while received < UNTAKEN_BYTES:
        received += len(stream.recv(65_536))
    assert bench.until(lambda: bench.origins.takes_more(peer))


@pytest.mark.parametrize("beginning", OLD.values(), ids=OLD)
def test_zmtp_before_version_3_is_not_taken(bench: Bench, beginning: bytes) -> None:
    stream = bench.connect()
    with sockets.create_connection(stream.getpeername(), PATIENCE_MS / 1_000) as other:
        other.sendall(beginning + framed(b"x", 0))
        with suppress(ConnectionResetError):
            while other.recv(100):
                pass
    assert not bench.router.poll(0)


def test_who_claims_the_routing_id_of_one_who_is_gone_is_neither_heard_nor_told(
    bench: Bench,
) -> None:
    """Also on the same descriptor, which is the next to be given out."""
    stream = bench.connect()
    stream.sendall(framed(b"hello", 0) + framed(b"leave", 0))
    peer = bench.read()
    assert bench.origins.takes_more(peer)
    stream.close()
    assert bench.until(bench.look_for_news)
    assert bench.read() == peer  # what it said at last still counts
    assert not bench.origins.takes_more(peer)
    assert not bench.router.poll(100)  # now ZeroMQ lets the routing id go
    claim = b"\x08Identity" + len(peer).to_bytes(4) + peer
    thief = bench.connect(GREETING + framed(READY + claim, 4))
    thief.sendall(framed(b"what are my tiles?", 0))
    assert bench.router.poll(PATIENCE_MS)
    assert bench.router.recv() == peer
    frame = bench.router.recv(copy=False)
    assert not is_own(bench.origins, peer, frame)
    assert not bench.origins.takes_more(peer)


def test_an_honest_client_that_is_encrypted_is_never_too_far_ahead() -> None:
    """Each message is longer on its way than it is; that must not add up."""
    server, own = KeyPair.new(), KeyPair.new()
    count = 2 * UNFINISHED_BYTES // CURVE_BYTES
    with ExitStack() as stack:
        bench = Bench(stack, server)
        bench.gate.admits = lambda _address, key: key == own.public
        dealer = bench.dealer(own)
        for _ in range(count):
            dealer.send(b"ping")
        peers = {bench.read() for _ in range(count)}
        assert [bench.origins.key(peer) for peer in peers] == [own.public]
        assert bench.look() == 0


def test_the_gate_asks_with_the_address_and_the_key_and_lets_nobody_else_in() -> None:
    server, own = KeyPair.new(), KeyPair.new()
    with ExitStack() as stack:
        bench = Bench(stack, server)
        asked: list[tuple[str, str]] = []

        def nobody(address: str, key: str) -> bool:
            asked.append((address, key))
            return False

        bench.gate.admits = nobody
        dealer = bench.dealer(own)
        with suppress(zmq.Again):  # it may have given up by now
            dealer.send(b"ping", zmq.NOBLOCK)
        assert not bench.router.poll(200)
        [(address, key)] = asked
        assert key == own.public
        assert address.endswith("127.0.0.1")


def test_who_comes_too_often_is_sent_away_for_now_and_tries_again(bench: Bench) -> None:
    asked: list[str] = []

    def takes_the_second(address: str) -> bool:
        asked.append(address)
        return len(asked) > 1

    bench.gate.takes = takes_the_second
    with zmq.Context() as context, context.socket(zmq.DEALER) as dealer:
        dealer.setsockopt(zmq.LINGER, 0)
        dealer.setsockopt(zmq.RECONNECT_IVL, 1)
        dealer.connect(bench.router.getsockopt_string(zmq.LAST_ENDPOINT))
        dealer.send(b"hello")
        for _ in range(2):
            bench.decide()
        bench.origins.note_news()
        bench.read()
    assert [address.rpartition(":")[2] for address in asked] == ["127.0.0.1"] * 2


def let_in(bench: Bench) -> None:
    """Let every key in."""
    bench.gate.admits = lambda _address, _key: True


def closes(bench: Bench, pair: KeyPair) -> "zmq.Socket[bytes]":
    """Let a client of a key speak, and return what can be read when its connection is closed."""
    dealer = bench.dealer(pair)
    end = bench.keep(dealer.get_monitor_socket(zmq.EVENT_DISCONNECTED))
    dealer.send(b"ping")
    bench.read()
    return end


def test_every_connection_of_a_key_is_cut_and_no_other() -> None:
    own, other = KeyPair.new(), KeyPair.new()
    with ExitStack() as stack:
        bench = Bench(stack, KeyPair.new())
        let_in(bench)
        ends = [closes(bench, pair) for pair in (own, other, own)]
        bench.origins.cut_all(own.public)
        assert [
            bool(end.poll(wait)) for end, wait in zip(ends, (5_000, 200, 5_000), strict=True)
        ] == [True, False, True]


@pytest.mark.parametrize("is_local", [True, False])
def test_a_key_of_another_machine_has_only_so_many_connections(
    monkeypatch: pytest.MonkeyPatch, is_local: bool
) -> None:
    monkeypatch.setattr(origins, "CONNECTIONS_EACH", 2)
    own, other = KeyPair.new(), KeyPair.new()
    with ExitStack() as stack:
        bench = Bench(stack, KeyPair.new(), own.public if is_local else None)
        let_in(bench)
        ends = [closes(bench, pair) for pair in (other, own, own, own)]
        assert bool(ends[1].poll(200 if is_local else PATIENCE_MS)) is not is_local
        assert not any(end.poll(50) for end in (ends[0], *ends[2:]))


def test_of_connections_that_say_nothing_the_oldest_is_cut(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins, "UNHEARD_KEPT", 3)
    speaker = bench.connect()
    speaker.sendall(framed(b"ping", 0))
    bench.read()
    silent = [bench.connect() for _ in range(5)]
    for stream in (speaker, *silent):
        stream.settimeout(0.2)
    assert [is_closed(stream) for stream in silent] == [True, True, False, False, False]
    assert not is_closed(speaker)


def test_a_connection_that_is_gone_does_not_count_as_silent(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins, "UNHEARD_KEPT", 1)
    first = bench.connect()
    first.close()
    assert bench.until(lambda: bool(bench.look_for_news()))
    second = bench.connect()
    second.settimeout(0.2)
    assert not is_closed(second)


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the descriptors that are closed from here on; none is a connection."""
    descriptors: list[int] = []

    def dup(descriptor: int) -> int:
        descriptors.append(descriptor)
        raise OSError

    monkeypatch.setattr("passing_server.origins.os.dup", dup)
    return descriptors


def test_the_silent_connections_of_one_machine_cut_none_of_another(
    monkeypatch: pytest.MonkeyPatch, closed: list[int]
) -> None:
    monkeypatch.setattr(origins, "UNHEARD_KEPT", 3)
    places = {1: "10.0.0.5", **dict.fromkeys(range(2, 9), "10.0.0.66")}

    def place_of(descriptor: int) -> tuple[str, int]:
        return places[descriptor], 1

    monkeypatch.setattr(origins, "_address_of", place_of)
    known = Origins(lambda: [News(number, has_come=True) for number in places])
    known.note_news()
    assert closed == [2, 3, 4, 5, 6]


class Told:
    """Hold origins that are told of connections, and note what messages come of them."""

    def __init__(self) -> None:
        self._news: list[News] = []
        self.origins = Origins(self._take)

    def _take(self) -> list[News]:
        news, self._news = self._news, []
        return news

    def has(self, *, come: int | None = None, gone: int | None = None) -> None:
        """Let a connection come in on a descriptor, or be gone."""
        for descriptor in (gone, come):
            if descriptor is not None:
                self._news.append(News(descriptor, has_come=descriptor == come))
        self.origins.note_news()

    def comes(self, descriptor: int) -> int:
        """Let a connection come in on a descriptor; return its number."""
        self.has(come=descriptor)
        return self.origins.let_in()

    def is_heard(self, peer: bytes, descriptor: int, number: int) -> bool:
        """Tell whether a message that comes there is taken for that of the peer."""
        if peer not in self.origins:
            self.origins.note(peer, descriptor, number, None)
        return self.origins.is_of(peer, number)


@pytest.fixture
def told() -> Told:
    return Told()


def test_what_is_read_late_is_of_the_connection_that_sent_it(told: Told) -> None:
    first = told.comes(30)
    told.has(gone=30)
    told.has(come=30)
    assert told.is_heard(b"a", 30, first)
    second = told.origins.let_in()
    assert told.is_heard(b"b", 30, second)
    assert told.is_heard(b"a", 30, first)
    assert not told.is_heard(b"a", 30, second)
    assert not told.is_heard(b"b", 30, first)
    assert [told.origins.takes_more(peer) for peer in (b"a", b"b")] == [False, True]


def test_who_is_read_first_when_gone_gets_nothing_and_cuts_nobody(
    told: Told, monkeypatch: pytest.MonkeyPatch, closed: list[int]
) -> None:
    def place_of(descriptor: int) -> tuple[str, int]:
        return "10.0.0.5", descriptor

    monkeypatch.setattr(origins, "_address_of", place_of)
    first = told.comes(30)
    told.has(gone=30)
    second = told.comes(30)
    assert told.is_heard(b"a", 30, first)
    told.origins.cut(b"a")
    assert closed == []
    assert not told.is_heard(b"a", 30, first)
    assert told.is_heard(b"b", 30, second)
    told.origins.cut(b"b")
    assert closed == [30]


def test_a_connection_has_one_routing_id(told: Told) -> None:
    number = told.comes(30)
    assert told.is_heard(b"a", 30, number)
    assert told.is_heard(b"b", 30, number)
    assert [told.origins.takes_more(peer) for peer in (b"a", b"b")] == [True, False]


def test_nothing_is_heard_of_who_was_cut(told: Told) -> None:
    number = told.comes(30)
    assert told.is_heard(b"a", 30, number)
    told.origins.cut(b"a")
    assert not told.is_heard(b"a", 30, number)
    assert not told.origins.takes_more(b"a")


@pytest.mark.parametrize("is_cut", [True, False])
def test_a_routing_id_stays_taken_when_its_connection_is_gone(told: Told, is_cut: bool) -> None:
    """There may be a session of it yet, which would be the thief's."""
    number = told.comes(30)
    assert told.is_heard(b"a", 30, number)
    if is_cut:
        told.origins.cut(b"a")
    told.has(gone=30)
    assert not told.is_heard(b"a", 31, told.comes(31))


def test_only_the_newest_routing_ids_stay_taken(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origins, "ROUTING_IDS_KEPT", 2)
    for peer in (b"a", b"b", b"c"):
        assert told.is_heard(peer, 30, told.comes(30))
    assert [peer in told.origins for peer in (b"a", b"b", b"c")] == [False, True, True]


def test_who_is_heard_after_being_gone_is_told_as_gone_once(told: Told) -> None:
    number = told.comes(30)
    told.has(gone=30)
    assert told.origins.take_gone() == []
    for _ in range(2):
        assert told.is_heard(b"a", 30, number)
    assert told.origins.take_gone() == [b"a"]
    assert told.origins.take_gone() == []


def test_who_was_cut_is_told_as_gone_when_it_is(told: Told) -> None:
    assert told.is_heard(b"a", 30, told.comes(30))
    told.origins.cut(b"a")
    assert told.origins.take_gone() == []
    told.has(gone=30)
    assert told.origins.take_gone() == [b"a"]


def test_what_is_no_connection_is_not_counted() -> None:
    assert counted(10**6) is None
    with Path("/dev/null").open("rb") as file:
        assert counted(file.fileno()) is None
