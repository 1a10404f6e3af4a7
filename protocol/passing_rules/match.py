"""A match: rounds until a side reaches the target (R1.5, R1.6, R5)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from passing_rules.actions import Action, ActionRecord, IllegalAction, Refusal
from passing_rules.deal import Deal, InvalidDeal
from passing_rules.options import Options
from passing_rules.round import Ending, InvalidLeader, Round
from passing_rules.scoring import (
    MatchEnding,
    RoundResult,
    match_ending,
    match_winner,
    next_leader,
    score_round,
    scores_after,
)


class RoundNotDue(ValueError):
    """Raised when a round is begun while one is being played, or after the match."""


class InvalidLog(ValueError):
    """Raised when a log tells what cannot have happened."""


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """Record the beginning of a round; rounds are numbered from 1."""

    number: int
    leader: int
    deal: Deal


LogEntry = RoundBegun | ActionRecord


class Match:
    """Play a match; it is exactly its options and its log of deals and actions.

    >>> match = Match(Options.of(2))
    >>> match.chance_leads, match.over, match.scores
    (True, False, (0, 0))
    """

    __slots__ = ("_log", "_results", "options", "round", "scores")

    def __init__(self, options: Options) -> None:
        """Start at nothing to nothing, before the first round."""
        self.options = options
        self.scores: tuple[int, ...] = (0,) * options.sides
        """The scores per side."""
        self.round: Round | None = None
        """The round being played or, between rounds, the last one."""
        self._results: list[RoundResult] = []
        self._log: list[LogEntry] = []

    @classmethod
    def replay(cls, options: Options, log: Iterable[LogEntry]) -> Self:
        """Return the match that a log tells; raises InvalidLog."""
        match = cls(options)
        for entry in log:
            try:
                again = match._repeat(entry)
            except ValueError as error:
                raise InvalidLog(f"log entry {len(match._log)}: {error}") from error
            if again != entry:
                raise InvalidLog(f"log entry {len(match._log) - 1}: {entry}, expected {again}")
        return match

    def _repeat(self, entry: LogEntry) -> LogEntry:
        if isinstance(entry, RoundBegun):
            return self.begin_round(entry.deal, entry.leader if self.chance_leads else None)
        return self.do(entry.seat, entry.action, entry.timed_out)

    @property
    def round_number(self) -> int:
        """Return the number of the round being played or last played; 0 before the first."""
        return len(self._results) + self._playing

    @property
    def results(self) -> tuple[RoundResult, ...]:
        """Return the results of the rounds played."""
        return tuple(self._results)

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """Return every beginning of a round and every action, in order."""
        return tuple(self._log)

    @property
    def ending(self) -> MatchEnding | None:
        """Return how the match is over (R5.1, R5.3); None while it goes on."""
        return match_ending(self.options, self.scores, len(self._results))

    @property
    def over(self) -> bool:
        """Tell whether the match has ended."""
        return self.ending is not None

    @property
    def winner(self) -> int | None:
        """Return the winning side; None while the match goes on, or where it is drawn (R5.3)."""
        return match_winner(self.scores) if self.over else None

    @property
    def chance_leads(self) -> bool:
        """Tell whether chance draws the leader of the round being played or due (R1.5, R1.6)."""
        return self._leader is None

    @property
    def _leader(self) -> int | None:
        return next_leader(self.options, self._results[-1] if self._results else None)

    def begin_round(self, deal: Deal, drawn_leader: int | None = None) -> RoundBegun:
        """Begin the next round, with a drawn leader exactly where chance leads.

        Raises RoundNotDue, InvalidDeal and InvalidLeader, and changes nothing then.
        """
        if self.over or self._playing:
            raise RoundNotDue("round: the match is over" if self.over else "round: still played")
        if len(deal.hands) != self.options.seats:
            raise InvalidDeal(f"deal: {len(deal.hands)} hands for {self.options.seats} seats")
        leader = self._leader_or(drawn_leader)
        self.round = Round(deal, leader, self.options.pass_circles)
        begun = RoundBegun(len(self._results) + 1, leader, deal)
        self._log.append(begun)
        return begun

    def _leader_or(self, drawn: int | None) -> int:
        leader = self._leader
        if leader is None:
            if drawn is None:
                raise InvalidLeader("leader: none drawn, this round's is drawn at random")
            return drawn
        if drawn is not None:
            raise InvalidLeader(f"leader: {drawn} drawn, this round's leader is not drawn")
        return leader

    def verify(self, seat: int, action: Action) -> None:
        """Raise IllegalAction with the first reason why the seat may not do this now."""
        if self.round is None:
            raise IllegalAction(Refusal.ROUND_OVER, seat, action)
        self.round.verify(seat, action)

    def can(self, seat: int, action: Action) -> bool:
        """Tell whether the seat may do this now."""
        return self.round is not None and self.round.can(seat, action)

    def do(self, seat: int, action: Action, timed_out: bool = False) -> ActionRecord:
        """Carry out an action, score the round if it ends, and return the action's record.

        Raises IllegalAction and InvalidAction, and changes nothing then.
        """
        if self.round is None:
            raise IllegalAction(Refusal.ROUND_OVER, seat, action)
        record = self.round.do(seat, action, timed_out)
        self._log.append(record)
        if self.round.ending is not None:
            self._score(self.round, self.round.ending)
        return record

    @property
    def _playing(self) -> bool:
        return self.round is not None and self.round.ending is None

    def _score(self, played: Round, ending: Ending) -> None:
        out = played.to_act if ending is Ending.OUT else None
        pips = played.pips
        score = score_round(self.options, pips, out)
        self.scores = scores_after(self.scores, score)
        number = len(self._results) + 1
        self._results.append(
            RoundResult(number, played.leader, ending, pips, *score, scores=self.scores)
        )
