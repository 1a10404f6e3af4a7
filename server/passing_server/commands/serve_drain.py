"""`passing serve drain`: let the server end that runs on this machine, in good order."""

from argparse import SUPPRESS, ArgumentParser, Namespace

from passing_link.exits import CommandFailed, ExitCode

MOST_S = 86_400
HELP = "let the server end that runs here, when the rounds that are played are over"
EXAMPLES = """\
  passing serve drain                     after 5 minutes at the latest
  passing serve drain --grace 0           at once; everything is stored
  passing serve drain --json              one JSON object for each thing that happens
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the folder, which may also stand before `drain`, the time and `--json`."""
    parser.add_argument(
        "--state", metavar="DIR", default=SUPPRESS, help="folder of the server's own files"
    )
    parser.add_argument(
        "--grace",
        type=float,
        metavar="S",
        default=300.0,
        help="seconds after which it ends in the middle of rounds too (300)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON objects")


def run(arguments: Namespace) -> int:
    """Ask the server to end, and wait until it has; 3 when there is none, 4 when it refuses.

    Who is interrupted does not stop what has begun.
    """
    from passing_server.ending import Ending

    grace_s: float = arguments.grace
    if not 0 <= grace_s <= MOST_S:
        sentence = f"--grace {grace_s:g}: allowed is 0 to {MOST_S} seconds."
        raise CommandFailed(ExitCode.USAGE, sentence)
    Ending(arguments.state, round(grace_s * 1_000), as_json=arguments.json).run()
    return ExitCode.DONE
