"""The composition, built and played at for real where containers can be run."""

import subprocess

import pytest

from tests.support.sources import ROOT

LONGEST_RUN_S = 1200
SKIPPED = 77
"""What the script exits with where no container can be run."""


@pytest.mark.containers
@pytest.mark.timeout(LONGEST_RUN_S)
def test_a_match_is_played_at_the_composition() -> None:
    done = subprocess.run(
        [ROOT / "tests/e2e/compose.sh"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode == SKIPPED:
        pytest.skip(done.stdout.splitlines()[-1])
    assert done.returncode == 0, done.stdout
    assert "Final scores: " in done.stdout
