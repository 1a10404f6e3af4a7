"""`passing serve export`: the matches of a server that are over, as records."""

import sys
from argparse import SUPPRESS, ArgumentParser, Namespace

from passing_link.exits import CommandFailed, ExitCode

STDOUT = "-"
HELP = "write the matches that are over as records, with every hand in them"
EXAMPLES = """\
  passing serve export --out ./matches        a file for each, for your eyes alone
  passing serve export --out - | passing record check -
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the folder, which may also stand before `export`, and where the records go."""
    parser.add_argument(
        "--state", metavar="DIR", default=SUPPRESS, help="folder of the server's own files"
    )
    parser.add_argument(
        "--out", metavar="DIR", required=True, help="folder to write to; - is standard output"
    )


def run(arguments: Namespace) -> int:
    """Write every match that is over; 1 when there is nothing to read, 5 when one is damaged."""
    from pathlib import Path

    from passing_protocol.records import write
    from passing_server.asking import verify_may_read
    from passing_server.exporting import exported, write_record
    from passing_server.state_folder import folder_of
    from passing_server.storing import StoreFailed

    folder = folder_of(arguments.state)
    verify_may_read(folder)
    written = left_out = going_on = 0
    try:
        for one in exported(folder):
            going_on += one.going_on
            if one.trouble is not None:
                left_out += 1
                sys.stderr.write(f"passing: {one.trouble}\n")
            if one.record is None:
                continue
            if arguments.out == STDOUT:
                sys.stdout.write("\n" * bool(written) + write([one.record]))
            else:
                write_record(Path(arguments.out), one)
            written += 1
    except StoreFailed as error:
        raise CommandFailed(ExitCode.UNEXPECTED, str(error)) from None
    where = "standard output" if arguments.out == STDOUT else arguments.out
    later = f" Not over yet, and so left out: {going_on}." if going_on else ""
    sys.stderr.write(f"Matches written to {where}: {written}.{later}\n")
    return ExitCode.CHECK_FAILED if left_out else ExitCode.DONE
