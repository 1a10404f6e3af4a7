"""`passing bot run` and `passing bot list`, as they are typed."""

import errno
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from passing_client.command import main
from passing_link.blocking import Connection
from passing_link.connection_file import ConnectionFile
from passing_link.environment import TOKEN_VARIABLE
from passing_link.known_servers import BOT_PROFILE, client_folder
from passing_link.processes import Child, own_command, start_server
from passing_protocol.messages import Lobby, Tables
from tests.support.hall import await_engines, open_as_organiser

GONE_S = 20.0


@pytest.fixture(autouse=True)
def no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)


@pytest.fixture(scope="module")
def connection_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with start_server(tmp_path_factory.mktemp("state")) as server:
        yield server.connection_path


def failure(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command that must fail, and return its exit code and what it says."""
    code = main(["bot", "run", *words])
    captured = capsys.readouterr()
    assert captured.out == ""
    return code, captured.err


# --- list ----------------------------------------------------------------------------------------


def test_list_prints_one_engine_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["careful", "greedy", "random"]
    assert all("Play" in line or "Choose" in line for line in lines)


def test_list_json_prints_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "list", "--json"]) == 0
    offers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [offer["name"] for offer in offers] == ["careful", "greedy", "random"]
    assert set(offers[0]) == {"name", "spec", "distribution", "summary"}


# --- run: what can go wrong ----------------------------------------------------------------------


@pytest.mark.parametrize("place", [[], ["localhost:1"]])
def test_without_code_and_token_it_says_where_they_come_from_the_easy_way_first(
    place: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = failure(capsys, "greedy", *place)
    assert code == 2
    ways = ["--code CODE", "`passing serve invite --role bot`", "--connection", TOKEN_VARIABLE]
    assert [said.find(way) for way in ways] == sorted(said.index(way) for way in ways)


def test_an_unknown_engine_is_a_mistake_of_usage(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = failure(capsys, "no-such")
    assert code == 2
    assert "known are careful, greedy, random" in said


@pytest.mark.parametrize("command", [["bot", "run", "greedy"], ["play"]])
def test_known_servers_that_are_damaged_end_every_command_alike(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: list[str],
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    profile = BOT_PROFILE if command[0] == "bot" else None
    folder = client_folder(profile)
    folder.mkdir(parents=True)
    (folder / "servers.json").write_text("{")
    assert main([*command, "127.0.0.1:1"]) == 2
    said = capsys.readouterr().err
    assert f"{folder / 'servers.json'} does not hold known servers" in said
    assert "join your servers anew with their codes." in " ".join(said.split())


def test_a_missing_connection_file_means_no_server(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, said = failure(capsys, "greedy", "--connection", str(tmp_path / "server.json"))
    assert code == 3
    assert "Is the server up?" in said


def test_a_connection_file_that_is_not_for_us_is_no_server_that_is_down(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def closed(_path: Path) -> bytes:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("passing_link.connection_file.read_small", closed)  # root reads all
    code, said = failure(capsys, "greedy", "--connection", str(tmp_path / "server.json"))
    assert code == 4
    assert "server.json: Permission denied. It is for the server's user alone" in said
    assert "run the engine as that user" in said
    assert TOKEN_VARIABLE in said
    assert "Is the server up?" not in said


def test_a_file_that_is_no_connection_file_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "server.json").write_text("{}")
    code, said = failure(capsys, "greedy", "--connection", str(tmp_path / "server.json"))
    assert code == 2
    assert "server.json: not a connection file" in said


def test_an_address_that_is_none_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "t" * 32)
    code, said = failure(capsys, "greedy", "localhost:99999")
    assert code == 2
    assert "99999" in said


def test_the_token_of_the_environment_is_not_shown_to_another_machine(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "t" * 32)
    code, said = failure(capsys, "greedy", "192.0.2.1")
    assert code == 4
    assert "192.0.2.1:28066 is not shown the bot token" in said


def test_an_unknown_machine_cannot_be_reached(
    capsys: pytest.CaptureFixture[str], connection_path: Path
) -> None:
    code, said = failure(capsys, "greedy", "no-such.invalid", "--connection", str(connection_path))
    assert code == 3
    assert "No machine called no-such.invalid" in said


def test_a_token_that_the_server_does_not_know_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, connection_path: Path
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "t" * 32)
    code, said = failure(capsys, "greedy", ConnectionFile.read(connection_path).address)
    assert code == 4
    assert "turned us away" in said


@pytest.mark.parametrize("option", ["--tables", "--processes"])
@pytest.mark.parametrize("value", ["0", "-1", "x", "4097", "1.5", "٣"])
def test_a_number_out_of_its_limits_is_a_mistake_of_usage(
    capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    code, said = failure(capsys, "greedy", f"{option}={value}")
    assert code == 2
    assert f"argument {option}" in said


def test_what_is_no_code_and_no_profile_is_a_mistake_of_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, said = failure(capsys, "greedy", "localhost", "--code", "01234-56789")
    assert code == 2
    assert "This code has 10 characters, a whole code has 20" in said
    code, said = failure(capsys, "greedy", "localhost", "--as", "../x")
    assert code == 2
    assert said.startswith("passing: --as: '../x' is no profile: ")


def test_keys_in_the_environment_that_are_none_are_a_mistake_of_usage(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSING_CLIENT_SECRET", "x" * 39)
    code, said = failure(capsys, "greedy", "localhost")
    assert code == 2
    assert "PASSING_SERVER_KEY is not set" in said


# --- run: at a server for the network ------------------------------------------------------------


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "states"))
    return tmp_path / "states"


def new_code(state: Path, capsys: pytest.CaptureFixture[str]) -> str:
    words = ["serve", "invite", "--role", "bot", "--new", "--json", "--state", str(state)]
    assert main(words) == 0
    code: str = json.loads(capsys.readouterr().out)["code"]
    return code


def test_a_code_lets_engines_of_other_machines_in_until_they_are_revoked(
    capsys: pytest.CaptureFixture[str], states: Path, tmp_path: Path
) -> None:
    with start_server(tmp_path / "server", ["--lan"]) as server:
        host = f"127.0.0.1:{server.connection.address.rpartition(':')[2]}"
        code, said = failure(capsys, "greedy", host)
        assert (code, "--code" in said) == (4, True)
        invited = new_code(tmp_path / "server", capsys)
        for words in (["--code", invited, "--processes", "2"], []):
            with run("greedy", host, "--name", "Gil", *words) as engine:
                with open_as_organiser(server.connection_path) as organiser:
                    await_engines(organiser, ["Gil"] * (2 if words else 1))
                engine.terminate()
                assert engine.wait(10) == 0
        new_code(tmp_path / "server", capsys)
        code, said = failure(capsys, "greedy", host, "--code", invited, "--as", "other")
        assert (code, "does not take the code" in said) == (4, True)
        assert main(["serve", "revoke", "Gil", "--state", str(tmp_path / "server")]) == 0
        capsys.readouterr()
        code, said = failure(capsys, "greedy", host)
        assert (code, "does not admit this client" in said) == (4, True)
        code, said = failure(capsys, "greedy", host, "--code", invited)
        assert (code, "does not take the code" in said) == (4, True)
    kept = list(states.rglob("servers.json"))
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    known = [server for path in kept for server in json.loads(path.read_bytes())["servers"]]
    assert len(known) == 1  # none of the one whose code was refused


def test_a_code_for_players_is_told_as_one(
    capsys: pytest.CaptureFixture[str], states: Path, tmp_path: Path
) -> None:
    with start_server(tmp_path / "server", ["--lan"]) as server:
        host = f"127.0.0.1:{server.connection.address.rpartition(':')[2]}"
        assert main(["serve", "invite", "--json", "--state", str(tmp_path / "server")]) == 0
        players: str = json.loads(capsys.readouterr().out)["code"]
        for words in (["--code", players], []):
            code, said = failure(capsys, "greedy", host, *words)
            assert code == 4
            assert "is one for players, and lets no engine play" in said
            assert "`passing serve invite --role bot`" in said
            assert "bot token" not in said
    assert len(list(states.rglob("servers.json"))) == 1


def test_a_server_that_is_set_up_anew_is_not_told_anything(
    capsys: pytest.CaptureFixture[str], states: Path, tmp_path: Path
) -> None:
    with start_server(tmp_path / "server", ["--lan"]) as server:
        port = server.connection.address.rpartition(":")[2]
        invited = new_code(tmp_path / "server", capsys)
        with run("greedy", f"127.0.0.1:{port}", "--code", invited) as engine:
            with open_as_organiser(server.connection_path) as organiser:
                await_engines(organiser, ["greedy"])
            engine.terminate()
            engine.wait(10)
    for words, says in ((["--lan"], "has another key than"), ([], "encrypts nothing, but")):
        state = tmp_path / f"new{len(words)}"
        with Child(own_command(["serve", "--port", port, "--state", str(state), *words])):
            while not (state / "server.json").exists():
                time.sleep(0.01)
            began = time.monotonic()
            code, said = failure(capsys, "greedy", f"127.0.0.1:{port}")
            assert (code, says in said) == (4, True), said
            assert time.monotonic() - began < 5
    assert states.exists()


# --- run: what goes right ------------------------------------------------------------------------


def run(*words: str, token: str | None = None) -> "subprocess.Popen[bytes]":
    environment = dict(os.environ) | ({TOKEN_VARIABLE: token} if token else {})
    return subprocess.Popen(
        [sys.executable, "-m", "passing_client", "bot", "run", *words],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )


def waiting_in(organiser: Connection) -> list[str]:
    """The names of the engines that wait in the lobby."""
    tables = organiser.request(Lobby(0))
    assert isinstance(tables, Tables)
    return [waiting.name for waiting in tables.engines]


def test_it_waits_in_the_lobby_until_sigterm_and_then_says_goodbye(connection_path: Path) -> None:
    with run("careful", "--connection", str(connection_path), "--name", "Cy") as engine:
        with open_as_organiser(connection_path) as organiser:
            await_engines(organiser, ["Cy"])
            engine.terminate()
            assert engine.wait(10) == 0
            # On a machine that is busy the goodbye may be late, or lost.
            deadline = time.monotonic() + GONE_S
            while "Cy" in waiting_in(organiser):
                assert time.monotonic() < deadline
        assert engine.stderr is not None
        address = ConnectionFile.read(connection_path).address
        assert engine.stderr.read().decode() == f"Waiting at {address} as Cy.\n"


def test_its_name_tables_and_program_are_told_to_the_lobby(connection_path: Path) -> None:
    words = ["greedy", "--connection", str(connection_path), "--name", "Dee", "--tables", "7"]
    with run(*words) as engine, open_as_organiser(connection_path) as organiser:
        await_engines(organiser, ["Dee"])
        tables = organiser.request(Lobby(0))
        assert isinstance(tables, Tables)
        (info,) = [waiting for waiting in tables.engines if waiting.name == "Dee"]
        assert (info.agent.name, info.free) == ("greedy", 7)
        engine.terminate()


def test_the_token_may_come_from_the_environment(connection_path: Path) -> None:
    file = ConnectionFile.read(connection_path)
    words = ["random", file.address, "--name", "Env"]
    with (
        run(*words, token=file.tokens["bot"]) as engine,
        open_as_organiser(connection_path) as organiser,
    ):
        await_engines(organiser, ["Env"])
        engine.terminate()


def test_several_processes_wait_and_all_end_with_the_first(connection_path: Path) -> None:
    words = ["random", "--connection", str(connection_path), "--name", "Trio", "--processes", "3"]
    with run(*words) as engine, open_as_organiser(connection_path) as organiser:
        await_engines(organiser, ["Trio"] * 3)
        engine.terminate()
        assert engine.wait(10) == 0
        assert engine.stderr is not None
        assert engine.stderr.read().count(b"Waiting at") == 1
        tables = organiser.request(Lobby(0))
        assert isinstance(tables, Tables)
        assert "Trio" not in [waiting.name for waiting in tables.engines]


def test_it_leaves_within_two_seconds_when_its_parent_is_gone(connection_path: Path) -> None:
    words = ["random", "--connection", str(connection_path), "--name", "Orphan"]
    with (
        run(*words, "--end-with-parent") as engine,
        open_as_organiser(connection_path) as organiser,
    ):
        await_engines(organiser, ["Orphan"])
        assert engine.stdin is not None
        started = time.monotonic()
        engine.stdin.close()
        assert engine.wait(10) == 0
        assert time.monotonic() - started < 2
        assert engine.stderr is not None
        assert engine.stderr.read() == b""


def test_a_server_that_never_was_is_unreachable() -> None:
    with run("greedy", "127.0.0.1:1", token="t" * 32) as engine:
        assert engine.wait(15) == 3
        assert engine.stderr is not None
        assert b"Nobody is listening at 127.0.0.1:1." in engine.stderr.read()
