"""Finding a server, and by what it takes one for an engine: token, environment, key or code."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from passing_bots import NoBotToken, OthersCode, Server, TokenInTheClear
from passing_bots.engines.greedy import GreedyEngine
from passing_bots.playing import Welcomed, play, play_async
from passing_link import admitting
from passing_link.address import Address, InvalidAddress
from passing_link.connection_file import ConnectionFile, InvalidConnectionFile
from passing_link.denials import CodeNeeded, NotEncrypted, WrongCode
from passing_link.environment import (
    CLIENT_SECRET_VARIABLE,
    CODE_VARIABLE,
    SERVER_KEY_VARIABLE,
    TOKEN_VARIABLE,
    InvalidEnvironment,
)
from passing_link.keys import KeyPair, Security, key_bytes
from passing_link.known_servers import BOT_PROFILE, InvalidProfile, KnownServers, client_folder
from passing_link.news import CannotReach, LinkEnded, UnknownMachine
from passing_protocol.errors import ErrorCode
from passing_protocol.handshake import Enrol, Enrolled
from passing_protocol.join_codes import InvalidCode, Invitation, JoinCode, fingerprint, join_secret
from passing_protocol.messages import (
    ClientMessage,
    Goodbye,
    Hello,
    Role,
    ServerMessage,
    Welcome,
)
from passing_server.state_folder import StateFolder
from tests.support.curve_server import Answerer, CurveServer
from tests.support.fake_server import FakeServer, Polite

TOKEN = "b" * 32
JOIN_TOKEN = "7H3GAMES"
OWN = KeyPair.new()


@pytest.fixture(autouse=True)
def nothing_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (TOKEN_VARIABLE, SERVER_KEY_VARIABLE, CLIENT_SECRET_VARIABLE, CODE_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "states"))


@pytest.fixture
def hardly_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait no longer than this for the key of a server where there is none."""
    monkeypatch.setattr(admitting, "ASK_S", 0.05)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "server.json"
    ConnectionFile("127.0.0.1:4000", None, 1, {"bot": TOKEN, "organiser": "o" * 32}).write(path)
    return path


# --- the server ----------------------------------------------------------------------------------


def test_a_connection_file_has_all_that_is_needed(path: Path) -> None:
    assert Server.find(connection=path) == Server(Address("127.0.0.1", 4000), TOKEN)
    assert Server.find(connection=str(path)) == Server.find(connection=path)


def test_an_address_beats_that_of_the_file(path: Path) -> None:
    assert Server.find("table:5", path) == Server(Address("table", 5), TOKEN)
    assert Server.find(Address("table", 5), path).address == Address("table", 5)


@pytest.mark.usefixtures("hardly_waits")
def test_the_environments_token_goes_with_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    for host in ("localhost", "127.0.0.1", "127.0.0.7", "::1", "0.0.0.0", "::ffff:127.0.0.1"):  # noqa: S104
        assert Server.find(host) == Server(Address(host), TOKEN)
    assert Server.find().address == Address("localhost")


@pytest.mark.usefixtures("hardly_waits")
@pytest.mark.parametrize("host", ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1"])
def test_the_environments_token_goes_to_no_other_machine_in_the_clear(
    monkeypatch: pytest.MonkeyPatch, path: Path, host: str
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    with pytest.raises(TokenInTheClear, match=r"--role bot.*--connection") as refused:
        Server.find(host)
    assert TOKEN not in str(refused.value)
    assert str(Address.parse(host)) in str(refused.value)
    assert Server.find(host, path).token == TOKEN


@pytest.mark.parametrize("host", ["no-such-machine.invalid", "localhost.invalid"])
def test_the_environments_token_goes_nowhere_for_a_name_that_nobody_knows(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    with pytest.raises(UnknownMachine):
        Server.find(host)


def test_without_a_token_there_is_no_server_to_play_at(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    ConnectionFile("127.0.0.1:4000", None, 1, {"organiser": "o" * 32}).write(path)
    with pytest.raises(NoBotToken):
        Server.find(connection=path)


def test_bad_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidAddress):
        Server.find("a b")
    with pytest.raises(FileNotFoundError):
        Server.find(connection=tmp_path / "none.json")
    (tmp_path / "server.json").write_text("[]")
    with pytest.raises(InvalidConnectionFile):
        Server.find(connection=tmp_path / "server.json")


def test_a_file_whose_server_has_ended_is_said_unless_it_is_another_machines(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.communicate()
    ConnectionFile("127.0.0.1:4000", None, process.pid, {"bot": TOKEN}).write(path)
    with pytest.raises(CannotReach, match=f"process {process.pid}, has ended"):
        Server.find(connection=path)
    assert Server.find("table:5", path) == Server(Address("table", 5), TOKEN)
    ConnectionFile("192.0.2.1:4000", None, process.pid, {"bot": TOKEN}).write(path)
    assert Server.find(connection=path) == Server(Address("192.0.2.1", 4000), TOKEN)


def test_no_token_goes_to_who_listens_where_a_server_has_been(tmp_path: Path) -> None:
    """Its process number is another process's by now: our own, here."""
    path = tmp_path / "server.json"
    with StateFolder(tmp_path) as folder:
        folder.tell("127.0.0.1:4000")
        ConnectionFile("127.0.0.1:4000", None, os.getpid(), {"bot": TOKEN}).write(path)
        assert Server.find(connection=path).token == TOKEN
    with pytest.raises(CannotReach, match="has ended"):
        Server.find(connection=path)


def test_no_token_and_no_key_is_shown(path: Path) -> None:
    shown = repr(Server(Address("table"), TOKEN, Security(KeyPair.new().public, OWN)))
    assert TOKEN not in shown
    assert OWN.secret not in shown


# --- servers that encrypt -----------------------------------------------------------------------


def known() -> KnownServers:
    return KnownServers(client_folder(BOT_PROFILE))


def engine_server() -> CurveServer:
    """Return a server that takes who has the join token for an engine, greets it and ends."""
    polite = Polite(role=Role.BOT)
    server = CurveServer()
    enough = Goodbye(ErrorCode.NOT_ADMITTED, "Enough.")

    def answer(message: ClientMessage) -> list[ServerMessage]:
        if isinstance(message, Enrol):
            server.admitted.add(message.client_key)
            return [Enrolled(Role.BOT, message.name)]
        return [*polite(message), *([enough] if isinstance(message, Hello) else [])]

    server.answer = answer
    secret = join_secret(JOIN_TOKEN, key_bytes(server.key))
    server.admitted.add(KeyPair.of_secret(secret).public)
    return server


@pytest.fixture
def server() -> Iterator[CurveServer]:
    with engine_server() as server:
        yield server


def code_of(server: CurveServer) -> str:
    return str(JoinCode(fingerprint(key_bytes(server.key)), JOIN_TOKEN))


def link_to(server: CurveServer) -> str:
    address = server.address
    return str(Invitation(address.host, address.port, key_bytes(server.key), JOIN_TOKEN))


def test_a_connection_file_of_a_server_that_encrypts_has_the_keys(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    key = KeyPair.new().public
    ConnectionFile("192.0.2.1:4000", key, 1, {"bot": TOKEN}, OWN.secret).write(path)
    assert Server.find(connection=path) == Server(
        Address("192.0.2.1", 4000), TOKEN, Security(key, OWN)
    )


def test_the_environment_s_keys_go_with_its_token_and_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = KeyPair.new().public
    monkeypatch.setenv(SERVER_KEY_VARIABLE, key)
    monkeypatch.setenv(CLIENT_SECRET_VARIABLE, OWN.secret)
    assert Server.find("table") == Server(Address("table"), None, Security(key, OWN))
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert Server.find("table") == Server(Address("table"), TOKEN, Security(key, OWN))


def test_half_of_the_environment_s_keys_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SERVER_KEY_VARIABLE, KeyPair.new().public)
    with pytest.raises(InvalidEnvironment, match=CLIENT_SECRET_VARIABLE):
        Server.find("table")


@pytest.mark.parametrize("by_variable", [True, False])
def test_a_code_enrols_once_and_the_key_is_kept_for_engines(
    monkeypatch: pytest.MonkeyPatch, server: CurveServer, by_variable: bool
) -> None:
    if by_variable:
        monkeypatch.setenv(CODE_VARIABLE, code_of(server))
    with Answerer(server.address, server.key):
        found = Server.find(
            server.address, code=None if by_variable else code_of(server), name="greedy"
        )
    assert (found.token, found.address) == (None, server.address)
    enrolled = [message.name for message in server.received if isinstance(message, Enrol)]
    assert enrolled == ["greedy"]
    monkeypatch.delenv(CODE_VARIABLE, raising=False)
    assert Server.find(server.address) == found
    (entry,) = known().all()
    assert (entry.security, entry.role) == (found.security, Role.BOT)


def test_a_link_says_where_the_server_is(server: CurveServer) -> None:
    found = Server.find(code=link_to(server))
    assert found.address == server.address
    with pytest.raises(LinkEnded, match="Enough"):
        play(GreedyEngine, found, name="greedy")
    (entry,) = known().all()
    assert (entry.name, entry.addresses) == ("fake", (str(server.address),))


def test_a_profile_has_a_key_of_its_own(server: CurveServer) -> None:
    first = Server.find(code=link_to(server))
    second = Server.find(code=link_to(server), profile="ada")
    assert first.security != second.security
    assert Server.find(server.address) == first
    assert Server.find(server.address, profile="ada") == second
    with pytest.raises(InvalidProfile):
        Server.find(server.address, profile="../ada")


def test_a_token_goes_in_secret_to_a_server_that_is_known(
    monkeypatch: pytest.MonkeyPatch, server: CurveServer
) -> None:
    enrolled = Server.find(code=link_to(server))
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert Server.find(server.address) == Server(server.address, TOKEN, enrolled.security)
    server.comes_back(None)
    with pytest.raises(NotEncrypted):
        play(GreedyEngine, Server.find(server.address), name="greedy")


@pytest.mark.parametrize("tells_its_key", [True, False])
def test_a_token_goes_in_secret_to_a_known_server_under_another_name_too(
    monkeypatch: pytest.MonkeyPatch, server: CurveServer, tells_its_key: bool
) -> None:
    enrolled = Server.find(code=link_to(server))
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    by_name = Address("localhost", server.address.port)
    with Answerer(server.address, server.key if tells_its_key else None):
        assert Server.find(by_name) == Server(by_name, TOKEN, enrolled.security)


def test_a_token_goes_nowhere_where_a_key_is_told_that_nobody_knows(
    monkeypatch: pytest.MonkeyPatch, server: CurveServer
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    with Answerer(server.address, server.key), pytest.raises(CodeNeeded):
        Server.find(server.address)


def test_without_token_code_or_known_key_it_is_said_what_is_missing(server: CurveServer) -> None:
    with Answerer(server.address, server.key), pytest.raises(CodeNeeded):
        Server.find(server.address)
    with FakeServer() as plain, Answerer(plain.address, None), pytest.raises(NoBotToken) as missing:
        Server.find(plain.address)
    assert TOKEN_VARIABLE in str(missing.value)
    assert "--code" in str(missing.value)


def test_what_is_no_code_is_refused_and_a_foreign_one_fits_nothing(server: CurveServer) -> None:
    with pytest.raises(InvalidCode, match="This code has 3 characters"):
        Server.find(server.address, code="abc")
    foreign = JoinCode(fingerprint(bytes(32)), JOIN_TOKEN)
    with Answerer(server.address, server.key), pytest.raises(WrongCode):
        Server.find(server.address, code=str(foreign))
    assert server.received == []
    assert known().all() == ()


def test_a_key_that_makes_no_engine_is_told_what_does(server: CurveServer) -> None:
    found = Server.find(code=link_to(server))
    server.answer = Polite(role=Role.PLAYER)
    with pytest.raises(OthersCode, match=r"one for players, .*--role bot"):
        play(GreedyEngine, found, name="greedy")


# --- where a server was before


def play_blocking(server: Server, tell: Welcomed) -> None:
    play(GreedyEngine, server, name="greedy", welcomed=tell)


def play_in_a_loop(server: Server, tell: Welcomed) -> None:
    asyncio.run(play_async(GreedyEngine, server, name="greedy", welcomed=tell))


@pytest.mark.parametrize("playing", [play_blocking, play_in_a_loop])
@pytest.mark.parametrize("poses", [True, False])
def test_a_server_that_is_not_where_an_answer_leads_is_found_where_it_was(
    monkeypatch: pytest.MonkeyPatch,
    server: CurveServer,
    playing: Callable[[Server, Welcomed], None],
    poses: bool,
) -> None:
    monkeypatch.setattr("passing_link.places.PLACE_S", 0.5)
    Server.find(code=link_to(server))
    places: list[Address] = []
    with CurveServer() as other:
        there = other.address if poses else Address("127.0.0.9", server.address.port)
        with Answerer(there, server.key):
            found = Server.find(there)
            assert found.places == (there, server.address)
            with pytest.raises(LinkEnded, match="Enough"):
                playing(found, lambda _welcome, place: places.append(place))
        assert other.received == []
    assert places == [server.address]
    (entry,) = known().all()
    assert entry.addresses == (str(server.address),)  # nothing was proved there


def test_a_server_is_tried_where_it_is_known_to_be_alone(server: CurveServer) -> None:
    known().remember(Address("kitchen.lan"), Security(server.key, OWN), Role.BOT)
    known().remember(server.address, Security(server.key, OWN), Role.BOT)
    assert Server.find(server.address).places == (server.address,)


def test_a_profile_that_cannot_be_written_is_no_reason_not_to_play(
    monkeypatch: pytest.MonkeyPatch, server: CurveServer
) -> None:
    found = Server.find(code=link_to(server))

    def read_only(*_arguments: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(KnownServers, "visited", read_only)
    welcomes: list[tuple[Role, Address]] = []

    def note(welcome: Welcome, place: Address) -> None:
        welcomes.append((welcome.role, place))

    with pytest.raises(LinkEnded):
        play(GreedyEngine, found, name="greedy", welcomed=note)
    assert welcomes == [(Role.BOT, server.address)]
