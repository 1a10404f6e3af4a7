"""Finding a server, proving that one is an engine, and playing through bad moments of the link."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from passing_bots import NoBotToken, Server, play
from passing_bots.engines.greedy import GreedyEngine
from passing_bots.playing import TOKEN_VARIABLE, Desk
from passing_link.address import Address, InvalidAddress
from passing_link.connection_file import ConnectionFile, InvalidConnectionFile
from passing_link.news import CannotReach, LinkDown, LinkEnded, LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import (
    ClientMessage,
    Goodbye,
    Hello,
    Invited,
    Join,
    Request,
    Role,
    ServerMessage,
    Welcome,
)
from passing_server.state_folder import StateFolder
from tests.support.fake_server import FakeServer, Polite

TOKEN = "b" * 32


@pytest.fixture(autouse=True)
def no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)


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


def test_the_environments_token_goes_with_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, TOKEN)
    assert Server.find("table") == Server(Address("table"), TOKEN)
    assert Server.find().address == Address("localhost")


def test_without_a_token_there_is_no_server_to_play_at(tmp_path: Path) -> None:
    with pytest.raises(NoBotToken, match="bot token"):
        Server.find("table")
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


# --- the connection ------------------------------------------------------------------------------


def test_an_engine_says_how_many_tables_it_takes_and_shows_its_token() -> None:
    polite = Polite(role=Role.BOT)
    welcomes: list[Welcome] = []

    def welcome_and_dismiss(message: ClientMessage) -> list[ServerMessage]:
        return [*polite(message), Goodbye(ErrorCode.NOT_ADMITTED, "Enough.")]

    with FakeServer(welcome_and_dismiss) as server:
        with pytest.raises(LinkEnded, match=r"has ended the session: Enough\."):
            play(
                GreedyEngine,
                Server(server.address, TOKEN),
                name="Gus",
                tables=5,
                welcomed=welcomes.append,
            )
        assert [welcome.role for welcome in welcomes] == [Role.BOT]
        hello = server.received[0]
        assert isinstance(hello, Hello)
        assert (hello.name, hello.caps.tables, hello.token) == ("Gus", 5, TOKEN)


def test_a_server_that_takes_us_for_a_person_is_no_place_for_an_engine() -> None:
    with FakeServer(Polite(role=Role.PLAYER)) as server, pytest.raises(NoBotToken):
        play(GreedyEngine, Server(server.address, TOKEN), name="Gus")


# --- what waits while the connection is down -----------------------------------------------------


class Cable:
    """Carry requests while it is whole."""

    def __init__(self) -> None:
        self.whole = True
        self.carried: list[Request] = []

    def send(self, request: Request) -> int:
        if not self.whole:
            raise LinkDown("down")
        self.carried.append(request)
        return len(self.carried)


@pytest.fixture
def reports() -> list[str]:
    return []


@pytest.fixture
def desk(reports: list[str]) -> Desk:
    return Desk(GreedyEngine, tables=4, matches=None, report=reports.append)


def invited(seq: int) -> Invited:
    return Invited(seq, f"t{seq}", 0, 1)


def test_what_cannot_be_sent_goes_out_in_order_when_the_connection_is_back(
    desk: Desk, reports: list[str]
) -> None:
    cable = Cable()
    cable.whole = False
    assert desk.serve(invited(1), cable.send)
    assert desk.serve(invited(2), cable.send)
    assert cable.carried == []
    cable.whole = True
    assert desk.serve(LinkNews(NewsKind.BACK, "It is back."), cable.send)
    assert cable.carried == [Join(0, "t1", 0), Join(0, "t2", 0)]
    assert reports == ["It is back."]


def test_what_waited_for_a_session_that_is_gone_is_dropped(desk: Desk) -> None:
    cable = Cable()
    cable.whole = False
    desk.serve(invited(1), cable.send)
    cable.whole = True
    desk.serve(LinkNews(NewsKind.NEW_SESSION, "Forgotten."), cable.send)
    assert cable.carried == []
    desk.serve(Goodbye(ErrorCode.DRAINING), cable.send)
    assert cable.carried == []
