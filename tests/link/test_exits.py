"""Exit codes are a promise to scripts."""

import pytest

from passing_link.exits import CommandFailed, ExitCode

PROMISED = {
    "DONE": 0,
    "UNEXPECTED": 1,
    "USAGE": 2,
    "UNREACHABLE": 3,
    "REFUSED": 4,
    "CHECK_FAILED": 5,
    "LEAGUE_FAULTS": 6,
    "HUNG_UP": 129,
    "INTERRUPTED": 130,
    "TERMINATED": 143,
}


def test_codes_never_change() -> None:
    assert {code.name: code.value for code in ExitCode} == PROMISED


@pytest.mark.parametrize("code", ExitCode)
def test_a_failure_keeps_its_code_and_its_sentence(code: ExitCode) -> None:
    failed = CommandFailed(code, "The table is full.")
    assert (failed.code, failed.sentence, str(failed)) == (
        code,
        "The table is full.",
        "The table is full.",
    )
