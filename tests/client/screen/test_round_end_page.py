"""The page after a round: every hand, a sum that is right, the scores, and who is ready."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.screen.pages import round_end, table
from passing_client.screen.panels.hands.presenter import order_of
from passing_client.screen.panels.hands.presenter import present as present_hands
from passing_client.screen.scene import Focus, Page, Scene
from passing_client.screen.skin import ASCII
from passing_client.words.people import People
from passing_client.words.rounds import round_result
from passing_protocol.events import RoundEnded, SeatChanged
from passing_protocol.views import GameOptions, Gone, SeatInfo, SeatState, TableState
from passing_rules import PartnerScoring, Tile
from tests.client.screen.endings import (
    HOSTILE_NAMES,
    SIZES,
    check_size,
    picture_ending,
    random_ending,
    tell,
    texts,
)
from tests.support.client_scene import game, round_view, taken
from tests.support.rules_play import RNGS


def lines(scene: Scene, columns: int = 80, rows: int = 24) -> list[str]:
    return [text.rstrip() for text in texts(round_end.draw(scene, columns, rows))]


def row_of(name: str, shown: list[str]) -> str:
    return next(text for text in shown if text[3:].strip().startswith(name))


def test_the_page_is_the_one_between_rounds() -> None:
    assert picture_ending().page is Page.ROUND_END


def test_every_hand_is_shown_the_lowest_first() -> None:
    shown = lines(picture_ending())
    assert shown[1].startswith("── ROUND 3 OVER · nobody can play ──")
    assert shown[3:8] == [
        "   player       tiles left in hand                       pips  round  total",
        " * Emil         1-1                                         2    +20     40",
        "   you (Dana)   1-3                                         4      0     37",
        "   Caro         3-3                                         6      0     44",
        "   Bo           6-6                                        12      0     12",
    ]
    assert shown[9] == "   Emil wins the round: 4 + 6 + 12 - 2 = 20 points."


def test_bars_go_to_the_target() -> None:
    shown = lines(picture_ending())
    assert shown[11] == "   to 61"
    bars = {text[3:15].strip(): text.count("█") for text in shown[12:16]}
    assert bars == {"Caro": 28, "Emil": 26, "you (Dana)": 24, "Bo": 7}
    assert all(text.count("█") + text.count("░") == 40 for text in shown[12:16])


def test_r5_1_a_score_past_the_target_fills_its_bar() -> None:
    shown = lines(picture_ending(scores=[37, 12, 44, 940]))
    assert any(text.endswith("█" * 40 + "  940") for text in shown)


def test_the_boneyard_is_what_nobody_held_or_played() -> None:
    assert "   boneyard held: 1-2 3-4" in lines(picture_ending())


def test_r6_2_hidden_hands_stay_hidden() -> None:
    shown = lines(picture_ending(shown=False))
    assert row_of("Emil", shown).split() == ["*", "Emil", "not", "shown", "2", "+20", "40"]
    assert not any("boneyard held" in text for text in shown)
    assert "   This table shows the hands later." in shown
    train = next(n for n, text in enumerate(shown) if "final train" in text)
    assert not any(re.search(r"\d-\d", text) for text in shown[:train])


def test_r3_1_who_went_out_is_named_and_held_nothing() -> None:
    scene = picture_ending("out", ["13", "", "33", "11"], [37, 24, 44, 20])
    shown = lines(scene)
    assert shown[1].startswith("── ROUND 3 OVER · Bo went out ──")
    assert row_of("Bo", shown).split() == ["*", "Bo", "none", "0", "+12", "24"]
    own = picture_ending("out", ["13", "", "33", "11"], [37, 24, 44, 20], me=1)
    assert lines(own)[1].startswith("── ROUND 3 OVER · you went out ──")
    assert row_of("you (Bo)", lines(own)).startswith(" * ")


def test_r3_3_everybody_passed() -> None:
    assert "everybody passed" in lines(picture_ending("passed_out"))[1]


def test_r4_3_nobody_scores_in_a_tie() -> None:
    shown = lines(picture_ending(hands=["11", "66", "02", "33"], scores=[37, 12, 44, 20]))
    assert "   You and Caro tie for the lowest with 2 pips: nobody scores." in shown
    assert not any("+" in text for text in shown[3:9])
    assert not any(text.startswith(" *") for text in shown)


def test_r4_4_partners_stand_together_and_score_as_a_side() -> None:
    shown = lines(picture_ending(scores=[37, 32], partners=True))
    assert [text.split() for text in shown[4:10]] == [
        ["Bo", "and", "Emil", "+20", "32"],
        ["*", "Emil", "1-1", "2"],
        ["Bo", "6-6", "12"],
        ["You", "and", "Caro", "0", "37"],
        ["you", "(Dana)", "1-3", "4"],
        ["Caro", "3-3", "6"],
    ]
    assert "   Emil wins the round for Bo and Emil: 12 + 4 + 6 - 2 = 20 points." in shown


def opponents_only() -> GameOptions:
    return replace(game(partners=True), partner_scoring=PartnerScoring.OPPONENTS)


def test_r4_4_only_the_opponents_may_count() -> None:
    scene = picture_ending(scores=[37, 20], partners=True, options=opponents_only())
    assert "   Emil wins the round for Bo and Emil: 4 + 6 - 2 = 8 points." in lines(scene)


def test_r4_4_partners_who_tie_win_together() -> None:
    shown = lines(picture_ending(hands=["13", "02", "33", "11"], scores=[37, 24], partners=True))
    assert sum(text.startswith(" *") for text in shown) == 2


# --- who is ready -----------------------------------------------------------------------------


def test_enter_says_that_one_is_ready() -> None:
    scene = picture_ending()
    assert lines(scene)[-3] == " Enter ready for round 4 (1 of 4 ready)"
    picture = round_end.draw(scene, 80, 24)
    assert picture.cursor == (21, 1)


def test_whoever_is_ready_sees_who_is_waited_for() -> None:
    scene = picture_ending()
    tell(scene, SeatChanged(0, taken("Dana", ready=True)))
    assert lines(scene)[-3] == " You are ready, and Bo and Emil are waited for (2 of 4 ready)."
    tell(scene, SeatChanged(1, taken("Bo", ready=True)))
    assert lines(scene)[-3] == " You are ready, and Emil is waited for (3 of 4 ready)."
    tell(scene, SeatChanged(3, taken("Emil", ready=True)))
    assert lines(scene)[-3] == " The deal is being made."


def test_a_watcher_is_not_asked() -> None:
    scene = picture_ending(me=None)
    assert lines(scene)[-3] == " Waiting for Dana, Bo and Emil (1 of 4 ready)."
    assert "watching" in lines(scene)[0]


def test_the_time_until_the_next_round_is_told() -> None:
    scene = picture_ending()
    assert lines(scene)[0].endswith("next 0:15")
    scene.next_at = None
    assert "next" not in lines(scene)[0]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 12), (100, 30)])
def test_the_time_until_the_next_round_is_told_where_the_table_is_looked_at(
    columns: int, rows: int
) -> None:
    scene = picture_ending()
    scene.put_away = True
    assert scene.page is Page.TABLE
    assert texts(table.draw(scene, columns, rows))[0].rstrip().endswith("next 0:15")


def test_bars_have_the_names_of_the_hands_though_another_has_the_seat_now() -> None:
    scene = picture_ending()
    engine = SeatInfo(SeatState.SUBSTITUTE, "Robo", "careful", ready=True, gone=Gone.LEFT)
    tell(scene, SeatChanged(3, engine))
    shown = lines(scene)
    assert sum("Emil  " in text for text in shown) == 2
    assert not any(text[3:].startswith("Robo") for text in shown)


@given(st.data())
def test_what_is_summed_stands_in_the_order_of_the_rows(data: st.DataObject) -> None:
    partners = data.draw(st.booleans())
    pips = data.draw(st.lists(st.integers(0, 40), min_size=4, max_size=4, unique=True))
    winner = pips.index(min(pips))
    sides = 2 if partners else 4
    event = RoundEnded(
        3, "blocked", pips, [winner], sum(pips) - 2 * min(pips), [0] * sides, winner % sides
    )
    people = People(round_view(partners=partners), 0)
    shown = [int(held.pips) for held in present_hands(event, people).rows if held.pips]
    [summed] = re.findall(r": (.*) - ", round_result(event, people, order_of(event, people)))
    counted = [int(number) for number in summed.split(" + ")]
    assert counted == [number for number in shown if number in counted]
    assert len(counted) == (2 if people.view.game.partner_scoring == "opponents" else 3)


def test_what_is_typed_has_the_cursor() -> None:
    scene = picture_ending()
    scene.typed = '"well played'
    picture = round_end.draw(scene, 80, 24)
    shown = texts(picture)
    assert picture.cursor is not None
    row, column = picture.cursor
    assert shown[row][:column].endswith("well played")
    scene.typed = ""
    scene.focus = Focus.KEYS
    picture = round_end.draw(scene, 80, 24)
    assert picture.cursor is not None
    assert picture.cursor[0] == 23


def test_a_lost_connection_is_said() -> None:
    scene = picture_ending()
    scene.desk.down = True
    assert "connection is lost" in lines(scene)[-3]


# --- every size, every ending -------------------------------------------------------------------


def test_the_smallest_screen_has_the_hands_and_the_sum() -> None:
    for partners in (False, True):
        scores = [37, 32] if partners else [37, 12, 44, 40]
        shown = lines(picture_ending(scores=scores, partners=partners), 60, 12)
        text = " ".join(" ".join(shown).split())
        summed = "12 + 4 + 6" if partners else "4 + 6 + 12"
        assert f"{summed} - 2 = 20 points." in text
        for tiles in ("1-1", "1-3", "3-3", "6-6"):
            assert tiles in text


def test_ascii_has_nothing_else() -> None:
    scene = picture_ending()
    scene.skin = ASCII
    assert "".join(texts(round_end.draw(scene, 80, 24))).isascii()


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_picture_fills_every_screen(columns: int, rows: int) -> None:
    check_size(round_end.draw(picture_ending(), columns, rows), columns, rows)


@settings(max_examples=25)
@given(RNGS, st.integers(60, 130), st.integers(12, 40), st.booleans(), st.sampled_from(["", "log"]))
def test_every_legal_ending_fits(
    rng: random.Random, columns: int, rows: int, shown: bool, flash: str
) -> None:
    scene, _ = random_ending(rng, names=HOSTILE_NAMES, shown=shown)
    scene.flash = flash
    check_size(round_end.draw(scene, columns, rows), columns, rows)


def sum_of(text: str) -> tuple[int, int]:
    """Return what a sum in a text comes to, and what the text says it does."""
    found = re.search(r"(\d[\d +-]*) = (\d+) point", text)
    assert found is not None, text
    total = 0
    for sign, number in re.findall(r"([+-]?) ?(\d+)", found[1]):
        total += -int(number) if sign == "-" else int(number)
    return total, int(found[2])


@settings(max_examples=30)
@given(RNGS)
def test_r4_2_the_sum_on_the_page_is_the_score_of_the_rules(rng: random.Random) -> None:
    scene, event = random_ending(rng)
    text = " ".join(" ".join(lines(scene, 100, 40)).split())
    if event.side is None:
        assert "nobody scores" in text
    else:
        total, told = sum_of(text)
        assert total == told == event.points


@settings(max_examples=25)
@given(RNGS)
def test_r6_2_all_hands_and_the_whole_boneyard_are_on_the_page(rng: random.Random) -> None:
    scene, event = random_ending(rng)
    table = scene.desk.table
    assert table is not None
    assert event.hands is not None
    shown = lines(scene, 100, 50)
    end = next(n for n, text in enumerate(shown) if "final train" in text)
    held = [word for text in shown[3:end] for word in re.findall(r"\b\d-\d\b", text)]
    assert sorted(held) == sorted(str(words(t)) for hand in event.hands for t in hand)
    yard = re.findall(r"\b\d-\d\b", " ".join(shown[end:]))
    assert len(yard) == table.view.boneyard
    assert table.view.state is TableState.BETWEEN
    check_total(event)


def words(tile: str) -> str:
    parsed = Tile.parse(tile)
    return f"{parsed.low}-{parsed.high}"


def check_total(event: RoundEnded) -> None:
    """Check the test's own event: pips are those of the hands."""
    assert event.hands is not None
    for pips, hand in zip(event.pips, event.hands, strict=True):
        assert pips == sum(Tile.parse(tile).pips for tile in hand)
