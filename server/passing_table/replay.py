"""The match that a log tells, played again by the rules with the turn numbers that it had."""

from collections.abc import Iterable

from passing_protocol.views import DealKind
from passing_rules import IllegalAction, Options
from passing_table.changes import Changes
from passing_table.play import Play
from passing_table.rows import (
    InvalidKept,
    KeptAction,
    KeptChange,
    KeptDeal,
    KeptEnd,
    KeptLinks,
    KeptRow,
    KeptTips,
)


def replay(
    match_id: str, options: Options, kind: DealKind, log: Iterable[KeptRow], changes: Changes
) -> Play:
    """Return a match as it stands after its log, in the turn that was decided last.

    Raises InvalidKept, with no tile in its words.
    """
    play = Play(match_id, options, 0, changes)
    ended = False
    for number, row in enumerate(log, 1):
        if ended:
            raise InvalidKept(f"row {number}: it comes after the end of the match")
        ended = isinstance(row, KeptEnd)
        try:
            _repeat(play, kind, row)
        except InvalidKept as error:
            raise InvalidKept(f"row {number}: {error}") from None
        except ValueError as error:
            why = _illegal(row, error) if isinstance(row, KeptDeal | KeptAction) else error
            raise InvalidKept(f"row {number}: {why}") from None
    return play


def _repeat(play: Play, kind: DealKind, row: KeptRow) -> None:
    if isinstance(row, KeptDeal):
        _begin(play, kind, row)
    elif isinstance(row, KeptAction):
        _do(play, row)
    elif isinstance(row, KeptTips | KeptLinks):
        play.note(row)
    else:
        _tell(play, row)


def _begin(play: Play, kind: DealKind, row: KeptDeal) -> None:
    began = play.begin_round(kind, row.begun.deal, row.leader)
    if (began.round, began.leader) != (row.round, row.leader):
        raise InvalidKept(
            f"round {row.round} led by seat {row.leader}, "
            f"expected is round {began.round} led by seat {began.leader}"
        )


def _do(play: Play, row: KeptAction) -> None:
    if row.turn <= play.turn:
        raise InvalidKept(f"turn {row.turn} after turn {play.turn}")
    record = row.record
    play.turn = row.turn
    play.do(record.seat, record.action, record.timed_out)
    if play.drew != record.drawn:
        raise InvalidKept(f"turn {row.turn} draws a tile that is not the next one")


def _tell(play: Play, row: KeptChange | KeptEnd) -> None:
    """Take in what the rules have no part in."""
    if play.match.round is None:
        raise InvalidKept("it comes before the first deal")
    options = play.match.options
    wrong = row.seat >= options.seats if isinstance(row, KeptChange) else _no_side(options, row)
    if wrong:
        raise InvalidKept("there is no such seat, or side")
    play.write(row)


def _no_side(options: Options, row: KeptEnd) -> bool:
    return row.winner is not None and row.winner >= options.sides


def _illegal(row: KeptDeal | KeptAction, error: ValueError) -> str:
    """Return why the rules refuse a row, in words that hold no tile."""
    if isinstance(row, KeptDeal):
        return f"round {row.round} cannot begin like that"
    code = f" ({error.refusal})" if isinstance(error, IllegalAction) else ""
    return f"seat {row.seat} cannot do that in turn {row.turn}{code}"
