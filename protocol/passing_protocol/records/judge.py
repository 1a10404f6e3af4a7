"""Judge a record as a whole: that each round follows from those before, and the match's end."""

from passing_protocol.records.judge_round import RoundJudge
from passing_protocol.records.places import Placed, RoundPlaces
from passing_protocol.records.record import ChangeKind, EndReason, Outcome, RoundRecord
from passing_rules import Ending, Lead, RoundResult, score_round


class Judge:
    """Judge the rounds of a record one after the other.

    A Match of the rules knows every hand. A record may keep them hidden and tell the pips alone,
    so the standing between rounds (R1.6, R5) is kept here, and all else is left to the rules.
    """

    def __init__(self, placed: Placed) -> None:
        """Begin at nothing to nothing."""
        self.placed = placed
        self.options = placed.record.options
        self.scores: tuple[int, ...] = (0,) * self.options.sides
        self.last: RoundResult | None = None

    def verify(self) -> None:
        """Raise InvalidRecord with the first piece of the record that cannot be so."""
        for played, places in zip(self.placed.record.rounds, self.placed.rounds, strict=True):
            self._verify_head(played, places)
            RoundJudge(self.placed, played, places).verify()
            if played.result is not None:
                self._verify_score(played, played.result, places)
                self.scores = played.result.scores
                self.last = played.result
        wrong = self._wrong_outcome(self.placed.record.outcome)
        if wrong is not None:
            raise self.placed.wrong(self.placed.outcome, wrong)

    @property
    def _over(self) -> EndReason | None:
        """Return why the match is over by itself, if it is (R5.1, R5.3)."""
        if max(self.scores) >= self.options.target:
            return EndReason.TARGET
        played = 0 if self.last is None else self.last.number
        return EndReason.MAX_ROUNDS if played == self.options.max_rounds else None

    def _verify_head(self, played: RoundRecord, places: RoundPlaces) -> None:
        """Raise InvalidRecord unless the round follows from the one before."""
        if self._over is not None:
            raise self.placed.wrong(places.number, "a round is told, the match is over")
        number = 1 if self.last is None else self.last.number + 1
        if played.number != number:
            raise self.placed.wrong(places.number, f"round {played.number}, expected {number}")
        leader = self._leader()
        if leader not in (None, played.leader):
            raise self.placed.wrong(places.leader, f"lead {played.leader}, expected {leader}")
        self._verify_scores(played.scores_before, self.scores, places.scores_before)

    def _leader(self) -> int | None:
        """Return who leads the next round; None where chance says so (R1.5, R1.6)."""
        if self.last is None or self.options.lead is Lead.RANDOM:
            return None
        seats = self.options.seats
        clockwise = [(self.last.leader + step) % seats for step in range(1, seats + 1)]
        if self.options.lead is Lead.WINNER:
            return next((seat for seat in clockwise if seat in self.last.winners), clockwise[0])
        return clockwise[0]

    def _verify_scores(
        self, told: tuple[int, ...], expected: tuple[int, ...], places: list[int]
    ) -> None:
        for score, right, at in zip(told, expected, places, strict=True):
            if score != right:
                raise self.placed.wrong(at, f"a score of {score}, expected {right}")

    def _verify_score(self, played: RoundRecord, told: RoundResult, places: RoundPlaces) -> None:
        """Raise InvalidRecord unless the pips score as the rules have it (R4)."""
        out = played.actions[-1].seat if told.ending is Ending.OUT else None
        score = score_round(self.options, told.pips, out)
        if told.winners != score.winners:
            named = " ".join(map(str, score.winners)) or "nobody"
            raise self.placed.wrong(places.won, f"another won the round, expected {named}")
        if told.points != score.points:
            message = f"{told.points} points, expected {score.points}"
            raise self.placed.wrong(places.points, message)
        after = tuple(
            before + (score.points if side == score.side else 0)
            for side, before in enumerate(self.scores)
        )
        self._verify_scores(told.scores, after, places.scores)

    def _wrong_outcome(self, outcome: Outcome | None) -> str | None:
        """Return what is wrong with the end of the match, if something is."""
        over = self._over
        if outcome is None:
            return None if over is None else f"expected match {over}, as the match is over"
        if outcome.reason in (EndReason.TARGET, EndReason.MAX_ROUNDS) or over is not None:
            return self._wrong_end(outcome, over)
        return self._wrong_forfeit(outcome) if outcome.reason is EndReason.FORFEIT else None

    def _wrong_end(self, outcome: Outcome, over: EndReason | None) -> str | None:
        """Compare with the end of a match that is played to its end (R5)."""
        if outcome.reason is not over:
            return f"match {outcome.reason}, the match is {over or 'not over'}"
        best = max(self.scores)
        winner = self.scores.index(best) if self.scores.count(best) == 1 else None
        if outcome.winner != winner:
            told = f"won by side {outcome.winner}" if outcome.winner is not None else "drawn"
            is_ = f"won by side {winner}" if winner is not None else "drawn"
            return f"the match is told to be {told}, it is {is_}"
        return None

    def _wrong_forfeit(self, outcome: Outcome) -> str | None:
        """Compare with the seats that forfeited: the last side with a seat left has won."""
        told = {
            change.seat
            for played in self.placed.record.rounds
            for change in played.changes
            if change.kind is ChangeKind.FORFEIT
        }
        missing = told - set(outcome.forfeited)
        if missing:
            return f"seat {min(missing)} forfeited too"
        seats = set(range(self.options.seats)) - set(outcome.forfeited)
        sides = {self.options.side_of(seat) for seat in seats}
        if len(sides) > 1:
            return "a match ends by forfeit when no more than one side is left"
        if outcome.winner != next(iter(sides), None):
            return "a match that ends by forfeit is won by the side that is left"
        return None
