"""A file that is written whole or not at all, for its owner alone."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from passing_link.whole_file import MOST_BYTES, read_small, write_whole


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
@pytest.mark.parametrize("sync", [False, True])
def test_a_file_is_for_its_owner_alone(tmp_path: Path, mask: int, sync: bool) -> None:
    path = tmp_path / "file"
    before = os.umask(mask)
    try:
        write_whole(path, b"data", sync=sync)
    finally:
        os.umask(before)
    assert path.read_bytes() == b"data"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_an_older_file_keeps_neither_its_content_nor_its_readers(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("what was there, and longer")
    path.chmod(0o644)
    with path.open() as reader:
        write_whole(path, b"data")
        assert reader.read() == "what was there, and longer"
    assert path.read_bytes() == b"data"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_a_killed_process_left_is_in_nobodys_way(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (tmp_path / ".file.new").write_text("half, and longer than what comes")
    (tmp_path / ".file.new").chmod(0o666)
    write_whole(path, b"data")
    assert path.read_bytes() == b"data"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    aside.write_text("another's")
    for name in (".file.new", "file"):
        (tmp_path / name).symlink_to(aside)
    write_whole(tmp_path / "file", b"data")
    assert aside.read_text() == "another's"
    assert not (tmp_path / "file").is_symlink()


def test_when_it_cannot_be_put_in_place_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(path, b"data")
    assert list(tmp_path.iterdir()) == [path]


def test_when_it_cannot_be_written_the_older_one_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "file"
    path.write_text("older")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"data", sync=True)
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_the_data_is_on_the_disk_before_it_has_its_name_and_then_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: list[tuple[bool, bytes]] = []
    sync = os.fsync

    def noted(handle: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        there.append((is_folder, path.read_bytes()))
        sync(handle)

    path = tmp_path / "file"
    path.write_bytes(b"older")
    monkeypatch.setattr(os, "fsync", noted)
    write_whole(path, b"data")
    assert not there
    write_whole(path, b"newer", sync=True)
    assert there == [(False, b"data"), (True, b"newer")]


# --- reading


def test_what_was_written_is_read(tmp_path: Path) -> None:
    for data in (b"", b"data\r\n\xff", b"x" * MOST_BYTES):
        write_whole(tmp_path / "file", data)
        (tmp_path / "link").unlink(missing_ok=True)
        (tmp_path / "link").symlink_to("file")
        assert read_small(tmp_path / "file") == read_small(tmp_path / "link") == data


def fifo(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def too_long(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**40)  # no disk has to hold it


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (fifo, "Not a regular file"),
        (endless, "Not a regular file"),
        (Path.mkdir, "Is a directory"),
        (too_long, "Longer than 4194304 bytes"),
    ],
)
def test_what_never_ends_and_what_is_far_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    make(Path("file"))
    with pytest.raises(OSError, match=why) as refused:
        read_small(Path("file"))
    assert (refused.value.strerror, refused.value.filename) == (why, "file")


def test_a_file_that_is_missing_is_told_as_that(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_small(tmp_path / "file")
