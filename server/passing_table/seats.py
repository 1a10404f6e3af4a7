"""One seat of a table and who holds it."""

from dataclasses import dataclass

from msgspec import Struct

from passing_protocol.events import ForfeitKind
from passing_protocol.views import HELD, Gone, SeatInfo, SeatState
from passing_table.settings import ENGINE_GRACE_MS, INVITATION_MS, PEOPLE_GRACE_MS
from passing_table.strikes import NO_STRIKES, Strikes

LONG_AGO = -(2**62)

_GONE = {ForfeitKind.LEFT: Gone.LEFT, ForfeitKind.REMOVED: Gone.REMOVED}


class Occupant(Struct, frozen=True, omit_defaults=True):
    """Name who sits down: an opaque key, a cleaned name, and the program of an engine.

    `fair` tells that the software there takes part in fair deals.
    """

    key: str
    name: str
    engine: str | None = None
    fair: bool = False


@dataclass(slots=True)
class Seat:
    """Hold the state of one seat.

    `keeper` is the absent player whom a substitute stands for, `returning` marks that this
    player is there again, `gone` one who has left for good, `new` one who has sat down since the
    match was over, `absence` how its player was lost last, `deadline` is when an invitation ends,
    `bank_ms` what is left of the match's bank.
    """

    state: SeatState = SeatState.EMPTY
    occupant: Occupant | None = None
    keeper: Occupant | None = None
    invited: Occupant | None = None
    ready: bool = False
    gone: bool = False
    new: bool = False
    absence: ForfeitKind = ForfeitKind.AWAY
    returning: bool = False
    struck: Strikes = NO_STRIKES
    refusals: int = 0
    bank_ms: int = 0
    away_since: int | None = None
    deadline: int | None = None

    @property
    def held(self) -> bool:
        """Tell whether somebody holds the seat, present or not."""
        return self.state in HELD

    @property
    def present(self) -> bool:
        """Tell whether somebody is there who can answer."""
        return self.state in (SeatState.TAKEN, SeatState.SUBSTITUTE)

    @property
    def is_engine(self) -> bool:
        """Tell whether an engine decides here."""
        return self.occupant is not None and self.occupant.engine is not None

    @property
    def is_person(self) -> bool:
        """Tell whether the seat belongs to a person who has not left, present or not."""
        owner = self.keeper or self.occupant
        return self.held and not self.gone and owner is not None and owner.engine is None

    @property
    def person_there(self) -> bool:
        """Tell whether a person is there, in the seat or about to have it back."""
        return self.is_person and (self.state is SeatState.TAKEN or self.returning)

    @property
    def is_given_up(self) -> bool:
        """Tell whether the match goes on here without a player who does not come back."""
        if self.state is SeatState.SUBSTITUTE:
            return self.keeper is None
        return self.state is SeatState.AWAY and self.gone

    @property
    def missed_at(self) -> int | None:
        """Return from when on an absent player is not waited for; None for one who is there."""
        if self.away_since is None or self.gone:
            return self.away_since
        return self.away_since + self._grace_ms

    @property
    def _grace_ms(self) -> int:
        return ENGINE_GRACE_MS if self.is_engine else PEOPLE_GRACE_MS

    @property
    def claimants(self) -> list[Occupant]:
        """Return who has a claim on the seat: who decides, and who is stood in for."""
        return [] if self.gone else [who for who in (self.occupant, self.keeper) if who is not None]

    def passes_at(self, now: int) -> int:
        """Return when a turn of a missing player is passed: at once, if no engine is asked.

        Engines that do not come hold up the table no longer than one invitation lasts.
        """
        if self.deadline is None or self.missed_at is None:
            return now
        return max(now, min(self.deadline, self.missed_at + INVITATION_MS))

    def info(self) -> SeatInfo:
        """Return what everybody may know of the seat."""
        occupant = self.occupant or self.invited
        return SeatInfo(
            state=self.state,
            name=occupant.name if occupant else None,
            engine=occupant.engine if occupant else None,
            ready=self.ready,
            strikes=self.struck.count,
            gone=_GONE.get(self.absence) if self.is_given_up else None,
        )

    def take(self, occupant: Occupant) -> None:
        """Give the seat to somebody; engines are always ready."""
        self.state = SeatState.TAKEN
        self.occupant = occupant
        self.drop_invitation()
        self.away_since = None
        self.ready = occupant.engine is not None
        self.forgive()

    def forgive(self) -> None:
        """Forget the strikes, and what was refused in this turn."""
        self.struck = NO_STRIKES
        self.refusals = 0

    def drop_invitation(self) -> None:
        """Keep the seat for no engine any more."""
        self.invited = self.deadline = None

    def stand_in(self, engine: Occupant) -> None:
        """Give the seat of an absent player to a substitute until that player is back."""
        self.keeper = None if self.gone else self.occupant
        self.take(engine)
        self.state = SeatState.SUBSTITUTE
        self.gone = False

    def give_back(self) -> None:
        """Give the seat back to the player for whom a substitute kept it."""
        keeper, self.keeper = self.keeper, None
        if keeper is not None:
            self.take(keeper)
        self.returning = False

    def lose(self, now: int) -> None:
        """Note that who decides here is away; who was stood in for has the seat again.

        That player is there, or is not waited for.
        """
        self.absence = ForfeitKind.AWAY
        if self.keeper is None:
            self.away_since = now
            self.state = SeatState.AWAY
            return
        there = self.returning
        self.give_back()
        if not there:
            self.away_since = now - self._grace_ms
            self.state = SeatState.AWAY

    def abandon(self, now: int, absence: ForfeitKind) -> None:
        """Note that who held the seat is gone for good, in the middle of a match, and how."""
        self.absence = absence
        self.state = SeatState.AWAY
        self.gone = True
        self.keeper = None
        self.returning = False
        self.away_since = now

    def forfeit(self) -> None:
        """Take the seat out of the match; a substitute goes, and the player may watch the end."""
        if self.keeper is not None:
            away_since = None if self.returning else LONG_AGO
            self.give_back()
            self.away_since = away_since
        self.drop_invitation()
        self.state = SeatState.FORFEITED

    def settle(self) -> bool:
        """Put the seat in order after a match, and tell whether its state is another now.

        Who left is out, who forfeited sits here again, and a substitute for one who left stays.
        """
        before = self.state
        self.drop_invitation()
        if self.gone:
            self.clear()
        elif self.state is SeatState.FORFEITED:
            self.state = SeatState.TAKEN if self.away_since is None else SeatState.AWAY
        elif self.state is SeatState.SUBSTITUTE and self.keeper is None:
            self.state = SeatState.TAKEN
        self.ready = self.is_engine
        return self.state is not before

    def clear(self) -> None:
        """Make the seat empty again."""
        self.state = SeatState.EMPTY
        self.occupant = self.keeper = self.invited = None
        self.ready = self.returning = self.gone = self.new = False
        self.forgive()
        self.away_since = self.deadline = None
