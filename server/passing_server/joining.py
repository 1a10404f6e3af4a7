"""Where a server can be reached, and the words by which others are told how to join it."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from passing_link.address import Address
from passing_link.connection_file import ConnectionFile
from passing_link.interfaces import Interface, interfaces
from passing_link.keys import key_bytes
from passing_protocol.join_codes import Invitation, JoinCode, fingerprint
from passing_protocol.messages import GuestRole
from passing_server.everywhere import ANY, EVERYWHERE, IPV4, IPV6
from passing_server.status_words import UNITS, lasting

_INNER: Final = ("br-", "cni", "docker", "lxc", "podman", "tap", "tun", "veth", "virbr", "vmnet")
"""How interfaces are called that often lead to containers of this machine alone, or far away."""

_COMMANDS: Final[dict[GuestRole, str]] = {
    "player": "passing play {address} --code {code}",
    "spectator": "passing watch {address} --code {code}",
    "bot": "passing bot run greedy {address} --code {code}",
}
HOURS: Final = UNITS[1:]
"""How it is told for how long a code is good, which is a day at most."""

_MAY: Final[dict[GuestRole, str]] = {
    "player": "play",
    "spectator": "watch",
    "bot": "connect engines",
}


def reachable(bind: str) -> list[str]:
    """Return the hosts by which other machines reach a server that listens on an address.

    The likeliest stands first. An IPv6 address that is good on its link alone is left out: each
    machine has its own name for that link.
    """
    if bind not in EVERYWHERE:
        return [bind]
    found = [one for one in interfaces() if _is_for_others(one)]
    if bind == IPV4:
        found = [one for one in found if one.address.version == 4]
    return [str(one.address) for one in sorted(found, key=_unlikeliness)]


def _is_for_others(one: Interface) -> bool:
    is_on_its_link = one.address.version == 6 and one.address.is_link_local
    return not (one.address.is_loopback or is_on_its_link)


def _unlikeliness(one: Interface) -> tuple[bool, bool, bool]:
    return one.name.startswith(_INNER), one.address.version == 6, one.address.is_link_local


def reach_here(bind: str) -> str:
    """Return the host by which a process on this machine reaches the server."""
    if bind == IPV6:
        return "::1"
    return "127.0.0.1" if bind in (*EVERYWHERE, "localhost") else bind


def serving_at(bind: str, port: int) -> str:
    """Return in words where a server listens."""
    return f"every address of this machine, port {port}" if bind == ANY else joined(bind, port)


class Joining:
    """Say how one joins an encrypted server: by a code to type, or by a link."""

    def __init__(self, hosts: Sequence[str], port: int, server_key: str) -> None:
        """Take the hosts, the likeliest first, and the server's public key; takes about 60 ms."""
        self._hosts = list(hosts) or ["HOST"]
        self._port = port
        self._key = key_bytes(server_key)
        self._fingerprint = fingerprint(self._key)

    @property
    def addresses(self) -> list[str]:
        """Return every address."""
        return [joined(host, self._port) for host in self._hosts]

    def code(self, token: str) -> str:
        """Return the code, in groups."""
        return str(JoinCode(self._fingerprint, token))

    def links(self, token: str) -> list[str]:
        """Return a link for each address."""
        return [str(Invitation(host, self._port, self._key, token)) for host in self._hosts]

    def json(self, role: GuestRole, token: str, left_ms: int) -> str:
        """Return the same for a program, as one JSON object."""
        told = {
            "role": role,
            "code": self.code(token),
            "addresses": self.addresses,
            "links": self.links(token),
            "left_ms": left_ms,
        }
        return msgspec.json.encode(told).decode()

    def lines(self, role: GuestRole, token: str, left_ms: int) -> Iterator[str]:
        """Yield how one joins in a role."""
        first, *others = self.addresses
        code = self.code(token)
        yield f"Join as a {role}, from this machine or another:"
        yield f"  {_COMMANDS[role].format(address=first, code=code)}"
        yield f"or with the link  {self.links(token)[0]}"
        if others:
            yield f"The server's other addresses: {', '.join(others)}"
        yield (
            f"Whoever has the code or the link may {_MAY[role]} here, however many they are. It "
            f"is good for {lasting(left_ms, HOURS)} more."
        )


def joining_at(file: ConnectionFile, server_key: str) -> Joining:
    """Return how one joins the server of a connection file, which has this public key."""
    here = Address.parse(file.address)
    return Joining(reachable(file.bind or here.host), here.port, server_key)


def addresses_of(file: ConnectionFile) -> list[str]:
    """Return where the server of a connection file tells others to reach it, the likeliest first.

    Of a server for this machine alone it is the address here; without a network there is none.
    """
    here = Address.parse(file.address)
    return [joined(host, here.port) for host in reachable(file.bind or here.host)]


def joined(host: str, port: int) -> str:
    """Return a host and a port as one types them."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
