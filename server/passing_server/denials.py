"""Count who was not let in: who guesses is slowed, and everybody who has a key is not."""

from collections import OrderedDict, deque
from ipaddress import ip_address
from typing import Final

from passing_server.limits import (
    DENIALS_EACH,
    DENIALS_IN_ALL,
    DENIALS_KEPT,
    DENIALS_MS,
    DENIED_ADDRESSES,
)

LOOPBACK: Final = "loopback"
"""What stands for every address of this machine alone."""


class Denials:
    """Know the denials of the last minute, in all and of each address of the newest."""

    def __init__(self) -> None:
        """Begin with none."""
        self._all: deque[int] = deque(maxlen=DENIALS_KEPT)
        self._by_address: OrderedDict[str, deque[int]] = OrderedDict()

    def count(self, now: int, address: str) -> None:
        """Note that a connection from an address was not let in."""
        self._all.append(now)
        plain = plain_address(address)
        times = self._by_address.pop(plain, None) or deque[int](maxlen=DENIALS_EACH)
        times.append(now)
        self._by_address[plain] = times
        if len(self._by_address) > DENIED_ADDRESSES:
            self._by_address.popitem(last=False)

    def hold_up(self, now: int, address: str) -> bool:
        """Tell whether a new client from an address has to wait; nobody of this machine has to."""
        plain = plain_address(address)
        if plain == LOOPBACK:
            return False
        times = self._by_address.get(plain, ())
        lately = sum(time > now - DENIALS_MS for time in times)
        return self.are_too_many(now) or lately >= DENIALS_EACH

    def lately(self, now: int) -> int:
        """Return how many there were within the last minute, as far as they are kept."""
        while self._all and self._all[0] <= now - DENIALS_MS:
            self._all.popleft()
        return len(self._all)

    def are_too_many(self, now: int) -> bool:
        """Tell whether there were so many of late that no new client is taken at all."""
        return self.lately(now) >= DENIALS_IN_ALL


def plain_address(address: str) -> str:
    """Return an address in the one form it is counted in; IPv4 comes in as IPv6 here."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6 and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    return LOOPBACK if parsed.is_loopback else str(parsed)
