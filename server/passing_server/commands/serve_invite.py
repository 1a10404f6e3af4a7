"""`passing serve invite`: the code and the links by which others join the server that runs here."""

from argparse import SUPPRESS, ArgumentParser, Namespace

from passing_link.exits import CommandFailed, ExitCode

HELP = "show the code and the link by which others join the server that runs here"
EXAMPLES = """\
  passing serve invite                    players; whoever has the code may play
  passing serve invite --role bot         engines of other machines
  passing serve invite --role spectator   who may watch, and not play
  passing serve invite --new              a new code; the one before is good no more
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the folder, which may also stand before `invite`, the role, `--new` and `--json`."""
    parser.add_argument(
        "--state", metavar="DIR", default=SUPPRESS, help="folder of the server's own files"
    )
    parser.add_argument(
        "--role",
        choices=("player", "spectator", "bot"),
        default="player",
        help="what one may do who joins by it (player)",
    )
    parser.add_argument("--new", action="store_true", help="make a new code in place of the old")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: Namespace) -> int:
    """Ask the server for the code and print how to join; 3 when there is none, 4 without --lan."""
    import sys

    from passing_link.fitting import fitted_prose
    from passing_protocol.messages import JoinCode, JoinCodeReport
    from passing_server.asking import connection_file, speaking_to
    from passing_server.joining import joining_at
    from passing_server.state_folder import folder_of

    file = connection_file(folder_of(arguments.state))
    with speaking_to(file) as connection:
        report = connection.request(JoinCode(0, arguments.role, arguments.new))
    if not isinstance(report, JoinCodeReport) or file.server_key is None:
        raise CommandFailed(ExitCode.UNEXPECTED, "The server answers with something else.")
    joining = joining_at(file, file.server_key)
    if arguments.json:
        print(joining.json(report.role, report.token, report.left_ms))
    else:
        for line in joining.lines(report.role, report.token, report.left_ms):
            print(fitted_prose(line, sys.stdout))
    return ExitCode.DONE
