"""Judge what follows when seats forfeit: such a seat passes by time, until one side is left."""

from collections.abc import Iterator
from dataclasses import dataclass

from passing_protocol.records.places import RoundPlaces
from passing_protocol.records.record import ChangeKind, RoundRecord, SeatChange
from passing_rules import ActionRecord, Options


@dataclass(frozen=True, slots=True)
class Wrong:
    """Name the place of a piece that cannot be, and say why."""

    at: int
    why: str


class Forfeits:
    """Keep the seats of a match that have forfeited, from round to round."""

    def __init__(self, options: Options) -> None:
        """Begin with every seat in the match."""
        self.options = options
        self.seats: set[int] = set()
        self._decided_after: int | None = None
        """How many actions of its round came before no more than one side was left."""

    @property
    def decided(self) -> bool:
        """Tell whether no more than one side is left, so that the match is over."""
        return len(self._sides()) <= 1

    @property
    def winner(self) -> int | None:
        """Return the one side that is left; None where none or several are."""
        sides = self._sides()
        return sides.pop() if len(sides) == 1 else None

    def _sides(self) -> set[int]:
        seats = set(range(self.options.seats)) - self.seats
        return {self.options.side_of(seat) for seat in seats}

    def first_wrong(self, played: RoundRecord, places: RoundPlaces) -> Wrong | None:
        """Take in the next round, and return its first piece that no forfeit lets follow."""
        found = [
            Wrong(at, why)
            for piece, at in _in_time(played, places)
            if (why := self._why_not(piece)) is not None
        ]
        return min(found, key=lambda wrong: wrong.at, default=None)

    def _why_not(self, piece: SeatChange | ActionRecord) -> str | None:
        if isinstance(piece, SeatChange):
            return self._why_no_change(piece)
        if self.decided:
            return "an action is told, one side is left and the match is over"
        if piece.seat in self.seats and not piece.timed_out:
            return f"seat {piece.seat} has forfeited, allowed is -t"
        return None

    def _why_no_change(self, change: SeatChange) -> str | None:
        """Take in a change unless it cannot be; sides may be lost in one moment."""
        forfeit = change.kind is ChangeKind.FORFEIT
        if change.seat in self.seats:
            return f"seat {change.seat} has forfeited already"
        if self.decided and not (forfeit and change.after == self._decided_after):
            return "a change is told, one side is left and the match is over"
        if forfeit:
            self.seats.add(change.seat)
            if self.decided:
                self._decided_after = change.after
        return None


def _in_time(
    played: RoundRecord, places: RoundPlaces
) -> Iterator[tuple[SeatChange | ActionRecord, int]]:
    """Yield changes and actions as they happened; in the text a change stands after its lap."""
    changes = list(zip(played.changes, places.changes, strict=True))
    for done, acted in enumerate(zip(played.actions, places.actions, strict=True)):
        while changes and changes[0][0].after <= done:
            yield changes.pop(0)
        yield acted
    yield from changes
