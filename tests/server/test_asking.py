"""Who asks a server of this machine is told what is wrong, and what to do about it."""

import errno
import os
from pathlib import Path

import pytest

from passing_client.command import main
from passing_link.connection_file import ConnectionFile
from passing_link.exits import CommandFailed, ExitCode
from passing_server.asking import connection_file, verify_may_read
from passing_server.sqlite_store import FAST, FULL, SqliteStore

ASK_AS_OWNER = "Permission denied. It is for the server's user alone: ask as that user, or with"


def close_to_us(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Refuse to open what is called so, as the system does to all but root."""
    real = os.open

    def refuse(path: str | Path, flags: int, mode: int = 0o777, **more: int) -> int:
        if Path(path).name == name:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, flags, mode, **more)

    monkeypatch.setattr(os, "open", refuse)


@pytest.mark.parametrize("name", ["state", FULL, FAST])
def test_an_export_that_may_not_read_says_what_to_do(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    SqliteStore(state).close()
    close_to_us(monkeypatch, name)
    words = ["serve", "export", "--state", str(state), "--out", "-"]
    assert main(words) == ExitCode.REFUSED
    said = capsys.readouterr().err
    assert f"{name} cannot be read: {ASK_AS_OWNER} sudo." in said
    assert "Unexpected" not in said


def test_status_and_drain_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_path: Path) -> bytes:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("passing_link.connection_file.read_small", closed)
    with pytest.raises(CommandFailed, match=f"server.json cannot be read: {ASK_AS_OWNER}") as found:
        connection_file(tmp_path)
    assert found.value.code is ExitCode.REFUSED


def test_what_is_not_there_may_be_read(tmp_path: Path) -> None:
    verify_may_read(tmp_path)
    verify_may_read(tmp_path / "none")


def test_a_server_that_has_ended_is_started_again_on_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "our den"
    folder.mkdir()
    ConnectionFile("127.0.0.1:4000", None, 1, {}).write(folder / "server.json")
    with pytest.raises(CommandFailed) as found:
        connection_file(folder)
    assert f"Start it again with `passing serve --state '{folder}'`." in found.value.sentence
