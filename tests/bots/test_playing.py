"""Finding a server, proving that one is an engine, and playing through bad moments of the link."""

import pytest

from passing_bots import NoBotToken, Server, play
from passing_bots.engines.greedy import GreedyEngine
from passing_bots.playing import Desk
from passing_link.news import LinkDown, LinkEnded, LinkNews, NewsKind
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
)
from tests.support.fake_server import FakeServer, Polite

TOKEN = "b" * 32


# --- the connection ------------------------------------------------------------------------------


def test_an_engine_says_how_many_tables_it_takes_and_shows_its_token() -> None:
    polite = Polite(role=Role.BOT)
    welcomes: list[object] = []

    def welcome_and_dismiss(message: ClientMessage) -> list[ServerMessage]:
        return [*polite(message), Goodbye(ErrorCode.NOT_ADMITTED, "Enough.")]

    with FakeServer(welcome_and_dismiss) as server:
        with pytest.raises(LinkEnded, match=r"has ended the session: Enough\."):
            play(
                GreedyEngine,
                Server(server.address, TOKEN),
                name="Gus",
                tables=5,
                welcomed=lambda welcome, place: welcomes.append((welcome.role, place)),
            )
        assert welcomes == [(Role.BOT, server.address)]
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
