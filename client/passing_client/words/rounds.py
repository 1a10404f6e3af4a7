"""How a round and a match ended: every hand, the sum, the scores (R3, R4, R5)."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from passing_client.language import _, mark, plural
from passing_client.model import TableModel
from passing_client.words.basics import pip_count, point_count, reason, tiles_words, times
from passing_client.words.people import People
from passing_protocol.events import MatchEnded, RoundEnded
from passing_protocol.views import PublicView, options_of
from passing_rules import PartnerScoring, Tile


def round_summary(event: RoundEnded, people: People) -> list[str]:
    """Return how a round ended, all hands, the sum that is scored, and the scores."""
    return [
        _ending(event, people),
        *(f"  {_hand(event, people, seat)}" for seat in range(len(event.pips))),
        round_result(event, people),
        _scores(people.scores(event.scores), people.view),
    ]


def _ending(event: RoundEnded, people: People) -> str:
    match event.ending:
        case "out":
            seat = people.view.actions[-1].seat
            own = _("You go out: round {number} is over.")
            others = _("{who} goes out: round {number} is over.")
            return people.sentence(seat, own, others, number=event.round)
        case "blocked":
            text = _("Nobody can play any more: round {number} is over.")
            return text.format(number=event.round)
        case "passed_out":
            return _passed_out(event.round, options_of(people.view.game).pass_circles)


def _passed_out(number: int, circles: int) -> str:
    if circles == 1:
        return _("Everybody passed in turn: round {number} is over.").format(number=number)
    text = _("Everybody passed {times} in turn: round {number} is over.")
    return text.format(times=times(circles), number=number)


def _hand(event: RoundEnded, people: People, seat: int) -> str:
    """Return one hand with its pips; the table may keep the tiles hidden (R6.2)."""
    who = people.place(seat)
    total = pip_count(event.pips[seat])
    if event.hands is None:
        return f"{who}: {total}."
    tiles = sorted(map(Tile.parse, event.hands[seat]))
    if not tiles:
        return _("{who}: no tiles, {pips}.").format(who=who, pips=total)
    return f"{who}: {tiles_words(tiles)} = {total}."


def round_result(event: RoundEnded, people: People, order: Sequence[int] | None = None) -> str:
    """Return who wins the round with the sum, or why nobody does (R4.2, R4.3).

    What is summed stands in the `order` in which the seats are shown, by number without one.
    """
    if event.side is None or not event.winners:
        return _tie(event, people)
    winner = event.winners[0]
    own = event.pips[winner]
    counted = _counted(event, people, winner)
    others = [event.pips[seat] for seat in order or range(len(event.pips)) if seat in counted]
    total = f"{' + '.join(map(str, others))} - {own} = {point_count(event.points)}"
    return f"{_winners(event, people)}: {total}."


def _winners(event: RoundEnded, people: People) -> str:
    """Return who wins the round; in a partnership also for whom (R4.4)."""
    first = event.winners[0]
    if len(event.winners) > 1:
        return _("{names} win the round").format(names=people.names(event.winners))
    if people.view.game.partners and event.side is not None:
        own, others = _("You win the round for {side}"), _("{who} wins the round for {side}")
        return people.sentence(first, own, others, side=people.side_name(event.side))
    return people.sentence(first, _("You win the round"), _("{who} wins the round"))


def _counted(event: RoundEnded, people: People, winner: int) -> list[int]:
    """Return the seats whose pips are scored: all others', or both opponents' (R4.2, R4.4)."""
    game = people.view.game
    opponents = game.partners and game.partner_scoring is PartnerScoring.OPPONENTS
    side = people.side_of(winner)
    return [
        seat
        for seat in range(len(event.pips))
        if seat != winner and not (opponents and people.side_of(seat) == side)
    ]


def _tie(event: RoundEnded, people: People) -> str:
    """Return who ties for the lowest, so that nobody scores (R4.3)."""
    lowest = min(event.pips)
    tied = [seat for seat, total in enumerate(event.pips) if total == lowest]
    text = _("{names} tie for the lowest with {pips}: nobody scores.")
    return text.format(names=people.names(tied), pips=pip_count(lowest))


# --- the match ---------------------------------------------------------------------------------


class _Winner(Enum):
    """Say who has won a match, as a sentence about it needs to know."""

    ME = auto()
    OTHER = auto()
    PARTNERS = auto()


_WON_BY_FORFEIT: Final = {
    _Winner.ME: mark("The match is over: you win by forfeit."),
    _Winner.OTHER: mark("The match is over: {names} wins by forfeit."),
    _Winner.PARTNERS: mark("The match is over: {names} win by forfeit."),
}
_WON_AS_I_LEFT: Final = {
    _Winner.ME: mark("The match is over: you win by forfeit, as you forfeited the seat."),
    _Winner.OTHER: mark("The match is over: {names} wins by forfeit, as you forfeited the seat."),
    _Winner.PARTNERS: mark("The match is over: {names} win by forfeit, as you forfeited the seat."),
}
_WON_AS_ANOTHER_LEFT: Final = {
    _Winner.ME: mark("The match is over: you win by forfeit, as {leaver} forfeited the seat."),
    _Winner.OTHER: mark(
        "The match is over: {names} wins by forfeit, as {leaver} forfeited the seat."
    ),
    _Winner.PARTNERS: mark(
        "The match is over: {names} win by forfeit, as {leaver} forfeited the seat."
    ),
}


def match_summary(event: MatchEnded, people: People) -> list[str]:
    """Return who has won the match, why it ended, and the final scores."""
    scores = _("Final scores: {scores}.").format(scores=people.scores(event.scores))
    return [_match_result(event, people), scores]


def result_of(table: TableModel) -> str:
    """Return who has won the match at a table that is over; nothing before that was seen."""
    moment = table.match_end
    if moment is None or not isinstance(moment.event, MatchEnded):
        return ""
    return _match_result(moment.event, People(moment.after, table.seat))


def _match_result(event: MatchEnded, people: People) -> str:
    if event.reason == "abandoned":
        return _abandoned(reason(event.fault))
    if event.winner is None:
        return _("The match is over and drawn.")
    if event.reason == "forfeit":
        return _won_by_forfeit(event, event.winner, people)
    return _won(event.winner, event.scores[event.winner], people)


def _abandoned(why: str) -> str:
    if not why:
        return _("The match is abandoned; nobody wins.")
    return _("The match is abandoned ({reason}); nobody wins.").format(reason=why)


def _won(side: int, points: int, people: People) -> str:
    match _winner(side, people):
        case _Winner.ME:
            text = plural(
                "The match is over: you win with {number} point.",
                "The match is over: you win with {number} points.",
                points,
            )
        case _Winner.OTHER:
            text = plural(
                "The match is over: {names} wins with {number} point.",
                "The match is over: {names} wins with {number} points.",
                points,
            )
        case _Winner.PARTNERS:
            text = plural(
                "The match is over: {names} win with {number} point.",
                "The match is over: {names} win with {number} points.",
                points,
            )
    return text.format(names=people.side_name(side), number=points)


def _won_by_forfeit(event: MatchEnded, side: int, people: People) -> str:
    leaver = event.fault.seat if event.fault is not None else None
    winner = _winner(side, people)
    names = people.side_name(side)
    if leaver is None:
        return _(_WON_BY_FORFEIT[winner]).format(names=names)
    if leaver == people.me:
        return _(_WON_AS_I_LEFT[winner]).format(names=names)
    return _(_WON_AS_ANOTHER_LEFT[winner]).format(names=names, leaver=people.name(leaver))


def _winner(side: int, people: People) -> _Winner:
    if people.view.game.partners:
        return _Winner.PARTNERS
    return _Winner.ME if side == people.me else _Winner.OTHER


def standings(view: PublicView, people: People) -> str:
    """Return the scores so far and what they are played to."""
    return _scores(people.scores(view.scores), view)


def _scores(scores: str, view: PublicView) -> str:
    text = _("Scores: {scores}. The match is to {target}.")
    return text.format(scores=scores, target=view.game.target)
