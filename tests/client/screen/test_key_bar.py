"""The bar of keys, used by Tab, the arrows and Enter."""

from passing_client.screen.filters import in_keys
from passing_client.screen.keys import hints
from passing_client.screen.scene import Overlay
from tests.support.client_scene import (
    acted,
    ask,
)
from tests.support.screen_talk import ScreenTalk, on_turn


def test_everything_on_the_bar_is_done_by_tab_arrows_and_enter() -> None:
    talk = on_turn()
    talk.press("tab")
    assert in_keys(talk.scene)
    names = [action.name for action in hints(talk.scene)]
    assert names[:2] == ["draw", "pass"]
    talk.press("right", "enter")
    talk.press_again("enter")
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
