"""Plans of tables and steps of their lives, drawn by a generator of random numbers."""

import random

from passing_protocol.views import DealKind, GameOptions, TableOptions
from passing_rules import Lead, PartnerScoring
from tests.support.kept_lives import CHOICES, Plan, Step

LONG = 9_999


def any_game(chance: random.Random) -> GameOptions:
    seats = chance.choice((2, 2, 3, 4, 4))
    return GameOptions(
        seats=seats,
        partners=seats == 4 and chance.random() < 0.6,
        target=chance.choice((1, 20, LONG)),
        lead=chance.choice((None, *Lead)),
        pass_circles=chance.choice((None, 1, 2)),
        out_wins_ties=chance.choice((None, True)),
        partner_scoring=chance.choice((None, *PartnerScoring)),
        max_rounds=chance.choice((None, 1, 3)),
    )


def any_wishes(chance: random.Random) -> TableOptions:
    return TableOptions(
        turn_ms=chance.choice((None, None, 0, 1_000)),
        bank_ms=chance.choice((None, 0, 3_000)),
        pace_ms=chance.choice((None, None, 0, 1_500)),
        absent=chance.choice((None, None, "engine", "pass", "forfeit")),
        faults=chance.choice((None, None, "pass", "forfeit", "retry:1")),
        chat=chance.choice((None, True)),
        reveal=chance.choice((None, "after_block")),
    )


def any_plan(chance: random.Random) -> Plan:
    return Plan(
        any_game(chance),
        any_wishes(chance),
        chance.choice((*DealKind, DealKind.FAIR)),
        chance.random() < 0.8,
        chance.choice((0, 0b1010, 0b1110, 0b0101, 0b1111, chance.randrange(16))),
        chance.choice((0, 0, 1, 2, 7)),
    )


def any_step(chance: random.Random) -> Step:
    return Step(chance.choice(CHOICES), chance.randrange(8), chance.randrange(256))


def any_steps(chance: random.Random, most: int) -> list[Step]:
    steps = [any_step(chance) for _ in range(chance.randint(1, most))]
    return [Step("fill", 0, 0), *steps] if chance.random() < 0.7 else steps
