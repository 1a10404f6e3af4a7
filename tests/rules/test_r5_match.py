"""R5: the match."""

import random

import pytest
from hypothesis import given

from passing_rules import (
    Deal,
    IllegalAction,
    InvalidDeal,
    InvalidLog,
    Lead,
    Match,
    MatchEnding,
    OptionError,
    Options,
    PartnerScoring,
    Pass,
    Preset,
    Refusal,
    Round,
    RoundBegun,
    RoundNotDue,
    RoundResult,
    RoundScore,
    match_ending,
    match_winner,
    next_leader,
    scores_after,
)
from tests.support.rules_play import RNGS, STYLES, random_deal, random_options


def passed_out(match: Match, deal: Deal, drawn: int | None = None) -> Match:
    """Play one round of passes: the hands are scored as dealt."""
    match.begin_round(deal, drawn)
    assert match.round is not None
    while match.round.ending is None:
        match.do(match.round.to_act, Pass())
    return match


def random_match(rng: random.Random, options: Options) -> Match:
    match = Match(options)
    while not match.over:
        drawn = rng.randrange(options.seats) if match.chance_leads else None
        match.begin_round(random_deal(rng, options.seats), drawn)
        assert match.round is not None
        while match.round.ending is None:
            legal = {str(action): action for action in match.round.legal_actions()}
            match.do(match.round.to_act, legal[rng.choice(STYLES).choose(rng, list(legal))])
    return match


def deal_worth(rng: random.Random, seats: int, least: int, most: int) -> Deal:
    """A deal whose hands, scored as dealt, give seat 0 so many points."""
    while True:
        deal = random_deal(rng, seats)
        result = passed_out(Match(Options.of(seats, max_rounds=1)), deal, 0).results[0]
        if result.side == 0 and least <= result.points <= most:
            return deal


@pytest.mark.parametrize(
    ("seats", "partners", "target"),
    [(2, False, 101), (3, False, 101), (4, False, 61), (4, True, 61)],
)
def test_r5_1_targets(seats: int, partners: bool, target: int) -> None:
    assert Options.of(seats, partners=partners).target == target
    assert Options.of(seats, partners=partners, target=7).target == 7


@pytest.mark.parametrize(("short", "over"), [(-1, True), (0, True), (1, False)])
def test_r5_1_reaching_or_passing_the_target_wins(short: int, over: bool) -> None:
    deal = deal_worth(random.Random(1), 2, 10, 60)
    points = passed_out(Match(Options.of(2)), deal, 0).scores[0]
    match = passed_out(Match(Options.of(2, target=points + short)), deal, 0)
    assert match.ending is (MatchEnding.TARGET if over else None)
    assert match.over is over
    assert match.winner == (0 if over else None)
    assert match.scores == (points, 0)


def test_r5_1_scores_add_up_over_rounds() -> None:
    rng = random.Random(2)
    deals = [random_deal(rng, 3) for _ in range(6)]
    match = Match(Options.of(3, target=9999))
    for number, deal in enumerate(deals):
        passed_out(match, deal, 0 if number == 0 else None)
        assert match.round_number == number + 1
    totals = [0, 0, 0]
    for result in match.results:
        if result.side is not None:
            totals[result.side] += result.points
        assert result.scores == tuple(totals)
    assert match.scores == tuple(totals)


def test_r5_1_before_during_and_after() -> None:
    deal = deal_worth(random.Random(3), 2, 10, 60)
    match = Match(Options.of(2, target=10))
    assert (match.round_number, match.over, match.winner) == (0, False, None)
    assert not match.can(0, Pass())
    for refused in (match.verify, match.do):
        with pytest.raises(IllegalAction) as caught:
            refused(0, Pass())
        assert caught.value.refusal is Refusal.ROUND_OVER
    match.begin_round(deal, 0)
    assert (match.round_number, match.results) == (1, ())
    assert match.can(0, Pass())
    assert not match.can(1, Pass())
    match.verify(0, Pass())
    with pytest.raises(RoundNotDue, match="still played"):
        match.begin_round(deal)
    match.do(0, Pass())
    match.do(1, Pass())
    assert match.over
    assert match.round_number == 1
    with pytest.raises(RoundNotDue, match="the match is over"):
        match.begin_round(deal)


def test_r5_1_a_deal_for_other_seats_is_refused() -> None:
    with pytest.raises(InvalidDeal, match="3 hands for 2 seats"):
        Match(Options.of(2)).begin_round(random_deal(random.Random(4), 3), 0)


@given(RNGS)
def test_r5_2_at_most_one_side_scores_in_a_round(rng: random.Random) -> None:
    options = random_options(rng)
    before = (0,) * options.sides
    for result in random_match(rng, options).results:
        grown = [side for side in range(options.sides) if result.scores[side] != before[side]]
        assert len(grown) <= 1
        assert max(before) < options.target
        before = result.scores
    assert sum(score >= options.target for score in before) <= 1


def test_r5_3_after_max_rounds_the_highest_score_wins() -> None:
    deal = deal_worth(random.Random(5), 3, 10, 90)
    match = passed_out(Match(Options.of(3, max_rounds=2, target=9999)), deal, 0)
    assert not match.over
    passed_out(match, deal)
    assert match.ending is MatchEnding.MAX_ROUNDS
    assert match.winner == 0
    assert match.scores[0] < 9999


def test_r5_3_equal_highest_scores_are_a_drawn_match() -> None:
    rng = random.Random(6)
    deal = deal_worth(rng, 2, 10, 60)
    mirrored = Deal((deal.hands[1], deal.hands[0]), deal.boneyard)
    match = passed_out(passed_out(Match(Options.of(2, max_rounds=2)), deal, 0), mirrored)
    assert match.scores[0] == match.scores[1] > 0
    assert match.over
    assert match.winner is None


def test_r5_3_drawn_rounds_count() -> None:
    rng = random.Random(7)
    deal = next(
        d for d in iter(lambda: random_deal(rng, 2), None) if len(set(Round(d, 0).pips)) < 2
    )
    match = passed_out(Match(Options.of(2, max_rounds=1)), deal, 0)
    assert (match.over, match.winner, match.scores) == (True, None, (0, 0))


def test_r5_3_the_target_comes_first() -> None:
    deal = deal_worth(random.Random(8), 2, 10, 60)
    match = passed_out(Match(Options.of(2, max_rounds=9, target=10)), deal, 0)
    assert (match.over, match.winner) == (True, 0)
    assert match_ending(Options.of(2, max_rounds=1), (101, 0), 1) is MatchEnding.TARGET


@given(RNGS)
def test_r5_the_standing_between_rounds_follows_from_results_alone(rng: random.Random) -> None:
    """Who keeps no hands, as a record that hides them, finds the same leaders, scores and end."""
    options = random_options(rng)
    match = random_match(rng, options)
    leaders = [entry.leader for entry in match.log if isinstance(entry, RoundBegun)]
    last: RoundResult | None = None
    scores = (0,) * options.sides
    for result, leader in zip(match.results, leaders, strict=True):
        assert match_ending(options, scores, result.number - 1) is None
        assert next_leader(options, last) in (None, leader)
        score = RoundScore(result.winners, result.side, result.points)
        scores = scores_after(scores, score)
        assert scores == result.scores
        last = result
    assert match_ending(options, scores, len(leaders)) is match.ending is not None
    assert match_winner(scores) == match.winner


def test_r5_3_there_is_no_limit_by_default() -> None:
    assert Options.of(2).max_rounds is None


@pytest.mark.parametrize(
    ("seats", "partners", "target", "scoring"),
    [
        (2, False, 101, PartnerScoring.AS_WRITTEN),
        (3, False, 61, PartnerScoring.AS_WRITTEN),
        (4, False, 61, PartnerScoring.AS_WRITTEN),
        (4, True, 101, PartnerScoring.OPPONENTS),
    ],
)
def test_r5_4_preset_celko(
    seats: int, partners: bool, target: int, scoring: PartnerScoring
) -> None:
    options = Options.of(seats, preset=Preset.CELKO, partners=partners)
    assert (options.target, options.partner_scoring) == (target, scoring)
    assert options == Options.of(seats, partners=partners, target=target, partner_scoring=scoring)


def test_r5_4_an_explicit_option_beats_the_preset() -> None:
    options = Options.of(
        4,
        preset=Preset.CELKO,
        partners=True,
        target=50,
        partner_scoring=PartnerScoring.AS_WRITTEN,
    )
    assert (options.target, options.partner_scoring) == (50, PartnerScoring.AS_WRITTEN)


def test_r5_1_defaults() -> None:
    assert Options.of() == Options(
        seats=4,
        partners=False,
        target=61,
        lead=Lead.ROTATE,
        pass_circles=1,
        out_wins_ties=False,
        partner_scoring=PartnerScoring.AS_WRITTEN,
        max_rounds=None,
    )


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_r1_1_seats_are_2_to_4(seats: int) -> None:
    with pytest.raises(OptionError, match=f"seats: {seats}, allowed is 2 to 4"):
        Options.of(seats)


@pytest.mark.parametrize("seats", [2, 3])
def test_r1_4_partners_only_at_four_seats(seats: int) -> None:
    with pytest.raises(OptionError) as caught:
        Options.of(seats, partners=True)
    error = caught.value
    assert (error.field, error.value, error.allowed) == ("partners", True, "only at 4 seats")


@pytest.mark.parametrize("target", [-1, 0, 10_000])
def test_r5_1_the_target_has_limits(target: int) -> None:
    with pytest.raises(OptionError, match=f"target: {target}, allowed is 1 to 9999"):
        Options.of(2, target=target)


@pytest.mark.parametrize("circles", [0, 3])
def test_r3_3_pass_circles_are_1_or_2(circles: int) -> None:
    with pytest.raises(OptionError, match=f"pass_circles: {circles}, allowed is 1 to 2"):
        Options.of(2, pass_circles=circles)


@pytest.mark.parametrize("rounds", [0, 10_000])
def test_r5_3_max_rounds_has_limits(rounds: int) -> None:
    with pytest.raises(OptionError, match=f"max_rounds: {rounds}, allowed is 1 to 9999"):
        Options.of(2, max_rounds=rounds)


@given(RNGS)
def test_r5_1_a_match_is_exactly_its_options_and_its_log(rng: random.Random) -> None:
    match = random_match(rng, random_options(rng))
    length = rng.randrange(len(match.log) + 1)
    again = Match.replay(match.options, match.log[:length])
    assert again.log == match.log[:length]
    finished = Match.replay(match.options, match.log)
    assert finished.results == match.results
    assert (finished.scores, finished.winner) == (match.scores, match.winner)


def test_r5_1_a_log_that_cannot_be_is_refused() -> None:
    deal = random_deal(random.Random(9), 2)
    log = passed_out(Match(Options.of(2)), deal, 1).log
    other = passed_out(Match(Options.of(2)), deal, 0).log
    for wrong, message in (
        (log[1:], "log entry 0: seat 1, -: no round is being played"),
        ((log[0], *log), "log entry 1: round: still played"),
        ((log[0], *other[1:]), "log entry 1: seat 0, -: another seat is on turn"),
        ((*log, log[0]), "log entry 3: .*number=1.*, expected .*number=2"),
    ):
        with pytest.raises(InvalidLog, match=message):
            Match.replay(Options.of(2), wrong)
