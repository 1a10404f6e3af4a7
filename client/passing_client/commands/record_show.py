"""`passing record show`: print game records, as a reader may know them."""

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from passing_client.language import _, mark
from passing_client.settings import add_setting_flags
from passing_link.exits import CommandFailed, ExitCode

if TYPE_CHECKING:
    from passing_protocol.records import Record

HELP = mark("print game records, whole or as one seat may know them")
EXAMPLES = mark(
    """\
  passing record show game.pass               all that the file tells
  passing record show game.pass --game 2      its second game alone
  passing record show game.pass --seat 1      what the first seat may know of it
  passing record show game.pass --public      what everybody may know of it
  passing record show game.pass --seat 1 --reveal after_block   and while a league hid hands
  passing record show game.pass --json        a JSON object a line, one for each game
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the file, the reader, the game, the form and the language."""
    text = _("a file of game records, or one of `passing record list`; - is standard input")
    parser.add_argument("file", metavar="FILE", help=text)
    readers = parser.add_mutually_exclusive_group()
    text = _(
        "only what this seat may know, of rounds that have ended all; "
        "people count seats from 1, the record from 0"
    )
    readers.add_argument("--seat", type=int, choices=range(1, 5), help=text)
    readers.add_argument("--public", action="store_true", help=_("only what everybody may know"))
    text = _(
        "when the hands of a round that has ended are shown to that reader: after it (the default) "
        "or, as in a league, only when the block is over; so long they stay hidden"
    )
    reveals = "round", "after_block"
    parser.add_argument("--reveal", choices=reveals, default="round", help=text)
    parser.add_argument("--game", type=int, metavar="N", help=_("only the N-th game of the file"))
    text = _("print a JSON object a line; seats in it count from 0, as in the record")
    parser.add_argument("--json", action="store_true", help=text)
    add_setting_flags(parser, "lang")


def run(arguments: Namespace) -> int:
    """Print the records in canonical form; whether the rules allow them is not asked."""
    from passing_protocol.records import record_as_json, write

    records = [_seen(record, arguments) for record in _chosen(arguments)]
    if arguments.json:
        for record in records:
            print(json.dumps(record_as_json(record)))
    else:
        print(write(records), end="")
    return ExitCode.DONE


def _chosen(arguments: Namespace) -> "tuple[Record, ...]":
    """Return the records that are asked for; raises CommandFailed."""
    from passing_client.record_files import read_file, sentence, verify_game
    from passing_protocol.records import InvalidRecord, decode, parse

    name: str = arguments.file
    try:
        records = parse(decode(read_file(name)))
    except InvalidRecord as error:
        raise CommandFailed(ExitCode.CHECK_FAILED, sentence(name, error)) from None
    number: int | None = arguments.game
    if number is None:
        return records
    verify_game(number, name, len(records))
    return (records[number - 1],)


def _seen(record: "Record", arguments: Namespace) -> "Record":
    """Return a record as the reader who is asked for may know it; raises CommandFailed."""
    from passing_client.record_files import verify_seat
    from passing_protocol.records import InvalidValue, seen_by

    number: int | None = arguments.seat
    hidden = arguments.reveal == "after_block"
    if number is None and not arguments.public:
        if hidden:
            told = _("--reveal after_block: say who is to see it, with --seat or --public.")
            raise CommandFailed(ExitCode.USAGE, told)
        return record
    verify_seat(number, record.options.seats)
    try:
        seat = None if number is None else number - 1
        return seen_by(record, seat, hidden_after_end=hidden)
    except InvalidValue:
        told = _(
            "--seat: {number}, the file has the {view} view of this game (seats from 0) "
            "and no other."
        )
        told = told.format(number=number, view=record.view)
        raise CommandFailed(ExitCode.USAGE, told) from None
