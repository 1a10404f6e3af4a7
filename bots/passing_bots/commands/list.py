"""`passing bot list`: the engines that are installed here."""

from argparse import ArgumentParser, Namespace

from passing_link.exits import ExitCode

HELP = "list the engines installed here"
EXAMPLES = """\
  passing bot list
  passing bot list --json
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: Namespace) -> int:
    """Print one engine a line: its name, what it does, and whose it is where not ours."""
    import json
    from dataclasses import asdict

    from passing_bots.catalogue import installed

    offers = installed()
    if arguments.json:
        for offer in offers:
            print(json.dumps(asdict(offer)))
        return ExitCode.DONE
    width = max((len(offer.name) for offer in offers), default=0)
    for offer in offers:
        whose = "" if offer.distribution == "passing-game" else f"  ({offer.distribution})"
        print(f"{offer.name:{width}}  {offer.summary}{whose}")
    return ExitCode.DONE
