"""A game record played again, step by step: the deal of a round, each action, and its end.

At each step there is the view that everybody had, and every hand as far as the record knows it.
Nothing here makes words or draws.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from passing_client.model import Moment, TableModel
from passing_client.replayed_hands import hands_after
from passing_protocol.events import (
    Event,
    Fault,
    MatchBegan,
    MatchEnded,
    RoundBegan,
    RoundEnded,
    SeatChanged,
    round_ended,
)
from passing_protocol.follow import follow
from passing_protocol.messages import Update
from passing_protocol.records import (
    FULL,
    PUBLIC,
    ChangeKind,
    Record,
    RoundRecord,
    SeatChange,
    SeatTag,
    Tiles,
    View,
)
from passing_protocol.views import (
    RULES_VERSION,
    Acted,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    TableOptions,
    TableState,
    game_of,
)
from passing_protocol.wire import TileText, action_message, tile_text
from passing_rules import UNDRAWABLE, ActionRecord, RoundResult, Tile

TABLE: Final = "replay"
"""The id of the table at which a record is played again."""


@dataclass(frozen=True, slots=True)
class Step:
    """Hold what happened last, the view after it, and every hand as far as it is known.

    `round` counts the rounds of the record from 0.
    """

    moments: tuple[Moment, ...]
    view: PublicView
    hands: tuple[Tiles, ...]
    round: int

    @property
    def end(self) -> Moment | None:
        """Return how a round has ended here; None where none has."""
        ended = [each for each in self.moments if isinstance(each.event, RoundEnded)]
        return ended[0] if ended else None

    @property
    def match_end(self) -> Moment | None:
        """Return how the match has ended here; None where it has not."""
        ended = [each for each in self.moments if isinstance(each.event, MatchEnded)]
        return ended[0] if ended else None


class Replay:
    """Go through a record; `eyes` are those of one who sees every hand, one, or none.

    `me` is the seat of whoever has kept the record, None where that was no player.
    """

    def __init__(self, record: Record) -> None:
        """Begin where the first round is dealt, with the eyes for which the record is."""
        self.record = record
        self.me = record.view.seat
        self.steps = _steps(record)
        self.eyes = FULL if record.view == PUBLIC else record.view
        self.at = 0

    @property
    def step(self) -> Step:
        """Return where one is."""
        return self.steps[self.at]

    @property
    def view(self) -> PublicView:
        """Return what everybody sees here."""
        return self.step.view

    def hand(self, seat: int) -> Tiles:
        """Return a hand as the eyes see it: None for each tile that they do not."""
        tiles = self.step.hands[seat] if self.step.hands else ()
        return tiles if self.eyes.full or seat == self.eyes.seat else (None,) * len(tiles)

    @property
    def table(self) -> TableModel:
        """Return the table as it stands here, for whatever draws or tells of tables."""
        view = replace(self.view, state=TableState.PLAYING)  # nobody is waited for
        table = TableModel(TABLE, view)
        mine = None if self.me is None else Mine(self.me, [], self._drew(self.me))
        table.apply(Update(0, TABLE, 0, [], public=view, mine=mine))
        table.round_end, table.match_end = self.step.end, self.step.match_end
        return table

    def _drew(self, seat: int) -> TileText | None:
        """Return the tile that a seat has just drawn, as far as that is known."""
        for moment in self.step.moments:
            if isinstance(moment.event, Acted) and moment.event.seat == seat and moment.drew:
                return tile_text(moment.drew)
        return None

    # --- moving ----------------------------------------------------------------------------

    def go(self, steps: int) -> None:
        """Go so many steps on, or back, as far as the record goes."""
        self.at = max(0, min(self.at + steps, len(self.steps) - 1))

    def next_round(self) -> None:
        """Go to where the next round is dealt; from the last one to its end."""
        here = self.step.round
        later = [n for n, step in enumerate(self.steps) if step.round > here]
        self.at = later[0] if later else len(self.steps) - 1

    def previous_round(self) -> None:
        """Go to where this round was dealt; from there to where the one before was."""
        starts = self.round_starts
        self.at = max((start for start in starts if start < self.at), default=0)

    @property
    def round_starts(self) -> list[int]:
        """Return the steps at which rounds are dealt."""
        rounds = [step.round for step in self.steps]
        return [n for n in range(len(rounds)) if n == 0 or rounds[n] != rounds[n - 1]]

    def go_to_round(self, number: int) -> bool:
        """Go to where the round of this number is dealt; tell whether there is one."""
        numbers = [played.number for played in self.record.rounds]
        if number not in numbers:
            return False
        self.at = self.round_starts[numbers.index(number)]
        return True

    def turn_eyes(self, step: int = 1) -> None:
        """See with other eyes: with all, those of each seat, and those that see no hand."""
        seats = (View(seat=seat) for seat in range(self.record.options.seats))
        eyes = [FULL, *seats, PUBLIC]
        self.eyes = eyes[(eyes.index(self.eyes) + step) % len(eyes)]


# --- from a record to steps ----------------------------------------------------------------------


def _steps(record: Record) -> list[Step]:
    """Return every step of a record; at least one."""
    begun = _Following(record)
    began = begun.hear(MatchBegan(record.match or "-", record.options.target))
    steps: list[Step] = []
    for number, played in enumerate(record.rounds):
        steps += begun.round(number, played)
    ended = tuple(begun.ended())
    if not steps:
        return [Step((began, *ended), begun.view, (), 0)]
    steps[0] = Step((began, *steps[0].moments), steps[0].view, steps[0].hands, 0)
    if ended:
        last = steps[-1]
        steps[-1] = Step((*last.moments, *ended), begun.view, last.hands, last.round)
    return steps


class _Following:
    """Follow a match from its record."""

    def __init__(self, record: Record) -> None:
        """Begin before the match."""
        self._record = record
        self.view = _before(record)

    def hear(self, event: Event, drew: Tile | None = None) -> Moment:
        """Let something happen; `drew` is a tile that was drawn, by anybody."""
        before, self.view = self.view, follow(self.view, event)
        return Moment(event, before, self.view, drew)

    def round(self, at: int, played: RoundRecord) -> Iterator[Step]:
        """Yield the steps of a round."""
        hands = hands_after(played)
        self.view = replace(self.view, scores=list(played.scores_before))
        moments = [self.hear(_began(self._record, played)), *self._changes(played, 0)]
        yield Step(tuple(moments), self.view, hands[0], at)
        for done, record in enumerate(played.actions, 1):
            moments = [self.hear(_acted(self.view, record), record.drawn)]
            moments += self._changes(played, done)
            yield Step(tuple(moments), self.view, hands[done], at)
        if played.result is not None:
            ended = self.hear(_ended(played, played.result))
            yield Step((ended,), self.view, hands[-1], at)

    def ended(self) -> Iterator[Moment]:
        """Yield the end of the match, where the record has one."""
        outcome = self._record.outcome
        if outcome is not None:
            scores = self.view.scores
            yield self.hear(MatchEnded(outcome.reason.value, scores, outcome.winner))

    def _changes(self, played: RoundRecord, done: int) -> list[Moment]:
        return [
            self.hear(_changed(self.view, change))
            for change in played.changes
            if change.after == done
        ]


def _before(record: Record) -> PublicView:
    """Return the table of a record before the match begins."""
    return PublicView(
        match=record.match or "-",
        rules=RULES_VERSION,
        name=record.event,
        state=TableState.STARTING,
        deal=record.deal_kind,
        game=game_of(record.options),
        table=TableOptions(),
        owner=None,
        seats=list(map(_seat, record.seats)),
        scores=[0] * record.options.sides,
    )


def _seat(tag: SeatTag) -> SeatInfo:
    return SeatInfo(SeatState.TAKEN, tag.name, tag.engine)


def _began(record: Record, played: RoundRecord) -> RoundBegan:
    yard = len(played.boneyard)
    return RoundBegan(
        round=played.number,
        leader=played.leader,
        deal=record.deal_kind,
        hands=list(map(len, played.hands)),
        boneyard=yard,
        drawable=yard - UNDRAWABLE,
    )


def _acted(view: PublicView, record: ActionRecord) -> Acted:
    return Acted(record.seat, view.turn, action_message(record.action), record.timed_out)


def _changed(view: PublicView, change: SeatChange) -> SeatChanged:
    """Return who plays on at a seat, or why it is lost."""
    info = view.seats[change.seat]
    match change.kind:
        case ChangeKind.ENGINE:
            info = SeatInfo(SeatState.SUBSTITUTE, change.text, change.text)
        case ChangeKind.PLAYER:
            info = SeatInfo(SeatState.TAKEN, change.text)
        case ChangeKind.FORFEIT:
            lost = replace(info, state=SeatState.FORFEITED)
            return SeatChanged(change.seat, lost, Fault("player", change.text, change.seat))
    return SeatChanged(change.seat, info)


def _ended(played: RoundRecord, result: RoundResult) -> RoundEnded:
    """Return the end of a round; the hands are there where all of them are known."""
    shown: list[list[TileText]] = [
        [tile_text(tile) for tile in hand if tile is not None] for hand in played.left
    ]
    known = all(None not in hand for hand in played.left)
    return round_ended(result, shown if known else None)
