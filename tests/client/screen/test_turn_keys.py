"""What keys do on a turn, and that none that comes too early plays."""

import pytest

from passing_client.screen.keys import hints
from passing_client.screen.timing import SEEN_MS
from passing_client.settings import ConfirmPass
from passing_link.news import LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.events import (
    RoundBegan,
)
from passing_protocol.views import DealKind
from passing_rules import End, Tile
from tests.support.client_scene import (
    acted,
    ask,
)
from tests.support.screen_talk import ScreenTalk, on_turn

# --- a turn --------------------------------------------------------------------------------------


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
    talk.press_again(key)
    assert talk.acts() == ["-"]


def test_a_key_that_is_held_confirms_no_pass() -> None:
    talk = on_turn()
    for _ in range(8):
        talk.press("p")
        talk.passes(SEEN_MS // 8)
    assert talk.acts() == []
    assert "p again passes" in talk.picture()


def test_a_pass_that_is_on_its_way_is_not_asked_about_any_more() -> None:
    talk = on_turn()
    talk.press("p")
    talk.press_again("p")
    assert "p again passes" not in talk.picture()
    talk.press_again("p")
    assert talk.acts() == ["-"]
    assert talk.scene.flash == "Your action is on its way."


def test_a_pass_is_not_asked_about_while_the_connection_is_down() -> None:
    talk = on_turn()
    talk.hears(LinkNews(NewsKind.LOST, "The connection is lost."))
    talk.link.down = True
    talk.press("p")
    assert talk.scene.desk.pass_asked is None
    assert "The connection is down: that was not sent." in talk.picture()


def test_the_bar_offers_to_play_no_tile_that_cannot_be_played() -> None:
    talk = on_turn()
    talk.writes("13")
    assert "play" not in {action.name for action in hints(talk.scene)}
    talk.press("escape", "4", "6")
    assert "play" in {action.name for action in hints(talk.scene)}
    talk.press("enter")
    assert "play" not in {action.name for action in hints(talk.scene)}


def test_escape_takes_the_question_about_a_pass_back() -> None:
    talk = on_turn()
    talk.press("p")
    talk.press_again("escape")
    talk.press("p")
    assert talk.acts() == []
    talk.press_again("p")
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


# --- premature keys ------------------------------------------------------------------------------


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
    for key in keys:
        talk.press_again(key)
    assert len(talk.acts()) == 1


def test_a_turn_that_came_behind_a_text_is_seen_when_that_is_closed() -> None:
    talk = ScreenTalk()
    talk.waiting()
    talk.press("?")
    talk.update(acted(1, 20, "06"), acted(2, 21, "-"), acted(3, 22, "-"), ask=ask(23, "02< 46>"))
    talk.passes(10_000)
    talk.press("escape")
    talk.writes("46>")
    assert talk.acts() == []
    talk.press("?", "escape")
    talk.passes()
    talk.press("?", "escape", ">")
    assert talk.acts() == ["46>"]


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
