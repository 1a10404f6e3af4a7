"""The standings of a league, from the events of its log alone, in whatever order they come.

Only whole blocks count: of a deal that was not played in all rotations nobody knows whom it
favoured. All sums are exact fractions, so no order of adding changes a digit, and what cancels is
exactly 0; they are rounded once, at the end.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from passing_bots.league.book import Book
from passing_bots.league.estimates import ENOUGH_BLOCKS, METHOD, Estimate, Strata, Tally
from passing_bots.league.log import FaultKind, FaultNoted, GameOver, LeagueEvent
from passing_bots.league.plan import GameKey, Pairing, pairing_text, records_name
from passing_bots.league.scoring import difference, margins, winner
from passing_bots.league.settings import LeagueSettings
from passing_protocol.events import FaultOwner


class Row(Struct, frozen=True):
    """Hold what one engine has reached. `games`, `won` and `forfeits` are those in whole blocks.

    `rank` is null for an engine that is out, or has no whole block. `clean` is the margin without
    the blocks that hold a forfeit, whoever's. `won` counts the games won outright. `faults` are
    all of the engine's own. `out` is why its remaining games were not played.
    """

    rank: int | None
    engine: str
    margin: Estimate
    clean: Estimate
    games: int
    won: int
    forfeits: int
    faults: int
    out: str | None


class Cell(Struct, frozen=True):
    """Tell by how many points a game `engine` beat `other` where both played; minus: it lost."""

    engine: str
    other: str
    difference: Estimate


class Gain(Struct, frozen=True):
    """Tell how many times as many games of a deal each the games of whole blocks were worth.

    So many times less their means varied. `gain` is null where that cannot be measured; `cancels`
    says that blocks did not vary at all.
    """

    pairing: str
    blocks: int
    gain: float | None
    cancels: bool


class FaultCount(Struct, frozen=True):
    """Count an engine's faults of one kind; `game` and `evidence` are of the first in the plan.

    `engine` is null for those that lie with none. `record` names the file, among the results, in
    which that game is the one with this `number`, from 1; null where it has no record.
    """

    engine: str | None
    owner: FaultOwner
    kind: FaultKind
    count: int
    replayed: int
    game: str
    record: str | None
    number: int | None
    evidence: str


class Standings(Struct, frozen=True):
    """Hold all that is told of a league.

    `over` says that the log has an end. Each of the `planned` games is either one of the `games`
    of whole blocks, or `unpaired`, or `dropped` as an engine of it was out, or `left` to play.
    """

    league: LeagueSettings
    program: str
    over: bool
    method: str
    planned: int
    games: int
    unpaired: int
    dropped: int
    left: int
    blocks: int
    rows: tuple[Row, ...]
    crosstable: tuple[Cell, ...]
    gains: tuple[Gain, ...]
    faults: tuple[FaultCount, ...]


def standings(events: Iterable[LeagueEvent]) -> Standings:
    """Return the standings; raises InvalidLog where events do not belong to one league."""
    book = Book.of(events)
    tables = _Tables(book)
    planned = len(book.places) * book.settings.blocks * book.settings.sides
    counted, dropped = tables.blocks * book.settings.sides, _dropped(book)
    return Standings(
        league=book.settings,
        program=book.began.program,
        over=book.over,
        method=METHOD,
        planned=planned,
        games=counted,
        unpaired=len(book.games) - counted,
        dropped=dropped,
        left=planned - len(book.games) - dropped,
        blocks=tables.blocks,
        rows=tuple(_rows(book, tables)),
        crosstable=tuple(_crosstable(book, tables)),
        gains=tuple(_gains(book, tables)),
        faults=tuple(_faults(book)),
    )


def _dropped(book: Book) -> int:
    """Count the games that are not played, as an engine is out."""
    off = {pairing for pairing in book.places if book.out.keys() & set(pairing)}
    played = sum(key.pairing in off for key in book.games)
    return len(off) * book.settings.blocks * book.settings.sides - played


class _Tables:
    """Hold the tallies that every table of the standings is made of."""

    def __init__(self, book: Book) -> None:
        """Take in all whole blocks of a league."""
        self.blocks = 0
        self.margins: dict[str, Strata] = defaultdict(Strata)
        self.clean: dict[str, Strata] = defaultdict(Strata)
        self.games: dict[str, int] = defaultdict(int)
        self.won: dict[str, int] = defaultdict(int)
        self.forfeits: dict[str, int] = defaultdict(int)
        self.differences: dict[tuple[str, str], Strata] = defaultdict(Strata)
        self.clean_of: dict[tuple[Pairing, str], Tally] = defaultdict(Tally)
        """By pairing and engine: the means of the blocks without a forfeit."""
        self.single_of: dict[tuple[Pairing, str], Tally] = defaultdict(Tally)
        """By pairing and engine: the margins of the single games in those blocks."""
        self._margin = book.settings.faults.margin
        for block in book.whole_blocks():
            self._add(block)

    def _add(self, block: Sequence[GameOver]) -> None:
        """Take in the games of one whole block."""
        self.blocks += 1
        pairing = block[0].pairing
        single = [self._by_engine(game) for game in block]
        clean = not any(game.forfeits for game in block)
        for game in block:
            side = winner(game.points, _sides(game))
            if side is not None:
                self.won[game.game.engines[side]] += 1
        for engine in pairing:
            values = [values[engine] for values in single]
            mean = sum(values, start=Fraction()) / len(block)
            self.games[engine] += len(block)
            self.forfeits[engine] += sum(engine in game.forfeits for game in block)
            self.margins[engine].add(pairing, mean)
            if clean:
                self.clean[engine].add(pairing, mean)
                self.clean_of[pairing, engine].add(mean)
                for value in values:
                    self.single_of[pairing, engine].add(value)
            for other in pairing:
                if other != engine:
                    self._compare(engine, other, block)

    def _by_engine(self, game: GameOver) -> dict[str, Fraction]:
        """Return the margin of each engine in a game."""
        engines = game.game.engines
        return dict(zip(engines, margins(game.points, _sides(game), self._margin), strict=True))

    def _compare(self, engine: str, other: str, block: Sequence[GameOver]) -> None:
        """Take in by how many points a game one engine beat another in a block."""
        total = 0
        for game in block:
            row, column = map(game.game.engines.index, (engine, other))
            total += difference(game.points, _sides(game), self._margin, row, column)
        self.differences[engine, other].add(block[0].pairing, Fraction(total, len(block)))


def _sides(game: GameOver) -> set[int]:
    """Return the sides that forfeited a game."""
    return {side for side, name in enumerate(game.game.engines) if name in game.forfeits}


def _rows(book: Book, tables: _Tables) -> Iterator[Row]:
    """Yield the engines, the best first; then those without a whole block, then those out."""
    own = Counter(fault.engine for fault in book.faults if fault.owner == "player")
    order = {name: _order(name in book.out, tables.margins[name].mean) for name in book.names}
    for rank, name in enumerate(sorted(book.names, key=order.__getitem__), start=1):
        yield Row(
            rank=None if any(order[name][:2]) else rank,
            engine=name,
            margin=tables.margins[name].estimate(),
            clean=tables.clean[name].estimate(),
            games=tables.games[name],
            won=tables.won[name],
            forfeits=tables.forfeits[name],
            faults=own[name],
            out=book.out.get(name),
        )


def _order(out: bool, mean: Fraction | None) -> tuple[bool, bool, Fraction]:
    return out, mean is None, -(mean or Fraction())


def _crosstable(book: Book, tables: _Tables) -> Iterator[Cell]:
    """Yield the cells of all engines that have met, in the order of the settings."""
    for engine in book.names:
        for other in book.names:
            tally = tables.differences.get((engine, other))
            if tally is not None:
                yield Cell(engine, other, tally.estimate())


def _gains(book: Book, tables: _Tables) -> Iterator[Gain]:
    """Yield for each pairing what playing every deal in all rotations has gained.

    For each engine of the pairing: the variance of its margin in single games, divided by the
    number of rotations, is that of the mean of so many games with a deal each. The variance of
    its block means is that of as many games with one deal. Both are over the same games, those of
    the blocks without a forfeit, and are added up over the engines before one is divided by the
    other.
    """
    for pairing in book.places:
        means = [tables.clean_of[pairing, engine] for engine in pairing]
        singles = [tables.single_of[pairing, engine] for engine in pairing]
        if means[0].count < ENOUGH_BLOCKS:
            continue
        apart = sum(tally.variance for tally in singles) / book.settings.sides
        paired = sum(tally.variance for tally in means)
        yield Gain(
            pairing=pairing_text(pairing),
            blocks=means[0].count,
            gain=float(apart / paired) if paired else None,
            cancels=not paired,
        )


def _faults(book: Book) -> Iterator[FaultCount]:
    """Yield the faults by engine in the order of the settings, then by owner and kind."""
    alike: dict[tuple[int, FaultOwner, FaultKind], list[FaultNoted]] = defaultdict(list)
    names = [*book.names, None]
    numbers = _numbers(book)
    for fault in book.faults:
        alike[names.index(fault.engine), fault.owner, fault.kind].append(fault)
    for (place, owner, kind), faults in sorted(alike.items()):
        first = min(faults, key=lambda fault: (book.order(fault.game), fault.evidence))
        yield FaultCount(
            engine=names[place],
            owner=owner,
            kind=kind,
            count=len(faults),
            replayed=sum(fault.replay for fault in faults),
            game=str(first.game),
            record=records_name(first.game.pairing) if first.game in numbers else None,
            number=numbers.get(first.game),
            evidence=first.evidence,
        )


def _numbers(book: Book) -> dict[GameKey, int]:
    """Return the number that each game has among those of its pairing with a record, from 1."""
    numbers: dict[GameKey, int] = {}
    seen: Counter[Pairing] = Counter()
    for key in sorted(book.games, key=book.order):
        if book.games[key].record is not None:
            seen[key.pairing] += 1
            numbers[key] = seen[key.pairing]
    return numbers
