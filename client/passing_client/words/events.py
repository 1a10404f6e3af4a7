"""What happens at a table, each event as a sentence or a few lines."""

from typing import Final

from msgspec import UNSET

from passing_client.model import Moment
from passing_client.words.basics import count, tile_words
from passing_client.words.changes import change_lines
from passing_client.words.people import People
from passing_client.words.rounds import match_summary, round_summary
from passing_protocol.events import MatchBegan, MatchEnded, RoundBegan, RoundEnded, Said
from passing_protocol.names import clean_chat, clean_name
from passing_protocol.views import Acted, DealKind, PublicView
from passing_rules import End, Tile


def moment_lines(moment: Moment, me: int | None) -> list[str]:
    """Return what happened as `me` (a seat, None for a watcher) is told it; may be nothing."""
    people = People(moment.after, me)
    match moment.event:
        case Acted() as event:
            return [acted_sentence(event, moment, people)]
        case RoundBegan() as event:
            return [_round_began(event, people)]
        case RoundEnded() as event:
            return round_summary(event, people)
        case MatchBegan():
            return match_began(people)
        case MatchEnded() as event:
            return match_summary(event, people)
        case Said() as event:
            return [_said(event, me)]
        case _:
            return change_lines(moment, me)


# --- actions -----------------------------------------------------------------------------------


def acted_sentence(event: Acted, moment: Moment, people: People) -> str:
    """Return what a seat did on its turn."""
    action = event.action
    if action.draw:
        return _drew(event, moment, people)
    if action.play is UNSET:
        return _passed(event, moment, people)
    tile = tile_words(Tile.parse(action.play))
    end = None if action.end is UNSET else End(action.end)
    hand = moment.after.hands[event.seat]
    size = count(hand, "tile") if hand else "no tiles left"
    left = f"{people.does(event.seat, 'has', 'have')} {size}."
    return f"{_played(event.seat, tile, end, moment, people)}. {_ends(moment.after)} {left}"


def _played(seat: int, tile: str, end: End | None, moment: Moment, people: People) -> str:
    if end is not None:
        return f"{people.does(seat, 'plays', 'play')} {tile}, {end}"
    if seat == moment.before.leader:
        return f"{people.does(seat, 'leads', 'lead')} {tile}"
    return f"{people.does(seat, 'plays', 'play')} {tile}, the first tile"


def _ends(view: PublicView) -> str:
    return "" if view.ends is None else f"Ends {view.ends[0]} and {view.ends[1]}."


def _drew(event: Acted, moment: Moment, people: People) -> str:
    view = moment.after
    yard = boneyard_words(view)
    if event.seat != people.me:
        return f"{people.does(event.seat, 'draws', 'draw')}. {yard}"
    drew = f" {tile_words(moment.drew)}" if moment.drew is not None else ""
    return f"You draw{drew}. {yard} You have {count(view.hands[event.seat], 'tile')}."


def boneyard_words(view: PublicView) -> str:
    """Return the size of the boneyard and how much of it can still be drawn (R1.3)."""
    return f"Boneyard {view.boneyard}, {view.drawable} to draw."


def _passed(event: Acted, moment: Moment, people: People) -> str:
    """Return a pass; from the second in a row on also what many of them lead to (R3.3)."""
    passes = "pass" if event.seat == people.me else "passes"
    if event.timed_out:
        passes = f"Time is up, so {people.within(event.seat)} {passes}"
    else:
        passes = f"{people.subject(event.seat)} {passes}"
    in_a_row = moment.after.passes
    if in_a_row == 1:
        return f"{passes}."
    limit = len(moment.after.seats) * (moment.after.game.pass_circles or 1)
    return f"{passes}. {in_a_row} passes in a row; {limit} end the round."


# --- rounds and matches --------------------------------------------------------------------------

_DEALS: Final = {
    DealKind.FAIR: "The deal is checked when the round ends.",
    DealKind.SERVER: "The server deals.",
    DealKind.SEEDED: "The deal comes from a seed.",
    DealKind.GIVEN: "The deal is given.",
}


def _round_began(event: RoundBegan, people: People) -> str:
    leads = people.does(event.leader, "leads", "lead")
    dealt = f"{count(event.hands[event.leader], 'tile')} each"
    yard = f"boneyard {event.boneyard}, {event.drawable} to draw"
    return f"Round {event.round}. {leads}. {dealt}, {yard}. {_DEALS[event.deal]}"


def match_began(people: People) -> list[str]:
    """Return who plays, and to how many points."""
    game = people.view.game
    teams = " in partnerships" if game.partners else ""
    seats = count(len(people.view.seats), "seat")
    lines = [f"The match begins: {seats}{teams}, to {game.target} points."]
    lines += [f"  {people.label(seat)}" for seat in range(len(people.view.seats))]
    if game.partners:
        first, second = people.side_name(0, start=True), people.side_name(1)
        lines.append(f"{first} play against {second}.")
    return lines


# --- chat ------------------------------------------------------------------------------------


def _said(event: Said, me: int | None) -> str:
    """Return a line of chat; the seat stands next to the name, which anybody can choose."""
    text = clean_chat(event.text)
    if event.seat is None:
        return f"{clean_name(event.name)}, watching: {text}"
    if event.seat == me:
        return f"You say: {text}"
    return f"{clean_name(event.name)}, seat {event.seat + 1}: {text}"
