"""R2: what a turn is."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_rules import (
    ActionRecord,
    Draw,
    End,
    IllegalAction,
    InvalidAction,
    Match,
    Options,
    Pass,
    Play,
    Refusal,
    Round,
    Tile,
    ends_after,
    parse_action,
)
from tests.support.rules_deals import deal_with
from tests.support.rules_play import RNGS, STYLES, Style, play_out, random_deal

SEATS = (2, 3, 4)


def refusal(played: Round | Match, seat: int, text: str) -> Refusal:
    action = parse_action(text)
    assert not played.can(seat, action)
    with pytest.raises(IllegalAction) as verified:
        played.verify(seat, action)
    with pytest.raises(IllegalAction) as done:
        played.do(seat, action)
    assert verified.value.refusal is done.value.refusal
    assert text in str(done.value)
    return done.value.refusal


def texts(played: Round) -> list[str]:
    return [str(action) for action in played.legal_actions()]


@pytest.mark.parametrize("text", ["-", "d", "06"])
@pytest.mark.parametrize(
    ("seats", "leader"), [(seats, leader) for seats in SEATS for leader in range(seats)]
)
def test_r2_1_the_turn_goes_clockwise_after_each_action(seats: int, leader: int, text: str) -> None:
    hands = ["06" if seat == leader else "" for seat in range(seats)]
    played = play_out(Round(deal_with(*hands), leader), text)
    assert played.to_act == (leader + 1) % seats


def test_r2_1_a_draw_ends_the_turn_even_with_a_tile_that_fits() -> None:
    played = play_out(Round(deal_with("06", "", draws="66"), 0), "06 - d")
    assert Tile(6, 6) in played.hand(0)
    assert refusal(played, 0, "66>") is Refusal.NOT_YOUR_TURN
    assert played.hand_sizes == (7, 7)
    assert played.to_act == 1


@pytest.mark.parametrize("seats", SEATS)
def test_r2_1_only_the_seat_on_turn_acts(seats: int) -> None:
    played = Round(random_deal(random.Random(1), seats), 0)
    for seat in (*range(1, seats), -1, seats):
        for text in ("-", "d", str(played.hand(0)[0])):
            assert refusal(played, seat, text) is Refusal.NOT_YOUR_TURN
    assert played.records == ()


@given(RNGS, st.sampled_from(SEATS), st.sampled_from(STYLES))
def test_r2_2_a_pass_is_always_legal_and_a_draw_while_any_can_be_drawn(
    rng: random.Random, seats: int, style: Style
) -> None:
    played = Round(random_deal(rng, seats), rng.randrange(seats))
    while played.ending is None:
        assert texts(played)[-1] == "-"
        assert played.can(played.to_act, Draw()) == (played.drawable > 0) == ("d" in texts(played))
        play_out(played, style.choose(rng, texts(played)))
    assert texts(played) == []


def test_r2_2_a_round_opens_with_draws_and_passes_on_an_empty_table() -> None:
    played = play_out(Round(deal_with("", "", ""), 2), "d - d - -")
    assert played.train == ()
    assert played.left is None
    assert played.right is None
    assert len(texts(played)) == 8 + 2  # one of two drawn tiles is in this hand


def test_r2_3_a_draw_needs_more_than_two_tiles_in_the_boneyard() -> None:
    played = play_out(Round(deal_with("", "", "", ""), 0), "d d")
    before = (played.hands[:], played.to_act, played.boneyard_size, played.records)
    assert refusal(played, 2, "d") is Refusal.BONEYARD_FLOOR
    assert before == (played.hands, played.to_act, played.boneyard_size, played.records)
    played.do(2, Pass())  # still on turn, and free to do something else


@pytest.mark.parametrize("number", [1, 2, 3])
def test_r2_4_the_first_tile_of_every_round_has_no_end(number: int) -> None:
    match = Match(Options.of(2, target=9999))
    for begun in range(number):
        match.begin_round(deal_with("06 16", "26 36"), 0 if begun == 0 else None)
        if begun < number - 1:
            match.do(begun % 2, Pass())
            match.do((begun + 1) % 2, Pass())
    seat = (number - 1) % 2
    tile = ("06", "26")[seat]
    assert refusal(match, seat, f"{tile}<") is Refusal.DOES_NOT_FIT
    assert refusal(match, seat, f"{tile}>") is Refusal.DOES_NOT_FIT
    assert str(match.do(seat, parse_action(tile))) == tile


def test_r2_4_any_tile_may_be_first() -> None:
    deal = deal_with("", "")
    assert texts(Round(deal, 1)) == [*map(str, deal.hands[1]), "d", "-"]


def test_r2_4_a_later_play_needs_an_end() -> None:
    played = play_out(Round(deal_with("06", "66"), 0), "06")
    assert refusal(played, 1, "66") is Refusal.END_NEEDED


def test_r2_4_the_touching_halves_match() -> None:
    played = play_out(Round(deal_with("05", "56 66 12"), 0), "05")
    assert refusal(played, 1, "56<") is Refusal.DOES_NOT_FIT
    assert refusal(played, 1, "66>") is Refusal.DOES_NOT_FIT
    play_out(played, "56>")
    assert (played.left, played.right) == (0, 6)


def test_r2_4_a_tile_is_joined_by_either_half() -> None:
    played = play_out(Round(deal_with("05 15", "02 12"), 0), "05 02< 15> 12<")
    assert (played.left, played.right) == (1, 1)
    assert [str(placed.tile) for placed in played.train] == ["12", "02", "05", "15"]
    assert [placed.seat for placed in played.train] == [1, 1, 0, 0]


def test_r2_4_a_tile_is_unordered() -> None:
    assert parse_action("64<") == parse_action("46<") == Play(Tile(6, 4), End.LEFT)


def test_r2_4_a_tile_that_fits_both_ends_makes_two_plays() -> None:
    played = play_out(Round(deal_with("06", "01 66", draws="16"), 0), "06 01< d -")
    assert [text for text in texts(played) if text[:2] == "16"] == ["16<", "16>"]


def test_r2_4_with_both_ends_equal_left_and_right_are_both_legal() -> None:
    played = play_out(Round(deal_with("66", "16 26 00"), 0), "66")
    assert texts(played)[:4] == ["16<", "16>", "26<", "26>"]
    twin = played.copy()
    play_out(played, "16<")
    play_out(twin, "16>")
    assert (played.left, played.right, twin.left, twin.right) == (1, 6, 6, 1)


def test_r2_4_a_tile_of_another_hand_of_the_train_or_of_the_boneyard_is_refused() -> None:
    played = play_out(Round(deal_with("06 56", "66 46", stay="36 26"), 0), "06")
    for text in ("56>", "06>", "36>", "26>", "56", "06"):
        assert refusal(played, 1, text) is Refusal.NOT_IN_HAND


def test_r2_5_a_double_does_not_branch() -> None:
    played = play_out(Round(deal_with("06 26", "66 36"), 0), "06 66> 26>")
    assert (played.left, played.right) == (0, 2)
    assert refusal(played, 1, "36>") is Refusal.DOES_NOT_FIT


def test_r2_5_a_double_counts_its_two_halves_once_each() -> None:
    assert Tile(6, 6).pips == 12
    assert Round(deal_with("00 11 22 33 44 55 66", ""), 0).pips[0] == 42


def test_r2_6_a_pass_never_tells_whether_it_was_forced() -> None:
    could = play_out(Round(deal_with("06", "66", stay="16 26"), 0), "06")
    could_not = play_out(Round(deal_with("06", "12", draws="66", stay="16 26"), 0), "06")
    records = [played.do(1, Pass()) for played in (could, could_not)]
    assert records[0] == records[1]
    assert [str(record) for record in records] == ["-", "-"]


def test_r2_7_who_is_out_of_time_passes() -> None:
    played = Round(deal_with("06", "66"), 0)
    record = played.do(0, Pass(), timed_out=True)
    assert record == ActionRecord(0, Pass(), timed_out=True)
    assert str(record) == "-t"
    assert played.records == (record,)
    assert played.to_act == 1


@pytest.mark.parametrize("text", ["06", "d"])
def test_r2_7_nothing_is_played_or_drawn_on_time(text: str) -> None:
    played = Round(deal_with("06", "66"), 0)
    with pytest.raises(InvalidAction, match="time only ever passes"):
        played.do(0, parse_action(text), timed_out=True)
    assert played.records == ()
    assert played.hand_sizes == (7, 7)
    assert played.to_act == 0


@given(RNGS, st.sampled_from(SEATS))
def test_r2_4_the_ends_after_a_play_are_those_of_the_round(rng: random.Random, seats: int) -> None:
    played = Round(random_deal(rng, seats), leader=0)
    ends: tuple[int, int] | None = None
    while played.ending is None:
        plays = [action for action in played.legal_actions() if isinstance(action, Play)]
        action = rng.choice(plays) if plays else Draw() if played.drawable else Pass()
        if isinstance(action, Play):
            ends = ends_after(ends, action)
        played.do(played.to_act, action)
        assert ends == (None if played.left is None else (played.left, played.right))
