"""The connection file: whole or not at all, and for its owner's eyes alone."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_link.connection_file import ConnectionFile, InvalidConnectionFile
from passing_link.keys import KeyPair, Security

FILE = ConnectionFile("127.0.0.1:4000", None, 17, {"bot": "b" * 32, "organiser": "o" * 32})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    FILE.write(path)
    assert ConnectionFile.read(path) == FILE
    assert ConnectionFile.read(str(path)) == FILE


def test_it_is_plain_json_with_the_names_that_are_documented(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    FILE.write(path)
    assert json.loads(path.read_text()) == {
        "address": "127.0.0.1:4000",
        "server_key": None,
        "pid": 17,
        "tokens": {"bot": "b" * 32, "organiser": "o" * 32},
    }


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_only_its_owner_can_read_it(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "server.json"
    before = os.umask(umask)
    try:
        FILE.write(path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_older_one_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    path.write_text("old")
    path.chmod(0o644)
    FILE.write(path)
    assert ConnectionFile.read(path) == FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_when_it_cannot_be_put_in_place_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        FILE.write(path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ConnectionFile.read(tmp_path / "server.json")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"address": "x"}',
        b'{"address": 1, "server_key": null, "pid": 1, "tokens": {}}',
        b'{"address": "x", "server_key": null, "pid": "1", "tokens": {}}',
        b'{"address": "x", "server_key": null, "pid": 1, "tokens": {"bot": 5}}',
    ],
)
def test_something_else_is_refused_and_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "server.json"
    path.write_bytes(content)
    with pytest.raises(InvalidConnectionFile, match=r"server\.json: not a connection file"):
        ConnectionFile.read(path)


def test_a_newer_servers_further_keys_are_no_reason_to_refuse(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    FILE.write(path)
    content = json.loads(path.read_text()) | {"since": 5}
    path.write_text(json.dumps(content))
    assert ConnectionFile.read(path) == FILE


@given(
    encrypted=st.booleans(),
    pid=st.integers(1, 2**22),
    tokens=st.dictionaries(st.sampled_from(["bot", "organiser", "admin"]), st.text(max_size=64)),
)
def test_any_values_go_both_ways(
    tmp_path_factory: pytest.TempPathFactory, encrypted: bool, pid: int, tokens: dict[str, str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    key, secret = (KeyPair.new().public, KeyPair.new().secret) if encrypted else (None, None)
    file = ConnectionFile("table:1", key, pid, tokens, secret)
    file.write(path)
    assert ConnectionFile.read(path) == file


def test_it_tells_whether_there_is_a_process_of_that_number() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        file = msgspec.structs.replace(FILE, pid=process.pid)
        assert file.process_runs
        process.communicate()
    assert not file.process_runs
    for nobody in (0, -1, 2**70):
        assert not msgspec.structs.replace(FILE, pid=nobody).process_runs


def test_of_an_encrypted_server_it_has_what_the_programs_of_its_machine_come_in_with(
    tmp_path: Path,
) -> None:
    server, own = KeyPair.new(), KeyPair.new()
    path = tmp_path / "server.json"
    ConnectionFile("127.0.0.1:4000", server.public, 17, {}, own.secret).write(path)
    assert ConnectionFile.read(path).security == Security(server.public, own)
    assert FILE.security is None


def test_no_secret_is_shown() -> None:
    secret = KeyPair.new().secret
    file = msgspec.structs.replace(FILE, server_key=KeyPair.new().public, client_secret=secret)
    for text in (secret, *file.tokens.values()):
        assert text not in f"{file} {file!r} {[file]}"
    assert file.address in repr(file)


@pytest.mark.parametrize("field", ["server_key", "client_secret"])
def test_one_whose_keys_are_none_is_no_connection_file(tmp_path: Path, field: str) -> None:
    keys = {"server_key": KeyPair.new().public, "client_secret": KeyPair.new().secret}
    path = tmp_path / "server.json"
    tokens: dict[str, str] = {}
    told = {"address": "127.0.0.1:4000", "pid": 17, "tokens": tokens, **keys, field: "x" * 39}
    path.write_text(json.dumps(told))
    with pytest.raises(InvalidConnectionFile, match="not a connection file"):
        ConnectionFile.read(path)


@pytest.mark.parametrize("missing", ["server_key", "client_secret"])
@pytest.mark.parametrize("as_null", [True, False])
def test_half_of_the_keys_is_no_connection_file(
    tmp_path: Path, missing: str, as_null: bool
) -> None:
    """Its server encrypts, and nothing is to be said there in the clear."""
    path = tmp_path / "server.json"
    keys = {"server_key": KeyPair.new().public, "client_secret": KeyPair.new().secret}
    FILE.write(path)
    told = json.loads(path.read_text()) | keys | {missing: None}
    if not as_null:
        del told[missing]
    path.write_text(json.dumps(told))
    with pytest.raises(
        InvalidConnectionFile, match=f"missing.*{missing}|{missing}.*missing"
    ) as refused:
        ConnectionFile.read(path)
    assert keys["client_secret"] not in str(refused.value)


def test_a_file_that_never_ends_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", "/dev/zero"):
        with pytest.raises(OSError, match="Not a regular file"):
            ConnectionFile.read(path)
