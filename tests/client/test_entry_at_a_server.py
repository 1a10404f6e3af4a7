"""A person comes in at an encrypted server, comes back, is revoked, and meets another server."""

import io
import json
import re
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from passing_client.asking import CodeWanted
from passing_client.command import main
from passing_client.settings import Settings
from passing_client.visiting import visit
from passing_link.address import Address
from passing_link.exits import ExitCode
from passing_link.known_servers import KnownServers, client_folder
from passing_link.processes import ServerProcess, start_server
from tests.support.curve_server import Answerer, CurveServer

CODE = re.compile(r"\b[0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}\b")
FIRST = "This is the first time here: the server's key is kept. You need no code next time."
LAN = ("--lan", "--bind", "127.0.0.1")

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with start_server(tmp_path_factory.mktemp("encrypted"), LAN) as process:
        yield process


@pytest.fixture(autouse=True)
def no_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nobody at the keyboard: who has come in leaves again."""
    monkeypatch.setattr("sys.stdin", io.StringIO())


def place(server: ServerProcess) -> str:
    return server.connection.address


def state(server: ServerProcess) -> str:
    return str(server.connection_path.parent)


def code_of(server: ServerProcess, capsys: Captured) -> str:
    assert main(["serve", "invite", "--state", state(server)]) == ExitCode.DONE
    found = CODE.search(capsys.readouterr().out)
    assert found is not None
    return found[0]


def link_of(server: ServerProcess, capsys: Captured) -> str:
    assert main(["serve", "invite", "--state", state(server)]) == ExitCode.DONE
    found = re.search(r"passing://\S+(/#\S+)", capsys.readouterr().out)
    assert found is not None
    return f"passing://{place(server)}{found[1]}"


def play(capsys: Captured, *words: str) -> tuple[int, str, str]:
    """Return the exit code, and what was said on both ways."""
    code = main(["play", *words, "--plain"])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_the_second_visit_needs_no_code(server: ServerProcess, capsys: Captured) -> None:
    code, out, err = play(capsys, place(server), "--code", code_of(server, capsys), "--name", "Bo")
    assert (code, err) == (ExitCode.DONE, "")
    assert FIRST in out
    code, out, err = play(capsys, place(server), "--name", "Bo")
    assert (code, err) == (ExitCode.DONE, "")
    assert FIRST not in out
    assert f"Connected to {place(server)} as Bo. " in out


def test_who_joins_again_is_remembered_once(server: ServerProcess, capsys: Captured) -> None:
    for _ in range(2):
        play(capsys, place(server), "--code", code_of(server, capsys), "--name", "Twice")
    assert main(["serve", "revoke", "--state", state(server)]) == ExitCode.DONE
    assert capsys.readouterr().out.count("Twice: player") == 1


def test_a_link_is_enough(server: ServerProcess, capsys: Captured) -> None:
    code, out, _err = play(capsys, link_of(server, capsys))
    assert code == ExitCode.DONE
    assert FIRST in out


def test_a_code_may_come_by_the_environment(
    server: ServerProcess, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSING_CODE", code_of(server, capsys).lower().replace("-", " "))
    assert play(capsys, place(server))[0] == ExitCode.DONE
    main(["config", "show", "--origin"])
    assert "code" not in capsys.readouterr().out.casefold()


def test_another_profile_has_not_joined(server: ServerProcess, capsys: Captured) -> None:
    play(capsys, place(server), "--code", code_of(server, capsys))
    code, _out, err = play(capsys, place(server), "--as", "caro")
    assert code == ExitCode.REFUSED
    assert "lets in only those who have joined it" in err
    code, out, _err = play(capsys, place(server), "--as", "caro", "--code", code_of(server, capsys))
    assert code == ExitCode.DONE
    assert " as caro. " in out


@pytest.mark.parametrize("part", ["fingerprint", "token"])
def test_a_wrong_code_is_told_as_one(part: str, server: ServerProcess, capsys: Captured) -> None:
    code = code_of(server, capsys)
    last = "1" if code[-1] == "0" else "0"
    wrong = f"{code[:-1]}{last}" if part == "token" else f"00000{code[5:]}"
    says = "does not take the code" if part == "token" else "does not fit the code"
    exit_code, out, err = play(capsys, place(server), "--code", wrong)
    assert (exit_code, out) == (ExitCode.REFUSED, "")
    assert says in err
    assert wrong not in err


def test_who_watches_comes_with_a_spectators_code(server: ServerProcess, capsys: Captured) -> None:
    main(["serve", "invite", "--role", "spectator", "--state", state(server)])
    found = CODE.search(capsys.readouterr().out)
    assert found is not None
    assert main(["watch", place(server), "--plain", "--code", found[0]]) == ExitCode.REFUSED
    assert "There is no table to go to at this server." in capsys.readouterr().out
    for words in (["--code", found[0]], []):
        code, out, _err = play(capsys, place(server), *words)
        assert code == ExitCode.DONE
        assert "You are here to watch, as the code that you have joined by is one for spec" in out
        assert "new" not in out.split("No engine is waiting.")[1].split()


def test_a_players_code_makes_a_player_of_who_watched_and_the_other_way_round(
    server: ServerProcess, capsys: Captured
) -> None:
    main(["serve", "invite", "--role", "spectator", "--state", state(server)])
    found = CODE.search(capsys.readouterr().out)
    assert found is not None
    player = code_of(server, capsys)
    for code, watches in ((found[0], True), (player, False), (player, False), (found[0], True)):
        for words in (["--code", code], []):
            done, out, _err = play(capsys, place(server), "--as", "vera", *words)
            assert done == ExitCode.DONE
            assert ("You are here to watch" in out) is watches


def test_doctor_joins_as_a_person_does_and_tells_of_keys(
    server: ServerProcess, capsys: Captured
) -> None:
    assert main(["doctor", place(server)]) == ExitCode.REFUSED
    assert "lets in only those who have joined it" in capsys.readouterr().out
    assert main(["doctor", link_of(server, capsys), "--name", "Dora"]) == ExitCode.DONE
    greeted, keys = capsys.readouterr().out.splitlines()[-2:]
    assert greeted.startswith("fine  server ")
    assert keys.startswith("fine  keys       all is encrypted; this was the first time")
    main(["doctor", place(server), "--name", "Dora"])
    keys = capsys.readouterr().out.splitlines()[-1]
    assert keys.startswith("fine  keys       all is encrypted; the server has the key that is kept")
    main(["serve", "revoke", "--state", state(server)])
    clients = capsys.readouterr().out
    assert "Dora: player" in clients
    assert "doctor" not in clients


def test_doctor_greets_the_server_of_a_connection_file(
    server: ServerProcess, capsys: Captured, tmp_path: Path
) -> None:
    file = str(server.connection_path)
    assert main(["doctor", "--quiet", "--connection", file]) == ExitCode.DONE
    missing = str(tmp_path / "none.json")
    assert main(["doctor", "--quiet", "--connection", missing]) == ExitCode.UNREACHABLE
    assert missing in capsys.readouterr().err
    (tmp_path / "bad.json").write_text("{}")
    assert main(["doctor", "--connection", str(tmp_path / "bad.json")]) == ExitCode.USAGE
    gone = json.loads(server.connection_path.read_text()) | {"address": "127.0.0.1:1"}
    (tmp_path / "gone.json").write_text(json.dumps(gone))
    capsys.readouterr()
    code = main(["doctor", "--connection", str(tmp_path / "gone.json")])
    assert code == ExitCode.UNREACHABLE
    assert capsys.readouterr().out.splitlines()[-1].startswith("bad   server ")


def test_who_is_revoked_needs_another_code(server: ServerProcess, capsys: Captured) -> None:
    old = code_of(server, capsys)
    play(capsys, place(server), "--code", old, "--name", "Rex")
    assert main(["serve", "revoke", "Rex", "--state", state(server)]) == ExitCode.DONE
    capsys.readouterr()
    code, out, err = play(capsys, place(server), "--name", "Rex")
    assert (code, out) == (ExitCode.REFUSED, "")
    assert "does not admit this client, or does not any more" in err
    code, out, err = play(capsys, place(server), "--code", old, "--name", "Rex")
    assert (code, out) == (ExitCode.REFUSED, "")
    assert "does not take the code" in err
    assert main(["doctor", place(server), "--code", old]) == ExitCode.REFUSED
    assert "does not take the code" in capsys.readouterr().out
    new = code_of(server, capsys)
    assert play(capsys, place(server), "--code", new, "--name", "Rex")[0] == ExitCode.DONE


def test_a_server_with_another_key_is_told_nothing_until_it_is_joined_anew(
    capsys: Captured, tmp_path: Path
) -> None:
    with start_server(tmp_path / "first", LAN) as first:
        address = place(first)
        play(capsys, address, "--code", code_of(first, capsys))
    port = ("--port", address.rpartition(":")[2])
    with start_server(tmp_path / "second", (*LAN, *port)) as second:
        code, out, err = play(capsys, address)
        assert (code, out) == (ExitCode.REFUSED, "")
        assert "has another key than the one known here" in err
        another = code_of(second, capsys)
        play(capsys, address, "--code", another)
        assert play(capsys, address)[0] == ExitCode.DONE
    with start_server(tmp_path / "third", port):
        code, out, err = play(capsys, address)
        assert (code, out) == (ExitCode.REFUSED, "")
        assert "encrypts nothing, but the server known there does" in err
        code, out, err = play(capsys, address, "--code", another)
        assert (code, out) == (ExitCode.REFUSED, "")
        assert f"{address} encrypts nothing, so no code is for it" in err


# --- an answer that leads where the server is not


def false_answer(server: ServerProcess, key: str | None) -> Answerer:
    """Have another address say that the server is there."""
    port = Address.parse(place(server)).port
    return Answerer(Address("127.0.0.9", port), key)


def test_who_has_joined_is_not_led_astray_by_a_false_answer(
    server: ServerProcess, capsys: Captured
) -> None:
    play(capsys, place(server), "--code", code_of(server, capsys))
    there = place(server).replace("127.0.0.1", "127.0.0.9")
    with false_answer(server, server.connection.server_key):
        code, out, _err = play(capsys, there)
    assert code == ExitCode.DONE
    assert f"Connected to {place(server)} as" in out
    known = KnownServers(client_folder()).by_key(str(server.connection.server_key))
    assert known is not None
    assert known.addresses == (place(server),)


@pytest.mark.parametrize("joined", [True, False])
def test_every_address_of_a_server_that_is_chosen_is_tried(
    server: ServerProcess, capsys: Captured, joined: bool
) -> None:
    code = code_of(server, capsys)
    if joined:
        play(capsys, place(server), "--code", code)
    real = Address.parse(place(server))
    with false_answer(server, server.connection.server_key) as fake:
        there = Namespace(host=f"127.0.0.9:{real.port}", code=None if joined else code)
        told = visit(there, Settings(plain=True), others=(Address("127.0.0.8", real.port), real))
    assert told is ExitCode.DONE
    assert fake.asked > 0
    assert f"Connected to {real} as" in capsys.readouterr().out


def test_one_who_answers_there_with_another_key_is_passed_by(
    server: ServerProcess, capsys: Captured
) -> None:
    play(capsys, place(server), "--code", code_of(server, capsys))
    real = Address.parse(place(server))
    with CurveServer() as other, Answerer(other.address, server.connection.server_key):
        there = Namespace(host=str(other.address), code=None)
        assert visit(there, Settings(plain=True), others=(real,)) is ExitCode.DONE
        assert other.received == []
    assert f"Connected to {real} as" in capsys.readouterr().out


def test_where_no_address_leads_to_the_server_it_is_told_what_there_is_to_do(
    server: ServerProcess,
) -> None:
    real = Address.parse(place(server))
    there = Namespace(host=f"127.0.0.9:{real.port}", code=None)
    with (
        false_answer(server, None),
        pytest.raises(CodeWanted, match="lets in only those who have joined it"),
    ):
        visit(there, Settings(plain=True), others=(real,))
