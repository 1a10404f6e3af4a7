"""What was found out about all the deals of a match, counted."""

from collections import Counter
from dataclasses import dataclass, field

from passing_protocol.verdicts import Outcome, Reason, Verdict


@dataclass(slots=True)
class DealTally:
    """Hold the verdicts of the deals of one match, by deal; of deals done again there is none.

    `told` says whether the person has been told how many there were of each.
    """

    match: str = ""
    found: dict[int, Verdict] = field(default_factory=dict[int, Verdict])
    told: bool = False

    def note(self, verdict: Verdict, match: str) -> None:
        """Count a verdict if it is of that match, the one at the table; a failure stays one."""
        if match != self.match:
            self.match, self.found, self.told = match, {}, False
        before = self.found.get(verdict.deal)
        if verdict.match != match or verdict.outcome is Outcome.REDONE:
            return
        if before is None or before.outcome is not Outcome.FAILED:
            self.found[verdict.deal] = verdict

    def knows(self, match: str, round_number: int) -> bool:
        """Tell whether there is a verdict of the deal of that round of a match."""
        rounds = {verdict.round for verdict in self.found.values()}
        return match == self.match and round_number in rounds

    def count(self, outcome: Outcome) -> int:
        """Return how many deals of the match came out like that."""
        return sum(verdict.outcome is outcome for verdict in self.found.values())

    def unchecked(self) -> Counter[Reason | None]:
        """Return why deals were not checked, and how many for each reason."""
        return Counter(v.reason for v in self.found.values() if v.outcome is Outcome.UNCHECKED)
