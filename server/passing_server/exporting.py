"""The matches of a store that are over, as records."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final

import msgspec

from passing_link.whole_file import write_whole
from passing_protocol.records import (
    ChangeKind,
    InvalidValue,
    Outcome,
    Proof,
    ProvenDeal,
    ProvenList,
    Record,
    SeatChange,
    SeatTag,
    record_of_match,
    write,
)
from passing_protocol.views import options_of
from passing_rules import OptionError
from passing_server.keeping import Head
from passing_server.sqlite_store import finished_in, newest_in
from passing_server.storing import FinishedMatch, StoreFailed
from passing_table import InvalidKept, read_row
from passing_table.changes import Changes
from passing_table.replay import replay
from passing_table.rows import (
    KeptAction,
    KeptChange,
    KeptDeal,
    KeptEnd,
    KeptLinks,
    KeptRow,
    KeptTips,
)

FIRST_DAY: Final = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Exported:
    """Hold a match: its record, None when there can be none, and what is wrong.

    One that is `going_on` is not over yet, so there is no record of it.
    """

    match: FinishedMatch
    record: Record | None
    trouble: str | None = None
    going_on: bool = False

    @property
    def file_name(self) -> str:
        """Return what a file of it is called: its day, its table and its own id."""
        day = _date(self.match.day).isoformat()
        return f"{day}-{self.match.table}-{self.match.match}.pass"


def exported(folder: Path) -> Iterator[Exported]:
    """Give every match of a state folder, whether a server runs there or not.

    Those of the tables that are there come first. Raises StoreFailed.
    """
    newest = list(newest_in(folder))
    known = {(match.table, match.match) for match in newest}
    for match in newest:
        yield _exported(match, table_is_there=True)
    for match in finished_in(folder):
        if (match.table, match.match) not in known:  # it may have ended since
            yield _exported(match, table_is_there=False)


def _exported(match: FinishedMatch, *, table_is_there: bool) -> Exported:
    """Return a match as a record, unless it cannot be one or is not over."""
    try:
        record = record_of(match)
    except (InvalidKept, InvalidValue, OptionError, msgspec.DecodeError) as error:
        words = f"Match {match.match} of table {match.table} is left out: {error}."
        return Exported(match, None, words)
    if table_is_there and record.outcome is None:
        return Exported(match, None, going_on=True)
    return Exported(match, record, match.damage)


def record_of(match: FinishedMatch) -> Record:
    """Return the full record of a match, as far as it went.

    Raises InvalidKept, InvalidValue, OptionError and msgspec.DecodeError for what cannot be.
    """
    head = msgspec.msgpack.decode(match.head, type=Head)
    log = [read_row(row) for row in match.rows]
    play = replay(match.match, options_of(head.game), head.deal, log, Changes())
    changes, outcome = _story(log)
    return record_of_match(
        play.match,
        event=head.table,
        seats=[SeatTag(seat.name, seat.engine) for seat in head.seats],
        deal_kind=head.deal,
        date=f"{_date(match.day):%Y.%m.%d}",
        match_id=match.match,
        changes=changes,
        outcome=outcome,
        proof=_proof(match.match, log),
    )


def _proof(match_id: str, log: Iterable[KeptRow]) -> Iterator[Proof]:
    """Give the lists and links of a match's fair deals, in the order in which they came."""
    number = 0
    for row in log:
        match row:
            case KeptDeal(round=number):
                pass
            case KeptTips(tips):
                yield ProvenList(tips)
            case KeptLinks():
                yield ProvenDeal.shown(row.revealed(match_id), number + 1)
            case _:
                pass


def _story(log: Iterable[KeptRow]) -> tuple[dict[int, list[SeatChange]], Outcome | None]:
    """Return who played on where, by round, and how the match ended if not by the rules."""
    number = done = 0
    changes: dict[int, list[SeatChange]] = {}
    outcome = None
    for row in log:
        match row:
            case KeptDeal(round=number):
                done = 0
            case KeptAction():
                done += 1
            case KeptChange(seat, kind, text):
                change = SeatChange(seat, done, ChangeKind(kind), text)
                changes.setdefault(number, []).append(change)
            case KeptEnd(reason, winner):
                every = [change for some in changes.values() for change in some]
                lost = {change.seat for change in every if change.kind is ChangeKind.FORFEIT}
                outcome = Outcome.told(reason, winner, lost)
            case KeptTips() | KeptLinks():
                pass
    return changes, outcome


def write_record(folder: Path, one: Exported) -> None:
    """Write a match's file whole or not at all, for its owner alone: it holds every hand.

    Raises StoreFailed.
    """
    if one.record is None:
        return
    path = folder / one.file_name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        words = "it is not a folder" if folder.exists() else error.strerror
        raise StoreFailed(f"{folder}: no folder can be made there: {words}.") from None
    try:
        write_whole(path, write([one.record]).encode())
    except OSError as error:
        raise StoreFailed(f"{path} cannot be written: {error.strerror}.") from None


def _date(day: int) -> date:
    return FIRST_DAY + timedelta(days=day)
