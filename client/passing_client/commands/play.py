"""`passing play`: sit down at a server's table, or at a private one with engines."""

from argparse import ArgumentParser, Namespace

from passing_client.language import _, mark
from passing_client.settings import add_setting_flags

HELP = mark("sit down and play")
EXAMPLES = mark(
    """\
  passing play --bots 3                        play with three engines, here and now
  passing play --bots 3 --partners             the same, with a partner
  passing play --bots 1 --bot greedy           play with one engine, a greedy one
  passing play localhost --name Dana           sit down at the server of this machine
  passing play den.local --code CODE           join another machine's server; once is enough
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the server, and what a private table is to be."""
    from passing_client.entry import add_code_flag
    from passing_client.table_flags import add_table_flags

    text = _(
        "the server, HOST[:PORT] or a link; without it your setting `server`, or one that is found"
    )
    parser.add_argument("host", nargs="?", metavar="HOST", help=text)
    add_code_flag(parser)
    add_table_flags(parser, bots=range(1, 4))
    add_setting_flags(
        parser,
        "name",
        "profile",
        "bell",
        "confirm_pass",
        "pace",
        "memory",
        "records",
        "plain",
        "ascii",
        "lang",
    )


def run(arguments: Namespace) -> int:
    """Play until the person leaves; with `--bots` at a table that is made for them."""
    from passing_client.private_table import run_private
    from passing_client.seeking import visit_or_seek
    from passing_client.settings import effective_settings
    from passing_client.table_flags import plan_of
    from passing_link.signals import ended_by_signals

    settings = effective_settings(arguments).settings
    plan = plan_of(arguments, sit=True)
    with ended_by_signals():
        return visit_or_seek(arguments, settings) if plan is None else run_private(plan, settings)
