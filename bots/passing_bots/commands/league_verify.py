"""`passing league verify`: all games of a league played again, and its results compared."""

from argparse import ArgumentParser, Namespace

from passing_link.exits import CommandFailed, ExitCode

HELP = "play all games of a league again from its seed, and compare its results"
EXAMPLES = """\
  passing league verify league           5 is the exit code of a league that is not right
"""

SHOW_EACH = 100
"""Games between two looks at how far it is; one takes one or two milliseconds."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("folder", metavar="DIR", help="the folder of a league")


def run(arguments: Namespace) -> int:
    """Print one line where all is right; else name the first file and line that is not."""
    import sys
    from pathlib import Path

    from passing_bots.league.folder import LeagueFolder
    from passing_bots.league.log import InvalidLog, LeagueOver
    from passing_bots.league.verifying import InvalidResults, verify_log, verify_results

    folder = LeagueFolder(Path(arguments.folder))
    count = 0

    def look(done: int, of: int) -> None:
        """Count the games, and show how far it is."""
        nonlocal count
        count = done
        if sys.stderr.isatty() and (done % SHOW_EACH == 0 or done == of):
            sys.stderr.write(f"\r{done}/{of} games verified" + ("\n" if done == of else ""))

    try:
        events = verify_log(folder.log, look)
        over = isinstance(events[-1], LeagueOver)
        if over or folder.results.exists():  # a league that was stopped may have none yet
            verify_results(folder.results, events)
    except InvalidLog as error:
        raise CommandFailed(ExitCode.CHECK_FAILED, str(error)) from None
    except InvalidResults as error:
        sentence = f"{error}; `passing league report {folder}` writes it again from the log."
        raise CommandFailed(ExitCode.CHECK_FAILED, sentence) from None
    except OSError as error:
        sentence = f"{error.filename}: {error.strerror}. Is {folder} a league's folder?"
        raise CommandFailed(ExitCode.USAGE, sentence) from None
    finished = "" if over else "; the league is not finished"
    print(f"{folder}: {count} games and all results are right{finished}.")
    return ExitCode.DONE
