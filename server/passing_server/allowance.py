"""How many messages a connection or a session may send: so many at once, so many a second."""

from collections import OrderedDict
from dataclasses import dataclass

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_server.limits import HELLO_BURST, HELLOS_KEPT, HELLOS_PER_S


@dataclass(slots=True)
class Allowance:
    """Hold what is left to spend, and when it was last counted."""

    left: float
    at: int

    def spend(self, now: int, per_s: float, most: float, cost: float = 1) -> None:
        """Take `cost` out of what has come in by now. Raises RequestRefused with rate_limited."""
        self.left = min(most, self.left + (now - self.at) * per_s / 1000)
        self.at = now
        if self.left < cost:
            raise RequestRefused(ErrorCode.RATE_LIMITED)
        self.left -= cost


class Greetings:
    """Count what each connection says before it has a session: codes are guessed slowly."""

    def __init__(self) -> None:
        """Start without any."""
        self._by_peer: OrderedDict[bytes, Allowance] = OrderedDict()

    def spend(self, now: int, peer: bytes) -> None:
        """Count one hello. Raises RequestRefused with rate_limited."""
        allowance = self._by_peer.pop(peer, None) or Allowance(HELLO_BURST, now)
        self._by_peer[peer] = allowance
        if len(self._by_peer) > HELLOS_KEPT:
            self._by_peer.popitem(last=False)
        allowance.spend(now, HELLOS_PER_S, HELLO_BURST)
