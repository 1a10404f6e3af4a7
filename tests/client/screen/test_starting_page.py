"""The page before there is a server: what is waited for, since when, and how to leave."""

import pytest

from passing_client.screen.pages import starting
from passing_client.screen.scene import Page, Scene
from passing_client.screen.skin import ASCII
from tests.client.screen.endings import SIZES, check_size, texts
from tests.client.screen.tables import NOW, scene_of


def waiting(text: str = "Starting 3 engines.") -> Scene:
    scene = scene_of(None)
    scene.starting, scene.clock_at = text, None
    return scene


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_it_says_what_is_waited_for_and_how_to_leave(columns: int, rows: int) -> None:
    scene = waiting()
    assert scene.page is Page.STARTING
    picture = starting.draw(scene, columns, rows)
    check_size(picture, columns, rows)
    shown = texts(picture)
    assert any("Starting 3 engines." in text for text in shown)
    assert shown[-1].split()[:2] == ["q", "leave"]
    assert "den.local" in shown[0]


def test_it_says_how_long_it_has_been_waited_for() -> None:
    scene = waiting()
    assert "waiting" not in texts(starting.draw(scene, 80, 24))[0]
    scene.starting_at = NOW - 12_000
    assert texts(starting.draw(scene, 80, 24))[0].rstrip().endswith("waiting 0:12")


def test_a_long_sentence_is_wrapped() -> None:
    scene = waiting("still trying " * 30)
    picture = starting.draw(scene, 60, 12)
    check_size(picture, 60, 12)
    assert sum("still trying" in text for text in texts(picture)) > 3


def test_ascii_has_nothing_else() -> None:
    scene = waiting()
    scene.skin = ASCII
    assert "".join(texts(starting.draw(scene, 80, 24))).isascii()
