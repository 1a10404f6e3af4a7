"""What keys and messages do to the scene, and what of it reaches the server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_client.screen.controller import LOBBY_MS, SEEN_MS
from passing_client.screen.filters import in_keys
from passing_client.screen.keys import KEYS, action_of, hints
from passing_client.screen.scene import Focus, Overlay, Page
from passing_client.screen.skin import ASCII, UNICODE
from passing_client.settings import ConfirmPass
from passing_link.exits import ExitCode
from passing_link.news import LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.events import (
    MatchBegan,
    RoundBegan,
    Said,
    SeatChanged,
    StateChanged,
)
from passing_protocol.messages import (
    Act,
    Chat,
    Invite,
    Join,
    Leave,
    Left,
    Lobby,
    Ready,
    Start,
    Update,
    Watch,
)
from passing_protocol.names import CHAT_CHARS
from passing_protocol.views import Clock, DealKind, SeatInfo, SeatState, TableState
from passing_rules import End, Tile
from tests.support.client_scene import (
    EMPTY,
    TABLE,
    acted,
    after,
    ask,
    open_view,
    round_view,
    table_info,
    taken,
)
from tests.support.screen_talk import ScreenTalk

TWO = (
    table_info("kitchen", [taken("Bo"), EMPTY]),
    table_info("attic", [taken("Caro"), EMPTY, EMPTY], table="t2"),
)


def on_turn(legal: str = "02< 04< 46> d -", *, hand: str = "02 04 13 46") -> ScreenTalk:
    talk = ScreenTalk()
    talk.on_turn(legal, hand=hand)
    return talk


def lobby() -> ScreenTalk:
    talk = ScreenTalk()
    talk.begins()
    talk.tables(*TWO, engines="careful greedy")
    talk.sent()
    return talk


# --- a turn -------------------------------------------------------------------------------------


def test_two_digits_choose_a_tile_and_enter_plays_it() -> None:
    talk = on_turn()
    talk.press("6")
    assert (talk.scene.typed, talk.scene.chosen) == ("6", None)
    talk.press("4")
    assert (talk.scene.typed, talk.scene.chosen) == ("", Tile(4, 6))
    assert talk.scene.end is End.RIGHT
    assert talk.acts() == []
    talk.press("enter")
    assert talk.acts() == ["46>"]


@pytest.mark.parametrize(
    ("keys", "action"), [("20<", "02<"), ("20,", "02<"), ("46>", "46>"), ("64.", "46>")]
)
def test_a_tile_and_an_end_play_at_once(keys: str, action: str) -> None:
    talk = on_turn()
    talk.writes(keys)
    assert talk.acts() == [action]


def test_arrows_walk_through_the_hand_and_round() -> None:
    talk = on_turn()
    seen: list[str] = []
    for key in ("right", "right", "right", "right", "right", "left", "left"):
        talk.press(key)
        seen.append(str(talk.scene.chosen))
    assert seen == ["02", "04", "13", "46", "02", "46", "13"]


def test_left_begins_with_the_last_tile() -> None:
    talk = on_turn()
    talk.press("left")
    assert talk.scene.chosen == Tile(4, 6)


def test_up_and_down_choose_the_end_where_both_fit() -> None:
    talk = on_turn("06< 06> d -", hand="06 13")
    talk.writes("06")
    assert talk.scene.end is None
    talk.press("enter")
    assert talk.acts() == []
    assert talk.scene.flash == "0-6 fits both: < for the left end (0), > for the right end (6)?"
    talk.press("down")
    assert talk.scene.end is End.RIGHT
    talk.press("up")
    assert talk.scene.end is End.LEFT
    talk.press("enter")
    assert talk.acts() == ["06<"]


def test_an_end_where_the_tile_does_not_fit_is_refused_with_the_reason() -> None:
    talk = on_turn()
    talk.press("4", "6", "up")
    assert talk.scene.flash.startswith("4-6 does not fit")
    assert talk.scene.end is End.RIGHT
    talk.press("<")
    assert talk.scene.flash.startswith("4-6 does not fit")
    assert talk.acts() == []


def test_a_tile_that_fits_nowhere_can_be_chosen_and_says_so() -> None:
    talk = on_turn()
    talk.writes("13")
    assert talk.scene.chosen == Tile(1, 3)
    assert talk.scene.flash.startswith("1-3 fits neither")
    talk.press("enter")
    assert talk.scene.flash.startswith("1-3 fits neither")
    assert talk.acts() == []


def test_a_tile_that_is_not_held_is_not_chosen() -> None:
    talk = on_turn()
    talk.writes("55")
    assert talk.scene.chosen is None
    assert talk.scene.flash == "You do not hold 5-5."


def test_a_number_over_6_is_on_no_tile() -> None:
    talk = on_turn()
    talk.press("6", "7")
    assert talk.scene.flash == "A tile is two numbers from 0 to 6."
    assert talk.scene.typed == "6"


def test_escape_and_backspace_take_back() -> None:
    talk = on_turn()
    talk.press("6", "backspace")
    assert talk.scene.typed == ""
    talk.press("6", "escape")
    assert talk.scene.typed == ""
    talk.press("4", "6", "escape")
    assert talk.scene.chosen is None
    talk.press("enter")
    assert talk.acts() == []


@pytest.mark.parametrize("key", ["d", "D", "δ", "Δ", "f5", "+"])
def test_keys_that_draw(key: str) -> None:
    talk = on_turn()
    talk.press(key)
    assert talk.acts() == ["d"]


@pytest.mark.parametrize("key", ["p", "P", "π", "Π", "-", "f6"])
def test_keys_that_pass_ask_once_while_a_tile_fits(key: str) -> None:
    talk = on_turn()
    talk.press(key)
    assert talk.acts() == []
    assert talk.scene.desk.pass_asked == 25
    talk.press(key)
    assert talk.acts() == ["-"]


def test_escape_takes_the_question_about_a_pass_back() -> None:
    talk = on_turn()
    talk.press("p", "escape", "p")
    assert talk.acts() == []
    talk.press("p")
    assert talk.acts() == ["-"]


@pytest.mark.parametrize(
    ("confirm", "legal"), [(ConfirmPass.NEVER, "02< d -"), (ConfirmPass.ASK, "d -")]
)
def test_a_pass_is_not_asked_about_where_nothing_fits_or_nobody_wants_that(
    confirm: ConfirmPass, legal: str
) -> None:
    talk = ScreenTalk(confirm_pass=confirm)
    talk.on_turn(legal)
    talk.press("p")
    assert talk.acts() == ["-"]


def test_where_nothing_can_be_drawn_the_reason_is_told() -> None:
    talk = ScreenTalk()
    talk.on_turn(question=ask(25, "02< -", no_draw=True))
    talk.press("d")
    assert talk.acts() == []
    assert talk.scene.flash == "No tile can be drawn: the last 2 stay in the boneyard."


def test_a_second_action_waits_for_the_first() -> None:
    talk = on_turn()
    talk.press("4", "6", "enter", "enter", "d")
    assert talk.acts() == ["46>"]
    assert talk.scene.flash == "Your action is on its way."


def test_a_refused_action_is_told_and_can_be_done_anew() -> None:
    talk = on_turn()
    talk.press("d")
    talk.error(ErrorCode.BONEYARD_FLOOR)
    assert talk.scene.flash.startswith("No tile can be drawn")
    talk.press("d")
    assert talk.acts() == ["d", "d"]


# --- premature keys -----------------------------------------------------------------------------


@pytest.mark.parametrize("keys", ["46>", "d", "ppp"])
@pytest.mark.parametrize("shown_ms", [0, SEEN_MS - 1])
def test_c24_a_key_before_the_turn_was_long_enough_on_the_screen_never_plays(
    keys: str, shown_ms: int
) -> None:
    talk = ScreenTalk()
    talk.on_turn(seen=False)
    talk.passes(shown_ms)
    talk.writes(keys)
    assert talk.acts() == []
    assert talk.scene.flash
    talk.passes(1_000)
    talk.writes(keys)
    assert len(talk.acts()) == 1


@pytest.mark.parametrize("keys", ["46", "02"])
def test_a_tile_that_is_chosen_while_waiting_stays_and_is_not_played_by_itself(keys: str) -> None:
    talk = ScreenTalk()
    talk.waiting()
    talk.writes(keys)
    talk.press("enter")
    assert talk.scene.flash == "Not your turn: Bo to play."
    chosen = talk.scene.chosen
    talk.update(acted(1, 20, "06"), acted(2, 21, "-"), acted(3, 22, "-"), ask=ask(23, "02< 46>"))
    assert talk.scene.chosen == chosen
    assert talk.scene.end is not None
    talk.passes(10_000)
    assert talk.acts() == []
    talk.press("enter")
    assert len(talk.acts()) == 1


def test_a_chosen_tile_that_is_played_or_in_another_round_is_chosen_no_longer() -> None:
    talk = on_turn()
    talk.press("4", "6", "enter")
    talk.update(acted(0, 25, "46>"), hand="02 04 13", re=talk.answers_last())
    assert (talk.scene.chosen, talk.scene.end) == (None, None)
    talk.press("0", "2")
    began = RoundBegan(4, 1, DealKind.SERVER, [6] * 4, 4, 2)
    talk.update(began, hand="02 04 13 11 22 33")
    assert talk.scene.chosen is None


def test_what_was_said_about_waiting_does_not_hide_the_turn() -> None:
    talk = ScreenTalk()
    talk.waiting()
    talk.press("d")
    assert talk.scene.flash == "Not your turn: Bo to play."
    talk.update(acted(1, 20, "06"), acted(2, 21, "-"), acted(3, 22, "-"), ask=ask(23, "02< 46>"))
    assert talk.scene.flash == ""
    assert talk.rings == 1


# --- what is heard and what is answered ---------------------------------------------------------


def test_what_happens_goes_to_the_log_and_what_is_asked_is_answered() -> None:
    talk = ScreenTalk()
    talk.waiting()
    said = talk.update(acted(1, 20, "06"))
    assert said == ["Bo leads 0-6. Ends 0 and 6. Bo has 5 tiles."]
    assert talk.scene.flash == ""
    talk.press("/")
    talk.writes("ends")
    talk.press("enter")
    assert talk.scene.flash == "0 left, 6 right."
    assert list(talk.scene.log)[-1] == said[0]


def test_an_answer_of_several_lines_is_read_over_the_page() -> None:
    talk = on_turn()
    talk.press("/")
    talk.writes("seats")
    talk.press("enter")
    assert talk.scene.overlay is Overlay.ANSWER
    assert len(talk.scene.answer) == 4
    assert talk.scene.typed == ""
    talk.press("down", "down", "pagedown")
    assert talk.scene.scroll == 12
    talk.press("up", "home")
    assert talk.scene.scroll == 0
    talk.press("escape")
    assert talk.scene.overlay is None


def test_what_somebody_says_is_seen_at_once_and_a_muted_name_is_not() -> None:
    talk = on_turn()
    talk.update(Said("Bo", "hello", 1))
    assert talk.scene.flash == "Bo, seat 2: hello"
    assert talk.scene.log[-1] == talk.scene.flash
    talk.press("/")
    talk.writes("mute Bo")
    talk.press("enter")
    talk.scene.flash = ""
    assert talk.update(Said("Bo", "are you there?", 1)) == []
    assert talk.scene.flash == ""


def test_news_of_the_link_are_seen_and_logged() -> None:
    talk = on_turn()
    lost = "The connection is lost; trying to get it back."
    assert talk.hears(LinkNews(NewsKind.LOST, lost)) == [lost]
    assert talk.scene.flash == lost


def test_the_end_of_a_link_is_the_farewell() -> None:
    talk = on_turn()
    talk.hears(LinkNews(NewsKind.CLOSED, "den.local has ended the session."))
    assert talk.over is ExitCode.UNREACHABLE
    assert talk.controller.farewell == "den.local has ended the session."


def test_one_who_leaves_needs_no_farewell() -> None:
    talk = lobby()
    talk.press("q")
    assert talk.over is ExitCode.DONE
    assert talk.controller.farewell == ""


# --- writing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["c", "ψ", "f7", '"'])
def test_chat_is_written_letter_by_letter_and_no_letter_is_a_key(key: str) -> None:
    talk = on_turn()
    talk.press(key)
    assert (talk.scene.typed, talk.scene.focus) == ('"', Focus.INPUT)
    talk.writes("dp q? /46> δ")
    talk.press("enter")
    assert talk.sent() == [Chat(0, TABLE, "dp q? /46> δ")]
    assert (talk.scene.typed, talk.scene.focus) == ("", Focus.HAND)


def test_what_is_written_can_be_erased_and_given_up() -> None:
    talk = on_turn()
    talk.press("c", "a", "b", "backspace")
    assert talk.scene.typed == '"a'
    talk.press("c-u", "x", "escape")
    assert talk.scene.typed == ""
    talk.press("c", "backspace")
    assert (talk.scene.typed, talk.scene.focus) == ("", Focus.HAND)
    talk.press("c", "enter")
    assert talk.sent() == []


def test_what_is_written_has_an_end() -> None:
    talk = on_turn()
    talk.press("c")
    talk.writes("a" * (CHAT_CHARS + 50))
    assert len(talk.scene.typed) == CHAT_CHARS + 1


@pytest.mark.parametrize(
    ("pasted", "shown"),
    [("well\nplayed", '"well played'), ("\x1b[2Jhi\x07", '"hi'), ("a\r\nb\tc", '"a b c')],
)
def test_c48_pasted_chat_is_one_clean_line_and_is_not_sent_by_itself(
    pasted: str, shown: str
) -> None:
    talk = on_turn()
    talk.press("c")
    talk.controller.paste(pasted)
    assert talk.scene.typed == shown
    assert talk.sent() == []


def test_a_pasted_tile_is_chosen_and_not_played() -> None:
    talk = on_turn()
    talk.controller.paste("6-4 >\n")
    assert (talk.scene.chosen, talk.scene.end) == (Tile(4, 6), End.RIGHT)
    talk.controller.paste("q\nd\n")
    assert talk.sent() == []
    assert talk.over is None


# --- texts over the page ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "overlay"),
    [
        (("?", "f1"), Overlay.HELP),
        (("l", "λ", "f2"), Overlay.LOG),
        (("s", "Σ", "f3"), Overlay.SCORES),
        (("f4", "x"), Overlay.PASSES),
    ],
)
def test_texts_over_the_page_come_and_go(keys: tuple[str, ...], overlay: Overlay) -> None:
    talk = on_turn()
    for key in keys:
        talk.press(key)
        assert talk.scene.overlay is overlay
        talk.press(key)
        assert talk.scene.overlay is None
        talk.press(key, "escape")
        assert talk.scene.overlay is None


def test_no_key_plays_under_a_text() -> None:
    talk = on_turn()
    talk.press("4", "6", "l", "d", "p", "p", "<")
    assert talk.acts() == []
    talk.press("q")
    assert talk.scene.overlay is None
    assert talk.scene.chosen == Tile(4, 6)


# --- the bar of keys ----------------------------------------------------------------------------


def test_everything_on_the_bar_is_done_by_tab_arrows_and_enter() -> None:
    talk = on_turn()
    talk.press("tab")
    assert in_keys(talk.scene)
    names = [action.name for action in hints(talk.scene)]
    assert names[:2] == ["draw", "pass"]
    talk.press("right", "enter", "enter")
    assert talk.acts() == ["-"]
    talk.press("tab")
    assert not in_keys(talk.scene)


def test_the_focus_stays_on_its_key_when_others_come_before_it() -> None:
    talk = ScreenTalk()
    talk.waiting()
    talk.press("tab")
    names = [action.name for action in hints(talk.scene)]
    talk.press(*["right"] * names.index("log"))
    talk.update(acted(1, 20, "06"), acted(2, 21, "-"), acted(3, 22, "-"), ask=ask(23, "02< d -"))
    talk.passes()
    assert hints(talk.scene)[talk.scene.key].name == "log"
    talk.press("enter")
    assert talk.scene.overlay is Overlay.LOG
    assert talk.acts() == []


def test_a_key_that_is_gone_is_not_done() -> None:
    talk = on_turn()
    talk.press("tab")
    assert hints(talk.scene)[talk.scene.key].name == "draw"
    talk.update(acted(0, 25, "-", timed_out=True))
    talk.press("enter")
    assert talk.acts() == []


def test_the_bar_goes_round() -> None:
    talk = on_turn()
    talk.press("tab", "left")
    assert talk.scene.key == len(hints(talk.scene)) - 1
    talk.press("right")
    assert talk.scene.key == 0


def test_a_digit_leads_back_to_the_hand() -> None:
    talk = on_turn()
    talk.press("tab", "4", "6", "enter")
    assert talk.acts() == ["46>"]


# --- between rounds, before and after -----------------------------------------------------------


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


def test_the_owner_begins_with_enter() -> None:
    talk = ScreenTalk()
    talk.before_the_match()
    talk.press("enter")
    assert talk.sent() == [Start(0, TABLE)]


def test_the_owner_adds_an_engine_that_waits() -> None:
    talk = lobby()
    talk.sits(open_view(), hand="")
    talk.press("b")
    assert talk.sent() == [Invite(0, TABLE, "careful")]


def test_where_no_engine_is_known_to_wait_the_server_is_asked_again() -> None:
    talk = ScreenTalk()
    talk.sits(open_view(), hand="")
    talk.press("b")
    assert talk.sent() == [Lobby(0)]
    talk.tables(engines="greedy")
    assert talk.scene.flash == "Engine waiting: greedy."
    talk.press("b")
    assert talk.sent() == [Invite(0, TABLE, "greedy")]


def test_a_new_match_has_no_ending_to_look_at() -> None:
    talk = ScreenTalk()
    talk.between()
    talk.update(StateChanged(TableState.BETWEEN))
    talk.press("v")
    talk.update(MatchBegan("m2", 61), StateChanged(TableState.PLAYING))
    assert not talk.scene.put_away


# --- time ---------------------------------------------------------------------------------------


def test_the_time_of_a_question_is_known_until_it_is_answered() -> None:
    talk = ScreenTalk()
    talk.on_turn(question=ask(25, "02< d -", clock=Clock(30_000, 20_000)), seen=False)
    assert talk.scene.turn_at == talk.now
    assert talk.scene.clock_at == talk.now + 50_000
    talk.passes(1_000)
    assert talk.controller.tick()
    assert talk.scene.now == talk.now
    talk.update(acted(0, 25, "-"))
    assert talk.scene.clock_at is None
    assert not talk.controller.tick()


def test_it_is_known_since_when_somebody_is_away() -> None:
    talk = ScreenTalk()
    talk.waiting()
    gone = talk.now
    talk.update(SeatChanged(2, SeatInfo(SeatState.AWAY, "Caro")))
    talk.passes(3_000)
    talk.update(acted(1, 20, "06"))
    assert talk.scene.away_since == {2: gone}
    assert talk.controller.tick()
    talk.update(SeatChanged(2, taken("Caro")))
    assert talk.scene.away_since == {}


# --- the list of tables -------------------------------------------------------------------------


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


# --- leaving ------------------------------------------------------------------------------------


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.parametrize("key", ["q", "f10", ";"])
def test_leaving_a_match_is_asked_about_once(key: str, private: bool) -> None:
    talk = ScreenTalk(private=private)
    talk.on_turn()
    talk.press(key)
    assert talk.scene.flash == "The match is not over. q again leaves, Esc goes back."
    talk.press("escape", key)
    assert (talk.sent(), talk.over) == ([], None)
    talk.press(key)
    assert talk.sent() == ([] if private else [Leave(0, TABLE)])
    assert talk.over is (ExitCode.DONE if private else None)


def test_a_watcher_leaves_at_once() -> None:
    talk = ScreenTalk()
    talk.sits(round_view(), hand=None)
    talk.press("q")
    assert talk.sent() == [Leave(0, TABLE)]
    talk.ok()
    assert talk.scene.page is Page.LOBBY


def test_one_who_is_removed_is_in_the_lobby_and_is_told() -> None:
    talk = on_turn()
    talk.hears(Left(talk.seq(), TABLE, "removed"))
    assert talk.scene.page is Page.LOBBY
    assert talk.scene.chosen is None
    assert talk.scene.flash == "You have been removed from the table."


@pytest.mark.parametrize("key", ["q", "escape", "f10"])
def test_waiting_for_a_server_can_be_left(key: str) -> None:
    talk = ScreenTalk(starting="Connecting to den.local ...")
    assert talk.scene.page is Page.STARTING
    assert talk.controller.tick()
    talk.press("enter", "d", "6", "4", "tab", "c")
    assert talk.over is None
    talk.press(key)
    assert talk.over is ExitCode.DONE


def test_who_wants_out_at_once_is_out() -> None:
    talk = on_turn()
    talk.controller.interrupt()
    assert talk.over is ExitCode.INTERRUPTED


# --- looks --------------------------------------------------------------------------------------


def test_plain_characters_and_the_mouse_are_one_key_away() -> None:
    talk = on_turn()
    talk.press("f8", "f9")
    assert talk.scene.skin == ASCII
    assert talk.scene.mouse
    talk.press("f8", "f9")
    assert talk.scene.skin == UNICODE
    assert not talk.scene.mouse


def test_a_click_chooses_and_a_second_plays() -> None:
    talk = on_turn()
    talk.controller.click(Tile(5, 5))
    assert talk.scene.chosen is None
    talk.controller.click(Tile(4, 6))
    assert talk.scene.chosen == Tile(4, 6)
    assert talk.acts() == []
    talk.controller.click(Tile(4, 6))
    assert talk.acts() == ["46>"]


# --- whatever is pressed ------------------------------------------------------------------------

_KEYS = sorted({key for action in KEYS for key in action.keys})
_PRESSES = st.one_of(st.sampled_from(_KEYS), st.sampled_from([*"0123456"]), st.characters())


def states() -> list[ScreenTalk]:
    """Return somebody at every place where one can be."""
    starting = ScreenTalk(starting="Connecting ...")
    waiting, between, before, watching, over = (ScreenTalk() for _ in range(5))
    waiting.waiting()
    between.between()
    between.update(StateChanged(TableState.BETWEEN, 20_000))
    before.before_the_match()
    watching.sits(after(round_view(), "06", "d"), hand=None)
    over.between()
    over.update(StateChanged(TableState.OVER))
    return [starting, lobby(), waiting, on_turn(), between, before, watching, over]


@given(st.integers(0, 7), st.lists(_PRESSES, max_size=30))
def test_whatever_is_pressed_a_chosen_tile_is_held_and_one_action_is_sent(
    place: int, keys: list[str]
) -> None:
    talk = states()[place]
    for key in keys:
        talk.press(key)
        hand = talk.scene.desk.table.hand if talk.scene.desk.table is not None else ()
        assert talk.scene.chosen is None or talk.scene.chosen in hand
        shown = hints(talk.scene)
        assert 0 <= talk.scene.key < max(1, len(shown))
    assert len([request for request in talk.sent() if isinstance(request, Act)]) <= 1


@given(st.lists(_PRESSES, max_size=30), st.integers(0, SEEN_MS - 1))
def test_whatever_is_pressed_too_early_nothing_is_played(keys: list[str], shown_ms: int) -> None:
    talk = ScreenTalk()
    talk.on_turn(seen=False)
    talk.passes(shown_ms)
    talk.press(*keys)
    assert talk.acts() == []


@pytest.mark.parametrize("place", range(8))
def test_everywhere_there_is_help_and_a_way_out(place: int) -> None:
    talk = states()[place]
    names = {action.name for action in hints(talk.scene)}
    assert names & {"leave", "give_up"}
    assert talk.scene.page is Page.STARTING or "help" in names


def test_capital_letters_are_the_same_keys() -> None:
    talk = on_turn()
    for action in KEYS:
        for key in action.keys:
            if len(key) == 1 and key.upper().lower() == key:
                assert action_of(key.upper(), talk.scene) == action_of(key, talk.scene)


def test_an_update_of_a_table_that_was_left_is_nothing() -> None:
    talk = lobby()
    talk.hears(Update(talk.seq(), "t9", 1, [acted(1, 20, "06")]))
    assert list(talk.scene.log) == []
