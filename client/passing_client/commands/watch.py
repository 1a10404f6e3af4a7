"""`passing watch`: watch a server's table, or a private one where engines play."""

from argparse import ArgumentParser, Namespace

from passing_client.language import _, mark
from passing_client.settings import add_setting_flags

HELP = mark("watch a table")
EXAMPLES = mark(
    """\
  passing watch --bots 4                    let four engines play, and watch them
  passing watch --bots 2 --plain --seed 7   the same match each time, as lines of text
  passing watch table.example.org kitchen   watch a server's table
  passing watch den.local --code CODE       join another machine's server; once is enough
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the server and the table, and what a private table is to be."""
    from passing_client.entry import add_code_flag
    from passing_client.table_flags import add_table_flags

    text = _(
        "the server, HOST[:PORT] or a link; without it your setting `server`, or one that is found"
    )
    parser.add_argument("host", nargs="?", metavar="HOST", help=text)
    text = _("the table, by its name or its number in the lobby; without it the first")
    parser.add_argument("table", nargs="?", metavar="TABLE", default="", help=text)
    add_code_flag(parser)
    add_table_flags(parser, bots=range(2, 5))
    add_setting_flags(parser, "name", "profile", "pace", "records", "plain", "ascii", "lang")


def run(arguments: Namespace) -> int:
    """Watch until the person leaves; with `--bots` until the match is over."""
    from passing_client.private_table import run_private
    from passing_client.seeking import visit_or_seek
    from passing_client.settings import effective_settings
    from passing_client.table_flags import plan_of
    from passing_link.signals import ended_by_signals

    settings = effective_settings(arguments).settings
    plan = plan_of(arguments, sit=False)
    with ended_by_signals():
        if plan is None:
            return visit_or_seek(arguments, settings, wanted=arguments.table)
        return run_private(plan, settings)
