"""One file of SQLite: made for its owner alone, known by its marks, brought up to date; its words.

Everything that SQLite or the system refuses leaves here as StoreFailed, in a sentence.
"""

import os
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from passing_link.whole_file import sync_folder
from passing_server.storing import DiskFull, StoreFailed, failed_for

Steps = Sequence[Sequence[str]]
"""The statements that bring a file from each version to the next, the first from nothing to 1."""

LOG_BYTES = 4 * 2**20
"""SQLite's log of what is written is cut back to this when all of it is in the file."""

ROOM_BYTES = 2**16
"""Where less is left of a disk, that is why SQLite cannot make or lengthen a file."""

BUSY_S = 0.2
"""How long to wait for another program that is at work on a file: the server stands still."""

WORDS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_READONLY: "it cannot be written",
    sqlite3.SQLITE_PERM: "it cannot be written",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_BUSY: "another program is at work on it",
    sqlite3.SQLITE_LOCKED: "another program is at work on it",
}
DAMAGED = (
    "it is damaged ({reason}). To start without what it holds move it away, and {name}-wal and "
    "{name}-shm with it where they are there; or put back a copy of the whole folder"
)
LEFT = ".left"
"""What the name of a log gets appended whose file was moved away without it."""


def failed(path: Path, error: Exception) -> StoreFailed:
    """Return the sentence for what happened to a file."""
    if isinstance(error, OSError):
        return failed_for(error, f"{path}: {error.strerror or error}.")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    words = WORDS.get(code & 0xFF)
    if words is None:
        is_text = "decode to UTF-8" in str(error)  # it would quote the text
        return damaged(path, "a text in it is not whole" if is_text else str(error))
    kind = DiskFull if _for_want_of_room(path, code & 0xFF) else StoreFailed
    return kind(f"{path}: {words} ({error}).")


def _for_want_of_room(path: Path, code: int) -> bool:
    """Tell whether that happened as the disk is full; of some files SQLite does not say so."""
    if code == sqlite3.SQLITE_FULL:
        return True
    if code not in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
        return False
    with suppress(OSError):
        disk = os.statvfs(path.parent)
        return disk.f_bavail * disk.f_frsize < ROOM_BYTES or (disk.f_files > disk.f_favail == 0)
    return False


def damaged(path: Path, reason: str) -> StoreFailed:
    """Return the sentence for a file that does not hold what was written."""
    return StoreFailed(f"{path}: {DAMAGED.format(reason=reason, name=path.name)}.")


@contextmanager
def in_words(path: Path) -> Generator[None]:
    """Raise StoreFailed for whatever SQLite or the system refuses."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise damaged(path, "a text in it is not whole") from error
    except (sqlite3.Error, OSError) as error:
        raise failed(path, error) from error


@contextmanager
def transaction(path: Path, connection: sqlite3.Connection) -> Generator[None]:
    """Do all of it or nothing. Raises StoreFailed, and then nothing was done."""
    with in_words(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite ends it by itself at some failures
                connection.execute("ROLLBACK")
            raise


def open_file(
    path: Path, mark: int, synchronous: str, steps: Steps, unread: str = ""
) -> sqlite3.Connection:
    """Open a file, made or brought up to date if need be.

    `mark` is the application id that it bears, `unread` a table that grows for ever, so that it
    is not looked through. Raises StoreFailed when the file is not ours, newer, or damaged.
    """
    with in_words(path):
        if not path.exists():
            _make(path, mark, steps)
        path.chmod(0o600)
        if path.stat().st_size == 0:
            raise damaged(path, "it is empty")
        connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
        try:
            _verify_ours(path, connection, mark, len(steps))
            _write_ahead(path, connection)
            connection.execute(f"PRAGMA synchronous = {synchronous}")
            connection.execute("PRAGMA cell_size_check = ON")
            connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
            _bring_up_to_date(path, connection, mark, steps)
            _verify_tables(path, connection, steps, unread)
        except BaseException:
            connection.close()
            raise
    return connection


def verify_readable(path: Path, mark: int, newest: int) -> None:
    """Raise StoreFailed unless the file can be read as it is, without being brought up to date."""
    with in_words(path), closing(open_to_read(path)) as connection:
        _verify_ours(path, connection, mark, newest)
        if _number(connection, "user_version") < newest:
            raise StoreFailed(
                f"{path}: an older version of the game wrote this file. Start a server of this "
                "version on it once, which brings it up to date."
            )


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a file that is in use, to read it as it is now.

    Where nothing can be written and there is no log, nobody is at work on it: then SQLite does
    without the companions that it cannot make.
    """
    log = path.with_name(f"{path.name}-wal")
    is_still = not os.access(path.parent, os.W_OK) and not log.exists()
    mode = "mode=ro&immutable=1" if is_still else "mode=ro"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None)


def identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from one that takes its place, None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _make(path: Path, mark: int, steps: Steps) -> None:
    """Make the file, readable by its owner alone: SQLite gives its companions the same mode.

    It gets its name when it is whole, so a file that is not was damaged later.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        _bring_up_to_date(new, connection, mark, steps)
    log = path.with_name(f"{path.name}-wal")
    if log.exists():  # of a file that was moved away without it, and is not whole without it
        log.replace(path.with_name(f"{log.name}{LEFT}"))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    new.rename(path)
    sync_folder(path.parent)


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _verify_ours(path: Path, connection: sqlite3.Connection, mark: int, newest: int) -> None:
    """Raise StoreFailed unless the file is one that this version knows."""
    bears, version = _number(connection, "application_id"), _number(connection, "user_version")
    if bears != mark or version < 1:
        raise StoreFailed(
            f"{path}: this file is not of this game. Move it away, or choose another folder with "
            "--state."
        )
    if version > newest:
        raise StoreFailed(
            f"{path}: a newer version of the game wrote this file (form {version}; this one reads "
            f"up to {newest}). Install that version, or choose another folder with --state."
        )


def _write_ahead(path: Path, connection: sqlite3.Connection) -> None:
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise StoreFailed(
            f"{path}: the file system of this folder lacks what a database needs (journal {mode}). "
            "Choose a folder of a local disk with --state."
        )


def _bring_up_to_date(path: Path, connection: sqlite3.Connection, mark: int, steps: Steps) -> None:
    version = _number(connection, "user_version")
    if version == len(steps):
        return
    with transaction(path, connection):
        for step in steps[version:]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {mark}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")


def _shape(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    query = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    return connection.execute(query).fetchall()


def _verify_tables(path: Path, connection: sqlite3.Connection, steps: Steps, unread: str) -> None:
    """Raise StoreFailed when the structure of the file is damaged, as far as it is looked at."""
    with closing(sqlite3.connect(":memory:")) as model:
        for step in steps:
            for statement in step:
                model.execute(statement)
        shape = _shape(model)
    if _shape(connection) != shape:
        raise damaged(path, "its tables are not as they should be")
    for name, _ in shape:
        if name != unread:
            _check(path, connection, name)


def verify_whole(path: Path, connection: sqlite3.Connection) -> None:
    """Read the whole file, and raise StoreFailed when its structure is damaged anywhere."""
    with in_words(path):
        _check(path, connection, 1)


def _check(path: Path, connection: sqlite3.Connection, what: str | int) -> None:
    """Check one table, or with 1 everything, for the first fault."""
    found = connection.execute(f"PRAGMA quick_check({what})").fetchone()[0]
    if found != "ok":
        raise damaged(path, str(found).replace("\n", " "))
