"""What holds after every action of every round, and between a round and its copies."""

import random

from hypothesis import given
from hypothesis import strategies as st

from passing_rules import (
    ALL_TILES,
    Draw,
    Ending,
    Play,
    Round,
    code_of,
)
from tests.support.agreement import EVERY_TEXT, play_matches, verify_refusals_agree
from tests.support.naive_rules import NaiveRound
from tests.support.rules_play import RNGS, STYLES, Style, play_out, random_deal

SEATS = st.sampled_from((2, 3, 4))
STYLE = st.sampled_from(STYLES)


def begin(rng: random.Random, seats: int) -> Round:
    return Round(random_deal(rng, seats), rng.randrange(seats), rng.choice((1, 2)))


def step(rng: random.Random, played: Round, style: Style) -> None:
    play_out(played, style.choose(rng, [str(action) for action in played.legal_actions()]))


def some_steps(rng: random.Random, played: Round, style: Style) -> Round:
    for _ in range(rng.randrange(30)):
        if played.ending is None:
            step(rng, played, style)
    return played


@given(RNGS, SEATS, STYLE)
def test_r1_1_hands_train_and_boneyard_are_the_28_tiles(
    rng: random.Random, seats: int, style: Style
) -> None:
    played = begin(rng, seats)
    while played.ending is None:
        step(rng, played, style)
        placed = [p.tile for p in played.train]
        held = [tile for seat in range(seats) for tile in played.hand(seat)]
        boneyard = played.deal.boneyard[-played.boneyard_size :]
        assert sorted((*placed, *held, *boneyard)) == list(ALL_TILES)


@given(RNGS, SEATS, STYLE)
def test_r2_4_neighbours_on_the_train_share_a_number(
    rng: random.Random, seats: int, style: Style
) -> None:
    played = begin(rng, seats)
    while played.ending is None:
        step(rng, played, style)
        number = played.left
        for placed in played.train:
            assert number in (placed.tile.low, placed.tile.high)
            assert number is not None
            number = placed.tile.pips - number
        assert number == played.right


@given(RNGS, SEATS, STYLE)
def test_r2_1_the_records_tell_the_whole_round(
    rng: random.Random, seats: int, style: Style
) -> None:
    played = some_steps(rng, begin(rng, seats), style)
    again = Round(played.deal, played.leader, 2)
    for number, record in enumerate(played.records):
        assert record.seat == (played.leader + number) % seats
        assert again.do(record.seat, record.action, record.timed_out) == record
    assert again.records == played.records
    assert again.hands == played.hands
    assert again.train == played.train
    assert again.hand_sizes == tuple(len(again.hand(seat)) for seat in range(seats))
    drawn = [record.drawn for record in played.records if isinstance(record.action, Draw)]
    assert drawn == list(played.deal.boneyard[: len(drawn)])


@given(RNGS, SEATS, STYLE)
def test_r2_2_the_legal_actions_are_those_not_refused(
    rng: random.Random, seats: int, style: Style
) -> None:
    played = some_steps(rng, begin(rng, seats), style)
    oracle = naive_twin(played)
    assert {str(a) for a in played.legal_actions()} == {
        text for text in EVERY_TEXT if not oracle.refusal(played.to_act, text)
    }
    verify_refusals_agree(played, oracle)
    codes = played.legal_codes()
    assert codes == [code_of(action) for action in played.legal_actions()]
    assert codes == sorted(set(codes))


def naive_twin(played: Round) -> NaiveRound:
    """The oracle after the same actions."""
    hands = [list(hand) for hand in played.deal.hands]
    circles = 2 if played.ending is not Ending.PASSED_OUT else played.passes // played.seats
    oracle = NaiveRound(hands, list(played.deal.boneyard), played.leader, circles)
    for record in played.records:
        oracle.act(str(record) if isinstance(record.action, Play) else str(record)[0])
    return oracle


@given(RNGS, SEATS, STYLE)
def test_a_copy_goes_its_own_way(rng: random.Random, seats: int, style: Style) -> None:
    played = some_steps(rng, begin(rng, seats), style)
    twin = played.copy()
    before = (played.records, played.hands[:], played.train, played.to_act, played.ending)
    some_steps(rng, twin, style)
    assert before == (played.records, played.hands, played.train, played.to_act, played.ending)
    again = played.copy()
    for record in twin.records[len(played.records) :]:
        again.do(record.seat, record.action)
    assert again.records == twin.records
    assert (again.hands, again.ending, again.left) == (twin.hands, twin.ending, twin.left)


@given(RNGS, SEATS)
def test_codes_and_actions_do_the_same(rng: random.Random, seats: int) -> None:
    by_code = begin(rng, seats)
    by_action = by_code.copy()
    while by_code.ending is None:
        choice = rng.randrange(len(by_code.legal_codes()))
        by_action.do(by_action.to_act, by_action.legal_actions()[choice])
        by_code.apply(by_code.legal_codes()[choice])
        assert (by_code.left, by_code.right, by_code.passes) == (
            by_action.left,
            by_action.right,
            by_action.passes,
        )
    assert by_code.records == by_action.records
    assert by_code.ending == by_action.ending


def test_the_rules_agree_with_the_naive_oracle() -> None:
    """3,000 rounds here; `python -m tests.rules.agree` plays any number."""
    met = play_matches(seed=20_000, rounds=3_000)
    for seats in (2, 3, 4):
        for ending in Ending:
            assert met[f"{ending} at {seats} seats"] > 50
    assert met["rounds of partners"] > 100
    assert met["dead trains with tiles to draw"] > 20
    assert met["rounds without points"] > 50
    assert met["drawn matches"] > 5
