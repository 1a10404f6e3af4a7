"""Records of matches with fair deals, with their proof."""

from passing_protocol.events import DealRevealed, Event
from passing_protocol.records import Proof, ProvenDeal, ProvenList, Record, SeatTag, record_of_match
from passing_protocol.views import DealKind, GameOptions
from tests.support.told_table import ToldTable


class ProvenTable(ToldTable):
    """Keep what is shown of the deals."""

    def __init__(self, seats: int, seed: int, game: GameOptions) -> None:
        self.proof: list[Proof] = []
        super().__init__(seats, seed, game)

    def offer(self) -> None:
        super().offer()
        self.proof.append(ProvenList(self.list_for(0)))

    def happen(self, *events: Event, public: bool = False) -> None:
        super().happen(*events, public=public)
        for event in events:
            if isinstance(event, DealRevealed):
                self.proof.append(ProvenDeal.shown(event, self.match.round_number))

    def record(self) -> Record:
        """Return the record of the match so far."""
        return record_of_match(
            self.match,
            event="kitchen",
            seats=[SeatTag(name) for name in ("Ann", "Bo", "Cy", "Dee")[: len(self.seats)]],
            deal_kind=DealKind.FAIR,
            match_id=self.id,
            proof=self.proof,
        )


def proven_record(seats: int = 2, seed: int = 0, rounds: int = 2) -> Record:
    """Return a match of so many rounds; before the last one a deal becomes nothing."""
    game = GameOptions(seats=seats, target=9_999, max_rounds=rounds)
    table = ProvenTable(seats, seed, game)
    for _ in range(rounds - 1):
        table.play()
    table.silent = {1}
    table.begin_deal()
    table.happen(table.shown(void=True, missing=[1]))
    table.silent = set()
    del table.tips[1]
    table.offer()
    table.play()
    return table.record()
