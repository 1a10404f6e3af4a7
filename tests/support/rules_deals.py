"""Deals and rounds made to measure, for tests of the rules."""

from collections.abc import Iterable, Iterator, Sequence

from passing_rules import ALL_TILES, Deal, Tile


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


# The train 56 45 46 36 23 26 66 16 01 06: all seven sixes on it, sixes at both ends.
SIXES_DEAL = deal_with("06 16 26 36 45", "01 66 23 46 56")
SIXES = "06 01< 16< 66< 26< 23< 36< 46< 45< 56<"

# The train 36 23 26 66 46 45 56: sixes at both ends, the two other sixes stay in the boneyard.
FLOOR_DEAL = deal_with("26 36 46 56", "23 66 45", stay="06 16")
FLOOR = "26 23< 36< 66> 46> 45> 56>"

BLANK_DEAL = deal_with("06 12 66 22 36 44 56", "02 16 26 23 46 45 00")
BLANK = "06 02< 12< 16< 66< 26< 22< 23< 36< 46< 44< 45< 56<"
"""Seat 0 goes out, seat 1 keeps the double blank: a tie."""
