"""The flags that say what a private table is to be, shared by `play` and `watch`."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING, Final

from passing_client.language import _
from passing_link.exits import CommandFailed, ExitCode

if TYPE_CHECKING:
    from passing_client.private_table import Plan

SEED_BITS: Final = 128


def add_table_flags(parser: ArgumentParser, bots: range) -> None:
    """Add `--bots` with the numbers it may be, and the flags that only go with it."""
    group = parser.add_argument_group(_("a private table"))
    text = _("make a private table with this many engines")
    group.add_argument("--bots", type=int, choices=bots, help=text)
    text = _("an engine for the next seat; once for each, or they take turns")
    group.add_argument("--bot", action="append", metavar="NAME", default=[], help=text)
    text = _("the seats, which must all be filled")
    group.add_argument("--seats", type=int, metavar="N", help=text)
    text = _("play in partnerships (4 seats)")
    group.add_argument("--partners", action="store_true", help=text)
    text = _("the points to play to; 61 for 4 seats, else 101")
    group.add_argument("--target", type=int, metavar="POINTS", help=text)
    text = _("a number that fixes the deals, so that they can be played again")
    group.add_argument("--seed", type=_seed, metavar="N", help=text)


def _seed(text: str) -> int:
    """Read a seed; raises ArgumentTypeError."""
    digits = text.isascii() and text.isdecimal() and len(text) <= len(str(2**SEED_BITS))
    if not digits or int(text) >= 2**SEED_BITS:
        told = _("{value} is not a number from 0 to 2**{bits} - 1")
        raise ArgumentTypeError(told.format(value=repr(text), bits=SEED_BITS))
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
    paced = arguments.pace is not None
    return Plan(engines_for(arguments.bots, arguments.bot), game, sit, arguments.seed, paced)


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
            told = _("{flag} goes with --bots only.").format(flag=flag)
            raise CommandFailed(ExitCode.USAGE, told)


def _verify_bots(arguments: Namespace, *, sit: bool) -> None:
    """Refuse a server besides, more engines than seats for them, and seats left empty."""
    bots = arguments.bots
    if arguments.host is not None:
        told = _("--bots makes a table here, not at {host}.").format(host=arguments.host)
        raise CommandFailed(ExitCode.USAGE, told)
    if arguments.code is not None:
        told = _("--bots makes a table here, where nobody needs a code: leave --code out.")
        raise CommandFailed(ExitCode.USAGE, told)
    if len(arguments.bot) > bots:
        told = _("--bot: {number} engines are named, and --bots is {bots}.")
        raise CommandFailed(ExitCode.USAGE, told.format(number=len(arguments.bot), bots=bots))
    if arguments.seats not in (None, bots + sit):
        told = _("--seats: {seats} with --bots {bots}; allowed is {allowed}.")
        told = told.format(seats=arguments.seats, bots=bots, allowed=bots + sit)
        raise CommandFailed(ExitCode.USAGE, told)
