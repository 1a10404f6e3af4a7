"""Lead a league from its file or its folder to its results, and say how it ended."""

import shutil
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Final

from passing_bots.catalogue import installed
from passing_bots.league.book import Book
from passing_bots.league.log import (
    FaultNoted,
    InvalidLog,
    LeagueBegan,
    LeagueEvent,
    LeagueOver,
    LogInUse,
    LogWriter,
    read_log,
    write_event,
)
from passing_bots.league.organiser import LeagueBroken
from passing_bots.league.progress import Progress
from passing_bots.league.results import derive
from passing_bots.league.running import Place, run_league
from passing_bots.league.settings import InvalidLeague, LeagueSettings, read_settings
from passing_bots.league.telling import standings_text
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkError
from passing_link.signals import ended_by_signals

SUFFIX: Final = ".toml"


def begin_league(file: Path, out: Path | None, *, as_json: bool) -> ExitCode:
    """Play the league of a file from its first game. Raises CommandFailed."""
    try:
        settings = read_settings(file)
    except InvalidLeague as error:
        raise CommandFailed(ExitCode.USAGE, str(error)) from None
    verify_installed(settings)
    place = Place(out or _folder_of(file))
    began = LeagueBegan(settings, f"passing-game {metadata.version('passing-game')}")
    with _begun(place, began) as log:
        return _lead(place, log, [began], settings, as_json=as_json)


def _begun(place: Place, began: LeagueBegan) -> LogWriter:
    """Begin a log in a folder that has none. Raises CommandFailed."""
    try:
        place.folder.mkdir(parents=True, exist_ok=True)
        return LogWriter.begin(place.log, began)
    except OSError as error:
        if place.log.exists():
            raise CommandFailed(ExitCode.USAGE, _taken(place)) from None
        sentence = f"--out {place.folder}: cannot be used as a folder ({error.strerror})."
        raise CommandFailed(ExitCode.USAGE, sentence) from None


def resume_league(folder: Path, *, as_json: bool) -> ExitCode:
    """Go on with the league of a folder. Raises CommandFailed."""
    place = Place(folder)
    with _resumed(place) as log:
        events, settings = _read(place)
        verify_installed(settings)
        return _lead(place, log, events, settings, as_json=as_json)


def _resumed(place: Place) -> LogWriter:
    """Open the log of a league to go on with it. Raises CommandFailed."""
    try:
        return LogWriter.resume(place.log)
    except LogInUse:
        sentence = f"{place.folder}: this league is being played."
    except OSError as error:
        sentence = f"{place.log}: cannot be read ({error.strerror}). Is it a league's folder?"
    raise CommandFailed(ExitCode.USAGE, sentence)


def _read(place: Place) -> tuple[tuple[LeagueEvent, ...], LeagueSettings]:
    """Return the events of a league's log, and its settings. Raises CommandFailed."""
    try:
        events = read_log(place.log)
        return events, Book.of(events).settings
    except InvalidLog as error:
        raise CommandFailed(ExitCode.CHECK_FAILED, str(error)) from None


def verify_installed(settings: LeagueSettings) -> None:
    """Refuse engines that are installed nowhere, before the first game. Raises CommandFailed.

    Whether a `module:Class` can be loaded shows when its process starts.
    """
    known = [offer.name for offer in installed()]
    for engine in settings.engines:
        if engine.command is not None and shutil.which(engine.command[0]) is None:
            raise CommandFailed(
                ExitCode.USAGE,
                f"engine {engine.name}: command begins with {engine.command[0]!r}, which is no "
                "program here.",
            )
        if engine.run is not None and ":" not in engine.run and engine.run not in known:
            raise CommandFailed(
                ExitCode.USAGE,
                f"engine {engine.name}: run is {engine.run!r}, which is not installed here; known "
                f"are {', '.join(known)}, or give module:Class.",
            )


def _folder_of(file: Path) -> Path:
    """Return the folder beside a settings file: its name without the suffix."""
    if file.suffix != SUFFIX:
        raise CommandFailed(
            ExitCode.USAGE, f"--out is needed, as the name of {file} does not end in {SUFFIX}."
        )
    return file.with_suffix("")


def _taken(place: Place) -> str:
    return (
        f"{place.folder}: a league has been played there already. Go on with it by `passing league "
        f"resume {place.folder}`, or choose another folder with --out."
    )


def _lead(
    place: Place,
    log: LogWriter,
    done: Sequence[LeagueEvent],
    settings: LeagueSettings,
    *,
    as_json: bool,
) -> ExitCode:
    """Play what is not done, derive the results, and print them. Raises CommandFailed."""
    faults = [event for event in done if _is_fault(event)]
    if not isinstance(done[-1], LeagueOver):
        progress = Progress(settings, sys.stderr, terminal=sys.stderr.isatty())
        for event in done:
            progress.recall(event)

        def report(event: LeagueEvent, playing: int) -> None:
            if _is_fault(event):
                faults.append(event)
            if as_json:
                sys.stdout.buffer.write(write_event(event))
            progress.tell(event, playing)

        with _told_how_to_go_on(place), ended_by_signals():
            try:
                run_league(settings, place, log, done, report)
            finally:
                progress.close()
    table = derive(place.log, place.results)
    if not as_json:
        sys.stdout.write(standings_text(table))
    sys.stderr.write(f"Records and standings are in {place.results}.\n")
    return ExitCode.LEAGUE_FAULTS if faults else ExitCode.DONE


def _is_fault(event: LeagueEvent) -> bool:
    return isinstance(event, FaultNoted) and event.owner == "player"


@contextmanager
def _told_how_to_go_on(place: Place) -> Generator[None]:
    """Turn what ends a league early into a sentence. Raises CommandFailed."""
    hint = f"Every game that has ended is kept; go on with `passing league resume {place.folder}`."
    try:
        yield
    except KeyboardInterrupt:
        raise CommandFailed(ExitCode.INTERRUPTED, f"Stopped. {hint}") from None
    except (LeagueBroken, LinkError) as error:
        raise CommandFailed(ExitCode.UNEXPECTED, f"{error} {hint}") from None
