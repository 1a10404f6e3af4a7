"""The course of the matches at a table: rounds, turns, clocks, faults, and how a match ends."""

from collections.abc import Sequence
from enum import StrEnum

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import Fault, MatchEnded
from passing_protocol.views import SeatState, TableState
from passing_rules import Action, IllegalAction, Pass
from passing_table.play import Held, Play
from passing_table.rounds import Rounds
from passing_table.rows import KeptChange
from passing_table.seats import Seat
from passing_table.settings import (
    OVER_MS,
    PEOPLE_BETWEEN_MS,
    REFUSALS,
    REMATCH_MS,
)
from passing_table.states import Cause
from passing_table.strikes import NO_STRIKES
from passing_table.words import misfit


class Outcome(StrEnum):
    """Name what became of an action that was not refused."""

    DONE = "done"
    HELD = "held"
    REPEATED = "repeated"


class Course(Rounds):
    """Run one match after the other at the seats of a table (`states.TRANSITIONS`)."""

    # --- a turn

    def act(self, now: int, number: int, turn: int, action: Action) -> Outcome:
        """Answer the question of a turn with an action and tell what became of it.

        Raises RequestRefused: turn_decided, too_late, stale_turn, round_over, not_your_turn,
        not_seated, table_state, or what the rules refuse it for. A refused action changes nothing
        and the clock goes on; an engine that is refused too often loses the turn.
        """
        play = self._playing()
        if play.repeats(number, turn, action):
            return Outcome.REPEATED
        play.verify_turn(number, turn)
        self._verify_state(TableState.PLAYING)
        seat = self.seats[number]
        if seat.state is SeatState.FORFEITED:
            raise RequestRefused(ErrorCode.NOT_SEATED, f"Seat {number} has forfeited this match.")
        if play.deadline is not None and now > play.deadline:
            self._time_out(now)
            raise RequestRefused(ErrorCode.TOO_LATE)
        try:
            if seat.is_engine and self._hold(now, number, action):
                return Outcome.HELD
            self._do(now, number, action)
        except IllegalAction as illegal:
            code = ErrorCode(illegal.refusal.value)
            self._count_refusal(now, seat, code)
            raise RequestRefused(code, misfit(action, illegal.refusal, play.ends)) from None
        return Outcome.DONE

    def _hold(self, now: int, number: int, action: Action) -> bool:
        """Keep an engine's action that came sooner than it may be shown, if it is legal."""
        play = self._playing()
        show_at = play.asked_at + self.settings.pace_ms(self.seats.people)
        if now >= show_at:
            return False
        play.match.verify(number, action)
        self._stop_clock(now, number)
        play.hold(Held(number, action, show_at))
        return True

    def _show_held(self, now: int, number: int | None = None) -> None:
        """Do an action that is kept, of any seat or of that one, before its time."""
        held = self.play.held if self.play is not None else None
        if held is not None and number in (None, held.seat):
            self._do(now, held.seat, held.action)

    def _count_refusal(self, now: int, seat: Seat, code: ErrorCode) -> None:
        seat.refusals += 1
        if seat.is_engine and seat.refusals >= REFUSALS:
            self._time_out(now, code)

    def _time_out(self, now: int, refusal: ErrorCode | None = None) -> None:
        """Pass for the seat on turn, whose time is up (R2.7), and count a strike if it is there.

        `refusal` is the last of those by which an engine has lost its turn.
        """
        number = self._playing().seat_on_turn
        seat = self.seats[number]
        allowed = self.settings.strikes_allowed(person=seat.is_person)
        fault = None
        if seat.present:
            seat.struck = seat.struck.one_more(refusal)
            self.seats.tell(number)
            if allowed is not None and seat.struck.count >= allowed:
                fault = Fault("player", str(seat.struck), number, seat.struck.kind)
        self._do(now, number, Pass(), timed_out=True)
        if fault is not None and self.in_match:
            self._forfeit(now, [fault])

    def _stop_clock(self, now: int, number: int) -> None:
        seat = self.seats[number]
        seat.bank_ms = max(0, seat.bank_ms - self._playing().stop_clock(now))

    def _do(self, now: int, number: int, action: Action, *, timed_out: bool = False) -> None:
        play = self._playing()
        seat = self.seats[number]
        self._log_seats()
        acted = play.do(number, action, timed_out)
        self._stop_clock(now, number)
        self.changes.tell(acted)
        if play.drew is not None:
            self.changes.next.drew[number] = play.drew
        if not timed_out and seat.struck.count:
            seat.struck = NO_STRIKES
            self.seats.tell(number)
        if play.to_act is None:
            self._round_over(now)
        else:
            self._ask(now)

    def _tick_turn(self, now: int, play: Play) -> None:
        """Show an action whose time has come, or pass for a seat whose time is up."""
        if play.held is not None:
            if now >= play.held.show_at:
                self._show_held(now)
        elif play.deadline is not None and now >= play.deadline:
            self._time_out(now)

    # --- a round and a match end

    def _round_over(self, now: int) -> None:
        play = self._playing()
        self.changes.next.asked = None
        self.changes.tell(play.round_ended(self.settings.shows_hands))
        if self.fair is not None:
            self.fair.reveal(play)
        ending = play.match.ending
        if ending is not None:
            self._match_over(now, play.match_ended(ending))
            return
        self._wait_for_people()
        self.seats.hand_back()
        if self.finishing:
            self._finish(now)
        elif self.seats.ready and not self.seats.person_may_be_back(now):
            self._next_round(now)
        else:
            self.deadline = now + PEOPLE_BETWEEN_MS
            self._move(Cause.ROUND_OVER, next_ms=PEOPLE_BETWEEN_MS)

    def _forfeit(self, now: int, faults: Sequence[Fault]) -> None:
        """Take the seats of the faults out of the match; the last side that is left wins it.

        They are one seat, or both of a side with the one that went last in front. An action of
        theirs that is kept is shown first, and may end the match.
        """
        for fault in faults:
            self._show_held(now, fault.seat)
        if not self.in_match:
            return
        play = self._playing()
        for fault in faults:
            self._take_out(fault)
        left = {
            self.options.side_of(n)
            for n, other in enumerate(self.seats)
            if other.state is not SeatState.FORFEITED
        }
        if len(left) == 1:
            scores = list(play.match.scores)
            self._match_over(now, MatchEnded("forfeit", scores, left.pop(), faults[0]))
        elif self.state is TableState.BETWEEN:
            self._begin_if_ready(now)
        elif play.to_act is not None and self.seats[play.to_act].state is SeatState.FORFEITED:
            self.changes.next.asked = None
            play.pass_at(now)

    def _take_out(self, fault: Fault) -> None:
        """Forfeit one seat and tell everybody why, unless that is so already."""
        number = fault.seat
        if number is None or self.seats[number].state is SeatState.FORFEITED:
            return
        seat = self.seats[number]
        if seat.keeper is not None and seat.occupant is not None:
            self.changes.next.dismissed[seat.occupant.key] = "replaced"
        self._log_seats()
        self._playing().write(KeptChange(number, "forfeit", fault.evidence))
        seat.forfeit()
        self.seats.tell(number, fault)

    def _match_over(self, now: int, ended: MatchEnded, *, closing: bool = False) -> None:
        """End the match; people may stay for a rematch, a table of engines alone is closed."""
        if self.fair is not None:
            self.fair.break_off(self.play)
        self._playing().finish(ended)
        self.changes.next.asked = None
        self.changes.tell(ended)
        self.seats.hand_back()
        for number, seat in enumerate(self.seats):
            if seat.settle():
                self.seats.tell(number)
        if closing or not self.seats.people:
            self._move(Cause.MATCH_OVER)
            self._close()
            return
        self._move(Cause.MATCH_OVER, next_ms=REMATCH_MS)
        self.rematch_until = now + REMATCH_MS
        self.deadline = now + OVER_MS

    def _close(self) -> None:
        self.deadline = None
        if self.fair is not None:
            self.fair.break_off(self.play)
        self._move(Cause.EXPIRED)
