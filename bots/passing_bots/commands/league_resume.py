"""`passing league resume`: go on with a league that was stopped."""

from argparse import ArgumentParser, Namespace

HELP = "go on with a league that was stopped"
EXAMPLES = """\
  passing league resume league
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("folder", metavar="DIR", help="the folder of the league's log")
    parser.add_argument("--json", action="store_true", help="print each event as a line of JSON")


def run(arguments: Namespace) -> int:
    """Play the games that the log does not tell of, each game exactly once in all."""
    from pathlib import Path

    from passing_bots.league.playing_out import resume_league

    return resume_league(Path(arguments.folder), as_json=arguments.json)
