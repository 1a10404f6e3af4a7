"""`passing serve revoke`: who may come in at the server that runs here, and who may no more."""

from argparse import SUPPRESS, ArgumentParser, Namespace

from passing_link.exits import ExitCode

HELP = "list the clients that may come in, or take that away from one or from all"
ALL = "all"
EXAMPLES = """\
  passing serve revoke                    the clients that are remembered
  passing serve revoke Ann                forget Ann, and end what she has there
  passing serve revoke 's?z+5dTA'         the same by a key, as the list and the log show it
  passing serve revoke --all              forget everybody
  passing serve revoke --all bot          forget all engines of other machines
  passing serve revoke --json             the list, one JSON object a line
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the folder, which may also stand before `revoke`, whose access to end, and `--json`."""
    whose = parser.add_mutually_exclusive_group()
    whose.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="whose access to take away, by name or key; without: a list",
    )
    whose.add_argument(
        "--all",
        choices=(ALL, "player", "spectator", "bot"),
        nargs="?",
        const=ALL,
        metavar="ROLE",
        help="take it away from all: of every role, or of one (player, spectator, bot)",
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
    from passing_server.remembered import (
        all_clients,
        all_revoked_lines,
        client_lines,
        revoke,
        revoke_all,
        revoked_lines,
    )
    from passing_server.state_folder import folder_of

    file = connection_file(folder_of(arguments.state))
    with speaking_to(file) as connection:
        if arguments.all is not None:
            role = None if arguments.all == ALL else arguments.all
            clients = revoke_all(connection, role)
            lines = list(all_revoked_lines(len(clients), role))
        elif arguments.name is None:
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
