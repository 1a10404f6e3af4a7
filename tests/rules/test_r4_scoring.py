"""R4: who wins a round and what it is worth."""

import random
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from passing_rules import (
    ALL_TILES,
    Ending,
    Match,
    Options,
    PartnerScoring,
    Round,
    RoundScore,
    Tile,
    score_round,
)
from tests.support.rules_deals import deal_with, longest_round, tiles
from tests.support.rules_play import RNGS, play_out, random_deal

NOBODY = RoundScore((), None, 0)
PARTNERS = Options.of(4, partners=True)
OPPONENTS = Options.of(4, partners=True, partner_scoring=PartnerScoring.OPPONENTS)


def test_r4_1_everyone_counts_the_pips_left_in_hand() -> None:
    deal, texts = longest_round(2, 1)
    match = Match(Options.of(2))
    match.begin_round(deal, 0)
    assert match.round is not None
    play_out(match.round, " ".join(texts[:-1]))
    left = match.round.hand(1)
    match.do(0, match.round.legal_actions()[0])
    assert match.results[0].pips == (0, sum(tile.pips for tile in left))


@given(RNGS, st.sampled_from((2, 3, 4)))
def test_r4_1_all_pips_together_are_168(rng: random.Random, seats: int) -> None:
    played = Round(random_deal(rng, seats), 0)
    boneyard = sum(tile.pips for tile in played.deal.boneyard)
    assert sum(played.pips) + boneyard == 168


@pytest.mark.parametrize(
    ("pips", "score"),
    [
        ((12, 3), RoundScore((1,), 1, 9)),
        ((0, 7), RoundScore((0,), 0, 7)),
        ((12, 3, 5), RoundScore((1,), 1, 14)),
        ((9, 9, 4), RoundScore((2,), 2, 14)),  # a tie above the lowest is none
        ((20, 20, 20, 1), RoundScore((3,), 3, 59)),
    ],
)
def test_r4_2_the_lowest_scores_all_others_less_its_own(
    pips: tuple[int, ...], score: RoundScore
) -> None:
    assert score_round(Options.of(len(pips)), pips, None) == score


def test_r4_2_pips_count_not_tiles() -> None:
    """Seat 0 holds one tile, the 66; seat 1 holds two, 01 and 02, and wins 12 - 3 = 9."""
    pips = [sum(tile.pips for tile in tiles(hand)) for hand in ("66", "01 02")]
    assert score_round(Options.of(2), tuple(pips), None) == RoundScore((1,), 1, 9)


def least_points(options: Options) -> int:
    """The least points over every way to leave low tiles in the hands, one hand empty or none."""
    low = [frozenset(hand) for hand in ((), *[(tile,) for tile in ALL_TILES if tile.pips <= 4])]
    found: list[int] = []
    for hands in product(low, repeat=options.seats):
        held = [tile for hand in hands for tile in hand]
        empty = [seat for seat, hand in enumerate(hands) if not hand]
        if len(set(held)) < len(held) or len(empty) > 1:
            continue
        pips = tuple(sum(tile.pips for tile in hand) for hand in hands)
        score = score_round(options, pips, empty[0] if empty else None)
        if score.side is not None:
            found.append(score.points)
    return min(found)


@pytest.mark.parametrize(("seats", "least"), [(2, 1), (3, 3), (4, 5)])
def test_r4_2_the_least_points(seats: int, least: int) -> None:
    assert least_points(Options.of(seats)) == least


@pytest.mark.parametrize("options", [PARTNERS, OPPONENTS])
def test_r4_2_the_least_points_of_partners(options: Options) -> None:
    assert least_points(options) == 3


@pytest.mark.parametrize(
    ("options", "least"),
    [
        (Options.of(2, out_wins_ties=True), 0),
        (Options.of(3, out_wins_ties=True), 1),
        (Options.of(4, out_wins_ties=True), 3),
        (Options.of(4, partners=True, out_wins_ties=True), 3),
        (
            Options.of(
                4, partners=True, out_wins_ties=True, partner_scoring=PartnerScoring.OPPONENTS
            ),
            1,
        ),
    ],
)
def test_r4_2_options_lower_the_least_points(options: Options, least: int) -> None:
    assert least_points(options) == least


@pytest.mark.parametrize(
    "pips", [(5, 5), (5, 5, 9), (5, 9, 5), (5, 5, 5), (5, 5, 5, 9), (5, 5, 5, 5), (9, 9, 5, 5)]
)
def test_r4_3_a_tie_for_lowest_scores_nobody(pips: tuple[int, ...]) -> None:
    assert score_round(Options.of(len(pips)), pips, None) == NOBODY


OUT_AGAINST_BLANK = "06 02< 12< 16< 66< 26< 22< 23< 36< 46< 44< 45< 56<"


def out_against_the_double_blank(options: Options) -> Match:
    match = Match(options)
    match.begin_round(deal_with("06 12 66 22 36 44 56", "02 16 26 23 46 45 00"), 0)
    assert match.round is not None
    for text in OUT_AGAINST_BLANK.split():
        action = next(a for a in match.round.legal_actions() if str(a) == text)
        match.do(match.round.to_act, action)
    assert match.round.ending is Ending.OUT
    assert match.round.hand(1) == (Tile(0, 0),)
    return match


def test_r4_3_out_against_the_double_blank_is_a_tie() -> None:
    match = out_against_the_double_blank(Options.of(2))
    result = match.results[0]
    assert (result.winners, result.side, result.points, result.scores) == ((), None, 0, (0, 0))
    assert result.pips == (0, 0)


def test_r4_3_with_out_wins_ties_who_goes_out_wins() -> None:
    match = out_against_the_double_blank(Options.of(2, out_wins_ties=True))
    result = match.results[0]
    assert (result.winners, result.side, result.points) == ((0,), 0, 0)


def test_r4_3_out_wins_ties_changes_nothing_when_nobody_is_out() -> None:
    assert score_round(Options.of(3, out_wins_ties=True), (5, 5, 9), None) == NOBODY
    assert score_round(Options.of(3, out_wins_ties=True), (0, 0, 9), 1) == RoundScore((1,), 1, 9)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r4_3_ten_tied_rounds_on_end(seats: int) -> None:
    rng = random.Random(1)
    match = Match(Options.of(seats))
    for number in range(10):
        deal = next(
            deal
            for deal in iter(lambda: random_deal(rng, seats), None)
            if Round(deal, 0).pips.count(min(Round(deal, 0).pips)) > 1
        )
        begun = match.begin_round(deal, 0 if number == 0 else None)
        assert (begun.number, begun.leader) == (number + 1, number % seats)
        assert match.round is not None
        play_on(match)
    assert match.scores == (0,) * seats
    assert not match.over
    assert {(result.winners, result.points) for result in match.results} == {((), 0)}


def play_on(match: Match) -> None:
    assert match.round is not None
    while match.round.ending is None:
        match.do(match.round.to_act, match.round.legal_actions()[-1])


@pytest.mark.parametrize(
    ("pips", "as_written", "opponents"),
    [
        ((3, 10, 20, 30), RoundScore((0,), 0, 57), RoundScore((0,), 0, 37)),
        ((30, 20, 10, 3), RoundScore((3,), 1, 57), RoundScore((3,), 1, 37)),
        ((9, 8, 7, 8), RoundScore((2,), 0, 18), RoundScore((2,), 0, 9)),
        ((4, 10, 4, 6), RoundScore((0, 2), 0, 16), RoundScore((0, 2), 0, 12)),  # partners tied
        ((9, 2, 5, 2), RoundScore((1, 3), 1, 14), RoundScore((1, 3), 1, 12)),
        ((4, 4, 10, 20), NOBODY, NOBODY),
        ((4, 4, 4, 20), NOBODY, NOBODY),
        ((4, 4, 4, 4), NOBODY, NOBODY),
    ],
)
def test_r4_4_partners(
    pips: tuple[int, ...], as_written: RoundScore, opponents: RoundScore
) -> None:
    assert score_round(PARTNERS, pips, None) == as_written
    assert score_round(OPPONENTS, pips, None) == opponents


def test_r4_4_partner_scoring_is_nothing_to_players_on_their_own() -> None:
    alone = Options.of(4, partner_scoring=PartnerScoring.OPPONENTS)
    assert score_round(alone, (3, 10, 20, 30), None) == RoundScore((0,), 0, 57)


def test_r4_4_who_goes_out_wins_a_tie_with_the_partner_too() -> None:
    options = Options.of(4, partners=True, out_wins_ties=True)
    assert score_round(PARTNERS, (0, 5, 0, 7), 2) == RoundScore((0, 2), 0, 12)
    assert score_round(options, (0, 5, 0, 7), 2) == RoundScore((2,), 0, 12)


@given(
    st.lists(st.integers(0, 60), min_size=2, max_size=4),
    st.booleans(),
    st.sampled_from(PartnerScoring),
    st.booleans(),
)
def test_r4_2_points_are_never_negative_and_one_side_scores(
    pips: list[int], partners: bool, scoring: PartnerScoring, out_wins_ties: bool
) -> None:
    seats = len(pips)
    options = Options.of(
        seats,
        partners=partners and seats == 4,
        partner_scoring=scoring,
        out_wins_ties=out_wins_ties,
    )
    score = score_round(options, tuple(pips), pips.index(0) if 0 in pips else None)
    assert score.points >= 0
    assert (score.side is None) == (score.winners == ())
    assert {options.side_of(seat) for seat in score.winners} <= {score.side}
    assert all(pips[seat] == min(pips) for seat in score.winners)


@given(st.permutations(range(4)), st.integers(0, 3))
def test_r4_4_rotating_the_seats_rotates_the_result(order: list[int], turn: int) -> None:
    pips = [(3, 8, 8, 21)[place] for place in order]
    assume(turn)
    turned = tuple(pips[(seat - turn) % 4] for seat in range(4))
    before = score_round(PARTNERS, tuple(pips), None)
    after = score_round(PARTNERS, turned, None)
    assert sorted((seat + turn) % 4 for seat in before.winners) == sorted(after.winners)
    assert before.side is not None
    assert after.side == (before.side + turn) % 2
    assert after.points == before.points
