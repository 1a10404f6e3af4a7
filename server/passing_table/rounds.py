"""The rounds of the matches at a table: how each begins, and where the table is in its life."""

from collections.abc import Callable

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import MatchBegan, StateChanged
from passing_protocol.views import IN_MATCH, SeatState, TableState, game_of
from passing_rules import Deal, Options
from passing_table.changes import Change, Changes
from passing_table.dealing_desk import DealingDesk
from passing_table.deals import DealSource, FairDeals
from passing_table.play import Play
from passing_table.seating import Seating
from passing_table.seats import Seat
from passing_table.settings import OPEN_EMPTY_MS, PARKED_MS, TableSettings
from passing_table.states import TRANSITIONS, Cause
from passing_table.words import STANDING


class Rounds:
    """Begin one match after the other at the seats of a table, and each of its rounds."""

    def __init__(
        self,
        options: Options,
        settings: TableSettings,
        deals: DealSource | FairDeals,
        new_match_id: Callable[[], str],
        now: int,
    ) -> None:
        """Set up empty seats; `new_match_id` names each match."""
        self.options = options
        self.game = game_of(options)
        self.settings = settings
        self.deals = deals
        self.state = TableState.OPEN
        self.changes = Changes()
        self.seats = Seating(options.seats, self.changes)
        self.fair: DealingDesk | None = None
        if isinstance(deals, FairDeals):
            self.fair = DealingDesk(deals, self.seats, self.changes)
        self.play: Play | None = None
        self.matches = 0
        self.deadline: int | None = now + OPEN_EMPTY_MS
        self.rematch_until = now
        self.finishing = False
        """Whether no other round begins before the table is restored."""
        self._new_match_id = new_match_id

    # --- questions

    @property
    def asking(self) -> bool:
        """Tell whether the seat on turn may answer now."""
        return self.state is TableState.PLAYING

    @property
    def in_match(self) -> bool:
        """Tell whether a match is going on, paused or not."""
        return self.state in IN_MATCH

    def holds(self, number: int | None) -> bool:
        """Tell whether an action of that seat is kept until it may be shown."""
        held = self.play.held if self.play is not None else None
        return held is not None and held.seat == number

    def take_change(self) -> Change | None:
        """Return all that happened since the last call, None when nothing did."""
        if self.changes.next.events:
            self._log_seats()
        return self.changes.take()

    # --- a match begins

    def ready(self, now: int, key: str) -> None:
        """Note that a seat is ready for the start, the next round or a rematch.

        Raises RequestRefused with not_seated or table_state.
        """
        number = self.seats.decides(key)
        if number is None:
            raise RequestRefused(ErrorCode.NOT_SEATED)
        self._verify_state(TableState.STARTING, TableState.BETWEEN, TableState.OVER)
        self._verify_another(now)
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
        if not self._is_dealing:
            self._begin_match(now)

    @property
    def _is_dealing(self) -> bool:
        return self.fair is not None and self.fair.goes_on

    def _begin_if_ready(self, now: int) -> None:
        if self.finishing or self._is_dealing:
            return
        if self.state is TableState.BETWEEN:
            if self.seats.ready:
                self._next_round(now)
        elif self.seats.all_there:
            self._begin_match(now)

    def finish_round(self, now: int) -> None:
        """Begin no other round: between rounds the match is paused, for a later life to go on."""
        self.finishing = True
        if self.state is TableState.BETWEEN:
            self._finish(now)
        elif self.fair is not None and not self.in_match:
            self.fair.break_off(self.play)

    def _finish(self, now: int) -> None:
        if self.fair is not None:
            self.fair.stop()
        self._move(Cause.FINISHED)
        self.deadline = now + PARKED_MS

    def _begin_match(self, now: int) -> None:
        if self.fair is not None:
            self._prepare(now, self.fair)
            return
        self._open_match(self._new_match_id())
        self._next_round(now)

    def _open_match(self, match_id: str) -> None:
        first_turn = self.play.turn if self.play is not None else 0
        self.play = Play(match_id, self.options, first_turn, self.changes)
        self.matches += 1
        for seat in self.seats:
            seat.forgive()
            seat.new = False
            seat.bank_ms = self.settings.bank_ms(seat.is_engine)
        self._move(Cause.BEGUN, tell=False)
        self.changes.tell(MatchBegan(self.play.id, self.options.target))

    def _next_round(self, now: int) -> None:
        if self.fair is not None:
            self._prepare(now, self.fair)
        elif not isinstance(self.deals, FairDeals):
            if self.state is TableState.BETWEEN:
                self._move(Cause.BEGUN, tell=False)
            number = self._playing().match.round_number + 1
            self._deal(now, *self.deals.deal(self.matches, number, self.options.seats))

    def _prepare(self, now: int, fair: DealingDesk) -> None:
        """Begin with a fair deal; the table stays as it is until everybody has contributed."""
        if self.state is TableState.PLAYING:
            self._move(Cause.ROUND_OVER)
        if self.state is TableState.BETWEEN:
            self.deadline = None
        self.seats.hand_back()
        fair.begin(now, self.play, self._new_match_id)
        self._look_at_dealing(now)

    def _look_at_dealing(self, now: int) -> None:
        """Go on with a fair deal as far as that is possible now, to the round that it begins."""
        fair = self.fair
        complete = fair.look(now, self.play) if fair is not None else None
        if fair is None or complete is None:
            return
        if self.state is TableState.BETWEEN:
            self._move(Cause.BEGUN, tell=False)
        else:
            self._open_match(complete.match)
        self._deal(now, complete.deal, complete.leader)

    def _deal(self, now: int, deal: Deal, leader: int) -> None:
        play = self._playing()
        self.deadline = None
        self.seats.hand_back()
        if play.match.round_number == 0:
            play.seat(self.seats)
        self._log_seats()
        if self.fair is not None:
            self.fair.log(play)
        self.changes.tell(play.begin_round(self.deals.kind, deal, leader))
        self.changes.next.drew.clear()  # what was drawn last is in no hand any more
        self.changes.next.hands.update(range(self.options.seats))
        self._wait_for_people()
        self._ask(now)

    def _log_seats(self) -> None:
        """Write to the log of the match who plays on at each seat, before what comes next."""
        if self.play is not None:
            self.play.log_seats(self.seats)

    def _wait_for_people(self) -> None:
        for seat in self.seats:
            seat.ready = seat.is_engine or not seat.present

    # --- a seat is asked

    def _ask(self, now: int) -> None:
        """Ask the seat on turn; one who cannot answer is passed for at a later tick."""
        play = self._playing()
        self.seats.hand_back()
        number = play.seat_on_turn
        seat = self.seats[number]
        play.ask(now, *self._time_of(seat))
        forfeited = seat.state is SeatState.FORFEITED
        self.changes.next.asked = None if forfeited else number
        seat.refusals = 0
        if forfeited or self.seats.absent(now, seat):
            play.pass_at(seat.passes_at(now))

    def _ask_again(self, now: int, number: int) -> None:
        """Ask another player than before the same question, with time of their own."""
        play = self.play
        if play is None or not self.asking or play.to_act != number or play.held is not None:
            return
        play.start_clock(now, *self._time_of(self.seats[number]))
        self.changes.next.asked = number

    def _time_of(self, seat: Seat) -> tuple[int, int]:
        return self.settings.turn_ms(seat.is_engine), seat.bank_ms

    # --- where the table is in its life

    def _verify_state(self, *allowed: TableState) -> None:
        if self.state not in allowed:
            raise RequestRefused(ErrorCode.TABLE_STATE, STANDING[self.state])

    def _verify_another(self, now: int) -> None:
        """Raise RequestRefused with table_state where the time for another match is over."""
        if self.state is TableState.OVER and now > self.rematch_until:
            raise RequestRefused(ErrorCode.TABLE_STATE, "It is too late for a rematch.")

    def _playing(self) -> Play:
        if self.play is None:
            raise RequestRefused(ErrorCode.ROUND_OVER)
        return self.play

    def _move(self, cause: Cause, *, tell: bool = True, next_ms: int | None = None) -> None:
        self.state = TRANSITIONS[self.state][cause]
        if tell:
            self.changes.tell(StateChanged(self.state, next_ms))
