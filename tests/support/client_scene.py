"""A table as one person's client meets it: views, updates, a link and a face of the test's own."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from msgspec.structs import replace

from passing_client.conversation import Conversation
from passing_client.desk import Keeper
from passing_client.settings import ConfirmPass
from passing_link.exits import ExitCode
from passing_link.news import Item, LinkDown, LinkEnded, LinkNews, NewsKind
from passing_protocol.errors import MEANINGS, ErrorCode
from passing_protocol.events import Event, RoundEnded
from passing_protocol.follow import follow
from passing_protocol.messages import (
    Act,
    Agent,
    EngineInfo,
    Error,
    Join,
    Lobby,
    Ok,
    Request,
    TableInfo,
    Tables,
    Update,
)
from passing_protocol.views import (
    Acted,
    Ask,
    Clock,
    DealKind,
    GameOptions,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    TableOptions,
    TableState,
    TrainTile,
)
from passing_protocol.wire import TileText, action_message, tile_text
from passing_rules import Options, Tile, parse_action

NAMES = ("Dana", "Bo", "Caro", "Emil")
TABLE = "t1"


def tiles(text: str) -> list[TileText]:
    """Return tiles from `"46 00"`."""
    return [tile_text(Tile.parse(word)) for word in text.split()]


def game(seats: int = 4, *, partners: bool = False) -> GameOptions:
    """Return the game as a server shows it: every option is there."""
    options = Options.of(seats, partners=partners)
    return GameOptions(
        seats=seats,
        partners=partners,
        target=options.target,
        lead=options.lead,
        pass_circles=options.pass_circles,
        out_wins_ties=options.out_wins_ties,
        partner_scoring=options.partner_scoring,
    )


def taken(name: str, engine: str | None = None, *, ready: bool = False) -> SeatInfo:
    return SeatInfo(SeatState.TAKEN, name, engine, ready or engine is not None)


EMPTY = SeatInfo(SeatState.EMPTY)


def open_view(seats: int = 4, *, partners: bool = False) -> PublicView:
    """Return a table that Dana has made and where nobody else sits yet."""
    sides = 2 if partners else seats
    return PublicView(
        match="-",
        rules="1",
        name="kitchen",
        state=TableState.OPEN,
        deal=DealKind.SERVER,
        game=game(seats, partners=partners),
        table=TableOptions(),
        owner=0,
        seats=[taken("Dana"), *[EMPTY] * (seats - 1)],
        scores=[0] * sides,
    )


def full_view(seats: int = 4, *, partners: bool = False) -> PublicView:
    """Return a table whose seats are filled; Bo is an engine."""
    view = open_view(seats, partners=partners)
    people = [taken(name) for name in NAMES[:seats]]
    people[1] = taken("Bo", "careful")
    return replace(view, state=TableState.STARTING, seats=people)


def round_view(seats: int = 4, *, partners: bool = False, leader: int = 1) -> PublicView:
    """Return the start of round 3; Bo leads, turn 20 is asked."""
    view = full_view(seats, partners=partners)
    options = Options.of(seats, partners=partners)
    size = options.hand_size
    yard = 28 - seats * size
    return replace(
        view,
        match="m1",
        state=TableState.PLAYING,
        scores=[37, 12, 44, 20][: len(view.scores)],
        round=3,
        turn=20,
        leader=leader,
        to_act=leader,
        hands=[size] * seats,
        boneyard=yard,
        drawable=yard - 2,
    )


def acted(seat: int, turn: int, text: str, *, timed_out: bool = False) -> Acted:
    """Return an action from its text: `46<`, `46`, `d`, `-`."""
    return Acted(seat, turn, action_message(parse_action(text)), timed_out)


def after(view: PublicView, *actions: str) -> PublicView:
    """Return the view after the next seats have done these."""
    for text in actions:
        assert view.to_act is not None
        view = follow(view, acted(view.to_act, view.turn, text))
    return view


def ask(turn: int, legal: str, *, clock: Clock | None = None, no_draw: bool = False) -> Ask:
    """Return the question of a turn, with what is legal as `"02< 46> d -"`."""
    actions = [action_message(parse_action(word)) for word in legal.split()]
    refused = {"draw": "boneyard_floor"} if no_draw else {}
    return Ask(turn, actions, refused, clock)


def train(text: str) -> list[TrainTile]:
    """Return a train of tiles that seat 0 played, from left to right."""
    return [TrainTile(tile, 0) for tile in tiles(text)]


def round_ended(
    ending: Literal["out", "blocked", "passed_out"],
    hands: Sequence[str],
    scores: Sequence[int],
    *,
    winners: Sequence[int] = (),
    side: int | None = None,
    points: int = 0,
    shown: bool = True,
) -> RoundEnded:
    """Return the end of round 3, the pips counted from the hands."""
    held = [tiles(hand) for hand in hands]
    pips = [sum(Tile.parse(tile).pips for tile in hand) for hand in held]
    return RoundEnded(
        3, ending, pips, list(winners), points, list(scores), side, held if shown else None
    )


# --- somebody at a client ------------------------------------------------------------------------


@dataclass
class FakeLink:
    """Keep what is sent, and give the messages of a script, then end."""

    sent: list[Request] = field(default_factory=list[Request])
    script: list[Item] = field(default_factory=list[Item])
    down: bool = False
    ended: bool = False

    def send(self, message: Request) -> int:
        if self.down:
            raise LinkDown("The connection is lost.")
        if self.ended:
            raise LinkEnded(LinkNews(NewsKind.CLOSED, "den.local has ended the session."))
        self.sent.append(message)
        return len(self.sent)

    async def __aiter__(self) -> AsyncIterator[Item]:
        for item in self.script:
            yield item


@dataclass
class FakeFace:
    """Keep what is shown."""

    lines: list[str] = field(default_factory=list[str])
    rings: int = 0

    def say(self, line: str) -> None:
        self.lines.append(line)

    def ring(self) -> None:
        self.rings += 1


class Talk:
    """Let a test be the server and the person, and see what the client says and sends."""

    def __init__(
        self,
        *,
        confirm_pass: ConfirmPass = ConfirmPass.ASK,
        private: bool = False,
        to_the_end: bool = False,
        wanted: str | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        self.link = FakeLink()
        self.face = FakeFace()
        self.conversation = Conversation(
            self.link,
            self.face,
            confirm_pass=confirm_pass,
            private=private,
            to_the_end=to_the_end,
            wanted=wanted,
            keeper=keeper,
        )
        self._seq = 0
        self._taken = 0

    # the person

    def types(self, line: str, *, shown: int | None = None) -> list[str]:
        """Type a line under the question that is shown, and return what is said to it."""
        turn = self.conversation.desk.shown_turn if shown is None else shown
        self.conversation.type(line, turn)
        return self.said()

    def said(self) -> list[str]:
        """Return what was said since this was asked the last time."""
        lines, self.face.lines = self.face.lines, []
        return lines

    def sent(self) -> list[Request]:
        """Return what was sent since the last time, without the numbers of requests."""
        before = len(self.link.sent)
        requests = self.link.sent[self._taken :]
        self._taken = before
        return requests

    @property
    def over(self) -> ExitCode | None:
        return self.conversation.desk.over

    # the server

    def hears(self, *items: Item) -> list[str]:
        """Send messages to the client, and return what it says."""
        for item in items:
            self.conversation.hear(item)
        return self.said()

    def update(
        self,
        *events: Event,
        public: PublicView | None = None,
        hand: str | None = None,
        seat: int = 0,
        drew: str | None = None,
        ask: Ask | None = None,
        re: int | None = None,
        duplicate: bool = False,
        digest: str | None = None,
    ) -> list[str]:
        """Send an update of the table, and return what the client says."""
        drawn = tiles(drew)[0] if drew is not None else None
        mine = Mine(seat, tiles(hand), drawn) if hand is not None else None
        update = Update(
            seq=self.seq(),
            table=TABLE,
            rev=0,
            events=list(events),
            re=re,
            duplicate=duplicate,
            hash=digest,
            public=public,
            mine=mine,
            ask=ask,
        )
        return self.hears(update)

    def seq(self) -> int:
        self._seq += 1
        return self._seq

    def answers_last(self) -> int:
        """Return the number of the request that was sent last."""
        return len(self.link.sent)

    def error(self, code: ErrorCode, detail: str = "detail") -> list[str]:
        """Refuse the last request."""
        return self.hears(
            Error(self.seq(), code, detail, MEANINGS[code].retry, self.answers_last(), TABLE)
        )

    def ok(self) -> list[str]:
        """Confirm the last request."""
        return self.hears(Ok(self.seq(), self.answers_last(), TABLE))

    def tables(self, *tables: TableInfo, engines: str = "", more: bool = False) -> list[str]:
        """Answer the last request with the list of tables."""
        agent = Agent("bot", "1")
        waiting = [EngineInfo(name, agent, 1) for name in engines.split()]
        return self.hears(Tables(self.seq(), self.answers_last(), list(tables), waiting, more))

    def sits(
        self,
        view: PublicView,
        *,
        hand: str | None = "",
        seat: int = 0,
        ask: Ask | None = None,
    ) -> list[str]:
        """Let the client sit down (without a hand: watch) at a table with this view."""
        self.conversation.desk.send(Join(0, TABLE))
        said = self.update(public=view, hand=hand, seat=seat, ask=ask, re=self.answers_last())
        self.sent()
        return said

    def begins(self) -> None:
        """Ask for the tables, as a client does first."""
        self.conversation.desk.send(Lobby(0))

    def acts(self) -> list[str]:
        """Return the actions that were sent since the last time, as text."""
        return [str(act.action.action) for act in self.sent() if isinstance(act, Act)]


def seated(legal: str = "02< 04< 46> d -", *, hand: str = "02 04 13 46") -> Talk:
    """Return a talk with Dana on turn 25, at the ends 0 and 6."""
    talk = Talk()
    view = replace(
        after(round_view(), "06", "d", "00<"),
        turn=25,
        to_act=0,
        hands=[len(hand.split()), 5, 7, 5],
        actions=[],
    )
    talk.sits(view, hand=hand, ask=ask(25, legal))
    return talk


def table_info(
    name: str,
    seats: Sequence[SeatInfo],
    *,
    table: str = "t1",
    state: TableState = TableState.OPEN,
    partners: bool = False,
    round_number: int = 0,
) -> TableInfo:
    """Return a table of the lobby."""
    kind = game(len(seats), partners=partners)
    return TableInfo(table, name, state, DealKind.SERVER, kind, list(seats), [], round_number, 0)
