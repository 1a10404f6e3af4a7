"""A line takes part in fair deals by itself, and tells its user what it finds out."""

import pytest
from msgspec import Raw

from passing_link.line import Line
from passing_link.news import Item, LinkNews, NewsKind
from passing_link.transport import Sign
from passing_protocol.codec import decode_client, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import (
    Agent,
    Batch,
    ClientMessage,
    Contribute,
    Error,
    GiveLink,
    Goodbye,
    LinkWanted,
    Ok,
    ServerMessage,
    ShowTip,
    TipsOffered,
    TipsOk,
    Update,
)
from passing_protocol.session import ClientSession
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import (
    DealKind,
    GameOptions,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    SeatTip,
    TableOptions,
    TableState,
    Tip,
)
from tests.support.fake_server import welcome

TIP = Tip(0, "ab" * 32)
SEATED = PublicView(
    match="-",
    rules="1",
    name="Kitchen",
    state=TableState.STARTING,
    deal=DealKind.FAIR,
    game=GameOptions(seats=2),
    table=TableOptions(),
    owner=0,
    seats=[SeatInfo(SeatState.TAKEN, "Ann"), SeatInfo(SeatState.TAKEN, "Bo")],
    scores=[0, 0],
)


class Bench:
    """Hold an open line, and play its server; `seq` numbers what it says."""

    def __init__(self) -> None:
        self.line = Line(ClientSession("Ann", Agent("test", "1")), "table:28066", 0.0)
        self.seq = 0
        self.open(resumed=False)
        self.hear(Update(self.next(), "t1", 1, [], public=SEATED, mine=Mine(0, [])))
        self.told()

    def open(self, *, resumed: bool) -> None:
        """Connect and be welcome."""
        self.line.tick(self.line.due or 0.0)
        for sign in (Sign.REACHED, Sign.AGREED):
            self.line.notice(sign, 0.0)
        self.sent()
        self.line.take(encode(welcome(resumed=resumed)), 0.0)

    def sent(self) -> list[ClientMessage]:
        """Return what has gone out since the last call."""
        frames = list(self.line.outbox)
        self.line.outbox.clear()
        return [decode_client(frame) for frame in frames]

    def told(self) -> list[Item]:
        """Return what the user has been told since the last call."""
        items = list(self.line.inbox)
        self.line.inbox.clear()
        return items

    def hear(self, message: ServerMessage) -> list[ClientMessage]:
        """Let the line hear a message, and return what it answers."""
        self.line.take(encode(message), 0.0)
        return self.sent()

    def next(self) -> int:
        """Return the number of the next message."""
        self.seq += 1
        return self.seq

    def tip(self) -> ShowTip:
        """Ask for a tip, and take it."""
        (tip,) = self.hear(Contribute(self.next(), "t1", "m1", 0, 5_000))
        assert isinstance(tip, ShowTip)
        self.hear(Ok(self.next(), tip.id))
        return tip

    def offer(self, tip: str) -> list[ClientMessage]:
        """Offer a list with a tip on it."""
        seats = [SeatTip(0, 0, tip)]
        return self.hear(TipsOffered(self.next(), "t1", "m1", 1, TIP, seats, 5_000))

    def want(self) -> list[ClientMessage]:
        """Ask for the first link."""
        return self.hear(LinkWanted(self.next(), "t1", "m1", 1, 1, 5_000))


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.told()
    return bench


def test_it_answers_at_once_and_its_user_hears_nothing_of_it(bench: Bench) -> None:
    tip = bench.tip()
    (agreed,) = bench.offer(tip.tip)
    assert isinstance(agreed, TipsOk)
    bench.hear(Ok(bench.next(), agreed.id))
    (link,) = bench.want()
    assert isinstance(link, GiveLink)
    bench.hear(Error(bench.next(), ErrorCode.NO_SUCH_DEAL, "", retry=False, re=link.id))
    assert bench.told() == []


def test_every_line_has_chains_of_its_own() -> None:
    assert Bench().tip().tip != Bench().tip().tip


def test_what_it_finds_out_comes_after_what_told_it(bench: Bench) -> None:
    bench.tip()
    assert bench.offer("cd" * 32) == []
    assert bench.told() == [Verdict("t1", "m1", 0, 0, Outcome.FAILED, Reason.LIST_WITHOUT_OWN_TIP)]


def test_an_answer_that_was_lost_is_sent_again(bench: Bench) -> None:
    (tip,) = bench.hear(Contribute(bench.next(), "t1", "m1", 0, 5_000))
    bench.line.notice(Sign.CLOSED, 0.0)
    bench.open(resumed=True)
    assert bench.sent() == [tip]


def test_nothing_is_answered_on_a_connection_that_has_just_ended(bench: Bench) -> None:
    ending = Goodbye(ErrorCode.DRAINING, "Ending.")
    asked = Contribute(bench.next(), "t1", "m1", 0, 5_000)
    bench.line.take(encode(Batch([Raw(encode(asked)), Raw(encode(ending))])), 0.0)
    assert bench.sent() == []
    kinds = [item.kind for item in bench.told() if isinstance(item, LinkNews)]
    assert kinds == [NewsKind.LOST]
    bench.open(resumed=True)
    assert [type(message) for message in bench.sent()] == [ShowTip]
