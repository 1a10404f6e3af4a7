"""Decks, options, random play and made-to-measure deals for tests of the rules."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from passing_rules import (
    ALL_TILES,
    Action,
    Deal,
    Lead,
    Options,
    PartnerScoring,
    Round,
    parse_action,
)

RNGS = st.builds(random.Random, st.integers(0, 2**32 - 1))


def random_deal(rng: random.Random, seats: int) -> Deal:
    return Deal.from_deck(rng.sample(ALL_TILES, len(ALL_TILES)), seats)


def random_deals(seed: int, seats: int, count: int) -> list[Deal]:
    rng = random.Random(seed)
    return [random_deal(rng, seats) for _ in range(count)]


def chance_of(seed: int) -> Callable[[], float]:
    """A source of numbers from 0 up to 1."""
    return random.Random(seed).random


def random_options(rng: random.Random) -> Options:
    """Options that reach every branch within a few rounds: low targets, few rounds."""
    seats = rng.choice((2, 3, 4))
    return Options.of(
        seats,
        partners=seats == 4 and rng.random() < 0.6,
        target=rng.choice((None, 10, 40)),
        lead=rng.choice(tuple(Lead)),
        pass_circles=rng.choice((1, 2)),
        out_wins_ties=rng.random() < 0.4,
        partner_scoring=rng.choice(tuple(PartnerScoring)),
        max_rounds=rng.choice((None, 1, 4)),
    )


@dataclass(frozen=True)
class Style:
    """How a random player leans: plays, then draws, by these chances; passes otherwise."""

    play: float
    draw: float

    def choose(self, rng: random.Random, legal: Sequence[str]) -> str:
        plays = [text for text in legal if text not in {"d", "-"}]
        if plays and rng.random() < self.play:
            return rng.choice(plays)
        if "d" in legal and rng.random() < self.draw:
            return "d"
        return "-"


STYLES = (Style(1.0, 1.0), Style(0.9, 0.5), Style(0.6, 0.9), Style(0.5, 0.2), Style(0.97, 0.02))


def actions(text: str) -> list[Action]:
    return [parse_action(word) for word in text.split()]


def play_out(played: Round, text: str) -> Round:
    """Carry out actions in turn; every one must be legal."""
    for action in actions(text):
        played.do(played.to_act, action)
    return played
