"""The sockets on which a server hears who looks for servers, served in its own loop.

They have the number of the game's port, so that who knows one knows the other. A server that is
bound to one address is heard there alone, and at that network's broadcast address: the network
itself keeps everybody else away. Whatever comes in is answered or dropped; nothing of it ends the
server.
"""

import socket
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address

from passing_link.finding import ALL_LOOPBACK, ALL_NODES
from passing_link.interfaces import interfaces
from passing_protocol.discovery import DATAGRAM_BYTES
from passing_server.everywhere import EVERYWHERE
from passing_server.limits import QUERIES_AT_ONCE
from passing_server.log import Log

Source = tuple[str, int] | tuple[str, int, int, int]
Answer = Callable[[bytes, str], bytes | None]
"""Returns the answer to a datagram from a host, None for none."""


@dataclass(frozen=True, slots=True)
class Ear:
    """Hold a socket that hears queries, and the one that they are answered by."""

    hears: socket.socket
    answers: socket.socket

    def serve(self, answer: Answer) -> bool:
        """Answer what has come, though not endlessly. Return True: nothing here ends a server."""
        with suppress(OSError):  # BlockingIOError: that was all
            for _ in range(QUERIES_AT_ONCE):
                data, source = self.hears.recvfrom(DATAGRAM_BYTES + 1)
                answered = answer(data, source[0])
                if answered is not None:
                    self._send(answered, source)
        return True

    def _send(self, data: bytes, source: Source) -> None:
        with suppress(OSError):  # who asks as a broadcast address, or is gone, gets nothing
            self.answers.sendto(data, source)


@contextmanager
def hearing(hosts: Sequence[str], port: int, log: Log) -> Generator[list[Ear]]:
    """Give what hears queries for a server on these addresses.

    Where that is impossible, clients do not find the server by themselves; the log says so.
    """
    with ExitStack() as stack:
        ears: list[Ear] = []
        for host in dict.fromkeys(number for name in hosts for number in _numbers(name)):
            try:
                ears += _ears(stack, host, port)
            except OSError as error:
                log.tell(
                    "not_found",
                    f"Nobody finds this server by looking on {host} port {port} (UDP): "
                    f"{error.strerror or error}.",
                    host=host,
                )
        yield ears


def _numbers(host: str) -> Iterable[str]:
    """Return the addresses that a host stands for; a name may have several, or none."""
    if host in EVERYWHERE:
        return EVERYWHERE[host]
    with suppress(ValueError):
        _number(host)
        return (host,)
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_DGRAM)
    except OSError:
        return ()
    return [str(address[0]) for *_, address in found]


def _number(host: str) -> IPv4Address | IPv6Address:
    """Return an address without its interface. Raises ValueError for what is none."""
    return ip_address(host.partition("%")[0])


def _ears(stack: ExitStack, host: str, port: int) -> Iterable[Ear]:
    """Yield what hears at an address, and at those of all in its network. Raises OSError."""
    own = stack.enter_context(_bound(host, port))
    yield Ear(own, own)
    for everybody in _everybody(host):
        with suppress(OSError):  # not every system hears there; it was asked at `host` as well
            yield Ear(stack.enter_context(_bound(everybody, port, shared=True)), own)


def _everybody(host: str) -> list[str]:
    """Return the addresses of all in its network that a socket on one address does not hear."""
    address = _number(host)
    if address.is_unspecified:
        return []
    if isinstance(address, IPv6Address):
        own = [found for found in interfaces() if found.address == address and found.index]
        return [] if address.is_loopback else [f"{ALL_NODES}%{found.name}" for found in own]
    if address.is_loopback:
        return [ALL_LOOPBACK]
    return [str(i.broadcast) for i in interfaces() if i.address == address and i.broadcast]


def _bound(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Return a socket on an address, which others may have as well if it is `shared`.

    Raises OSError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with ExitStack() as stack:
        ear = stack.enter_context(socket.socket(family, socket.SOCK_DGRAM))
        ear.setblocking(False)
        if family == socket.AF_INET6:
            ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if shared:
            ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        ear.bind(socket.getaddrinfo(host, port, family, socket.SOCK_DGRAM)[0][4])
        stack.pop_all()
        return ear
