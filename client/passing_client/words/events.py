"""What happens at a table, each event as a sentence or a few lines."""

from msgspec import UNSET

from passing_client.language import _, plural
from passing_client.model import Moment, passes_that_end
from passing_client.words.basics import end_word, tile_words
from passing_client.words.changes import change_lines
from passing_client.words.deals import DEALS, tips_lines
from passing_client.words.people import People
from passing_client.words.rounds import match_summary, round_summary
from passing_protocol.events import MatchBegan, MatchEnded, RoundBegan, RoundEnded, Said, TipsAgreed
from passing_protocol.names import clean_chat, clean_name
from passing_protocol.views import Acted, PublicView, SeatInfo, SeatState
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
        case TipsAgreed() as event:
            return tips_lines(event.match, event.tips, people)
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
    played = _played(event.seat, tile, end, moment, people)
    return f"{played} {_ends(moment.after)} {_left(event.seat, moment, people)}"


def _played(seat: int, tile: str, end: End | None, moment: Moment, people: People) -> str:
    if end is not None:
        own, others = _("You play {tile}, {end}."), _("{who} plays {tile}, {end}.")
        return people.sentence(seat, own, others, tile=tile, end=end_word(end))
    if seat == moment.before.leader:
        return people.sentence(seat, _("You lead {tile}."), _("{who} leads {tile}."), tile=tile)
    own, others = _("You play {tile}, the first tile."), _("{who} plays {tile}, the first tile.")
    return people.sentence(seat, own, others, tile=tile)


def _left(seat: int, moment: Moment, people: People) -> str:
    number = moment.after.hands[seat]
    if number == 0:
        return people.sentence(seat, _("You have no tiles left."), _("{who} has no tiles left."))
    own = plural("You have {number} tile.", "You have {number} tiles.", number)
    others = plural("{who} has {number} tile.", "{who} has {number} tiles.", number)
    return people.sentence(seat, own, others, number=number)


def _ends(view: PublicView) -> str:
    if view.ends is None:
        return ""
    return _("Ends {left} and {right}.").format(left=view.ends[0], right=view.ends[1])


def _drew(event: Acted, moment: Moment, people: People) -> str:
    yard = boneyard_words(moment.after)
    if event.seat != people.me:
        drew = _("{who} draws.").format(who=people.subject(event.seat))
        return f"{drew} {yard}"
    drawn = "" if moment.drew is None else tile_words(moment.drew)
    drew = _("You draw {tile}.").format(tile=drawn) if drawn else _("You draw.")
    return f"{drew} {yard} {_left(event.seat, moment, people)}"


def boneyard_words(view: PublicView) -> str:
    """Return the size of the boneyard and how much of it can still be drawn (R1.3)."""
    text = _("Boneyard {boneyard}, {drawable} to draw.")
    return text.format(boneyard=view.boneyard, drawable=view.drawable)


def _passed(event: Acted, moment: Moment, people: People) -> str:
    """Return a pass; from the second in a row on also what many of them lead to (R3.3)."""
    if event.timed_out:
        passes = _passed_for(event.seat, moment.before.seats[event.seat], people)
    else:
        passes = people.sentence(event.seat, _("You pass."), _("{who} passes."))
    row = moment.after.passes
    if row == 1:
        return passes
    text = plural(
        "{number} pass in a row; {limit} end the round.",
        "{number} passes in a row; {limit} end the round.",
        row,
    )
    return f"{passes} {text.format(number=row, limit=passes_that_end(moment.after))}"


def _passed_for(seat: int, info: SeatInfo, people: People) -> str:
    """Return why a seat is passed for: nobody is there, or the time was up (R2.7)."""
    if info.state is SeatState.FORFEITED:
        own = _("You are out of the match, so your turn is passed.")
        others = _("{who} is out of the match, so the turn is passed.")
    elif info.gone is not None and info.state is SeatState.AWAY:
        own = others = _("{name} has left for good, so the turn is passed.")
    elif info.state is SeatState.AWAY:
        own = _("You are away, so your turn is passed.")
        others = _("{who} is away, so the turn is passed.")
    else:
        own, others = _("Time is up, so you pass."), _("Time is up, so {name} passes.")
    return people.sentence(seat, own, others)


# --- rounds and matches --------------------------------------------------------------------------


def _round_began(event: RoundBegan, people: People) -> str:
    number = event.hands[event.leader]
    dealt = plural(
        "{number} tile each, boneyard {boneyard}, {drawable} to draw.",
        "{number} tiles each, boneyard {boneyard}, {drawable} to draw.",
        number,
    )
    parts = (
        _("Round {number}.").format(number=event.round),
        people.sentence(event.leader, _("You lead."), _("{who} leads.")),
        dealt.format(number=number, boneyard=event.boneyard, drawable=event.drawable),
        _(DEALS[event.deal]),
    )
    return " ".join(parts)


def match_began(people: People) -> list[str]:
    """Return who plays, and to how many points."""
    seats = range(len(people.view.seats))
    lines = [_beginning(people.view), *(f"  {people.label(seat)}" for seat in seats)]
    if people.view.game.partners:
        first, second = people.side_name(0, start=True), people.side_name(1)
        lines.append(_("{first} play against {second}.").format(first=first, second=second))
    return lines


def _beginning(view: PublicView) -> str:
    number = len(view.seats)
    if view.game.partners:
        text = plural(
            "The match begins: {number} seat in partnerships, to {target} points.",
            "The match begins: {number} seats in partnerships, to {target} points.",
            number,
        )
    else:
        text = plural(
            "The match begins: {number} seat, to {target} points.",
            "The match begins: {number} seats, to {target} points.",
            number,
        )
    return text.format(number=number, target=view.game.target)


# --- chat ------------------------------------------------------------------------------------


def _said(event: Said, me: int | None) -> str:
    """Return a line of chat; the seat stands next to the name, which anybody can choose."""
    name, text = clean_name(event.name), clean_chat(event.text)
    if event.seat is None:
        return _("{name}, watching: {text}").format(name=name, text=text)
    if event.seat == me:
        return _("You say: {text}").format(text=text)
    pattern = _("{name}, seat {number}: {text}")
    return pattern.format(name=name, number=event.seat + 1, text=text)
