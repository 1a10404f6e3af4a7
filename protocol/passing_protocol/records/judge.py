"""Judge a record as a whole: that each round follows from those before, and the match's end."""

from passing_protocol.records.forfeits import Forfeits
from passing_protocol.records.judge_round import RoundJudge
from passing_protocol.records.places import RoundPlaces
from passing_protocol.records.reader import InvalidRecord, invalid
from passing_protocol.records.record import ChangeKind, EndReason, Outcome, RoundRecord
from passing_protocol.records.tag_section import TagSection
from passing_rules import (
    Ending,
    RoundResult,
    match_ending,
    match_winner,
    next_leader,
    score_round,
    scores_after,
)


class Judge:
    """Judge the rounds of a game one after the other, and then how it ended.

    A Match of the rules knows every hand. A record may keep them hidden and tell the pips alone,
    so where the match stands between rounds is kept here; the law of it (R1.6, R5) is the rules'.
    """

    def __init__(self, text: str, tags: TagSection) -> None:
        """Begin at nothing to nothing, with the text that places are in."""
        self.text = text
        self.tags = tags
        self.options = tags.options
        self.scores: tuple[int, ...] = (0,) * self.options.sides
        self.last: RoundResult | None = None
        self.forfeits = Forfeits(self.options)
        self.begun = False

    def verify_round(self, played: RoundRecord, places: RoundPlaces) -> None:
        """Raise InvalidRecord with the first piece of the next round that cannot be so."""
        self._verify_head(played, places)
        self.begun = True
        barred = self.forfeits.first_wrong(played, places)
        RoundJudge(self.text, self.tags, played, places, barred).verify()
        if played.result is not None:
            self._verify_score(played, played.result, places)
            self.scores = played.result.scores
            self.last = played.result
            self._verify_no_late_forfeit(played, places)

    def verify_outcome(self, outcome: Outcome | None, at: int) -> None:
        """Raise InvalidRecord unless the match ended so, after the rounds; `at` is its place."""
        wrong = self._wrong_outcome(outcome)
        if wrong is not None:
            raise self._wrong(at, wrong)

    def _wrong(self, at: int, message: str) -> InvalidRecord:
        return invalid(self.text, at, message)

    @property
    def _ended(self) -> EndReason | None:
        """Return why the match is over by the rules, if it is (R5.1, R5.3)."""
        played = 0 if self.last is None else self.last.number
        ending = match_ending(self.options, self.scores, played)
        return None if ending is None else EndReason(ending)

    @property
    def _over(self) -> EndReason | None:
        """Return why the match is over, by the rules or by forfeit."""
        return EndReason.FORFEIT if self.forfeits.decided else self._ended

    def _verify_head(self, played: RoundRecord, places: RoundPlaces) -> None:
        """Raise InvalidRecord unless the round follows from the one before."""
        if self._over is not None:
            raise self._wrong(places.number, "a round is told, the match is over")
        number = 1 if self.last is None else self.last.number + 1
        if played.number != number:
            raise self._wrong(places.number, f"round {played.number}, expected {number}")
        leader = next_leader(self.options, self.last)
        if leader not in (None, played.leader):
            raise self._wrong(places.leader, f"lead {played.leader}, expected {leader}")
        self._verify_scores(played.scores_before, self.scores, places.scores_before)

    def _verify_scores(
        self, told: tuple[int, ...], expected: tuple[int, ...], places: list[int]
    ) -> None:
        for score, right, at in zip(told, expected, places, strict=True):
            if score != right:
                raise self._wrong(at, f"a score of {score}, expected {right}")

    def _verify_score(self, played: RoundRecord, told: RoundResult, places: RoundPlaces) -> None:
        """Raise InvalidRecord unless the pips score as the rules have it (R4)."""
        out = played.actions[-1].seat if told.ending is Ending.OUT else None
        score = score_round(self.options, told.pips, out)
        if told.winners != score.winners:
            named = " ".join(map(str, score.winners)) or "nobody"
            raise self._wrong(places.won, f"another won the round, expected {named}")
        if told.points != score.points:
            raise self._wrong(places.points, f"{told.points} points, expected {score.points}")
        self._verify_scores(told.scores, scores_after(self.scores, score), places.scores)

    def _verify_no_late_forfeit(self, played: RoundRecord, places: RoundPlaces) -> None:
        """Raise InvalidRecord where a seat forfeits after the action that ended the match."""
        for change, at in zip(played.changes, places.changes, strict=True):
            late = change.kind is ChangeKind.FORFEIT and change.after == len(played.actions)
            if late and self._ended is not None:
                raise self._wrong(at, f"seat {change.seat} forfeits, the match is over")

    def _wrong_outcome(self, outcome: Outcome | None) -> str | None:
        """Return what is wrong with the end of the match, if something is."""
        over = self._over
        if outcome is None:
            return None if over is None else f"expected match {over}, as the match is over"
        if outcome.reason is EndReason.FORFEIT and self._ended is None:
            return self._wrong_forfeit(outcome)
        if outcome.reason is EndReason.ABANDONED and over is None:
            return None
        if outcome.reason is not over:
            expected = "the match is not over" if over is None else f"expected match {over}"
            return f"match {outcome.reason}, {expected}"
        return self._wrong_winner(outcome.winner)

    def _wrong_winner(self, told: int | None) -> str | None:
        """Compare with the winner of a match that is played to its end (R5)."""
        winner = match_winner(self.scores)
        if told == winner:
            return None
        says = "drawn" if told is None else f"won by side {told}"
        is_ = "drawn" if winner is None else f"won by side {winner}"
        return f"the match is told to be {says}, it is {is_}"

    def _wrong_forfeit(self, outcome: Outcome) -> str | None:
        """Compare with the seats that forfeited: the last side with a seat left has won.

        Where no round was begun, the match's own line alone tells of forfeits.
        """
        forfeits = self.forfeits
        told = set(outcome.forfeited)
        if not self.begun:
            forfeits.seats = told
        if forfeits.seats - told:
            return f"seat {min(forfeits.seats - told)} forfeited too"
        if told - forfeits.seats:
            return f"seat {min(told - forfeits.seats)} has not forfeited in any round"
        if not forfeits.decided:
            return "a match ends by forfeit when no more than one side is left"
        if outcome.winner != forfeits.winner:
            return "a match that ends by forfeit is won by the side that is left"
        return None
