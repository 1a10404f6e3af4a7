"""The connections of the server's socket: what each has sent and taken, and how one is closed.

ZeroMQ has no call that closes one connection of a socket, and no limit for a message of parts
without end. Its monitor tells the descriptor that each connection comes in on: the system counts
the bytes there, and shutting it down closes the connection.
"""

import ctypes
import os
import socket
import struct
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from passing_server.limits import (
    CONNECTIONS_EACH,
    LOOK_MS,
    ROUTING_IDS_KEPT,
    UNFINISHED_BYTES,
    UNHEARD_KEPT,
    UNREAD_BYTES,
    UNTAKEN_BYTES,
)

HEADER_BYTES: Final = 2
"""What ZeroMQ sends before each frame, at least."""

CURVE_BYTES: Final = 33
"""By how much a frame is longer when it is encrypted (CurveZMQ, RFC 26)."""

_TCP_INFO: Final[int | None] = getattr(socket, "TCP_INFO", None)
_COUNTS: Final = struct.Struct("=120xQQ")
"""Where Linux keeps the bytes that were acknowledged, and those that came (tcp(7), 4.2 on)."""

_Place = tuple[str, int] | tuple[str, int, int, int]

_AT_ONCE: Final = struct.pack("ii", 1, 0)
_ROOM: Final = ctypes.create_string_buffer(_COUNTS.size)
_LIBC: Final = ctypes.CDLL(None)


class News(NamedTuple):
    """Tell that a connection has come in on a descriptor, or that it is gone."""

    descriptor: int
    has_come: bool


class Counts(NamedTuple):
    """Hold how many bytes the other end has taken since the connection began, and has sent."""

    taken: int
    come: int


@dataclass(slots=True, eq=False)
class Origin:
    """Hold a connection's descriptor, the address of its other end, and what was counted.

    Those that are let in are numbered; it came in `after` such a one. `peer` is whose it is, as
    soon as a message has come, `number` its own and `key` the one it was admitted with, None
    without encryption. Nothing more is heard from one that `is_cut`. Of the bytes that have
    `come`, all messages were `read` up to `known`. `owed` bytes were given to ZeroMQ for it, of
    which `taken` were.
    """

    descriptor: int
    address: _Place | None
    after: int = 0
    number: int = 0
    peer: bytes | None = None
    key: str | None = None
    is_cut: bool = False
    known: int = 0
    read: int = 0
    owed: int = 0
    taken: int = 0

    @property
    def host(self) -> str:
        """Return the number of the machine at its other end, empty when it was gone at once."""
        return self.address[0] if self.address is not None else ""

    @property
    def takes_more(self) -> bool:
        """Tell whether little enough is on its way to the other end."""
        if self.owed - self.taken > UNTAKEN_BYTES:
            self.look()
        return self.owed - self.taken <= UNTAKEN_BYTES

    def look(self) -> Counts | None:
        """Return what the system has counted, None where it does not."""
        counts = counted(self.descriptor)
        if counts is not None:
            self.taken = counts.taken
            self.owed = max(self.owed, counts.taken)  # ZeroMQ sends a little of its own
        return counts

    def is_too_far_ahead(self, *, all_read: bool) -> bool:
        """Tell whether more has come than may wait; of that, nothing is whole if all was read."""
        counts = self.look()
        if counts is None:
            return False
        ahead = counts.come - self.known - self.read
        if all_read and self.read:
            self.known, self.read = counts.come, 0
        return ahead > (UNFINISHED_BYTES if all_read else UNREAD_BYTES)


class Origins:
    """Know the connections of a socket, and whose they are as soon as a message has come."""

    def __init__(self, news: Callable[[], Iterable[News]], local_key: str | None = None) -> None:
        """Take what gives the news since it was called last.

        With `local_key` come the programs of this machine, any number of them.
        """
        self._news = news
        self._local_key = local_key
        self._let_in = 0
        self._open: dict[int, Origin] = {}
        self._unheard: dict[str, dict[int, Origin]] = {}
        self._by_peer: OrderedDict[bytes, Origin] = OrderedDict()
        self._look_at = 0
        self._gone: list[bytes] = []

    def wait(self, now: int, wait: int) -> int:
        """Return for how long at most to wait, until connections are to be looked at."""
        return min(wait, max(0, self._look_at - now)) if self._open else wait

    def note_news(self) -> None:
        """Take note of the connections that have come and gone."""
        for descriptor, has_come in self._news():
            gone = self._open.pop(descriptor, None)
            if gone is not None:
                self._hear(gone)
                if gone.peer is not None:
                    self._gone.append(gone.peer)
            if has_come:
                self._take_in(Origin(descriptor, _address_of(descriptor), self._let_in))

    def let_in(self) -> int:
        """Return the number of one more that is let in, of which ZeroMQ has asked before."""
        self.note_news()
        self._let_in += 1
        return self._let_in

    def _take_in(self, origin: Origin) -> None:
        """Know a new connection, of which nothing is heard yet; too many make the oldest go.

        That is the oldest of the machine that has most of them, so that nobody else is held up.
        """
        self._open[origin.descriptor] = origin
        self._unheard.setdefault(origin.host, {})[origin.descriptor] = origin
        if sum(map(len, self._unheard.values())) > UNHEARD_KEPT:
            most = max(self._unheard.values(), key=len)
            self._close(next(iter(most.values())))

    def _hear(self, origin: Origin) -> None:
        """Take a connection out of those of which nothing is heard yet."""
        unheard = self._unheard.get(origin.host, {})
        if unheard.get(origin.descriptor) is origin:
            del unheard[origin.descriptor]
            if not unheard:
                del self._unheard[origin.host]

    def take_gone(self) -> list[bytes]:
        """Return, once, whose connections have been closed."""
        gone, self._gone = self._gone, []
        return gone

    def __contains__(self, peer: bytes) -> bool:
        """Tell whether it is known where a connection comes from."""
        return peer in self._by_peer

    def note(self, peer: bytes, descriptor: int, number: int, key: str | None) -> None:
        """Take note of a connection by its first message, which may be read when it is gone.

        Its descriptor is that of another by then, which was let in later.
        """
        origin = self._open.get(descriptor)
        if origin is None or number <= origin.after or origin.peer not in (None, peer):
            origin = Origin(descriptor, None)
            self._gone.append(peer)
        self._hear(origin)
        origin.number, origin.peer, origin.key = number, peer, key
        self._by_peer[peer] = origin
        if key not in (None, self._local_key):
            for older in self._of(key)[:-CONNECTIONS_EACH]:
                self._close(older)
        if len(self._by_peer) > ROUTING_IDS_KEPT:
            self._by_peer.popitem(last=False)

    def cut_all(self, key: str) -> None:
        """Close every connection of a key that has spoken."""
        for origin in self._of(key):
            self._close(origin)

    def _of(self, key: str | None) -> list[Origin]:
        """Return the open connections of a key, the oldest first."""
        return [one for one in self._open.values() if one.key == key and not one.is_cut]

    def is_of(self, peer: bytes, number: int) -> bool:
        """Tell whether a message comes on the connection that was noted, which may be gone.

        To ZeroMQ a routing id is free as soon as its connection is gone, and anybody may claim it.
        """
        origin = self._by_peer.get(peer)
        return origin is not None and origin.number == number and not origin.is_cut

    def key(self, peer: bytes) -> str | None:
        """Return the key of a connection that was noted, None without encryption."""
        return self._by_peer[peer].key

    def has_read(self, peer: bytes, size: int) -> None:
        """Count a whole message of so many bytes."""
        self._by_peer[peer].read += size

    def takes_more(self, peer: bytes) -> bool:
        """Tell whether more may be sent to a connection: nothing to one that is gone."""
        origin = self._by_peer.get(peer)
        if origin is None:
            return True
        is_open = self._open.get(origin.descriptor) is origin and not origin.is_cut
        return is_open and origin.takes_more

    def was_sent(self, peer: bytes, size: int) -> None:
        """Count what is on its way to a connection."""
        origin = self._by_peer.get(peer)
        if origin is not None:
            origin.owed += size

    def cut(self, peer: bytes) -> None:
        """Close a connection, unless its descriptor belongs to another one by now."""
        origin = self._by_peer.get(peer)
        if origin is not None:
            self._close(origin)

    def cut_endless(self, now: int, *, all_read: bool) -> int:
        """Close the connections that are too far ahead, and return how many those are.

        `all_read` tells whether every message was read that has come whole.
        """
        if now < self._look_at:
            return 0
        self._look_at = now + LOOK_MS
        self.note_news()
        endless = [
            origin
            for origin in self._open.values()
            if not origin.is_cut and origin.is_too_far_ahead(all_read=all_read)
        ]
        for origin in endless:
            self._close(origin)
        return len(endless)

    def _close(self, origin: Origin) -> None:
        origin.is_cut = True
        self._hear(origin)
        if self._open.get(origin.descriptor) is not origin or origin.address is None:
            return  # it is gone; another may come from its address and port by now
        with suppress(OSError), socket.socket(fileno=os.dup(origin.descriptor)) as stream:
            if stream.getpeername() == origin.address:
                # With a reset, or one who still sends may wait for a minute to learn of it.
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
                stream.shutdown(socket.SHUT_RDWR)


def counted(descriptor: int) -> Counts | None:
    """Return what the system has counted of a connection, None where it does not.

    Python's own call needs an object that owns the descriptor; this one is ZeroMQ's.
    """
    if _TCP_INFO is None:
        return None
    size = ctypes.c_uint32(_COUNTS.size)
    place = descriptor, socket.IPPROTO_TCP, _TCP_INFO, _ROOM, ctypes.byref(size)
    if _LIBC.getsockopt(*place) != 0 or size.value < _COUNTS.size:
        return None
    return Counts(*_COUNTS.unpack_from(_ROOM))


def _address_of(descriptor: int) -> _Place | None:
    """Return the address of the other end, None when the connection is gone."""
    with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as stream:
        address: _Place = stream.getpeername()
        return address
    return None
