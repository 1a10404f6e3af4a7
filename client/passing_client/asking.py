"""Ask a person at a terminal for the code that a server wants, until one lets them in."""

import sys
from collections.abc import Callable
from dataclasses import replace

from passing_client.entry import Entry
from passing_client.language import _
from passing_client.words.links import bad_code_sentence
from passing_link.exits import CommandFailed, ExitCode
from passing_link.fitting import fitted
from passing_protocol.join_codes import InvalidCode, Invitation, JoinCode, parse_code


class CodeWanted(CommandFailed):
    """Raised when a server lets one in with a code alone, and none was given or not the right."""

    def __init__(self, sentence: str, asking: str) -> None:
        """Make the sentence the command's end; `asking` stands above the question for a code."""
        super().__init__(ExitCode.REFUSED, sentence)
        self.asking = asking


def asked_anew(entry: Entry, try_with: Callable[[Entry], ExitCode]) -> ExitCode:
    """Try an entry, and again with every code that the person types; raises CommandFailed.

    Nobody is asked off a terminal, nor who has given a code: that was meant.
    """
    asks = entry.code is None and sys.stdin.isatty() and sys.stdout.isatty()
    while True:
        try:
            return try_with(entry)
        except CodeWanted as wanted:
            code = _asked(wanted.asking) if asks else None
            if code is None:
                raise
            entry = replace(entry, code=code)


def _asked(why: str) -> JoinCode | Invitation | None:
    """Say why a code is wanted and read one; None where the person leaves."""
    _say(why)
    while True:
        try:
            typed = input(_("Code or link (Enter alone leaves): ")).strip()
        except EOFError:
            _say("")
            return None
        if not typed:
            return None
        try:
            return parse_code(typed)
        except InvalidCode as error:
            _say(bad_code_sentence(error))


def _say(line: str) -> None:
    sys.stdout.write(f"{fitted(line, sys.stdout)}\n")
    sys.stdout.flush()
