"""Print what a commit costs: `python -m bench.store`.

Each line is a batch of so many tables, each with a row of its log and its new value, at one
durability. Beside it the same bytes go into a bare table of SQLite with the same settings, a
row for each, in one transaction: the ratio is what chains, seals and values in place cost.
"""

import argparse
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from passing_server.sqlite_store import SqliteStore
from passing_server.storing import Batch, Entry, Part

SIZES = (1, 16, 64)
ROW, VALUE = 120, 900
"""The bytes of a row and of a table's value."""

HEAD = "durability  entries  commits/s  us/commit  us/entry | bare: us/commit | ratio"


def batches(size: int, count: int, *, full: bool) -> list[Batch]:
    """Return commits that each give so many tables a row more."""
    made: list[Batch] = []
    for seq in range(1, count + 1):
        entries = [Entry(f"t{n}", f"m{n}", seq, os.urandom(ROW)) for n in range(size)]
        part = Part(entries, {entry.table: os.urandom(VALUE) for entry in entries})
        made.append(Batch(full=part) if full else Batch(fast=part))
    return made


def took(commit: Callable[[Batch], None], batch: Batch) -> float:
    """Return the microseconds that a commit takes."""
    begun = time.perf_counter()
    commit(batch)
    return (time.perf_counter() - begun) * 1e6


def side_by_side(folder: Path, made: list[Batch]) -> tuple[float, float]:
    """Return the medians of the store and of bare SQLite, taken in turns: disks have moods."""
    with closing(SqliteStore(folder)) as store, closing(bare(folder, made[0])) as connection:
        store.load()
        both = [(took(store.commit, b), took(bare_commit(connection), b)) for b in made]
    of_store, of_bare = zip(*both, strict=True)
    return median(of_store), median(of_bare)


def bare(folder: Path, first: Batch) -> sqlite3.Connection:
    """Open a file with the same settings and one table."""
    connection = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {'FULL' if first.is_full else 'NORMAL'}")
    connection.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, data BLOB)")
    return connection


def bare_commit(connection: sqlite3.Connection) -> Callable[[Batch], None]:
    """Return what stores the same bytes and nothing else."""

    def commit(batch: Batch) -> None:
        part = batch.full or batch.fast
        data = [entry.body for entry in part.entries] + list(part.tables.values())
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO bare (data) VALUES (?)", ((each,) for each in data))
        connection.execute("COMMIT")

    return commit


def show(commits: int, where: str | None) -> None:
    """Print a line for each durability and size."""
    sys.stdout.write(f"{HEAD}\n")
    for full in (True, False):
        for size in SIZES:
            made = batches(size, commits, full=full)
            with TemporaryDirectory(dir=where) as folder:
                store, plain = side_by_side(Path(folder), made)
            sys.stdout.write(
                f"{'full' if full else 'fast':>10}  {size:7}  {1e6 / store:9,.0f}  {store:9,.0f}"
                f"  {store / size:8.1f} | {plain:15,.0f} | {store / plain:5.2f}\n"
            )
            sys.stdout.flush()


def main() -> None:
    """Read the command line and show."""
    parser = argparse.ArgumentParser(prog="python -m bench.store", description=__doc__)
    parser.add_argument("--commits", type=int, default=400, help="commits for each line")
    parser.add_argument("--dir", help="the folder to measure in; another disk, other figures")
    arguments = parser.parse_args()
    show(arguments.commits, arguments.dir)


if __name__ == "__main__":
    main()
