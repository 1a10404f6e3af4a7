"""How the people and engines of a table are called, by their seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from passing_client.language import _, listing, mark
from passing_client.model import TableModel
from passing_protocol.names import clean_name
from passing_protocol.views import PublicView, SeatState


@dataclass(frozen=True, slots=True)
class People:
    """Name who sits at a table, as one of them (`me`, a seat) or a watcher (None) reads it.

    Seats are counted from 1 for people. Names are never declined: a sentence has a place where
    a name, or a list of them, can stand as it is.
    """

    view: PublicView
    me: int | None = None

    def name(self, seat: int) -> str:
        """Return the name at a seat, or the seat where nobody has it."""
        name = clean_name(self.view.seats[seat].name or "")
        return name or _("seat {number}").format(number=seat + 1)

    def subject(self, seat: int) -> str:
        """Return who somebody is at the start of a sentence: `You`, `Bo`, `Seat 3`."""
        if seat == self.me:
            return _("You")
        name = clean_name(self.view.seats[seat].name or "")
        return name or _("Seat {number}").format(number=seat + 1)

    def called(self, seat: int) -> str:
        """Return a seat's name as it stands in a list, one's own marked: `you (Dana)`."""
        name = self.name(seat)
        return _("you ({name})").format(name=name) if seat == self.me else name

    def within(self, seat: int) -> str:
        """Return the same inside a sentence: `you`, `Bo`."""
        return _("you") if seat == self.me else self.name(seat)

    def sentence(self, seat: int, own: str, others: str, **places: object) -> str:
        """Fill a sentence about a seat: `own` where it is one's own seat, else `others`.

        `{who}` is the seat at the start of a sentence, `{name}` inside one; `places` are more.
        """
        form = own if seat == self.me else others
        return form.format(who=self.subject(seat), name=self.name(seat), **places)

    def place(self, seat: int) -> str:
        """Return a name with its seat: `Dana (you), seat 1`, `Bo, seat 2`."""
        return self._placed(seat, self.name(seat))

    def _placed(self, seat: int, called: str) -> str:
        """Return what somebody is called with the seat."""
        own, others = _("{called} (you), seat {number}"), _("{called}, seat {number}")
        return self.sentence(seat, own, others, called=called, number=seat + 1)

    def label(self, seat: int) -> str:
        """Return the full description of a seat: `Bo (careful), seat 2, your partner`."""
        info = self.view.seats[seat]
        if info.state is SeatState.EMPTY or info.name is None:
            return _("seat {number}, free").format(number=seat + 1)
        engine = f" ({clean_name(info.engine)})" if info.engine is not None else ""
        parts = [self._placed(seat, f"{self.name(seat)}{engine}")]
        if self.is_partner(seat):
            parts.append(_("your partner"))
        if info.state is SeatState.AWAY and info.gone is not None:
            parts.append(_("left for good"))
        elif note := _NOTES.get(info.state):
            parts.append(_(note))
        return ", ".join(parts)

    def is_partner(self, seat: int) -> bool:
        """Tell whether somebody else is on one's own side (R1.4)."""
        if not self.view.game.partners or self.me is None or seat == self.me:
            return False
        return self.side_of(seat) == self.side_of(self.me)

    # --- sides -----------------------------------------------------------------------------

    @property
    def sides(self) -> int:
        """Count the sides that score."""
        return 2 if self.view.game.partners else len(self.view.seats)

    def side_of(self, seat: int) -> int:
        """Return the side of a seat (R1.4)."""
        return seat % self.sides

    def side_name(self, side: int, *, start: bool = False) -> str:
        """Return who a side is, one name or two partners; `start` begins a sentence with it."""
        seats = self._seats_of(side)
        return self.names(seats) if start else listing([self.within(seat) for seat in seats])

    def names(self, seats: Sequence[int]) -> str:
        """Return several seats, or one, at the start of a sentence: `You and Bo`."""
        first, *rest = seats
        return listing([self.subject(first), *(self.within(seat) for seat in rest)])

    def scores(self, scores: Sequence[int]) -> str:
        """Return every side with its score, inside a sentence: `you 12, Bo 40`."""
        parts = [f"{self.side_name(side)} {score}" for side, score in enumerate(scores)]
        return ", ".join(parts)

    def _seats_of(self, side: int) -> list[int]:
        """Return the seats of a side in order, one's own first."""
        seats = [seat for seat in range(len(self.view.seats)) if self.side_of(seat) == side]
        return sorted(seats, key=lambda seat: (seat != self.me, seat))


def people_of(table: TableModel) -> People:
    """Return the people of a table as one's own seat calls them."""
    return People(table.view, table.seat)


_NOTES: Final = {
    SeatState.INVITED: mark("invited"),
    SeatState.AWAY: mark("away"),
    SeatState.SUBSTITUTE: mark("standing in"),
    SeatState.FORFEITED: mark("out of the match"),
}
