"""`passing league report`: the results of a league, derived again from its log."""

from argparse import ArgumentParser, Namespace

from passing_link.exits import CommandFailed, ExitCode

HELP = "derive a league's results from its log, and print the standings"
EXAMPLES = """\
  passing league report league
  passing league report league --json
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("folder", metavar="DIR", help="the folder of a league")
    parser.add_argument("--json", action="store_true", help="print the standings as JSON")


def run(arguments: Namespace) -> int:
    """Write the results and print the standings; says on stderr if the league is not finished."""
    import sys
    from pathlib import Path

    from passing_bots.league.folder import LeagueFolder
    from passing_bots.league.log import InvalidLog
    from passing_bots.league.results import derive, standings_json
    from passing_bots.league.telling import standings_text

    folder = LeagueFolder(Path(arguments.folder))
    try:
        standings = derive(folder.log, folder.results)
    except InvalidLog as error:
        raise CommandFailed(ExitCode.CHECK_FAILED, str(error)) from None
    except OSError as error:
        sentence = f"{error.filename}: {error.strerror}. Is {folder} a league's folder?"
        raise CommandFailed(ExitCode.USAGE, sentence) from None
    print(standings_json(standings) if arguments.json else standings_text(standings), end="")
    if not standings.over:
        print("The league is not finished: its log has no end.", file=sys.stderr)
    return ExitCode.DONE
