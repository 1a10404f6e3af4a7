"""`passing doctor`: what works on this machine and what does not."""

from argparse import ArgumentParser, Namespace

from passing_link.exits import ExitCode

HELP = "say what works here and what does not"
EXAMPLES = """\
  passing doctor            look at this machine
  passing doctor --quiet    print nothing; the exit code tells
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add `--quiet`."""
    text = "print nothing: the exit code is 0, or 5 if something is bad"
    parser.add_argument("--quiet", action="store_true", help=text)


def run(arguments: Namespace) -> int:
    """Print one finding a line and return CHECK_FAILED if one is bad."""
    from passing_client.diagnosis import Verdict, local_findings
    from passing_link.versions import transport

    findings = list(local_findings(transport()))
    if not arguments.quiet:
        print(*findings, sep="\n")
    bad = any(finding.verdict is Verdict.BAD for finding in findings)
    return ExitCode.CHECK_FAILED if bad else ExitCode.DONE
