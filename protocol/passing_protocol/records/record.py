"""A game record as values: what was dealt, done and scored, as one reader may know it.

A tile that the reader may not know is None. `write` gives the text of a record and `parse` reads
it; nothing is lost either way. RECORDS.md describes the text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from passing_protocol.records.proof import Proof
from passing_protocol.records.quoting import InvalidValue, verify_characters
from passing_protocol.views import DealKind
from passing_rules import ALL_TILES, ActionRecord, Options, RoundResult, Tile

Tiles = tuple[Tile | None, ...]
"""Tiles, None for each that the reader may not know."""

DATE: Final = re.compile(r"([0-9]{4}|\?{4})\.(0[1-9]|1[0-2]|\?\?)\.(0[1-9]|[12][0-9]|3[01]|\?\?)")
DATE_FORM: Final = "YYYY.MM.DD, with question marks for what is not known"
TAG_NAME: Final = re.compile("[A-Za-z][A-Za-z0-9_]*")
SEAT_TAG: Final = re.compile("(?:Seat|Engine)[0-9]+")
MOST_SEATS: Final = 4
MOST: Final = 999_999
"""The highest number in a record."""
KNOWN_TAG: Final = re.compile(
    "Game|Proof|Record|Event|Date|View|Match|Deal|Seats|Mode|Target|Lead|PassCircles|OutWinsTies"
    f"|PartnerScoring|MaxRounds|{SEAT_TAG.pattern}"
)
"""The names of the tags that the record's own fields are written in."""


@dataclass(frozen=True, slots=True)
class View:
    """Say who a record is for: for who may know everything, for everybody, or for one seat.

    Raises InvalidValue.

    >>> str(FULL), str(PUBLIC), str(View(seat=2))
    ('full', 'public', 'seat 2')
    """

    full: bool = False
    seat: int | None = None

    def __post_init__(self) -> None:
        """Refuse to be two things at once, and a seat that no table has."""
        if self.full and self.seat is not None:
            raise InvalidValue(f"view: seat {self.seat} and full, allowed is one of the two")
        if self.seat is not None:
            verify_within("view: seat", self.seat, range(MOST_SEATS))

    def __str__(self) -> str:
        """Write `full`, `public` or `seat 2`."""
        if self.full:
            return "full"
        return "public" if self.seat is None else f"seat {self.seat}"


FULL: Final = View(full=True)
PUBLIC: Final = View()


@dataclass(frozen=True, slots=True)
class SeatTag:
    """Name who sits at a seat when the match begins; `engine` is a bot's program.

    Raises InvalidValue.
    """

    name: str
    engine: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be written."""
        verify_characters("name", self.name)
        verify_characters("engine", self.engine or "")


class ChangeKind(StrEnum):
    """Name what can happen to a seat in the middle of a match."""

    ENGINE = "engine"
    PLAYER = "player"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class SeatChange:
    """Record that a seat changed hands, or was lost, in a round; raises InvalidValue.

    `after` counts the actions of the round that came before. `text` is the engine that plays on,
    the name of the player who does, or why the seat was forfeited.
    """

    seat: int
    after: int
    kind: ChangeKind
    text: str

    def __post_init__(self) -> None:
        """Refuse what cannot be written."""
        verify_within("change: seat", self.seat, range(MOST_SEATS))
        verify_characters("change", self.text)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """Record one round. `scores_before` are by side, `hands` and `left` by seat.

    `boneyard` is in draw order; its last two tiles stay. `left` holds the tiles left in the hands
    at the end, and is empty where `result` is None: the round is being played or was cut short.
    Hands are in order (`tile_rank`), `actions` go round from the leader on, and `changes` are in
    the order of time. Raises InvalidValue.
    """

    number: int
    leader: int
    scores_before: tuple[int, ...]
    hands: tuple[Tiles, ...]
    boneyard: Tiles
    actions: tuple[ActionRecord, ...]
    changes: tuple[SeatChange, ...] = ()
    result: RoundResult | None = None
    left: tuple[Tiles, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be written, or would be read as another round."""
        seats = range(len(self.hands))
        verify_within("leader:", self.leader, seats)
        _verify_numbers("round", self.number)
        _verify_numbers("scores_before", *self.scores_before)
        _verify_order("hands", self.hands)
        for place, action in enumerate(self.actions):
            expected = (self.leader + place) % len(seats)
            if action.seat != expected:
                raise InvalidValue(f"action {place}: seat {action.seat}, expected {expected}")
        self._verify_changes(seats)
        if self.result is not None:
            self._verify_result(self.result, seats)
        elif self.left:
            raise InvalidValue(f"left: {len(self.left)} hands, allowed is none before the end")

    def _verify_changes(self, seats: range) -> None:
        least = 0
        for change in self.changes:
            verify_within("change: seat", change.seat, seats)
            verify_within("change: after", change.after, range(least, len(self.actions) + 1))
            least = change.after

    def _verify_result(self, result: RoundResult, seats: range) -> None:
        if (result.number, result.leader) != (self.number, self.leader):
            told = f"round {result.number} led by {result.leader}"
            raise InvalidValue(f"result: {told}, expected {self.number} led by {self.leader}")
        if not len(result.pips) == len(self.left) == len(seats):
            told = f"{len(result.pips)} pips, {len(self.left)} hands left"
            raise InvalidValue(f"result: {told}, needed are {len(seats)}")
        _verify_order("left", self.left)
        verify_ascending("winners", result.winners, seats)
        _verify_numbers("result", *result.pips, *result.scores, result.points)
        if result.points and not result.winners:
            raise InvalidValue(f"points: {result.points} for nobody, allowed is 0")


def tile_rank(tile: Tile | None) -> int:
    """Return the place of a tile in the order of a hand: the lowest first, unknown ones last."""
    return len(ALL_TILES) if tile is None else tile.index


def verify_within(field: str, value: int, allowed: range) -> None:
    """Raise InvalidValue where a number is not allowed, naming its field."""
    if value not in allowed:
        raise InvalidValue(f"{field} {value}, allowed are {allowed.start} to {allowed.stop - 1}")


def verify_ascending(field: str, seats: tuple[int, ...], allowed: range) -> None:
    """Raise InvalidValue unless each seat is allowed and higher than the one before."""
    if any(seat not in allowed for seat in seats) or list(seats) != sorted(set(seats)):
        last = allowed.stop - 1
        raise InvalidValue(f"{field}: {seats}, allowed are ascending seats from 0 to {last}")


def _verify_numbers(field: str, *numbers: int) -> None:
    for number in numbers:
        verify_within(f"{field}:", number, range(MOST + 1))


def _verify_order(field: str, hands: tuple[Tiles, ...]) -> None:
    for seat, hand in enumerate(hands):
        if list(hand) != sorted(hand, key=tile_rank):
            raise InvalidValue(f"{field}: that of seat {seat} is not in order, the lowest first")


class EndReason(StrEnum):
    """Name the ways in which a match ends."""

    TARGET = "target"
    MAX_ROUNDS = "max_rounds"
    FORFEIT = "forfeit"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Record how a match ended: the side that won, none where nobody did, and who forfeited.

    Raises InvalidValue: seats forfeit exactly where the reason says so, nobody wins an
    abandoned match, and somebody reached the target.
    """

    reason: EndReason
    winner: int | None = None
    forfeited: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse values that cannot go together."""
        if bool(self.forfeited) != (self.reason is EndReason.FORFEIT):
            raise InvalidValue(f"forfeited: {self.forfeited} with {self.reason}")
        if self.winner is not None and self.reason is EndReason.ABANDONED:
            raise InvalidValue(f"winner: {self.winner} with {self.reason}, allowed is none")
        if self.winner is None and self.reason is EndReason.TARGET:
            raise InvalidValue(f"winner: none with {self.reason}, needed is a side")

    @classmethod
    def told(cls, reason: str, winner: int | None, lost: Iterable[int]) -> Self:
        """Return the end that a table tells; seats that were `lost` matter only if they are why.

        A seat may have been lost, and the match have gone on to another end. Raises ValueError.
        """
        why = EndReason(reason)
        return cls(why, winner, tuple(sorted(lost)) if why is EndReason.FORFEIT else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Record one match, whole or as far as it went; raises InvalidValue.

    `date` is `YYYY.MM.DD`, `match` the table's name for it. `tags` are further tags, in order.
    `outcome` is None while the match goes on. `proof` is what was shown of fair deals, in the order
    of time.
    """

    event: str
    view: View
    deal_kind: DealKind
    options: Options
    seats: tuple[SeatTag, ...]
    rounds: tuple[RoundRecord, ...]
    outcome: Outcome | None = None
    date: str | None = None
    match: str | None = None
    tags: tuple[tuple[str, str], ...] = ()
    proof: tuple[Proof, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be written."""
        verify_characters("event", self.event)
        verify_characters("match", self.match or "")
        if self.date is not None and not DATE.fullmatch(self.date):
            raise InvalidValue(f"date: {self.date!r}, allowed is {DATE_FORM}")
        if len(self.seats) != self.options.seats:
            raise InvalidValue(f"seats: {len(self.seats)}, needed are {self.options.seats}")
        if self.view.seat is not None:
            verify_within("view: seat", self.view.seat, range(self.options.seats))
        _verify_tags(self.tags)
        for played in self.rounds:
            _verify_size(self.options, played)
        if any(played.result is None for played in self.rounds[:-1]):
            raise InvalidValue("rounds: one that is unfinished is followed by another")
        if self.outcome is not None:
            _verify_outcome(self.options, self.outcome)


def _verify_tags(tags: tuple[tuple[str, str], ...]) -> None:
    """Raise InvalidValue for a tag of no allowed name, for one there twice, or a bad value."""
    seen: set[str] = set()
    for name, value in tags:
        if not TAG_NAME.fullmatch(name):
            raise InvalidValue(f"tag: {name!r}, allowed are letters, digits and _")
        if name in seen or KNOWN_TAG.fullmatch(name):
            raise InvalidValue(f"tag: {name} is there already")
        seen.add(name)
        verify_characters(name, value)


def _verify_size(options: Options, played: RoundRecord) -> None:
    """Raise InvalidValue unless a round has as many hands, tiles and scores as its table."""
    yard = len(ALL_TILES) - options.seats * options.hand_size
    sizes = [len(hand) for hand in played.hands], len(played.boneyard)
    if sizes != ([options.hand_size] * options.seats, yard):
        raise InvalidValue(f"round {played.number}: {sizes} tiles, not those of {options.seats}")
    result = played.result
    scores = [played.scores_before] if result is None else [played.scores_before, result.scores]
    if any(len(each) != options.sides for each in scores):
        raise InvalidValue(f"round {played.number}: {scores}, needed are {options.sides} scores")
    if result is not None:
        side = options.side_of(result.winners[0]) if result.winners else None
        if result.side != side:
            raise InvalidValue(f"round {played.number}: side {result.side}, expected {side}")


def _verify_outcome(options: Options, outcome: Outcome) -> None:
    """Raise InvalidValue where an end names a side or a seat that the table does not have."""
    if outcome.winner is not None:
        verify_within("winner:", outcome.winner, range(options.sides))
    verify_ascending("forfeited", outcome.forfeited, range(options.seats))
