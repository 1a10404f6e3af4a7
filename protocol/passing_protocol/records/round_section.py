"""Read one round of a record: what was dealt, done and scored."""

import re
from functools import cache
from typing import Final

from passing_protocol.records.places import RoundPlaces
from passing_protocol.records.reader import Reader
from passing_protocol.records.record import (
    ChangeKind,
    RoundRecord,
    SeatChange,
    Tiles,
    tile_rank,
)
from passing_protocol.records.text import NOBODY, UNFINISHED, UNKNOWN
from passing_rules import ALL_TILES, UNDRAWABLE, ActionRecord, Ending, Options, RoundResult, Tile

_TILE: Final = re.compile(r"(?:[0-6]{2}|\?\?)(?![0-9<>?])")
_ACTION: Final = re.compile(r"(?:[0-6]{2}[<>]?|d[0-6]{2}|d\?\?|-t?)(?![0-9a-z<>?-])")
_POINTS: Final = re.compile(r"\+(?:0|[1-9][0-9]{0,5})(?![0-9])")
_LAP: Final = re.compile(r"[0-9]+\.")


def read_round(reader: Reader, options: Options) -> tuple[RoundRecord, RoundPlaces]:
    """Read the next round, and where its pieces stand; raises InvalidRecord."""
    return _RoundReader(reader, options).read()


@cache
def _action(seat: int, text: str) -> ActionRecord:
    """Return the action of a cell; there are fewer than 200 of a seat."""
    return ActionRecord.parse(seat, text)


class _RoundReader:
    """Read one round, line by line."""

    def __init__(self, reader: Reader, options: Options) -> None:
        self.reader = reader
        self.options = options
        self.seats = range(options.seats)

    def read(self) -> tuple[RoundRecord, RoundPlaces]:
        reader = self.reader
        reader.choice("round")
        number = reader.number("the number of the round")
        places = RoundPlaces(reader.at)
        reader.choice("lead")
        leader = reader.number("a seat", self.seats)
        places.leader = reader.at
        before = self._scores(places.scores_before)
        reader.end_line()
        hands = tuple(self._hand(seat, places) for seat in self.seats)
        boneyard = self._boneyard(places)
        actions, changes = self._laps(leader, places)
        result, left = self._end(number, leader, places)
        played = RoundRecord(
            number=number,
            leader=leader,
            scores_before=before,
            hands=hands,
            boneyard=boneyard,
            actions=actions,
            changes=changes,
            result=result,
            left=left,
        )
        return played, places

    def _scores(self, places: list[int]) -> tuple[int, ...]:
        self.reader.choice("score")
        scores: list[int] = []
        for side in range(self.options.sides):
            scores.append(self.reader.number(f"the score of side {side}"))
            places.append(self.reader.at)
        return tuple(scores)

    def _tile(self, places: list[int], expected: str = "a tile or ??") -> Tile | None:
        text = self.reader.piece(_TILE, expected)
        places.append(self.reader.at)
        return None if text == UNKNOWN else Tile.parse(text)

    def _seat(self, word: str, seat: int) -> None:
        """Take the beginning of a seat's own line; the seats come in order."""
        self.reader.choice(word)
        self.reader.number(f"{word} {seat}", range(seat, seat + 1))

    def _hand(self, seat: int, places: RoundPlaces) -> Tiles:
        self._seat("hand", seat)
        where: list[int] = []
        tiles = [self._tile(where) for _ in range(self.options.hand_size)]
        if not self.reader.at_line_end:
            self.reader.quoted()  # the name there is for people: the tag has it
        self.reader.end_line()
        hand, in_order = _in_order(tiles, where)
        places.hands.append(in_order)
        return hand

    def _boneyard(self, places: RoundPlaces) -> Tiles:
        self.reader.choice("yard")
        size = len(ALL_TILES) - self.options.seats * self.options.hand_size
        drawable = [self._tile(places.boneyard) for _ in range(size - UNDRAWABLE)]
        self.reader.mark("|")
        stay = [self._tile(places.boneyard) for _ in range(UNDRAWABLE)]
        self.reader.end_line()
        return (*drawable, *stay)

    def _laps(
        self, leader: int, places: RoundPlaces
    ) -> tuple[tuple[ActionRecord, ...], tuple[SeatChange, ...]]:
        """Read the columns, and the changes between the laps."""
        reader = self.reader
        order = [(leader + place) % self.options.seats for place in self.seats]
        reader.choice("seat")
        for seat in order:
            reader.number(f"seat {seat}", range(seat, seat + 1))
        reader.end_line()
        actions: list[ActionRecord] = []
        changes: list[SeatChange] = []
        while not reader.next_is("end"):
            if reader.next_is("{"):
                least = changes[-1].after if changes else 0
                changes.append(self._change(range(least, len(actions) + 1), places))
            else:
                self._lap(order, actions, places.actions)
        return tuple(actions), tuple(changes)

    def _change(self, allowed: range, places: RoundPlaces) -> SeatChange:
        """Read a change of a seat, which comes after its action and after earlier changes."""
        reader = self.reader
        reader.mark("{")
        places.changes.append(reader.at)
        reader.choice("after")
        after = reader.number("the number of an action", allowed)
        reader.choice("seat")
        seat = reader.number("a seat", self.seats)
        kind = ChangeKind(reader.choice(*ChangeKind))
        text = reader.quoted()
        reader.mark("}")
        reader.end_line()
        return SeatChange(seat, after, kind, text)

    def _lap(self, order: list[int], actions: list[ActionRecord], places: list[int]) -> None:
        """Read a lap: an action of each seat in order, of fewer in the last lap."""
        reader = self.reader
        laps, over = divmod(len(actions), len(order))
        if over:
            raise reader.wrong("end, as the lap before is not whole")
        expected = f"{laps + 1}. or end"
        if reader.piece(_LAP, expected) != f"{laps + 1}.":
            raise reader.wrong(expected, reader.at)
        for seat in order:
            if seat == order[0] or not reader.at_line_end:
                actions.append(_action(seat, reader.piece(_ACTION, "an action")))
                places.append(reader.at)
        reader.end_line()

    def _end(
        self, number: int, leader: int, places: RoundPlaces
    ) -> tuple[RoundResult | None, tuple[Tiles, ...]]:
        """Read how the round ended and how it is scored."""
        reader = self.reader
        reader.choice("end")
        ending = reader.choice(*Ending, UNFINISHED)
        places.end = reader.at
        reader.end_line()
        if ending == UNFINISHED:
            return None, ()
        left = tuple(self._left(seat, places) for seat in self.seats)
        pips = tuple(count for _, count in left)
        winners, points = self._won(places)
        result = RoundResult(
            number=number,
            leader=leader,
            ending=Ending(ending),
            pips=pips,
            winners=winners,
            side=self.options.side_of(winners[0]) if winners else None,
            points=points,
            scores=self._scores(places.scores),
        )
        reader.end_line()
        return result, tuple(tiles for tiles, _ in left)

    def _left(self, seat: int, places: RoundPlaces) -> tuple[Tiles, int]:
        """Read what is left in a hand, and its pips."""
        reader = self.reader
        self._seat("left", seat)
        where: list[int] = []
        tiles: list[Tile | None] = []
        while not reader.next_is("="):
            tiles.append(self._tile(where, "a tile, ?? or ="))
        reader.mark("=")
        pips = reader.number("the pips")
        places.pips.append(reader.at)
        reader.end_line()
        hand, in_order = _in_order(tiles, where)
        places.left.append(in_order)
        return hand, pips

    def _won(self, places: RoundPlaces) -> tuple[tuple[int, ...], int]:
        """Read which seats won the round, and how many points."""
        reader = self.reader
        reader.choice("won")
        if reader.next_is(NOBODY):
            reader.choice(NOBODY)
            places.won = reader.at
            return (), 0
        winners = reader.ascending(f"a seat or {NOBODY}", self.options.seats, "+")
        places.won = reader.at
        points = int(reader.piece(_POINTS, "+ and the points"))
        places.points = reader.at
        return tuple(winners), points


def _in_order(tiles: list[Tile | None], places: list[int]) -> tuple[Tiles, list[int]]:
    """Sort tiles, unknown ones last, and their places with them: a hand has no order."""
    pairs = sorted(zip(tiles, places, strict=True), key=lambda pair: (tile_rank(pair[0]), pair[1]))
    return tuple(tile for tile, _ in pairs), [place for _, place in pairs]
