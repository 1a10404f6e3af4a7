"""Cut connections that go on and on beyond their limits."""

from collections import OrderedDict

from passing_protocol.errors import RequestRefused
from passing_server.allowance import PerConnection
from passing_server.limits import CONNECTIONS_KEPT, EXCESS_BURST, EXCESS_PER_S


class Patience:
    """Count what each connection sends beyond its limits, and know which are cut."""

    def __init__(self) -> None:
        """Begin with none cut."""
        self._excess = PerConnection(EXCESS_BURST, EXCESS_PER_S)
        self._cut: OrderedDict[bytes, None] = OrderedDict()
        self._to_cut: list[bytes] = []

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
            self._cut[peer] = None
            self._to_cut.append(peer)
            if len(self._cut) > CONNECTIONS_KEPT:
                self._cut.popitem(last=False)

    def take_cuts(self) -> list[bytes]:
        """Return, once, the connections that are to be closed."""
        cuts, self._to_cut = self._to_cut, []
        return cuts
