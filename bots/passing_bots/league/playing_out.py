"""Play a league out, from its file or its folder to its results, and say how it ended."""

import os
import secrets
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Final

from passing_bots.league.book import Book
from passing_bots.league.folder import LeagueFolder
from passing_bots.league.log import (
    FaultNoted,
    InvalidLog,
    LeagueBegan,
    LeagueEvent,
    LeagueOver,
    LogInUse,
    LogWriter,
    has_ended,
    read_log,
    write_event,
)
from passing_bots.league.organiser import LeagueBroken
from passing_bots.league.progress import Progress
from passing_bots.league.results import derive
from passing_bots.league.running import run_league
from passing_bots.league.settings import SEED_BYTES, InvalidLeague, LeagueSettings, read_settings
from passing_bots.league.startable import verify_startable
from passing_bots.league.telling import standings_text
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkError
from passing_link.signals import ended_by_signals

SUFFIX: Final = ".toml"


class OutputClosed(Exception):
    """Raised when nobody reads standard output any more."""


def begin_league(file: Path, out: Path | None, *, as_json: bool) -> ExitCode:
    """Play the league of a file from its first game. Raises CommandFailed."""
    drawn = secrets.token_hex(SEED_BYTES)
    try:
        settings = read_settings(file, drawn)
    except InvalidLeague as error:
        raise CommandFailed(ExitCode.USAGE, str(error)) from None
    folder = LeagueFolder(out or _folder_of(file))
    _verify_free(folder)
    verify_startable(settings)
    began = LeagueBegan(settings, f"passing-game {metadata.version('passing-game')}")
    with _begun(folder, began) as log, _told_how_to_go_on(folder):
        if settings.seed == drawn:
            sys.stderr.write(f"{file} has no seed; drawn for this league: {drawn}\n")
        if as_json:
            _print_event(began)
        return _play_out(folder, log, [began], settings, as_json=as_json)


def _verify_free(folder: LeagueFolder) -> None:
    """Refuse a folder that holds anything. Raises CommandFailed."""
    if folder.log.exists():
        raise CommandFailed(ExitCode.USAGE, _taken(folder))
    try:
        empty = not folder.path.exists() or not any(folder.path.iterdir())
    except OSError as error:
        raise CommandFailed(ExitCode.USAGE, _unusable(folder, error)) from None
    if not empty:
        sentence = (
            f"{folder}: this folder is not empty, and no league's; choose another with --out."
        )
        raise CommandFailed(ExitCode.USAGE, sentence)


def _begun(folder: LeagueFolder, began: LeagueBegan) -> LogWriter:
    """Begin a log in a folder that has none. Raises CommandFailed."""
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        return LogWriter.begin(folder.log, began)
    except OSError as error:
        raise CommandFailed(ExitCode.USAGE, _unusable(folder, error)) from None


def _unusable(folder: LeagueFolder, error: OSError) -> str:
    return f"--out {folder}: cannot be used as a folder ({error.strerror})."


def resume_league(path: Path, *, as_json: bool) -> ExitCode:
    """Go on with the league of a folder. Raises CommandFailed."""
    folder = LeagueFolder(path)
    with _resumed(folder) as log, _told_how_to_go_on(folder):
        events, settings = _read(folder)
        if not isinstance(events[-1], LeagueOver):
            verify_startable(settings)
        return _play_out(folder, log, events, settings, as_json=as_json)


def _resumed(folder: LeagueFolder) -> LogWriter:
    """Open the log of a league to go on with it. Raises CommandFailed."""
    try:
        return LogWriter.resume(folder.log)
    except LogInUse:
        sentence = f"{folder}: this league is being played."
    except OSError as error:
        sentence = f"{folder.log}: cannot be read ({error.strerror}). Is it a league's folder?"
    raise CommandFailed(ExitCode.USAGE, sentence)


def _read(folder: LeagueFolder) -> tuple[tuple[LeagueEvent, ...], LeagueSettings]:
    """Return the events of a league's log, and its settings. Raises CommandFailed."""
    try:
        events = read_log(folder.log)
    except InvalidLog as error:
        raise CommandFailed(ExitCode.CHECK_FAILED, str(error)) from None
    try:
        return events, Book.of(events).settings
    except InvalidLog as error:
        raise CommandFailed(ExitCode.CHECK_FAILED, f"{folder.log}: {error}.") from None


def _folder_of(file: Path) -> Path:
    """Return the folder beside a settings file: its name without the suffix."""
    if file.suffix != SUFFIX:
        raise CommandFailed(
            ExitCode.USAGE, f"--out is needed, as the name of {file} does not end in {SUFFIX}."
        )
    return file.with_suffix("")


def _taken(folder: LeagueFolder) -> str:
    """Tell what can be done with a folder in which there is a league already."""
    if has_ended(folder.log):
        then = f"is finished. See it with `passing league report {folder}`"
    else:
        then = (
            f"is not finished. Go on with `passing league resume {folder}`, by the settings that "
            "it began with, whatever the file says now"
        )
    return f"{folder}: the league there {then}, or choose another folder with --out."


def _play_out(
    folder: LeagueFolder,
    log: LogWriter,
    done: Sequence[LeagueEvent],
    settings: LeagueSettings,
    *,
    as_json: bool,
) -> ExitCode:
    """Play what is not done, derive the results, and print them.

    Raises CommandFailed, OutputClosed, LeagueBroken and LinkError.
    """
    faults = [event for event in done if _is_fault(event)]
    if isinstance(done[-1], LeagueOver):
        sys.stderr.write("This league is finished: nothing is left to play.\n")
    else:
        progress = Progress(settings, sys.stderr, terminal=sys.stderr.isatty())
        for event in done:
            progress.recall(event)

        def report(event: LeagueEvent, playing: int) -> None:
            """Keep a fault, and tell what has happened."""
            if _is_fault(event):
                faults.append(event)
            if as_json:
                _print_event(event)
            progress.tell(event, playing)

        with ended_by_signals():
            try:
                run_league(settings, folder, log, done, report)
            finally:
                progress.close()
    table = derive(folder.log, folder.results)
    if not as_json:
        with _read_by_somebody():
            sys.stdout.write(standings_text(table))
    sys.stderr.write(f"Records and standings are in {folder.results}.\n")
    return ExitCode.LEAGUE_FAULTS if faults else ExitCode.DONE


def _is_fault(event: LeagueEvent) -> bool:
    return isinstance(event, FaultNoted) and event.owner == "player"


def _print_event(event: LeagueEvent) -> None:
    with _read_by_somebody():
        sys.stdout.buffer.write(write_event(event))


@contextmanager
def _read_by_somebody() -> Generator[None]:
    """Write to standard output at once. Raises OutputClosed where its reader has gone."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still to be written would raise once more when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise OutputClosed from None


@contextmanager
def _told_how_to_go_on(folder: LeagueFolder) -> Generator[None]:
    """Turn what ends a league early into a sentence. Raises CommandFailed."""
    hint = (
        "Every game that has ended is kept: go on with "
        f"`passing league resume {folder}`, or see the standings so far with "
        f"`passing league report {folder}`."
    )
    try:
        yield
    except KeyboardInterrupt:
        raise CommandFailed(ExitCode.INTERRUPTED, f"Stopped. {hint}") from None
    except OutputClosed:
        sentence = f"Stopped, as nobody reads the output any more. {hint}"
        raise CommandFailed(ExitCode.UNEXPECTED, sentence) from None
    except (LeagueBroken, LinkError) as error:
        raise CommandFailed(ExitCode.UNEXPECTED, f"{error} {hint}") from None
