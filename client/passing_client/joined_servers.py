"""Which servers a person has joined before, and what is known of those that are found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING

from passing_link.address import Address

if TYPE_CHECKING:
    from passing_link.finding import Found


class Acquaintance(Enum):
    """Name what a server that is found is to a person.

    One at whose address another is known may be meant to be there now, or pose as that one.
    """

    NEW = "new"
    JOINED = "joined"
    ANOTHER = "another"


@dataclass(frozen=True, slots=True)
class JoinedServers:
    """Hold the public keys of the servers that were joined, and at which addresses they are known.

    The addresses are in their one spelling (`Address.plain`), and each has the key known there.
    """

    keys: frozenset[str] = frozenset()
    places: Mapping[Address, str] = field(default_factory=lambda: MappingProxyType({}))

    def acquaintance(self, found: "Found") -> Acquaintance:
        """Tell what is known of a server that has answered; it has proved nothing yet."""
        key = found.answer.key
        known = self.places.get(found.address.plain)
        if known is not None and known != key:
            return Acquaintance.ANOTHER
        return Acquaintance.JOINED if key in self.keys else Acquaintance.NEW
