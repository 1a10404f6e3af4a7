"""Whether the server that wrote a connection file runs still is told by the lock beside it."""

import os
from pathlib import Path

import pytest

from passing_link.connection_file import NAME, ConnectionFile
from passing_link.state_lock import LOCK, UNKNOWN, holder_of, may_run, runs_on
from passing_server.state_folder import FolderInUse, StateFolder

ADDRESS = "127.0.0.1:4000"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The connection file of this process, which runs for sure."""
    path = tmp_path / NAME
    ConnectionFile(ADDRESS, None, os.getpid(), {}).write(path)
    return path


def test_who_holds_the_lock_runs(path: Path) -> None:
    file = ConnectionFile.read(path)
    with StateFolder(path.parent) as folder:
        assert not may_run(path, file)  # it has not said yet where it is
        folder.tell(ADDRESS)
        assert holder_of(path.parent) == f"{os.getpid()} {ADDRESS}"
        assert runs_on(path.parent, file)
        assert may_run(path, file)


def test_a_process_of_that_number_is_not_believed_without_the_lock(path: Path) -> None:
    with StateFolder(path.parent) as folder:
        folder.tell(ADDRESS)
    file = ConnectionFile.read(path)
    assert file.process_runs
    assert holder_of(path.parent) is None
    assert not may_run(path, file)


def test_another_server_on_the_folder_is_not_the_one_that_wrote_the_file(path: Path) -> None:
    with StateFolder(path.parent) as folder:
        folder.tell("127.0.0.1:4001")
        assert not may_run(path, ConnectionFile.read(path))


def test_a_lock_that_is_removed_is_missed_but_the_folder_is_locked(path: Path) -> None:
    file = ConnectionFile.read(path)
    with StateFolder(path.parent) as folder:
        folder.tell(ADDRESS)
        (path.parent / LOCK).unlink()
        assert holder_of(path.parent) == UNKNOWN
        assert runs_on(path.parent, file)
        with pytest.raises(FolderInUse, match=r"A server runs on .* already"):
            StateFolder(path.parent)
        assert runs_on(path.parent, file)  # also with the new file that it has left
    assert holder_of(path.parent) is None


def test_of_a_copy_the_process_number_tells(path: Path) -> None:
    file = ConnectionFile.read(path)
    assert not (path.parent / LOCK).exists()
    assert may_run(path, file)
    assert not may_run(path, ConnectionFile(ADDRESS, None, 0, {}))
