"""One table: who sits there, the match they play, and what everybody is told.

Each method that changes something adds events; `take_change` hands them over together, so that
one turn of the server's loop tells each recipient once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from passing_protocol.names import name_key

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import (
    Event,
    Fault,
    MatchBegan,
    MatchEnded,
    OwnerChanged,
    Said,
    SeatChanged,
    StateChanged,
    WatchersChanged,
)
from passing_protocol.views import SeatState, TableState
from passing_rules import Action, IllegalAction, Options, Pass, Tile
from passing_table.deals import DealSource
from passing_table.play import Answered, Held, Play
from passing_table.seats import Occupant, Seat
from passing_table.settings import (
    ENGINE_GRACE_MS,
    INVITATION_MS,
    OPEN_EMPTY_MS,
    OVER_MS,
    PARKED_MS,
    PEOPLE_BETWEEN_MS,
    PEOPLE_GRACE_MS,
    REFUSALS,
    SUBSTITUTE_MS,
    TableSettings,
    game_options,
)
from passing_table.states import TRANSITIONS, Cause


@dataclass(slots=True)
class Change:
    """Hold what happened since the last change was taken.

    `hands` are the seats whose hand is to be told anew, `drew` the tile that a seat has drawn,
    `asked` the seat with a new question, and `dismissed` the keys of substitutes who gave their
    seat back.
    """

    events: list[Event] = field(default_factory=list[Event])
    hands: set[int] = field(default_factory=set[int])
    drew: dict[int, Tile] = field(default_factory=dict[int, Tile])
    asked: int | None = None
    dismissed: list[str] = field(default_factory=list[str])


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
        self.maker = maker
        self.state = TableState.OPEN
        self.seats = [Seat() for _ in range(options.seats)]
        self.owner: int | None = None
        self.play: Play | None = None
        self.matches = 0
        self.rev = 0
        self.deadline: int | None = now + OPEN_EMPTY_MS
        self._new_match_id = new_match_id
        self._change = Change()
        self._looked_at = now

    # --- questions -------------------------------------------------------------------------

    @property
    def people(self) -> bool:
        """Tell whether any seat belongs to a person."""
        return any(seat.is_person for seat in self.seats)

    @property
    def engines(self) -> bool:
        """Tell whether an engine sits here."""
        return any(seat.is_engine for seat in self.seats)

    @property
    def asking(self) -> bool:
        """Tell whether the seat on turn may answer now."""
        return self.state is TableState.PLAYING

    @property
    def in_match(self) -> bool:
        """Tell whether a match is going on, paused or not."""
        return self.state in (TableState.PLAYING, TableState.BETWEEN, TableState.PAUSED)

    def seat_of(self, key: str) -> int | None:
        """Return the seat that the key holds, or that a substitute keeps for it."""
        for number, seat in enumerate(self.seats):
            if seat.keeper is not None and seat.keeper.key == key:
                return number
            if seat.occupant is not None and seat.occupant.key == key and not seat.gone:
                return number
        return None

    def decides(self, key: str) -> int | None:
        """Return the seat whose questions the key answers now."""
        number = self.seat_of(key)
        if number is None:
            return None
        occupant = self.seats[number].occupant
        return number if occupant is not None and occupant.key == key else None

    def is_owner(self, key: str) -> bool:
        """Tell whether the key may run the table: its owner's, or its maker's if nobody owns it."""
        if self.owner is None:
            return key == self.maker
        return self.seat_of(key) == self.owner

    def holds(self, number: int | None) -> bool:
        """Tell whether an action of that seat is kept until it may be shown."""
        return (
            self.play is not None and self.play.held is not None and (self.play.held.seat == number)
        )

    @property
    def due(self) -> int | None:
        """Return when `tick` has something to do, None for never."""
        times = [self.deadline, *(seat.deadline for seat in self.seats)]
        if self.in_match:
            times += [self._missed_at(seat) for seat in self.seats if seat.state is SeatState.AWAY]
        if self.play is not None and self.asking:
            times.append(self.play.deadline)
            times.append(self.play.held.show_at if self.play.held is not None else None)
        return min((time for time in times if time is not None), default=None)

    def take_change(self) -> Change | None:
        """Return all that happened since the last call, None when nothing did."""
        change = self._change
        if not change.events:
            return None
        self._change = Change()
        return change

    # --- sitting down and getting up -------------------------------------------------------

    def sit(self, now: int, occupant: Occupant, wanted: int | None) -> int:
        """Give `occupant` the wanted seat, or the first that is free, and return it.

        Raises RequestRefused with seat_taken, table_full, name_taken or table_state.
        """
        if self.seat_of(occupant.key) is not None:
            raise RequestRefused(ErrorCode.SEAT_TAKEN, "You have a seat at this table already.")
        number = self._invited_seat(occupant.key) if wanted is None else wanted
        if number is None:
            number = self._first_free()
        self._verify_free(number, occupant)
        self._verify_name(number, occupant.name)
        seat = self.seats[number]
        if seat.state is SeatState.AWAY:
            self._substitute(number, occupant)
        else:
            seat.take(occupant)
        self._tell_seat(number)
        if self.owner is None and occupant.engine is None and self.state is not TableState.PAUSED:
            self._set_owner(number)
        if self.state is TableState.OPEN:
            self._filled(now)
        elif self.state is TableState.PAUSED:
            self._unpause(now)
        return number

    def _invited_seat(self, key: str) -> int | None:
        for number, seat in enumerate(self.seats):
            if seat.invited is not None and seat.invited.key == key:
                return number
        return None

    def _first_free(self) -> int:
        for number, seat in enumerate(self.seats):
            if seat.state is SeatState.EMPTY:
                return number
        raise RequestRefused(ErrorCode.TABLE_FULL)

    def _verify_free(self, number: int, occupant: Occupant) -> None:
        if number >= len(self.seats):
            raise RequestRefused(
                ErrorCode.SEAT_TAKEN,
                f"seat {number}: this table has seats 0 to {len(self.seats) - 1}.",
            )
        seat = self.seats[number]
        invited = seat.invited is not None and seat.invited.key == occupant.key
        if not invited and seat.state is not SeatState.EMPTY:
            raise RequestRefused(ErrorCode.SEAT_TAKEN, f"seat {number} is {seat.state}.")
        if self.state not in (TableState.OPEN, TableState.OVER) and not (invited and self.in_match):
            raise RequestRefused(ErrorCode.TABLE_STATE, f"The table is {self.state}.")

    def _verify_name(self, number: int, name: str) -> None:
        key = name_key(name)
        for other, seat in enumerate(self.seats):
            for somebody in (seat.occupant, seat.keeper):
                if other != number and somebody is not None and name_key(somebody.name) == key:
                    raise RequestRefused(ErrorCode.NAME_TAKEN)

    def _filled(self, now: int) -> None:
        self.deadline = None
        if all(seat.held for seat in self.seats):
            self._move(Cause.FILLED)
            self._begin_if_ready(now)

    def leave(self, now: int, key: str) -> None:
        """Give up the seat of `key`; in a match it is filled as the table says.

        Raises RequestRefused with not_seated.
        """
        number = self.seat_of(key)
        if number is None:
            raise RequestRefused(ErrorCode.NOT_SEATED)
        seat = self.seats[number]
        if seat.keeper is not None and seat.keeper.key == key:
            seat.keeper = None
            seat.returning = False
            self._tell_seat(number)
        else:
            self._vacate(now, number)
        self._pass_ownership(number)

    def remove(self, now: int, number: int) -> str | None:
        """Take a seat from whoever holds it and return their key, for the owner.

        Raises RequestRefused with not_seated when nobody holds it.
        """
        if number >= len(self.seats) or self.seats[number].state is SeatState.EMPTY:
            raise RequestRefused(ErrorCode.NOT_SEATED, f"Nobody holds seat {number}.")
        seat = self.seats[number]
        occupant = seat.occupant
        if occupant is None:
            seat.clear()
            self._tell_seat(number)
        else:
            seat.keeper = None
            self._vacate(now, number)
            self._pass_ownership(number)
        return occupant.key if occupant is not None else None

    def _vacate(self, now: int, number: int) -> None:
        seat = self.seats[number]
        if not self.in_match:
            seat.clear()
            self._tell_seat(number)
            if self.state is TableState.STARTING:
                self._move(Cause.VACATED)
            if not any(s.held for s in self.seats):
                self.deadline = now + OPEN_EMPTY_MS
        elif seat.state is not SeatState.FORFEITED:
            seat.state = SeatState.AWAY
            seat.gone = True
            seat.away_since = now
            seat.ready = True
            self._tell_seat(number)
            self._missing(now, number)

    def _pass_ownership(self, number: int) -> None:
        if self.owner != number:
            return
        people = [n for n, seat in enumerate(self.seats) if seat.is_person and not seat.gone]
        others = [n for n in people if n != number]
        self._set_owner(others[0] if others else None)

    def _set_owner(self, number: int | None) -> None:
        self.owner = number
        self._tell(OwnerChanged(number))

    # --- engines that are invited ------------------------------------------------------------

    def invite(self, now: int, engine: Occupant, wanted: int | None) -> int:
        """Keep a seat for an engine for a while and return it.

        Raises RequestRefused with table_state, table_full, seat_taken or name_taken.
        """
        if self.state not in (TableState.OPEN, TableState.OVER):
            raise RequestRefused(ErrorCode.TABLE_STATE, f"The table is {self.state}.")
        number = self._first_free() if wanted is None else wanted
        self._verify_free(number, engine)
        self._verify_name(number, engine.name)
        seat = self.seats[number]
        seat.state = SeatState.INVITED
        seat.invited = engine
        seat.deadline = now + INVITATION_MS
        self._tell_seat(number)
        return number

    def wants_substitute(self, now: int) -> int | None:
        """Return a seat whose player has stayed away too long and for which an engine is wanted."""
        if not self.in_match or self.settings.absent(self.people) != "engine":
            return None
        for number, seat in enumerate(self.seats):
            if seat.state is SeatState.AWAY and seat.invited is None and self._missed(now, seat):
                return number
        return None

    def offer(self, now: int, number: int, engine: Occupant) -> None:
        """Keep an absent player's seat for an engine that has been asked to stand in."""
        seat = self.seats[number]
        seat.invited = engine
        seat.deadline = now + INVITATION_MS

    def decline(self, key: str) -> None:
        """Drop the invitation of `key`. Raises RequestRefused with not_seated."""
        number = self._invited_seat(key)
        if number is None:
            raise RequestRefused(ErrorCode.NOT_SEATED, "You have no invitation to this table.")
        self._uninvite(number)

    def is_invited(self, key: str) -> bool:
        """Tell whether a seat is kept for `key`."""
        return self._invited_seat(key) is not None

    def _uninvite(self, number: int) -> None:
        seat = self.seats[number]
        if seat.state is SeatState.INVITED:
            seat.clear()
            self._tell_seat(number)
        seat.invited = None
        seat.deadline = None

    def _substitute(self, number: int, engine: Occupant) -> None:
        seat = self.seats[number]
        if not seat.gone:
            seat.keeper = seat.occupant
        seat.take(engine)
        seat.state = SeatState.SUBSTITUTE
        seat.gone = False
        seat.away_since = None

    # --- presence ----------------------------------------------------------------------------

    def away(self, now: int, key: str) -> None:
        """Note that nothing is heard from `key` any more; its seat is kept for a while."""
        number = self.seat_of(key)
        if number is None:
            return
        seat = self.seats[number]
        if seat.state is SeatState.SUBSTITUTE and seat.keeper is not None:
            if seat.keeper.key == key:
                seat.returning = False
                return
            self._lose_substitute(now, number)
        elif seat.present:
            seat.state = SeatState.AWAY
            seat.away_since = now
            self._tell_seat(number)

    def _lose_substitute(self, now: int, number: int) -> None:
        seat = self.seats[number]
        seat.occupant, seat.keeper = seat.keeper, None
        seat.state = SeatState.AWAY
        seat.away_since = now - PEOPLE_GRACE_MS
        self._tell_seat(number)

    def back(self, now: int, key: str) -> None:
        """Note that `key` is there again; a substitute hands the seat back at the next turn."""
        number = self.seat_of(key)
        if number is None:
            return
        seat = self.seats[number]
        if seat.state is SeatState.SUBSTITUTE and seat.keeper is not None:
            seat.returning = seat.keeper.key == key
        elif seat.state is SeatState.AWAY:
            seat.state = SeatState.TAKEN
            seat.away_since = None
            if seat.invited is not None:
                self._uninvite(number)
            self._tell_seat(number)
            if self.state is TableState.PAUSED:
                self._unpause(now)

    def _missed(self, now: int, seat: Seat) -> bool:
        grace = ENGINE_GRACE_MS if seat.is_engine else PEOPLE_GRACE_MS
        return seat.gone or (seat.away_since is not None and now - seat.away_since >= grace)

    def _missed_at(self, seat: Seat) -> int | None:
        """Return when a seat counts as missed, or when to look for a substitute again."""
        if seat.away_since is None:
            return None
        grace = ENGINE_GRACE_MS if seat.is_engine else PEOPLE_GRACE_MS
        return max(seat.away_since + grace, self._looked_at + SUBSTITUTE_MS)

    def _missing(self, now: int, number: int) -> None:
        """Do with a seat whose player has stayed away what the table says."""
        seat = self.seats[number]
        if not any(s.present for s in self.seats):
            self._pause(now)
        elif self.settings.absent(self.people) == "forfeit" or self._side_missing(now, number):
            self._forfeit(now, number, f"seat {number} left or stayed away")
        elif self.play is not None and self.play.to_act == number:
            self.play.deadline = now
        seat.ready = True

    def _side_missing(self, now: int, number: int) -> bool:
        """Tell whether both partners are gone past their grace."""
        partner = self.seats[(number + 2) % 4] if self.options.partners else None
        return (
            partner is not None and partner.state is SeatState.AWAY and self._missed(now, partner)
        )

    def _pause(self, now: int) -> None:
        if self.state is not TableState.PAUSED:
            self._move(Cause.ALL_GONE)
            self.deadline = now + PARKED_MS

    def _unpause(self, now: int) -> None:
        self.deadline = None
        self._move(Cause.BACK)
        if self.play is not None and self.play.to_act is None:
            self._next_round(now)
        else:
            self._ask(now)

    # --- the match -----------------------------------------------------------------------------

    def ready(self, now: int, key: str) -> None:
        """Note that a seat is ready for the start, the next round or a rematch.

        Raises RequestRefused with not_seated or table_state.
        """
        number = self.decides(key)
        if number is None:
            raise RequestRefused(ErrorCode.NOT_SEATED)
        if self.state not in (TableState.STARTING, TableState.BETWEEN, TableState.OVER):
            raise RequestRefused(ErrorCode.TABLE_STATE, f"The table is {self.state}.")
        seat = self.seats[number]
        if not seat.ready:
            seat.ready = True
            self._tell_seat(number)
        self._begin_if_ready(now)

    def start(self, now: int) -> None:
        """Begin the match without waiting for everybody to be ready, for the owner.

        Raises RequestRefused with table_state unless every seat is filled and no match is on.
        """
        if self.state is not TableState.STARTING:
            raise RequestRefused(ErrorCode.TABLE_STATE, f"The table is {self.state}.")
        self._begin_match(now)

    def _begin_if_ready(self, now: int) -> None:
        if not all(seat.ready or seat.state is SeatState.FORFEITED for seat in self.seats):
            return
        if self.state is TableState.BETWEEN:
            self._next_round(now)
        elif all(seat.held for seat in self.seats):
            self._begin_match(now)

    def _begin_match(self, now: int) -> None:
        first_turn = self.play.turn if self.play is not None else 0
        self.play = Play(self._new_match_id(), self.options, first_turn)
        self.matches += 1
        for seat in self.seats:
            seat.strikes = seat.refusals = 0
            seat.bank_ms = self.settings.bank_ms(seat.is_engine)
        self._move(Cause.BEGUN, tell=False)
        self._tell(MatchBegan(self.play.id, self.options.target))
        self._deal(now)

    def _next_round(self, now: int) -> None:
        if self.state is TableState.BETWEEN:
            self._move(Cause.BEGUN, tell=False)
        self._deal(now)

    def _deal(self, now: int) -> None:
        play = self._playing()
        self.deadline = None
        number = play.match.round_number + 1
        deal, leader = self.deals.deal(self.matches, number, self.options.seats)
        self._tell(play.begin_round(self.deals.kind, deal, leader))
        self._change.hands.update(range(self.options.seats))
        for seat in self.seats:
            seat.ready = seat.is_engine or not seat.present
        self._ask(now)

    def _playing(self) -> Play:
        if self.play is None:
            raise RequestRefused(ErrorCode.TABLE_STATE, f"The table is {self.state}.")
        return self.play

    def _ask(self, now: int) -> None:
        """Ask the seat on turn; one who cannot answer is passed for at the next tick."""
        play = self._playing()
        for number in range(len(self.seats)):
            self._hand_back(number)
        number = play.to_act
        assert number is not None
        seat = self.seats[number]
        seat.refusals = 0
        play.ask(now, self.settings.turn_ms(seat.is_engine), seat.bank_ms)
        self._change.asked = number
        if seat.state is SeatState.FORFEITED or (
            seat.state is SeatState.AWAY and self._missed(now, seat)
        ):
            play.deadline = now

    def _hand_back(self, number: int) -> None:
        seat = self.seats[number]
        if seat.returning and seat.keeper is not None and seat.occupant is not None:
            self._change.dismissed.append(seat.occupant.key)
            self._change.hands.add(number)
            seat.occupant, seat.keeper = seat.keeper, None
            seat.state = SeatState.TAKEN
            seat.returning = seat.ready = False
            self._tell_seat(number)

    def act(self, now: int, number: int, turn: int, action: Action) -> Outcome:
        """Answer the question of a turn with an action and tell what became of it.

        Raises RequestRefused: turn_decided, too_late, stale_turn, round_over, not_your_turn,
        table_state, or what the rules refuse it for. A refused action changes nothing and the
        clock goes on; an engine that is refused too often loses the turn.
        """
        play = self._playing()
        if self._repeats(play, number, turn, action):
            return Outcome.REPEATED
        self._verify_turn(play, number, turn)
        if play.deadline is not None and now > play.deadline:
            self._time_out(now)
            raise RequestRefused(ErrorCode.TOO_LATE)
        seat = self.seats[number]
        try:
            play.match.verify(number, action)
        except IllegalAction as illegal:
            self._count_refusal(now, seat)
            raise RequestRefused(ErrorCode(illegal.refusal.value), str(illegal)) from None
        pace = self.settings.pace_ms(self.people, self.engines) if seat.is_engine else 0
        if pace and now < play.asked_at + pace:
            play.held = Held(number, action, play.asked_at + pace)
            play.answered[number] = Answered(turn, action)
            play.deadline = None
            return Outcome.HELD
        self._do(now, number, action)
        return Outcome.DONE

    def _repeats(self, play: Play, number: int, turn: int, action: Action) -> bool:
        answered = play.answered.get(number)
        if answered is None or answered.turn != turn:
            return False
        if answered.timed_out:
            raise RequestRefused(ErrorCode.TOO_LATE)
        if answered.action != action:
            raise RequestRefused(ErrorCode.TURN_DECIDED)
        return True

    def _verify_turn(self, play: Play, number: int, turn: int) -> None:
        if play.to_act is None:
            raise RequestRefused(ErrorCode.ROUND_OVER)
        if turn != play.turn:
            raise RequestRefused(ErrorCode.STALE_TURN, f"turn {turn}: it is turn {play.turn} now.")
        if play.to_act != number:
            raise RequestRefused(ErrorCode.NOT_YOUR_TURN)
        if self.state is not TableState.PLAYING:
            raise RequestRefused(ErrorCode.TABLE_STATE, f"The table is {self.state}.")

    def _count_refusal(self, now: int, seat: Seat) -> None:
        seat.refusals += 1
        if seat.is_engine and seat.refusals >= REFUSALS:
            self._time_out(now)

    def _time_out(self, now: int) -> None:
        """Pass for the seat on turn, whose time is up (R2.7), and count a strike if it is there."""
        play = self._playing()
        number = play.to_act
        assert number is not None
        seat = self.seats[number]
        present = seat.present
        if present:
            seat.strikes += 1
        self._do(now, number, Pass(), timed_out=True)
        allowed = self.settings.strikes_allowed(self.people)
        if present:
            self._tell_seat(number)
            if allowed is not None and seat.strikes >= allowed and self.in_match:
                self._forfeit(now, number, f"seat {number} had {seat.strikes} strikes")

    def _do(self, now: int, number: int, action: Action, timed_out: bool = False) -> None:
        play = self._playing()
        seat = self.seats[number]
        seat.bank_ms = max(0, seat.bank_ms - play.used_bank(now))
        self._tell(play.do(number, action, timed_out))
        if play.drew is not None:
            self._change.drew[number] = play.drew
        if not timed_out and seat.strikes:
            seat.strikes = 0
            self._tell_seat(number)
        if play.to_act is None:
            self._round_over(now)
        else:
            self._ask(now)

    def _round_over(self, now: int) -> None:
        play = self._playing()
        self._tell(play.round_ended(self.settings.shows_hands))
        if play.match.over:
            reached = max(play.match.scores) >= self.options.target
            reason = "target" if reached else "max_rounds"
            self._match_over(now, MatchEnded(reason, list(play.match.scores), play.match.winner))
            return
        for seat in self.seats:
            seat.ready = seat.is_engine or not seat.present
        if all(seat.ready for seat in self.seats):
            self._deal(now)
        else:
            self.deadline = now + PEOPLE_BETWEEN_MS
            self._move(Cause.ROUND_OVER, next_ms=PEOPLE_BETWEEN_MS)

    def _forfeit(self, now: int, number: int, evidence: str) -> None:
        """Take a seat out of the match; the last side that is left wins it."""
        play = self._playing()
        self.seats[number].state = SeatState.FORFEITED
        self.seats[number].ready = True
        self._tell_seat(number)
        left = {
            self.options.side_of(n)
            for n, seat in enumerate(self.seats)
            if seat.state is not SeatState.FORFEITED
        }
        if len(left) == 1:
            fault = Fault("player", evidence, number)
            ended = MatchEnded("forfeit", list(play.match.scores), left.pop(), fault)
            self._match_over(now, ended)
        elif play.to_act == number and self.state is TableState.PLAYING:
            play.deadline = now

    def _match_over(self, now: int, ended: MatchEnded) -> None:
        play = self._playing()
        play.deadline = None
        play.held = None
        self._change.asked = None
        self._tell(ended)
        for number, seat in enumerate(self.seats):
            if seat.gone or seat.state is SeatState.FORFEITED:
                seat.clear()
                self._tell_seat(number)
            else:
                seat.ready = seat.is_engine
        if self.people:
            self.deadline = now + OVER_MS
            self._move(Cause.MATCH_OVER, next_ms=OVER_MS)
        else:
            self._move(Cause.MATCH_OVER, tell=False)
            self.close()

    def close(self) -> None:
        """End the table's life."""
        self.deadline = None
        self._move(Cause.EXPIRED)

    # --- time ----------------------------------------------------------------------------------

    def tick(self, now: int) -> None:
        """Do all that is due by `now`: time-outs, held actions, invitations, absences, deadlines."""
        self._looked_at = now
        for number, seat in enumerate(self.seats):
            if seat.deadline is not None and now >= seat.deadline:
                self._uninvite(number)
            if self.in_match and seat.state is SeatState.AWAY and self._missed(now, seat):
                self._missing(now, number)
        play = self.play
        if play is not None and self.state is TableState.PLAYING and play.to_act is not None:
            if play.held is not None and now >= play.held.show_at:
                self._do(now, play.held.seat, play.held.action)
            elif play.deadline is not None and now >= play.deadline:
                self._time_out(now)
        if self.deadline is not None and now >= self.deadline:
            self._expire(now)

    def _expire(self, now: int) -> None:
        self.deadline = None
        if self.state is TableState.BETWEEN:
            self._next_round(now)
        elif self.state is TableState.PAUSED and self.play is not None:
            scores = list(self.play.match.scores)
            self._match_over(now, MatchEnded("abandoned", scores))
            if self.state is not TableState.CLOSED:
                self.close()
        else:
            self.close()

    # --- telling -------------------------------------------------------------------------------

    def say(self, name: str, seat: int | None, text: str) -> None:
        """Tell the table what somebody said."""
        self._tell(Said(name, text, seat))

    def watchers(self, count: int) -> None:
        """Tell the table how many watch."""
        self._tell(WatchersChanged(count))

    def _tell(self, event: Event) -> None:
        self.rev += 1
        self._change.events.append(event)

    def _tell_seat(self, number: int) -> None:
        self._tell(SeatChanged(number, self.seats[number].info()))

    def _move(self, cause: Cause, *, tell: bool = True, next_ms: int | None = None) -> None:
        self.state = TRANSITIONS[self.state][cause]
        if tell:
            self._tell(StateChanged(self.state, next_ms))
