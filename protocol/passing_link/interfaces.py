"""The addresses of this machine: where others reach it, and by which interface it reaches them."""

import array
import fcntl
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, ip_address
from pathlib import Path
from typing import Final

# netdevice(7): the calls, and a flag of two of an interface's.
_LIST: Final = 0x8912
_FLAGS: Final = 0x8913
_NETMASK: Final = 0x891B
_UP, _BROADCAST = 0x1, 0x2
_MOST: Final = 512
"""Addresses asked for at most."""

_NAME: Final = 16
_REQUEST: Final = _NAME + max(16, 2 * struct.calcsize("P") + 8)
"""The size of the system's `ifreq`: a name, and a union whose longest member holds two pointers."""

_IPV6_LIST: Final = Path("/proc/net/if_inet6")
_NOT_YET: Final = 0x40 | 0x08
"""Flags of an IPv6 address: it is not verified to be unique, or it is not."""


@dataclass(frozen=True, slots=True)
class Interface:
    """Hold one address of this machine, and the interface that has it.

    `index` is 0 where the system does not tell it, `broadcast` the address of all in that network,
    None where there is none or it is not told.
    """

    name: str
    index: int
    address: IPv4Address | IPv6Address
    broadcast: IPv4Address | None = None

    @property
    def host(self) -> str:
        """Return the address as one types it; one that is good on its link alone names that."""
        scoped = self.address.version == 6 and self.address.is_link_local
        return f"{self.address}%{self.name}" if scoped and self.name else str(self.address)


def interfaces() -> list[Interface]:
    """Return every address of this machine whose interface is up, loopback and IPv6 too.

    Linux tells them all; elsewhere they are those that the machine's own name stands for. Without
    any network the list is empty or holds loopback alone.
    """
    if not _IPV6_LIST.parent.exists():
        return list(_by_name())
    with suppress(OSError):
        return [*_ipv4(), *_ipv6()]
    return list(_by_name())


def _ipv4() -> Iterator[Interface]:
    """Yield the IPv4 addresses as the kernel tells them. Raises OSError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        room = array.array("B", bytes(_MOST * _REQUEST))
        place, _ = room.buffer_info()
        size: int = struct.unpack(
            "iP", fcntl.ioctl(asked, _LIST, struct.pack("iP", len(room), place))
        )[0]
        for start in range(0, size, _REQUEST):
            request = room[start : start + _REQUEST].tobytes()
            with suppress(OSError):  # one that has gone meanwhile
                found = _one_ipv4(asked.fileno(), request)
                if found is not None:
                    yield found


def _one_ipv4(descriptor: int, request: bytes) -> Interface | None:
    """Return the address in an `ifreq`, None where its interface is down. Raises OSError."""
    flags = struct.unpack_from("H", fcntl.ioctl(descriptor, _FLAGS, request), _NAME)[0]
    if not flags & _UP:
        return None
    mask = _address_in(fcntl.ioctl(descriptor, _NETMASK, request))
    address = _address_in(request)
    network = IPv4Interface(f"{address}/{mask}").network
    has_broadcast = flags & _BROADCAST and network.prefixlen < 31
    # An alias has a name of its own, `eth0:1`, and the index of its interface.
    name = request[:_NAME].split(b"\0", 1)[0].decode(errors="replace").partition(":")[0]
    return Interface(
        name=name,
        index=socket.if_nametoindex(name),
        address=address,
        broadcast=network.broadcast_address if has_broadcast else None,
    )


def _address_in(request: bytes) -> IPv4Address:
    """Return the address of an `ifreq`, after the name, the family and a port."""
    return IPv4Address(request[_NAME + 4 : _NAME + 8])


def _ipv6() -> Iterator[Interface]:
    """Yield the IPv6 addresses that are in use; none where the system has no IPv6."""
    try:
        lines = _IPV6_LIST.read_text(encoding="ascii", errors="replace").splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        digits, index, _, _, flags, name = line.split()
        if not int(flags, 16) & _NOT_YET:
            yield Interface(name, int(index, 16), IPv6Address(bytes.fromhex(digits)))


def _by_name() -> Iterator[Interface]:
    """Yield what this machine's own name stands for."""
    hosts: list[str] = []
    with suppress(OSError):
        found = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_DGRAM)
        hosts = [str(address[0]) for *_, address in found]
    for host in dict.fromkeys(hosts):
        bare, _, scope = host.partition("%")
        yield Interface(scope, 0, ip_address(bare))
