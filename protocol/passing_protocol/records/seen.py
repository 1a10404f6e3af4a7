"""A record as one reader may know it at that moment (R6)."""

from dataclasses import replace

from passing_protocol.records.proof import shown_before
from passing_protocol.records.quoting import InvalidValue
from passing_protocol.records.record import Record, RoundRecord, Tiles, View
from passing_rules import ActionRecord


def seen_by(record: Record, seat: int | None, *, hidden_after_end: bool = False) -> Record:
    """Return what a seat, or anybody for None, may know of a record; raises InvalidValue.

    A round that has ended is public (R6.2), unless the hands stay hidden after its end; of any
    other round a reader knows no hand but their own, no draw but their own, and nothing of the
    boneyard's order (R6.1). Who holds one seat's record cannot make another seat's of it.
    """
    view = View(seat=seat)
    if not record.view.full and record.view != view and seat is not None:
        raise InvalidValue(f"view: the record is the {record.view} view, needed is full or {view}")
    rounds = tuple(
        played if played.result is not None and not hidden_after_end else _hidden(played, seat)
        for played in record.rounds
    )
    hidden = frozenset(
        played.number for played in record.rounds if played.result is None or hidden_after_end
    )
    return replace(record, view=view, rounds=rounds, proof=shown_before(record.proof, hidden))


def _hidden(played: RoundRecord, seat: int | None) -> RoundRecord:
    """Return a round without what only others know."""
    return replace(
        played,
        hands=_own(played.hands, seat),
        boneyard=(None,) * len(played.boneyard),
        actions=tuple(_without_draw(action, seat) for action in played.actions),
        left=_own(played.left, seat),
    )


def _own(hands: tuple[Tiles, ...], seat: int | None) -> tuple[Tiles, ...]:
    return tuple(
        hand if number == seat else (None,) * len(hand) for number, hand in enumerate(hands)
    )


def _without_draw(action: ActionRecord, seat: int | None) -> ActionRecord:
    return action if action.seat == seat or action.drawn is None else replace(action, drawn=None)
