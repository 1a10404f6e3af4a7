"""What is around a match outlives the server too: sessions, invitations, watchers, engines."""

import pytest
from msgspec.structs import replace

from passing_protocol.errors import ErrorCode
from passing_protocol.events import Said
from passing_protocol.messages import (
    Act,
    Chat,
    Create,
    Decline,
    Error,
    Invite,
    Invited,
    Join,
    Leave,
    Lobby,
    Ok,
    Ready,
    Request,
    Start,
    Tables,
    Update,
    Watch,
)
from passing_protocol.views import (
    Acted,
    DealKind,
    GameOptions,
    PublicView,
    SeatState,
    TableOptions,
    TableState,
)
from passing_server.limits import FORGET_MS
from passing_server.storing import Durability
from tests.support.duel import DRAW, PASS, Duel, updates
from tests.support.lan import Lan, LanClient

GAME = GameOptions(seats=2, target=9_999)
HANDLED = [(False, False), (True, False), (True, True)]
"""How far the server came with a request when it was killed."""


def view(client: LanClient, table: str) -> PublicView:
    public = client.tables[table].public
    assert public is not None
    return public


def interrupted(client: LanClient, request: Request, handled: bool, stored: bool) -> int:
    """Send a request, kill the server over it, and let everybody come back; returns its id."""
    number, data = client.session.request(request)
    client.lan.put(client.peer, data)
    client.lan.restart(handled=handled, stored=stored)
    return number


# --- a request that was on its way ---------------------------------------------------------------


@pytest.mark.parametrize(("handled", "stored"), HANDLED)
@pytest.mark.parametrize("sit", [True, False])
def test_a_table_is_made_once(handled: bool, stored: bool, sit: bool) -> None:
    lan = Lan()
    anna = lan.client("anna")
    anna.ask(Lobby(0))  # so that nothing else of the session is new
    number = interrupted(anna, Create(0, "den", GAME, TableOptions(), sit), handled, stored)
    answer = anna.answer(number)
    assert isinstance(answer, Update)
    assert list(lan.server.lobby.rooms) == [answer.table]
    assert (answer.mine is not None) == sit
    lan.restart()
    assert list(lan.server.lobby.rooms) == [answer.table]


@pytest.mark.parametrize(("handled", "stored"), HANDLED)
def test_a_seat_is_taken_once_and_shown(handled: bool, stored: bool) -> None:
    lan = Lan()
    anna, bob = lan.client("anna"), lan.client("bob")
    table = lan.table(anna, GAME)
    answer = bob.answer(interrupted(bob, Join(0, table), handled, stored))
    assert isinstance(answer, Update)
    assert answer.mine is not None
    assert [seat.name for seat in view(anna, table).seats] == ["anna", "bob"]


@pytest.mark.parametrize(("handled", "stored"), HANDLED)
@pytest.mark.parametrize("request_", [Ready(0, "t1"), Start(0, "t1"), Leave(0, "t1")], ids=str)
def test_what_was_done_is_answered_as_done(handled: bool, stored: bool, request_: Request) -> None:
    lan = Lan()
    anna, engine = lan.client("anna"), lan.client("greedy", "bot")
    assert lan.table(anna, GAME) == "t1"
    engine.send(Join(0, "t1"))
    answer = anna.answer(interrupted(anna, request_, handled, stored))
    assert isinstance(answer, Ok)
    state = lan.server.lobby.rooms["t1"].table.state if "t1" in lan.server.lobby.rooms else None
    if not isinstance(request_, Leave):
        assert state is TableState.PLAYING
    else:
        assert "t1" not in lan.server.sessions.by_peer[anna.peer].tables


@pytest.mark.parametrize(("handled", "stored"), HANDLED)
def test_a_sentence_is_said_once(handled: bool, stored: bool) -> None:
    duel = Duel(Lan())
    interrupted(duel.anna, Chat(0, duel.table, "hello"), handled, stored)
    duel.anna.send(Chat(0, duel.table, "and you"))
    said = [e.text for u in updates(duel.anna) for e in u.events if isinstance(e, Said)]
    assert said == ["hello"] * (not stored) + ["and you"]  # one that was stored was not told


@pytest.mark.parametrize(("handled", "stored"), HANDLED)
def test_a_watcher_has_a_place_once(handled: bool, stored: bool) -> None:
    duel = Duel(Lan())
    cyd = duel.lan.client("cyd")
    answer = cyd.answer(interrupted(cyd, Watch(0, duel.table), handled, stored))
    assert isinstance(answer, Update)
    assert answer.mine is None
    assert len(duel.room.watchers) == 1
    duel.act(DRAW)
    assert view(cyd, duel.table) == view(duel.anna, duel.table)


# --- sessions and ids ----------------------------------------------------------------------------


def test_ids_of_tables_are_never_used_again() -> None:
    lan = Lan()
    anna = lan.client("anna")
    seen: list[str] = []
    for _ in range(4):
        seen.append(lan.table(anna, GAME))
        anna.send(Leave(0, seen[-1]))
        lan.pass_time(FORGET_MS)
        assert not lan.server.lobby.rooms
        lan.restart()
    assert len(set(seen)) == len(seen)


def test_who_never_comes_back_is_forgotten_in_time_and_the_store_forgets_too() -> None:
    lan = Lan()
    lan.client("anna")
    lan.crash()
    lan.start_again()
    lan.fall_silent(FORGET_MS - 5_000, step=1_000)
    assert len(lan.server.sessions.by_id) == 1
    lan.fall_silent(10_000, step=1_000)
    assert not lan.server.sessions.by_id
    assert not lan.store.load().sessions


def test_who_has_a_seat_in_a_match_is_not_forgotten() -> None:
    duel = Duel(Lan())
    clients = duel.lan.crash()
    duel.lan.start_again()
    duel.lan.fall_silent(2 * FORGET_MS, step=5_000)
    duel.lan.come_back(*clients)
    assert view(duel.anna, duel.table).state is TableState.PLAYING
    assert duel.hand(duel.anna)


def test_a_thief_has_no_more_of_a_token_than_before() -> None:
    """The token before the newest is good for one who never heard of the newest, and not again."""
    duel = Duel(Lan())
    welcome = duel.anna.session.welcome
    duel.lan.restart()
    duel.lan.settle()
    thief = LanClient(duel.lan, duel.lan.client("thief").session, b"")
    duel.anna.ask(Lobby(0))
    thief.session.welcome = welcome
    duel.lan.connect(thief)
    assert thief.session.welcome is not None
    assert not thief.session.welcome.resumed


# --- engines -------------------------------------------------------------------------------------


def test_an_invitation_outlives_the_server_and_is_told_again() -> None:
    lan = Lan()
    anna, engine = lan.client("anna"), lan.client("greedy", "bot")
    table = lan.table(anna, GAME)
    engine.accepts = False
    number, data = anna.session.request(Invite(0, table, "greedy", 1))
    lan.put(anna.peer, data)
    clients = lan.crash(handled=True, stored=True)  # the engine has not heard of it
    assert lan.start_again() == []
    lan.now += 3_000
    lan.settle()
    engine.accepts = True
    lan.come_back(*clients)
    (invited,) = [m for m in engine.messages if isinstance(m, Invited)]
    assert (invited.table, invited.seat) == (table, 1)
    assert 0 < invited.within_ms <= 7_000
    assert view(anna, table).seats[1].state is SeatState.TAKEN
    assert isinstance(anna.answer(number), Ok)


def test_an_invitation_that_nobody_answers_is_over_in_time() -> None:
    lan = Lan()
    anna, engine = lan.client("anna"), lan.client("greedy", "bot")
    table = lan.table(anna, GAME)
    engine.accepts = False
    anna.send(Invite(0, table, "greedy", 1))
    lan.restart()
    lan.pass_time(11_000)
    assert view(anna, table).seats[1].state is SeatState.EMPTY
    assert isinstance(engine.ask(Decline(0, table)), Error)
    tables = anna.ask(Lobby(0))
    assert isinstance(tables, Tables)
    assert [info.name for info in tables.engines] == ["greedy"]


def with_engine(wishes: TableOptions) -> tuple[Lan, LanClient, LanClient, str]:
    """A match of a person and an engine in which the engine is asked."""
    lan = Lan()
    anna, engine = lan.client("anna"), lan.client("greedy", "bot")
    table = lan.table(anna, GAME, wishes)
    engine.send(Join(0, table))
    anna.send(Ready(0, table))
    if engine.tables[table].ask is None:
        anna.act(table, PASS)
    return lan, anna, engine, table


@pytest.mark.parametrize(("handled", "stored"), HANDLED)
def test_an_action_that_is_held_back_is_shown_once_and_in_time(handled: bool, stored: bool) -> None:
    lan, anna, engine, table = with_engine(TableOptions(turn_ms=0, pace_ms=2_000))
    ask = engine.tables[table].ask
    assert ask is not None
    before = len(view(anna, table).actions)
    number = interrupted(engine, Act(0, table, ask.turn, DRAW), handled, stored)
    lan.pass_time(1_800)
    assert len(view(anna, table).actions) == before
    lan.pass_time(400)
    assert [each.action for each in view(anna, table).actions[before:]] == [DRAW]
    answer = engine.answer(number)
    assert isinstance(answer, Update)
    assert len([e for e in answer.events if isinstance(e, Acted)]) == 1


def test_a_substitute_goes_on_and_gives_the_seat_back() -> None:
    duel = Duel(Lan(), TableOptions(turn_ms=0, pace_ms=0))
    engine = duel.lan.client("greedy", "bot")
    actor, other = duel.actor, duel.other
    seat = 0 if actor is duel.anna else 1
    duel.lan.cut(actor)
    duel.lan.pass_time(104_000)
    assert view(other, duel.table).seats[seat].state is SeatState.SUBSTITUTE
    hand = duel.hand(engine)
    duel.lan.restart()  # which the substitute does not outlive: it is found anew
    duel.lan.pass_time(10_000)
    assert view(other, duel.table).seats[seat].state is SeatState.SUBSTITUTE
    assert duel.hand(engine) == hand
    duel.lan.come_back(actor)
    while view(other, duel.table).seats[seat].state is SeatState.SUBSTITUTE:
        (engine if engine.tables[duel.table].ask is not None else other).act(duel.table, PASS)
    assert duel.hand(actor) == hand
    assert view(actor, duel.table).seats[seat].state is SeatState.TAKEN


def test_an_engine_that_does_not_come_back_is_away_after_its_own_grace() -> None:
    lan, anna, engine, table = with_engine(TableOptions(turn_ms=0, absent="forfeit"))
    lan.cut(engine)
    lan.restart()
    lan.pass_time(4_500)
    assert view(anna, table).state is TableState.PLAYING
    lan.pass_time(2_000)
    assert view(anna, table).state is TableState.OVER


# --- an organiser's tables -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", [DealKind.GIVEN, DealKind.SEEDED])
def test_an_organisers_table_goes_on_with_the_deals_that_were_fixed(kind: DealKind) -> None:
    """Two tables with one key, of which one is interrupted in every round: the same hands."""
    hands: list[list[list[str]]] = []
    for interrupt in (False, True):
        lan = Lan()
        organiser = lan.client("org", "organiser")
        engines = [lan.client(f"e{number}", "bot") for number in range(2)]
        key = "5" * 32
        table = lan.table(
            organiser,
            GAME,
            TableOptions(turn_ms=0, pace_ms=0),
            sit=False,
            given=key if kind is DealKind.GIVEN else None,
            seed=key if kind is DealKind.SEEDED else None,
        )
        for number in range(2):
            organiser.send(Invite(0, table, f"e{number}", number))
        seen: list[list[str]] = []
        for _ in range(3):
            if interrupt:
                lan.restart()
            seen += [hand_of(engine, table) for engine in engines]
            pass_round(lan, engines, table)
        hands.append(seen)
        assert view(organiser, table).deal is kind
    assert hands[0] == hands[1]


def hand_of(client: LanClient, table: str) -> list[str]:
    mine = client.tables[table].mine
    assert mine is not None
    return [*mine.hand]


def pass_round(lan: Lan, engines: list[LanClient], table: str) -> None:
    number = view(engines[0], table).round
    while view(engines[0], table).round == number:
        asked = [engine for engine in engines if engine.tables[table].ask is not None]
        if asked:
            asked[0].act(table, PASS)
        else:
            lan.pass_time(500)


def test_an_organiser_watches_what_it_has_made_and_goes_on_with_it() -> None:
    lan = Lan()
    organiser = lan.client("org", "organiser")
    tables = [lan.table(organiser, GAME, sit=False) for _ in range(3)]
    lan.restart()
    assert sorted(organiser.tables) == sorted(tables)
    engine = lan.client("greedy", "bot")
    for table in tables:
        assert isinstance(organiser.ask(Invite(0, table, "greedy", 0)), Ok)
        assert view(organiser, table).seats[0].state is SeatState.TAKEN
    assert len(engine.tables) == 3
    assert all(stored.durability is Durability.FAST for stored in lan.store.load().tables.values())


# --- what was damaged ----------------------------------------------------------------------------


def test_a_table_that_cannot_be_read_is_told_and_closed_and_the_others_go_on() -> None:
    duel = Duel(Lan())
    anna, lan = duel.anna, duel.lan
    other = lan.table(anna, GAME)
    clients = lan.crash()
    rows = next(iter(lan.store.load().logs))
    lan.store.damage(rows.table)
    lost = lan.start_again()
    assert len(lost) == 1
    assert lost[0].startswith(f"Table {duel.table} cannot go on: ")
    lan.come_back(*clients)
    assert list(lan.server.lobby.rooms) == [other]
    assert anna.refusal(Ready(0, duel.table)).code is ErrorCode.NO_SUCH_TABLE
    lan.restart()
    assert list(lan.store.load().tables) == [other]


def test_what_a_store_has_lost_is_told() -> None:
    """A fast table has lost its last turns with the power, and goes on from where it is."""
    lan = Lan()
    organiser = lan.client("org", "organiser")
    engines = [lan.client(f"e{number}", "bot") for number in range(2)]
    table = lan.table(organiser, GAME, TableOptions(turn_ms=0, pace_ms=0), sit=False)
    for number in range(2):
        organiser.send(Invite(0, table, f"e{number}", number))
    shown = view(organiser, table)
    lan.store.sync()
    for _ in range(3):
        next(e for e in engines if e.tables[table].ask is not None).act(table, DRAW)
    assert len(view(organiser, table).actions) == 3
    clients = lan.crash()
    lan.store.crash(survive=0)
    lan.start_again()
    for client in clients:
        client.tables.clear()
    lan.come_back(*clients)
    again = view(organiser, table)
    assert replace(again, rev=0) == replace(shown, rev=0)
    next(e for e in engines if e.tables[table].ask is not None).act(table, DRAW)
    assert len(view(organiser, table).actions) == 1
