"""A table as values that can be stored, and the table that goes on from them.

What is in the log of its match is not kept a second time: `restore` plays the log again by the
rules. Times are kept as what is left of them or has gone by, so that a table that is restored
later has lost nothing by that.

What is kept holds keys, and the rows hold hands: neither shows a value in its `repr`.
"""

from collections.abc import Callable, Iterable
from typing import Final

from passing_protocol.views import DealKind, GameOptions, TableState, options_of
from passing_rules import OptionError, Options
from passing_table.dealing import Dealing
from passing_table.dealing_desk import DealingDesk
from passing_table.deals import (
    DealSource,
    Entropy,
    FairDeals,
    GivenDeals,
    SeededDeals,
    ServerDeals,
)
from passing_table.kept_values import (
    KeptAnswer,
    KeptDealing,
    KeptPlay,
    KeptSeat,
    KeptTable,
    verify_kept,
)
from passing_table.play import Answered, Held, Play
from passing_table.replay import replay
from passing_table.rows import InvalidKept, KeptRow, kept_action
from passing_table.seats import Seat
from passing_table.settings import TableSettings
from passing_table.table import Table

_LONGEST: Final = 2**53
_FROM_KEY: Final = {DealKind.SEEDED: SeededDeals, DealKind.GIVEN: GivenDeals}
_AFTER_MATCH: Final = (TableState.OVER, TableState.CLOSED)
_ASKED: Final = {TableState.PLAYING: True, TableState.BETWEEN: False}
"""Whether a seat is on turn, where that follows from the state."""

# --- to values


def keep(table: Table, now: int) -> KeptTable:
    """Return what is to be stored of a table, when its last change has been taken.

    What was not told then is not kept, but for what it has changed.
    """
    return KeptTable(
        id=table.id,
        name=table.name,
        maker=table.maker,
        game=table.game,
        deal=table.deals.kind,
        seats=tuple(_kept_seat(seat, now) for seat in table.seats),
        state=table.state,
        rev=table.changes.rev,
        key=table.deals.key.hex() if table.deals.key is not None else None,
        table=table.settings.wishes,
        clocked=table.settings.clocked,
        owner=table.seats.owner,
        matches=table.matches,
        looked_ms=now - table.looked_at,
        left_ms=_left(table.deadline, now),
        rematch_ms=_left(table.rematch_until, now) if table.state is TableState.OVER else None,
        play=_kept_play(table.play, now) if table.play is not None else None,
        fair=_kept_dealing(table.fair.dealing, now) if table.fair is not None else None,
    )


def _left(until: int | None, now: int) -> int | None:
    return None if until is None else until - now


def _kept_seat(seat: Seat, now: int) -> KeptSeat:
    return KeptSeat(
        state=seat.state,
        occupant=seat.occupant,
        keeper=seat.keeper,
        invited=seat.invited,
        ready=seat.ready,
        gone=seat.gone,
        new=seat.new,
        absence=seat.absence,
        returning=seat.returning,
        struck=seat.struck,
        refusals=seat.refusals,
        bank_ms=seat.bank_ms,
        away_ms=None if seat.away_since is None else min(now - seat.away_since, _LONGEST),
        invited_ms=_left(seat.deadline, now),
    )


def _kept_dealing(dealing: Dealing | None, now: int) -> KeptDealing | None:
    if dealing is None:
        return None
    left, patient = _left(dealing.deadline, now), _left(dealing.patient_until, now)
    return KeptDealing(dealing.state, left, patient)


def _kept_play(play: Play, now: int) -> KeptPlay:
    return KeptPlay(
        match=play.id,
        rows=play.rows,
        turn=play.turn,
        asked_ms=now - play.asked_at,
        turn_ms=play.turn_ms,
        left_ms=_left(play.deadline, now),
        unshown=_kept_answer(play, now),
    )


def _kept_answer(play: Play, now: int) -> KeptAnswer | None:
    """Return what decided this turn without being done yet, or at all."""
    held = play.held
    if held is not None:
        return KeptAnswer(held.seat, str(held.action), held.show_at - now)
    if play.actions and play.actions[-1].turn == play.turn:
        return None
    for seat, answered in play.answered.items():
        if answered.turn == play.turn:
            return KeptAnswer(seat, str(answered.action))
    return None


# --- from values


def restore(
    kept: KeptTable,
    log: Iterable[KeptRow],
    entropy: Entropy,
    new_match_id: Callable[[], str],
    now: int,
) -> Table:
    """Return the table that was kept, as of `now`; `log` has the rows of its match, from the first.

    Nothing is left to tell or to store of it. Raises InvalidKept.
    """
    options = _options(kept.game)
    verify_kept(kept)
    table = Table(
        table_id=kept.id,
        name=kept.name,
        options=options,
        settings=TableSettings(kept.table, kept.clocked, options.partners),
        deals=_deals(kept, entropy),
        new_match_id=new_match_id,
        maker=kept.maker,
        now=now - kept.looked_ms,
    )
    table.state = kept.state
    table.matches = kept.matches
    table.deadline = _at(kept.left_ms, now)
    if kept.rematch_ms is not None:
        table.rematch_until = now + kept.rematch_ms
    table.seats.resume([_seat(seat, now) for seat in kept.seats], kept.owner)
    if kept.play is not None:
        play = replay(kept.play.match, options, kept.deal, log, table.changes)
        _resume(play, kept.play, kept.state, now)
        play.sitters = [seat.occupant for seat in table.seats]
        table.play = play
    elif any(True for _ in log):
        raise InvalidKept("rows: there are some, but no match was kept")
    if kept.fair is not None and table.fair is not None:
        _resume_dealing(table.fair, kept.fair, len(kept.seats), now)
    table.changes.resume(kept.rev)
    return table


def _at(left: int | None, now: int) -> int | None:
    return None if left is None else now + left


def _options(game: GameOptions) -> Options:
    try:
        return options_of(game)
    except OptionError as error:
        raise InvalidKept(f"game.{error}") from None


def _resume_dealing(desk: DealingDesk, kept: KeptDealing, seats: int, now: int) -> None:
    dealing = desk.dealing = Dealing(desk.source, kept.state, seats)
    dealing.deadline = _at(kept.left_ms, now)
    dealing.patient_until = _at(kept.patient_ms, now)


def _deals(kept: KeptTable, entropy: Entropy) -> DealSource | FairDeals:
    if kept.deal is DealKind.SERVER:
        return ServerDeals(entropy)
    if kept.deal is DealKind.FAIR:
        return FairDeals(entropy)
    source = _FROM_KEY.get(kept.deal)
    if source is None or kept.key is None:
        raise InvalidKept(f"deal: {kept.deal}, and no such deals are known without a key")
    try:
        return source(bytes.fromhex(kept.key))
    except ValueError:
        raise InvalidKept("key: it is not written in hex digits") from None


def _seat(kept: KeptSeat, now: int) -> Seat:
    return Seat(
        state=kept.state,
        occupant=kept.occupant,
        keeper=kept.keeper,
        invited=kept.invited,
        ready=kept.ready,
        gone=kept.gone,
        new=kept.new,
        absence=kept.absence,
        returning=kept.returning,
        struck=kept.struck,
        refusals=kept.refusals,
        bank_ms=kept.bank_ms,
        away_since=None if kept.away_ms is None else now - kept.away_ms,
        deadline=_at(kept.invited_ms, now),
    )


def _resume(play: Play, kept: KeptPlay, state: TableState, now: int) -> None:
    """Go on in the turn that was kept. Raises InvalidKept if the log does not lead there."""
    if play.rows != kept.rows or not play.rows:
        raise InvalidKept(f"rows: there are {play.rows}, but {kept.rows} were kept")
    _verify_end(play, kept.turn, state)
    play.over = state in _AFTER_MATCH
    play.turn = kept.turn
    play.asked_at = now - kept.asked_ms
    play.turn_ms = kept.turn_ms
    play.deadline = _at(kept.left_ms, now)
    if kept.unshown is not None:
        _answer(play, kept.unshown, now)


def _verify_end(play: Play, turn: int, state: TableState) -> None:
    """Raise InvalidKept unless a log can end like this in that turn and that state."""
    asked = play.to_act is not None
    if turn < play.turn + asked or (turn > play.turn and not asked):
        raise InvalidKept(f"turn: {turn}, but the log ends with turn {play.turn}")
    if state not in _AFTER_MATCH and (play.match.over or asked is not _ASKED.get(state, asked)):
        raise InvalidKept(f"state: {state}, but the log does not end like that")


def _answer(play: Play, kept: KeptAnswer, now: int) -> None:
    """Take up an action that is not shown yet, or never will be. Raises InvalidKept."""
    action = kept_action(kept.action)
    if play.over is not (kept.show_ms is None) or not play.match.can(kept.seat, action):
        raise InvalidKept(f"unshown: seat {kept.seat} cannot have answered with that")
    if kept.show_ms is None:
        play.answered[kept.seat] = Answered(play.turn, action)
    else:
        play.hold(Held(kept.seat, action, now + kept.show_ms))
