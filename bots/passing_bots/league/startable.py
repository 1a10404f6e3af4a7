"""Refuse engines that cannot be started here, before the first game."""

import shutil
import sys
from contextlib import redirect_stdout

from passing_bots.catalogue import UnknownEngine, find
from passing_bots.league.settings import EngineSettings, LeagueSettings
from passing_link.exits import CommandFailed, ExitCode


def verify_startable(settings: LeagueSettings) -> None:
    """Refuse commands that are no program, and engines that cannot be loaded.

    Raises CommandFailed with the name of the engine and why.
    """
    for engine in settings.engines:
        reason = _reason(engine)
        if reason is not None:
            raise CommandFailed(ExitCode.USAGE, f"engine {engine.name}: {reason}.")


def _reason(engine: EngineSettings) -> str | None:
    """Return why an engine cannot be started, None where nothing is known against it."""
    if engine.command is not None and shutil.which(engine.command[0]) is None:
        return f"command begins with {engine.command[0]!r}, which is no program here"
    if engine.run is not None:
        try:
            with redirect_stdout(sys.stderr):  # a module may print when it is imported
                find(engine.run)
        except UnknownEngine as error:
            return f"run: {str(error).removeprefix('engine: ')}"
    return None
