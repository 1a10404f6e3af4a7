"""A server that cheats: the screen says so until the person has read it, and the game goes on."""

import pytest

from passing_client import language
from passing_client.judging import hear_verdict
from passing_client.language import LANGUAGES
from passing_client.screen.cells import text_of
from passing_client.screen.drawing import draw
from passing_client.screen.panels.message.presenter import alarm_words
from passing_client.screen.scene import Scene
from passing_protocol.verdicts import Outcome, Reason, Verdict
from tests.client.screen.endings import picture_ending
from tests.client.screen.tables import four, scene_of
from tests.support.client_scene import TABLE, round_view
from tests.support.screen_talk import ScreenTalk

FOUND = Verdict(TABLE, "m1", 3, 3, Outcome.FAILED, Reason.OWN_HAND)
CHECKED = Verdict(TABLE, "m1", 3, 3, Outcome.CHECKED)


def shown(scene: Scene, columns: int = 80, rows: int = 24) -> str:
    lines = draw(scene, columns, rows).lines
    return " ".join(" ".join(text_of(line) for line in lines).split())


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 18), (100, 30), (140, 40)])
def test_an_alarm_is_on_the_page_of_the_table_and_of_the_round(columns: int, rows: int) -> None:
    player = four(3)
    for scene in (scene_of(player.table, said=player.said), picture_ending()):
        hear_verdict(scene.desk, FOUND)
        text = shown(scene, columns, rows)
        assert "UNFAIR: deal 3 of this match" in text
        assert "Esc: I have read it." in text


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_alarm_is_whole_on_the_smallest_screen_in_every_language(code: str) -> None:
    language.use(code)
    for reason in Reason:
        player = four(3)
        scene = scene_of(player.table, said=player.said)
        hear_verdict(scene.desk, Verdict(TABLE, "m1", 123, 3, Outcome.FAILED, reason))
        assert alarm_words(scene) in shown(scene, 60, 18)


def test_a_deal_that_was_checked_is_told_with_the_end_of_the_round() -> None:
    scene = picture_ending()
    assert "Deal checked." not in shown(scene)
    hear_verdict(scene.desk, CHECKED)
    assert "Deal checked." in shown(scene)


def test_what_was_found_out_of_another_round_is_not_told_with_this_one() -> None:
    scene = picture_ending()
    hear_verdict(scene.desk, Verdict(TABLE, "m1", 2, 2, Outcome.CHECKED))
    assert "Deal checked." not in shown(scene)


def test_esc_puts_an_alarm_away_and_nothing_else_does() -> None:
    talk = ScreenTalk()
    talk.sits(round_view(), hand="46 55")
    talk.hears(FOUND)
    desk = talk.controller.scene.desk
    talk.hears(CHECKED)
    talk.press("?")
    talk.press("escape")
    assert desk.alarm
    talk.press("escape")
    assert desk.alarm == ""


def test_what_is_typed_is_seen_while_there_is_an_alarm() -> None:
    player = four(3)
    scene = scene_of(player.table, said=player.said)
    hear_verdict(scene.desk, FOUND)
    scene.typed = "/deal"
    assert "Esc: I have read it." not in shown(scene)
