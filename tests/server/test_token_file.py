"""tokens.json keeps the tokens of a server over its restarts; who removes it renews them."""

import os
import stat
from pathlib import Path

import pytest

from passing_link.exits import CommandFailed
from passing_server.token_file import NAME, kept_tokens


def test_a_token_for_each_role_that_needs_one(tmp_path: Path) -> None:
    tokens = kept_tokens(tmp_path)
    assert set(tokens) == {"bot", "organiser", "admin"}
    assert len(set(tokens.values())) == 3
    assert {len(token) for token in tokens.values()} == {43}


def test_they_are_the_same_the_next_time(tmp_path: Path) -> None:
    assert kept_tokens(tmp_path) == kept_tokens(tmp_path)


def test_without_the_file_they_are_new(tmp_path: Path) -> None:
    before = kept_tokens(tmp_path)
    (tmp_path / NAME).unlink()
    assert not set(before.values()) & set(kept_tokens(tmp_path).values())


@pytest.mark.parametrize("content", [b"", b"{}", b'{"bot": "x"}', b"[1]", b"\xff", b'{"bot": 1}'])
def test_a_file_that_holds_something_else_is_made_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    tokens = kept_tokens(tmp_path)
    assert set(tokens) == {"bot", "organiser", "admin"}
    assert kept_tokens(tmp_path) == tokens


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_only_the_owner_may_read_them(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        kept_tokens(tmp_path)
    finally:
        os.umask(before)
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    tokens = kept_tokens(tmp_path)
    (tmp_path / NAME).chmod(0o644)
    assert kept_tokens(tmp_path) == tokens
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_written_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match=r"tokens\.json cannot be written: "):
        kept_tokens(tmp_path / "nowhere")
