"""`passing find`: the servers of this network, and how much goes on at them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from passing_client.joined_servers import Acquaintance, JoinedServers
from passing_client.language import _, mark
from passing_client.settings import add_setting_flags
from passing_link.address import DEFAULT_PORT
from passing_link.exits import CommandFailed, ExitCode

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from passing_link.finding import Found

HELP = mark("list the servers of this network")
EXAMPLES = mark(
    """\
  passing find                  every server on the usual port, with the address to type
  passing find --port 28067     those on another port; --port can be given several times
  passing find --json           a JSON object a line; the exit code is 0 without any too
"""
)

LAST_COLUMN = 62
"""Where the last column may begin and still have room for its words in 80 columns."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the ports, the forms and the language."""
    text = _("a port to ask on ({port}); once for each").format(port=DEFAULT_PORT)
    parser.add_argument("--port", type=int, action="append", metavar="PORT", default=[], help=text)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help=_("print a JSON object a line"))
    forms.add_argument("--plain", action="store_true", help=_("print a sentence a line"))
    add_setting_flags(parser, "profile", "lang")


def run(arguments: Namespace) -> int:
    """Print a line for each server; where there is none say on stderr what to do about it."""
    from passing_client.joined import joined_servers
    from passing_client.settings import effective_settings
    from passing_client.words.servers import nothing_found, server_line
    from passing_link.finding import find
    from passing_link.fitting import fitted

    ports = arguments.port or [DEFAULT_PORT]
    for port in ports:
        if not 1 <= port <= 65_535:
            text = _("--port {port}: allowed is 1 to 65535.")
            raise CommandFailed(ExitCode.USAGE, text.format(port=port))
    joined = joined_servers(effective_settings(arguments).settings.profile)
    found = find(ports)
    if not found:
        lines = (fitted(line, sys.stderr) for line in nothing_found(ports))
        sys.stderr.write("".join(f"{line}\n" for line in lines))
    elif arguments.json:
        for server in found:
            print(json.dumps(_as_json(server, joined)))
    elif arguments.plain:
        lines = (fitted(server_line(server, joined), sys.stdout) for server in found)
        print(*lines, sep="\n")
    else:
        _print_table(found, joined)
    return ExitCode.DONE


def _as_json(found: Found, joined: JoinedServers) -> dict[str, object]:
    here, acquaintance = found.answer, joined.acquaintance(found)
    return {
        "name": here.name,
        "address": str(found.address),
        "others": [str(address) for address in found.others],
        "id": here.id,
        "key": here.key,
        "joined": acquaintance is Acquaintance.JOINED,
        "another_known": acquaintance is Acquaintance.ANOTHER,
        "versions": list(here.versions),
        "tables": here.tables,
        "free_seats": here.seats,
        "people": here.people,
        "engines": here.engines,
    }


def _print_table(found: list[Found], joined: JoinedServers) -> None:
    """Print the servers in columns below their heads, further addresses below the first."""
    from passing_client.columns import columns
    from passing_client.hanging import hung_from
    from passing_client.words.servers import entry_words, place_of

    heads = (
        _("name"),
        _("address"),
        _("tables"),
        _("free seats"),
        _("people"),
        _("engines"),
        _("entry"),
    )
    rows: list[tuple[str, ...]] = []
    for server in found:
        row = (
            server.answer.name,
            place_of(server.address),
            str(server.answer.tables),
            str(server.answer.seats),
            str(server.answer.people),
            str(server.answer.engines),
            entry_words(server, joined),
        )
        others = (("", place_of(other), "", "", "", "", "") for other in server.others)
        rows += [row, *others]
    lasts = [heads[-1], *(row[-1] for row in rows)]
    for line, last in zip(columns(heads, rows), lasts, strict=True):
        start = len(line) - len(last)
        print(hung_from(start, line, sys.stdout, LAST_COLUMN) if last else line)
