"""Tables over the wire: the lobby, places, invitations, limits, and how a table ends for all."""

import msgpack
import pytest

from passing_protocol.errors import ErrorCode
from passing_protocol.limits import SERVER_FRAME_LIMIT
from passing_protocol.messages import (
    Caps,
    Create,
    Decline,
    Error,
    Invite,
    Invited,
    Join,
    Leave,
    Left,
    Lobby,
    Ok,
    Ready,
    Remove,
    Start,
    Tables,
    Update,
    Watch,
)
from passing_protocol.names import name_key
from passing_protocol.views import GameOptions, SeatState, TableState
from passing_server.limits import LIMITS, TABLES_PER_PAGE
from tests.support.duel import PASS, Duel, updates
from tests.support.lan import Lan, LanClient

TWO = GameOptions(seats=2)


def lobby(client: LanClient, after: str | None = None) -> Tables:
    answer = client.ask(Lobby(0, after))
    assert isinstance(answer, Tables)
    return answer


def states(client: LanClient, table: str) -> list[SeatState]:
    view = client.tables[table].public
    assert view is not None
    return [seat.state for seat in view.seats]


def names(client: LanClient, table: str) -> list[str | None]:
    view = client.tables[table].public
    assert view is not None
    return [seat.name for seat in view.seats]


def left(client: LanClient) -> list[str]:
    return [message.reason for message in client.messages if isinstance(message, Left)]


def test_who_makes_a_table_sits_or_watches() -> None:
    lan = Lan()
    anna = lan.client("anna")
    sat = anna.ask(Create(0, "kitchen", TWO))
    watched = anna.ask(Create(0, "garden", TWO, sit=False))
    assert isinstance(sat, Update)
    assert isinstance(watched, Update)
    assert sat.mine is not None
    assert watched.mine is None
    assert [info.watchers for info in lobby(anna).tables] == [0, 1]


def test_the_lobby_shows_tables_and_engines_and_no_hands() -> None:
    lan = Lan()
    duel = Duel(lan)
    lan.client("greedy", "bot", caps=Caps(tables=3))
    shown = lobby(duel.anna)
    assert [info.name for info in shown.tables] == ["kitchen"]
    assert [seat.name for seat in shown.tables[0].seats] == ["anna", "bob"]
    assert [(engine.name, engine.free) for engine in shown.engines] == [("greedy", 3)]


def test_the_lobby_comes_in_pages_that_fit_into_frames() -> None:
    lan = Lan()
    anna = lan.client("org", "organiser")
    for _ in range(TABLES_PER_PAGE + 6):
        anna.send(Create(0, "\u4e00\u0301\u0301" * 12, TWO))
        lan.now += 20
    first = lobby(anna)
    assert first.more
    rest = lobby(anna, first.tables[-1].table)
    assert not rest.more
    assert len(first.tables) + len(rest.tables) == TABLES_PER_PAGE + 6
    assert max(map(len, anna.frames)) < SERVER_FRAME_LIMIT


def test_a_page_goes_on_though_its_last_table_was_closed_meanwhile() -> None:
    lan = Lan()
    anna = lan.client("org", "organiser")
    for _ in range(3):
        anna.send(Create(0, "x", TWO))
    del lan.server.lobby.rooms["t1"]
    assert [info.table for info in lobby(anna, "t1").tables] == ["t2", "t3"]
    assert len(lobby(anna, "no number").tables) == 2


def test_engines_with_the_longest_names_fit_into_a_page() -> None:
    lan = Lan()
    for number in range(70):
        lan.client(f"{number:02}" + "\u4e00\u0301\u0301" * 11, "bot", caps=Caps(tables=1))
    anna = lan.client("anna")
    assert 0 < len(lobby(anna).engines) <= TABLES_PER_PAGE
    assert max(map(len, anna.frames)) < SERVER_FRAME_LIMIT


def test_an_invited_engine_gets_the_seat_that_was_kept_for_it() -> None:
    lan = Lan()
    anna = lan.client("anna")
    engine = lan.client("greedy", "bot")
    table = lan.table(anna, GameOptions(seats=3))
    assert isinstance(anna.ask(Invite(0, table, "greedy", 2)), Ok)
    invited = [message for message in engine.messages if isinstance(message, Invited)]
    assert [(one.table, one.seat, one.within_ms) for one in invited] == [(table, 2, 10_000)]
    assert names(anna, table) == ["anna", None, "greedy"]
    view = anna.tables[table].public
    assert view is not None
    assert view.seats[2].engine == "test 1"


def test_an_engine_that_does_not_answer_loses_the_invitation_after_10_s() -> None:
    lan = Lan()
    anna, engine = lan.client("anna"), lan.client("greedy", "bot", caps=Caps(tables=1))
    engine.accepts = False
    table = lan.table(anna, TWO)
    anna.send(Invite(0, table, "greedy"))
    assert states(anna, table)[1] is SeatState.INVITED
    assert lobby(anna).engines == []
    lan.pass_time(12_000)
    assert states(anna, table)[1] is SeatState.EMPTY
    assert len(lobby(anna).engines) == 1
    assert engine.refusal(Decline(0, table)).code is ErrorCode.NOT_SEATED
    assert isinstance(engine.ask(Join(0, table, 1)), Update)


def test_an_engine_declines_and_waits_again() -> None:
    lan = Lan()
    anna, engine = lan.client("anna"), lan.client("greedy", "bot", caps=Caps(tables=1))
    engine.accepts = False
    table = lan.table(anna, TWO)
    anna.send(Invite(0, table, "greedy"))
    assert isinstance(engine.ask(Decline(0, table)), Ok)
    assert states(anna, table)[1] is SeatState.EMPTY
    assert lobby(anna).engines[0].free == 1


def test_an_engine_that_says_bye_in_time_or_late_leaves_no_invitation() -> None:
    for waits in (0, 10_500):
        lan = Lan()
        anna, engine = lan.client("anna"), lan.client("greedy", "bot")
        engine.accepts = False
        table = lan.table(anna, TWO)
        anna.send(Invite(0, table, "greedy"))
        lan.pass_time(waits)
        session = lan.server.sessions.by_peer[engine.peer]
        lan.server.lobby.end(lan.now, session)
        lan.settle()
        assert states(anna, table)[1] is SeatState.EMPTY


def test_engines_of_one_name_get_numbers_and_keep_the_one_they_were_invited_by() -> None:
    lan = Lan()
    anna = lan.client("anna")
    for _ in range(3):
        lan.client("greedy", "bot")
    table = lan.table(anna, GameOptions(seats=4))
    for _ in range(3):
        anna.send(Invite(0, table, "greedy"))
    assert names(anna, table) == ["anna", "greedy", "greedy 2", "greedy 3"]


@pytest.mark.parametrize("name", ["g" * 24, "\u4e00" * 12, "g"])
def test_numbers_fit_behind_the_longest_names(name: str) -> None:
    lan = Lan()
    anna = lan.client("anna")
    for _ in range(3):
        lan.client(name, "bot")
    table = lan.table(anna, GameOptions(seats=4))
    for _ in range(3):
        anna.send(Invite(0, table, name))
    assert len({name_key(shown or "") for shown in names(anna, table)}) == 4


def test_only_an_engine_that_waits_can_be_invited() -> None:
    lan = Lan()
    anna = lan.client("anna")
    lan.client("bob")
    lan.client("busy", "bot", caps=Caps(tables=0))
    table = lan.table(anna, TWO)
    for name in ("bob", "busy", "nobody"):
        assert anna.refusal(Invite(0, table, name)).code is ErrorCode.NO_SUCH_ENGINE


def test_an_engine_sits_at_no_more_tables_than_it_takes() -> None:
    lan = Lan()
    anna = lan.client("anna")
    lan.client("greedy", "bot", caps=Caps(tables=1))
    first, second = (lan.table(anna, TWO) for _ in range(2))
    anna.send(Invite(0, first, "greedy"))
    assert anna.refusal(Invite(0, second, "greedy")).code is ErrorCode.NO_SUCH_ENGINE


def test_people_whose_names_read_the_same_do_not_share_a_table() -> None:
    lan = Lan()
    table = lan.table(lan.client("Bob"), TWO)
    assert lan.client("b\u03bfb").refusal(Join(0, table)).code is ErrorCode.NAME_TAKEN


def test_a_table_of_that_id_must_be_there() -> None:
    anna = Lan().client("anna")
    for request in (Join(0, "t9"), Watch(0, "t9"), Leave(0, "t9"), Start(0, "t9")):
        refusal = anna.refusal(request)
        assert (refusal.code, refusal.table) == (ErrorCode.NO_SUCH_TABLE, "t9")


def test_a_person_is_at_four_tables_at_most_watching_or_playing() -> None:
    lan = Lan()
    anna, bob = lan.client("anna"), lan.client("bob")
    tables = [lan.table(anna, TWO) for _ in range(LIMITS.tables_each)]
    assert anna.refusal(Create(0, "x", TWO)).code is ErrorCode.FULL
    tables.append(lan.table(bob, TWO))
    assert anna.refusal(Join(0, tables[-1])).code is ErrorCode.FULL
    assert anna.refusal(Watch(0, tables[-1])).code is ErrorCode.FULL
    anna.send(Leave(0, tables[0]))
    assert isinstance(anna.ask(Join(0, tables[-1])), Update)


def test_a_server_takes_256_tables_of_people_and_more_of_an_organiser() -> None:
    lan = Lan()
    for number in range(LIMITS.tables // LIMITS.tables_each):
        client = lan.client(f"p{number}")
        for _ in range(LIMITS.tables_each):
            lan.table(client, TWO)
    assert lan.client("late").refusal(Create(0, "x", TWO)).code is ErrorCode.FULL
    assert isinstance(lan.client("org", "organiser").ask(Create(0, "x", TWO)), Update)


def test_32_watch_a_table_and_no_more() -> None:
    lan = Lan()
    table = lan.table(lan.client("anna"), TWO)
    watchers = [lan.watcher(f"w{number}", table) for number in range(LIMITS.watchers)]
    late = lan.client("late")
    assert late.refusal(Watch(0, table)).code is ErrorCode.TABLE_FULL
    watchers[0].send(Leave(0, table))
    assert isinstance(late.ask(Watch(0, table)), Update)
    assert isinstance(late.ask(Watch(0, table)), Update)


def test_the_answer_to_the_join_that_fills_a_table_of_engines_holds_the_first_question() -> None:
    lan = Lan()
    table = lan.table(lan.client("org", "organiser"), TWO, sit=False)
    first, second = lan.client("one", "bot"), lan.client("two", "bot")
    first.send(Join(0, table))
    answer = second.ask(Join(0, table))
    assert isinstance(answer, Update)
    assert answer.events == []
    assert answer.public is not None
    assert answer.public.state is TableState.PLAYING
    assert answer.mine is not None
    assert len(answer.mine.hand) == 7
    assert (answer.ask is None) is (answer.public.to_act != answer.mine.seat)


def test_a_watcher_may_sit_down_and_watches_no_more() -> None:
    lan = Lan()
    table = lan.table(lan.client("anna"), TWO)
    bob = lan.watcher("bob", table)
    assert isinstance(bob.ask(Join(0, table)), Update)
    assert lobby(bob).tables[0].watchers == 0
    for again in (Watch(0, table), Join(0, table)):
        refusal = bob.refusal(again)
        assert (refusal.code, refusal.retry) == (ErrorCode.SEAT_TAKEN, False)


def test_a_seat_that_the_table_has_not_is_a_bad_field() -> None:
    lan = Lan()
    anna = lan.client("anna")
    table = lan.table(anna, TWO)
    lan.client("greedy", "bot")
    for request in (Join(0, table, 2), Invite(0, table, "greedy", 3)):
        refusal = (lan.client("bob") if isinstance(request, Join) else anna).refusal(request)
        assert (refusal.code, refusal.field) == (ErrorCode.MALFORMED, "seat")
        assert not refusal.retry


def test_a_watcher_sees_the_table_and_no_hand_at_any_time() -> None:
    lan = Lan()
    duel = Duel(lan)
    early = lan.watcher("early", duel.table)
    duel.act(PASS)
    late = lan.watcher("late", duel.table)
    duel.act(PASS)
    between = lan.watcher("between", duel.table)
    duel.ready()
    views = [client.tables[duel.table].public for client in (early, late, between, duel.anna)]
    assert all(view == views[0] for view in views)
    for client in (early, late, between):
        assert all(update.mine is None for update in updates(client))


def test_the_owner_removes_players_engines_and_watchers() -> None:
    lan = Lan()
    anna, bob = lan.client("anna"), lan.client("bob")
    engine = lan.client("greedy", "bot")
    table = lan.table(anna, GameOptions(seats=4))
    bob.send(Join(0, table))
    watcher = lan.watcher("cyd", table)
    anna.send(Invite(0, table, "greedy"))
    for request in (Remove(0, table, 1), Remove(0, table, 2), Remove(0, table, None, "cyd")):
        assert isinstance(anna.ask(request), Ok)
    assert [left(client) for client in (bob, engine, watcher)] == [["removed"]] * 3
    assert states(anna, table)[1:] == [SeatState.EMPTY] * 3
    for request in (Remove(0, table, 1), Remove(0, table, None, "cyd"), Remove(0, table)):
        assert anna.refusal(request).code is ErrorCode.NOT_SEATED


def test_the_owner_who_leaves_gives_the_table_to_the_next_person() -> None:
    lan = Lan()
    anna, bob = lan.client("anna"), lan.client("bob")
    table = lan.table(anna, GameOptions(seats=3))
    bob.send(Join(0, table))
    assert bob.refusal(Remove(0, table, 0)).code is ErrorCode.NOT_OWNER
    anna.send(Leave(0, table))
    view = bob.tables[table].public
    assert view is not None
    assert view.owner == 1
    assert bob.refusal(Remove(0, table, 0)).code is ErrorCode.NOT_SEATED


def test_everybody_is_told_when_the_table_is_closed() -> None:
    lan = Lan()
    duel = Duel(lan, game=GameOptions(seats=2, max_rounds=1))
    watcher = lan.watcher("cyd", duel.table)
    duel.act(PASS)
    duel.act(PASS)
    lan.pass_time(601_000, step=1_000)
    assert [left(client) for client in (duel.anna, duel.bob, watcher)] == [["closed"]] * 3
    assert duel.anna.refusal(Ready(0, duel.table)).code is ErrorCode.NO_SUCH_TABLE
    assert lobby(duel.anna).tables == []


def test_watchers_stay_for_the_rematch() -> None:
    lan = Lan()
    duel = Duel(lan, game=GameOptions(seats=2, max_rounds=1))
    watcher = lan.watcher("cyd", duel.table)
    first = watcher.tables[duel.table].public
    duel.act(PASS)
    duel.act(PASS)
    duel.ready()
    second = watcher.tables[duel.table].public
    assert first is not None
    assert second is not None
    assert second.state is TableState.PLAYING
    assert second.match != first.match
    assert second.turn == 3
    assert second.scores == [0, 0]


@pytest.mark.parametrize(
    ("game", "field"),
    [
        (GameOptions(seats=2, partners=True), "game.partners"),
        (GameOptions(seats=3, partners=True), "game.partners"),
    ],
)
def test_options_that_do_not_go_together_are_refused_by_name(game: GameOptions, field: str) -> None:
    refusal = Lan().client("anna").refusal(Create(0, "x", game))
    assert (refusal.code, refusal.field) == (ErrorCode.MALFORMED, field)
    assert field in refusal.detail


def test_a_table_needs_a_name_that_can_be_read() -> None:
    refusal = Lan().client("anna").refusal(Create(0, "\x1b[2J", TWO))
    assert (refusal.code, refusal.field) == (ErrorCode.MALFORMED, "name")
    assert "name" in refusal.detail


@pytest.mark.parametrize(
    ("option", "value"),
    [("absent", "forfeit\n"), ("faults", "retry:1\n"), ("reveal", "after_block\n")],
)
def test_an_option_with_a_line_end_behind_it_is_refused(option: str, value: str) -> None:
    lan = Lan()
    anna = lan.client("anna")
    number, _ = anna.session.request(Create(0, "x", TWO))
    create = {"type": "create", "id": number, "name": "x", "table": {option: value}}
    lan.put(anna.peer, msgpack.packb(create))
    lan.settle()
    refusal = anna.answer(number)
    assert isinstance(refusal, Error)
    assert (refusal.code, refusal.field) == (ErrorCode.MALFORMED, f"table.{option}")


def test_the_defaults_of_the_rules_are_shown_with_the_table() -> None:
    lan = Lan()
    anna = lan.client("org", "organiser")
    targets: list[int | None] = []
    for game in (TWO, GameOptions(seats=3), GameOptions(seats=4), GameOptions(partners=True)):
        view = anna.tables[lan.table(anna, game)].public
        assert view is not None
        targets.append(view.game.target)
    assert targets == [101, 101, 61, 61]
