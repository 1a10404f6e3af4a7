"""One table: who sits down and gets up, who is away, and what is due when.

Each method that changes something adds events; `take_change` hands them over together, so that
one turn of the server's loop tells each recipient once.
"""

from collections.abc import Callable

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import Fault, ForfeitKind, MatchEnded, Said, WatchersChanged
from passing_protocol.fair_messages import GiveLink, ShowTip, TipsOk
from passing_protocol.views import SeatState, TableState, Tip
from passing_rules import Options
from passing_table.course import Course
from passing_table.deals import DealSource, FairDeals
from passing_table.seats import Occupant, Seat
from passing_table.settings import OPEN_EMPTY_MS, PARKED_MS, SUBSTITUTE_MS, TableSettings
from passing_table.states import Cause
from passing_table.words import ABSENCE


class Table(Course):
    """Run one table through its life (`states.TRANSITIONS`)."""

    def __init__(
        self,
        table_id: str,
        name: str,
        options: Options,
        settings: TableSettings,
        deals: DealSource | FairDeals,
        new_match_id: Callable[[], str],
        maker: str,
        now: int,
    ) -> None:
        """Open an empty table of `options.seats` seats; `maker` is the key of who made it."""
        super().__init__(options, settings, deals, new_match_id, now)
        self.id = table_id
        self.name = name
        self.maker = maker
        self.looked_at = now

    def is_owner(self, key: str) -> bool:
        """Tell whether the key may run the table: its owner's, or its maker's if nobody owns it."""
        if self.seats.owner is None:
            return key == self.maker
        return self.seats.seat_of(key) == self.seats.owner

    @property
    def due(self) -> int | None:
        """Return when `tick` has something to do, None for never."""
        times = [self.deadline, *(seat.deadline for seat in self.seats)]
        times.append(self.fair.due if self.fair is not None else None)
        if self.state is not TableState.PAUSED:
            times += [self._absence_due(s) for s in self.seats if s.state is SeatState.AWAY]
        if self.play is not None and self.asking:
            times.append(self.play.deadline)
            times.append(self.play.held.show_at if self.play.held is not None else None)
        return min((time for time in times if time is not None), default=None)

    def _absence_due(self, seat: Seat) -> int:
        """Return when an absence is looked at: when it has lasted too long, and every second."""
        return max(seat.missed_at or 0, self.looked_at + SUBSTITUTE_MS)

    # --- sitting down and getting up

    def sit(self, now: int, occupant: Occupant, wanted: int | None) -> int:
        """Give `occupant` the wanted seat, or the first that is free, and return it.

        Raises RequestRefused with malformed, seat_taken, table_full, name_taken or table_state.
        """
        if self.seats.seat_of(occupant.key) is not None:
            raise RequestRefused(
                ErrorCode.SEAT_TAKEN, "You have a seat at this table already.", retry=False
            )
        invited = self.seats.invited_seat(occupant.key)
        number = invited if wanted is None else wanted
        if number is None:
            number = self.seats.first_free()
        self.seats.verify_free(number, occupant)
        self._verify_state(
            *(TableState.PLAYING, TableState.BETWEEN) if invited == number else (),
            TableState.OPEN,
            TableState.OVER,
        )
        self._verify_another(now)
        self.seats.verify_name(occupant)
        if invited is not None and invited != number:
            self.seats.uninvite(invited)
        self.seats.take(number, occupant)
        self.seats[number].new = self.state is TableState.OVER
        self._seated(now, number)
        return number

    def _seated(self, now: int, number: int) -> None:
        """Go on with one more player: to the start, a rematch, or the turn that waits for one."""
        if self.state is TableState.OPEN:
            if self.seats.people or self.seats.filled:
                self.deadline = None
            if self.seats.filled:
                self._move(Cause.FILLED)
        if self.in_match:
            self._ask_again(now, number)
        else:
            self._begin_if_there(now)

    def _begin_if_there(self, now: int) -> None:
        """Begin the match, or another one in time, if nobody is missing for it any more."""
        rematch = self.state is TableState.OVER and now <= self.rematch_until
        if rematch or self.state is TableState.STARTING:
            self._begin_if_ready(now)

    def invite(self, now: int, engine: Occupant, wanted: int | None) -> int:
        """Keep a seat for an engine for a while and return it.

        Raises RequestRefused with table_state, table_full, malformed, seat_taken or name_taken.
        """
        self._verify_state(TableState.OPEN, TableState.OVER)
        self._verify_another(now)
        number = self.seats.first_free() if wanted is None else wanted
        self.seats.verify_free(number, engine)
        self.seats.verify_name(engine)
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

        A substitute's goes to the player it stood in for. Raises RequestRefused with not_seated.
        """
        number = self.seats.seat_of(key)
        if number is None:
            raise RequestRefused(ErrorCode.NOT_SEATED)
        self._show_held(now, number)
        seat = self.seats[number]
        if seat.keeper is not None and seat.keeper.key != key:
            self.away(now, key)
            del self.changes.next.dismissed[key]  # it goes of its own accord
        elif seat.keeper is not None:
            seat.keeper = None
            seat.returning = False
            seat.absence = ForfeitKind.LEFT
            self.seats.tell(number)
            self.seats.pass_ownership(number)
        elif self.seats.seat_of(key) is not None:  # a substitute may have handed back just now
            self._vacate(now, number, ForfeitKind.LEFT)

    def remove(self, now: int, number: int) -> list[str]:
        """Take a seat from whoever holds it and return the keys of all who lose it, for the owner.

        Raises RequestRefused with not_seated when nobody holds it.
        """
        seat = self.seats[number] if number < len(self.seats) else Seat()
        if seat.state is SeatState.INVITED:
            self.seats.uninvite(number)
            return []
        keys = [occupant.key for occupant in seat.claimants]
        if not keys:
            raise RequestRefused(ErrorCode.NOT_SEATED, f"Nobody holds seat {number}.")
        self._show_held(now, number)
        self._vacate(now, number, ForfeitKind.REMOVED)
        return keys

    def _vacate(self, now: int, number: int, how: ForfeitKind) -> None:
        """Take the seat from its player for good; the owner's table goes to the next person."""
        seat = self.seats[number]
        may_be_last = seat.is_person and not self.in_match
        if seat.state is SeatState.FORFEITED:
            seat.gone = True
        elif self.in_match:
            seat.abandon(now, how)
            self._missing(now, number, has_left=True)
            self._go_on(now)
        else:
            seat.clear()
            self.seats.tell(number)
            if self.fair is not None:
                self.fair.break_off(self.play)  # a match begins with all seats filled
            if self.state is TableState.STARTING:
                self._move(Cause.VACATED)
            if self.state is TableState.OPEN and not self.seats.people:
                self.deadline = now + OPEN_EMPTY_MS
        self.seats.pass_ownership(number)
        if may_be_last and not self.seats.people:
            self._let_engines_go()
        self._look_at_dealing(now)

    def _let_engines_go(self) -> None:
        """Let the engines go that no person is left for; a table after its match is closed."""
        if self.state is TableState.OVER:
            self._close()
            return
        for number, seat in enumerate(self.seats):
            if seat.state is not SeatState.EMPTY:
                for occupant in seat.claimants:
                    self.changes.next.dismissed[occupant.key] = "removed"
                seat.clear()
                self.seats.tell(number)

    # --- presence

    def away(self, now: int, key: str) -> None:
        """Note that nothing is heard from `key` any more; its seat is kept for a while."""
        number = self.seats.away(now, key)
        if number is not None:
            self.changes.next.hands.add(number)
            self._ask_again(now, number)
        # Where all were cut off, a substitute who is not noted as away yet would count as there.
        if self.fair is not None and not self.fair.is_patient:
            self._look_at_dealing(now)

    def back(self, now: int, key: str) -> None:
        """Note that `key` is there again; a substitute hands the seat back at the next turn."""
        number = self.seats.back(now, key)
        if number is not None:
            self._ask_again(now, number)
        if self.state in (TableState.BETWEEN, TableState.OVER) and not self._is_dealing:
            self.seats.hand_back()
        self._begin_if_there(now)
        self._go_on(now)

    def _go_on(self, now: int) -> None:
        """End a pause if there is somebody to play on for."""
        if self.state is not TableState.PAUSED or self.finishing or self._all_gone():
            return
        self.deadline = None
        is_between = self._playing().to_act is None
        self._move(Cause.ROUND_OVER if is_between and self.fair is not None else Cause.BACK)
        if is_between:
            self._next_round(now)
        else:
            self._ask(now)

    def wants_substitute(self, now: int) -> int | None:
        """Return a seat whose player has stayed away too long and for which an engine is wanted."""
        if self.state not in (TableState.PLAYING, TableState.BETWEEN) or self._policy != "engine":
            return None
        for number, seat in enumerate(self.seats):
            if seat.invited is None and self.seats.absent(now, seat):
                return number
        return None

    @property
    def _policy(self) -> str:
        return self.settings.absent(self.seats.people)

    def _missing(self, now: int, number: int, *, has_left: bool = False) -> None:
        """Do with a seat whose player has stayed away, or `has_left` just now, what the table says.

        Of a seat that is forfeited nothing is told but that.
        """
        seat = self.seats[number]
        news = has_left or not seat.ready
        seat.ready = True
        partner = self._missing_partner(now, number)
        is_parked = self._all_gone()
        if not is_parked and (self._policy == "forfeit" or partner is not None):
            lost = [number] if partner is None else [number, partner]
            self._forfeit(now, [self._lost(n) for n in lost])
            return
        if news:
            self.seats.tell(number)
        if is_parked:
            self._park(now)
        elif self._playing().to_act == number:
            self._playing().pass_at(seat.passes_at(now))
        elif self.state is TableState.BETWEEN:
            self._begin_if_ready(now)

    def _lost(self, number: int) -> Fault:
        """Return why a seat is forfeited whose player is not there."""
        how = self.seats[number].absence
        return Fault("player", ABSENCE[how], number, how)

    def _missing_partner(self, now: int, number: int) -> int | None:
        """Return the partner's seat if that player is gone too, substitute or not."""
        if not self.options.partners:
            return None
        partner = self.seats[(number + 2) % 4]
        stood_in = partner.state is SeatState.SUBSTITUTE and not partner.returning
        out = partner.state is SeatState.FORFEITED or self.seats.absent(now, partner)
        return (number + 2) % 4 if stood_in or out else None

    def _all_gone(self) -> bool:
        """Tell whether nobody is there to play on for: engines alone do not go on for people."""
        if self._policy == "engine" and self.seats.people:
            return not any(seat.person_there for seat in self.seats)
        return not any(seat.present for seat in self.seats)

    def _park(self, now: int) -> None:
        """Pause until somebody is back, or end the match if nobody is left who could be."""
        self._show_held(now)
        if not any(seat.held and not seat.gone for seat in self.seats):
            if self.in_match:
                self._abandon(now)
        elif self.state in (TableState.PLAYING, TableState.BETWEEN):
            if self.fair is not None:
                self.fair.stop()
            self._move(Cause.ALL_GONE)
            self.deadline = now + PARKED_MS

    def _abandon(self, now: int) -> None:
        scores = list(self._playing().match.scores)
        self._match_over(now, MatchEnded("abandoned", scores), closing=True)

    # --- fair deals

    def interrupt(self, now: int) -> None:
        """Note that all connections were lost: who contributes to a deal is waited for."""
        if self.fair is not None:
            self.fair.interrupt(now)

    def contribute(self, now: int, key: str, request: ShowTip | TipsOk | GiveLink) -> None:
        """Take the part in a fair deal that the software at a seat has been asked for.

        Raises RequestRefused with not_seated, no_such_deal or malformed.
        """
        if self.fair is None:
            raise RequestRefused(ErrorCode.NO_SUCH_DEAL)
        dealing, seat, key = self.fair.seated(self.seats.decides(key))
        try:
            match request:
                case ShowTip(match=match, base=base, tip=tip):
                    dealing.show_tip(seat, key, match, Tip(base, tip))
                case TipsOk(match=match, version=version, hash=hash_):
                    dealing.agree(seat, key, match, version, hash_)
                case GiveLink(match=match, deal=deal, link=link):
                    dealing.give_link(seat, key, match, deal, link)
        finally:
            self._look_at_dealing(now)  # one who has given something wrong is not waited for

    # --- time

    def tick(self, now: int) -> None:
        """Do all that is due by `now`: time-outs, held actions, invitations, absences."""
        self.looked_at = now
        for number, seat in enumerate(self.seats):
            if seat.deadline is not None and now >= seat.deadline:
                self.seats.uninvite(number)
            if self.state is not TableState.PAUSED and self.seats.absent(now, seat):
                self._stayed_away(now, number)
        self._look_at_dealing(now)
        if self.asking:
            self._tick_turn(now, self._playing())
        if self.deadline is not None and now >= self.deadline:
            self._expire(now)

    def _stayed_away(self, now: int, number: int) -> None:
        """Go on without a player; out of a match the seat is free for others."""
        if self.in_match:
            self._missing(now, number)
            return
        for occupant in self.seats[number].claimants:
            self.changes.next.dismissed[occupant.key] = "removed"
        self._vacate(now, number, ForfeitKind.AWAY)

    def _expire(self, now: int) -> None:
        self.deadline = None
        if self.state is TableState.BETWEEN:
            self._next_round(now)
        elif self.state is TableState.PAUSED:
            self._abandon(now)
        elif self.state is not TableState.CLOSED:
            self._close()

    # --- telling

    def say(self, name: str, seat: int | None, text: str) -> None:
        """Tell the table what somebody said."""
        self.changes.tell(Said(name, text, seat))

    def watchers(self, count: int) -> None:
        """Tell the table how many watch."""
        self.changes.tell(WatchersChanged(count))
