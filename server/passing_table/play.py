"""A match being played at a table: the turn, its clock, and what was answered."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import MatchEnded, RoundBegan, RoundEnded, round_ended
from passing_protocol.views import Acted, Ask, Clock, DealKind, SeatState, TipList, TrainTile
from passing_protocol.wire import TileText, action_message, tile_text
from passing_rules import (
    PASS_CODE,
    Action,
    ActionRecord,
    Deal,
    End,
    Match,
    MatchEnding,
    Options,
    Round,
    RoundResult,
    Tile,
    action_of,
)
from passing_rules import Play as PlayAction
from passing_table.changes import Changes
from passing_table.rows import (
    FairRow,
    KeptAction,
    KeptChange,
    KeptDeal,
    KeptEnd,
    KeptRow,
    KeptTips,
    NewRow,
)
from passing_table.seats import Occupant, Seat

_FIRST: Final = [action_message(action_of(code, first=True)) for code in range(PASS_CODE + 1)]
_LATER: Final = [action_message(action_of(code, first=False)) for code in range(PASS_CODE + 1)]
"""Every action in its wire form by its code, for the first tile of a round and for later ones."""


class Answered(Struct, frozen=True):
    """Remember the last action of a seat: a repeated answer is told apart from another one."""

    turn: int
    action: Action
    timed_out: bool = False


class Held(Struct, frozen=True):
    """Keep an engine's action until it may be shown."""

    seat: int
    action: Action
    show_at: int


class Play:
    """Hold one match of a table: rules' match, turn number, clocks, and the round's story.

    The story (`train`, `actions`) is kept in wire form as it grows, because it is sent with
    every question.
    """

    def __init__(self, match_id: str, options: Options, first_turn: int, changes: Changes) -> None:
        """Begin a match without a round; `first_turn` is the number before its first turn.

        What its log has more is told through `changes`.
        """
        self.id = match_id
        self.match = Match(options)
        self.turn = first_turn
        self.train: list[TrainTile] = []
        self.actions: list[Acted] = []
        self.asked_at = 0
        self.deadline: int | None = None
        self.turn_ms = 0
        self.held: Held | None = None
        self.answered: dict[int, Answered] = {}
        self.drew: Tile | None = None
        self.over = False
        self.rows = 0
        self.tips: TipList | None = None
        self.deal_number: int | None = None
        self.seated: tuple[Occupant | None, ...] = ()
        """Who sat where when the match began."""
        self.sitters: list[Occupant | None] = []
        """Who plays at each seat as far as the log tells."""
        self._changes = changes

    @property
    def to_act(self) -> int | None:
        """Return the seat whose turn it is, None between rounds and after the match."""
        current = self.match.round
        if self.over or current is None or current.ending is not None:
            return None
        return current.to_act

    @property
    def seat_on_turn(self) -> int:
        """Return the seat whose turn it is; raises RequestRefused with round_over."""
        seat = self.to_act
        if seat is None:
            raise RequestRefused(ErrorCode.ROUND_OVER)
        return seat

    @property
    def dealt(self) -> Round:
        """Return the round that was dealt last; raises RequestRefused with round_over."""
        if self.match.round is None:
            raise RequestRefused(ErrorCode.ROUND_OVER)
        return self.match.round

    @property
    def ends(self) -> tuple[int, int] | None:
        """Return the pips at the left and the right end, None before the first tile."""
        current = self.match.round
        if current is None or current.left is None or current.right is None:
            return None
        return current.left, current.right

    def begin_round(self, deal_kind: DealKind, deal: Deal, leader: int) -> RoundBegan:
        """Deal the next round; the leader that chance picked counts only where R1.5, R1.6 ask."""
        chosen = leader if self.match.chance_leads else None
        began = self.match.begin_round(deal, chosen)
        self.write(KeptDeal.of(began))
        self.train.clear()
        self.actions.clear()
        self.held = None
        current = self.dealt
        return RoundBegan(
            round=began.number,
            leader=began.leader,
            deal=deal_kind,
            hands=list(current.hand_sizes),
            boneyard=current.boneyard_size,
            drawable=current.drawable,
            deal_number=self.deal_number,
        )

    def ask(self, now: int, turn_ms: int, bank_ms: int) -> None:
        """Start the next turn and its clock; `turn_ms` 0 means no clock."""
        self.turn += 1
        self.start_clock(now, turn_ms, bank_ms)

    def start_clock(self, now: int, turn_ms: int, bank_ms: int) -> None:
        """Give the seat on turn its time, from now on; `turn_ms` 0 means no clock."""
        self.asked_at = now
        self.turn_ms = turn_ms
        self.deadline = now + turn_ms + bank_ms if turn_ms else None

    def stop_clock(self, now: int) -> int:
        """Stop the clock of the turn and return how much of the bank it has used."""
        running = self.turn_ms and self.deadline is not None
        self.deadline = None
        return max(0, now - self.asked_at - self.turn_ms) if running else 0

    def pass_at(self, time: int) -> None:
        """Let the turn be passed at the first tick from that time on, unless it is decided."""
        if self.held is None:
            self.deadline = time

    def do(self, seat: int, action: Action, timed_out: bool = False) -> Acted:
        """Do an action that was verified, keep its story, and return it as everybody is told."""
        record = self.match.do(seat, action, timed_out)
        self.write(KeptAction.of(self.turn, record))
        self.held = None
        self.answered[seat] = Answered(self.turn, action, timed_out)
        self.drew = record.drawn
        acted = Acted(seat, self.turn, action_message(action), timed_out)
        self.actions.append(acted)
        self._lay(record)
        return acted

    def seat(self, seats: Iterable[Seat]) -> None:
        """Take note of who sits where when the match begins."""
        self.seated = tuple(seat.keeper or seat.occupant for seat in seats)
        self.sitters = list(self.seated)

    def log_seats(self, seats: Iterable[Seat]) -> None:
        """Write who plays at a seat from here on, where it is another than before."""
        if self.over or not self.rows:
            return
        for number, seat in enumerate(seats):
            occupant = seat.occupant
            if occupant is None or seat.state is SeatState.FORFEITED:
                continue
            if occupant != self.sitters[number]:
                self.sitters[number] = occupant
                self.write(_plays_on(number, occupant))

    def note(self, row: FairRow) -> None:
        """Take note of a list of tips, or of a fair deal that is dealt next or came to nothing."""
        self.write(row)
        if isinstance(row, KeptTips):
            self.tips = row.tips
        elif not row.void:
            self.deal_number = row.deal

    def write(self, row: KeptRow) -> None:
        """Add a row to the log."""
        self.rows += 1
        self._changes.next.rows.append(NewRow(self.id, self.rows, row))

    def _lay(self, record: ActionRecord) -> None:
        """Put a played tile to its end of the train."""
        action = record.action
        if isinstance(action, PlayAction):
            laid = TrainTile(tile_text(action.tile), record.seat)
            if action.end is End.LEFT:
                self.train.insert(0, laid)
            else:
                self.train.append(laid)

    def hold(self, held: Held) -> None:
        """Keep an engine's action until it may be shown; its turn is decided by it."""
        self.held = held
        self.answered[held.seat] = Answered(self.turn, held.action)

    def finish(self, ended: MatchEnded) -> None:
        """Stop the clock and ask nobody any more: the match is over."""
        if ended.reason in ("forfeit", "abandoned"):
            self.write(KeptEnd(ended.reason, ended.winner))
        self.over = True
        self.held = None
        self.deadline = None

    def repeats(self, seat: int, turn: int, action: Action) -> bool:
        """Tell whether this very answer was given before.

        Raises RequestRefused with turn_decided for another answer to a decided turn, and
        too_late when the turn was passed by time (R2.7).
        """
        answered = self.answered.get(seat)
        if answered is None or answered.turn != turn:
            return False
        if answered.timed_out:
            raise RequestRefused(ErrorCode.TOO_LATE)
        if answered.action != action:
            raise RequestRefused(ErrorCode.TURN_DECIDED)
        return True

    def verify_turn(self, seat: int, turn: int) -> None:
        """Raise RequestRefused with round_over, stale_turn or not_your_turn."""
        to_act = self.seat_on_turn
        if turn != self.turn:
            raise RequestRefused(
                ErrorCode.STALE_TURN, f"It is turn {self.turn} now, not turn {turn}."
            )
        if to_act != seat:
            raise RequestRefused(ErrorCode.NOT_YOUR_TURN)

    def question(self, seat: int, now: int, bank_ms: int) -> Ask:
        """Ask the seat on turn: what is legal, why the rest is not, and the time left."""
        current = self.dealt
        codes = current.legal_codes()
        messages = _FIRST if current.left is None else _LATER
        fitting = {code >> 1 for code in codes}
        refused: dict[str, str] = {
            tile_text(tile): "does_not_fit"
            for tile in current.hand(seat)
            if tile.index not in fitting
        }
        if not current.drawable:
            refused["draw"] = "boneyard_floor"
        clock = None
        if self.turn_ms:
            left = self.turn_ms - (now - self.asked_at)
            clock = Clock(max(0, left), max(0, bank_ms + min(0, left)))
        return Ask(self.turn, [messages[code] for code in codes], refused, clock)

    def match_ended(self, ending: MatchEnding) -> MatchEnded:
        """Tell that the match has reached its end by the rules (R5)."""
        scores = list(self.match.scores)
        return MatchEnded(ending.value, scores, self.match.winner)

    def round_ended(self, show_hands: bool) -> RoundEnded:
        """Tell how the round that is just over ended, with all hands where the table shows them."""
        result: RoundResult = self.match.results[-1]
        current = self.dealt
        hands: list[list[TileText]] = [
            [tile_text(t) for t in current.hand(seat)] for seat in range(current.seats)
        ]
        return round_ended(result, hands if show_hands else None)


def _plays_on(seat: int, occupant: Occupant) -> KeptChange:
    """Return the row of a seat at which somebody else plays on."""
    if occupant.engine is not None:
        return KeptChange(seat, "engine", occupant.engine)
    return KeptChange(seat, "player", occupant.name)
