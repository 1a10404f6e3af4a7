"""`passing rules`: the rules of the game, numbered, as plain text."""

import sys
from argparse import ArgumentParser, Namespace

from passing_client.language import mark
from passing_link.exits import ExitCode

WIDEST = 96
"""No line is longer in a terminal, however wide it is: long lines are hard to read."""

HELP = mark("print the rules of the game")
EXAMPLES = mark(
    """\
  passing rules                all rules, wrapped to the terminal
  passing rules | less         a page at a time
  passing rules | grep R3.2    one clause: off a terminal each is one line
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add nothing: the rules are one text."""


def run(arguments: Namespace) -> int:
    """Print the rules, wrapped where a terminal shows them."""
    import shutil

    from passing_client.plain_text import plain_text
    from passing_protocol.resources import read_data

    width = min(shutil.get_terminal_size().columns, WIDEST) if sys.stdout.isatty() else None
    sys.stdout.write(plain_text(read_data("RULES.md"), width))
    return ExitCode.DONE
