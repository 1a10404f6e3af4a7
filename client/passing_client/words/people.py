"""How the people and engines of a table are called, by their seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from passing_client.words.basics import listing
from passing_protocol.names import clean_name
from passing_protocol.views import PublicView, SeatState


@dataclass(frozen=True, slots=True)
class People:
    """Name who sits at a table, as one of them (`me`, a seat) or a watcher (None) reads it.

    Seats are counted from 1 for people.
    """

    view: PublicView
    me: int | None = None

    def name(self, seat: int) -> str:
        """Return the name at a seat, or the seat where nobody has it."""
        name = clean_name(self.view.seats[seat].name or "")
        return name or f"seat {seat + 1}"

    def subject(self, seat: int) -> str:
        """Return who does something, at the start of a sentence: `You`, `Bo`, `Seat 3`."""
        if seat == self.me:
            return "You"
        name = self.name(seat)
        return name[:1].upper() + name[1:] if name.startswith("seat ") else name

    def within(self, seat: int) -> str:
        """Return the same inside a sentence: `you`, `Bo`."""
        return "you" if seat == self.me else self.name(seat)

    def does(self, seat: int, one: str, you: str) -> str:
        """Return who does what, `Bo plays` or `You play`."""
        return f"{self.subject(seat)} {you if seat == self.me else one}"

    def place(self, seat: int) -> str:
        """Return a name with its seat: `Dana (you), seat 1`, `Bo, seat 2`."""
        you = " (you)" if seat == self.me else ""
        return f"{self.name(seat)}{you}, seat {seat + 1}"

    def label(self, seat: int) -> str:
        """Return the full description of a seat: `Bo (careful), seat 2, your partner`."""
        info = self.view.seats[seat]
        if info.state is SeatState.EMPTY or info.name is None:
            return f"seat {seat + 1}, free"
        engine = f" ({clean_name(info.engine)})" if info.engine is not None else ""
        you = " (you)" if seat == self.me else ""
        parts = [f"{self.name(seat)}{engine}{you}", f"seat {seat + 1}"]
        if self._is_partner(seat):
            parts.append("your partner")
        if note := _NOTES.get(info.state):
            parts.append(note)
        return ", ".join(parts)

    def _is_partner(self, seat: int) -> bool:
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
        names = [self.within(seat) for seat in seats]
        if start:
            names[0] = self.subject(seats[0])
        return listing(names)

    def side_wins(self, side: int) -> str:
        """Return who wins, inside a sentence: `Bo wins`, `you and Caro win`."""
        several = self.view.game.partners or side == self.me
        return f"{self.side_name(side)} {'win' if several else 'wins'}"

    def scores(self, scores: Sequence[int]) -> str:
        """Return every side with its score, inside a sentence: `you 12, Bo 40`."""
        parts = [f"{self.side_name(side)} {score}" for side, score in enumerate(scores)]
        return ", ".join(parts)

    def _seats_of(self, side: int) -> list[int]:
        """Return the seats of a side in order, one's own first."""
        seats = [seat for seat in range(len(self.view.seats)) if self.side_of(seat) == side]
        return sorted(seats, key=lambda seat: (seat != self.me, seat))


_NOTES: Final = {
    SeatState.INVITED: "invited",
    SeatState.AWAY: "away",
    SeatState.SUBSTITUTE: "standing in",
    SeatState.FORFEITED: "out of the match",
}
