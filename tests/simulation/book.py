"""What is stored, read from the store's own bytes, and played by a second set of rules.

Nothing here asks the server: the book is written from the batches that were committed, and is what
every frame and every restarted server is held against.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec
from msgspec import Struct

from passing_rules import ALL_TILES, Tile
from passing_server.storing import Batch, Durability, FinishedMatch, Kept, MatchKey
from tests.simulation.fairness import FairLog, StoredFair
from tests.simulation.world import Broken
from tests.support.naive_rules import NaiveMatch, NaiveOptions, NaiveRound

Tiles = frozenset[str]
NO_TILES: Tiles = frozenset()
_TEXTS = tuple(map(str, ALL_TILES))
_BY_HALVES = {
    halves: str(tile)
    for tile in ALL_TILES
    for halves in ((tile.low, tile.high), (tile.high, tile.low))
}


class Row(Struct):
    """A row of a log, whichever kind."""

    row: str
    round: int = 0
    leader: int = 0
    deal: str | int = ""
    seat: int = 0
    turn: int = 0
    did: str = ""


class Who(Struct):
    key: str
    name: str
    engine: str | None = None


class Struck(Struct):
    refused: int = 0


class StoredSeat(Struct):
    state: str = "empty"
    occupant: Who | None = None
    keeper: Who | None = None
    gone: bool = False
    new: bool = False
    returning: bool = False
    bank_ms: int = 0
    away_ms: int | None = None
    struck: Struck = msgspec.field(default_factory=Struck)


class Unshown(Struct):
    seat: int
    action: str


class StoredPlay(Struct):
    match: str
    rows: int
    turn: int
    asked_ms: int = 0
    turn_ms: int = 0
    left_ms: int | None = None
    unshown: Unshown | None = None
    on_turn: int = 0
    """Set from the log."""


class Rules(Struct):
    """The options that a match is played by, as the store has them."""

    seats: int = 4
    partners: bool = False
    target: int = 100
    lead: str = "random"
    pass_circles: int = 1
    out_wins_ties: bool = False
    partner_scoring: str = "opponents"
    max_rounds: int | None = None


class Stored(Struct):
    """The part of a table's value that a promise is about."""

    id: str
    state: str
    rev: int
    game: Rules
    seats: list[StoredSeat]
    left_ms: int | None = None
    play: StoredPlay | None = None
    fair: StoredFair | None = None


_read_row = msgspec.msgpack.Decoder(Row).decode
_read_table = msgspec.msgpack.Decoder(Stored).decode


@dataclass(frozen=True)
class Moment:
    """Who held what at one `rev`, what lay on the train, and who decided where.

    Who has sat down since a match was over held nothing of it.
    """

    hands: tuple[Tiles, ...] = ()
    train: Tiles = NO_TILES
    seats: Mapping[str, int] = field(default_factory=dict[str, int])


NOTHING = Moment()


@dataclass
class Result:
    """What the second set of rules says of a round that is over."""

    hands: Sequence[Sequence[str]] | None
    scores: list[int]
    ending: str
    pips: list[int]

    def is_like(self, other: "Result") -> bool:
        """Tell whether both say the same; hands may be kept hidden."""
        hands = other.hands if self.hands is None else self.hands
        return other == Result(hands, self.scores, self.ending, self.pips)


class Log:
    """A match by its stored rows; an illegal, missing or doubled one is found as it is written."""

    def __init__(self, match: str, rules: Rules) -> None:
        self.fair = FairLog(match, rules.seats)
        self.rows = 0
        self.ended = False
        self.turns: dict[int, tuple[int, str]] = {}
        self.deals: list[tuple[int, str]] = []
        self.results: list[Result] = []
        self.now: NaiveRound | None = None
        self._circles = rules.pass_circles
        self.match = NaiveMatch(
            NaiveOptions(
                rules.seats,
                rules.partners,
                rules.target,
                rules.lead,
                rules.pass_circles,
                rules.out_wins_ties,
                rules.partner_scoring == "opponents",
                rules.max_rounds,
            )
        )

    def write(self, row: Row, body: bytes) -> None:
        self.rows += 1
        if self.ended:
            raise Broken("the log of a match goes on after its end")
        match row.row:
            case "deal":
                self._begin(row)
            case "did":
                self._act(row)
            case "end":
                self.ended = True
            case "tips":
                self.fair.write_tips(body)
            case "links":
                self.fair.write_links(body)
            case _:
                if row.seat >= self.match.options.seats:
                    raise Broken(f"a row is about seat {row.seat}")

    def _begin(self, row: Row) -> None:
        if self.now is not None and not self.now.ending:
            raise Broken("a round is dealt anew before it is over")
        deal = str(row.deal)
        rows = [tiles.split() for tiles in deal.replace("|", " ").split("/")]
        if len({tile for tiles in rows for tile in tiles}) != 28 or sum(map(len, rows)) != 28:
            raise Broken("a deal is not the whole set")
        if row.round != self.match.rounds + 1:
            raise Broken(f"round {row.round} follows round {self.match.rounds}")
        if row.leader != self.match.next_leader(row.leader):
            raise Broken(f"seat {row.leader} leads round {row.round} out of order")
        by_chance = self.match.rounds == 0 or self.match.options.lead == "random"
        self.fair.verify_deal(deal, row.leader if by_chance else None)
        parsed = [[Tile.parse(tile) for tile in tiles] for tiles in rows]
        self.now = NaiveRound(parsed[:-1], parsed[-1], row.leader, self._circles)
        self.deals.append((row.leader, deal))

    def _act(self, row: Row) -> None:
        now = self.now
        if now is None:
            raise Broken("an action before a deal")
        if row.turn in self.turns:
            raise Broken(f"turn {row.turn} is stored twice")
        if self.turns and row.turn <= max(self.turns):
            raise Broken(f"turn {row.turn} comes after a later one")
        text = "-" if row.did == "-t" else row.did[:1] if row.did[0] == "d" else row.did
        refusal = now.refusal(row.seat, text)
        if refusal:
            raise Broken(f"turn {row.turn}: {row.did} of seat {row.seat} is illegal: {refusal}")
        record = now.act(row.did if row.did == "-t" else text)
        if record != row.did:
            raise Broken(f"turn {row.turn}: {row.did} is stored, {record} was done")
        self.turns[row.turn] = (row.seat, row.did)
        if now.ending:
            self.match.score(now)
            hands = [sorted(map(str, hand)) for hand in now.hands]
            self.results.append(Result(hands, list(self.match.scores), now.ending, now.pips))

    def has_dealt(self, number: int, leader: int) -> bool:
        """Tell whether a round was dealt here."""
        return len(self.deals) >= number and self.deals[number - 1][0] == leader

    def moment(self, seats: Mapping[str, int]) -> Moment:
        now = self.now
        if now is None:
            return Moment(seats=seats)
        hands = tuple(frozenset(_TEXTS[tile.index] for tile in hand) for hand in now.hands)
        train = frozenset(_BY_HALVES[a, b] for a, b, _ in now.train)
        if sum(map(len, hands)) + len(train) + len(now.boneyard) != 28:
            raise Broken("the tiles are not 28 any more")
        return Moment(hands, train, seats)


def _without_new(moment: Moment, seats: Sequence[StoredSeat]) -> Moment:
    held = zip(moment.hands, seats, strict=False)
    return replace(moment, hands=tuple(NO_TILES if seat.new else hand for hand, seat in held))


@dataclass
class Shelf:
    """A table as it is stored: its value, the log of its newest match, and what was when."""

    stored: Stored
    durability: Durability
    match: str = ""
    logs: list[Log] = field(default_factory=list[Log])
    """The matches, the newest last."""
    turns: dict[int, tuple[int, str]] = field(default_factory=dict[int, tuple[int, str]])
    """What was done in each turn of all its matches."""
    moments: dict[int, Moment] = field(default_factory=dict[int, Moment])
    revs: list[int] = field(default_factory=list[int])
    gone: bool = False
    last: Moment = NOTHING
    """The moment in which the table was closed."""
    version: int = 0
    """Counts the commits."""

    @property
    def log(self) -> Log | None:
        """The match that is played, or was last."""
        return self.logs[-1] if self.logs else None

    @property
    def over(self) -> bool:
        """Tell whether no match is going on."""
        return self.gone or self.stored.state in ("over", "closed")

    def done(self, turn: int) -> tuple[int, str] | None:
        """What was done in a turn, or is to be as soon as it may be shown."""
        play = self.stored.play
        if turn not in self.turns and play is not None and play.turn == turn and play.unshown:
            return (play.unshown.seat, play.unshown.action)
        return self.turns.get(turn)

    def around(self, rev: int) -> list[Moment]:
        """The moment of a `rev`, or those before and after it when it was none of its own."""
        if self.gone and rev > self.stored.rev:
            return [self.last]
        exact = self.moments.get(rev)
        if exact is not None:
            return [exact]
        place = bisect_left(self.revs, rev)
        return [self.moments[number] for number in self.revs[max(0, place - 1) : place + 1]]


def decides(stored: Stored) -> dict[str, int]:
    """Who decides for which seat."""
    return {
        seat.occupant.key: number
        for number, seat in enumerate(stored.seats)
        if seat.occupant is not None and not seat.gone
    }


class Book:
    """All tables, by what was committed."""

    def __init__(self) -> None:
        self.shelves: dict[str, Shelf] = {}
        self.matches_over = 0
        self.deals = 0
        self.rounds = 0
        self._rows: dict[MatchKey, list[bytes]] = {}
        self._has_lost_counters = False

    def secrets(self) -> set[str]:
        """What nobody may be told of the fair deals at all tables."""
        found: set[str] = set()
        for shelf in self.shelves.values():
            if shelf.stored.fair is not None and not shelf.gone:
                found |= shelf.stored.fair.state.secrets
        return found

    @property
    def is_played(self) -> bool:
        """Tell whether tiles have been dealt anywhere."""
        return any(shelf.logs for shelf in self.shelves.values())

    def write(self, batch: Batch) -> None:
        """Take in what is stored now."""
        for part, durability in ((batch.full, Durability.FULL), (batch.fast, Durability.FAST)):
            stored = {
                key: _read_table(value) for key, value in part.tables.items() if value is not None
            }
            for key, value in stored.items():
                if key not in self.shelves:
                    self.shelves[key] = Shelf(value, durability)
            for entry in part.entries:
                self._add(entry.key, entry.seq, entry.body)
            for key, value in stored.items():
                self._replace(self.shelves[key], value)
            for key in [key for key in part.tables if key not in stored and key in self.shelves]:
                self._remove(self.shelves[key])

    def _remove(self, shelf: Shelf) -> None:
        self.matches_over += bool(shelf.logs) and not shelf.over
        shelf.gone = True
        if shelf.log is not None:
            shelf.last = shelf.log.moment(decides(shelf.stored))

    def _add(self, key: MatchKey, seq: int, body: bytes) -> None:
        shelf = self.shelves[key.table]
        if shelf.match != key.match:
            shelf.match = key.match
            shelf.logs.append(Log(key.match, shelf.stored.game))
        log = shelf.logs[-1]
        if seq != log.rows + 1:
            raise Broken(f"{key}: row {seq} follows row {log.rows}")
        row = _read_row(body)
        if row.row == "did" and row.turn in shelf.turns:
            raise Broken(f"{key}: turn {row.turn} is applied twice")
        known = len(log.results)
        log.write(row, body)
        self.deals += row.row == "deal"
        self.rounds += len(log.results) - known
        self._rows.setdefault(key, [])[seq - 1 :] = [body]
        if row.row == "did":
            shelf.turns[row.turn] = (row.seat, row.did)

    def _replace(self, shelf: Shelf, stored: Stored) -> None:
        if stored.rev < shelf.stored.rev:
            raise Broken(f"table {stored.id} goes back from {shelf.stored.rev} to {stored.rev}")
        was_over = shelf.over
        shelf.stored = stored
        shelf.version += 1
        if stored.play is not None and shelf.log is not None and shelf.log.now is not None:
            stored.play.on_turn = shelf.log.now.on_turn
        self.matches_over += shelf.over and not was_over
        seats = decides(stored)
        moment = shelf.log.moment(seats) if shelf.log else Moment(seats=seats)
        shelf.moments[stored.rev] = _without_new(moment, stored.seats)
        if not shelf.revs or shelf.revs[-1] != stored.rev:
            shelf.revs.append(stored.rev)

    def has_match(self, match: FinishedMatch) -> bool:
        """Tell whether a match is kept as it was stored."""
        return self._rows.get(MatchKey(match.table, match.match)) == match.rows

    def reload(self, kept: Kept, lost: Durability) -> None:
        """Go back to what is there after a loss: only tables of that durability may be others.

        With `full` the counters are lost too: a table may get the name of one that is no more.
        """
        self._has_lost_counters |= lost is Durability.FULL
        self._rows |= {key: list(rows) for key, rows in kept.logs.items()}
        for key, shelf in list(self.shelves.items()):
            there = kept.tables.get(key)
            forgotten = self._has_lost_counters and there is None
            if forgotten and (shelf.gone or shelf.durability is lost):
                del self.shelves[key]
            elif shelf.durability is not lost:
                if (there is None) is not shelf.gone:
                    raise Broken(f"table {key} was lost, or is there again")
            elif there is None:
                shelf.gone = True
            else:
                self._reload(shelf, _read_table(there.value), kept.logs)

    def _reload(self, shelf: Shelf, stored: Stored, logs: Mapping[MatchKey, list[bytes]]) -> None:
        shelf.gone = False
        shelf.stored = stored
        shelf.version += 1
        shelf.revs = [rev for rev in shelf.revs if rev <= stored.rev]
        shelf.moments = {rev: shelf.moments[rev] for rev in shelf.revs}
        shelf.logs = []
        shelf.turns = {}
        shelf.match = ""
        if stored.play is None:
            return
        shelf.match = stored.play.match
        shelf.logs.append(Log(shelf.match, stored.game))
        for body in logs[MatchKey(stored.id, shelf.match)]:
            row = _read_row(body)
            shelf.logs[-1].write(row, body)
            if row.row == "did":
                shelf.turns[row.turn] = (row.seat, row.did)
