"""Find servers: ask all that can be reached without a router, or one whose address is known.

A query goes to the broadcast address of every interface, to all nodes of every link (IPv6), and
to this machine itself. Where a server is follows from where its answer comes from.

`find` and `query` wait for the answers. Who must not wait has a `Search`, and a loop that watches
its sockets.
"""

import secrets
import selectors
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from itertools import pairwise
from time import monotonic
from typing import Final, NamedTuple, Self

from passing_link.address import DEFAULT_PORT, Address
from passing_link.interfaces import Interface, interfaces
from passing_link.resolving import look_up
from passing_protocol.discovery import (
    DATAGRAM_BYTES,
    Here,
    InvalidDatagram,
    read_answer,
)
from passing_protocol.discovery import query as written_query

FIND_S: Final = 1.0
"""How long servers have to answer."""

ASKS_S: Final = (0.0, 0.2, 0.5)
"""When a query is sent, as any datagram may be lost."""

MOST_FOUND: Final = 256
"""Answers beyond so many are not taken."""

MOST_EACH: Final = 8
"""Nor beyond so many of one machine, on as many ports: it must not crowd out the others."""

READ_AT_ONCE: Final = 256
"""Datagrams read before anything else goes on, however many come."""

KEPT_ASKS: Final = 3
"""A server that has left so many queries unanswered is gone, and answers to older ones too."""

ALL_LOOPBACK: Final = "127.255.255.255"
"""The broadcast address of this machine's own network."""

ALL_NODES: Final = "ff02::1"
"""Every IPv6 node of a link (RFC 4291, section 2.7.1)."""


@dataclass(frozen=True, slots=True)
class Found:
    """Hold a server's answer, and the address to reach it by; `others` lead there as well."""

    address: Address
    answer: Here
    others: tuple[Address, ...] = ()


class _Heard(NamedTuple):
    """Hold an answer, and the number of the query after which it came last."""

    ask: int
    answer: Here


class Search:
    """Send queries again and again, and hold what has been answered to the last of them.

    Its sockets never block: `hear` is for when one of them can be read.
    """

    def __init__(self, targets: "Callable[[], Iterable[Target]]") -> None:
        """Open the sockets, for what `targets` tells before every query."""
        self._targets = targets
        self._nonces: deque[str] = deque(maxlen=KEPT_ASKS)
        self._asks = 0
        self._heard: dict[Address, _Heard] = {}
        self._stack = ExitStack()
        self._sockets: dict[socket.AddressFamily, socket.socket] = {}
        for family in (socket.AF_INET, socket.AF_INET6):
            with suppress(OSError):  # this machine does not have both
                self._sockets[family] = self._stack.enter_context(_open(family))

    def __enter__(self) -> Self:
        """Return itself, to be closed at the end."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the sockets."""
        self._stack.close()

    @property
    def sockets(self) -> Sequence[socket.socket]:
        """Return what is to be watched."""
        return tuple(self._sockets.values())

    def ask(self) -> None:
        """Send a new query to everybody; who cannot be reached now may be the next time."""
        self._asks += 1
        self._heard = {a: heard for a, heard in self._heard.items() if self._is_of_late(heard)}
        self._nonces.append(secrets.token_hex(16))
        data = written_query(self._nonces[-1])
        for target in self._targets():
            asking = self._sockets.get(target.family)
            if asking is not None:
                with suppress(OSError):
                    asking.sendmsg([data], target.sent_from, 0, target.place)

    def hear(self) -> None:
        """Take every answer that has come; whatever is none is left out."""
        for asking in self._sockets.values():
            with suppress(OSError):  # BlockingIOError: that was all
                for _ in range(READ_AT_ONCE):
                    self._note(*asking.recvfrom(DATAGRAM_BYTES + 1))

    def _note(self, data: bytes, source: tuple[str, int] | tuple[str, int, int, int]) -> None:
        with suppress(InvalidDatagram, ValueError):
            here = read_answer(data, *self._nonces)
            address = Address(_host_of(source), here.port)
            if address in self._heard or self._has_room_for(address.host):
                self._heard[address] = _Heard(self._asks, here)

    def _has_room_for(self, host: str) -> bool:
        """Tell whether another answer of a machine is taken."""
        of_host = sum(address.host == host for address in self._heard)
        return len(self._heard) < MOST_FOUND and of_host < MOST_EACH

    def _is_of_late(self, heard: _Heard) -> bool:
        return heard.ask > self._asks - KEPT_ASKS

    @property
    def found(self) -> list[Found]:
        """Return the servers that have answered of late, by their names, each one once."""
        by_server: dict[tuple[str, int, str | None], list[tuple[Address, Here]]] = {}
        for address, (_ask, here) in self._heard.items():
            identity = here.id, here.port, here.key
            by_server.setdefault(identity, []).append((address, here))
        return sorted(map(_one_found, by_server.values()), key=_order)


class Target(NamedTuple):
    """Name where a query goes: a family, and an address as the system's calls want it.

    `source` is the address of this machine, of IPv6, that it goes out from, None for any.
    """

    family: socket.AddressFamily
    place: tuple[str, int] | tuple[str, int, int, int]
    source: IPv6Address | None = None

    @property
    def sent_from(self) -> list[tuple[int, int, bytes]]:
        """Return what tells the system the source (RFC 3542, section 6.2); the route is its own."""
        if self.source is None:
            return []
        told = self.source.packed + struct.pack("@I", 0)
        return [(socket.IPPROTO_IPV6, socket.IPV6_PKTINFO, told)]


def everybody(ports: Sequence[int]) -> list[Target]:
    """Return where a query goes that is for all servers on these ports, this machine's too."""
    here = interfaces()
    return [target for port in ports for target in _everybody_on(port, here)]


def _everybody_on(port: int, here: Sequence[Interface]) -> Iterable[Target]:
    broadcasts = [str(found.broadcast) for found in here if found.broadcast is not None]
    for host in dict.fromkeys([ALL_LOOPBACK, *broadcasts]):
        yield Target(socket.AF_INET, (host, port))
    yield Target(socket.AF_INET, ("127.0.0.1", port))  # where a broadcast does not get there
    yield Target(socket.AF_INET6, ("::1", port, 0, 0))
    links = {found.index for found in here if found.address.version == 6 and found.index}
    for index in sorted(links):
        yield Target(socket.AF_INET6, (ALL_NODES, port, 0, index))
    # An answer comes from an address that reaches as far as the one that was asked from.
    for one in here:
        number = one.address
        if isinstance(number, IPv6Address) and one.index and not _is_near(number):
            yield Target(socket.AF_INET6, (ALL_NODES, port, 0, one.index), number)


def _is_near(number: IPv6Address) -> bool:
    return number.is_link_local or number.is_loopback


def find(ports: Sequence[int] = (DEFAULT_PORT,), timeout_s: float = FIND_S) -> list[Found]:
    """Return the servers that answer on these ports within that time, by their names."""
    with Search(lambda: everybody(ports)) as search:
        _listen(search, timeout_s, enough=lambda: False)
        return search.found


def query(address: Address, timeout_s: float = FIND_S) -> Found | None:
    """Ask the server at an address; None where none answers, which may be there all the same.

    The answer is known to come from somebody who has seen the query, and no more than that.
    Raises UnknownMachine.
    """
    targets = [_target(number) for number in look_up(address)]
    with Search(lambda: targets) as search:
        _listen(search, timeout_s, enough=lambda: bool(search.found))
        return next((Found(address, found.answer) for found in search.found), None)


def _target(number: Address) -> Target:
    family = socket.AF_INET6 if ":" in number.host else socket.AF_INET
    return Target(family, (number.host, number.port))


def _listen(search: Search, timeout_s: float, *, enough: Callable[[], bool]) -> None:
    """Ask at the times for it, and hear until the time is over or that is enough."""
    began = monotonic()
    with selectors.DefaultSelector() as selector:
        for asking in search.sockets:
            selector.register(asking, selectors.EVENT_READ)
        for _at, following in pairwise((*ASKS_S, timeout_s)):
            search.ask()
            until = began + min(following, timeout_s)
            while (left := until - monotonic()) > 0:
                selector.select(left)
                search.hear()
                if enough():
                    return


def _open(family: socket.AddressFamily) -> socket.socket:
    """Return a socket that may send to all and does not wait. Raises OSError."""
    with ExitStack() as stack:
        asking = stack.enter_context(socket.socket(family, socket.SOCK_DGRAM))
        asking.setblocking(False)
        if family == socket.AF_INET:
            asking.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        stack.pop_all()
        return asking


def _host_of(source: tuple[str, int] | tuple[str, int, int, int]) -> str:
    """Return the number that an answer came from, with its interface where it needs one."""
    scope = source[3] if len(source) == 4 else 0
    if not scope:
        return source[0]
    name = str(scope)
    with suppress(OSError):  # it is gone by now
        name = socket.if_indextoname(scope)
    return f"{source[0].partition('%')[0]}%{name}"


def _one_found(heard: Sequence[tuple[Address, Here]]) -> Found:
    """Return one server for all the addresses that it has answered from."""
    (best, here), *others = sorted(heard, key=lambda each: _rank(each[0]))
    return Found(best, here, tuple(address for address, _ in others))


def _rank(address: Address) -> tuple[int, str]:
    """Rank an address: this machine, IPv4, IPv6, and last what is good on one link alone."""
    number = ip_address(address.host)
    if number.is_loopback:
        return (0, address.host)
    if not isinstance(number, IPv6Address):
        return (1, address.host)
    return (3 if number.is_link_local else 2, address.host)


def _order(found: Found) -> tuple[str, str]:
    return found.answer.name.casefold(), str(found.address)
