"""Make the vectors of the rules: documents that implementations in any language can replay."""

import random
from collections.abc import Callable, Iterator
from dataclasses import asdict

from passing_rules import (
    Deal,
    Lead,
    Match,
    Options,
    PartnerScoring,
    Preset,
    Round,
    parse_action,
    score_round,
)
from tests.support.naive_rules import NaiveRound
from tests.support.rules_deals import (
    BLANK,
    BLANK_DEAL,
    FLOOR,
    FLOOR_DEAL,
    SIXES,
    SIXES_DEAL,
    deal_with,
    longest_round,
)
from tests.support.rules_perft import count_lines
from tests.support.rules_play import STYLES, Style, play_out, random_deal

Json = dict[str, object]

TABLES = (
    Options.of(2),
    Options.of(3),
    Options.of(4),
    Options.of(4, partners=True),
    Options.of(2, pass_circles=2, out_wins_ties=True),
    Options.of(3, lead=Lead.WINNER, pass_circles=2),
    Options.of(4, partners=True, preset=Preset.CELKO, lead=Lead.WINNER),
    Options.of(4, lead=Lead.RANDOM, max_rounds=3),
    Options.of(2, max_rounds=2, lead=Lead.RANDOM),
)


def state_of(played: Round) -> Json:
    over = played.ending is not None
    return {
        "to_act": None if over else played.to_act,
        "ends": None if played.left is None else [played.left, played.right],
        "sizes": list(played.hand_sizes),
        "boneyard": played.boneyard_size,
        "legal": [str(action) for action in played.legal_actions()],
    }


def result_of(match: Match) -> Json:
    result = match.results[-1]
    return {
        "ending": str(result.ending),
        "pips": list(result.pips),
        "winners": list(result.winners),
        "side": result.side,
        "points": result.points,
        "scores": list(result.scores),
    }


Chooser = Callable[[list[str]], str]


def by_chance(seed: int, styles: list[Style]) -> Chooser:
    """Choose by styles in turn; a pass written `-t` is one on time."""
    rng = random.Random(seed)

    def choose(legal: list[str]) -> str:
        text = rng.choice(styles).choose(rng, legal)
        return "-t" if text == "-" and rng.random() < 0.2 else text

    return choose


def by_script(text: str) -> Chooser:
    texts = iter(text.split())
    return lambda legal: next(texts)


def play(match: Match, choose: Chooser) -> Iterator[str]:
    """Play the round that has begun; yield the record of each action, just done."""
    played = match.round
    assert played is not None
    while played.ending is None:
        text = choose([str(action) for action in played.legal_actions()])
        action = parse_action(text.removesuffix("t"))
        yield str(match.do(played.to_act, action, timed_out=text == "-t"))


def round_vector(name: str, options: Options, deal: Deal, leader: int, choose: Chooser) -> Json:
    match = Match(options)
    match.begin_round(deal, leader)
    played = match.round
    assert played is not None
    vector: Json = {
        "name": name,
        "options": asdict(options),
        "deal": str(deal),
        "leader": leader,
        "start": state_of(played),
    }
    vector["steps"] = [{"action": text, **state_of(played)} for text in play(match, choose)]
    vector["result"] = result_of(match)
    return vector


def made_rounds() -> Iterator[Json]:
    """Rounds made to measure, one for each thing that is easily got wrong."""
    two = Options.of(2)
    for left, draws in ((14, 0), (5, 9)):
        script = by_script("d " * draws + SIXES)
        yield round_vector(f"dead train, {left} left", two, SIXES_DEAL, draws % 2, script)
    script = by_script("d " * 12 + FLOOR)
    yield round_vector("blocked by a play at two left", two, FLOOR_DEAL, 0, script)
    script = by_script("d " * 11 + FLOOR + " d")
    yield round_vector("blocked by a draw at two left", two, FLOOR_DEAL, 1, script)
    script = by_script("d " * 11 + FLOOR + " - -")
    yield round_vector("not blocked at three left", two, FLOOR_DEAL, 1, script)
    for options in (two, Options.of(2, out_wins_ties=True)):
        name = f"out against 00, out_wins_ties {options.out_wins_ties}".lower()
        yield round_vector(name, options, BLANK_DEAL, 0, by_script(BLANK))
    for seats in (2, 3, 4):
        for circles in (1, 2):
            options = Options.of(seats, pass_circles=circles)
            passes = by_script("- " * seats * circles)
            yield round_vector(
                f"all pass, {seats} seats, {circles} circles",
                options,
                deal_with(*[""] * seats),
                seats - 1,
                passes,
            )
        deal, texts = longest_round(seats, 1)
        script = by_script(" ".join(texts))
        yield round_vector(f"longest, {seats} seats", Options.of(seats), deal, 0, script)


def rounds() -> Json:
    vectors = list(made_rounds())
    for place, options in enumerate(TABLES):
        for number in range(4):
            seed = 100 * place + number
            rng = random.Random(seed)
            styles = [rng.choice(STYLES) for _ in range(2)]
            deal = random_deal(rng, options.seats)
            leader = rng.randrange(options.seats)
            name = f"by chance, {seed}"
            vectors.append(round_vector(name, options, deal, leader, by_chance(seed, styles)))
    return {"rounds": vectors}


def match_vector(seed: int, options: Options) -> Json:
    rng = random.Random(seed)
    match = Match(options)
    played: list[Json] = []
    while not match.over:
        drawn = rng.randrange(options.seats) if match.chance_leads else None
        begun = match.begin_round(random_deal(rng, options.seats), drawn)
        choose = by_chance(seed + begun.number, list(STYLES[:3]))
        played.append(
            {
                "number": begun.number,
                "drawn_leader": drawn,
                "leader": begun.leader,
                "deal": str(begun.deal),
                "actions": " ".join(play(match, choose)),
                "result": result_of(match),
            }
        )
    return {"options": asdict(options), "rounds": played, "winner": match.winner}


def matches() -> Json:
    vectors = [match_vector(place, options) for place, options in enumerate(TABLES)]
    drawn = next(
        vector
        for seed in range(1000)
        if (vector := match_vector(seed, Options.of(2, max_rounds=2)))["winner"] is None
    )
    return {"matches": [*vectors, drawn]}


SCORES: tuple[tuple[tuple[int, ...], int | None], ...] = (
    ((12, 3), None),
    ((5, 5), None),
    ((0, 0), 1),
    ((0, 1), 0),
    ((12, 3, 5), None),
    ((9, 9, 4), None),
    ((4, 9, 4), None),
    ((0, 1, 2), 0),
    ((7, 0, 0), 2),
    ((3, 10, 20, 30), None),
    ((30, 20, 10, 3), None),
    ((4, 10, 4, 6), None),
    ((9, 2, 5, 2), None),
    ((4, 4, 10, 20), None),
    ((4, 4, 4, 20), None),
    ((4, 4, 4, 4), None),
    ((9, 8, 7, 8), None),
    ((0, 5, 0, 7), 2),
    ((0, 0, 1, 2), 1),
    ((0, 1, 2, 2), 0),
)


def scoring() -> Json:
    vectors: list[Json] = []
    for pips, out in SCORES:
        kinds = (False, True) if len(pips) == 4 else (False,)
        for partners in kinds:
            for scoring_of in PartnerScoring if partners else (PartnerScoring.AS_WRITTEN,):
                for wins in (False, True) if out is not None else (False,):
                    options = Options.of(
                        len(pips),
                        partners=partners,
                        partner_scoring=scoring_of,
                        out_wins_ties=wins,
                    )
                    vectors.append(score_vector(options, pips, out))
    return {"scores": vectors}


def score_vector(options: Options, pips: tuple[int, ...], out: int | None) -> Json:
    score = score_round(options, pips, out)
    return {
        "options": asdict(options),
        "pips": list(pips),
        "out": out,
        "winners": list(score.winners),
        "side": score.side,
        "points": score.points,
    }


REFUSED: tuple[tuple[str, Deal, int, str, str], ...] = (
    ("before the first tile", deal_with("06 16", "26"), 0, "", "0:06< 0:06> 0:26 0:26< 1:26 1:-"),
    ("after a draw", deal_with("06", "66"), 1, "d", "1:- 1:d 1:66 1:66> 0:06<"),
    (
        "with a train",
        deal_with("05", "56 66 12", stay="34 35"),
        0,
        "05",
        "1:56 1:12 1:56< 1:66> 1:12< 1:05> 1:34 1:34> 0:- 0:d 0:05",
    ),
    ("at two left", deal_with("", "", "", ""), 3, "d d", "1:d 2:d 2:-"),
    ("after the round", deal_with("06", "", ""), 0, "- - -", "0:- 0:d 0:06 1:- 2:d 0:06<"),
)


def refusals() -> Json:
    vectors: list[Json] = []
    for name, deal, leader, done, refused in REFUSED:
        played = play_out(Round(deal, leader), done)
        oracle = naive_of(deal, leader, 1, done.split())
        vectors.append(
            {
                "name": name,
                "pass_circles": 1,
                "deal": str(deal),
                "leader": leader,
                "actions": [str(record) for record in played.records],
                "refused": [
                    {"seat": int(seat), "action": text, "code": oracle.refusal(int(seat), text)}
                    for seat, text in (word.split(":") for word in refused.split())
                ],
            }
        )
    return {"refusals": vectors}


def naive_of(deal: Deal, leader: int, circles: int, texts: list[str]) -> NaiveRound:
    """The oracle of a deal, after actions."""
    hands = [list(hand) for hand in deal.hands]
    oracle = NaiveRound(hands, list(deal.boneyard), leader, circles)
    for text in texts:
        oracle.act("d" if text.startswith("d") else text)
    return oracle


PERFTS: tuple[tuple[Deal, int, int, str, int], ...] = (
    (random_deal(random.Random(1), 2), 0, 1, "", 5),
    (random_deal(random.Random(2), 3), 2, 1, "", 5),
    (random_deal(random.Random(3), 4), 1, 2, "", 5),
    (FLOOR_DEAL, 1, 1, "d " * 11 + FLOOR, 6),
    (FLOOR_DEAL, 1, 2, "d " * 11 + FLOOR[:-4], 6),
    (SIXES_DEAL, 0, 1, SIXES[:-4], 4),
    (BLANK_DEAL, 0, 1, BLANK[:-4], 6),
    (BLANK_DEAL, 0, 2, BLANK[:-12], 5),
)


def perft() -> Json:
    vectors: list[Json] = []
    for deal, leader, circles, done, depth in PERFTS:
        played = play_out(Round(deal, leader, circles), done)
        counts = count_lines(played, depth)
        vectors.append(
            {
                "pass_circles": circles,
                "deal": str(deal),
                "leader": leader,
                "actions": [str(record) for record in played.records],
                "lines": counts.lines,
                "ended": counts.ended,
            }
        )
    return {"perft": vectors}


DOCUMENTS: dict[str, Callable[[], Json]] = {
    "rounds.json": rounds,
    "matches.json": matches,
    "scoring.json": scoring,
    "refusals.json": refusals,
    "perft.json": perft,
}
