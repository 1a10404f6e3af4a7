"""The README's commands work as they stand, in a new virtual environment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.readme import blocks
from tests.support.sources import ROOT

LONGEST_INSTALL_S = 600


@pytest.mark.fresh_install
@pytest.mark.timeout(LONGEST_INSTALL_S)
def test_commands_run_from_the_first_to_the_last(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks(to_run=True))],
        cwd=ROOT,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The match is over: " in done.stdout


def environment(folder: Path) -> dict[str, str]:
    """As after activating the virtual environment, for somebody who has no settings yet."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PASSING_")},
        "HOME": str(folder),
        "PATH": f"{folder / 'venv/bin'}{os.pathsep}{os.environ['PATH']}",
        "VIRTUAL_ENV": str(folder / "venv"),
        "PIP_ROOT_USER_ACTION": "ignore",
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
