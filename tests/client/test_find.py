"""`passing find` lists servers, and says what to do where there is none."""

import json
import platform
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from passing_client.command import main
from passing_client.language import LANGUAGES
from passing_link import finding
from passing_link.address import Address
from passing_link.exits import ExitCode
from passing_link.finding import Found
from passing_link.keys import KeyPair, Security
from passing_link.known_servers import KnownServers, client_folder
from passing_protocol.messages import Role
from tests.support.servers_found import KEY, here, server_found

Captured = pytest.CaptureFixture[str]

DEN = Found(
    Address("192.168.1.20"), replace(here("den"), key=KEY), (Address("fe80::1%eth0", 28066),)
)
UNJOINED = "encrypted, and you need its code"
LAB = server_found("lab", "192.168.1.21", 4000)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Let two servers be found, and return on which ports it was asked."""
    ports: list[list[int]] = []

    def find(given: Sequence[int]) -> list[Found]:
        ports.append(list(given))
        return [DEN, LAB]

    monkeypatch.setattr(finding, "find", find)
    return ports


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(_ports: Sequence[int]) -> list[Found]:
        return []

    monkeypatch.setattr(finding, "find", find)


def test_servers_are_listed_with_what_to_type(asked: list[list[int]], capsys: Captured) -> None:
    assert main(["find"]) == ExitCode.DONE
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "name  address            tables  free seats  people  engines  entry",
        f"den   192.168.1.20       2       3           4       1        {UNJOINED}",
        "      fe80::1%eth0",
        "lab   192.168.1.21:4000  2       3           4       1        not encrypted",
    ]
    assert printed.err == ""
    assert asked == [[28066]]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [80, 100])
def test_at_a_terminal_no_word_is_broken_and_the_last_column_stays_below_itself(
    columns: int,
    language: str,
    asked: list[list[int]],
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    main(["find", "--lang", language])
    whole = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    main(["find", "--lang", language])
    told = capsys.readouterr().out
    assert told.split() == whole.split()
    assert max(map(len, told.splitlines())) <= columns
    if (columns, language) == (80, "en"):
        assert told.splitlines()[1:5] == [
            "den   192.168.1.20       2       3           4       1        encrypted, and you",
            f"{' ' * 62}need its code",
            "      fe80::1%eth0",
            "lab   192.168.1.21:4000  2       3           4       1        not encrypted",
        ]


def test_as_json(asked: list[list[int]], capsys: Captured) -> None:
    assert main(["find", "--json"]) == ExitCode.DONE
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {
        "name": "den",
        "address": "192.168.1.20:28066",
        "others": ["[fe80::1%eth0]:28066"],
        "id": "0123456789abcdef",
        "key": KEY,
        "joined": False,
        "another_known": False,
        "versions": list(here().versions),
        "tables": 2,
        "free_seats": 3,
        "people": 4,
        "engines": 1,
    }
    assert second["key"] is None


def test_as_sentences(asked: list[list[int]], capsys: Captured) -> None:
    assert main(["find", "--plain"]) == ExitCode.DONE
    assert capsys.readouterr().out.splitlines() == [
        "den at 192.168.1.20, fe80::1%eth0: 2 tables, 3 seats free; 4 people, 1 engine; "
        f"{UNJOINED}.",
        "lab at 192.168.1.21:4000: 2 tables, 3 seats free; 4 people, 1 engine; not encrypted.",
    ]


def test_a_server_that_one_has_joined_is_told_as_such(
    asked: list[list[int]], capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    security = Security(KEY, KeyPair.new())
    KnownServers(client_folder("ann")).remember(Address("old.local"), security, Role.PLAYER)
    assert main(["find", "--json", "--as", "ann"]) == ExitCode.DONE
    den, lab = map(json.loads, capsys.readouterr().out.splitlines())
    assert (den["joined"], lab["joined"]) == (True, False)
    assert main(["find", "--as", "ann"]) == ExitCode.DONE
    assert "encrypted, and you have joined it before" in capsys.readouterr().out
    assert main(["find"]) == ExitCode.DONE
    assert "encrypted, and you need its code" in capsys.readouterr().out


@pytest.mark.parametrize("key", [KEY, None])
@pytest.mark.parametrize("known_at", ["192.168.1.20", "old.local"])
def test_a_server_is_told_to_be_another_than_the_one_that_is_known_at_its_address(
    key: str | None,
    known_at: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    tmp_path: Path,
) -> None:
    """As `play` does, which goes there with no other key, and never in the clear."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    found = Found(Address("192.168.1.20"), replace(here("den"), key=key))

    def find(_ports: Sequence[int]) -> list[Found]:
        return [found]

    monkeypatch.setattr(finding, "find", find)
    known, other = KnownServers(client_folder()), Security(KeyPair.new().public, KeyPair.new())
    known.remember(Address(known_at), other, Role.PLAYER)
    if key is not None:
        known.remember(Address("elsewhere"), Security(key, KeyPair.new()), Role.PLAYER)
    is_another = known_at == "192.168.1.20"
    main(["find", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["another_known"] is is_another
    assert told["joined"] is (key is not None and not is_another)
    main(["find"])
    entry = "encrypted, and not the server known there"
    assert (entry in capsys.readouterr().out) is is_another
    main(["find", "--plain"])
    whole = f"; {'not ' if key is None else ''}{entry}."
    assert capsys.readouterr().out.strip().endswith(whole) is is_another


def test_ports_are_asked_that_are_given(asked: list[list[int]]) -> None:
    assert main(["find", "--port", "4000", "--port", "4001"]) == ExitCode.DONE
    assert asked == [[4000, 4001]]


@pytest.mark.parametrize("port", ["0", "65536", "-1"])
def test_a_port_that_is_none_is_refused(port: str, capsys: Captured) -> None:
    assert main(["find", f"--port={port}"]) == ExitCode.USAGE
    assert f"--port {port}: allowed is 1 to 65535." in capsys.readouterr().err


@pytest.mark.parametrize("form", [[], ["--json"], ["--plain"]])
@pytest.mark.usefixtures("nobody")
def test_where_there_is_none_it_says_what_to_do(form: list[str], capsys: Captured) -> None:
    assert main(["find", *form]) == ExitCode.DONE
    printed = capsys.readouterr()
    assert printed.out == ""
    first, *others = printed.err.splitlines()
    assert first == "No server answers on this network, on port 28066."
    told = " ".join(others)
    assert all(word in told for word in ("passing play HOST", "firewall", "same network", "--bots"))


@pytest.mark.parametrize(("system", "is_told"), [("Darwin", True), ("Linux", False)])
@pytest.mark.usefixtures("nobody")
def test_the_permission_of_macos_is_told_there(
    system: str, is_told: bool, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    main(["find"])
    assert ("Local Network" in capsys.readouterr().err) is is_told
