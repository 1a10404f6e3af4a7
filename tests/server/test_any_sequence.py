"""Whatever several clients send, in whatever order: all is answered, and the tables stay whole."""

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_protocol.messages import (
    Act,
    Bye,
    Chat,
    Create,
    Decline,
    Goodbye,
    Invite,
    Join,
    Leave,
    Lobby,
    Ping,
    Ready,
    Remove,
    Request,
    Resync,
    Start,
    Watch,
)
from passing_protocol.session_states import (
    ClientState,
)
from passing_protocol.views import GameOptions, TableOptions
from passing_protocol.wire import ActionMessage
from passing_rules import ALL_TILES, Tile
from passing_server.rooms import Room
from passing_table import Table
from tests.support.lan import Lan, LanClient

NAMES = (("anna", None), ("bob", None), ("cyd", None), ("greedy", "bot"), ("calm", "bot"))
TABLES = ("t1", "t2", "t3")

tables = st.sampled_from(TABLES)
seats = st.none() | st.integers(0, 3)
games = st.builds(
    GameOptions,
    seats=st.integers(2, 4),
    partners=st.booleans(),
    target=st.sampled_from((1, 20, 101)),
    lead=st.none(),
)
wishes = st.builds(
    TableOptions,
    turn_ms=st.sampled_from((None, 0, 1_000)),
    bank_ms=st.sampled_from((None, 0)),
    pace_ms=st.sampled_from((None, 0)),
    absent=st.sampled_from((None, "engine", "pass", "forfeit")),
    faults=st.sampled_from((None, "pass", "forfeit", "retry:1")),
)
DRAW = ActionMessage(draw=True)
actions = st.sampled_from(
    (
        DRAW,
        ActionMessage(pass_=True),
        ActionMessage(play="66"),
        ActionMessage(play="01", end="left"),
    )
)
requests: st.SearchStrategy[Request] = st.one_of(
    st.builds(
        Create, id=st.just(0), name=st.just("x"), game=games, table=wishes, sit=st.booleans()
    ),
    st.builds(Join, id=st.just(0), table=tables, seat=seats),
    st.builds(Watch, id=st.just(0), table=tables),
    st.builds(Leave, id=st.just(0), table=tables),
    st.builds(Ready, id=st.just(0), table=tables),
    st.builds(Start, id=st.just(0), table=tables),
    st.builds(Invite, id=st.just(0), table=tables, engine=st.sampled_from(("greedy", "calm"))),
    st.builds(Decline, id=st.just(0), table=tables),
    st.builds(Remove, id=st.just(0), table=tables, seat=seats, watcher=st.just("bob")),
    st.builds(Act, id=st.just(0), table=tables, turn=st.integers(0, 9), action=actions),
    st.builds(Chat, id=st.just(0), table=tables, text=st.just("well played")),
    st.builds(Resync, id=st.just(0), seq=st.integers(0, 9)),
    st.builds(Ping, id=st.just(0)),
    st.builds(Lobby, id=st.just(0), after=st.none() | tables),
)


@dataclass(frozen=True)
class Reconnect:
    """A client comes over a new connection."""


@dataclass(frozen=True)
class Cut:
    """A client's connection is lost."""


@dataclass(frozen=True)
class Play:
    """All who are asked answer, as often as said."""

    turns: int
    choice: int


@dataclass(frozen=True)
class Wait:
    """Time passes."""

    milliseconds: int


@dataclass(frozen=True)
class BeReady:
    """All say at every table that they are ready."""


Step = Request | Reconnect | Cut | Play | Wait | BeReady
steps: st.SearchStrategy[Step] = st.one_of(
    requests,
    requests,
    st.builds(Play, turns=st.integers(1, 30), choice=st.integers(0, 40)),
    st.builds(BeReady),
    st.builds(Wait, milliseconds=st.sampled_from((50, 800, 6_000, 25_000, 95_000))),
    st.sampled_from((Reconnect(), Cut(), Bye(0))),
)


@dataclass
class Party:
    """The clients of one example, and every request they made in their present sessions."""

    lan: Lan = field(default_factory=Lan)
    clients: list[LanClient] = field(default_factory=list[LanClient])
    asked: dict[int, list[int]] = field(default_factory=dict[int, list[int]])

    def __post_init__(self) -> None:
        for name, role in NAMES:
            self.clients.append(self.lan.client(name, role))

    def there(self, client: LanClient) -> bool:
        return client.peer in self.lan.clients and client.session.state is ClientState.OPEN

    def do(self, who: int, step: Step) -> None:
        client = self.clients[who]
        match step:
            case Reconnect():
                self.lan.connect(client)
            case Cut():
                self.lan.clients.pop(client.peer, None)
            case Wait(milliseconds):
                self.lan.pass_time(milliseconds, step=max(50, milliseconds // 40))
            case Play(turns, choice):
                for turn in range(turns):
                    self.answer_questions(choice + turn)
            case BeReady():
                for one in self.clients:
                    for table in list(one.tables):
                        self.send(one, Ready(0, table))
            case _:
                self.send(client, step)

    def take_leave(self, client: LanClient) -> None:
        if self.there(client):
            assert isinstance(client.ask(Bye(0)), Goodbye)
            self.lan.cut(client)

    def send(self, client: LanClient, request: Request) -> None:
        if self.there(client):
            self.asked.setdefault(id(client), []).append(client.send(request))

    def answer_questions(self, choice: int) -> None:
        for client in self.clients:
            for table, follower in list(client.tables.items()):
                if follower.ask is not None:
                    action = follower.ask.legal[choice % len(follower.ask.legal)]
                    self.send(client, Act(0, table, follower.ask.turn, action))

    def asked_at(self, table: Table, client: LanClient) -> bool:
        """Tell whether a client, who decides at a seat, has the open question of a table."""
        follower = client.tables.get(table.id)
        welcome = client.session.welcome
        if follower is None or follower.ask is None or welcome is None or table.play is None:
            return False
        decides = table.seats.decides(welcome.session) is not None
        open_ = table.asking and follower.ask.turn == table.play.turn
        return self.there(client) and decides and open_

    def verify(self) -> None:
        for room in self.lan.server.lobby.rooms.values():
            verify_tiles(room.table)
            verify_places(room)
            asked = [client for client in self.clients if self.asked_at(room.table, client)]
            assert len(asked) <= 1

    def verify_answered(self) -> None:
        """Every request of a session that is still open has got one answer."""
        for client in self.clients:
            if not self.there(client):
                continue
            answered = [
                re
                for m in client.messages
                if (re := getattr(m, "re", None)) is not None
                and not getattr(m, "duplicate", False)  # to what was sent again
            ]
            assert len(answered) == len(set(answered))
            assert client.session.unanswered == []


def verify_places(room: Room) -> None:
    """The sessions that the room tells as players are those that have a claim on a seat."""
    claims = [who.key for seat in room.table.seats for who in seat.claimants]
    assert sorted(claims) == sorted(room.players)
    assert all(room.table.id in session.tables for session in room.members)


def verify_tiles(table: Table) -> None:
    if table.play is None or table.play.match.round is None:
        return
    dealt = table.play.match.round
    boneyard = dealt.deal.boneyard[len(dealt.deal.boneyard) - dealt.boneyard_size :]
    train = [Tile.parse(laid.tile) for laid in table.play.train]
    hands = [tile for seat in range(dealt.seats) for tile in dealt.hand(seat)]
    assert sorted([*boneyard, *train, *hands]) == list(ALL_TILES)


@given(st.lists(st.tuples(st.integers(0, 4), steps), min_size=5, max_size=60))
@settings(max_examples=30)
def test_any_sequence_of_requests_is_answered_and_breaks_nothing(
    script: list[tuple[int, Step]],
) -> None:
    party = Party()
    party.send(party.clients[0], Create(0, "first", GameOptions(seats=2, target=20)))
    party.send(party.clients[1], Join(0, "t1"))
    play_script(party, script)


@pytest.mark.parametrize("seed", range(60))
def test_a_long_evening_of_comings_and_goings_breaks_nothing(seed: int) -> None:
    """Two tables are set up to play; then everybody does anything for long."""
    rng = random.Random(seed)
    party = Party()
    for owner in (0, 1):
        party.send(party.clients[owner], Create(0, "x", some_game(rng), some_wishes(rng)))
    party.send(party.clients[2], Join(0, "t1"))
    for _ in range(rng.randrange(4)):
        party.send(party.clients[0], Invite(0, "t1", rng.choice(("greedy", "calm"))))
        party.send(party.clients[1], Invite(0, "t2", rng.choice(("greedy", "calm"))))
    script = [(rng.randrange(5), some_step(rng)) for _ in range(150)]
    play_script(party, [(0, BeReady()), (0, Play(3, 0)), *script])


def play_script(party: Party, script: list[tuple[int, Step]]) -> None:
    for who, step in script:
        if isinstance(step, Bye):
            party.take_leave(party.clients[who])
        else:
            party.do(who, step)
        party.verify()
    party.lan.pass_time(11_000)  # longer than any action is held
    party.verify()
    party.verify_answered()


def some_game(rng: random.Random) -> GameOptions:
    seats = rng.choice((2, 2, 3, 4))
    return GameOptions(
        seats=seats,
        partners=seats == 4 and rng.random() < 0.7,
        target=rng.choice((10, 30, None)),
        pass_circles=rng.choice((1, 2)),
    )


def some_wishes(rng: random.Random) -> TableOptions:
    return TableOptions(
        turn_ms=rng.choice((None, 0, 1_000)),
        bank_ms=rng.choice((None, 0)),
        pace_ms=rng.choice((None, 0, 10_000)),
        absent=rng.choice((None, None, "pass", "forfeit")),
        faults=rng.choice((None, "pass", "forfeit", "retry:1")),
    )


def some_step(rng: random.Random) -> Step:
    table = rng.choice(TABLES[:2])
    seat = rng.randrange(4)
    rare: list[Step] = [
        Join(0, table, rng.choice((None, seat))),
        Watch(0, table),
        Start(0, table),
        Invite(0, table, rng.choice(("greedy", "calm"))),
        Decline(0, table),
        Chat(0, table, "well played"),
        Resync(0, rng.randrange(40)),
        Lobby(0),
        Act(0, table, rng.randrange(30), rng.choice((ActionMessage(pass_=True), DRAW))),
    ]
    return rng.choices(
        (
            Play(rng.randrange(1, 25), rng.randrange(40)),
            BeReady(),
            Wait(rng.choice((50, 800, 4_000, 7_000, 25_000, 95_000))),
            Reconnect(),
            Cut(),
            rng.choice(rare),
            Leave(0, table),
            Remove(0, table, seat, "bob"),
            Bye(0),
        ),
        (30, 15, 15, 12, 6, 20, 3, 3, 1),
    )[0]
