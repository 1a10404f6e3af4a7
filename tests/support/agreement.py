"""Play random matches on the rules and on the naive oracle at once, and compare every state."""

import random
from collections import Counter

from passing_rules import (
    Ending,
    Lead,
    Match,
    Options,
    PartnerScoring,
    Round,
    parse_action,
)
from tests.support.naive_rules import NaiveMatch, NaiveOptions, NaiveRound
from tests.support.rules_play import STYLES, Style, random_deal, random_options

EVERY_TEXT = [
    *(f"{low}{high}{end}" for low in range(7) for high in range(low, 7) for end in ("", "<", ">")),
    "d",
    "-",
]


def naive_options(options: Options) -> NaiveOptions:
    return NaiveOptions(
        seats=options.seats,
        partners=options.partners,
        target=options.target,
        lead=str(options.lead),
        circles=options.pass_circles,
        out_wins_ties=options.out_wins_ties,
        opponents=options.partner_scoring is PartnerScoring.OPPONENTS,
        max_rounds=options.max_rounds,
    )


def naive_round(played: Round, circles: int) -> NaiveRound:
    """The oracle of a round that has just begun."""
    deal = played.deal
    hands = [list(hand) for hand in deal.hands]
    return NaiveRound(hands, list(deal.boneyard), played.leader, circles)


def verify_states_agree(core: Round, naive: NaiveRound) -> list[str]:
    """Assert that all there is to see is the same; return the legal actions."""
    legal = naive.legal()
    assert [str(action) for action in core.legal_actions()] == legal
    assert (core.ending or "") == naive.ending
    assert [list(core.hand(seat)) for seat in range(core.seats)] == list(map(sorted, naive.hands))
    assert (core.left, core.right) == (naive.ends if naive.train else (None, None))
    assert core.boneyard_size == len(naive.boneyard)
    assert core.drawable == len(naive.boneyard) - 2
    assert core.passes == naive.passes
    if not naive.ending:
        assert core.to_act == naive.on_turn
    return legal


def verify_histories_agree(core: Round, naive: NaiveRound) -> None:
    assert [str(record) for record in core.records] == naive.done
    seats = [(naive.leader + turn) % naive.seats for turn in range(len(naive.done))]
    assert [record.seat for record in core.records] == seats
    placed = [(min(a, b), max(a, b), seat) for a, b, seat in naive.train]
    assert [(p.tile.low, p.tile.high, p.seat) for p in core.train] == placed
    assert core.pips == tuple(naive.pips)


def verify_refusals_agree(core: Round, naive: NaiveRound) -> None:
    """Assert the same answer to every action there is, from every seat."""
    for seat in range(core.seats):
        for text in EVERY_TEXT:
            assert core.can(seat, parse_action(text)) == (not naive.refusal(seat, text))


def play_round(rng: random.Random, match: Match, naive: NaiveMatch, styles: list[Style]) -> Ending:
    """Play one round of both matches; return how it ended."""
    drawn = rng.randrange(match.options.seats)
    given = drawn if match.round is None or match.options.lead is Lead.RANDOM else None
    begun = match.begin_round(random_deal(rng, match.options.seats), given)
    assert begun.leader == naive.next_leader(drawn)
    core = match.round
    assert core is not None
    oracle = naive_round(core, match.options.pass_circles)
    spot = rng.randrange(40)
    while legal := verify_states_agree(core, oracle):
        if len(oracle.done) == spot:
            verify_refusals_agree(core, oracle)
        text = styles[core.to_act].choose(rng, legal)
        timed_out = text == "-" and rng.random() < 0.1
        record = match.do(core.to_act, parse_action(text), timed_out)
        assert str(record) == oracle.act("-t" if timed_out else text)
    verify_histories_agree(core, oracle)
    winners, points = naive.score(oracle)
    result = match.results[-1]
    assert (list(result.winners), result.points) == (winners, points)
    assert (list(match.scores), match.over, match.winner) == (
        naive.scores,
        naive.over,
        naive.winner,
    )
    assert core.ending is not None
    return core.ending


def _dead_early(match: Match) -> bool:
    played = match.round
    return played is not None and played.ending is Ending.BLOCKED and played.drawable > 0


def play_matches(seed: int, rounds: int) -> Counter[str]:
    """Play at least so many rounds in random matches; count what was met."""
    rng = random.Random(seed)
    met: Counter[str] = Counter()
    while met["rounds"] < rounds:
        options = random_options(rng)
        match, naive = Match(options), NaiveMatch(naive_options(options))
        styles = [rng.choice(STYLES) for _ in range(options.seats)]
        while not match.over:
            ending = play_round(rng, match, naive, styles)
            met.update(("rounds", f"{options.seats} seats", f"{ending} at {options.seats} seats"))
            met["rounds of partners"] += options.partners
            met["rounds without points"] += not match.results[-1].winners
            met["dead trains with tiles to draw"] += _dead_early(match)
        met.update(("matches", "drawn matches" if match.winner is None else "won matches"))
        assert Match.replay(options, match.log).results == match.results
    return met
