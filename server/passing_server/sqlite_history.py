"""The matches of a file that are over: given out for records, removed when they are old."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from passing_server.sqlite_file import in_words, open_to_read
from passing_server.sqlite_tables import EVENTS, Match, TableFile, is_whole, matches
from passing_server.storing import Damage, FinishedMatch

OLD = "last IS NOT NULL AND day < ?"


def finished(path: Path) -> Iterator[FinishedMatch]:
    """Give the matches that are over, in the order of their last rows. Raises StoreFailed.

    It reads the file as it is at the start, whatever is written meanwhile, and may run in another
    thread. One pass over the rows: no more than the matches that overlap are in memory.
    """
    with in_words(path), closing(open_to_read(path)) as connection:
        connection.execute("BEGIN")
        over = {match.number: match for match in matches(connection, "last IS NOT NULL")}
        for event, number, *row in connection.execute(f"{EVENTS} ORDER BY id"):
            match = over.get(number)
            if match is None or event < match.first:
                continue
            match.read(event, *row)
            if event == match.last:
                yield _finished(connection, over.pop(number))
        for match in over.values():  # the last row of these is lost
            yield _finished(connection, match)


def _finished(connection: sqlite3.Connection, match: Match) -> FinishedMatch:
    query = "SELECT head, seal FROM matches WHERE number = ?"
    head, sealed = connection.execute(query, (match.number,)).fetchone()
    damage = match.damage(len(match.rows) + (match.end != match.last))
    if not is_whole(head, sealed, *match.key) and (head or sealed):
        words = f"Match {match.key.match} of table {match.key.table}: its head is not whole."
        damage = damage or Damage(words, *match.key, rows=len(match.rows))
        head = b""
    return FinishedMatch(*match.key, match.day, head, match.rows, damage)


def prune(file: TableFile, before: int) -> int:
    """Remove the matches that were over before a day; return how many. Raises StoreFailed."""
    run = file.connection.execute
    with file.transaction():
        span = f"SELECT min(first), max(last) FROM matches WHERE {OLD}"  # noqa: S608
        first, last = run(span, (before,)).fetchone()
        if first is None:
            return 0
        of_old = f"match IN (SELECT number FROM matches WHERE {OLD})"  # noqa: S608
        run(
            f"DELETE FROM events WHERE id BETWEEN ? AND ? AND {of_old}",  # noqa: S608
            (first, last, before),
        )
        return run(f"DELETE FROM matches WHERE {OLD}", (before,)).rowcount  # noqa: S608
