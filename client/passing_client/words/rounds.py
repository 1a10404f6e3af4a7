"""How a round and a match ended: every hand, the sum, the scores (R3, R4, R5)."""

from passing_client.words.basics import count, listing, tiles_words, times, why
from passing_client.words.people import People
from passing_protocol.events import MatchEnded, RoundEnded
from passing_protocol.views import PublicView
from passing_rules import PartnerScoring, Tile


def round_summary(event: RoundEnded, people: People) -> list[str]:
    """Return how a round ended, all hands, the sum that is scored, and the scores."""
    return [
        _ending(event, people),
        *(f"  {_hand(event, people, seat)}" for seat in range(len(event.pips))),
        _result(event, people),
        f"Scores: {people.scores(event.scores)}. The match is to {people.view.game.target}.",
    ]


def _ending(event: RoundEnded, people: People) -> str:
    over = f"round {event.round} is over"
    match event.ending:
        case "out":
            seat = people.view.actions[-1].seat
            return f"{people.does(seat, 'goes', 'go')} out: {over}."
        case "blocked":
            return f"Nobody can play any more: {over}."
        case "passed_out":
            circles = people.view.game.pass_circles or 1
            turns = "in turn" if circles == 1 else f"{times(circles)} in turn"
            return f"Everybody passed {turns}: {over}."


def _hand(event: RoundEnded, people: People, seat: int) -> str:
    """Return one hand with its pips; the table may keep the tiles hidden (R6.2)."""
    who = people.place(seat)
    total = count(event.pips[seat], "pip")
    if event.hands is None:
        return f"{who}: {total}."
    tiles = sorted(map(Tile.parse, event.hands[seat]))
    return f"{who}: {tiles_words(tiles)} = {total}." if tiles else f"{who}: no tiles, {total}."


def _result(event: RoundEnded, people: People) -> str:
    if event.side is None or not event.winners:
        return _tie(event, people)
    winner = event.winners[0]
    own = event.pips[winner]
    others = [event.pips[seat] for seat in _counted(event, people, winner)]
    total = f"{' + '.join(map(str, others))} - {own} = {count(event.points, 'point')}"
    return f"{_winners(event, people)}: {total}."


def _winners(event: RoundEnded, people: People) -> str:
    """Return who wins the round; in a partnership also for whom (R4.4)."""
    names = [people.within(seat) for seat in event.winners]
    names[0] = people.subject(event.winners[0])
    several = len(names) > 1 or event.winners[0] == people.me
    wins = f"{listing(names)} {'win' if several else 'wins'} the round"
    if people.view.game.partners and len(names) == 1 and event.side is not None:
        return f"{wins} for {people.side_name(event.side)}"
    return wins


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
    names = [people.within(seat) for seat in tied]
    names[0] = people.subject(tied[0])
    return f"{listing(names)} tie for the lowest with {count(lowest, 'pip')}: nobody scores."


def match_summary(event: MatchEnded, people: People) -> list[str]:
    """Return who has won the match, why it ended, and the final scores."""
    return [_match_result(event, people), f"Final scores: {people.scores(event.scores)}."]


def _match_result(event: MatchEnded, people: People) -> str:
    fault = event.fault
    if event.reason == "abandoned":
        return f"The match is abandoned{why(fault)}; nobody wins."
    if event.winner is None:
        return "The match is over and drawn."
    wins = people.side_wins(event.winner)
    if event.reason == "forfeit":
        who = ""
        if fault is not None and fault.seat is not None:
            who = f", as {people.within(fault.seat)} forfeited the seat"
        return f"The match is over: {wins} by forfeit{who}."
    points = count(event.scores[event.winner], "point")
    return f"The match is over: {wins} with {points}."


def standings(view: PublicView, people: People) -> str:
    """Return the scores so far and what they are played to."""
    return f"Scores: {people.scores(view.scores)}. The match is to {view.game.target}."
