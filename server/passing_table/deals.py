"""Where the deals of a table come from (R1.1, R1.5)."""

from collections.abc import Callable
from typing import Protocol

from passing_protocol import deals
from passing_protocol.fair_deal import ROOT_BYTES
from passing_protocol.views import DealKind
from passing_rules import Deal

Entropy = Callable[[int], bytes]
"""Returns that many bytes nobody can foresee; handed in, never made here."""

KEY_BYTES = 32


class DealSource(Protocol):
    """Give the deals of a table, one after the other."""

    kind: DealKind

    @property
    def key(self) -> bytes | None:
        """Return the secret from which all deals follow, None where each is made afresh."""
        ...

    def deal(self, match: int, round_number: int, seats: int) -> tuple[Deal, int]:
        """Return the deal of a round and the leader that chance picks with it."""
        ...

    def bot_seed(self, seat: int) -> str | None:
        """Return what an engine at that seat may seed its own chance with, if anything."""
        ...


class ServerDeals:
    """Deal from the server's own randomness, a fresh key for every deal."""

    kind = DealKind.SERVER

    def __init__(self, entropy: Entropy) -> None:
        """Keep the source of unforeseeable bytes."""
        self.key = None
        self._entropy = entropy

    def deal(self, match: int, round_number: int, seats: int) -> tuple[Deal, int]:
        """Return a deal and a leader from a new key."""
        return deals.deal_and_leader(self._entropy(KEY_BYTES), match, round_number, seats)

    def bot_seed(self, seat: int) -> str | None:
        """Return nothing: engines at such a table use their own chance."""
        return None


class SeededDeals:
    """Deal from one seed: the same seed gives the same deals, leaders and engines' seeds."""

    kind = DealKind.SEEDED

    def __init__(self, seed: bytes) -> None:
        """Keep the seed."""
        self.key = seed

    def deal(self, match: int, round_number: int, seats: int) -> tuple[Deal, int]:
        """Return the deal and the leader of that round of that match."""
        return deals.deal_and_leader(self.key, match, round_number, seats)

    def bot_seed(self, seat: int) -> str | None:
        """Return the seed of that seat's engine."""
        return deals.bot_seed(self.key, seat)


class FairDeals:
    """Deal from the links of all who contribute, the server's among them (`dealing`)."""

    kind = DealKind.FAIR

    def __init__(self, entropy: Entropy) -> None:
        """Keep the source of unforeseeable bytes."""
        self.key = None
        self._entropy = entropy

    def new_root(self) -> bytes:
        """Return the secret root of a new chain of the server's."""
        return self._entropy(ROOT_BYTES)

    def bot_seed(self, seat: int) -> str | None:
        """Return nothing: engines at such a table use their own chance."""
        return None


class GivenDeals(SeededDeals):
    """Deal from a seed as well, at a table of engines alone whose clocks run: a league's."""

    kind = DealKind.GIVEN
