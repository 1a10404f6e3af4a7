"""A round as one client sees it go by, to be played again from the deal once that is known."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from passing_protocol.events import RoundBegan, RoundEnded
from passing_protocol.verdicts import Reason
from passing_protocol.views import Acted, Mine, PublicView
from passing_protocol.wire import TileText, tile_text
from passing_rules import (
    ALL_TILES,
    Deal,
    Ending,
    IllegalAction,
    InvalidAction,
    Lead,
    Options,
    Round,
    RoundResult,
    RoundScore,
    next_leader,
    score_round,
    scores_after,
)

MOST_ACTIONS: Final = 512
"""More actions than a round can have: 40 plays and draws, and no more than 7 passes between."""


Hands = dict[int, tuple[TileText, ...]]
"""The tiles of some seats."""


class Mismatch(Exception):
    """Raised when a round was not played with a deal."""

    def __init__(self, reason: Reason) -> None:
        """Keep what does not fit."""
        super().__init__(reason.value)
        self.reason = reason


@dataclass(slots=True)
class SeenRound:
    """Keep what a client was told of a round.

    `is_live` tells whether it was there when the tiles were dealt. `last` is the result of the
    round before, None where it is not known. `hands` are its own tiles after so many actions, by
    seat, as it may come to sit at another; `drawn` are those drawn with the action of that number.
    """

    match: str
    number: int
    leader: int
    deal: int
    is_live: bool
    last: RoundResult | None = None
    is_first: bool = False
    """Whether no round of the match came before it, whatever number it has."""
    actions: list[Acted] = field(default_factory=list[Acted])
    hands: dict[int, Hands] = field(default_factory=dict[int, Hands])
    drawn: dict[int, TileText] = field(default_factory=dict[int, TileText])
    ended: RoundEnded | None = None
    broken: bool = False
    """Whether it was told in two ways that cannot both be true."""

    @classmethod
    def begun(cls, match: str, event: RoundBegan, before: "SeenRound | None") -> "SeenRound":
        """Begin with the tiles just dealt; `before` is the round of the match seen last."""
        seen = cls(match, event.round, event.leader, event.deal_number or 0, is_live=True)
        seen.last = before.result if before is not None else None
        seen.is_first = before is None
        return seen

    @classmethod
    def shown(cls, view: PublicView, leader: int, deal: int) -> "SeenRound":
        """Begin with what the table shows of a round that began before."""
        is_first = view.round == 1
        seen = cls(view.match, view.round, leader, deal, is_live=False, is_first=is_first)
        seen.catch_up(view.actions, set_back=False)
        return seen

    @property
    def result(self) -> RoundResult | None:
        """Return how the round ended as the rules know it; None before that."""
        ended = self.ended
        if ended is None:
            return None
        return RoundResult(
            ended.round,
            self.leader,
            Ending(ended.ending),
            tuple(ended.pips),
            tuple(ended.winners),
            ended.side,
            ended.points,
            tuple(ended.scores),
        )

    @property
    def seats(self) -> set[int]:
        """Return the seats at which this client had tiles."""
        return {seat for hands in self.hands.values() for seat in hands}

    def is_shown(self, view: PublicView) -> bool:
        """Tell whether a view is of this round."""
        shown = view.match, view.round, view.deal_number or 0
        return shown == (self.match, self.number, self.deal)

    def follow(self, acted: Acted | RoundEnded) -> None:
        """Take in one action, or how the round ended."""
        if isinstance(acted, RoundEnded):
            self.ended = acted
        elif len(self.actions) < MOST_ACTIONS:
            self.actions.append(acted)
        else:
            self.broken = True

    def catch_up(self, actions: Sequence[Acted], *, set_back: bool) -> None:
        """Take in all actions of the round as the table shows them.

        What was `set_back` by a loss of power may have gone on in another way since.
        """
        same = min(len(self.actions), len(actions))
        if list(actions[:same]) != self.actions[:same]:
            if not set_back:
                self.broken = True
                return
            self._forget_after(0)
        elif set_back and len(actions) < len(self.actions):
            self._forget_after(len(actions))
        for acted in actions[len(self.actions) :]:
            self.follow(acted)

    def _forget_after(self, count: int) -> None:
        """Forget all that was seen after so many actions; the first hand stays as it is."""
        del self.actions[count:]
        self.ended = None
        self.hands = {at: hand for at, hand in self.hands.items() if at <= count}
        self.drawn = {at: tile for at, tile in self.drawn.items() if at < count}

    def look(self, mine: Mine) -> None:
        """Take note of one's own tiles as they are now."""
        at = len(self.actions)
        hand = tuple(sorted(mine.hand))
        known = self.hands.setdefault(at, {}).setdefault(mine.seat, hand)
        if len(hand) > len(ALL_TILES) or known != hand:
            self.broken = True
        if mine.drew is not None:
            self._drew(mine)

    def _drew(self, mine: Mine) -> None:
        """Remember the tile of one's own last draw, which may lie some actions back."""
        for at in range(len(self.actions) - 1, -1, -1):
            acted = self.actions[at]
            if acted.seat == mine.seat:
                if acted.action.draw and mine.drew is not None:
                    self.drawn.setdefault(at, mine.drew)
                return

    # --- the check

    def verify(self, deal: Deal, drawn_leader: int, options: Options) -> None:
        """Raise Mismatch unless all that was seen follows from the deal by the rules.

        `drawn_leader` is who leads where chance says so (R1.5, R1.6).
        """
        if self.broken:
            raise Mismatch(Reason.HISTORY)
        self._verify_leader(drawn_leader, options)
        played = Round(deal, self.leader, options.pass_circles)
        self._verify_hands(played, 0)
        for at, acted in enumerate(self.actions):
            self._verify_action(played, at, acted)
            self._verify_hands(played, at + 1)
        if self.ended is not None:
            self._verify_end(played, self.ended, options)

    def _verify_leader(self, drawn: int, options: Options) -> None:
        """Hold the leader against chance or the round before; where neither says, let it be."""
        expected = next_leader(options, self.last)
        chance = options.lead is Lead.RANDOM or self.is_first or self.last is not None
        if expected is None and chance:
            expected = drawn
        if self.leader not in range(options.seats) or expected not in (None, self.leader):
            raise Mismatch(Reason.LEADER)

    def _verify_end(self, played: Round, ended: RoundEnded, options: Options) -> None:
        """Hold the end as it was told against the round: hands, pips, and the result (R4).

        Where the scores before the round are not known, those after it are let be.
        """
        if played.ending is None or played.ending.value != ended.ending:
            raise Mismatch(Reason.ENDING)
        hands = [_texts(played, seat) for seat in range(played.seats)]
        shown = ended.hands
        if shown is not None and [tuple(sorted(hand)) for hand in shown] != hands:
            raise Mismatch(Reason.SHOWN_HANDS)
        if list(ended.pips) != list(played.pips):
            raise Mismatch(Reason.SHOWN_HANDS)
        score = score_round(
            options, played.pips, played.to_act if played.ending is Ending.OUT else None
        )
        before = self._scores_before(options)
        scores = list(scores_after(before, score)) if before is not None else ended.scores
        told = RoundScore(tuple(ended.winners), ended.side, ended.points)
        if (self.number, score, scores) != (ended.round, told, ended.scores):
            raise Mismatch(Reason.RESULT)

    def _scores_before(self, options: Options) -> tuple[int, ...] | None:
        """Return the scores per side before the round, None where they are not known."""
        if self.is_first:
            return (0,) * options.sides
        return self.last.scores if self.last is not None else None

    def _verify_action(self, played: Round, at: int, acted: Acted) -> None:
        try:
            record = played.do(acted.seat, acted.action.action, acted.timed_out)
        except (IllegalAction, InvalidAction):
            raise Mismatch(Reason.PLAYED) from None
        drew = self.drawn.get(at)
        if drew is not None and (record.drawn is None or tile_text(record.drawn) != drew):
            raise Mismatch(Reason.OWN_DRAW)

    def _verify_hands(self, played: Round, at: int) -> None:
        for seat, hand in self.hands.get(at, {}).items():
            if seat >= played.seats or hand != _texts(played, seat):
                raise Mismatch(Reason.OWN_HAND)


def _texts(played: Round, seat: int) -> tuple[TileText, ...]:
    return tuple(sorted(tile_text(tile) for tile in played.hand(seat)))
