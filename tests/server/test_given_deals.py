"""Tables whose deals an organiser gives: for engines alone, with clocks, the same every time."""

import pytest

from passing_protocol.deals import bot_seed, deal_and_leader
from passing_protocol.errors import ErrorCode
from passing_protocol.events import RoundBegan
from passing_protocol.messages import Create, Invite, Join, Lobby, Tables, Update, Watch
from passing_protocol.views import Clock, DealKind, GameOptions, SeatState, TableOptions
from passing_protocol.wire import TileText, tile_text
from tests.support.duel import DRAW, updates
from tests.support.lan import Lan, LanClient
from tests.support.tapped_lan import TappedLan

KEY = "00112233445566778899aabbccddeeff"
OTHER = "ff" * 16
TWO = GameOptions(seats=2)


class League:
    """An organiser who watches tables of two engines, each with a seat of its own."""

    def __init__(self, lan: Lan | None = None) -> None:
        self.lan = lan or Lan()
        self.org = self.lan.client("org", "organiser")
        self.engines = [self.lan.client(f"e{seat}", "bot") for seat in range(2)]

    def table(
        self,
        *,
        seed: str | None = None,
        given: str | None = None,
        options: TableOptions | None = None,
    ) -> str:
        table = self.lan.table(self.org, TWO, options, sit=False, seed=seed, given=given)
        for seat, engine in enumerate(self.engines):
            self.org.send(Invite(0, table, f"e{seat}", seat))
            assert engine.tables[table].mine is not None
        return table

    def hands(self, table: str) -> list[list[TileText]]:
        """The hands of the first round, each as its own seat was told it."""
        return [
            next(u.mine.hand for u in updates(e) if u.table == table and u.mine and u.mine.hand)
            for e in self.engines
        ]

    def began(self, table: str) -> RoundBegan:
        (began,) = [
            event
            for update in updates(self.org)
            for event in update.events
            if update.table == table and isinstance(event, RoundBegan)
        ]
        return began


def test_a_given_deal_is_the_one_that_its_key_makes() -> None:
    league = League()
    table = league.table(given=KEY)
    deal, leader = deal_and_leader(bytes.fromhex(KEY), 1, 1, 2)
    began = league.began(table)
    assert (began.deal, began.leader) == (DealKind.GIVEN, leader)
    assert league.hands(table) == [[tile_text(tile) for tile in hand] for hand in deal.hands]


def test_the_same_key_deals_the_same_and_gives_engines_the_same_seeds() -> None:
    league = League()
    tables = [league.table(given=KEY), league.table(given=KEY), league.table(given=OTHER)]
    first, second, third = (league.hands(table) for table in tables)
    assert first == second
    assert first != third
    assert [
        [u.mine.bot_seed for u in updates(engine) if u.mine and u.mine.bot_seed]
        for engine in league.engines
    ] == [[bot_seed(bytes.fromhex(key), seat) for key in (KEY, KEY, OTHER)] for seat in range(2)]


def test_given_and_seed_deal_the_same_from_one_key() -> None:
    league = League()
    seeded, given = league.table(seed=KEY), league.table(given=KEY)
    assert league.hands(seeded) == league.hands(given)
    assert [league.began(table).deal for table in (seeded, given)] == ["seeded", "given"]


def asked(league: League, table: str) -> LanClient:
    return next(engine for engine in league.engines if engine.tables[table].ask is not None)


def test_clocks_run_at_a_given_table_and_not_at_a_seeded_one() -> None:
    league = League()
    seeded, given = league.table(seed=KEY), league.table(given=KEY)
    clocks: list[Clock | None] = []
    for table in (seeded, given):
        ask = asked(league, table).tables[table].ask
        assert ask is not None
        clocks.append(ask.clock)
    assert clocks == [None, Clock(2_000, 10_000)]


def test_a_given_table_has_the_clock_that_its_maker_wants() -> None:
    league = League()
    table = league.table(given=KEY, options=TableOptions(turn_ms=700, bank_ms=50))
    ask = asked(league, table).tables[table].ask
    assert ask is not None
    assert ask.clock == Clock(700, 50)
    assert isinstance(asked(league, table).act(table, DRAW), Update)


def test_only_an_organiser_gives_deals() -> None:
    lan = Lan()
    refusal = lan.client("anna").refusal(Create(0, "x", TWO, sit=False, given=KEY))
    assert refusal.code is ErrorCode.NOT_ADMITTED
    assert refusal.detail == "given: only an organiser fixes deals."
    assert lan.server.lobby.rooms == {}


def test_deals_are_fixed_once() -> None:
    lan = Lan()
    both = Create(0, "x", TWO, sit=False, seed=KEY, given=OTHER)
    refusal = lan.client("org", "organiser").refusal(both)
    assert (refusal.code, refusal.field) == (ErrorCode.MALFORMED, "given")
    assert "seed" in refusal.detail
    assert KEY not in refusal.detail
    assert OTHER not in refusal.detail
    assert lan.server.lobby.rooms == {}


INVITED_ALONE = (
    "At a table whose deals are given only engines sit that its owner has invited; others may "
    "watch it."
)


def test_its_maker_cannot_sit_at_a_given_table() -> None:
    lan = Lan()
    refusal = lan.client("org", "organiser").refusal(Create(0, "x", TWO, given=KEY))
    assert (refusal.code, refusal.detail) == (ErrorCode.NOT_ADMITTED, INVITED_ALONE)
    assert lan.server.lobby.rooms == {}


@pytest.mark.parametrize("role", [None, "organiser"])
def test_no_person_joins_a_given_table_but_anybody_may_watch(role: str | None) -> None:
    lan = Lan()
    table = lan.table(lan.client("org", "organiser"), TWO, sit=False, given=KEY)
    anna = lan.client("anna", role)
    for seat in (None, 1):
        refusal = anna.refusal(Join(0, table, seat))
        assert (refusal.code, refusal.detail) == (ErrorCode.NOT_ADMITTED, INVITED_ALONE)
    assert isinstance(anna.ask(Watch(0, table)), Update)
    shown = anna.ask(Lobby(0))
    assert isinstance(shown, Tables)
    (info,) = shown.tables
    assert info.deal is DealKind.GIVEN
    assert [seat.state for seat in info.seats] == [SeatState.EMPTY] * 2


def test_an_engine_joins_a_given_table_by_invitation_alone() -> None:
    lan = Lan()
    org = lan.client("org", "organiser")
    table = lan.table(org, TWO, sit=False, given=KEY)
    invited, other = (lan.client(name, "bot") for name in ("invited", "other"))
    refusal = other.refusal(Join(0, table))
    assert (refusal.code, refusal.detail) == (ErrorCode.NOT_ADMITTED, INVITED_ALONE)
    invited.accepts = False
    org.ask(Invite(0, table, "invited", 1))
    assert other.refusal(Join(0, table, 1)).code is ErrorCode.NOT_ADMITTED
    assert isinstance(invited.ask(Join(0, table, 1)), Update)


def test_a_given_key_is_told_to_nobody() -> None:
    lan = TappedLan("given")
    lan.tap.secrets[KEY.encode()] = None
    league = League(lan)
    table = league.table(given=KEY)
    watcher = lan.watcher("third", table)
    asked(league, table).act(table, DRAW)
    for client in (league.org, watcher, *league.engines):
        assert client.frames
        assert not any(KEY.encode() in frame for frame in client.frames)
