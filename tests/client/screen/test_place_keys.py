"""What keys do between rounds, in the list of tables, and to leave."""

import pytest
from msgspec.structs import replace

from passing_client.screen.controller import LOBBY_MS
from passing_client.screen.scene import Page
from passing_link.news import LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.events import (
    MatchBegan,
    MatchEnded,
    RoundBegan,
    SeatChanged,
    StateChanged,
)
from passing_protocol.messages import (
    Invite,
    Join,
    Left,
    Lobby,
    Ready,
    Start,
    Tables,
    Watch,
)
from passing_protocol.views import DealKind, SeatInfo, SeatState, TableState
from tests.support.client_scene import (
    EMPTY,
    TABLE,
    acted,
    after,
    open_view,
    round_view,
    table_info,
    taken,
)
from tests.support.screen_talk import TWO, ScreenTalk, lobby, on_turn

# --- between rounds, before and after ------------------------------------------------------------


def test_the_end_of_a_round_is_looked_at_and_put_away_until_the_next() -> None:
    talk = ScreenTalk()
    talk.between()
    talk.update(StateChanged(TableState.BETWEEN, 20_000))
    times = [talk.scene.next_at]
    pages = [talk.scene.page]
    for key in "vVv":
        talk.press(key)
        pages.append(talk.scene.page)
    assert pages == [Page.ROUND_END, Page.TABLE, Page.ROUND_END, Page.TABLE]
    talk.update(RoundBegan(4, 1, DealKind.SERVER, [6] * 4, 4, 2), hand="02")
    assert times == [talk.now + 20_000]
    assert (talk.scene.put_away, talk.scene.next_at) == (False, None)


def test_enter_is_ready_for_the_next_round_once() -> None:
    talk = ScreenTalk()
    talk.between()
    talk.update(StateChanged(TableState.BETWEEN, 20_000))
    talk.press("enter")
    assert talk.sent() == [Ready(0, TABLE)]
    talk.update(SeatChanged(0, taken("Dana", ready=True)))
    talk.press("enter")
    assert talk.sent() == []


def test_a_second_enter_for_a_tile_is_not_ready_before_the_end_was_seen() -> None:
    talk = on_turn("46>", hand="46")
    talk.press("4", "6", "enter")
    talk.update(acted(0, 25, "46>"), hand="")
    talk.round_ends()
    talk.sent()
    talk.press("enter")
    assert talk.sent() == []
    assert "too early" in talk.picture()
    talk.press_again("enter")
    assert talk.sent() == [Ready(0, TABLE)]


def test_an_enter_that_closes_a_text_is_not_ready_before_the_end_was_seen() -> None:
    talk = on_turn()
    talk.update(acted(0, 25, "46>"), hand="02 04 13")
    talk.press("l")
    talk.round_ends()
    talk.passes()
    talk.press("enter", "enter")
    assert talk.sent() == []
    talk.press_again("enter")
    assert talk.sent() == [Ready(0, TABLE)]


def test_a_seat_that_has_just_been_filled_begins_no_match_by_itself() -> None:
    talk = ScreenTalk()
    talk.sits(open_view(), hand="")
    talk.passes()
    talk.update(*(SeatChanged(n, taken(name)) for n, name in ((1, "Bo"), (2, "Ed"), (3, "Al"))))
    talk.update(StateChanged(TableState.STARTING))
    talk.press("enter")
    assert talk.sent() == []
    talk.press_again("enter")
    assert talk.sent() == [Start(0, TABLE)]


def test_an_enter_for_a_table_that_is_gone_sits_down_at_no_other() -> None:
    talk = lobby()
    talk.sits(round_view(), hand="02")
    talk.hears(Left(talk.seq(), TABLE, "closed"))
    talk.sent()
    talk.tables(*TWO)
    talk.press("enter", "w")
    assert talk.sent() == []
    talk.press_again("enter")
    assert talk.sent() == [Join(0, "t1")]


def test_what_is_on_its_way_is_not_sent_again() -> None:
    talk = ScreenTalk()
    talk.between()
    talk.passes()
    talk.press("enter", "enter", "enter")
    assert talk.sent() == [Ready(0, TABLE)]
    assert talk.scene.flash == "The server has not answered yet."
    talk.ok()
    talk.press("enter")
    assert talk.sent() == [Ready(0, TABLE)]


def test_an_engine_is_looked_for_and_invited_once_however_often_it_is_asked_for() -> None:
    talk = ScreenTalk()
    talk.sits(open_view(), hand="")
    talk.press("b", "b", "b")
    assert talk.sent() == [Lobby(0)]
    assert talk.scene.flash == "The server has not answered yet."
    talk.tables(engines="careful")
    talk.press("b")
    assert talk.sent() == [Invite(0, TABLE, "careful")]
    talk.ok()
    talk.press("b")
    assert talk.sent() == [Lobby(0)]


def test_the_time_until_the_next_round_is_over_with_it_however_it_is_told() -> None:
    talk = ScreenTalk()
    talk.between()
    assert talk.controller.tick()
    talk.update(public=replace(round_view(), round=4), hand="02 46")
    assert talk.scene.next_at is None
    assert not talk.controller.tick()


def test_the_owner_begins_with_enter() -> None:
    talk = ScreenTalk()
    talk.before_the_match()
    talk.press("enter")
    assert talk.sent() == [Start(0, TABLE)]


def test_the_owner_adds_an_engine_that_waits_with_one_key() -> None:
    talk = lobby()
    talk.sits(open_view(), hand="")
    talk.press("b")
    assert talk.sent() == [Lobby(0)]
    assert talk.tables(engines="greedy") == []
    assert talk.sent() == [Invite(0, TABLE, "greedy")]


def test_where_no_engine_waits_it_is_told_how_one_is_started() -> None:
    talk = ScreenTalk()
    talk.sits(open_view(), hand="")
    talk.conversation.desk.encrypted = True
    talk.press("b")
    talk.tables()
    assert talk.sent() == [Lobby(0)]
    for size in ((80, 24), (60, 12)):
        told = " ".join(talk.picture(*size).split())
        assert "passing bot run greedy HOST --code CODE" in told
        assert "`passing serve invite --role bot`" in told


def test_an_engine_can_be_asked_for_again_where_the_look_was_refused() -> None:
    talk = ScreenTalk()
    talk.sits(open_view(), hand="")
    talk.press("b")
    talk.error(ErrorCode.RATE_LIMITED)
    talk.press("b")
    assert talk.sent() == [Lobby(0), Lobby(0)]


@pytest.mark.parametrize(
    ("owner", "told"), [(0, "a seat is free. b adds an engine."), (1, "a seat is free. Wait for")]
)
def test_enter_at_a_table_with_a_free_seat_says_why_no_match_begins(owner: int, told: str) -> None:
    talk = ScreenTalk()
    seats = [taken("Dana"), taken("Caro"), taken("Emil"), EMPTY]
    talk.sits(replace(open_view(), seats=seats, owner=owner), hand="")
    talk.passes()
    talk.press("enter")
    assert talk.sent() == []
    shown = talk.picture(60, 12)
    assert told in shown
    assert "Waiting for players: 1 seat is free." in shown


@pytest.mark.parametrize("private", [False, True])
def test_others_are_told_how_to_come_to_a_table_that_is_not_private(private: bool) -> None:
    talk = ScreenTalk(private=private)
    talk.scene.server = "Private table" if private else "den.local:4111"
    talk.sits(open_view(), hand="")
    shown = talk.picture()
    assert ("Others come here with: passing play den.local:4111" in shown) is not private
    assert ("Others come here" in shown) is not private


@pytest.mark.parametrize("seated", [False, True])
def test_others_need_a_code_where_all_is_encrypted(seated: bool) -> None:
    talk = ScreenTalk()
    talk.scene.server = "den.local:4111"
    talk.scene.desk.encrypted = True
    if seated:
        talk.sits(open_view(), hand="")
    shown = " ".join(talk.picture().split())
    assert "passing play den.local:4111 --code CODE. At the server `passing serve" in shown


# --- after a match ---------------------------------------------------------------------------


def over(talk: ScreenTalk, *seats: SeatInfo) -> None:
    """Let the match be over, after which these sit there."""
    talk.between()
    ended = MatchEnded("target", [37, 12, 64, 40], 2)
    talk.update(ended, StateChanged(TableState.OVER, 60_000))
    talk.update(*[SeatChanged(number, info) for number, info in enumerate(seats)])
    talk.passes()


def test_after_a_match_enter_is_for_those_who_are_all_there_still() -> None:
    talk = ScreenTalk()
    over(talk)
    assert "Enter ready for another match" in talk.picture()
    talk.press("enter")
    assert talk.sent() == [Ready(0, TABLE)]


def test_after_a_match_that_somebody_has_left_it_is_told_that_a_seat_is_free() -> None:
    talk = ScreenTalk()
    over(talk, taken("Dana"), EMPTY)
    shown = talk.picture()
    assert "Another match needs all seats: 1 is free." in shown
    assert "Enter ready" not in shown
    talk.press("enter")
    assert talk.sent() == []
    assert "No match can begin: a seat is free." in talk.picture()


def test_after_the_time_for_another_match_nobody_is_asked_for_it() -> None:
    talk = ScreenTalk()
    over(talk)
    talk.passes(60_000)
    assert talk.controller.tick()
    shown = talk.picture()
    assert "It is too late for another match here." in shown
    assert "Enter ready" not in shown


def test_who_sits_down_after_a_match_finds_a_table_that_waits() -> None:
    talk = ScreenTalk()
    view = after(round_view(), "06", "d")
    seats = [taken("Dana"), taken("Caro"), EMPTY, EMPTY]
    talk.sits(replace(view, seats=seats, state=TableState.OVER, to_act=None), hand="")
    for size in ((80, 24), (60, 12), (300, 80)):
        shown = talk.picture(*size)
        assert "you (Dana)" in shown
        assert "Another match needs all seats: 2 are free." in shown
        assert " tile" not in shown.replace(" tiles not seen", "")
        assert "37" not in shown
        assert "round 3" not in shown
    talk.commands("scores")
    assert talk.scene.flash == "No match is being played."
    talk.commands("who")
    assert talk.scene.flash == "No round is being played."


# --- who is away -----------------------------------------------------------------------------


def test_how_long_somebody_is_away_is_told_only_of_those_who_were_seen_to_go() -> None:
    talk = ScreenTalk()
    away = SeatInfo(SeatState.AWAY, "Bo")
    view = round_view()
    talk.sits(replace(view, seats=[view.seats[0], away, *view.seats[2:]]), hand=None)
    talk.update(SeatChanged(2, SeatInfo(SeatState.AWAY, "Caro")))
    talk.passes(65_000)
    talk.controller.tick()
    assert talk.scene.away_since == {2: talk.now - 65_000}
    assert "away 1:05" in talk.picture()
    talk.update(SeatChanged(2, taken("Caro")))
    assert talk.scene.away_since == {}


def test_a_new_match_has_no_ending_to_look_at() -> None:
    talk = ScreenTalk()
    talk.between()
    talk.update(StateChanged(TableState.BETWEEN))
    talk.press("v")
    talk.update(MatchBegan("m2", 61), StateChanged(TableState.PLAYING))
    assert not talk.scene.put_away


# --- the list of tables --------------------------------------------------------------------------


def test_the_list_of_tables_is_no_news() -> None:
    talk = lobby()
    assert list(talk.scene.log) == []
    assert talk.scene.page is Page.LOBBY


@pytest.mark.parametrize(
    ("keys", "request_"),
    [
        (["enter"], Join(0, "t1")),
        (["down", "enter"], Join(0, "t2")),
        (["down", "down", "enter"], Join(0, "t1")),
        (["up", "enter"], Join(0, "t2")),
        (["2", "enter"], Join(0, "t2")),
        (["9", "enter"], Join(0, "t1")),
        (["2", "w"], Watch(0, "t2")),
        (["ς"], Watch(0, "t1")),
    ],
)
def test_a_table_is_chosen_and_one_sits_down_or_watches(
    keys: list[str], request_: Join | Watch
) -> None:
    talk = lobby()
    talk.press(*keys)
    assert talk.sent() == [request_]


def test_the_chosen_table_stays_chosen_when_the_list_changes() -> None:
    talk = lobby()
    talk.press("down")
    talk.begins()
    talk.tables(TWO[1], TWO[0])
    assert talk.scene.row == 0
    talk.sent()
    talk.press("enter")
    assert talk.sent() == [Join(0, "t2")]


def test_a_list_of_many_pages_is_swapped_in_as_a_whole() -> None:
    talk = lobby()
    talk.press("down")
    talk.passes(LOBBY_MS)
    talk.controller.tick()
    assert talk.sent() == [Lobby(0)]
    talk.tables(TWO[0], more=True)
    assert (talk.scene.row, talk.controller.rows.table) == (1, "t2")
    assert talk.sent() == [Lobby(0, "t1")]
    talk.tables(TWO[1])
    assert (talk.scene.row, talk.controller.rows.table) == (1, "t2")
    assert [table.table for table in talk.scene.desk.tables] == ["t1", "t2"]


def test_a_table_that_is_named_as_another_is_known_is_not_taken_for_it() -> None:
    talk = lobby(table_info("t2", [taken("Bo"), EMPTY]), TWO[1])
    talk.press("down", "enter")
    assert talk.sent() == [Join(0, "t2")]
    talk.error(ErrorCode.TABLE_FULL)
    talk.press("w")
    assert talk.sent() == [Watch(0, "t2")]


def test_a_look_at_the_list_says_nothing_at_a_table_and_none_is_taken_on_the_way_there() -> None:
    talk = lobby()
    talk.passes(LOBBY_MS)
    talk.controller.tick()
    looked = talk.answers_last()
    talk.press("enter")
    assert talk.sent() == [Lobby(0), Join(0, "t1")]
    talk.passes(LOBBY_MS)
    talk.controller.tick()
    assert talk.sent() == []
    talk.update(public=round_view(), hand="02", re=talk.answers_last())
    assert talk.hears(Tables(talk.seq(), looked, [*TWO], [])) == []
    assert talk.scene.flash == ""


def test_without_a_connection_nothing_is_looked_at() -> None:
    talk = lobby()
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost."))
    talk.passes(LOBBY_MS)
    talk.controller.tick()
    assert talk.sent() == []


def test_without_tables_nothing_is_sat_down_at() -> None:
    talk = ScreenTalk()
    talk.begins()
    talk.tables()
    talk.sent()
    talk.press("down", "enter", "w", "1")
    assert talk.sent() == []


def test_keys_wait_until_it_is_clear_where_one_is() -> None:
    talk = lobby()
    talk.press("enter", "enter", "w")
    assert talk.sent() == [Join(0, "t1")]
    assert talk.scene.flash == "The server has not answered yet."
    talk.error(ErrorCode.TABLE_FULL)
    assert talk.scene.flash == "No place is free at that table."
    talk.press("w")
    assert talk.sent() == [Watch(0, "t1")]


def test_keys_do_not_wait_for_a_server_that_cannot_answer() -> None:
    talk = lobby()
    talk.press("enter")
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost."))
    talk.link.down = True
    talk.press("w")
    assert talk.scene.flash == "The connection is down: that was not sent."


def test_a_table_is_made_by_a_command_that_is_begun() -> None:
    talk = lobby()
    talk.press("n")
    assert talk.scene.typed == "/new "
    talk.writes("attic seats=2")
    talk.press("enter")
    assert len(talk.sent()) == 1


def test_the_list_is_asked_for_again_and_again_while_it_is_shown() -> None:
    talk = lobby()
    talk.passes(LOBBY_MS)
    talk.controller.tick()
    assert talk.sent() == [Lobby(0)]
    talk.passes(LOBBY_MS)
    talk.controller.tick()
    assert talk.sent() == []
    talk.tables(*TWO)
    talk.passes(LOBBY_MS)
    talk.controller.tick()
    assert talk.sent() == [Lobby(0)]
    talk.sits(round_view(), hand="02")
    talk.passes(LOBBY_MS)
    talk.controller.tick()
    assert talk.sent() == []
