"""tokens.json keeps the tokens of a server over its restarts; who removes it renews them."""

import errno
import io
import json
import os
import stat
from pathlib import Path

import pytest

from passing_server import token_file
from passing_server.log import Log
from passing_server.storing import DiskFull, StoreFailed
from passing_server.token_file import NAME, kept_tokens
from tests.support.endless import ENDLESS, make_endless

SILENT = Log(io.StringIO(), as_json=False)


def test_a_token_for_each_role_that_needs_one(tmp_path: Path) -> None:
    tokens = kept_tokens(tmp_path, SILENT)
    assert set(tokens) == {"bot", "organiser", "admin"}
    assert len(set(tokens.values())) == 3
    assert {len(token) for token in tokens.values()} == {43}


def test_they_are_the_same_the_next_time(tmp_path: Path) -> None:
    assert kept_tokens(tmp_path, SILENT) == kept_tokens(tmp_path, SILENT)


def test_without_the_file_they_are_new(tmp_path: Path) -> None:
    before = kept_tokens(tmp_path, SILENT)
    (tmp_path / NAME).unlink()
    assert not set(before.values()) & set(kept_tokens(tmp_path, SILENT).values())


@pytest.mark.parametrize("content", [b"", b"{}", b'{"bot": "x"}', b"[1]", b"\xff", b'{"bot": 1}'])
def test_a_file_that_holds_something_else_is_made_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    stream = io.StringIO()
    tokens = kept_tokens(tmp_path, Log(stream, as_json=False))
    assert stream.getvalue().endswith("does not hold tokens, so all of them are new.\n")
    assert set(tokens) == {"bot", "organiser", "admin"}
    assert kept_tokens(tmp_path, SILENT) == tokens


@pytest.mark.parametrize("role", ["bot", "organiser", "admin"])
@pytest.mark.parametrize(
    "token", ["", "a" * 16, "a" * 42, "a" * 44, "a" * 42 + " ", "a" * 42 + "é", "a" * 43 + "\n"]
)
def test_a_token_of_another_form_lets_nobody_in_and_is_made_anew(
    tmp_path: Path, role: str, token: str
) -> None:
    before = kept_tokens(tmp_path, SILENT)
    (tmp_path / NAME).write_text(json.dumps({**before, role: token}))
    stream = io.StringIO()
    tokens = kept_tokens(tmp_path, Log(stream, as_json=False))
    assert "so all of them are new" in stream.getvalue()
    assert not {token, *before.values()} & set(tokens.values())
    assert kept_tokens(tmp_path, SILENT) == tokens


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_only_the_owner_may_read_them(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        kept_tokens(tmp_path, SILENT)
    finally:
        os.umask(before)
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    tokens = kept_tokens(tmp_path, SILENT)
    (tmp_path / NAME).chmod(0o644)
    assert kept_tokens(tmp_path, SILENT) == tokens
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_written_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match=r"tokens\.json cannot be written: "):
        kept_tokens(tmp_path / "nowhere", SILENT)


def test_a_file_that_cannot_be_read_is_never_renewed(tmp_path: Path) -> None:
    before = kept_tokens(tmp_path, SILENT)
    content = (tmp_path / NAME).read_bytes()
    (tmp_path / NAME).rename(tmp_path / "aside")
    (tmp_path / NAME).mkdir()
    with pytest.raises(StoreFailed, match=r"tokens\.json cannot be read: Is a directory\."):
        kept_tokens(tmp_path, SILENT)
    (tmp_path / NAME).rmdir()
    (tmp_path / "aside").rename(tmp_path / NAME)
    assert (tmp_path / NAME).read_bytes() == content
    assert kept_tokens(tmp_path, SILENT) == before


@pytest.mark.parametrize("leads", ENDLESS)
def test_a_file_that_never_ends_is_refused_and_stays(tmp_path: Path, leads: str | None) -> None:
    make_endless(tmp_path / NAME, leads)
    with pytest.raises(StoreFailed, match=r"cannot be read: Not a regular file\."):
        kept_tokens(tmp_path, SILENT)
    assert (tmp_path / NAME).is_symlink() is (leads is not None)


def test_an_error_of_the_disk_renews_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept_tokens(tmp_path, SILENT)

    def failing(_path: Path) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(token_file, "read_small", failing)
        with pytest.raises(StoreFailed, match="cannot be read: Input/output error"):
            kept_tokens(tmp_path, SILENT)
    assert kept_tokens(tmp_path, SILENT) == before


def test_a_full_disk_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull, match="No space left on device"):
        kept_tokens(tmp_path, SILENT)
    monkeypatch.undo()
    assert kept_tokens(tmp_path, SILENT) == kept_tokens(tmp_path, SILENT)


def test_tokens_are_on_the_disk_before_they_have_their_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: list[bool] = []
    sync = os.fsync

    def noted(handle: int) -> None:
        there.append((tmp_path / NAME).exists())
        sync(handle)

    monkeypatch.setattr(os, "fsync", noted)
    kept_tokens(tmp_path, SILENT)
    assert there == [False, True]


@pytest.mark.parametrize("content", [None, b"{}"])
def test_a_link_is_followed_and_written_through(tmp_path: Path, content: bytes | None) -> None:
    state, elsewhere = tmp_path / "state", tmp_path / "elsewhere"
    for folder in (state, elsewhere):
        folder.mkdir()
    before = kept_tokens(elsewhere, SILENT)
    if content is not None:
        (elsewhere / NAME).write_bytes(content)
    (state / NAME).symlink_to(elsewhere / NAME)
    tokens = kept_tokens(state, SILENT)
    assert (tokens == before) == (content is None)
    assert (state / NAME).is_symlink()
    assert kept_tokens(elsewhere, SILENT) == tokens


@pytest.mark.parametrize("leads", ["gone.json", "unmounted/tokens.json", NAME])
def test_a_link_that_leads_nowhere_makes_no_new_tokens(tmp_path: Path, leads: str) -> None:
    (tmp_path / NAME).symlink_to(leads)
    with pytest.raises(StoreFailed, match=r"tokens\.json is a link .* Put the file back"):
        kept_tokens(tmp_path, SILENT)
    assert (tmp_path / NAME).is_symlink()
    assert list(tmp_path.iterdir()) == [tmp_path / NAME]
