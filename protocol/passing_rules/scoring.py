"""Who wins a round and what it is worth, who leads the next, who wins the match (R1.6, R4, R5)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from passing_rules.options import Lead, Options, PartnerScoring
from passing_rules.round import Ending


@dataclass(frozen=True, slots=True)
class RoundResult:
    """Record the end of a round.

    `pips` are by seat, `winners` are seats (none where nobody scores), `side` is the side that
    scores, and `scores` stand per side after the round.
    """

    number: int
    leader: int
    ending: Ending
    pips: tuple[int, ...]
    winners: tuple[int, ...]
    side: int | None
    points: int
    scores: tuple[int, ...]


class MatchEnding(StrEnum):
    """Name the ways in which the rules end a match; the values are stable codes."""

    TARGET = "target"
    MAX_ROUNDS = "max_rounds"


class RoundScore(NamedTuple):
    """Hold the winning seats, the side that scores and its points; (), None, 0 for nobody."""

    winners: tuple[int, ...]
    side: int | None
    points: int


def score_round(options: Options, pips: tuple[int, ...], out: int | None) -> RoundScore:
    """Score a round from the pips left by seat and the seat that went out, if one did.

    >>> score_round(Options.of(3), (12, 3, 5), None)
    RoundScore(winners=(1,), side=1, points=14)
    """
    lowest = min(pips)
    winners = tuple(seat for seat, count in enumerate(pips) if count == lowest)
    if out is not None and options.out_wins_ties:
        winners = (out,)  # R4.3
    sides = {options.side_of(seat) for seat in winners}
    if len(sides) > 1:
        return RoundScore((), None, 0)  # R4.3
    side = sides.pop()
    return RoundScore(winners, side, _points(options, pips, winners[0]))


def _points(options: Options, pips: tuple[int, ...], winner: int) -> int:
    """Sum everybody else's pips (R4.2), or both opponents' (R4.4), less the winner's own."""
    side = options.side_of(winner)
    opponents_only = options.partners and options.partner_scoring is PartnerScoring.OPPONENTS
    others = sum(
        count
        for seat, count in enumerate(pips)
        if seat != winner and not (opponents_only and options.side_of(seat) == side)
    )
    return others - pips[winner]


def scores_after(scores: tuple[int, ...], score: RoundScore) -> tuple[int, ...]:
    """Return the scores per side after a round: no more than one side's grows (R5.2).

    >>> scores_after((10, 20), RoundScore((1,), 1, 5))
    (10, 25)
    """
    return tuple(
        before + score.points if side == score.side else before
        for side, before in enumerate(scores)
    )


def next_leader(options: Options, last: RoundResult | None) -> int | None:
    """Return who leads the round after the last one, or the first; None where chance says.

    Chance draws the first leader (R1.5); later R1.6 has it.
    """
    if last is None or options.lead is Lead.RANDOM:
        return None
    clockwise = [(last.leader + step) % options.seats for step in range(1, options.seats + 1)]
    if options.lead is Lead.WINNER:
        return next((seat for seat in clockwise if seat in last.winners), clockwise[0])
    return clockwise[0]


def match_ending(options: Options, scores: tuple[int, ...], rounds: int) -> MatchEnding | None:
    """Return how a match is over after so many rounds (R5.1, R5.3); None while it goes on.

    >>> match_ending(Options.of(2, max_rounds=2), (100, 20), 2)
    <MatchEnding.MAX_ROUNDS: 'max_rounds'>
    """
    if max(scores) >= options.target:
        return MatchEnding.TARGET
    return MatchEnding.MAX_ROUNDS if rounds == options.max_rounds else None


def match_winner(scores: tuple[int, ...]) -> int | None:
    """Return the side with the highest score; None where sides share it, a draw (R5.3)."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None
