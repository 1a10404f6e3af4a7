"""`passing serve status`: how the server is that runs on this machine."""

from argparse import SUPPRESS, ArgumentParser, Namespace

from passing_link.exits import CommandFailed, ExitCode

HELP = "say how the server is that runs here"
EXAMPLES = """\
  passing serve status                    tables, sessions, rates, memory, store
  passing serve status --json             the same as one JSON object
  passing serve status --state ./den      of the server with that folder
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the folder, which may also stand before `status`, and `--json`."""
    parser.add_argument(
        "--state", metavar="DIR", default=SUPPRESS, help="folder of the server's own files"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: Namespace) -> int:
    """Ask the server and print what it answers; 3 when there is none, 4 when it refuses."""
    import msgspec

    from passing_link.address import Address
    from passing_protocol.messages import Status, StatusReport
    from passing_server.asking import connection_file, speaking_to
    from passing_server.joining import addresses_of, serving_at
    from passing_server.state_folder import folder_of
    from passing_server.status_words import status_lines

    file = connection_file(folder_of(arguments.state))
    with speaking_to(file) as connection:
        report = connection.request(Status(0))
    if not isinstance(report, StatusReport):
        raise CommandFailed(ExitCode.UNEXPECTED, "The server answers with something else.")
    if arguments.json:
        reached = {"address": file.address, "addresses": addresses_of(file)}
        told = {"pid": file.pid, **reached, **msgspec.structs.asdict(report)}
        told = {name: value for name, value in told.items() if name not in ("seq", "re")}
        print(msgspec.json.encode(told).decode())
    else:
        here = Address.parse(file.address)
        place = serving_at(file.bind or here.host, here.port)
        print(f"Process {file.pid} at {place}.", *status_lines(report), sep="\n")
    return ExitCode.DONE
