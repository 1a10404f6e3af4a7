"""One game that is being played: its table, its lanes, and who is to blame for what went wrong."""

from dataclasses import dataclass, field
from enum import StrEnum

from passing_bots.league.log import (
    EVIDENCE_CHARS,
    FaultKind,
    FaultNoted,
    GameOver,
)
from passing_bots.league.plan import GameKey
from passing_bots.league.recording import record_of_game
from passing_bots.league.referee import Referee
from passing_bots.league.roster import Lane
from passing_protocol.events import FaultOwner
from passing_protocol.names import clean_chat
from passing_protocol.records import write
from passing_protocol.views import SeatState


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
    incident: int | None = None


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
    deaths: dict[int, Blame] = field(default_factory=dict[int, Blame])
    """By seat: that its engine's process has ended."""
    asked_at: float | None = None
    """When the server was asked for a sign, since seats are not taken in time."""

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """Return the lane of each seat."""
        return tuple(Lane(engine, seat) for seat, engine in enumerate(self.engines))

    @property
    def missing(self) -> list[int]:
        """Return the seats at which nobody sits."""
        return [n for n, state in enumerate(self.referee.seats) if state is not SeatState.TAKEN]

    def wait_anew(self, now: float) -> None:
        """Give the engines their whole time to sit down once more."""
        self.began = now
        self.asked_at = None

    def blame(self, seat: int, blame: Blame) -> None:
        """Note what a seat's engine did wrong; what it did first counts."""
        self.blamed.setdefault(seat, blame)

    def settle(self) -> None:
        """Blame those that died in the game; one that had ended by the rules before is no loss."""
        for seat, blame in self.deaths.items():
            if seat in self.referee.forfeits or not self.referee.match.over:
                self.blame(seat, blame)

    @property
    def lost(self) -> dict[str, Blame]:
        """Return by engine what it did wrong first; partners are one engine."""
        lost: dict[str, Blame] = {}
        for seat, blame in self.blamed.items():
            lost.setdefault(self.engines[seat], blame)
        return lost

    def fault(
        self, owner: FaultOwner, engine: str | None, blame: Blame, *, replay: bool
    ) -> FaultNoted:
        """Return what the log tells of a fault in this game."""
        return FaultNoted(
            engine=engine,
            owner=owner,
            kind=blame.kind,
            evidence=clean_chat(blame.evidence, EVIDENCE_CHARS),
            pairing=self.key.pairing,
            block=self.key.block,
            rotation=self.key.rotation,
            replay=replay,
            incident=blame.incident,
        )

    def result(self, event: str) -> GameOver:
        """Return what the log tells of the game; it has no record if it was never dealt."""
        return GameOver(
            pairing=self.key.pairing,
            block=self.key.block,
            rotation=self.key.rotation,
            engines=self.engines,
            points=self.referee.match.scores,
            forfeits=tuple(sorted(self.lost)),
            record=self._record(event) if self.referee.dealt else None,
        )

    def _record(self, event: str) -> str:
        referee = self.referee
        record = record_of_game(
            self.key, referee.match, event, self.engines, referee.changes, referee.outcome
        )
        return write([record])
