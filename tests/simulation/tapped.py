"""A server whose every frame is held against what its reader may know, over all its lives."""

from collections.abc import Callable
from typing import Unpack

from passing_server.access import Access
from passing_server.core import Server
from tests.simulation.disk import Disk
from tests.support.lan import TOKENS, Circumstances
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
        **given: Unpack[Circumstances],
    ) -> None:
        self._tap = tap
        self._ledgers: dict[str, TableLedger] = {}
        self._readers: dict[bytes, str] = {}
        Server.__init__(self, name, access, entropy, epoch, store, **given)
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
        **given: Unpack[Circumstances],
    ) -> Server:
        return TappedLife(self.tap, name, access, entropy, epoch, store, **given)
