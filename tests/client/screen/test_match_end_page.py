"""The page after a match: who has won and why, final scores, the last round, another match."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.judging import hear_verdict
from passing_client.screen.pages import match_end
from passing_client.screen.scene import Page, Scene
from passing_client.screen.skin import ASCII
from passing_protocol.events import Fault, MatchBegan, MatchEnded, SeatChanged
from passing_protocol.verdicts import Outcome, Reason, Verdict
from tests.client.screen.endings import (
    HOSTILE_NAMES,
    SIZES,
    check_size,
    match_over,
    picture_ending,
    picture_view,
    random_ending,
    seated_scene,
    tell,
    texts,
)
from tests.support.client_scene import taken
from tests.support.rules_play import RNGS

WON = MatchEnded("target", [37, 12, 64, 40], 2)


def lines(scene: Scene, columns: int = 80, rows: int = 24) -> list[str]:
    return [text.rstrip() for text in texts(match_end.draw(scene, columns, rows))]


def ended(event: MatchEnded, *, partners: bool = False, me: int | None = 0) -> Scene:
    """Return a scene whose match has ended in the middle of a round."""
    return match_over(seated_scene(picture_view(partners=partners), me), event)


def won() -> Scene:
    """Return a scene whose match has ended with its last round."""
    hands = ["13", "66", "11", "33"]
    return match_over(picture_ending(hands=hands, scores=WON.scores), WON)


def test_the_winner_and_the_final_scores_are_shown() -> None:
    scene = won()
    assert scene.page is Page.MATCH_END
    shown = lines(scene)
    assert shown[1].startswith("── MATCH OVER ──")
    assert "   The match is over: Caro wins with 64 points." in shown
    bars = [text for text in shown if "█" in text]
    assert [text[:15].strip() for text in bars] == ["* Caro", "Emil", "you (Dana)", "Bo"]
    assert [text.split()[-1] for text in bars] == ["64", "40", "37", "12"]


def test_how_many_deals_were_checked_is_there_once_there_is_a_verdict() -> None:
    scene = won()
    assert not any("Deals of this match" in text for text in lines(scene))
    table = scene.desk.table
    assert table is not None
    match = table.view.match
    for deal, outcome in enumerate((Outcome.CHECKED, Outcome.UNCHECKED), 1):
        found = Verdict(table.id, match, deal, deal, outcome, Reason.MISSED)
        scene.desk.tally.note(found, match)
    sum_of = "   Deals of this match: 1 checked, 1 not checked (messages did not arrive)."
    assert sum_of in lines(scene)
    scene.desk.tally.match = "another"
    assert sum_of not in lines(scene)


def test_what_was_found_out_about_the_last_deal_is_there_and_no_other_s() -> None:
    scene = won()
    table = scene.desk.table
    assert table is not None
    view = table.view
    for number, last in ((view.round, True), (view.round - 1, False)):
        found = Verdict(table.id, view.match, number, number, Outcome.CHECKED)
        hear_verdict(scene.desk, found)
        told = [text.strip() for text in lines(scene) if "Deals of this match" in text]
        checked = 1 if last else 2
        sum_of = f"Deals of this match: {checked} checked."
        assert told == [f"Deal checked. {sum_of}" if last else sum_of]


def test_the_last_round_is_there_with_its_sum() -> None:
    text = " ".join(" ".join(lines(won())).split())
    assert "ROUND 3 OVER" in text
    assert "Caro wins the round: 4 + 6 + 12 - 2 = 20 points." in text
    assert "final train" in text


def test_a_round_that_was_broken_off_has_no_end() -> None:
    scene = ended(MatchEnded("forfeit", [3, 4, 1, 0], 1))
    assert not any("ROUND" in text or "final train" in text for text in lines(scene))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            MatchEnded("forfeit", [3, 4, 1, 0], 1, Fault("player", "left", 2)),
            "The match is over: Bo wins by forfeit, as Caro forfeited the seat.",
        ),
        (MatchEnded("abandoned", [3, 4, 1, 0]), "The match is abandoned; nobody wins."),
        (MatchEnded("max_rounds", [3, 3, 1, 0]), "The match is over and drawn."),
        (MatchEnded("max_rounds", [3, 4, 1, 0], 1), "The match is over: Bo wins with 4 points."),
        (MatchEnded("target", [61, 4, 1, 0], 0), "The match is over: you win with 61 points."),
    ],
)
def test_a_match_ends_for_a_reason(event: MatchEnded, sentence: str) -> None:
    shown = lines(ended(event))
    assert f"   {sentence}" in shown
    played = any("It was played for 3 rounds." in text for text in shown)
    assert played == (event.reason == "max_rounds")


def test_partners_win_together() -> None:
    shown = lines(ended(MatchEnded("target", [37, 64], 1), partners=True))
    assert "   The match is over: Bo and Emil win with 64 points." in shown
    assert any(text.startswith(" * Bo and Emil") for text in shown)
    assert any(text.startswith("   You and Caro") for text in shown)


def test_nobody_is_marked_in_a_drawn_match() -> None:
    shown = lines(ended(MatchEnded("max_rounds", [3, 3, 1, 0])))
    assert not any(text.startswith(" *") for text in shown)


def test_enter_says_that_one_is_ready_for_another() -> None:
    scene = won()
    assert lines(scene)[-3] == " Enter ready for another match (1 of 4 ready)"
    tell(scene, SeatChanged(0, taken("Dana", ready=True)))
    assert lines(scene)[-3].startswith(" You are ready, and Bo and Emil are waited for")


def test_another_match_ends_the_page() -> None:
    scene = won()
    tell(scene, MatchBegan("m2", 61))
    assert scene.page is Page.TABLE


def test_ascii_has_nothing_else() -> None:
    scene = won()
    scene.skin = ASCII
    assert "".join(texts(match_end.draw(scene, 80, 24))).isascii()


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_winner_is_told_on_every_screen(columns: int, rows: int) -> None:
    picture = match_end.draw(won(), columns, rows)
    check_size(picture, columns, rows)
    assert any("Caro wins with 64 points." in text for text in texts(picture))


EVENTS = st.builds(
    MatchEnded,
    st.sampled_from(["target", "max_rounds", "forfeit", "abandoned"]),
    st.just([0]),
    st.sampled_from([None, 0, 1]),
    st.sampled_from([None, Fault("player", "x" * 400, 1), Fault("server", "\u3042" * 200)]),
)


@settings(max_examples=25)
@given(RNGS, EVENTS, st.integers(60, 130), st.integers(12, 40))
def test_every_end_fits(rng: random.Random, event: MatchEnded, columns: int, rows: int) -> None:
    scene, last = random_ending(rng, names=HOSTILE_NAMES)
    match_over(scene, replace(event, scores=last.scores))
    check_size(match_end.draw(scene, columns, rows), columns, rows)
