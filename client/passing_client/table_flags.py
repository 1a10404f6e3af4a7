"""The flags that say what a private table is to be, shared by `play` and `watch`."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING, Final

from passing_link.exits import CommandFailed, ExitCode

if TYPE_CHECKING:
    from passing_client.private_table import Plan

SEED_BITS: Final = 128


def add_table_flags(parser: ArgumentParser, bots: range) -> None:
    """Add `--bots` with the numbers it may be, and the flags that only go with it."""
    group = parser.add_argument_group("a private table")
    text = "make a private table with this many engines"
    group.add_argument("--bots", type=int, choices=bots, help=text)
    text = "an engine for the next seat; once for each, or they take turns"
    group.add_argument("--bot", action="append", metavar="NAME", default=[], help=text)
    group.add_argument("--seats", type=int, metavar="N", help="the seats, which must all be filled")
    group.add_argument("--partners", action="store_true", help="play in partnerships (4 seats)")
    text = "the points to play to; 61 for 4 seats, else 101"
    group.add_argument("--target", type=int, metavar="POINTS", help=text)
    text = "a number that fixes the deals, so that they can be played again"
    group.add_argument("--seed", type=_seed, metavar="N", help=text)


def _seed(text: str) -> int:
    """Read a seed; raises ArgumentTypeError."""
    digits = text.isascii() and text.isdecimal() and len(text) <= len(str(2**SEED_BITS))
    if not digits or int(text) >= 2**SEED_BITS:
        raise ArgumentTypeError(f"seed: {text!r} is not a number from 0 to 2**{SEED_BITS} - 1")
    return int(text)


def plan_of(arguments: Namespace, *, sit: bool) -> Plan | None:
    """Return the private table that the flags describe, None without `--bots`.

    Raises CommandFailed where flags do not go together.
    """
    if arguments.bots is None:
        _verify_no_table_flags(arguments)
        return None
    from passing_client.private_table import Plan, engines_for
    from passing_protocol.views import GameOptions
    from passing_rules import OptionError, Options

    _verify_bots(arguments, sit=sit)
    seats = arguments.bots + sit
    partners, target = arguments.partners, arguments.target
    try:
        Options.of(seats, partners=partners, target=target)
    except OptionError as error:
        raise CommandFailed(ExitCode.USAGE, f"{error}.") from error
    game = GameOptions(seats=seats, partners=partners, target=target)
    return Plan(engines_for(arguments.bots, arguments.bot), game, sit, arguments.seed)


def _verify_no_table_flags(arguments: Namespace) -> None:
    given = {
        "--bot": arguments.bot,
        "--seats": arguments.seats,
        "--partners": arguments.partners,
        "--target": arguments.target,
        "--seed": arguments.seed,
    }
    for flag, value in given.items():
        if value is not None and value is not False and value != []:
            raise CommandFailed(ExitCode.USAGE, f"{flag} goes with --bots only.")


def _verify_bots(arguments: Namespace, *, sit: bool) -> None:
    """Refuse a server besides, more engines than seats for them, and seats left empty."""
    bots = arguments.bots
    if arguments.host is not None:
        raise CommandFailed(ExitCode.USAGE, f"--bots makes a table here, not at {arguments.host}.")
    if len(arguments.bot) > bots:
        sentence = f"--bot: {len(arguments.bot)} engines are named, and --bots is {bots}."
        raise CommandFailed(ExitCode.USAGE, sentence)
    if arguments.seats not in (None, bots + sit):
        sentence = f"--seats: {arguments.seats} with --bots {bots}; allowed is {bots + sit}."
        raise CommandFailed(ExitCode.USAGE, sentence)
