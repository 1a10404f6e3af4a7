"""One round as one reader sees it: noted while it is played, and told as the round of a record."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from passing_protocol.events import RoundEnded
from passing_protocol.records import RoundRecord, SeatChange, Tiles
from passing_protocol.views import Acted
from passing_rules import ALL_TILES, ActionRecord, Draw, Ending, Options, Play, RoundResult, Tile


@dataclass
class RoundStory:
    """Note what happens in a round.

    `dealt` is one's own hand as it was dealt, None for a watcher and where that is not known.
    `late` tells that one came in the middle of it, `resumed` that messages were missed, `whole`
    that what happened is known all the same.
    """

    number: int
    leader: int
    scores_before: tuple[int, ...]
    seat: int | None = None
    dealt: tuple[Tile, ...] | None = None
    actions: list[ActionRecord] = field(default_factory=list[ActionRecord])
    changes: list[SeatChange] = field(default_factory=list[SeatChange])
    end: RoundEnded | None = None
    left: tuple[int, ...] = ()
    late: bool = False
    resumed: bool = False
    whole: bool = True

    def act(self, acted: Acted, drawn: Tile | None) -> None:
        """Note an action; `drawn` is a tile that one has drawn oneself."""
        action = acted.action.action
        own = drawn if isinstance(action, Draw) and acted.seat == self.seat else None
        self.actions.append(ActionRecord(acted.seat, action, own, acted.timed_out))

    def finish(self, end: RoundEnded, left: Iterable[int]) -> None:
        """Note the end, with how many tiles every seat has left."""
        self.end = end
        self.left = tuple(left)

    def catch_up(self, actions: Sequence[Acted]) -> bool:
        """Let these be all actions of the round, which goes on; tell whether some are new.

        Some that were noted may be gone, where a server was set back by a loss of power.
        """
        told = [ActionRecord(a.seat, a.action.action, None, a.timed_out) for a in actions]
        pairs = enumerate(zip(told, map(_hidden, self.actions), strict=False))
        shorter = min(len(told), len(self.actions))
        same = next((at for at, (one, other) in pairs if one != other), shorter)
        if same < len(self.actions) or self.end is not None:
            del self.actions[same:]
            self.changes = [change for change in self.changes if change.after <= same]
            self.end, self.left = None, ()
        self.actions += told[same:]
        return same < len(told)

    @property
    def knows_own(self) -> bool:
        """Tell whether every tile of one's own is known, when it was dealt or drawn."""
        draws = [done for done in self._of(self.seat) if isinstance(done.action, Draw)]
        return self.dealt is not None and all(done.drawn is not None for done in draws)

    def note_hand(self, hand: Iterable[Tile]) -> None:
        """Find out from one's hand as it is now what was dealt or drawn unseen, if one can."""
        own = self._of(self.seat)
        held = set(hand) | {done.action.tile for done in own if isinstance(done.action, Play)}
        held -= {done.drawn for done in own if done.drawn is not None}
        unseen = [done for done in own if isinstance(done.action, Draw) and done.drawn is None]
        if self.dealt is None:
            self.dealt = None if unseen else tuple(sorted(held))
            return
        fresh = held - set(self.dealt)
        if len(unseen) == 1 == len(fresh):
            at = next(n for n, done in enumerate(self.actions) if done is unseen[0])
            self.actions[at] = ActionRecord(unseen[0].seat, Draw(), fresh.pop())

    def record(self, options: Options, *, own: bool) -> RoundRecord:
        """Return the round as it may be known; raises InvalidValue for what cannot be.

        `own` tells whether it is for one's own seat, for which everything of its own is known.
        While a round goes on, and where hands stay hidden after it, nobody else's tiles are told
        (R6.1, R6.2).
        """
        seats = range(options.seats)
        shown = self.end is not None and self.end.hands is not None
        seat = self.seat if own or shown else None
        return RoundRecord(
            number=self.number,
            leader=self.leader,
            scores_before=self.scores_before,
            hands=tuple(self._hand(each, options.hand_size, seat, shown=shown) for each in seats),
            boneyard=self._boneyard(options, shown=shown),
            actions=tuple(each if each.seat == seat else _hidden(each) for each in self.actions),
            changes=tuple(self.changes),
            result=self._result(self.end),
            left=() if self.end is None else tuple(self._left(each, seat) for each in seats),
        )

    def _of(self, seat: int | None) -> list[ActionRecord]:
        return [done for done in self.actions if done.seat == seat]

    def _hand(self, seat: int, size: int, own: int | None, *, shown: bool) -> Tiles:
        """Return what is known to have been dealt to a seat."""
        if seat == own and self.dealt is not None:
            return self.dealt
        if not shown:
            return (None,) * size
        tiles = self._surely_dealt(seat)
        return (*sorted(tiles), *(None,) * (size - len(tiles)))

    def _surely_dealt(self, seat: int) -> list[Tile]:
        """Return the tiles of a hand that is shown at the end which cannot have been drawn.

        What is played after a draw may be the tile that was drawn.
        """
        tiles: list[Tile] = []
        for done in self._of(seat):
            if isinstance(done.action, Draw):
                return tiles
            if isinstance(done.action, Play):
                tiles.append(done.action.tile)
        return [*tiles, *self._shown(seat)]

    def _shown(self, seat: int) -> list[Tile]:
        if self.end is None or self.end.hands is None:
            return []
        return list(map(Tile.parse, self.end.hands[seat]))

    def _boneyard(self, options: Options, *, shown: bool) -> Tiles:
        """Return the boneyard, of which one knows what one has drawn oneself."""
        drawn = [done.drawn for done in self.actions if isinstance(done.action, Draw)]
        size = len(ALL_TILES) - options.seats * options.hand_size
        known = drawn if shown else []
        return (*known, *(None,) * (size - len(known)))

    def _left(self, seat: int, own: int | None) -> Tiles:
        """Return what is left in a hand at the end."""
        if self.end is not None and self.end.hands is not None:
            return tuple(sorted(self._shown(seat)))
        if seat != own or self.dealt is None:
            return (None,) * self.left[seat]
        done = self._of(seat)
        held = {*self.dealt, *(each.drawn for each in done if each.drawn is not None)}
        return tuple(
            sorted(held - {each.action.tile for each in done if isinstance(each.action, Play)})
        )

    def _result(self, end: RoundEnded | None) -> RoundResult | None:
        if end is None:
            return None
        return RoundResult(
            number=self.number,
            leader=self.leader,
            ending=Ending(end.ending),
            pips=tuple(end.pips),
            winners=tuple(end.winners),
            side=end.side,
            points=end.points,
            scores=tuple(end.scores),
        )


def _hidden(done: ActionRecord) -> ActionRecord:
    return done if done.drawn is None else ActionRecord(done.seat, done.action)
