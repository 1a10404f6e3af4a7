"""Follow one game from what its table tells, and play every action again under the rules.

The referee knows the deals, as it has the key that they come from. So the record that it keeps
is whole, and a server that told anything else than the rules would be found out.
"""

from typing import NamedTuple

from passing_protocol.deals import deal_and_leader
from passing_protocol.events import (
    ForfeitKind,
    MatchEnded,
    RoundBegan,
    RoundEnded,
    SeatChanged,
    StateChanged,
)
from passing_protocol.messages import Update
from passing_protocol.records import ChangeKind, Outcome, SeatChange
from passing_protocol.views import Acted, SeatState, TableState
from passing_rules import Match, Options

FIRST_MATCH = 1
"""A table of a league plays one match."""


class OutOfStep(Exception):
    """Raised when what a table tells is not what the rules or its earlier news say."""


class Missed(Exception):
    """Raised when news of a table did not arrive."""


class Forfeit(NamedTuple):
    """Hold what a seat is forfeited for, and what was seen."""

    kind: ForfeitKind
    evidence: str


class Referee:
    """Hold one game: the rules' match, who sits, who has forfeited and why."""

    def __init__(self, options: Options, key: bytes) -> None:
        """Wait for the first news of a table that deals by `key`."""
        self.match = Match(options)
        self.ended: MatchEnded | None = None
        self.seats: list[SeatState] = [SeatState.EMPTY] * options.seats
        self.forfeits: dict[int, Forfeit] = {}
        """By seat: what the table has told of why it forfeited."""
        self.changes: dict[int, list[SeatChange]] = {}
        """By round: the seats that were lost in it."""
        self.paused = False
        self._key = key
        self._rev: int | None = None

    @property
    def dealt(self) -> bool:
        """Tell whether tiles have been dealt."""
        return self.match.round is not None

    def follow(self, update: Update) -> None:
        """Take in an update of the table. Raises OutOfStep and Missed."""
        if self._rev is not None and update.rev != self._rev + len(update.events):
            raise Missed(f"news {update.rev} came after {self._rev}")
        self._rev = update.rev
        for event in update.events:
            try:
                self._happened(event)
            except (ValueError, IndexError) as error:  # what the rules raise, and no such seat
                raise OutOfStep(str(error)) from error

    def _happened(self, event: object) -> None:
        match event:
            case SeatChanged():
                self._seat_changed(event)
            case RoundBegan():
                self._deal(event)
            case Acted():
                self.match.do(event.seat, event.action.action, event.timed_out)
            case RoundEnded():
                self._verify_round(event)
            case MatchEnded():
                self._verify_end(event)
            case StateChanged(state=state):
                self.paused = state is TableState.PAUSED
            case _:
                pass

    def _seat_changed(self, event: SeatChanged) -> None:
        self.seats[event.seat] = event.info.state
        if event.info.state is not SeatState.FORFEITED or event.seat in self.forfeits:
            return
        fault = event.fault
        if fault is None or fault.kind is None:
            raise OutOfStep(f"seat {event.seat} has forfeited, and it is not told for what")
        self.forfeits[event.seat] = Forfeit(fault.kind, fault.evidence)
        done = len(self.match.round.records) if self.match.round is not None else 0
        change = SeatChange(event.seat, done, ChangeKind.FORFEIT, fault.evidence)
        self.changes.setdefault(self.match.round_number, []).append(change)

    def _deal(self, event: RoundBegan) -> None:
        match = self.match
        number = match.round_number + 1
        deal, drawn = deal_and_leader(self._key, FIRST_MATCH, number, match.options.seats)
        began = match.begin_round(deal, drawn if match.chance_leads else None)
        if (began.number, began.leader) != (event.round, event.leader):
            raise OutOfStep(
                f"round {event.round} led by seat {event.leader}: "
                f"by the rules round {began.number} led by seat {began.leader}"
            )

    def _verify_round(self, event: RoundEnded) -> None:
        result = self.match.results[-1] if self.match.results else None
        if result is None:
            raise OutOfStep(f"round {event.round} has ended: by the rules it goes on")
        told = (event.round, event.ending, *map(tuple, (event.pips, event.winners, event.scores)))
        known = (result.number, result.ending, result.pips, result.winners, result.scores)
        if told != known:
            raise OutOfStep(f"round {event.round} ended as {told}: by the rules {known}")

    def _verify_end(self, event: MatchEnded) -> None:
        match = self.match
        by_the_rules = event.reason in ("target", "max_rounds")
        if tuple(event.scores) != match.scores or by_the_rules != match.over:
            raise OutOfStep(
                f"the match ended by {event.reason} at {event.scores}: by the rules it is "
                f"{'over' if match.over else 'not over'} at {list(match.scores)}"
            )
        self.ended = event

    @property
    def outcome(self) -> Outcome | None:
        """Return how the match ended where it ended early; None where the rules ended it."""
        ended = self.ended
        if ended is None or self.match.over:
            return None
        return Outcome.told(ended.reason, ended.winner, self.forfeits)
