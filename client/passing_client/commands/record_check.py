"""`passing record check`: play game records under the rules, and find the first wrong byte."""

import sys
from argparse import ArgumentParser, Namespace

from passing_link.exits import ExitCode

HELP = "play game records again under the rules"
EXAMPLES = """\
  passing record check game.pass           one file; 5 is the exit code of a wrong one
  passing record check records/*.pass      many, a line for each
  curl -s URL | passing record check -     standard input
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the files."""
    text = "a file of game records; - is standard input"
    parser.add_argument("files", nargs="+", metavar="FILE", help=text)


def run(arguments: Namespace) -> int:
    """Print a line for each file that is right, and on stderr one for each that is not."""
    from passing_client.record_files import read_file, sentence
    from passing_protocol.records import InvalidRecord

    code = ExitCode.DONE
    for name in arguments.files:
        data = read_file(name)
        try:
            print(_finding(name, data))
        except InvalidRecord as error:
            code = ExitCode.CHECK_FAILED
            sys.stdout.flush()
            sys.stderr.write(f"passing: {sentence(name, error)}\n")
    return code


def _finding(name: str, data: bytes) -> str:
    """Return what was found right with a file; raises InvalidRecord."""
    from passing_client.record_files import harmless
    from passing_protocol.records import decode, departure, verify_records

    text = decode(data)
    records = verify_records(text)
    rounds = [played for record in records for played in record.rounds]
    actions = sum(len(played.actions) for played in rounds)
    counts = (len(records), "game"), (len(rounds), "round"), (actions, "action")
    told = ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for count, what in counts)
    place = departure(text, records)
    form = "" if place is None else f"; not in canonical form from {place} on"
    return harmless(f"{name}: {told}{form}")
