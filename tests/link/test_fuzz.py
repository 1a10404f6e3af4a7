"""Whatever a file or a text holds, it is read, or refused with the one exception that says why."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_link.address import Address, InvalidAddress
from passing_link.connection_file import ConnectionFile, InvalidConnectionFile
from passing_link.keys import InvalidKey, KeyPair, key_bytes
from passing_link.known_servers import NAME, KnownServer, KnownServers, KnownServersDamaged
from passing_protocol.handshake import Role
from tests.support.mutations import THOROUGH, mutated, mutated_text, outcome

SERVER, OWN = KeyPair.of_secret(bytes(range(32))), KeyPair.of_secret(bytes(range(1, 33)))
DEEP = b'{"x":' + b"[" * 100_000
NOT_JSON = [b"", b"\x00", b"null", b"[]", b"{}", b"\xff\xfe"]
FILES = [
    msgspec.json.encode(ConnectionFile("127.0.0.1:28066", None, 1, {"bot": "b" * 43})),
    msgspec.json.encode(
        ConnectionFile("[::1]:28066", SERVER.public, 4_711, {"admin": "a" * 43}, OWN.secret)
    ),
    *NOT_JSON,
]
KNOWN = KnownServer(
    SERVER.public, OWN.secret, "Attic", ("192.168.1.7:28066",), Role.PLAYER, "2026-11-30"
)
SERVERS = [
    msgspec.json.encode({"format": 1, "servers": [KNOWN, KNOWN]}),
    msgspec.json.encode({"format": 2, "servers": []}),
    *NOT_JSON,
]
ADDRESSES = ["den.local", "den.local:4000", "[::1]:28066", "tcp://10.0.0.1:1", "fe80::1%eth0"]


def written(name: str, data: bytes, read: Callable[[Path], object]) -> object:
    """Return what is read from a folder in which a file of that name holds these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(data)
        return read(Path(folder))


@THOROUGH
@given(mutated(FILES))
def test_a_connection_file_is_one_or_it_is_said_that_it_is_none(data: bytes) -> None:
    def read(folder: Path) -> ConnectionFile:
        return ConnectionFile.read(folder / "server.json")

    found, error = outcome(
        lambda data: written("server.json", data, read), InvalidConnectionFile, data
    )
    if error is None:
        assert isinstance(found, ConnectionFile)
        assert found.security is None or found.security.server_key == found.server_key
    else:
        assert "server.json" in str(error)
        assert OWN.secret not in str(error)


@THOROUGH
@given(mutated(SERVERS))
def test_the_file_of_known_servers_is_one_or_damaged(data: bytes) -> None:
    found, error = outcome(
        lambda data: written(NAME, data, lambda folder: KnownServers(folder).all()),
        KnownServersDamaged,
        data,
    )
    if error is None:
        assert isinstance(found, tuple)
    else:
        assert NAME in str(error)
        assert OWN.secret not in str(error)


@THOROUGH
@given(mutated_text(ADDRESSES) | st.text(max_size=40))
def test_an_address_is_one_or_it_is_said_why_not(text: str) -> None:
    found, error = outcome(Address.parse, InvalidAddress, text)
    if error is None:
        assert found is not None
        assert Address.parse(str(found)) == found
        assert str(found).isprintable()
    else:
        assert str(error)


@THOROUGH
@given(mutated_text([SERVER.public]) | st.text(max_size=45))
def test_a_key_is_one_or_it_is_said_to_be_none_without_showing_it(text: str) -> None:
    found, error = outcome(key_bytes, InvalidKey, text)
    assert (found is None) == (error is not None)
    assert found is None or len(found) == 32
    assert error is None or len(text) < 8 or text not in str(error)


def test_a_file_that_is_nested_without_end_is_damaged_like_any_other(tmp_path: Path) -> None:
    for name in (NAME, "server.json"):
        (tmp_path / name).write_bytes(DEEP)
    with pytest.raises(InvalidConnectionFile, match="recursion"):
        ConnectionFile.read(tmp_path / "server.json")
    with pytest.raises(KnownServersDamaged, match="recursion"):
        KnownServers(tmp_path).all()
