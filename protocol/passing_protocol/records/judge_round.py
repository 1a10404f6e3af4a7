"""Play one round of a record under the rules, as far as its reader knows it."""

from collections.abc import Iterator
from typing import Final

from passing_protocol.records.complete import Completion
from passing_protocol.records.forfeits import Wrong
from passing_protocol.records.places import RoundPlaces, in_text_order
from passing_protocol.records.reader import InvalidRecord, invalid
from passing_protocol.records.record import RoundRecord, Tiles
from passing_protocol.records.tag_section import TagSection
from passing_rules import ActionRecord, Draw, IllegalAction, Round, Tile

_UNFINISHED: Final = "unfinished"


class _Stuck(Exception):
    """Raised when a deal does not lead to what is told; `at` is the place that it does not reach.

    It is no InvalidRecord yet, as another deal may lead there.
    """

    def __init__(self, at: int, why: str) -> None:
        super().__init__(why)
        self.at = at
        self.why = why


class RoundJudge:
    """Judge one round: its deal, its actions, its end and what is left in the hands."""

    def __init__(
        self,
        text: str,
        tags: TagSection,
        played: RoundRecord,
        places: RoundPlaces,
        barred: Wrong | None,
    ) -> None:
        """Take the round and its places; `barred` is the first piece that forfeits do not allow."""
        self.text = text
        self.view = tags.view
        self.options = tags.options
        self.played = played
        self.places = places
        self.barred = barred

    def verify(self) -> None:
        """Raise InvalidRecord with the first piece that cannot be so."""
        self._verify_deal()
        completion = Completion(self.played)
        reached = self._reached(completion)
        if self.played.result is not None:
            self._verify_left(reached, completion.unseen, self.played.result.pips)

    def _wrong(self, at: int, message: str) -> InvalidRecord:
        return invalid(self.text, at, message)

    def _verify_deal(self) -> None:
        """Raise InvalidRecord where a tile is dealt twice, or is not as the reader knows it."""
        dealt: set[Tile] = set()
        for seat, tiles, places in self._parts():
            for tile, at in in_text_order(tiles, places):
                wrong = self._sight(seat, tile)
                if wrong is None and tile in dealt:
                    wrong = f"the tile {tile} is dealt already"
                if wrong is not None:
                    raise self._wrong(at, wrong)
                if tile is not None:
                    dealt.add(tile)

    def _parts(self) -> Iterator[tuple[int | None, Tiles, list[int]]]:
        """Yield the hands with their seats, and the boneyard."""
        hands = zip(self.played.hands, self.places.hands, strict=True)
        for seat, (tiles, places) in enumerate(hands):
            yield seat, tiles, places
        yield None, self.played.boneyard, self.places.boneyard

    def _sight(self, seat: int | None, tile: Tile | None) -> str | None:
        """Return what is wrong when the reader knows a tile, or does not know it (R6).

        It is a tile of a seat, or of the boneyard for None.
        """
        own = self.view.full or (seat is not None and seat == self.view.seat)
        if own and tile is None:
            return f"a tile is unknown, the {self.view} view knows it"
        if not own and tile is not None and self.played.result is None:
            return f"the tile {tile} is known, the {self.view} view hides it before the round's end"
        return None

    def _reached(self, completion: Completion) -> Round:
        """Return the round as a deal leads to it; raises InvalidRecord where none does."""
        failures: list[_Stuck] = []
        for deal in completion.deals():
            reached = Round(deal, self.played.leader, self.options.pass_circles)
            try:
                self._play(reached, completion)
            except _Stuck as stuck:
                failures.append(stuck)
            else:
                return reached
        furthest = max(failures, key=lambda failure: failure.at)
        raise self._wrong(furthest.at, furthest.why)

    def _play(self, reached: Round, completion: Completion) -> None:
        """Carry out every action and the end; raises _Stuck."""
        impossible = completion.impossible
        for index, (record, at) in enumerate(self._actions()):
            self._stop_at_barred(at)
            if isinstance(record.action, Draw):
                wrong = self._sight(record.seat, record.drawn)
                if wrong is not None:
                    raise _Stuck(at, wrong)
            try:
                reached.do(record.seat, record.action, record.timed_out)
            except IllegalAction as error:
                raise _Stuck(at, str(error)) from None
            if impossible is not None and index == impossible.index:
                raise _Stuck(at, impossible.why)
        self._stop_at_barred(self.places.end)
        told = None if self.played.result is None else self.played.result.ending
        if reached.ending is not told:
            is_, says = reached.ending or _UNFINISHED, told or _UNFINISHED
            raise _Stuck(self.places.end, f"the round is told to be {says}, it is {is_}")

    def _stop_at_barred(self, at: int) -> None:
        """Raise _Stuck where a forfeit bars the piece at a place, or one before it."""
        if self.barred is not None and self.barred.at <= at:
            raise _Stuck(self.barred.at, self.barred.why)

    def _actions(self) -> Iterator[tuple[ActionRecord, int]]:
        return zip(self.played.actions, self.places.actions, strict=True)

    def _verify_left(self, reached: Round, unseen: list[Tile], pips: tuple[int, ...]) -> None:
        """Raise InvalidRecord where hands or pips at the end are not those of the round (R4.1)."""
        for seat, count in enumerate(pips):
            self._verify_hand(reached, seat)
            self._verify_pips(reached, seat, count, unseen)

    def _verify_hand(self, reached: Round, seat: int) -> None:
        left = self.played.left[seat]
        held = reached.hand(seat)
        hand = set(held)
        for tile, at in in_text_order(left, self.places.left[seat]):
            wrong = self._sight(seat, tile)
            if wrong is None and tile is not None and tile not in hand:
                wrong = f"seat {seat} is not left with {tile}"
            if wrong is not None:
                raise self._wrong(at, wrong)
            hand.discard(tile)
        if len(left) != len(held):
            message = f"{len(left)} tiles are told, seat {seat} has {len(held)}"
            raise self._wrong(self.places.pips[seat], message)

    def _verify_pips(self, reached: Round, seat: int, pips: int, unseen: list[Tile]) -> None:
        """Compare pips with the tiles, or with the least and the most that unseen ones can have."""
        hand = reached.hand(seat)
        known = [tile.pips for tile in hand if tile not in unseen]
        free = sorted(tile.pips for tile in unseen)
        unknown = len(hand) - len(known)
        least = sum(known) + sum(free[:unknown])
        most = sum(known) + sum(free[len(free) - unknown :])
        if not least <= pips <= most:
            allowed = f"{least}" if least == most else f"{least} to {most}"
            raise self._wrong(self.places.pips[seat], f"{pips} pips, expected {allowed}")
