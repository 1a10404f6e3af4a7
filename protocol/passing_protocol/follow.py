"""The view of one table, kept up to date from its updates, and the hash that checks it.

This is for people, watchers and engines that follow events; an engine that gets the view with
every question needs none of it.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from passing_protocol.events import (
    Event,
    MatchBegan,
    MatchEnded,
    OwnerChanged,
    RoundBegan,
    RoundEnded,
    SeatChanged,
    StateChanged,
    TipsAgreed,
)
from passing_protocol.messages import Update
from passing_protocol.views import (
    Acted,
    Ask,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    TableState,
    TrainTile,
)
from passing_protocol.wire import tile_text
from passing_rules import UNDRAWABLE, Draw, End, Pass, ends_after

HASH_DIGITS: Final = 16
THERE: Final = (SeatState.TAKEN, SeatState.SUBSTITUTE)


class HashMismatch(Exception):
    """Raised when the followed state is not the server's; a snapshot sets it right."""

    def __init__(self, table: str, expected: str, found: str) -> None:
        """Name the table and both hashes."""
        super().__init__(f"table {table}: the server's hash is {expected}, the one here {found}")
        self.table = table


def public_hash(
    *,
    match: str,
    round_number: int,
    turn: int,
    to_act: int | None,
    train: Sequence[TrainTile],
    ends: tuple[int, int] | None,
    hands: Sequence[int],
    boneyard: int,
    passes: int,
    scores: Sequence[int],
) -> str:
    """Return 16 hex digits over one line of public values (PROTOCOL.md, "The hash")."""
    tiles = " ".join([f"{laid.tile}{laid.seat}" for laid in train])
    line = (
        f"{match}|{round_number}|{turn}|{'-' if to_act is None else to_act}|{tiles}|"
        f"{'-' if ends is None else f'{ends[0]}{ends[1]}'}|{' '.join(map(str, hands))}|"
        f"{boneyard}|{passes}|{' '.join(map(str, scores))}"
    )
    return hashlib.sha256(line.encode()).hexdigest()[:HASH_DIGITS]


def view_hash(view: PublicView) -> str:
    """Return the hash of a view; empty before the first round."""
    if view.round == 0:
        return ""
    return public_hash(
        match=view.match,
        round_number=view.round,
        turn=view.turn,
        to_act=view.to_act,
        train=view.train,
        ends=view.ends,
        hands=view.hands,
        boneyard=view.boneyard,
        passes=view.passes,
        scores=view.scores,
    )


class Follower:
    """Keep what one reader knows of one table: `public`, its own part `mine`, and its `ask`."""

    def __init__(self) -> None:
        """Start knowing nothing; the first update that has `public` begins it."""
        self.public: PublicView | None = None
        self.mine: Mine | None = None
        self.ask: Ask | None = None

    def apply(self, update: Update) -> bool:
        """Take in an update and tell whether it was taken.

        An answer given again, or an update older than what is known, changes nothing; but a
        snapshot that nobody asked for always counts, as a loss of power may have set the table
        back. Raises HashMismatch, after which only a snapshot helps.
        """
        if update.duplicate or (self._is_older(update) and not is_unasked_snapshot(update)):
            return False
        if update.public is not None:
            self.public = update.public
        elif self.public is not None:
            self.public = self._followed(self.public, update)
        if update.mine is not None:
            self.mine = self._with_seed(update.mine)
        else:
            for event in update.events:
                self._follow_mine(event)
        if update.ask is not None or not self._still_asked():
            self.ask = update.ask
        return True

    def _is_older(self, update: Update) -> bool:
        return self.public is not None and update.rev < self.public.rev

    def _followed(self, view: PublicView, update: Update) -> PublicView:
        for event in update.events:
            view = follow(view, event)
        found = view_hash(view)
        if update.hash is not None and update.hash != found:
            self.public = self.ask = None
            raise HashMismatch(update.table, update.hash, found)
        return replace(view, rev=update.rev, hash=found)

    def _with_seed(self, mine: Mine) -> Mine:
        """Return a seat's new part, with the seed that only its first one brought."""
        if mine.bot_seed is None and self.mine is not None and self.mine.seat == mine.seat:
            return replace(mine, bot_seed=self.mine.bot_seed)
        return mine

    def _follow_mine(self, event: Event) -> None:
        """Take a tile that this seat has played out of its hand."""
        if self.mine is None or not isinstance(event, Acted) or event.seat != self.mine.seat:
            return
        played = event.action.play
        hand = [tile for tile in self.mine.hand if tile != played]
        self.mine = replace(self.mine, hand=hand, drew=None)

    def _still_asked(self) -> bool:
        """Tell whether the last question is still the one that the table waits for."""
        view = self.public
        if self.ask is None or view is None:
            return False
        return view.state is TableState.PLAYING and view.turn == self.ask.turn


def is_unasked_snapshot(update: Update) -> bool:
    """Tell whether an update shows the table as it is now; an answer may be one of long ago."""
    return update.public is not None and not update.events and update.re is None


def follow(view: PublicView, event: Event) -> PublicView:
    """Return the view after an event; what is said and who watches is not part of it."""
    match event:
        case Acted():
            return _acted(view, event)
        case RoundBegan():
            return _round_began(view, event)
        case RoundEnded():
            return _round_ended(view, event)
        case TipsAgreed(tips=tips):
            return replace(view, tips=tips)
        case MatchBegan():
            return _match_began(view, event)
        case MatchEnded(scores=scores):
            seats = [replace(seat, ready=seat.engine is not None) for seat in view.seats]
            return replace(view, state=TableState.OVER, to_act=None, scores=scores, seats=seats)
        case SeatChanged(seat, info):
            seats = [info if number == seat else old for number, old in enumerate(view.seats)]
            return replace(view, seats=seats)
        case OwnerChanged(owner):
            return replace(view, owner=owner)
        case StateChanged(state):
            return _state_changed(view, state)
        case _:
            return view


def _state_changed(view: PublicView, state: TableState) -> PublicView:
    """Go on in another state; after a pause the open question is asked anew, as the next turn."""
    again = state is TableState.PLAYING and view.to_act is not None
    return replace(view, state=state, turn=view.turn + again)


def _match_began(view: PublicView, event: MatchBegan) -> PublicView:
    return replace(
        view,
        match=event.match,
        state=TableState.PLAYING,
        scores=[0] * len(view.scores),
        seats=[replace(seat, strikes=0) for seat in view.seats],
        round=0,
        tips=None,
        deal_number=None,
    )


def _round_began(view: PublicView, event: RoundBegan) -> PublicView:
    """Clear the table for a new deal; the leader is asked at once."""
    return replace(
        view,
        state=TableState.PLAYING,
        deal=event.deal,
        seats=[_unready(seat) for seat in view.seats],
        round=event.round,
        turn=view.turn + 1,
        leader=event.leader,
        to_act=event.leader,
        train=[],
        ends=None,
        hands=event.hands,
        boneyard=event.boneyard,
        drawable=event.drawable,
        passes=0,
        actions=[],
        deal_number=event.deal_number,
    )


def _round_ended(view: PublicView, event: RoundEnded) -> PublicView:
    """Ask nobody: the turn that would have followed the last action never was."""
    return replace(
        view,
        scores=event.scores,
        seats=[_unready(seat) for seat in view.seats],
        turn=view.actions[-1].turn if view.actions else view.turn,
        to_act=None,
    )


def _unready(seat: SeatInfo) -> SeatInfo:
    """Return a seat as it is when people are to say that they are ready for what comes next."""
    return replace(seat, ready=seat.engine is not None or seat.state not in THERE)


def _acted(view: PublicView, event: Acted) -> PublicView:
    """Do what a seat did, and ask the next one."""
    hands = list(view.hands)
    boneyard, passes, train, ends = view.boneyard, 0, view.train, view.ends
    match event.action.action:
        case Draw():
            hands[event.seat] += 1
            boneyard -= 1
        case Pass():
            passes = view.passes + 1
        case play:
            hands[event.seat] -= 1
            ends = ends_after(view.ends, play)
            laid = TrainTile(tile_text(play.tile), event.seat)
            train = [laid, *train] if play.end is End.LEFT else [*train, laid]
    return replace(
        view,
        turn=event.turn + 1,
        to_act=(event.seat + 1) % len(view.seats),
        train=train,
        ends=ends,
        hands=hands,
        boneyard=boneyard,
        drawable=max(0, boneyard - UNDRAWABLE),
        passes=passes,
        actions=[*view.actions, event],
    )
