"""What keys do with texts over the page."""

import pytest

from passing_client.screen.scene import Overlay
from passing_rules import Tile
from tests.support.screen_talk import on_turn


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


def test_the_log_is_read_from_its_newest_line_back() -> None:
    talk = on_turn()
    talk.scene.log.extend(f"line {number}" for number in range(100))
    talk.press("l")
    assert "line 99" in talk.picture()
    talk.press("up")
    assert "line 99" not in talk.picture()
    talk.press("home")
    assert talk.scene.scroll == 0
    talk.press("down", "down", "pagedown")
    assert talk.scene.scroll == 12
    talk.press("end", "down", "down", "up")
    assert "line 99" not in talk.picture()
    assert "line 98" in talk.picture()


def test_no_key_plays_under_a_text() -> None:
    talk = on_turn()
    talk.press("4", "6", "l", "d", "p", "p", "<")
    assert talk.acts() == []
    talk.press("q")
    assert talk.scene.overlay is None
    assert talk.scene.chosen == Tile(4, 6)
