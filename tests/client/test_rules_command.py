"""`passing rules` prints the rules, wrapped where a terminal shows them."""

import os
import pty
import re
import subprocess
import sys

import pytest

from passing_client.command import main
from passing_client.commands.rules import WIDEST
from passing_link.exits import ExitCode
from passing_protocol.resources import read_data

CLAUSE = re.compile(r"\bR[1-6]\.\d+\b")


def in_terminal(columns: int) -> str:
    """Return what the command prints in a terminal of that many columns."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "passing_client", "rules"],
        env={**os.environ, "COLUMNS": str(columns), "LINES": "24"},
        stdin=subprocess.DEVNULL,
        stdout=its,
    )
    os.close(its)
    printed = b""
    try:
        while chunk := os.read(ours, 65_536):
            printed += chunk
    except OSError:
        pass  # how Linux says that the other end is closed
    os.close(ours)
    assert process.wait() == ExitCode.DONE
    return printed.decode().replace("\r\n", "\n")


def test_off_a_terminal_all_clauses_are_there_one_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules"]) == ExitCode.DONE
    printed = capsys.readouterr().out
    clauses = set(CLAUSE.findall(read_data("RULES.md")))
    assert {"R1.1", "R2.1", "R3.1", "R4.1", "R5.1", "R6.1"} <= clauses
    assert set(CLAUSE.findall(printed)) == clauses
    assert "**" not in printed


@pytest.mark.parametrize(("columns", "widest"), [(50, 50), (80, 80), (300, WIDEST)])
def test_in_a_terminal_no_line_is_too_wide(columns: int, widest: int) -> None:
    lines = [line for line in in_terminal(columns).splitlines() if not line.startswith("|")]
    assert max(map(len, lines)) <= widest
    assert "R1.1" in "\n".join(lines)
