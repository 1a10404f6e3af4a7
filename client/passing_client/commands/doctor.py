"""`passing doctor`: what works on this machine and what does not."""

from argparse import ArgumentParser, Namespace

from passing_client.language import _, mark
from passing_client.settings import add_setting_flags
from passing_link.exits import ExitCode

ANSWER_S = 5.0
"""How long a server may take to answer."""

HELP = mark("say what works here and what does not")
EXAMPLES = mark(
    """\
  passing doctor                      look at this machine
  passing doctor table.example.org    and ask whether that server answers
  passing doctor --quiet localhost    print nothing; the exit code tells
"""
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the server, `--quiet` and the language."""
    text = _("a server to greet: HOST or HOST:PORT")
    parser.add_argument("host", nargs="?", metavar="HOST", help=text)
    text = _("print nothing: 0 is fine, 3 no answer, 4 turned away, 5 something is bad here")
    parser.add_argument("--quiet", action="store_true", help=text)
    add_setting_flags(parser, "lang")


def run(arguments: Namespace) -> int:
    """Print one finding a line; return the worst as an exit code, the server's before others."""
    from passing_client.diagnosis import Verdict, discovery_finding, local_findings
    from passing_link.finding import find
    from passing_link.versions import transport

    findings = list(local_findings(transport()))
    if not arguments.quiet:
        findings.append(discovery_finding(find()))
    bad = any(finding.verdict is Verdict.BAD for finding in findings)
    code = ExitCode.CHECK_FAILED if bad else ExitCode.DONE
    if arguments.host is not None:
        from passing_client.reach import server_finding
        from passing_client.settings import address_of

        finding, reached = server_finding(address_of(arguments.host), ANSWER_S)
        findings.append(finding)
        code = reached or code
    if not arguments.quiet:
        print(*findings, sep="\n")
    return code
