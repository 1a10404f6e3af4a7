"""`passing serve`: run a server until it is stopped."""

import argparse

HELP = "run a server for tables, or speak to one that runs"
EXAMPLES = """\
  passing serve                     on this machine alone, port 28066
  passing serve --port 0            on any free port
  passing serve --state ./den       with its files in a folder of their own
  passing serve --lan               for this network, encrypted; prints a code to join by
  passing serve --lan --bind 192.168.1.20   for the network of that address alone
  passing serve invite              the code and the link again; --role bot for engines
  passing serve revoke              who may come in; `revoke NAME`, `--all` take that away
  passing serve status              how the server is that runs here
  passing serve drain               let it end when the rounds that are played are over
  passing serve export --out ./all  the matches that are over, as records
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument(
        "--bind",
        metavar="ADDRESS",
        help="address to listen on (127.0.0.1; with --lan every address of this machine)",
    )
    parser.add_argument(
        "--lan",
        action="store_true",
        help="serve other machines too: all is encrypted, and who joins needs a code",
    )
    parser.add_argument("--port", type=int, default=28066, help="TCP port, 0 for any (28066)")
    parser.add_argument("--name", default="", help="the server's name (this machine's)")
    parser.add_argument("--state", metavar="DIR", help="folder of the server's own files")
    parser.add_argument(
        "--insecure-plaintext",
        action="store_true",
        help="listen beyond this machine although nothing is encrypted and anybody may play",
    )
    parser.add_argument(
        "--durability",
        choices=("full", "fast", "none"),
        default="full",
        help="what people's tables outlive: a loss of power, their process's end, nothing (full)",
    )
    parser.add_argument(
        "--keep-days",
        type=int,
        metavar="N",
        default=30,
        help="for how many days matches that are over are kept; 0: for a minute at most (30)",
    )
    parser.add_argument(
        "--log-json", action="store_true", help="log for programs: one JSON object a line"
    )
    parser.add_argument("--end-with-parent", action="store_true", help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Serve until a drain, SIGTERM, SIGINT or, with --end-with-parent, the end of stdin."""
    from passing_server.serving import Serving
    from passing_server.storing import Durability

    return Serving(
        bind=arguments.bind,
        port=arguments.port,
        name=arguments.name,
        state=arguments.state,
        lan=arguments.lan,
        plaintext=arguments.insecure_plaintext,
        durability=Durability(arguments.durability),
        keep_days=arguments.keep_days,
        log_json=arguments.log_json,
        end_with_parent=arguments.end_with_parent,
    ).run()
