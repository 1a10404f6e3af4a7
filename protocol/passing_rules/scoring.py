"""Who wins a round and how much it is worth (R4)."""

from typing import NamedTuple

from passing_rules.options import Options, PartnerScoring


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
