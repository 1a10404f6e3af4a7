"""One server on a state folder, and who it is."""

import errno
import fcntl
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from passing_link.state_lock import LOCK, holder_of
from passing_server.state_folder import FolderInUse, StateFolder, folder_of
from passing_server.storing import DiskFull, StoreFailed


def test_a_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "state"
    with StateFolder(path) as folder:
        assert folder.path == path
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
        assert stat.S_IMODE((path / LOCK).stat().st_mode) == 0o600


def test_a_lock_that_others_may_write_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / LOCK).touch(mode=0o666)
    (tmp_path / LOCK).chmod(0o666)
    with StateFolder(tmp_path):
        assert stat.S_IMODE((tmp_path / LOCK).stat().st_mode) == 0o600


def test_where_a_folder_cannot_be_locked_its_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fcntl.flock

    def on_files_alone(descriptor: int, how: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", on_files_alone)
    with StateFolder(tmp_path), pytest.raises(FolderInUse):
        StateFolder(tmp_path)
    assert holder_of(tmp_path) is None


def test_a_folder_of_ours_is_closed_to_all_others(tmp_path: Path) -> None:
    path = tmp_path / "state"
    path.mkdir(mode=0o755)
    with StateFolder(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="giving a folder away takes root")
def test_a_folder_of_somebody_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "state"
    path.mkdir(mode=0o755)
    os.chown(path, 12_345, 12_345)
    with StateFolder(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o755


def test_a_full_disk_leaves_the_folder_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int, _data: bytes, _at: int) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(DiskFull, match="No space left on device"):
            StateFolder(tmp_path)
    StateFolder(tmp_path).release()


def test_a_second_server_is_refused_with_who_is_there(tmp_path: Path) -> None:
    with StateFolder(tmp_path) as folder:
        folder.tell("127.0.0.1:5555")
        for _ in range(2):
            with pytest.raises(FolderInUse) as refused:
                StateFolder(tmp_path)
            assert str(refused.value) == (
                f"A server runs on {tmp_path} already: process {os.getpid()} at 127.0.0.1:5555. "
                "Stop it with Ctrl-C where it runs or with `passing serve drain --state "
                f"{tmp_path}`, or choose another folder with --state."
            )


def test_of_the_usual_folder_the_command_that_ends_its_server_is_shorter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with StateFolder(folder_of(None)), pytest.raises(FolderInUse) as refused:
        StateFolder(folder_of(None))
    assert "with `passing serve drain`, or" in str(refused.value)


def test_a_server_that_does_not_listen_yet_is_told_as_starting(tmp_path: Path) -> None:
    words = f"process {os.getpid()}, which is just starting"
    with StateFolder(tmp_path), pytest.raises(FolderInUse, match=words):
        StateFolder(tmp_path)


def test_an_address_replaces_a_longer_one(tmp_path: Path) -> None:
    with StateFolder(tmp_path) as folder:
        folder.tell("a-very-long-name.example:5555")
        folder.tell("[::1]:1")
        assert (tmp_path / LOCK).read_text() == f"{os.getpid()} [::1]:1\n"


def test_the_folder_is_free_when_the_server_has_ended(tmp_path: Path) -> None:
    StateFolder(tmp_path).release()
    with StateFolder(tmp_path) as folder:
        folder.tell("127.0.0.1:1")
    StateFolder(tmp_path).release()


HOLD = (
    "import pathlib, sys; from passing_server.state_folder import StateFolder\n"
    "folder = StateFolder(pathlib.Path(sys.argv[1])); folder.tell('127.0.0.1:7')\n"
    "print('held', flush=True); sys.stdin.read()"
)


def test_the_folder_is_free_when_the_server_was_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(FolderInUse, match=f"process {holder.pid} at 127.0.0.1:7"):
            StateFolder(tmp_path)
        holder.kill()
        holder.wait()
    StateFolder(tmp_path).release()


def test_a_programs_children_do_not_hold_the_folder(tmp_path: Path) -> None:
    with StateFolder(tmp_path):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        StateFolder(tmp_path).release()
    finally:
        child.communicate(b"\n")


@pytest.mark.parametrize("held", [b"", b"\xff\xfe", b"1", b"12 \xc3"])
def test_any_text_in_the_lock_is_no_trouble(tmp_path: Path, held: bytes) -> None:
    with StateFolder(tmp_path):
        (tmp_path / LOCK).write_bytes(held)
        with pytest.raises(FolderInUse, match="A server runs on"):
            StateFolder(tmp_path)


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFailed, match=r"file: cannot be used as a folder \(File exists\)\."):
        StateFolder(tmp_path / "file")


def test_a_lock_that_points_elsewhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    (tmp_path / LOCK).symlink_to(tmp_path / "mine")
    with pytest.raises(StoreFailed, match="cannot be used as a folder"):
        StateFolder(tmp_path)
    assert (tmp_path / "mine").read_text() == "precious"
