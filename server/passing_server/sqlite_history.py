"""The matches of a file that are over: given out for records, removed when they are old."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import msgpack

from passing_server.sqlite_file import in_words, open_to_read
from passing_server.sqlite_tables import EVENTS, Match, TableFile, is_whole, matches
from passing_server.storing import FinishedMatch

ROWS_AT_ONCE: Final = 1_000
"""So many rows are read, or removed, at a time: nobody waits for longer than that takes."""

MATCHES_AT_ONCE: Final = 200
"""So many matches are looked at, at a time, whether they are old."""

SWEEP: Final = "sweep"
"""The note that says which rows may be of matches that were removed: the first and the last."""

OF_NONE: Final = (
    "DELETE FROM events WHERE id BETWEEN ? AND ? AND match NOT IN (SELECT number FROM matches)"
)
SOME: Final = (
    "SELECT number, first, last, run_day FROM matches WHERE number > ? ORDER BY number LIMIT ?"
)


def finished(path: Path) -> Iterator[FinishedMatch]:
    """Give the matches that are over, in the order of their last rows. Raises StoreFailed.

    It reads a little at a time, and nothing is held open between: what is written meanwhile goes
    on, however slow the one is who takes the matches. No more than the matches that overlap are
    in memory. What is removed meanwhile is left out.
    """
    yield from _read(path, "last IS NOT NULL")


def newest(path: Path) -> Iterator[FinishedMatch]:
    """Give likewise the newest match of each table that is there, as far as it has gone."""
    yield from _read(path, "last IS NULL")


def _read(path: Path, which: str) -> Iterator[FinishedMatch]:
    """Give the matches for which an SQL condition holds. Raises StoreFailed."""
    with in_words(path), closing(open_to_read(path)) as connection:
        over = {match.number: match for match in list(matches(connection, which))}
        for event, number, *row in _events(connection):
            match = over.get(number)
            if match is None or event < match.first:
                continue
            match.read(event, *row)
            if event == match.last:
                yield from _finished(connection, over.pop(number))
        for match in over.values():  # the last row of these is lost, or is not known
            yield from _finished(connection, match)


def _events(connection: sqlite3.Connection) -> Iterator[tuple[int, int, object, object, object]]:
    """Give the rows in order, each piece of them read at once."""
    last = 0
    query = f"{EVENTS} WHERE id > ? ORDER BY id LIMIT {ROWS_AT_ONCE}"
    while rows := connection.execute(query, (last,)).fetchall():
        yield from rows
        last = rows[-1][0]


def _finished(connection: sqlite3.Connection, match: Match) -> Iterator[FinishedMatch]:
    """Give a match with its head, unless it was removed since."""
    query = "SELECT head, seal FROM matches WHERE number = ?"
    found = connection.execute(query, (match.number,)).fetchall()
    if not found:
        return
    head, sealed = found[0]
    lacks_last = match.last is not None and match.end != match.last
    damage = match.damage(len(match.rows) + lacks_last)
    if not is_whole(head, sealed, *match.key) and (head or sealed):
        words = f"Match {match.key.match} of table {match.key.table}: its head is not whole."
        damage = damage or words
        head = b""
    yield FinishedMatch(*match.key, match.day, head, match.rows, damage)


def prune(file: TableFile, before: int) -> Iterator[int]:
    """Remove the matches that were over before a `run_day`, a piece with each step.

    Yields how many are gone with each. Raises StoreFailed. What is begun is gone on with later,
    wherever it was left.
    """
    last: int | None = 0
    while last is not None:
        while _sweep(file):
            yield 0
        last, removed = _remove(file, last, before)
        yield removed
    while _sweep(file):
        yield 0


def _remove(file: TableFile, after: int, before: int) -> tuple[int | None, int]:
    """Remove what is old of the matches that follow one, and note where their rows may be.

    Returns the last match that was looked at, None when there was none, and how many are gone.
    """
    with file.transaction():
        rows = file.connection.execute(SOME, (after, MATCHES_AT_ONCE)).fetchall()
        old = [row for row in rows if _is_old(row, before)]
        if old:
            file.connection.executemany(
                "DELETE FROM matches WHERE number = ?", [(row[0],) for row in old]
            )
            span = min(row[1] for row in old), max(row[2] for row in old)
            file.put_note(SWEEP, msgpack.encode(span))
    return (rows[-1][0] if rows else None), len(old)


def _is_old(row: tuple[object, ...], before: int) -> bool:
    """Tell whether a match was over before a day; what is damaged is left for the next start."""
    _, first, last, run_day = row
    whole = isinstance(first, int) and isinstance(last, int)
    return whole and isinstance(run_day, int) and run_day < before


def _sweep(file: TableFile) -> bool:
    """Remove some rows that are of no match any more; False when there are none of those."""
    note = file.note(SWEEP)
    if note is None:
        return False
    first, last = msgpack.decode(note, type=tuple[int, int])
    until = min(last, first + ROWS_AT_ONCE - 1)
    with file.transaction():
        file.connection.execute(OF_NONE, (first, until))
        file.put_note(SWEEP, msgpack.encode((until + 1, last)))
    if until == last:
        file.drop_note(SWEEP)
    return True
