"""One game that is being played: its table, its lanes, and who is to blame for what went wrong."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import StrEnum

from passing_bots.league.log import FaultKind, GameOver
from passing_bots.league.plan import GameKey
from passing_bots.league.referee import Referee
from passing_bots.league.roster import Lane
from passing_protocol.records import SeatTag, record_of_match, write
from passing_protocol.views import DealKind, SeatState

PRESENT = (SeatState.TAKEN, SeatState.AWAY, SeatState.FORFEITED)
"""The states of a seat that has been taken."""


class Stage(StrEnum):
    """Name how far a game has come."""

    MAKING = "making"
    SEATING = "seating"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Blame:
    """Say what an engine did wrong in a game; faults of one incident count once in a row."""

    kind: FaultKind
    evidence: str
    incident: Hashable = None


@dataclass(slots=True, eq=False)
class Game:
    """Hold one game; `engines` are the names by seat, `began` is in seconds of the clock."""

    key: GameKey
    engines: tuple[str, ...]
    referee: Referee
    began: float
    table: str | None = None
    stage: Stage = Stage.MAKING
    blamed: dict[int, Blame] = field(default_factory=dict[int, Blame])

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """Return the lane of each seat."""
        return tuple(Lane(engine, seat) for seat, engine in enumerate(self.engines))

    @property
    def missing(self) -> list[int]:
        """Return the seats that nobody has taken yet."""
        return [n for n, state in enumerate(self.referee.seats) if state not in PRESENT]

    def blame(self, seat: int, blame: Blame) -> None:
        """Note what a seat's engine did wrong; what it did first counts."""
        self.blamed.setdefault(seat, blame)

    def result(self, event: str) -> GameOver:
        """Return what the log tells of the game; it has no record if it was never dealt."""
        lost = {self.engines[seat] for seat in self.blamed}
        return GameOver(
            pairing=self.key.pairing,
            block=self.key.block,
            rotation=self.key.rotation,
            engines=self.engines,
            points=self.referee.match.scores,
            forfeits=tuple(sorted(lost)),
            record=self._record(event) if self.referee.dealt else None,
        )

    def _record(self, event: str) -> str:
        """Return the full record; it has no time in it, so that the same game is the same text."""
        key = self.key
        record = record_of_match(
            self.referee.match,
            event=event,
            seats=[SeatTag(engine, engine) for engine in self.engines],
            deal_kind=DealKind.GIVEN,
            tags=[("Block", str(key.block)), ("Rotation", str(key.rotation))],
            changes=self.referee.changes,
            outcome=self.referee.outcome,
        )
        return write([record])
