"""Answers to what a person asks about the table: hand, train, ends, seats, scores and so on."""

from collections.abc import Sequence

from passing_client.model import Moment, TableModel, idle_moments, pips, round_so_far
from passing_client.moves import fitting_ends
from passing_client.words.basics import (
    count,
    ends_words,
    listing,
    seconds,
    tile_words,
    tiles_words,
    times,
)
from passing_client.words.events import acted_sentence, boneyard_words
from passing_client.words.people import People
from passing_client.words.rounds import standings
from passing_protocol.names import clean_name
from passing_protocol.views import Acted, Clock, PublicView, TableState
from passing_rules import Draw, End, PartnerScoring, Play, Tile


def people_of(table: TableModel) -> People:
    """Return the people of a table as one's own seat calls them."""
    return People(table.view, table.seat)


# --- one's own turn and hand -------------------------------------------------------------------


def question(table: TableModel) -> str:
    """Return whose turn it is; on one's own also what can be done and the time left."""
    ask = table.ask
    if ask is None:
        return not_your_turn(table)
    legal = table.legal
    plays = [action for action in legal if isinstance(action, Play)]
    others = [*(["draw"] if Draw() in legal else []), "pass"]
    clock = f" {clock_words(ask.clock)}" if ask.clock is not None else ""
    return f"Your turn. {_choices(table, plays, others)}{clock}"


def _choices(table: TableModel, plays: Sequence[Play], others: Sequence[str]) -> str:
    ends = table.view.ends
    if ends is None:
        can = ", ".join(["play any tile", *others[:-1]]) + f", or {others[-1]}"
        return f"No tile lies on the table yet. You can {can}."
    where = f"Ends {ends[0]} left, {ends[1]} right."
    if not plays:
        return f"{where} No tile of yours fits. You can {listing(others, 'or')}."
    by_tile: dict[Tile, list[str]] = {}
    for play in plays:
        by_tile.setdefault(play.tile, []).append(str(play.end))
    tiles = [f"{tile_words(tile)} {' or '.join(at)}" for tile, at in by_tile.items()]
    return f"{where} You can play {', '.join([*tiles, *others[:-1]])}, or {others[-1]}."


def clock_words(clock: Clock) -> str:
    """Return the time left of this turn, and what is in reserve for the match."""
    reserve = f", and {seconds(clock.bank_ms)} in reserve" if clock.bank_ms else ""
    return f"{seconds(clock.turn_ms)}{reserve}."


def not_your_turn(table: TableModel) -> str:
    """Return who is to act, or why nobody is."""
    seat = table.view.to_act
    if table.view.state is not TableState.PLAYING or seat is None:
        return "No round is being played."
    if seat == table.seat:
        return "Your action is on its way."
    name = people_of(table).name(seat)
    if table.seat is None:
        return f"You are watching; {name} to play."
    return f"Not your turn: {name} to play."


def hand_line(table: TableModel) -> str:
    """Return one's own hand in one line, as in `Your hand, 2 tiles, 9 pips: 0-2, 1-6`."""
    hand = table.hand
    if not hand:
        return "You hold no tiles."
    size = f"{count(len(hand), 'tile')}, {count(pips(hand), 'pip')}"
    return f"Your hand, {size}: {tiles_words(hand)}."


def hand_lines(table: TableModel) -> list[str]:
    """Return one's own hand, and for each tile where it fits."""
    ends = table.view.ends
    if table.seat is None:
        return ["You are watching and hold no tiles."]
    if ends is None or not table.hand:
        return [hand_line(table)]
    fits = {tile: fitting_ends(tile, ends) for tile in table.hand}
    parts = [_fit(tile, at) for tile, at in fits.items() if at]
    return [hand_line(table), f"Fits: {', '.join(parts)}." if parts else "None of them fits."]


def _fit(tile: Tile, at: tuple[End, ...]) -> str:
    return f"{tile_words(tile)} {'both' if len(at) == len(End) else at[0]}"


# --- the table ---------------------------------------------------------------------------------


def train_line(view: PublicView) -> str:
    """Return the train from left to right as its halves lie: `[6|4][4|4]`, and its ends."""
    if view.ends is None:
        return "No tile lies on the table yet."
    halves: list[str] = []
    number = view.ends[0]
    for laid in view.train:
        tile = Tile.parse(laid.tile)
        far = tile.high if number == tile.low else tile.low
        halves.append(f"[{number}|{far}]")
        number = far
    size = count(len(view.train), "tile")
    return f"Train, {size}: {''.join(halves)}. {ends_line(view)}"


def ends_line(view: PublicView) -> str:
    """Return the open ends, as in `2 left, 1 right`."""
    if view.ends is None:
        return "No tile lies on the table yet."
    return f"{view.ends[0]} left, {view.ends[1]} right."


def yard_line(view: PublicView) -> str:
    """Return the boneyard, with the tiles that can never be drawn (R1.3)."""
    if not view.hands:
        return "No round is being played."
    return f"{boneyard_words(view)} The last 2 are never drawn."


def who_line(table: TableModel) -> str:
    """Return how many tiles everybody has, and whose turn it is."""
    view, people = table.view, people_of(table)
    if not view.hands:
        return "No round is being played."
    seats = sorted(range(len(view.seats)), key=lambda seat: (seat == table.seat, seat))
    first, *rest = seats
    parts = [f"{people.subject(first)} {count(view.hands[first], 'tile')}"]
    parts += [f"{people.within(seat)} {view.hands[seat]}" for seat in rest]
    turn = f" {people.subject(view.to_act)} to play." if view.to_act is not None else ""
    return f"{', '.join(parts)}.{turn}"


def seat_lines(table: TableModel) -> list[str]:
    """Return every seat and who holds it, with what is worth knowing of it."""
    view, people = table.view, people_of(table)
    return [f"  {people.label(seat)}{_standing(view, seat)}" for seat in range(len(view.seats))]


def _standing(view: PublicView, seat: int) -> str:
    parts: list[str] = []
    if view.hands and view.state is TableState.PLAYING:
        parts.append(count(view.hands[seat], "tile"))
    info = view.seats[seat]
    waiting = view.state in (TableState.STARTING, TableState.BETWEEN, TableState.OVER)
    if waiting and info.name is not None:
        parts.append("ready" if info.ready else "not ready yet")
    if seat == view.owner:
        parts.append("owns the table")
    return f": {', '.join(parts)}" if parts else ""


def score_line(table: TableModel) -> str:
    """Return the scores so far."""
    return standings(table.view, people_of(table))


def log_lines(table: TableModel, length: int) -> list[str]:
    """Return the last actions of the round, the oldest first."""
    moments = round_so_far(table.view)[-length:]
    people = people_of(table)
    lines = [
        acted_sentence(moment.event, moment, people)
        for moment in moments
        if isinstance(moment.event, Acted)
    ]
    return lines or ["Nobody has done anything in this round yet."]


def passes_line(table: TableModel) -> str:
    """Return who passed and who drew in this round, and at which ends."""
    idle = idle_moments(table.view)
    passes = [moment for moment in idle if not _drew(moment)]
    draws = [moment for moment in idle if _drew(moment)]
    people = people_of(table)
    return f"Passes: {_by_seat(passes, people)}. Draws: {_by_seat(draws, people)}."


def _drew(moment: Moment) -> bool:
    return isinstance(moment.event, Acted) and moment.event.action.draw


def _by_seat(moments: Sequence[Moment], people: People) -> str:
    """Return `Bo once, at 2 and 3; Caro twice, at 0 and 6, at 0 and 1`, or `none`."""
    places: dict[int, list[str]] = {}
    for moment in moments:
        if isinstance(moment.event, Acted):
            where = f"at {ends_words(moment.before.ends)}"
            places.setdefault(moment.event.seat, []).append(where)
    parts = [
        f"{people.within(seat)} {times(len(at))}, {', '.join(at)}"
        for seat, at in sorted(places.items())
    ]
    return "; ".join(parts) or "none"


def options_line(view: PublicView) -> str:
    """Return the options that the table is played with (R5)."""
    game = view.game
    parts = [
        count(len(view.seats), "seat"),
        "in partnerships" if game.partners else "everybody alone",
        f"to {game.target} points",
        f"lead: {game.lead or 'rotate'}",
        f"{(game.pass_circles or 1) * len(view.seats)} passes in a row end a round",
    ]
    if game.partners and game.partner_scoring is PartnerScoring.OPPONENTS:
        parts.append("only the opponents' pips are scored")
    if game.out_wins_ties:
        parts.append("going out wins ties")
    if game.max_rounds is not None:
        parts.append(f"at most {count(game.max_rounds, 'round')}")
    return f"{clean_name(view.name)}: {', '.join(parts)}. Deals: {view.deal}."
