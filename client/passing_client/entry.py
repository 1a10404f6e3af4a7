"""How a person comes in at a server: where it is, the code for it, and whose keys are used."""

import os
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from passing_client.language import _
from passing_client.words.links import bad_address_sentence, bad_code_sentence
from passing_link.address import Address, InvalidAddress
from passing_link.exits import CommandFailed, ExitCode
from passing_protocol.join_codes import (
    LINK_START,
    InvalidCode,
    Invitation,
    JoinCode,
    parse_code,
)

CODE_VARIABLE: Final = "PASSING_CODE"
"""Holds a code for who does not give one as a flag; it is no setting, and shown nowhere."""

Place = Address | Invitation
"""What names a server: where it is, or a link, which lets one join it too."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold where a person goes, what lets them join there, and the profile whose keys are used.

    Without a `code` they go as who has joined before, or where none is needed. `others` are
    further addresses that answers came from which named the same server: any of them may be false.
    """

    address: Address
    code: JoinCode | Invitation | None = None
    profile: str | None = None
    others: tuple[Address, ...] = ()


def add_code_flag(parser: ArgumentParser) -> None:
    """Add `--code` to a command."""
    text = _("the code or the link that lets you join the server; the next time you need none")
    parser.add_argument("--code", metavar="CODE", help=text)


def place_named(text: str) -> Place:
    """Return the server that a person named; raises InvalidAddress and InvalidCode."""
    if text.strip().lower().startswith(LINK_START):
        return Invitation.parse(text)
    return Address.parse(text)


def code_given(
    code: str | None, environment: Mapping[str, str] = os.environ
) -> JoinCode | Invitation | None:
    """Return the code that `--code` or else the environment holds; raises InvalidCode."""
    given = code or environment.get(CODE_VARIABLE)
    return parse_code(given) if given else None


def entry_of(
    host: str,
    code: str | None,
    profile: str | None,
    environment: Mapping[str, str] = os.environ,
) -> Entry:
    """Return the entry that `HOST`, `--code` and `--as` ask for; raises CommandFailed."""
    try:
        place = place_named(host)
        if isinstance(place, Address):
            return Entry(place, code_given(code, environment), profile)
        address = Address(place.host, place.port)
    except InvalidAddress as error:
        raise CommandFailed(ExitCode.USAGE, bad_address_sentence(error)) from error
    except InvalidCode as error:
        raise CommandFailed(ExitCode.USAGE, bad_code_sentence(error)) from error
    if code is not None:
        told = _("The link holds a code already: leave --code out.")
        raise CommandFailed(ExitCode.USAGE, told)
    return Entry(address, place, profile)
