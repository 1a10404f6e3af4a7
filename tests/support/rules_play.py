"""Decks, options, random play and made-to-measure deals for tests of the rules."""

import random
from collections.abc import Iterable, Iterator, Sequence
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
    Tile,
    parse_action,
)

RNGS = st.builds(random.Random, st.integers(0, 2**32 - 1))


def random_deal(rng: random.Random, seats: int) -> Deal:
    return Deal.from_deck(rng.sample(ALL_TILES, len(ALL_TILES)), seats)


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


def tiles(text: str) -> list[Tile]:
    return [Tile.parse(word) for word in text.split()]


def deal_with(*hands: str, draws: str = "", stay: str = "") -> Deal:
    """Complete a deal: given tiles first, then the lowest free ones, by hand and boneyard."""
    given = [tiles(text) for text in (*hands, draws, stay)]
    taken = {tile for part in given for tile in part}
    free = iter(tile for tile in ALL_TILES if tile not in taken)
    size = 6 if len(hands) == 4 else 7
    for part in given[:-2]:
        part.extend(_some(free, size - len(part)))
    given[-1].extend(_some(free, 2 - len(given[-1])))
    boneyard = (*given[-2], *free, *given[-1])
    return Deal(tuple(tuple(part) for part in given[:-2]), boneyard)


def _some(free: Iterator[Tile], count: int) -> Iterable[Tile]:
    return [next(free) for _ in range(count)]


def actions(text: str) -> list[Action]:
    return [parse_action(word) for word in text.split()]


def play_out(played: Round, text: str) -> Round:
    """Carry out actions in turn; every one must be legal."""
    for action in actions(text):
        played.do(played.to_act, action)
    return played


def longest_round(seats: int, circles: int) -> tuple[Deal, list[str]]:
    """A round of the greatest length from leader 0, as its deal and the texts of its actions.

    Every play and draw but the first of a seat comes after all passes but one that do not end the
    round. The last seat takes every draw and keeps one tile, the next keeps one, and seat 0
    goes out. The train is a part of one closed walk through all 28 tiles.
    """
    walk = closed_walk()
    size = 6 if seats == 4 else 7
    drawable = len(ALL_TILES) - seats * size - 2
    counts = [size] + [size - 1] * (seats - 2) + [size - 1 + drawable]  # plays by seat
    order = list(reversed(range(seats)))  # who plays when
    train = walk[: sum(counts)]
    spare = walk[sum(counts) :]
    hands: list[list[Tile]] = [[] for _ in range(seats)]
    at = 0
    for seat in order:
        hands[seat] = train[at : at + counts[seat]]
        at += counts[seat]
    draws = hands[-1][:drawable]
    hands[-1] = hands[-1][drawable:]
    for seat in range(1, seats):
        hands[seat].append(spare.pop())
    deal = Deal(tuple(map(tuple, hands)), (*draws, *spare))
    acts = ["d"] * drawable + [f"{train[0]}", *follow(train)]
    seats_of_acts = [seats - 1] * drawable + [seat for seat in order for _ in range(counts[seat])]
    return deal, _spread(acts, seats_of_acts, seats, circles)


def _spread(acts: list[str], by_seat: list[int], seats: int, circles: int) -> list[str]:
    """Put as many passes before every act as the seat order and the end by passes allow."""
    texts: list[str] = []
    for text, seat in zip(acts, by_seat, strict=True):
        first = (seat - len(texts)) % seats
        texts.extend("-" * (first + seats * ((circles * seats - 1 - first) // seats)))
        texts.append(text)
    return texts


def closed_walk() -> list[Tile]:
    """All 28 tiles in a ring where neighbours share a number (Hierholzer)."""
    free = set(ALL_TILES)
    stack: list[tuple[int, Tile | None]] = [(0, None)]
    ring: list[Tile] = []
    while stack:
        number, via = stack[-1]
        onward = min((tile for tile in free if number in (tile.low, tile.high)), default=None)
        if onward is None:
            stack.pop()
            if via is not None:
                ring.append(via)
            continue
        free.remove(onward)
        stack.append((onward.low + onward.high - number, onward))
    return ring


def follow(train: Sequence[Tile]) -> list[str]:
    """The texts of the plays after the first that lay the train out as given.

    The train starts at the end of its first tile that the second tile fits.
    """
    first, second = train[:2]
    shared = {second.low, second.high}
    side = ">" if first.high in shared else "<"
    return [f"{tile}{side}" for tile in train[1:]]
