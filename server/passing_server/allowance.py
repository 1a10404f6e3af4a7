"""How many messages a connection or a session may send: so many at once, so many a second."""

from collections import OrderedDict
from dataclasses import dataclass

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_server.limits import CONNECTIONS_KEPT


@dataclass(slots=True)
class Allowance:
    """Hold what is left to spend, and when it was last counted."""

    left: float
    at: int

    def spend(self, now: int, per_s: float, most: float, cost: float = 1) -> None:
        """Take `cost` out of what has come in by now. Raises RequestRefused with rate_limited."""
        self.left = min(most, self.left + max(0, now - self.at) * per_s / 1000)
        self.at = now
        if self.left < cost:
            raise RequestRefused(ErrorCode.RATE_LIMITED)
        self.left -= cost


class Allowances:
    """Hold an allowance for each connection or address, of the newest."""

    def __init__(self, burst: int, per_s: int) -> None:
        """Allow `burst` at once and `per_s` more every second."""
        self._burst = burst
        self._per_s = per_s
        self._by_peer: OrderedDict[bytes, Allowance] = OrderedDict()

    def spend(self, now: int, peer: bytes) -> None:
        """Count one. Raises RequestRefused with rate_limited."""
        allowance = self._by_peer.pop(peer, None) or Allowance(self._burst, now)
        self._by_peer[peer] = allowance
        if len(self._by_peer) > CONNECTIONS_KEPT:
            self._by_peer.popitem(last=False)
        allowance.spend(now, self._per_s, self._burst)
