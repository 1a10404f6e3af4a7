"""What a server tells of a table, verified where it is taken in, so that all else can rely on it.

A list is as long as there are seats or sides, a seat or a side that is named is there, and tiles
lie as they can lie. Whether the game is played by the rules is the server's to know.
"""

from collections.abc import Sequence

from msgspec import UNSET

from passing_protocol.events import (
    Event,
    MatchEnded,
    OwnerChanged,
    RoundBegan,
    RoundEnded,
    SeatChanged,
)
from passing_protocol.views import Acted, Ask, Mine, PublicView, TrainTile, options_of
from passing_rules import OptionError, Tile


class ImpossibleTable(Exception):
    """Raised when a server tells of a table what cannot be; the text says what, for experts."""


def verify_view(view: PublicView) -> None:
    """Refuse a view whose parts do not belong together; raises ImpossibleTable."""
    try:
        options_of(view.game)
    except OptionError as error:
        raise ImpossibleTable(f"game: {error}") from None
    seats, sides = view.game.seats, _sides(view)
    _verify_length("seats", view.seats, seats)
    _verify_length("scores", view.scores, sides)
    if view.hands:
        _verify_length("hands", view.hands, seats)
    for field, seat in (("owner", view.owner), ("leader", view.leader), ("to_act", view.to_act)):
        _verify_below(field, seat, seats)
    for acted in view.actions:
        _verify_below("actions", acted.seat, seats)
    if view.actions and not view.hands:
        raise ImpossibleTable("actions: there are some, but no hands")
    _verify_train(view.train, view.ends)


def verify_same_game(before: PublicView, after: PublicView) -> None:
    """Refuse a view of a table with another game than before; raises ImpossibleTable."""
    if before.game != after.game:
        raise ImpossibleTable("game: the options of the table are not those of before")


def verify_event(view: PublicView, event: Event) -> None:
    """Refuse an event that cannot follow upon a view; raises ImpossibleTable."""
    seats = len(view.seats)
    match event:
        case Acted():
            _verify_acted(view, event)
        case SeatChanged(seat=seat):
            _verify_below("seat", seat, seats)
        case OwnerChanged(owner=owner):
            _verify_below("owner", owner, seats)
        case RoundBegan():
            _verify_length("hands", event.hands, seats)
            _verify_below("leader", event.leader, seats)
        case RoundEnded():
            _verify_round_ended(view, event)
        case MatchEnded():
            _verify_length("scores", event.scores, _sides(view))
            _verify_below("winner", event.winner, _sides(view))
            _verify_below("fault", event.fault.seat if event.fault else None, seats)
        case _:
            pass


def verify_mine(view: PublicView, mine: Mine) -> None:
    """Refuse a seat's own part that does not go with a view; raises ImpossibleTable."""
    _verify_below("mine", mine.seat, len(view.seats))
    if len(set(mine.hand)) != len(mine.hand):
        raise ImpossibleTable("mine: a tile is twice in the hand")


def verify_ask(view: PublicView, mine: Mine | None, ask: Ask) -> None:
    """Refuse a question that does not go with a view; raises ImpossibleTable."""
    if mine is None:
        raise ImpossibleTable("ask: there is no seat that could answer")
    for action in ask.legal:
        if action.play is not UNSET and (action.end is UNSET) != (view.ends is None):
            raise ImpossibleTable(f"ask: {action.play} is not played at an end of this train")


def _sides(view: PublicView) -> int:
    return 2 if view.game.partners else len(view.seats)


def _verify_acted(view: PublicView, event: Acted) -> None:
    _verify_below("seat", event.seat, len(view.seats))
    _verify_length("hands", view.hands, len(view.seats))
    if event.action.draw and not view.boneyard:
        raise ImpossibleTable("acted: a tile is drawn, but there is none")
    if event.action.play is UNSET:
        return
    if not view.hands[event.seat]:
        raise ImpossibleTable("acted: a tile is played from an empty hand")
    if (event.action.end is UNSET) != (view.ends is None):
        raise ImpossibleTable(f"acted: {event.action.play} is not played at an end of this train")


def _verify_round_ended(view: PublicView, event: RoundEnded) -> None:
    seats, sides = len(view.seats), _sides(view)
    _verify_length("pips", event.pips, seats)
    _verify_length("scores", event.scores, sides)
    _verify_below("side", event.side, sides)
    for winner in event.winners:
        _verify_below("winners", winner, seats)
    if event.hands is not None:
        _verify_length("hands", event.hands, seats)
    if event.ending == "out" and not view.actions:
        raise ImpossibleTable("round_ended: somebody went out, but nobody has played")


def _verify_train(train: Sequence[TrainTile], ends: tuple[int, int] | None) -> None:
    """Refuse a train whose tiles do not lie one at the other from end to end (R2.4)."""
    if ends is None or not train:
        if train or ends is not None:
            raise ImpossibleTable("ends: they do not go with the train")
        return
    number, right = ends
    for laid in train:
        tile = Tile.parse(laid.tile)
        if number not in (tile.low, tile.high):
            raise ImpossibleTable(f"train: {laid.tile} does not fit where it lies")
        number = tile.low + tile.high - number
    if number != right:
        raise ImpossibleTable("ends: they do not go with the train")


def _verify_length(field: str, found: Sequence[object], expected: int) -> None:
    if len(found) != expected:
        raise ImpossibleTable(f"{field}: {len(found)} where there can only be {expected}")


def _verify_below(field: str, number: int | None, count: int) -> None:
    if number is not None and number >= count:
        raise ImpossibleTable(f"{field}: {number} where there are only {count}, from 0 on")
