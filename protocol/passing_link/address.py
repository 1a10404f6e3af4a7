"""Where a server is: `HOST[:PORT]`, as people type it and as ZeroMQ and the resolver want it."""

import re
import socket
from contextlib import suppress
from dataclasses import dataclass, replace
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address
from typing import Final, Self

DEFAULT_PORT: Final = 28066
"""28 tiles, double six."""

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
"""The hosts that are this machine alone."""

_HIGHEST_PORT: Final = 65_535
_MOST_CHARACTERS: Final = 253
_BARRED: Final = frozenset(" /[]@*")
_NUMERIC: Final = re.compile(r"(?:[0-9]+|0[xX][0-9a-fA-F]*)\.?")
"""How the end of what resolvers take for an IPv4 number looks, however it is written."""
_FORMS: Final = "HOST, HOST:PORT or [IPv6]:PORT"


class InvalidAddress(ValueError):
    """Raised when a text is no address of a server."""


@dataclass(frozen=True, slots=True)
class Address:
    """Hold a machine's name or number and a port; raises InvalidAddress.

    >>> str(Address.parse("table.lan")), Address.parse("[::1]:4000").endpoint
    ('table.lan:28066', 'tcp://[::1]:4000')
    """

    host: str
    port: int = DEFAULT_PORT

    def __post_init__(self) -> None:
        """Refuse what can be no machine or no port."""
        if not (_may_be_name(self.host) and (":" not in self.host or _is_ipv6(self.host))):
            raise InvalidAddress(f"address: host {self.host!r} is not a name or a number")
        if not (":" in self.host or _is_ipv4(self.host) or _may_be_named(self.host)):
            # 127.1, 010.0.0.1 and 3232235796 are numbers to some programs and none to others.
            raise InvalidAddress(
                f"address: host {self.host!r} is no name, and a number is written with four "
                "numbers from 0 to 255, as 192.168.1.20"
            )
        if not 1 <= self.port <= _HIGHEST_PORT:
            raise InvalidAddress(f"address: port {self.port} is not from 1 to {_HIGHEST_PORT}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `HOST[:PORT]`, with IPv6 numbers bare or in brackets; raises InvalidAddress."""
        host, port = _split(text.strip().removeprefix("tcp://"))
        if not port:
            return cls(host)
        if not (port.isascii() and port.isdigit() and len(port) <= len(str(_HIGHEST_PORT))):
            raise InvalidAddress(
                f"address: port {port!r} in {text!r} is not a number from 1 to {_HIGHEST_PORT}"
            )
        return cls(host, int(port))

    def __str__(self) -> str:
        """Write `HOST:PORT`, an IPv6 number in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def endpoint(self) -> str:
        """Return the address as ZeroMQ wants it."""
        return f"tcp://{self}"

    @property
    def plain(self) -> "Address":
        """Return the one spelling that stands for all of this address.

        That is a name in small letters without the full stop at its end, and a number as short
        as can be: of IPv4 where it is mapped into IPv6 (RFC 4291, section 2.5.5.2), with the name
        of its interface, and this machine's own where it is none.
        """
        host = self.host.lower().removesuffix(".")
        with suppress(ValueError):
            host = _plain_number(host)
        return replace(self, host=host) if host else self

    @property
    def is_loopback(self) -> bool:
        """Tell whether the host, as it is written, is this machine and cannot be another."""
        if self.host in LOOPBACK:
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    def resolve(self) -> tuple["Address", ...]:
        """Look the machine up and return its numbers, in the resolver's order.

        ZeroMQ takes the first number of a name alone, which for `localhost` is often an IPv6
        one where nobody listens. Asks the system's resolver and may take seconds; raises OSError.
        """
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        hosts = [_host_of(address) for *_, address in found]
        return tuple(Address(host, self.port) for host in dict.fromkeys(hosts))


def _plain_number(host: str) -> str:
    """Return the one spelling of a number; raises ValueError for what is none."""
    number = ip_address(host)
    if isinstance(number, IPv6Address):
        scope = number.scope_id
        if number.ipv4_mapped is not None:
            number = number.ipv4_mapped
        elif scope is not None and scope.isascii() and scope.isdigit():
            with suppress(OSError, OverflowError):  # there is no such interface
                scope = socket.if_indextoname(int(scope))
            return f"{str(number).partition('%')[0]}%{scope}"
    if number.is_unspecified:  # who connects to that gets to this machine
        return "127.0.0.1" if number.version == 4 else "::1"
    return str(number)


def _may_be_named(host: str) -> bool:
    """Tell whether no resolver takes a host for a number: by its end, as the URL standard does."""
    return not _NUMERIC.fullmatch(host[host.rfind(".", 0, -1) + 1 :])


def _is_ipv4(host: str) -> bool:
    try:
        IPv4Address(host)
    except AddressValueError:
        return False
    return True


def _is_ipv6(host: str) -> bool:
    try:
        IPv6Address(host)
    except AddressValueError:
        return False
    return True


def _may_be_name(host: str) -> bool:
    return 0 < len(host) <= _MOST_CHARACTERS and host.isprintable() and not _BARRED & set(host)


def _split(text: str) -> tuple[str, str]:
    """Part an address from its port; the port is empty where there is none."""
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")) or rest == ":" or ":" not in host:
            raise InvalidAddress(f"address: {text!r} is not {_FORMS}")
        return host, rest[1:]
    if text.count(":") > 1:
        return text, ""
    host, colon, port = text.partition(":")
    if colon and not port:
        raise InvalidAddress(f"address: {text!r} is not {_FORMS}")
    return host, port


def _host_of(address: tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]) -> str:
    """Return the number in a resolved address, with its interface where it needs one."""
    host = str(address[0])
    scope = address[3] if len(address) == 4 else 0
    return f"{host}%{scope}" if scope and "%" not in host else host
