"""What is shown of a match's fair deals, and found out about them, noted for its record."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from passing_protocol.events import DealRevealed
from passing_protocol.records import Proof, ProvenDeal, ProvenList
from passing_protocol.records.proof import shown_before
from passing_protocol.verdicts import Outcome, Verdict
from passing_protocol.views import TipList

_TAGS: Final = {
    Outcome.CHECKED: "Checked",
    Outcome.UNCHECKED: "Unchecked",
    Outcome.FAILED: "Unfair",
}
"""The rounds whose deals one's own software has checked, has not, or has found to be unfair."""

MOST_PROOF: Final = 2_048
"""So many lists and deals of a match are noted, more than people play: a server may go on."""


@dataclass
class ProofStory:
    """Note lists of tips, and the links of deals under them; others mean nothing in a record.

    `judged` is what was found out, by rounds; what is unfair stays so.
    """

    proof: list[Proof] = field(default_factory=list[Proof])
    version: int = 0
    deal: int = 0
    judged: dict[int, Verdict] = field(default_factory=dict[int, Verdict])

    def judge(self, verdict: Verdict) -> None:
        """Note what was found out about the deal of a round."""
        before = self.judged.get(verdict.round)
        if verdict.outcome in _TAGS and (before is None or before.outcome is not Outcome.FAILED):
            self.judged[verdict.round] = verdict

    def tags(self, rounds: Collection[int]) -> list[tuple[str, str]]:
        """Return what was found out about these rounds, each with the reason if there is one."""
        tags: list[tuple[str, str]] = []
        for outcome, name in _TAGS.items():
            told = [
                f"{number}:{verdict.reason}" if verdict.reason is not None else str(number)
                for number, verdict in sorted(self.judged.items())
                if verdict.outcome is outcome and number in rounds
            ]
            if told:
                tags.append((name, " ".join(told)))
        return tags

    def agreed(self, tips: TipList | None) -> None:
        """Note the newest list, once; raises InvalidValue."""
        if tips is not None and tips.version > self.version and not self._is_full:
            self.proof.append(ProvenList(tips))
            self.version = tips.version

    def shown(self, event: DealRevealed, round_number: int) -> None:
        """Note the links of a deal, once; the round counts if it is not void.

        Raises InvalidValue.
        """
        is_next = event.version == self.version and event.deal > self.deal
        if is_next and not self._is_full:
            self.proof.append(ProvenDeal.shown(event, round_number))
            self.deal = event.deal

    @property
    def _is_full(self) -> bool:
        return len(self.proof) >= MOST_PROOF

    def told(self, rounds: Collection[int]) -> tuple[Proof, ...]:
        """Return what goes with a record in which those rounds are told to their ends."""
        shown = {entry.round for entry in self.proof if isinstance(entry, ProvenDeal)}
        hidden = frozenset(n for n in shown if n is not None and n not in rounds)
        return shown_before(self.proof, hidden)
