"""`passing record check`: play game records under the rules, and find the first wrong byte."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from passing_client.language import _, mark, plural
from passing_client.settings import add_setting_flags
from passing_link.exits import CommandFailed, ExitCode
from passing_link.fitting import fitted

if TYPE_CHECKING:
    from passing_protocol.records import Record

HELP = mark("play game records again under the rules")
EXAMPLES = mark(
    """\
  passing record check game.pass           one file; 5 is the exit code of a wrong or empty one
  passing record check records/*.pass      many, a line for each
  curl -s URL | passing record check -     standard input
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the files and the language."""
    text = _("a file of game records, or one of `passing record list`; - is standard input")
    parser.add_argument("files", nargs="+", metavar="FILE", help=text)
    add_setting_flags(parser, "lang")


def run(arguments: Namespace) -> int:
    """Print a line for each file that is right, and on stderr one for each that is not.

    Returns the highest code that a file alone would have ended with.
    """
    return max(_checked(name) for name in arguments.files)


def _checked(name: str) -> ExitCode:
    """Print what was found with a file, and return the code for it."""
    from passing_client.record_files import read_file, sentence, shown
    from passing_protocol.records import InvalidRecord

    try:
        print(_finding(name, read_file(name)), flush=True)
    except InvalidRecord as error:
        code, told = ExitCode.CHECK_FAILED, sentence(name, error)
    except CommandFailed as error:
        code, told = error.code, shown(error.sentence)
    else:
        return ExitCode.DONE
    sys.stderr.write(f"{fitted(f'passing: {told}', sys.stderr)}\n")
    return code


def _finding(name: str, data: bytes) -> str:
    """Return what was found right with a file.

    Raises InvalidRecord, and CommandFailed where there is no game: nothing was checked then.
    """
    from passing_client.record_files import game_count, shown
    from passing_protocol.records import decode, departure, verify_records

    text = decode(data)
    records = verify_records(text)
    if not records:
        told = _("{name}: there is no game in it.").format(name=name)
        raise CommandFailed(ExitCode.CHECK_FAILED, told)
    rounds = [played for record in records for played in record.rounds]
    actions = sum(len(played.actions) for played in rounds)
    told = f"{game_count(len(records))}, {_round_count(len(rounds))}, {_action_count(actions)}"
    place = departure(text, records)
    if place is None:
        found = _("{name}: {counts}: all right")
    else:
        found = _("{name}: {counts}: all right, but not in canonical form from {place} on")
    line = shown(found.format(name=name, counts=told, place=place))
    return "\n".join([line, *_proven(records), *_not_provable(records)])


def _proven(records: "tuple[Record, ...]") -> list[str]:
    """Return how many deals follow from their proof, what that shows, and what it does not."""
    from passing_protocol.records import ProvenDeal

    proof = [entry for record in records for entry in record.proof]
    number = sum(isinstance(entry, ProvenDeal) and entry.round is not None for entry in proof)
    if not number:
        return []
    form = plural(
        "  {number} deal follows from its proof: no tile was changed after everybody's part was "
        "given.",
        "  {number} deals follow from their proof: no tile was changed after everybody's part was "
        "given.",
        number,
    )
    limit = _(
        "  That nobody chose them is known to those whose programs took part and checked them at "
        "the table."
    )
    return [form.format(number=number), limit]


def _not_provable(records: "tuple[Record, ...]") -> list[str]:
    """Return how many games have deals of which no proof can be, if any has."""
    from passing_protocol.views import DealKind

    number = sum(record.deal_kind is not DealKind.FAIR for record in records)
    if not number:
        return []
    form = plural(
        "  The deals of {number} game cannot be proved: the server dealt alone, or they come from "
        "a seed or were given.",
        "  The deals of {number} games cannot be proved: the server dealt alone, or they come from "
        "a seed or were given.",
        number,
    )
    return [form.format(number=number)]


def _round_count(number: int) -> str:
    return plural("{number} round", "{number} rounds", number).format(number=number)


def _action_count(number: int) -> str:
    return plural("{number} action", "{number} actions", number).format(number=number)
