"""`passing serve revoke`: who may come in at the server that runs here, and who may no more."""

from argparse import SUPPRESS, ArgumentParser, Namespace

from passing_link.exits import ExitCode

HELP = "list the clients that may come in, or take that away from one"
EXAMPLES = """\
  passing serve revoke                    the clients that are remembered
  passing serve revoke Ann                forget Ann, and end what she has there
  passing serve revoke --json             the list, one JSON object a line
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the folder, which may also stand before `revoke`, the name, and `--json`."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="whose access to take away; without: a list"
    )
    parser.add_argument(
        "--state", metavar="DIR", default=SUPPRESS, help="folder of the server's own files"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def run(arguments: Namespace) -> int:
    """Ask the server and print what it answers; 3 when there is none, 4 when it refuses."""
    import sys

    import msgspec

    from passing_link.fitting import fitted
    from passing_server.asking import connection_file, speaking_to
    from passing_server.remembered import all_clients, client_lines, revoke, revoked_lines
    from passing_server.state_folder import folder_of

    file = connection_file(folder_of(arguments.state))
    with speaking_to(file) as connection:
        if arguments.name is None:
            clients = all_clients(connection)
            lines = list(client_lines(clients))
        else:
            report = revoke(connection, arguments.name)
            clients = report.clients
            lines = list(revoked_lines(report))
    if arguments.json:
        lines = [msgspec.json.encode(client).decode() for client in clients]
    for line in lines:
        print(line if arguments.json else fitted(line, sys.stdout))
    return ExitCode.DONE
