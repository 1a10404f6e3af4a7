"""The one loop with a socket: poll, drain, feed the core, send.

A plain poller and one ROUTER socket; everything that decides anything is in the core. Settings
that differ from ZeroMQ's defaults say why.
"""

import ctypes
import gc
import os
import resource
import secrets
import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import zmq
from zmq.utils import z85
from zmq.utils.monitor import recv_monitor_message

from passing_link.exits import CommandFailed, ExitCode
from passing_link.versions import transport
from passing_protocol.limits import CLIENT_FRAME_LIMIT
from passing_server.core import Outgoing, Server
from passing_server.knocks import Knocks
from passing_server.limits import DRAIN, DRAIN_NS, HANDSHAKES, READ_FIRST
from passing_server.origins import CURVE_BYTES, HEADER_BYTES, News, Origins

ZAP = "inproc://zeromq.zap.01"
"""Where ZeroMQ asks within one context who may come in."""

LATER = (b"300", b"too often", b"", b"")
NEVER = (b"400", b"not admitted", b"", b"")
"""The end of the answer for ZeroMQ to who may come in at another time, and to who may not."""

ENDING = (signal.SIGTERM, signal.SIGINT)


def now_ms() -> int:
    """Return the milliseconds of a clock that never goes back."""
    return time.monotonic_ns() // 1_000_000


def prepare_process() -> None:
    """Make the process fit for many connections. Raises CommandFailed on an old libzmq.

    At the limit of open files ZeroMQ's own thread spins, so the limit is raised first; where that
    is forbidden the one that is there has to do. Routing ids come from the C library's generator,
    which nobody seeds: unseeded they can be foreseen.
    """
    if not transport().recent:
        raise CommandFailed(
            ExitCode.UNEXPECTED,
            f"libzmq {zmq.zmq_version()} is too old; install pyzmq 27 or newer.",
        )
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    ctypes.CDLL(None).srandom(secrets.randbits(32))


def collect_seldom() -> None:
    """Let Python look through all objects for cycles a hundred times less often than it would.

    That takes 50 ms with a thousand connections, in which nobody is answered, and there is hardly
    a cycle to be found. What is there at the start is never looked through again.
    """
    gc.collect()
    gc.freeze()
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, old * 100)


@dataclass(frozen=True, slots=True)
class Listening:
    """Hold the server's socket, the port it listens on, and what decides who may connect."""

    socket: "zmq.Socket[bytes]"
    port: int
    gate: "Gate"
    encrypted: bool


class Gate:
    """Decide on each connection, by the key that it has shown, as ZeroMQ asks (ZAP, RFC 27).

    Who connects too often is sent away for now, before that. Without encryption all may come in who
    speak ZMTP 3: where it is asked at all, ZeroMQ takes nobody else. Others may take the routing id
    of somebody who is there (what begins like HTTP has one), and of each of them libzmq would keep
    several KB for ever.
    """

    def __init__(self, context: "zmq.Context[zmq.Socket[bytes]]", *, encrypted: bool) -> None:
        """Let no key in until it is said which may; only sockets of this context ask here."""
        self.takes: Callable[[str], bool] = lambda _address: True
        self.admits: Callable[[str, str], bool] = lambda _address, _key: False
        self._encrypted = encrypted
        self._question: list[bytes] = []
        self.socket: zmq.Socket[bytes] = context.socket(zmq.REP)
        self.socket.setsockopt(zmq.LINGER, 0)  # an answer to one who is gone holds up no end
        self.socket.bind(ZAP)

    def hear(self) -> bool:
        """Take the next question, and tell whether there is one; it has to be answered then."""
        try:
            self._question = self.socket.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:
            return False
        return True

    def answer(self, number: int) -> bool:
        """Answer the question, and tell whether that one is let in.

        Each of its messages bears its number from then on, and its key where there is one.
        """
        version, request, _, address, _, _, *credentials = self._question
        host = address.decode("ascii", "replace")
        key = z85.encode(credentials[0]).decode("ascii") if credentials else ""
        if not self.takes(host):
            answer = LATER
        elif self._encrypted and not (key and self.admits(host, key)):
            answer = NEVER
        else:
            answer = (b"200", b"OK", f"{number} {key}".encode(), b"")
        self.socket.send_multipart([version, request, *answer])
        return answer not in (LATER, NEVER)

    def close(self) -> None:
        """Let nobody in any more."""
        self.socket.close()


@contextmanager
def listening(bind: str, port: int, secret_key: str | None = None) -> Generator[Listening]:
    """Listen on an address, `*` for all, and a port, 0 for a free one.

    With the server's secret key everything is encrypted. Raises CommandFailed when the address
    cannot be had.
    """
    host = f"[{bind}]" if ":" in bind else bind
    with (
        zmq.Context() as context,
        closing(Gate(context, encrypted=secret_key is not None)) as gate,
        _router(context) as socket,
        _monitored(socket),
    ):
        if secret_key is None:
            socket.zap_domain = b"passing"  # unnamed, it would not be asked
        else:
            socket.curve_server = True
            socket.curve_secretkey = secret_key.encode()
        try:
            socket.bind(f"tcp://{host}:{port or '*'}")
        except zmq.ZMQError as error:
            place = "any address" if bind == "*" else bind
            raise CommandFailed(
                ExitCode.UNEXPECTED,
                f"Cannot listen on {place} port {port}: {zmq.strerror(error.errno or 0)}. "
                "Another program may use it; try another --port.",
            ) from None
        endpoint = socket.getsockopt_string(zmq.LAST_ENDPOINT)
        yield Listening(socket, int(endpoint.rpartition(":")[2]), gate, secret_key is not None)


def _router(context: "zmq.Context[zmq.Socket[bytes]]") -> "zmq.Socket[bytes]":
    """Return the server's socket with every setting made, not bound yet."""
    # A limit here makes ZeroMQ stop reading from a peer, and abort the whole process when that
    # peer then closes while a heartbeat is due. It counts no parts of a message that goes on, so
    # `Origins` counts bytes. The monitor must not have one either: ZeroMQ's thread would wait.
    context.setsockopt(zmq.RCVHWM, 0)
    socket = context.socket(zmq.ROUTER)
    for option, value in {
        zmq.ROUTER_MANDATORY: 1,  # else what is sent to an absent or full peer just vanishes
        zmq.ROUTER_HANDOVER: 0,  # 1 would hand a thief the messages of the one it poses as
        zmq.MAXMSGSIZE: CLIENT_FRAME_LIMIT,
        zmq.SNDHWM: 256,
        zmq.HANDSHAKE_IVL: 3_000,
        zmq.HEARTBEAT_IVL: 2_000,
        zmq.HEARTBEAT_TIMEOUT: 6_000,
        zmq.HEARTBEAT_TTL: 6_000,
        zmq.BACKLOG: 1_024,
        zmq.IPV6: 1,  # the default is IPv4 alone
        zmq.LINGER: 1_000,
    }.items():
        socket.setsockopt(option, value)
    return socket


@contextmanager
def _monitored(socket: "zmq.Socket[bytes]") -> Generator[None]:
    """Let a socket that is not bound yet tell of its connections, which `Loop` listens to."""
    with socket.get_monitor_socket(zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED):
        try:
            yield
        finally:
            socket.disable_monitor()


def news_of(monitor: "zmq.Socket[bytes]") -> Iterator[News]:
    """Give what a socket's monitor has to tell by now."""
    while monitor.poll(0):
        event = recv_monitor_message(monitor)
        yield News(int(event["value"]), event["event"] == zmq.EVENT_ACCEPTED)


def is_own(origins: Origins, peer: bytes, frame: zmq.Frame) -> bool:
    """Tell whether a message comes from the connection that is known by its routing id.

    Of a new one is noted where it comes from, and by which key.
    """
    number, _, key = str(frame.get("User-Id")).partition(" ")
    if peer not in origins:
        origins.note(peer, int(frame.get(zmq.SRCFD)), int(number), key or None)
    return origins.is_of(peer, int(number))


class Loop:
    """Run a server on a socket until told to stop."""

    def __init__(
        self, server: Server, listening: Listening, after: Callable[[int, int], None]
    ) -> None:
        """Take what `listening` gives; the loop is the only one to use it.

        `after` is called at the end of each turn with the time, and how many connections were cut.
        """
        self._server = server
        self._socket = listening.socket
        self._gate = listening.gate
        self._encrypted = listening.encrypted
        self._overhead = HEADER_BYTES + (CURVE_BYTES if self._encrypted else 0)
        self._after = after
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._monitor = self._socket.get_monitor_socket()
        self._poller.register(self._monitor, zmq.POLLIN)
        knocks = Knocks()
        self._gate.takes = lambda address: knocks.takes(now_ms(), address)
        self._gate.admits = lambda address, key: server.admits(now_ms(), address, key)
        self._poller.register(self._gate.socket, zmq.POLLIN)
        self._origins = Origins(lambda: news_of(self._monitor), server.local_key)
        self._watched: dict[int, Callable[[], bool]] = {}
        self._running = True
        self._read = 0

    def watch(self, descriptor: int, readable: Callable[[], bool]) -> None:
        """Call `readable` when a file descriptor is; the loop ends when it returns False."""
        self._poller.register(descriptor, zmq.POLLIN)
        self._watched[descriptor] = readable

    def stop(self) -> None:
        """Let the loop end after this turn."""
        self._running = False

    def run(self) -> None:
        """Serve until stopped, or until a server that is ending has come to its end."""
        while self._running and not self._server.draining.over:
            self.turn()
        self._server.close(now_ms())
        self._send_all(now_ms())

    def turn(self) -> None:
        """Wait for something to do, do it, and send what it caused."""
        server = self._server
        now = now_ms()
        wait = self._origins.wait(now, max(0, server.next_tick - now))
        is_asked = False
        for ready, _ in self._poller.poll(wait):
            is_asked |= ready is self._gate.socket
            watching = self._watched.get(ready) if isinstance(ready, int) else None
            if watching is not None and not watching():
                self._running = False
        start = time.monotonic_ns()
        self._origins.note_news()
        for peer in self._origins.take_gone():
            server.sessions.note_cut(peer)
        messages, all_read = self._drain(start + DRAIN_NS)
        now = now_ms()
        self._read += messages
        if is_asked:
            self._let_in(all_read=all_read)
        cut = self._origins.cut_endless(now, all_read=all_read)
        server.tick(now)
        self._send_all(now)
        server.answered(messages, (time.monotonic_ns() - start) // 1_000)
        cuts = server.take_cuts()  # those that the operator has sent away are no news
        for peer in cuts:
            self._origins.cut(peer)
        for peer in server.take_dismissed():
            self._origins.cut(peer)
        for key in server.take_cut_keys():
            self._origins.cut_all(key)
        cut += len(cuts)
        self._after(now, cut)

    def _let_in(self, *, all_read: bool) -> None:
        """Answer those who ask to come in; slowly, as long as those who are in have more to say.

        It is in memory until it is read, also when who has sent it is gone: who floods and comes
        again at once would fill it.
        """
        if not all_read and self._read < READ_FIRST:
            return
        for _ in range(HANDSHAKES):
            if not self._gate.hear():
                return
            if self._gate.answer(self._origins.let_in()):
                self._read = 0
                if not all_read:
                    return

    def _send_all(self, now: int) -> None:
        """Send what there is; who has not taken what was sent before gets none of it."""
        for peer, all_for_it in groupby(self._server.flush(now), attrgetter("peer")):
            if not self._origins.takes_more(peer):
                self._server.stalled(peer)
                continue
            for outgoing in all_for_it:
                self._send(outgoing)

    def _drain(self, until_ns: int) -> tuple[int, bool]:
        """Read what there is; return how many messages that was, and whether it was all.

        `recv_multipart` would cost three times as much a message.
        """
        now = now_ms()
        socket = self._socket
        for number in range(DRAIN):
            if time.monotonic_ns() >= until_ns:
                return number, False
            try:
                peer = socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                return number, True
            frame = socket.recv(copy=False)
            owns = is_own(self._origins, peer, frame)
            data = None if frame.more else frame.bytes
            size = len(frame) + self._overhead
            while frame.more:
                frame = socket.recv(copy=False)
                size += len(frame) + self._overhead
            if owns:
                self._origins.has_read(peer, size)
                self._server.receive(now, peer, data, self._origins.key(peer))
        return DRAIN, False

    def _send(self, outgoing: Outgoing) -> None:
        try:
            self._socket.send(outgoing.peer, zmq.NOBLOCK | zmq.SNDMORE)
            self._socket.send(outgoing.data, zmq.NOBLOCK)
        except zmq.Again:
            self._server.stalled(outgoing.peer)
        except zmq.ZMQError:
            pass  # whatever a peer has done to be sent nothing, it is its own loss
        else:
            self._origins.was_sent(outgoing.peer, len(outgoing.data))


def memory_bytes() -> int:
    """Return how much memory the process has."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:  # no Linux: the most that it has ever had
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1_024
    return pages * resource.getpagesize()


def watch_signals(loop: Loop) -> None:
    """End the loop cleanly on SIGTERM and SIGINT, at once and not at the next message.

    A second one ends the process as if nobody watched.
    """
    readable, writable = os.pipe()
    for descriptor in (readable, writable):
        os.set_blocking(descriptor, False)
    signal.set_wakeup_fd(writable)
    for number in ENDING:
        signal.signal(number, lambda _number, _frame: _let_signals_end())
    loop.watch(readable, lambda: not os.read(readable, 64))


def _let_signals_end() -> None:
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
