"""What a person knows of one table: its view, their own hand, and what has happened this round.

Nothing here makes words or reads them; whatever draws or prints a table builds on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import UNSET
from msgspec.structs import replace

from passing_client.verifying import (
    ImpossibleTable,
    verify_ask,
    verify_event,
    verify_mine,
    verify_same_game,
    verify_view,
)
from passing_protocol.events import Event, MatchBegan, MatchEnded, RoundBegan, RoundEnded
from passing_protocol.follow import Follower, HashMismatch, follow
from passing_protocol.messages import Update
from passing_protocol.views import Acted, Ask, Mine, PublicView, SeatState, TableState, options_of
from passing_rules import Action, Tile


@dataclass(frozen=True, slots=True)
class Moment:
    """Hold one event with the view before and after it; `drew` is one's own drawn tile."""

    event: Event
    before: PublicView
    after: PublicView
    drew: Tile | None = None


class TableModel:
    """Keep up with one table, of which the first update gives the view.

    `round_end` and `match_end` are how the last round and the last match ended, None when that
    was not seen or another has begun since.
    """

    def __init__(self, table: str, view: PublicView) -> None:
        """Begin with a view; what else the first update holds is to be applied.

        Raises ImpossibleTable.
        """
        verify_view(view)
        self.id = table
        self.view = view
        self.round_end: Moment | None = None
        self.match_end: Moment | None = None
        self._follower = Follower()

    def apply(self, update: Update) -> list[Moment] | None:
        """Take in an update and return its events in order; None if it is not taken.

        That is an answer given again, or an update older than the newest. Raises HashMismatch
        when a snapshot is needed; the view goes on as well as it can. Raises ImpossibleTable where
        the update tells what cannot be; everything else relies on that.
        """
        try:
            if not self._follower.apply(update):
                return None
        except HashMismatch:
            self._moments(update, strictly=False)
            raise
        except LookupError:
            raise ImpossibleTable("events: one is of a seat that is not there") from None
        known = self._follower.public
        moments = self._moments(update, strictly=known is not None and update.public is None)
        if known is not None:
            verify_view(known)
            verify_same_game(self.view, known)
            self.view = known
        self._verify_own(strictly=known is not None)
        return moments

    def _verify_own(self, *, strictly: bool) -> None:
        """Verify what is for one's own seat alone; raises ImpossibleTable.

        A question that does not go with a view which is not the server's is asked again with the
        snapshot.
        """
        if self.mine is not None:
            verify_mine(self.view, self.mine)
        try:
            if self.ask is not None:
                verify_ask(self.view, self.mine, self.ask)
        except ImpossibleTable:
            if strictly:
                raise
            self._follower.ask = None

    def _moments(self, update: Update, *, strictly: bool) -> list[Moment]:
        """Follow the events of an update, each from the view before it.

        Where the view is not the server's or a snapshot sets it right, one that cannot follow
        ends that; `strictly` it raises ImpossibleTable.
        """
        moments: list[Moment] = []
        drew = None if update.mine is None or update.mine.drew is None else update.mine.drew
        for event in update.events:
            before = self.view
            try:
                self.view = _followed(before, event)
            except ImpossibleTable:
                if strictly:
                    raise
                break
            moments.append(Moment(event, before, self.view, Tile.parse(drew) if drew else None))
            self._note_end(moments[-1])
        return moments

    def _note_end(self, moment: Moment) -> None:
        """Keep how the last round and the last match ended, until the next begins."""
        match moment.event:
            case RoundEnded():
                self.round_end = moment
            case MatchEnded():
                self.match_end = moment
            case RoundBegan():
                self.round_end = None
            case MatchBegan():
                self.round_end = self.match_end = None
            case _:
                pass

    def close(self) -> None:
        """Note that the server has closed the table."""
        self.view = replace(self.view, state=TableState.CLOSED)

    @property
    def has_match(self) -> bool:
        """Tell whether a match is on here, or was seen to end; not one that others have played.

        Who has come since a match was over finds its train and its hands, but no part in them.
        """
        if self.view.state is TableState.OVER:
            return self.match_end is not None
        return self.view.state not in (TableState.OPEN, TableState.STARTING)

    @property
    def free_seats(self) -> int:
        """Count the seats that somebody has to take before a match can begin."""
        return sum(seat.state in (SeatState.EMPTY, SeatState.INVITED) for seat in self.view.seats)

    @property
    def mine(self) -> Mine | None:
        """Return what one's own seat sees; None for a watcher."""
        return self._follower.mine

    @property
    def ask(self) -> Ask | None:
        """Return the question that waits for an answer."""
        return self._follower.ask

    @property
    def seat(self) -> int | None:
        """Return one's own seat; None for a watcher."""
        return self.mine.seat if self.mine is not None else None

    @property
    def hand(self) -> tuple[Tile, ...]:
        """Return one's own tiles, lowest first."""
        return tuple(sorted(map(Tile.parse, self.mine.hand))) if self.mine is not None else ()

    @property
    def legal(self) -> tuple[Action, ...]:
        """Return what may be done now, nothing when it is not one's turn."""
        return tuple(message.action for message in self.ask.legal) if self.ask is not None else ()

    @property
    def owns(self) -> bool:
        """Tell whether one's own seat owns the table."""
        return self.seat is not None and self.view.owner == self.seat


def _followed(view: PublicView, event: Event) -> PublicView:
    """Return the view after an event; raises ImpossibleTable."""
    verify_event(view, event)
    after = follow(view, event)
    verify_view(after)
    return after


def round_so_far(view: PublicView) -> list[Moment]:
    """Return every action of the round with the view before and after it.

    It follows from the view alone, so it is whole for those who came late too.
    """
    now = _rewound(view)
    moments: list[Moment] = []
    for acted in view.actions:
        after = follow(now, acted)
        moments.append(Moment(acted, now, after))
        now = after
    return moments


def idle_moments(view: PublicView) -> list[Moment]:
    """Return the passes and draws of the round: what they tell is the memory of this game."""
    return [moment for moment in round_so_far(view) if _is_idle(moment.event)]


def _is_idle(event: Event) -> bool:
    return isinstance(event, Acted) and event.action.play is UNSET


def _rewound(view: PublicView) -> PublicView:
    """Return the view as it was before the first action of the round."""
    hands = list(view.hands)
    for acted in view.actions:
        hands[acted.seat] += _taken_back(acted)
    draws = sum(acted.action.draw for acted in view.actions)
    return replace(
        view,
        train=[],
        ends=None,
        hands=hands,
        boneyard=view.boneyard + draws,
        drawable=view.drawable + draws,
        passes=0,
        actions=[],
    )


def _taken_back(acted: Acted) -> int:
    """Return by how much a hand grows when an action is taken back."""
    if acted.action.draw:
        return -1
    return 0 if acted.action.play is UNSET else 1


def halves(view: PublicView) -> list[tuple[int, int]]:
    """Return the left and the right half of each tile of the train, from left to right (R2.4)."""
    lying: list[tuple[int, int]] = []
    near = view.ends[0] if view.ends is not None else 0
    for laid in view.train:
        far = Tile.parse(laid.tile).pips - near
        lying.append((near, far))
        near = far
    return lying


def passes_that_end(view: PublicView) -> int:
    """Return how many passes in a row end the round (R3.3)."""
    return len(view.seats) * options_of(view.game).pass_circles


def pips(tiles: Sequence[Tile]) -> int:
    """Count the pips of several tiles (R4.1)."""
    return sum(tile.pips for tile in tiles)
