"""The folder of a private table: it goes with its process, also with one that was killed."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from passing_client.scratch import PREFIX, scratch_folder

HOLD = """
import sys
from passing_client.scratch import scratch_folder
with scratch_folder() as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def holder() -> tuple[subprocess.Popen[str], Path]:
    """Return another process that holds a folder, and the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_a_folder_goes_with_what_it_is_for(tmp_path: Path) -> None:
    with scratch_folder() as folder:
        assert folder.parent == tmp_path
        assert folder.name.startswith(PREFIX)
        (folder / "server").mkdir()
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_process_that_was_killed_goes_with_the_next_start(tmp_path: Path) -> None:
    process, left = holder()
    with process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert left.is_dir()
        with scratch_folder() as folder:
            assert list(tmp_path.iterdir()) == [folder]


def test_what_somebody_holds_or_is_not_ours_stays(tmp_path: Path) -> None:
    others = tmp_path / f"{PREFIX}of-another-program"
    others.mkdir()
    process, held = holder()
    with process:
        with scratch_folder() as folder:
            assert sorted(tmp_path.iterdir()) == sorted([others, held, folder])
        process.communicate("")
    assert list(tmp_path.iterdir()) == [others]
