"""Answers to what a person asks about the table: hand, train, ends, seats, scores and so on."""

from collections.abc import Sequence
from typing import Final

from passing_client.language import _, listing, mark, plural
from passing_client.model import (
    Moment,
    TableModel,
    halves,
    idle_moments,
    passes_that_end,
    pips,
    round_so_far,
)
from passing_client.moves import fitting_ends
from passing_client.words.basics import (
    at_ends,
    end_word,
    pip_count,
    seat_count,
    seconds,
    tile_count,
    tile_words,
    tiles_words,
    times,
)
from passing_client.words.events import acted_sentence, boneyard_words
from passing_client.words.people import People, people_of
from passing_client.words.rounds import standings
from passing_protocol.names import clean_name
from passing_protocol.views import (
    Acted,
    Clock,
    DealKind,
    PublicView,
    SeatState,
    TableState,
    options_of,
)
from passing_rules import Draw, End, Lead, PartnerScoring, Play, Tile

# --- one's own turn and hand -------------------------------------------------------------------


def question(table: TableModel) -> str:
    """Return whose turn it is; on one's own also what can be done and the time left."""
    ask = table.ask
    if ask is None:
        return not_your_turn(table)
    parts = [_("Your turn."), *_choices(table)]
    if ask.clock is not None:
        parts.append(clock_words(ask.clock))
    return " ".join(parts)


def _choices(table: TableModel) -> list[str]:
    """Return where the ends are and what can be done, a sentence each."""
    ends, can_draw = table.view.ends, Draw() in table.legal
    if ends is None:
        draw, no_draw = (
            _("You can play any tile, draw, or pass."),
            _("You can play any tile, or pass."),
        )
        return [_("No tile lies on the table yet."), draw if can_draw else no_draw]
    where = _("Ends {left} left, {right} right.").format(left=ends[0], right=ends[1])
    plays = [action for action in table.legal if isinstance(action, Play)]
    if not plays:
        can = _("You can draw or pass.") if can_draw else _("You can pass.")
        return [where, _("No tile of yours fits."), can]
    draw, no_draw = _("You can play {tiles}, draw, or pass."), _("You can play {tiles}, or pass.")
    return [where, (draw if can_draw else no_draw).format(tiles=_playable(plays))]


def _playable(plays: Sequence[Play]) -> str:
    """Return the tiles that can be played, each with where: `0-2 left, 0-6 left or right`."""
    by_tile: dict[Tile, list[End]] = {}
    for play in plays:
        by_tile.setdefault(play.tile, []).extend([play.end] if play.end is not None else [])
    return ", ".join(f"{tile_words(tile)} {_at(ends)}" for tile, ends in by_tile.items())


def _at(ends: Sequence[End]) -> str:
    return _("left or right") if len(ends) == len(End) else end_word(ends[0])


def clock_words(clock: Clock) -> str:
    """Return the time left of this turn, and what is in reserve for the match."""
    turn = seconds(clock.turn_ms)
    if not clock.bank_ms:
        return f"{turn}."
    text = _("{turn}, and {reserve} in reserve.")
    return text.format(turn=turn, reserve=seconds(clock.bank_ms))


def pass_question(table: TableModel) -> str:
    """Return the question before a pass while a tile fits; nothing where none does."""
    tiles = dict.fromkeys(play.tile for play in table.legal if isinstance(play, Play))
    text = plural("{tiles} fits. p again passes.", "{tiles} fit. p again passes.", len(tiles))
    return text.format(tiles=listing(list(map(tile_words, tiles)))) if tiles else ""


def not_your_turn(table: TableModel) -> str:
    """Return who is to act, or why nobody is."""
    seat = table.view.to_act
    if table.view.state is not TableState.PLAYING or seat is None:
        return _("No round is being played.")
    if seat == table.seat:
        return _("Your action is on its way.")
    watching = _("You are watching; {name} to play.")
    text = watching if table.seat is None else _("Not your turn: {name} to play.")
    return text.format(name=people_of(table).name(seat))


def hand_line(table: TableModel) -> str:
    """Return one's own hand in one line, as in `Your hand, 2 tiles, 9 pips: 0-2, 1-6`."""
    hand = table.hand
    if not hand:
        return _("You hold no tiles.")
    text = _("Your hand, {count}, {pips}: {tiles}.")
    pips_held = pip_count(pips(hand))
    return text.format(count=tile_count(len(hand)), pips=pips_held, tiles=tiles_words(hand))


def hand_lines(table: TableModel) -> list[str]:
    """Return one's own hand, and for each tile where it fits."""
    ends = table.view.ends
    if table.seat is None:
        return [_("You are watching and hold no tiles.")]
    if ends is None or not table.hand:
        return [hand_line(table)]
    fits = {tile: fitting_ends(tile, ends) for tile in table.hand}
    parts = [_fit(tile, at) for tile, at in fits.items() if at]
    fitting = _("Fits: {tiles}.").format(tiles=", ".join(parts))
    return [hand_line(table), fitting if parts else _("None of them fits.")]


def _fit(tile: Tile, at: tuple[End, ...]) -> str:
    where = _("both") if len(at) == len(End) else end_word(at[0])
    return f"{tile_words(tile)} {where}"


# --- the table ---------------------------------------------------------------------------------


def train_line(view: PublicView) -> str:
    """Return the train from left to right as its halves lie: `[6|4][4|4]`, and its ends."""
    if view.ends is None:
        return _("No tile lies on the table yet.")
    train = "".join(f"[{left}|{right}]" for left, right in halves(view))
    text = _("Train, {count}: {train}.")
    laid_out = text.format(count=tile_count(len(view.train)), train=train)
    return f"{laid_out} {ends_line(view)}"


def ends_line(view: PublicView) -> str:
    """Return the open ends, as in `2 left, 1 right`."""
    if view.ends is None:
        return _("No tile lies on the table yet.")
    return _("{left} left, {right} right.").format(left=view.ends[0], right=view.ends[1])


def yard_line(view: PublicView) -> str:
    """Return the boneyard, with the tiles that can never be drawn (R1.3)."""
    if not view.hands:
        return _("No round is being played.")
    last = _("The last 2 are never drawn.")
    return f"{boneyard_words(view)} {last}"


_LEADS: Final = {
    Lead.ROTATE: mark("rotate"),
    Lead.WINNER: mark("winner"),
    Lead.RANDOM: mark("random"),
}
_DEALS: Final = {
    DealKind.FAIR: mark("fair"),
    DealKind.SERVER: mark("server"),
    DealKind.SEEDED: mark("seeded"),
    DealKind.GIVEN: mark("given"),
}


def who_line(table: TableModel) -> str:
    """Return how many tiles everybody has, and whose turn it is."""
    view, people = table.view, people_of(table)
    if not view.hands or not table.has_match:
        return _("No round is being played.")
    seats = sorted(range(len(view.seats)), key=lambda seat: (seat == table.seat, seat))
    first, *rest = seats
    parts = [f"{people.subject(first)} {tile_count(view.hands[first])}"]
    parts += [f"{people.within(seat)} {view.hands[seat]}" for seat in rest]
    counts = f"{', '.join(parts)}."
    if view.to_act is None:
        return counts
    turn = people.sentence(view.to_act, _("You to play."), _("{who} to play."))
    return f"{counts} {turn}"


def seat_lines(table: TableModel) -> list[str]:
    """Return every seat and who holds it, with what is worth knowing of it."""
    view, people = table.view, people_of(table)
    return [f"  {people.label(seat)}{_standing(view, seat)}" for seat in range(len(view.seats))]


def _standing(view: PublicView, seat: int) -> str:
    parts: list[str] = []
    if view.hands and view.state is TableState.PLAYING:
        parts.append(tile_count(view.hands[seat]))
    info = view.seats[seat]
    waiting = view.state in (TableState.STARTING, TableState.BETWEEN, TableState.OVER)
    if waiting and info.name is not None and info.state is not SeatState.AWAY:
        parts.append(_("ready") if info.ready else _("not ready yet"))
    if seat == view.owner:
        parts.append(_("owns the table"))
    return f": {', '.join(parts)}" if parts else ""


def score_line(table: TableModel) -> str:
    """Return the scores so far."""
    if table.view.round and not table.has_match:
        return _("No match is being played.")
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
    return lines or [_("Nobody has done anything in this round yet.")]


def passes_line(table: TableModel) -> str:
    """Return who passed and who drew in this round, and at which ends."""
    idle = idle_moments(table.view)
    passes = [moment for moment in idle if not _drew(moment)]
    draws = [moment for moment in idle if _drew(moment)]
    people = people_of(table)
    text = _("Passes: {passes}. Draws: {draws}.")
    return text.format(passes=_by_seat(passes, people), draws=_by_seat(draws, people))


def _drew(moment: Moment) -> bool:
    return isinstance(moment.event, Acted) and moment.event.action.draw


def _by_seat(moments: Sequence[Moment], people: People) -> str:
    """Return `Bo once, at 2 and 3; Caro twice, at 0 and 6, at 0 and 1`, or `none`."""
    places: dict[int, list[str]] = {}
    for moment in moments:
        if isinstance(moment.event, Acted):
            places.setdefault(moment.event.seat, []).append(at_ends(moment.before.ends))
    parts = [
        f"{people.within(seat)} {times(len(at))}, {', '.join(at)}"
        for seat, at in sorted(places.items())
    ]
    return "; ".join(parts) or _("none")


def options_line(view: PublicView) -> str:
    """Return the options that the table is played with (R5)."""
    game = options_of(view.game)
    parts = [
        seat_count(len(view.seats)),
        _("in partnerships") if game.partners else _("everybody alone"),
        _("to {target} points").format(target=game.target),
        _("lead: {lead}").format(lead=_(_LEADS[game.lead])),
        _passes_that_end(view),
    ]
    if game.partners and game.partner_scoring is PartnerScoring.OPPONENTS:
        parts.append(_("only the opponents' pips are scored"))
    if game.out_wins_ties:
        parts.append(_("going out wins ties"))
    if game.max_rounds is not None:
        parts.append(_most_rounds(game.max_rounds))
    if view.table.memory:
        parts.append(_("players may be shown passes and tiles not seen"))
    text = _("{name}: {options}. Deals: {deal}.")
    return text.format(
        name=clean_name(view.name), options=", ".join(parts), deal=_(_DEALS[view.deal])
    )


def _passes_that_end(view: PublicView) -> str:
    number = passes_that_end(view)
    return plural(
        "{number} pass in a row ends a round",
        "{number} passes in a row end a round",
        number,
    ).format(number=number)


def _most_rounds(number: int) -> str:
    text = plural("at most {number} round", "at most {number} rounds", number)
    return text.format(number=number)
