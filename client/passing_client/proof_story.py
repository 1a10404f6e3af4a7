"""What is shown of a match's fair deals, noted for its record."""

from collections.abc import Collection
from dataclasses import dataclass, field

from passing_protocol.events import DealRevealed
from passing_protocol.records import Proof, ProvenDeal, ProvenList
from passing_protocol.records.proof import shown_before
from passing_protocol.views import TipList


@dataclass
class ProofStory:
    """Note lists of tips, and the links of deals under them; others mean nothing in a record."""

    proof: list[Proof] = field(default_factory=list[Proof])
    version: int = 0
    deal: int = 0

    def agreed(self, tips: TipList | None) -> None:
        """Note the newest list, once; raises InvalidValue."""
        if tips is not None and tips.version > self.version:
            self.proof.append(ProvenList(tips))
            self.version = tips.version

    def shown(self, event: DealRevealed, round_number: int) -> None:
        """Note the links of a deal, once; the round counts if it is not void.

        Raises InvalidValue.
        """
        if event.version == self.version and event.deal > self.deal:
            self.proof.append(ProvenDeal.shown(event, round_number))
            self.deal = event.deal

    def told(self, rounds: Collection[int]) -> tuple[Proof, ...]:
        """Return what goes with a record in which those rounds are told to their ends."""
        shown = {entry.round for entry in self.proof if isinstance(entry, ProvenDeal)}
        hidden = frozenset(n for n in shown if n is not None and n not in rounds)
        return shown_before(self.proof, hidden)
