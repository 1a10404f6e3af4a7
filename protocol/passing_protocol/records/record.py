"""A game record as values: what was dealt, done and scored, as one reader may know it.

A tile that the reader may not know is None. `write` gives the text of a record and `parse` reads
it; nothing is lost either way. RECORDS.md describes the text.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from passing_protocol.records.quoting import InvalidValue, verify_characters
from passing_protocol.views import DealKind
from passing_rules import ActionRecord, Options, RoundResult, Tile

Tiles = tuple[Tile | None, ...]
"""Tiles, None for each that the reader may not know."""

DATE: Final = re.compile(r"([0-9]{4}|\?{4})\.(0[1-9]|1[0-2]|\?\?)\.(0[1-9]|[12][0-9]|3[01]|\?\?)")
DATE_FORM: Final = "YYYY.MM.DD, with question marks for what is not known"
TAG_NAME: Final = re.compile("[A-Za-z][A-Za-z0-9_]*")
SEAT_TAG: Final = re.compile("(?:Seat|Engine)[0-9]+")
KNOWN_TAG: Final = re.compile(
    "Game|Record|Event|Date|View|Match|Deal|Seats|Mode|Target|Lead|PassCircles|OutWinsTies"
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
        """Refuse to be two things at once."""
        if self.full and self.seat is not None:
            raise InvalidValue(f"view: seat {self.seat} and full, allowed is one of the two")

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
        verify_characters("change", self.text)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """Record one round. `scores_before` are by side, `hands` and `left` by seat.

    `boneyard` is in draw order; its last two tiles stay. `left` holds the tiles left in the hands
    at the end, and is empty where `result` is None: the round is being played or was cut short.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Record one match, whole or as far as it went; raises InvalidValue.

    `date` is `YYYY.MM.DD`, `match` the table's name for it. `tags` are further tags, in order.
    `outcome` is None while the match goes on.
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

    def __post_init__(self) -> None:
        """Refuse what cannot be written."""
        verify_characters("event", self.event)
        verify_characters("match", self.match or "")
        if self.date is not None and not DATE.fullmatch(self.date):
            raise InvalidValue(f"date: {self.date!r}, allowed is {DATE_FORM}")
        if len(self.seats) != self.options.seats:
            raise InvalidValue(f"seats: {len(self.seats)}, needed are {self.options.seats}")
        if self.view.seat is not None and self.view.seat >= self.options.seats:
            raise InvalidValue(f"view: {self.view}, allowed are 0 to {self.options.seats - 1}")
        _verify_tags(self.tags)


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
