"""`passing rules`: the rules of the game, numbered, as plain text."""

import sys
from argparse import ArgumentParser, Namespace

from passing_client.language import mark
from passing_client.settings import add_setting_flags
from passing_link.exits import ExitCode

WIDEST = 96
"""No line is longer in a terminal, however wide it is: long lines are hard to read."""

HELP = mark("print the rules of the game")
EXAMPLES = mark(
    """\
  passing rules                all rules, wrapped to the terminal
  passing rules | less         a page at a time
  passing rules | grep R3.2    one clause: off a terminal each is one line
  passing rules --lang el      in Greek; there are en, el, sv, eo and ms
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the language: the rules are one text in each."""
    add_setting_flags(parser, "lang")


def run(arguments: Namespace) -> int:
    """Print the rules, wrapped where a terminal shows them."""
    import shutil

    from passing_client.plain_text import plain_text
    from passing_client.rules_text import rules_text

    width = min(shutil.get_terminal_size().columns, WIDEST) if sys.stdout.isatty() else None
    sys.stdout.write(plain_text(rules_text(), width))
    return ExitCode.DONE
