"""A LAN whose every frame is held against what its reader may know."""

import itertools
from collections.abc import Callable

from passing_protocol.views import SeatState
from passing_rules import Match
from passing_server.access import Access
from passing_server.core import Outgoing, Server
from passing_table import Table
from tests.support.lan import TOKENS, Lan, circumstances, counted_entropy
from tests.support.memory_store import MemoryStore
from tests.support.wire_tap import Ledger, WireTap


class TableLedger:
    """Write one table's matches down from what the rules have recorded."""

    def __init__(self) -> None:
        self._ledger = Ledger()
        self._match: Match | None = None
        self._written = 0

    def catch_up(self, match: Match) -> Ledger:
        if match is not self._match:
            self._match, self._written = match, 0
        log = match.log
        self._ledger.write(log[self._written :])
        self._written = len(log)
        return self._ledger


class TappedServer(Server):
    """Serve as ever, and show a wire tap all that goes out and all that could be told."""

    def __init__(self, seed: str, tap: WireTap) -> None:
        self._tap = tap
        self._ledgers: dict[str, TableLedger] = {}
        self._readers: dict[bytes, str] = {}
        entropy = _noted(counted_entropy(seed), tap)
        self.store = MemoryStore()
        super().__init__("den", Access(dict(TOKENS)), entropy, 1, self.store, **circumstances())
        for token in TOKENS.values():
            tap.secrets[token.encode()] = None

    def receive(self, now: int, peer: bytes, data: bytes | None, key: str | None = None) -> None:
        self._tap.secrets[peer] = None
        self._tap.secrets[peer.hex().encode()] = None
        session = self.sessions.by_peer.get(peer)
        if session is not None and data is not None:
            self._tap.named(session.id, data)
        super().receive(now, peer, data, key)
        self._note()

    def tick(self, now: int) -> None:
        super().tick(now)
        self._note()

    def flush(self, now: int) -> list[Outgoing]:
        outgoing = super().flush(now)
        self._note()
        for out in outgoing:
            self._tap.check(self._readers.get(out.peer, "a stranger"), out.data)
        return outgoing

    def _note(self) -> None:
        """Write down what has changed, and whose connections these are."""
        for peer, session in self.sessions.by_peer.items():
            self._readers[peer] = session.id
            self._tap.secrets.setdefault(session.id.encode(), session.id)
        for room in self.lobby.rooms.values():
            self._note_table(room.table)

    def _note_table(self, table: Table) -> None:
        at = table.id, table.changes.rev
        if at in self._tap.moments:
            return
        ledger = Ledger()
        over = False
        if table.play is not None:
            match = table.play.match
            ledger = self._ledgers.setdefault(table.id, TableLedger()).catch_up(match)
            over = match.round is not None and match.round.ending is not None
        seats = {
            seat.occupant.key: number
            for number, seat in enumerate(table.seats)
            if seat.occupant is not None and not seat.gone and seat.state is not SeatState.EMPTY
        }
        self._tap.moments[at] = ledger.moment(seats, _bot_seeds(table), over=over)


def _bot_seeds(table: Table) -> dict[int, str]:
    """Return the seed that belongs to each engine's seat."""
    seeds = {
        number: table.deals.bot_seed(number)
        for number, seat in enumerate(table.seats)
        if seat.is_engine
    }
    return {number: seed for number, seed in seeds.items() if seed is not None}


def _noted(entropy: Callable[[int], bytes], tap: WireTap) -> Callable[[int], bytes]:
    """Return the same source; the keys and tokens that come from it are secrets."""

    def noted(count: int) -> bytes:
        drawn = entropy(count)
        if count == 32:
            tap.secrets[drawn] = None
            tap.secrets[drawn.hex().encode()] = None
        return drawn

    return noted


class TappedLan(Lan):
    """Run a LAN under a wire tap; routing ids are such that they stand out in any frame."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.tap = WireTap()
        server = TappedServer(seed, self.tap)
        self.server, self.store = server, server.store
        self._peers = itertools.count(0xA1B2C3D4)
