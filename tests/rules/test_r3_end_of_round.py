"""R3: how a round ends."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_rules import (
    ALL_TILES,
    Draw,
    Ending,
    Match,
    Options,
    Pass,
    Refusal,
    Round,
    Tile,
)
from tests.rules.test_r2_turn import refusal
from tests.support.rules_deals import (
    FLOOR,
    FLOOR_DEAL,
    SIXES,
    SIXES_DEAL,
    deal_with,
    longest_round,
)
from tests.support.rules_play import RNGS, STYLES, Style, play_out, random_deal

SEATS = (2, 3, 4)
CIRCLES = (1, 2)
BOUNDS = {(2, 1): 73, (3, 1): 85, (4, 1): 97, (2, 2): 147, (3, 2): 172, (4, 2): 197}
LONGEST_TRAINS = {2: 25, 3: 24, 4: 23}
LARGEST_HANDS = {2: 19, 3: 12, 4: 8}


def test_r3_1_the_last_tile_played_ends_the_round_at_once() -> None:
    deal, texts = longest_round(2, 1)
    played = play_out(Round(deal, 0), " ".join(texts[:-1]))
    assert played.ending is None
    assert played.hand_sizes == (1, 1)
    play_out(played, texts[-1])
    assert played.ending is Ending.OUT
    assert played.hand_sizes == (0, 1)
    assert played.to_act == 0


def test_r3_1_a_last_tile_that_leaves_a_dead_train_is_out_not_blocked() -> None:
    deal = deal_with("06 01 66 22 36 44 56", "00 16 26 23 46 45")
    texts = "06 00< 01< 16< 66< 26< 22< 23< 36< 46< 44< 45<"
    played = play_out(Round(deal, 0), texts)
    assert (played.ending, played.hand_sizes) == (None, (1, 1))
    play_out(played, "56<")
    assert (played.ending, played.left, played.right) == (Ending.OUT, 6, 6)


def test_r3_1_after_the_end_everything_is_refused() -> None:
    deal, texts = longest_round(2, 1)
    played = play_out(Round(deal, 0), " ".join(texts))
    assert played.legal_actions() == ()
    assert played.legal_codes() == []
    for seat in range(2):
        for text in ("-", "d", "06<"):
            assert refusal(played, seat, text) is Refusal.ROUND_OVER


def test_r3_2_blocked_after_a_play_with_exactly_two_tiles_left() -> None:
    played = play_out(Round(FLOOR_DEAL, 0), "d " * 12 + FLOOR[:-4])
    assert (played.ending, played.boneyard_size) == (None, 2)
    play_out(played, "56>")
    assert played.ending is Ending.BLOCKED
    assert (played.left, played.right) == (6, 6)


def test_r3_2_with_three_tiles_left_the_round_goes_on() -> None:
    """Also where only the two tiles that stay could fit: nobody knows that."""
    played = play_out(Round(FLOOR_DEAL, 1), "d " * 11 + FLOOR)
    assert (played.ending, played.boneyard_size) == (None, 3)


def test_r3_2_blocked_after_a_draw_that_leaves_two_tiles() -> None:
    played = play_out(Round(FLOOR_DEAL, 1), "d " * 11 + FLOOR + " d")
    assert played.ending is Ending.BLOCKED
    assert str(played.records[-1]).startswith("d")


def test_r3_2_a_last_drawn_tile_that_fits_lets_the_round_go_on() -> None:
    draws = "00 01 02 03 04 05 11 12 13 14 15 16"
    deal = deal_with("26 36 46 56", "23 66 45", draws=draws, stay="06 25")
    played = play_out(Round(deal, 1), "d " * 11 + FLOOR + " d")
    assert (played.ending, played.boneyard_size) == (None, 2)
    assert Tile(1, 6) in played.hand(1)
    assert play_out(played, "- 16>").ending is None


def test_r3_2_never_after_a_pass_alone() -> None:
    played = play_out(Round(FLOOR_DEAL, 1), "d " * 11 + FLOOR + " -")
    assert played.ending is None
    assert play_out(played, "-").ending is Ending.PASSED_OUT


@pytest.mark.parametrize(("draws", "left_over"), [(0, 14), (9, 5), (11, 3), (12, 2)])
def test_r3_2_a_train_dead_for_good_is_blocked_whatever_can_be_drawn(
    draws: int, left_over: int
) -> None:
    played = play_out(Round(SIXES_DEAL, draws % 2), "d " * draws + SIXES[:-4])
    assert (played.ending, played.left, played.right) == (None, 5, 6)
    play_out(played, "56<")
    assert (played.ending, played.left, played.right) == (Ending.BLOCKED, 6, 6)
    assert played.boneyard_size == left_over


@given(RNGS)
def test_r3_2_no_train_is_dead_but_with_one_number_at_both_ends(rng: random.Random) -> None:
    free = set(ALL_TILES)
    first = rng.choice(ALL_TILES)
    free.remove(first)
    ends = [first.low, first.high]
    while fitting := sorted(tile for tile in free if {tile.low, tile.high} & set(ends)):
        tile = rng.choice(fitting)
        at = rng.choice([end for end in (0, 1) if ends[end] in (tile.low, tile.high)])
        ends[at] = tile.low + tile.high - ends[at]
        free.remove(tile)
    assert ends[0] == ends[1]
    assert not any(ends[0] in (tile.low, tile.high) for tile in free)


def test_r3_2_before_the_first_tile_nobody_is_blocked() -> None:
    played = play_out(Round(random_deal(random.Random(1), 4), 0), "d d - - -")
    assert (played.ending, played.drawable, played.train) == (None, 0, ())


@pytest.mark.parametrize("timed_out", [False, True])
@pytest.mark.parametrize("circles", CIRCLES)
@pytest.mark.parametrize("seats", SEATS)
def test_r3_3_all_pass_in_turn_on_an_empty_table(seats: int, circles: int, timed_out: bool) -> None:
    played = Round(random_deal(random.Random(2), seats), 0, circles)
    for passes in range(seats * circles):
        assert (played.ending, played.passes) == (None, passes)
        played.do(played.to_act, Pass(), timed_out)
    assert played.ending is Ending.PASSED_OUT
    assert len(played.records) == seats * circles


@pytest.mark.parametrize("text", ["d", "06"])
@pytest.mark.parametrize("circles", CIRCLES)
@pytest.mark.parametrize("seats", SEATS)
def test_r3_3_a_play_or_a_draw_begins_the_count_anew(seats: int, circles: int, text: str) -> None:
    all_but_one = "- " * (seats * circles - 1)
    leader = 1  # so that seat 0 acts after all passes but one
    played = play_out(Round(deal_with("06", *[""] * (seats - 1)), leader, circles), all_but_one)
    assert (played.to_act, played.ending) == (0, None)
    play_out(played, text)
    assert played.passes == 0
    assert play_out(played, all_but_one).ending is None
    assert play_out(played, "-").ending is Ending.PASSED_OUT


@pytest.mark.parametrize("circles", CIRCLES)
@pytest.mark.parametrize("seats", SEATS)
def test_r3_3_a_new_round_begins_the_count_anew(seats: int, circles: int) -> None:
    """Players who always pass, 100 rounds on end."""
    match = Match(Options.of(seats, target=9999, pass_circles=circles, max_rounds=100))
    deal = random_deal(random.Random(3), seats)
    drawn: int | None = 0
    while not match.over:
        match.begin_round(deal, drawn)
        drawn = None
        assert match.round is not None
        while match.round.ending is None:
            match.do(match.round.to_act, Pass())
        assert len(match.round.records) == seats * circles
    assert [result.ending for result in match.results] == [Ending.PASSED_OUT] * 100


@pytest.mark.parametrize(("seats", "circles"), BOUNDS)
def test_r3_4_the_longest_round_reaches_the_bound(seats: int, circles: int) -> None:
    deal, texts = longest_round(seats, circles)
    played = play_out(Round(deal, 0, circles), " ".join(texts))
    assert played.ending is Ending.OUT
    assert len(played.records) == BOUNDS[seats, circles]


@given(
    RNGS,
    st.sampled_from(list(BOUNDS)),
    st.sampled_from([*STYLES, Style(0.1, 0.1), Style(0.05, 0.3)]),
)
def test_r3_4_no_round_is_longer(rng: random.Random, table: tuple[int, int], style: Style) -> None:
    seats, circles = table
    played = Round(random_deal(rng, seats), rng.randrange(seats), circles)
    while played.ending is None:
        texts = [str(action) for action in played.legal_actions()]
        last_chance = played.passes == seats * circles - 1
        text = texts[0] if last_chance else style.choose(rng, texts)
        play_out(played, text)
        assert max(played.hand_sizes) <= LARGEST_HANDS[seats]
    assert len(played.records) <= BOUNDS[table]
    assert len(played.train) <= LONGEST_TRAINS[seats]


@pytest.mark.parametrize("seats", SEATS)
def test_r3_4_the_longest_train(seats: int) -> None:
    deal, texts = longest_round(seats, 1)
    assert len(play_out(Round(deal, 0), " ".join(texts)).train) == LONGEST_TRAINS[seats]


@pytest.mark.parametrize("seats", SEATS)
def test_r1_3_the_largest_hand(seats: int) -> None:
    played = Round(random_deal(random.Random(4), seats), 0)
    while played.drawable:
        played.do(played.to_act, Draw() if played.to_act == 0 else Pass())
    assert max(played.hand_sizes) == LARGEST_HANDS[seats]
