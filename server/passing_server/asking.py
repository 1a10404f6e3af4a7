"""Speak to a server that runs on this machine, as its operator: found by its state folder."""

import os
import shlex
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.connection_file import NAME, ConnectionFile, InvalidConnectionFile
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import CannotReach, LinkError, RequestFailed, TurnedAway
from passing_link.state_lock import holder_of, runs_on
from passing_protocol.messages import Agent, Role
from passing_server.sqlite_store import MARKS

AGENT: Final = Agent("operator", "1")


def connection_file(folder: Path) -> ConnectionFile:
    """Return what the server of a folder tells the programs of its machine.

    Raises CommandFailed: there is none, it has ended and left its file behind, or the file is not
    for us. Who listens at an address that was left behind must not be told a token.
    """
    holder = holder_of(folder)
    if holder is not None and holder.isdecimal():  # it has not told its address yet
        sentence = (
            f"A server is starting on {folder}, as process {holder}, and does not serve yet. "
            "Its log says what it waits for."
        )
        raise CommandFailed(ExitCode.UNREACHABLE, sentence)
    try:
        file = ConnectionFile.read(folder / NAME)
    except (FileNotFoundError, NotADirectoryError):
        sentence = (
            f"No server runs on {folder}. Start one with `passing serve`, or name the folder of "
            "one that runs with --state."
        )
        raise CommandFailed(ExitCode.UNREACHABLE, sentence) from None
    except OSError as error:
        raise unreadable(folder / NAME, error) from None
    except InvalidConnectionFile as error:
        raise CommandFailed(ExitCode.UNREACHABLE, f"{error}.") from None
    if not runs_on(folder, file):
        sentence = (
            f"The server that ran on {folder} as process {file.pid} has ended. Start it again with "
            f"`passing serve --state {shlex.quote(str(folder))}`."
        )
        raise CommandFailed(ExitCode.UNREACHABLE, sentence)
    return file


def verify_may_read(folder: Path) -> None:
    """Raise CommandFailed for a folder, or a file of the store in it, that is not for us."""
    for path in (folder, *(folder / name for name in MARKS)):
        try:
            os.close(os.open(path, os.O_RDONLY))
        except PermissionError as error:
            raise unreadable(path, error) from None
        except OSError:
            pass  # what is wrong with it is said where it is used


def unreadable(path: Path, error: OSError) -> CommandFailed:
    """Return that a file or folder of a server's cannot be read, and what to do about it."""
    todo = ""
    if isinstance(error, PermissionError):
        todo = " It is for the server's user alone: ask as that user, or with sudo."
    return CommandFailed(ExitCode.REFUSED, f"{path} cannot be read: {error.strerror}.{todo}")


@contextmanager
def speaking_to(file: ConnectionFile) -> Generator[Connection]:
    """Give a connection as the server's admin. Raises CommandFailed for all that goes wrong."""
    try:
        with Connection.open(
            Address.parse(file.address),
            name="operator",
            agent=AGENT,
            token=file.tokens.get(Role.ADMIN.value),
            security=file.security,
        ) as connection:
            yield connection
    except CannotReach as error:
        sentence = f"The server that runs as process {file.pid} does not answer: {error}"
        raise CommandFailed(ExitCode.UNREACHABLE, sentence) from None
    except (TurnedAway, RequestFailed) as error:
        raise CommandFailed(ExitCode.REFUSED, str(error)) from None
    except LinkError as error:
        raise CommandFailed(ExitCode.REFUSED, f"{file.address}: {error}") from None
