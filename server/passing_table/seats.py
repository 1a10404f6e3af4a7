"""One seat of a table and who holds it."""

from dataclasses import dataclass

from passing_protocol.views import SeatInfo, SeatState

HELD = (SeatState.TAKEN, SeatState.AWAY, SeatState.SUBSTITUTE)
LONG_AGO = -(2**62)


@dataclass(frozen=True, slots=True)
class Occupant:
    """Name who sits down: an opaque key, a cleaned name, and the program of an engine."""

    key: str
    name: str
    engine: str | None = None


@dataclass(slots=True)
class Seat:
    """Hold the state of one seat.

    `keeper` is the absent player whom a substitute stands for, `gone` marks one who has left for
    good, `deadline` is when an invitation ends, `bank_ms` what is left of the match's bank.
    """

    state: SeatState = SeatState.EMPTY
    occupant: Occupant | None = None
    keeper: Occupant | None = None
    invited: Occupant | None = None
    ready: bool = False
    gone: bool = False
    returning: bool = False
    strikes: int = 0
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
        """Tell whether the seat belongs to a person, present or not."""
        owner = self.keeper or self.occupant
        return self.held and owner is not None and owner.engine is None

    def info(self) -> SeatInfo:
        """Return what everybody may know of the seat."""
        occupant = self.occupant or self.invited
        return SeatInfo(
            state=self.state,
            name=occupant.name if occupant else None,
            engine=occupant.engine if occupant else None,
            ready=self.ready,
            strikes=self.strikes,
        )

    def take(self, occupant: Occupant) -> None:
        """Give the seat to somebody; engines are always ready."""
        self.state = SeatState.TAKEN
        self.occupant = occupant
        self.invited = None
        self.deadline = self.away_since = None
        self.ready = occupant.engine is not None

    def stand_in(self, engine: Occupant) -> None:
        """Give the seat of an absent player to a substitute until that player is back."""
        self.keeper = None if self.gone else self.occupant
        self.take(engine)
        self.state = SeatState.SUBSTITUTE
        self.gone = False

    def give_back(self) -> None:
        """Give the seat back to the player for whom a substitute kept it."""
        self.occupant, self.keeper = self.keeper, None
        self.state = SeatState.TAKEN
        self.returning = self.ready = False

    def lose(self, now: int) -> None:
        """Note that who decides here is away; a substitute's player has been away for long."""
        self.away_since = LONG_AGO if self.keeper is not None else now
        self.occupant, self.keeper = self.keeper or self.occupant, None
        self.state = SeatState.AWAY

    def abandon(self, now: int) -> None:
        """Note that who held the seat has left for good, in the middle of a match."""
        self.state = SeatState.AWAY
        self.gone = True
        self.keeper = None
        self.away_since = now

    def clear(self) -> None:
        """Make the seat empty again."""
        self.state = SeatState.EMPTY
        self.occupant = self.keeper = self.invited = None
        self.ready = self.returning = self.gone = False
        self.strikes = self.refusals = 0
        self.away_since = self.deadline = None
