"""Servers that were found: what they are called, where they are, and what goes on there."""

import platform
from collections.abc import Sequence
from typing import TYPE_CHECKING

from passing_client.joined_servers import Acquaintance, JoinedServers
from passing_client.language import _, listing, plural
from passing_link.address import DEFAULT_PORT, Address
from passing_protocol.discovery import Here
from passing_protocol.messages import PROTOCOL_VERSION

if TYPE_CHECKING:
    from passing_link.finding import Found


def place_of(address: Address) -> str:
    """Return an address as one types it: the usual port is left out.

    >>> place_of(Address("den.local")), place_of(Address("::1", 4000))
    ('den.local', '[::1]:4000')
    """
    return address.host if address.port == DEFAULT_PORT else str(address)


def speaks_with(here: Here) -> bool:
    """Tell whether a server speaks the version of the protocol that this client does."""
    lowest, highest = here.versions
    return lowest <= PROTOCOL_VERSION <= highest


def servers_heading(number: int) -> str:
    """Return how many servers there are."""
    text = plural(
        "{number} server answers on this network:",
        "{number} servers answer on this network:",
        number,
    )
    return text.format(number=number)


def server_line(found: "Found", joined: JoinedServers) -> str:
    """Return one server: its name and places, what goes on there, and how one comes in."""
    here = found.answer
    text = _("{name} at {place}: {tables}, {seats}; {people}, {engines}; {entry}.")
    return text.format(
        name=here.name,
        place=", ".join(map(place_of, (found.address, *found.others))),
        tables=plural("{number} table", "{number} tables", here.tables).format(number=here.tables),
        seats=plural("{number} seat free", "{number} seats free", here.seats).format(
            number=here.seats
        ),
        people=plural("{number} person", "{number} people", here.people).format(number=here.people),
        engines=plural("{number} engine", "{number} engines", here.engines).format(
            number=here.engines
        ),
        entry=entry_words(found, joined),
    )


def entry_words(found: "Found", joined: JoinedServers) -> str:
    """Return whether a server can be spoken with, whether others could listen, and what it asks."""
    here = found.answer
    if not speaks_with(here):
        lowest, highest = here.versions
        text = _("it speaks version {lowest} to {highest} of the protocol, and this client {own}")
        return text.format(lowest=lowest, highest=highest, own=PROTOCOL_VERSION)
    acquaintance = joined.acquaintance(found)
    if acquaintance is Acquaintance.ANOTHER:
        if here.key is None:
            return _("not encrypted, and not the server known there")
        return _("encrypted, and not the server known there")
    if here.key is None:
        return _("not encrypted")
    if acquaintance is Acquaintance.JOINED:
        return _("encrypted, and you have joined it before")
    return _("encrypted, and you need its code")


def nothing_found(ports: Sequence[int]) -> list[str]:
    """Return that no server answers, and what there is to do."""
    one = ports[0] if ports else DEFAULT_PORT
    numbers = listing([str(port) for port in ports])
    text = plural(
        "No server answers on this network, on port {ports}.",
        "No server answers on this network, on the ports {ports}.",
        len(ports),
    )
    lines = [
        text.format(ports=numbers),
        _("Where you know the address of one, go there with `passing play HOST`."),
        _(
            "A server is found from the same network alone, where its machine's firewall lets UDP "
            "and TCP port {port} through; containers and guest networks keep such queries away."
        ).format(port=one),
    ]
    if platform.system() == "Darwin":
        lines.append(
            _(
                "macOS lets no program look around that was not allowed to: System Settings, "
                "Privacy & Security, Local Network, and there your terminal."
            )
        )
    lines.append(_("With engines you play here and now: `passing play --bots 3`."))
    return lines
