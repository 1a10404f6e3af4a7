"""A server whose every frame is held against what its reader may know, over all its lives."""

from collections.abc import Callable

from passing_server.access import Access
from passing_server.core import Server
from passing_server.storing import Durability
from tests.simulation.disk import Disk
from tests.support.lan import TOKENS
from tests.support.tapped_lan import TableLedger, TappedServer
from tests.support.wire_tap import WireTap


class TappedLife(TappedServer):
    """Serve one life under a tap that has seen the earlier ones."""

    def __init__(
        self,
        tap: WireTap,
        name: str,
        access: Access,
        entropy: Callable[[int], bytes],
        epoch: int,
        store: Disk,
        *,
        people: Durability,
        today: Callable[[], int],
        memory: Callable[[], int],
    ) -> None:
        self._tap = tap
        self._ledgers: dict[str, TableLedger] = {}
        self._readers: dict[bytes, str] = {}
        Server.__init__(
            self, name, access, entropy, epoch, store, people=people, today=today, memory=memory
        )
        for token in TOKENS.values():
            tap.secrets[token.encode()] = None
        tap.moments.clear()
        for reader in tap.readers.values():
            reader.sent.clear()


class Tapping:
    """Make one life of a server after the other under the same tap."""

    def __init__(self) -> None:
        self.tap = WireTap()

    def __call__(
        self,
        name: str,
        access: Access,
        entropy: Callable[[int], bytes],
        epoch: int,
        store: Disk,
        *,
        people: Durability,
        today: Callable[[], int],
        memory: Callable[[], int],
    ) -> Server:
        return TappedLife(
            self.tap, name, access, entropy, epoch, store, people=people, today=today, memory=memory
        )
