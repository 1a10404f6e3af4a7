"""`passing league run`: play a league between engines on this machine."""

from argparse import ArgumentParser, Namespace

HELP = "play a league between engines, from a TOML file"
EXAMPLES = """\
  passing league run league.toml              all goes into the folder league
  passing league run league.toml --out spring
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("file", metavar="FILE", help="the league's settings")
    parser.add_argument(
        "--out", metavar="DIR", help="folder of the log and the results (FILE without .toml)"
    )
    parser.add_argument("--json", action="store_true", help="print each event as a line of JSON")


def run(arguments: Namespace) -> int:
    """Play all games and print the standings; exit code 6 tells that engines had faults."""
    from pathlib import Path

    from passing_bots.league.playing_out import begin_league

    out = None if arguments.out is None else Path(arguments.out)
    return begin_league(Path(arguments.file), out, as_json=arguments.json)
