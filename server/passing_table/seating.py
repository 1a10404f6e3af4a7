"""Who sits at a table, who owns it, and who has been asked to sit down."""

from collections.abc import Iterator, Sequence

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import Fault, OwnerChanged, SeatChanged
from passing_protocol.names import name_key
from passing_protocol.views import SeatState
from passing_table.changes import Changes
from passing_table.seats import Occupant, Seat
from passing_table.settings import INVITATION_MS


class Seating:
    """Hold the seats of one table, by number, and its owner's."""

    def __init__(self, count: int, changes: Changes) -> None:
        """Set up `count` empty seats; what happens to them is told through `changes`."""
        self._seats = [Seat() for _ in range(count)]
        self._changes = changes
        self.owner: int | None = None

    def __iter__(self) -> Iterator[Seat]:
        """Go round the table."""
        return iter(self._seats)

    def __getitem__(self, number: int) -> Seat:
        """Return one seat."""
        return self._seats[number]

    def __len__(self) -> int:
        """Count the seats."""
        return len(self._seats)

    def resume(self, seats: Sequence[Seat], owner: int | None) -> None:
        """Take over all seats as they were, and nothing is told of it."""
        self._seats = list(seats)
        self.owner = owner

    # --- who is there

    @property
    def people(self) -> bool:
        """Tell whether any seat belongs to a person."""
        return any(seat.is_person for seat in self._seats)

    @property
    def filled(self) -> bool:
        """Tell whether every seat is held."""
        return all(seat.held for seat in self._seats)

    @property
    def ready(self) -> bool:
        """Tell whether nobody is waited for between two rounds."""
        return all(seat.ready or seat.state is SeatState.FORFEITED for seat in self._seats)

    @property
    def all_there(self) -> bool:
        """Tell whether every seat's player is there and ready for a match."""
        return all(seat.ready and seat.present for seat in self._seats)

    def absent(self, now: int, seat: Seat) -> bool:
        """Tell whether a seat's player is away and not waited for any more."""
        return seat.state is SeatState.AWAY and self.missed(now, seat)

    def person_may_be_back(self, now: int) -> bool:
        """Tell whether a person is away who is waited for still."""
        return any(
            seat.is_person and seat.state is SeatState.AWAY and not self.missed(now, seat)
            for seat in self._seats
        )

    def seat_of(self, key: str) -> int | None:
        """Return the seat that the key holds, or that a substitute keeps for it."""
        for number, seat in enumerate(self._seats):
            if seat.keeper is not None and seat.keeper.key == key:
                return number
            if seat.occupant is not None and seat.occupant.key == key and not seat.gone:
                return number
        return None

    def decides(self, key: str) -> int | None:
        """Return the seat whose questions the key answers now."""
        for number, seat in enumerate(self._seats):
            if seat.occupant is not None and seat.occupant.key == key and not seat.gone:
                return number
        return None

    def invited_seat(self, key: str) -> int | None:
        """Return the seat that is kept for the key, if it was invited."""
        for number, seat in enumerate(self._seats):
            if seat.invited is not None and seat.invited.key == key:
                return number
        return None

    def first_free(self) -> int:
        """Return the first empty seat. Raises RequestRefused with table_full."""
        for number, seat in enumerate(self._seats):
            if seat.state is SeatState.EMPTY:
                return number
        raise RequestRefused(ErrorCode.TABLE_FULL)

    def missed(self, now: int, seat: Seat) -> bool:
        """Tell whether a seat's player has stayed away longer than is waited for."""
        missed_at = seat.missed_at
        return seat.gone or (missed_at is not None and now >= missed_at)

    # --- who may sit where

    def verify_free(self, number: int, occupant: Occupant) -> None:
        """Raise RequestRefused unless the seat is free for that occupant.

        The code is malformed for a seat that the table has not, else seat_taken.
        """
        if number >= len(self._seats):
            raise RequestRefused(
                ErrorCode.MALFORMED,
                f"seat {number}: this table has seats 0 to {len(self._seats) - 1}.",
                field="seat",
            )
        seat = self._seats[number]
        if seat.state is not SeatState.EMPTY and self.invited_seat(occupant.key) != number:
            raise RequestRefused(ErrorCode.SEAT_TAKEN, f"Seat {number} is {seat.state}.")

    def verify_name(self, occupant: Occupant) -> None:
        """Raise RequestRefused with name_taken if somebody else here reads as that name."""
        name = name_key(occupant.name)
        for seat in self._seats:
            for somebody in (seat.occupant, seat.keeper, seat.invited):
                if somebody and somebody.key != occupant.key and name_key(somebody.name) == name:
                    raise RequestRefused(ErrorCode.NAME_TAKEN)

    def take(self, number: int, occupant: Occupant) -> None:
        """Give a seat that was found free to somebody; in an absent player's they stand in."""
        seat = self._seats[number]
        if seat.state is SeatState.AWAY:
            seat.stand_in(occupant)
        else:
            seat.take(occupant)
        self.tell(number)
        if self.owner is None and occupant.engine is None:
            self._set_owner(number)

    def pass_ownership(self, number: int) -> None:
        """Give the table to the next person when the owner's seat is given up."""
        if self.owner != number:
            return
        order = [(number + step) % len(self._seats) for step in range(1, len(self._seats))]
        people = [n for n in order if self._seats[n].is_person]
        self._set_owner(people[0] if people else None)

    def _set_owner(self, number: int | None) -> None:
        self.owner = number
        self._changes.tell(OwnerChanged(number))

    # --- engines that are asked

    def invite(self, now: int, number: int, engine: Occupant) -> None:
        """Keep a seat for an engine for a while: an empty one, or an absent player's."""
        seat = self._seats[number]
        seat.invited = engine
        seat.deadline = now + INVITATION_MS
        if seat.state is SeatState.EMPTY:
            seat.state = SeatState.INVITED
            self.tell(number)

    def uninvite(self, number: int) -> None:
        """Keep the seat for the engine no longer."""
        seat = self._seats[number]
        seat.drop_invitation()
        if seat.state is SeatState.INVITED:
            seat.clear()
            self.tell(number)

    # --- who goes and comes back

    def away(self, now: int, key: str) -> int | None:
        """Note that nothing is heard from `key` any more; its seat is kept for a while.

        Returns the seat whose player has it back because a substitute is lost.
        """
        number = self.seat_of(key)
        if number is None:
            return None
        seat = self._seats[number]
        if seat.keeper is not None and seat.keeper.key == key:
            seat.returning = False
        elif seat.present:
            if seat.keeper is not None:
                self._changes.next.dismissed[key] = "replaced"
            seat.lose(now)
            self.tell(number)
            if seat.present:
                return number
        elif seat.away_since is None:
            seat.away_since = now
        return None

    def back(self, now: int, key: str) -> int | None:
        """Note that `key` is there again; a substitute hands the seat back at the next turn.

        Returns the seat of a player who has not been waited for any more and sits there again.
        """
        number = self.seat_of(key)
        if number is None:
            return None
        seat = self._seats[number]
        if seat.keeper is not None and seat.keeper.key == key:
            seat.returning = True
            return None
        missed = self.missed(now, seat)
        seat.away_since = None
        if seat.state is not SeatState.AWAY:
            return None
        seat.state = SeatState.TAKEN
        seat.drop_invitation()
        self.tell(number)
        return number if missed else None

    def hand_back(self) -> None:
        """Give every seat whose player is there again back to that player."""
        for number, seat in enumerate(self._seats):
            if seat.returning and seat.occupant is not None:
                self._changes.next.dismissed[seat.occupant.key] = "replaced"
                self._changes.next.hands.add(number)
                seat.give_back()
                self.tell(number)

    def tell(self, number: int, fault: Fault | None = None) -> None:
        """Tell everybody how a seat is now; `fault` is why it is forfeited."""
        self._changes.tell(SeatChanged(number, self._seats[number].info(), fault))
