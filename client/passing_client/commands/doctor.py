"""`passing doctor`: what works on this machine and what does not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from passing_client.language import _, mark
from passing_client.settings import add_setting_flags
from passing_link.exits import CommandFailed, ExitCode

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from passing_client.diagnosis import Finding
    from passing_link.address import Address
    from passing_link.keys import Security

ANSWER_S = 5.0
"""How long a server may take to answer."""

HELP = mark("say what works here and what does not")
EXAMPLES = mark(
    """\
  passing doctor                      look at this machine
  passing doctor table.example.org    and ask whether that server answers
  passing doctor den.local --code CODE   join that server, and say what keeps it safe
  passing doctor --quiet localhost    print nothing; the exit code tells
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the server and how to come in there, `--quiet` and the language."""
    from passing_client.entry import add_code_flag

    server = parser.add_mutually_exclusive_group()
    text = _("a server to greet: HOST, HOST:PORT or a link")
    server.add_argument("host", nargs="?", metavar="HOST", help=text)
    text = _("greet the server of this connection file, as the programs of its machine do")
    server.add_argument("--connection", metavar="FILE", help=text)
    add_code_flag(parser)
    text = _("print nothing: 0 is fine, 3 no answer, 4 turned away, 5 something is bad here")
    parser.add_argument("--quiet", action="store_true", help=text)
    add_setting_flags(parser, "name", "profile", "lang")


def run(arguments: Namespace) -> int:
    """Print one finding a line; return the worst as an exit code, the server's before others."""
    from passing_client.diagnosis import Verdict, discovery_finding, local_findings
    from passing_link.finding import find
    from passing_link.fitting import fitted
    from passing_link.versions import transport

    findings = list(local_findings(transport()))
    if not arguments.quiet:
        findings.append(discovery_finding(find()))
    bad = any(finding.verdict is Verdict.BAD for finding in findings)
    code = ExitCode.CHECK_FAILED if bad else ExitCode.DONE
    told, reached = _of_server(arguments)
    findings += told
    if not arguments.quiet:
        print(*(fitted(str(finding), sys.stdout) for finding in findings), sep="\n")
    return reached or code


def _of_server(arguments: Namespace) -> tuple[list[Finding], ExitCode]:
    """Return what there is to say of a server that was named, and whether it was reached."""
    from passing_client.entry import entry_of
    from passing_client.reach import local_finding, server_findings
    from passing_client.settings import effective_settings
    from passing_client.visiting import own_name

    if arguments.connection is not None:
        address, security = _of_file(arguments.connection)
        finding, code = local_finding(address, security, ANSWER_S)
        return [finding], code
    if arguments.host is None:
        return [], ExitCode.DONE
    settings = effective_settings(arguments).settings
    entry = entry_of(arguments.host, arguments.code, settings.profile)
    return server_findings(entry, own_name(settings), ANSWER_S)


def _of_file(path: str) -> tuple[Address, Security | None]:
    """Return where the server of a connection file is, and its keys; raises CommandFailed."""
    from passing_link.address import Address
    from passing_link.connection_file import ConnectionFile, InvalidConnectionFile

    try:
        found = ConnectionFile.read(path)
    except OSError as error:
        text = _("--connection {file}: {reason}. Is the server up?")
        told = text.format(file=path, reason=error.strerror)
        raise CommandFailed(ExitCode.UNREACHABLE, told) from error
    except InvalidConnectionFile as error:
        raise CommandFailed(ExitCode.USAGE, f"--connection {error}.") from error
    return Address.parse(found.address), found.security
