"""What may keep this machine from reaching an address, where the system tells more than ZeroMQ."""

import errno
import socket
import sys
from typing import Final

from passing_link.address import Address
from passing_link.sentences import NOTHING, Sentence, sentence

_MACOS: Final = sentence(
    "macOS may be keeping this program from the local network: allow it for your terminal in "
    "System Settings, Privacy & Security, Local Network."
)
_NO_IPV6: Final = sentence(
    "This machine has no IPv6 network that leads there: use the server's IPv4 address."
)
_NO_IPV4: Final = sentence(
    "This machine has no IPv4 network that leads there: use the server's IPv6 address."
)
_NEEDS_INTERFACE: Final = sentence(
    "An address that begins with fe80 needs its interface after a percent sign, as in fe80::1%eth0."
)
_OTHER_FAMILY: Final = sentence("A server may listen at its IPv4 address alone: try that one.")

_NO_ROUTE: Final = (errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


def hint_for(number: Address) -> Sentence:
    """Return what may be wrong with the way to a machine's number; empty where nothing is known.

    It is of use when nobody answered there. This sends nothing, but for an empty datagram on
    macOS, which tells only then that it forbids the way. It does not wait.
    """
    is_ipv6 = ":" in number.host
    problem = _problem(number, socket.AF_INET6 if is_ipv6 else socket.AF_INET)
    if problem == errno.EHOSTUNREACH and sys.platform == "darwin":
        return _MACOS
    if problem == errno.EINVAL and number.host.lower().startswith("fe80:"):
        return _NEEDS_INTERFACE
    if problem in _NO_ROUTE:
        return _NO_IPV6 if is_ipv6 else _NO_IPV4
    return _OTHER_FAMILY if is_ipv6 else NOTHING


def _problem(number: Address, family: socket.AddressFamily) -> int | None:
    """Return the system's number of what hinders a datagram to an address, None for nothing."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.setblocking(False)
            probe.connect((number.host, number.port))
            if sys.platform == "darwin":
                probe.send(b"")
    except OSError as error:
        return error.errno
    return None
