"""Print how many random rounds a second the rules play: `python -m bench.rules_rounds`.

The same deals go through the rules and through the naive oracle of the tests; the ratio says how
much the masks are worth, whatever the machine.
"""

import argparse
import sys
import time
from collections.abc import Callable

from passing_rules import Deal, Round
from tests.support.naive_rules import NaiveRound
from tests.support.rules_play import chance_of, random_deals


def play(deal: Deal, leader: int, chance: Callable[[], float]) -> int:
    """Play one round at random in codes; return its turns."""
    turns = 0
    played = Round(deal, leader)
    while played.ending is None:
        codes = played.legal_codes()
        played.apply(codes[int(chance() * len(codes))])
        turns += 1
    return turns


def play_naively(deal: Deal, leader: int, chance: Callable[[], float]) -> int:
    """Play one round at random on the oracle; return its turns."""
    hands = [list(hand) for hand in deal.hands]
    played = NaiveRound(hands, list(deal.boneyard), leader, 1)
    while texts := played.legal():
        played.act(texts[int(chance() * len(texts))])
    return len(played.done)


def rate(
    play_one: Callable[[Deal, int, Callable[[], float]], int],
    deals: list[Deal],
    chance: Callable[[], float],
) -> tuple[float, float]:
    """Play every deal; return rounds a second and turns a round."""
    seats = len(deals[0].hands)
    begun = time.perf_counter()
    turns = sum(play_one(deal, number % seats, chance) for number, deal in enumerate(deals))
    return len(deals) / (time.perf_counter() - begun), turns / len(deals)


def show(rounds: int, seed: int = 1) -> None:
    """Print a line for each number of seats; another seed, other rounds."""
    for seats in (2, 3, 4):
        deals = random_deals(seed, seats, rounds)
        chance = chance_of(seed)
        fast, turns = rate(play, deals, chance)
        slow, _ = rate(play_naively, deals[: len(deals) // 10], chance)
        sys.stdout.write(
            f"{seats} seats: {fast:,.0f} rounds/s ({turns:.1f} turns a round), "
            f"{fast / slow:.1f} times the naive oracle's {slow:,.0f}\n"
        )


def main() -> None:
    """Read the command line and show."""
    parser = argparse.ArgumentParser(prog="python -m bench.rules_rounds", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20_000, help="rounds for each line")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other rounds")
    arguments = parser.parse_args()
    show(arguments.rounds, arguments.seed)


if __name__ == "__main__":
    main()
