"""One table: its life, the match that is played there, and what everybody is told.

Each method that changes something adds events; `take_change` hands them over together, so that
one turn of the server's loop tells each recipient once.
"""

from collections.abc import Callable
from enum import StrEnum

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import (
    Fault,
    MatchBegan,
    MatchEnded,
    Said,
    StateChanged,
    WatchersChanged,
)
from passing_protocol.views import SeatState, TableState
from passing_rules import Action, IllegalAction, Options, Pass
from passing_table.changes import Change, Changes
from passing_table.deals import DealSource
from passing_table.play import Held, Play
from passing_table.seating import Seating
from passing_table.seats import Occupant, Seat
from passing_table.settings import (
    OPEN_EMPTY_MS,
    OVER_MS,
    PARKED_MS,
    PEOPLE_BETWEEN_MS,
    REFUSALS,
    SUBSTITUTE_MS,
    TableSettings,
    game_options,
)
from passing_table.states import TRANSITIONS, Cause


class Outcome(StrEnum):
    """Name what became of an action that was not refused."""

    DONE = "done"
    HELD = "held"
    REPEATED = "repeated"


class Table:
    """Run one table through its life (`states.TRANSITIONS`)."""

    def __init__(
        self,
        table_id: str,
        name: str,
        options: Options,
        settings: TableSettings,
        deals: DealSource,
        new_match_id: Callable[[], str],
        maker: str,
        now: int,
    ) -> None:
        """Open an empty table of `options.seats` seats; `maker` is the key of who made it."""
        self.id = table_id
        self.name = name
        self.options = options
        self.game = game_options(options)
        self.settings = settings
        self.deals = deals
        self.state = TableState.OPEN
        self.changes = Changes()
        self.seats = Seating(options.seats, self.changes)
        self.play: Play | None = None
        self.matches = 0
        self._maker = maker
        self._deadline: int | None = now + OPEN_EMPTY_MS
        self._looked_at = now
        self._new_match_id = new_match_id

    # --- questions

    @property
    def asking(self) -> bool:
        """Tell whether the seat on turn may answer now."""
        return self.state is TableState.PLAYING

    @property
    def in_match(self) -> bool:
        """Tell whether a match is going on, paused or not."""
        return self.state in (TableState.PLAYING, TableState.BETWEEN, TableState.PAUSED)

    def is_owner(self, key: str) -> bool:
        """Tell whether the key may run the table: its owner's, or its maker's if nobody owns it."""
        if self.seats.owner is None:
            return key == self._maker
        return self.seats.seat_of(key) == self.seats.owner

    def holds(self, number: int | None) -> bool:
        """Tell whether an action of that seat is kept until it may be shown."""
        held = self.play.held if self.play is not None else None
        return held is not None and held.seat == number

    @property
    def due(self) -> int | None:
        """Return when `tick` has something to do, None for never."""
        times = [self._deadline, *(seat.deadline for seat in self.seats)]
        if self.in_match:
            times += [self._absence_due(seat) for seat in self.seats]
        if self.play is not None and self.asking:
            times.append(self.play.deadline)
            times.append(self.play.held.show_at if self.play.held is not None else None)
        return min((time for time in times if time is not None), default=None)

    def _absence_due(self, seat: Seat) -> int | None:
        missed_at = self.seats.missed_at(seat)
        if missed_at is None or seat.state is not SeatState.AWAY:
            return None
        return max(missed_at, self._looked_at + SUBSTITUTE_MS)

    def take_change(self) -> Change | None:
        """Return all that happened since the last call, None when nothing did."""
        return self.changes.take()

    # --- sitting down and getting up

    def sit(self, now: int, occupant: Occupant, wanted: int | None) -> int:
        """Give `occupant` the wanted seat, or the first that is free, and return it.

        Raises RequestRefused with seat_taken, table_full, name_taken or table_state.
        """
        if self.seats.seat_of(occupant.key) is not None:
            raise RequestRefused(ErrorCode.SEAT_TAKEN, "You have a seat at this table already.")
        number = self.seats.invited_seat(occupant.key) if wanted is None else wanted
        if number is None:
            number = self.seats.first_free()
        self.seats.verify_free(number, occupant)
        invited = self.seats.invited_seat(occupant.key) == number
        self._verify_state(
            *(TableState.PLAYING, TableState.BETWEEN) if invited else (),
            TableState.OPEN,
            TableState.OVER,
        )
        self.seats.verify_name(number, occupant.name)
        self.seats.take(number, occupant)
        if self.state is TableState.OPEN:
            self._deadline = None
            if self.seats.filled:
                self._move(Cause.FILLED)
                self._begin_if_ready(now)
        return number

    def invite(self, now: int, engine: Occupant, wanted: int | None) -> int:
        """Keep a seat for an engine for a while and return it.

        Raises RequestRefused with table_state, table_full, seat_taken or name_taken.
        """
        self._verify_state(TableState.OPEN, TableState.OVER)
        number = self.seats.first_free() if wanted is None else wanted
        self.seats.verify_free(number, engine)
        self.seats.verify_name(number, engine.name)
        self.seats.invite(now, number, engine)
        return number

    def decline(self, key: str) -> None:
        """Drop the invitation of `key`. Raises RequestRefused with not_seated."""
        number = self.seats.invited_seat(key)
        if number is None:
            raise RequestRefused(ErrorCode.NOT_SEATED, "You have no invitation to this table.")
        self.seats.uninvite(number)

    def leave(self, now: int, key: str) -> None:
        """Give up the seat of `key`; in a match it is filled as the table says.

        Raises RequestRefused with not_seated.
        """
        number = self.seats.seat_of(key)
        if number is None:
            raise RequestRefused(ErrorCode.NOT_SEATED)
        seat = self.seats[number]
        if seat.keeper is not None and seat.keeper.key == key:
            seat.keeper = None
            seat.returning = False
            self.seats.tell(number)
        else:
            self._vacate(now, number)
        self.seats.pass_ownership(number)

    def remove(self, now: int, number: int) -> str | None:
        """Take a seat from whoever holds it and return their key, for the owner.

        Raises RequestRefused with not_seated when nobody holds it.
        """
        if number >= len(self.seats) or self.seats[number].state is SeatState.EMPTY:
            raise RequestRefused(ErrorCode.NOT_SEATED, f"Nobody holds seat {number}.")
        occupant = self.seats[number].occupant
        if occupant is None:
            self.seats.uninvite(number)
            return None
        self._vacate(now, number)
        self.seats.pass_ownership(number)
        return occupant.key

    def _vacate(self, now: int, number: int) -> None:
        seat = self.seats[number]
        if seat.state is SeatState.FORFEITED:
            seat.gone = True
        elif self.in_match:
            seat.abandon(now)
            self.seats.tell(number)
            self._missing(now, number)
        else:
            seat.clear()
            self.seats.tell(number)
            if self.state is TableState.STARTING:
                self._move(Cause.VACATED)
            if not any(s.held for s in self.seats):
                self._deadline = now + OPEN_EMPTY_MS

    # --- presence

    def away(self, now: int, key: str) -> None:
        """Note that nothing is heard from `key` any more; its seat is kept for a while."""
        self.seats.away(now, key)

    def back(self, now: int, key: str) -> None:
        """Note that `key` is there again; a substitute hands the seat back at the next turn."""
        self.seats.back(key)
        if self.state is TableState.PAUSED and any(seat.present for seat in self.seats):
            self._deadline = None
            self._move(Cause.BACK)
            if self._playing().to_act is None:
                self._deal(now)
            else:
                self._ask(now)

    def wants_substitute(self, now: int) -> int | None:
        """Return a seat whose player has stayed away too long and for which an engine is wanted."""
        if not self.in_match or self.settings.absent(self.seats.people) != "engine":
            return None
        for number, seat in enumerate(self.seats):
            absent = seat.state is SeatState.AWAY and self.seats.missed(now, seat)
            if absent and seat.invited is None:
                return number
        return None

    def _missing(self, now: int, number: int) -> None:
        """Do with a seat whose player has stayed away what the table says."""
        seat = self.seats[number]
        seat.ready = True
        if not any(s.present for s in self.seats):
            self._park(now)
        elif self.settings.absent(self.seats.people) == "forfeit" or self._side_missing(
            now, number
        ):
            self._forfeit(now, number, f"seat {number} left or stayed away")
        elif self.play is not None and self.play.to_act == number:
            self.play.deadline = now
        elif self.state is TableState.BETWEEN:
            self._begin_if_ready(now)

    def _side_missing(self, now: int, number: int) -> bool:
        """Tell whether both partners are gone past their grace."""
        if not self.options.partners:
            return False
        partner = self.seats[(number + 2) % 4]
        return partner.state is SeatState.AWAY and self.seats.missed(now, partner)

    def _park(self, now: int) -> None:
        if self.state is not TableState.PAUSED:
            self._move(Cause.ALL_GONE)
            self._deadline = now + PARKED_MS

    # --- the match

    def ready(self, now: int, key: str) -> None:
        """Note that a seat is ready for the start, the next round or a rematch.

        Raises RequestRefused with not_seated or table_state.
        """
        number = self.seats.decides(key)
        if number is None:
            raise RequestRefused(ErrorCode.NOT_SEATED)
        self._verify_state(TableState.STARTING, TableState.BETWEEN, TableState.OVER)
        seat = self.seats[number]
        if not seat.ready:
            seat.ready = True
            self.seats.tell(number)
        self._begin_if_ready(now)

    def start(self, now: int) -> None:
        """Begin the match without waiting for everybody to be ready, for the owner.

        Raises RequestRefused with table_state unless every seat is filled and no match is on.
        """
        self._verify_state(TableState.STARTING)
        self._begin_match(now)

    def _begin_if_ready(self, now: int) -> None:
        if not self.seats.ready:
            return
        if self.state is TableState.BETWEEN:
            self._move(Cause.BEGUN, tell=False)
            self._deal(now)
        elif self.seats.filled:
            self._begin_match(now)

    def _begin_match(self, now: int) -> None:
        first_turn = self.play.turn if self.play is not None else 0
        self.play = Play(self._new_match_id(), self.options, first_turn)
        self.matches += 1
        for seat in self.seats:
            seat.strikes = seat.refusals = 0
            seat.bank_ms = self.settings.bank_ms(seat.is_engine)
        self._move(Cause.BEGUN, tell=False)
        self.changes.tell(MatchBegan(self.play.id, self.options.target))
        self._deal(now)

    def _deal(self, now: int) -> None:
        play = self._playing()
        self._deadline = None
        number = play.match.round_number + 1
        deal, leader = self.deals.deal(self.matches, number, self.options.seats)
        self.changes.tell(play.begin_round(self.deals.kind, deal, leader))
        self.changes.next.hands.update(range(self.options.seats))
        self._wait_for_people()
        self._ask(now)

    def _wait_for_people(self) -> None:
        for seat in self.seats:
            seat.ready = seat.is_engine or not seat.present

    def _ask(self, now: int) -> None:
        """Ask the seat on turn; one who cannot answer is passed for at the next tick."""
        play = self._playing()
        self.seats.hand_back()
        number = play.seat_on_turn
        seat = self.seats[number]
        seat.refusals = 0
        play.ask(now, self.settings.turn_ms(seat.is_engine), seat.bank_ms)
        self.changes.next.asked = number
        absent = seat.state is SeatState.AWAY and self.seats.missed(now, seat)
        if absent or seat.state is SeatState.FORFEITED:
            play.deadline = now

    def act(self, now: int, number: int, turn: int, action: Action) -> Outcome:
        """Answer the question of a turn with an action and tell what became of it.

        Raises RequestRefused: turn_decided, too_late, stale_turn, round_over, not_your_turn,
        table_state, or what the rules refuse it for. A refused action changes nothing and the
        clock goes on; an engine that is refused too often loses the turn.
        """
        play = self._playing()
        if play.repeats(number, turn, action):
            return Outcome.REPEATED
        play.verify_turn(number, turn)
        self._verify_state(TableState.PLAYING)
        if play.deadline is not None and now > play.deadline:
            self._time_out(now)
            raise RequestRefused(ErrorCode.TOO_LATE)
        seat = self.seats[number]
        try:
            play.match.verify(number, action)
        except IllegalAction as illegal:
            self._count_refusal(now, seat)
            raise RequestRefused(ErrorCode(illegal.refusal.value), str(illegal)) from None
        if seat.is_engine:
            pace = self.settings.pace_ms(self.seats.people, self.seats.engines)
            if now < play.asked_at + pace:
                play.hold(Held(number, action, play.asked_at + pace))
                return Outcome.HELD
        self._do(now, number, action)
        return Outcome.DONE

    def _count_refusal(self, now: int, seat: Seat) -> None:
        seat.refusals += 1
        if seat.is_engine and seat.refusals >= REFUSALS:
            self._time_out(now)

    def _time_out(self, now: int) -> None:
        """Pass for the seat on turn, whose time is up (R2.7), and count a strike if it is there."""
        number = self._playing().seat_on_turn
        seat = self.seats[number]
        allowed = self.settings.strikes_allowed(self.seats.people)
        if seat.present:
            seat.strikes += 1
            self.seats.tell(number)
        struck_out = seat.present and allowed is not None and seat.strikes >= allowed
        self._do(now, number, Pass(), timed_out=True)
        if struck_out and self.in_match:
            self._forfeit(now, number, f"seat {number} had {seat.strikes} strikes")

    def _do(self, now: int, number: int, action: Action, *, timed_out: bool = False) -> None:
        play = self._playing()
        seat = self.seats[number]
        seat.bank_ms = max(0, seat.bank_ms - play.used_bank(now))
        self.changes.tell(play.do(number, action, timed_out))
        if play.drew is not None:
            self.changes.next.drew[number] = play.drew
        if not timed_out and seat.strikes:
            seat.strikes = 0
            self.seats.tell(number)
        if play.to_act is None:
            self._round_over(now)
        else:
            self._ask(now)

    def _round_over(self, now: int) -> None:
        play = self._playing()
        self.changes.tell(play.round_ended(self.settings.shows_hands))
        self._wait_for_people()
        if play.match.over:
            self._match_over(now, play.match_ended())
        elif self.seats.ready:
            self._deal(now)
        else:
            self._deadline = now + PEOPLE_BETWEEN_MS
            self._move(Cause.ROUND_OVER, next_ms=PEOPLE_BETWEEN_MS)

    def _forfeit(self, now: int, number: int, evidence: str) -> None:
        """Take a seat out of the match; the last side that is left wins it."""
        play = self._playing()
        seat = self.seats[number]
        seat.state = SeatState.FORFEITED
        seat.away_since = None
        self.seats.tell(number)
        left = {
            self.options.side_of(n)
            for n, other in enumerate(self.seats)
            if other.state is not SeatState.FORFEITED
        }
        if len(left) == 1:
            fault = Fault("player", evidence, number)
            scores = list(play.match.scores)
            self._match_over(now, MatchEnded("forfeit", scores, left.pop(), fault))
        elif play.to_act == number:
            play.deadline = now

    def _match_over(self, now: int, ended: MatchEnded) -> None:
        self._playing().finish()
        self.changes.next.asked = None
        self.changes.tell(ended)
        for number, seat in enumerate(self.seats):
            if seat.gone:
                seat.clear()
                self.seats.tell(number)
            elif seat.state is SeatState.FORFEITED:
                seat.state = SeatState.TAKEN
        self._move(Cause.MATCH_OVER, next_ms=OVER_MS if self.seats.people else None)
        self._wait_for_people()
        if self.seats.people:
            self._deadline = now + OVER_MS
        else:
            self._close()

    def _close(self) -> None:
        self._deadline = None
        self._move(Cause.EXPIRED)

    def _playing(self) -> Play:
        if self.play is None:
            raise RequestRefused(ErrorCode.ROUND_OVER)
        return self.play

    # --- time

    def tick(self, now: int) -> None:
        """Do all that is due by `now`: time-outs, held actions, invitations, absences."""
        self._looked_at = now
        for number, seat in enumerate(self.seats):
            if seat.deadline is not None and now >= seat.deadline:
                self.seats.uninvite(number)
            absent = seat.state is SeatState.AWAY and self.seats.missed(now, seat)
            if absent and self.in_match:
                self._missing(now, number)
        if self.asking:
            self._tick_turn(now, self._playing())
        if self._deadline is not None and now >= self._deadline:
            self._expire(now)

    def _tick_turn(self, now: int, play: Play) -> None:
        if play.held is not None and now >= play.held.show_at:
            self._do(now, play.held.seat, play.held.action)
        elif play.deadline is not None and now >= play.deadline:
            self._time_out(now)

    def _expire(self, now: int) -> None:
        self._deadline = None
        if self.state is TableState.BETWEEN:
            self._move(Cause.BEGUN, tell=False)
            self._deal(now)
            return
        if self.state is TableState.PAUSED:
            self._match_over(now, MatchEnded("abandoned", list(self._playing().match.scores)))
        if self.state is not TableState.CLOSED:
            self._close()

    # --- telling

    def say(self, name: str, seat: int | None, text: str) -> None:
        """Tell the table what somebody said."""
        self.changes.tell(Said(name, text, seat))

    def watchers(self, count: int) -> None:
        """Tell the table how many watch."""
        self.changes.tell(WatchersChanged(count))

    def _verify_state(self, *allowed: TableState) -> None:
        if self.state not in allowed:
            raise RequestRefused(ErrorCode.TABLE_STATE, f"The table is {self.state}.")

    def _move(self, cause: Cause, *, tell: bool = True, next_ms: int | None = None) -> None:
        self.state = TRANSITIONS[self.state][cause]
        if tell:
            self.changes.tell(StateChanged(self.state, next_ms))
