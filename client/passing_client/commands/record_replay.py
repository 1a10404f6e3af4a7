"""`passing record replay`: go through a game record, step by step or as lines of text."""

from typing import TYPE_CHECKING

from passing_client.language import _, mark
from passing_client.settings import add_setting_flags
from passing_link.exits import CommandFailed, ExitCode

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from passing_client.replaying import Replay
    from passing_protocol.records import Record

HELP = mark("go through a game record, step by step")
EXAMPLES = mark(
    """\
  passing record replay 1                    the newest of `passing record list`
  passing record replay game.pass --seat 2   see no hand but that of the second seat
  passing record replay game.pass --round 3  begin with the third round
  passing record replay game.pass --plain    print it, lap by lap
"""
)


def add_arguments(parser: "ArgumentParser") -> None:
    """Add the file, whose eyes see the hands, where to begin, and the form."""
    text = _("a file of game records, or one of `passing record list`; - is standard input")
    parser.add_argument("file", metavar="FILE", help=text)
    eyes = parser.add_mutually_exclusive_group()
    text = _("see only the hand of this seat, counted from 1")
    eyes.add_argument("--seat", type=int, choices=range(1, 5), help=text)
    eyes.add_argument("--public", action="store_true", help=_("see no hand"))
    text = _("begin with this round; as text that round alone")
    parser.add_argument("--round", type=int, metavar="N", help=text)
    parser.add_argument("--game", type=int, default=1, metavar="N", help=_("the N-th game"))
    add_setting_flags(parser, "plain", "ascii", "lang")


def run(arguments: "Namespace") -> int:
    """Show the record at the full screen, or print it where that is asked for or all there is."""
    from passing_client.keyboard import is_full_terminal
    from passing_client.settings import effective_settings

    settings = effective_settings(arguments).settings
    replay = _replay(_record(arguments), arguments)
    if settings.plain or arguments.file == "-" or not is_full_terminal():
        return _print(replay, arguments.round)
    from passing_client.looking_back import look_back

    return look_back(replay, settings)


def _print(replay: "Replay", only: int | None) -> ExitCode:
    from passing_client.words.replays import replay_lines

    for line in replay_lines(replay, only):
        print(line)
    return ExitCode.DONE


def _record(arguments: "Namespace") -> "Record":
    """Return the game that is asked for, which has to be right; raises CommandFailed."""
    from passing_client.record_files import read_file, sentence, verify_game
    from passing_protocol.records import InvalidRecord, decode, verify_records

    name: str = arguments.file
    number: int = arguments.game
    try:
        records = verify_records(decode(read_file(name)))
    except InvalidRecord as error:
        raise CommandFailed(ExitCode.CHECK_FAILED, sentence(name, error)) from None
    verify_game(number, name, len(records))
    return records[number - 1]


def _replay(record: "Record", arguments: "Namespace") -> "Replay":
    """Return the replay as it is asked for; raises CommandFailed."""
    from passing_client.record_files import verify_seat
    from passing_client.replaying import Replay
    from passing_protocol.records import PUBLIC, View

    replay = Replay(record)
    seat, number = arguments.seat, arguments.round
    verify_seat(seat, record.options.seats)
    if seat is not None:
        replay.eyes = View(seat=seat - 1)
    elif arguments.public:
        replay.eyes = PUBLIC
    if number is not None and not replay.go_to_round(number):
        told = _("--round: {number}, this game has no such round.")
        raise CommandFailed(ExitCode.USAGE, told.format(number=number))
    return replay
