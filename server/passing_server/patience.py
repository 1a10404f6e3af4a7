"""Cut connections that go on and on beyond their limits."""

from collections import OrderedDict, deque

from passing_protocol.errors import RequestRefused
from passing_server.allowance import Allowances
from passing_server.limits import CONNECTIONS_KEPT, EXCESS_BURST, EXCESS_PER_S, GOODBYE_MS


class Patience:
    """Count what each connection sends beyond its limits, and know which are cut."""

    def __init__(self) -> None:
        """Begin with none cut."""
        self._excess = Allowances(EXCESS_BURST, EXCESS_PER_S)
        self._cut: OrderedDict[bytes, None] = OrderedDict()
        self._to_cut: list[bytes] = []
        self._dismissed: deque[tuple[int, bytes]] = deque()
        self._dismissed_keys: deque[tuple[int, str]] = deque()

    def is_out(self, peer: bytes) -> bool:
        """Tell whether nothing from a connection is read any more."""
        return peer in self._cut

    def count(self, now: int, peer: bytes | None) -> None:
        """Cut a connection that goes on and on beyond its limits; it may connect anew."""
        if peer is None:
            return
        try:
            self._excess.spend(now, peer)
        except RequestRefused:
            self._stop_reading(peer)
            self._to_cut.append(peer)

    def dismiss(self, now: int, peer: bytes) -> None:
        """Read nothing of a connection any more, and cut it when its goodbye has gone out."""
        self._stop_reading(peer)
        self._dismissed.append((now + GOODBYE_MS, peer))

    def dismiss_key(self, now: int, key: str) -> None:
        """Cut every connection of a key, when the goodbyes have gone out."""
        self._dismissed_keys.append((now + GOODBYE_MS, key))

    def take_cut_keys(self, now: int) -> list[str]:
        """Return, once, the keys whose connections are to be closed by now."""
        keys: list[str] = []
        while self._dismissed_keys and self._dismissed_keys[0][0] <= now:
            keys.append(self._dismissed_keys.popleft()[1])
        return keys

    def _stop_reading(self, peer: bytes) -> None:
        self._cut[peer] = None
        if len(self._cut) > CONNECTIONS_KEPT:
            self._cut.popitem(last=False)

    def take_cuts(self) -> list[bytes]:
        """Return, once, the connections that went on beyond their limits."""
        cuts, self._to_cut = self._to_cut, []
        return cuts

    def take_dismissed(self, now: int) -> list[bytes]:
        """Return, once, the dismissed connections that are to be closed by now."""
        peers: list[bytes] = []
        while self._dismissed and self._dismissed[0][0] <= now:
            peers.append(self._dismissed.popleft()[1])
        return peers
