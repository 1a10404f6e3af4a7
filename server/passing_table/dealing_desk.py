"""The fair deals of a table: who contributes, what is logged and told of it, and when."""

from collections.abc import Callable

from msgspec.structs import replace

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import TipsAgreed
from passing_table.changes import Changes
from passing_table.dealing import Dealing, Wanted
from passing_table.dealing_state import Complete, Player
from passing_table.deals import FairDeals
from passing_table.play import Play
from passing_table.rows import FairRow
from passing_table.seating import Seating


class DealingDesk:
    """Bring about the deals of one match after the other.

    A match that has not begun has no log yet: its first rows wait until it does.
    """

    def __init__(self, source: FairDeals, seats: Seating, changes: Changes) -> None:
        """Begin with no match; what happens is told through `changes`."""
        self.source = source
        self.dealing: Dealing | None = None
        self._seats = seats
        self._changes = changes

    @property
    def goes_on(self) -> bool:
        """Tell whether a deal is on its way."""
        return self.dealing is not None and self.dealing.goes_on

    @property
    def is_patient(self) -> bool:
        """Tell whether all were cut off, and are waited for to be back."""
        return self.dealing is not None and self.dealing.patient_until is not None

    @property
    def due(self) -> int | None:
        """Return when there is something to look at."""
        return self.dealing.due if self.dealing is not None else None

    def wanted(self, table: str, seat: int, now: int) -> Wanted | None:
        """Return what the software at a seat is asked for and has not answered."""
        occupant = self._seats[seat].occupant
        if self.dealing is None or occupant is None:
            return None
        return self.dealing.wanted(table, seat, occupant.key, now)

    def begin(self, now: int, play: Play | None, new_match_id: Callable[[], str]) -> None:
        """Begin with the next deal of the match that is played, or with the first of another."""
        if self.dealing is None:
            self.dealing = Dealing.new(self.source, new_match_id(), len(self._seats))
        self.dealing.begin(now, self._there())
        self._tell(self.dealing, play)

    def look(self, now: int, play: Play | None) -> Complete | None:
        """Go on as far as that is possible now; return the deal when it is complete."""
        dealing = self.dealing
        if dealing is None or dealing.state.stage is None:
            return None
        complete = dealing.look(now, self._there())
        self._tell(dealing, play)
        return complete

    def stop(self) -> None:
        """Deal nothing for now."""
        if self.dealing is not None:
            self.dealing.stop()

    def break_off(self, play: Play | None) -> None:
        """Deal nothing any more for the match, and show what is not shown yet."""
        dealing, self.dealing = self.dealing, None
        if dealing is not None:
            dealing.break_off()
            self._tell(dealing, play)

    def reveal(self, play: Play) -> None:
        """Show the links of the round that is over."""
        if self.dealing is not None:
            self.dealing.reveal()
            self._tell(self.dealing, play)

    def interrupt(self, now: int) -> None:
        """Wait for everybody to be back: all connections were lost."""
        if self.dealing is not None:
            self.dealing.interrupt(now)

    def seated(self, number: int | None) -> tuple[Dealing, int, str]:
        """Return the dealing, and the seat with its key, for what its software has sent.

        Raises RequestRefused with not_seated or no_such_deal.
        """
        occupant = self._seats[number].occupant if number is not None else None
        if number is None or occupant is None:
            raise RequestRefused(ErrorCode.NOT_SEATED)
        if self.dealing is None:
            raise RequestRefused(ErrorCode.NO_SUCH_DEAL)
        return self.dealing, number, occupant.key

    def log(self, play: Play) -> None:
        """Write to the log of a match that begins what came before it."""
        if self.dealing is None:
            return
        for row in self.dealing.state.rows:
            play.note(row)
        self.dealing.state = replace(self.dealing.state, rows=())
        if play.tips is not None and not play.match.round_number:
            self._changes.tell(TipsAgreed(play.id, play.tips))

    def _there(self) -> dict[int, Player]:
        """Return those who are there and can contribute, by seat."""
        return {
            number: Player(seat.occupant.key, seat.occupant.name)
            for number, seat in enumerate(self._seats)
            if seat.present and seat.occupant is not None and seat.occupant.fair
        }

    def _tell(self, dealing: Dealing, play: Play | None) -> None:
        told = dealing.take()
        begun = play is not None and play.id == dealing.state.match
        self._changes.next.wanted.update(told.wanted)
        for event in told.events:
            if begun or not isinstance(event, TipsAgreed):
                self._changes.tell(event)
        self._write(dealing, play if begun else None, told.rows)

    def _write(self, dealing: Dealing, play: Play | None, rows: list[FairRow]) -> None:
        if play is None:
            dealing.state = replace(dealing.state, rows=(*dealing.state.rows, *rows))
            return
        for row in rows:
            play.note(row)
