"""The seats of a table and who holds them."""

from dataclasses import dataclass

from passing_protocol.views import SeatInfo, SeatState

HELD = (SeatState.TAKEN, SeatState.AWAY, SeatState.SUBSTITUTE)


@dataclass(frozen=True, slots=True)
class Occupant:
    """Name who sits down: an opaque key, a cleaned name, and the program of an engine."""

    key: str
    name: str
    engine: str | None = None


@dataclass(slots=True)
class Seat:
    """Hold the state of one seat. `keeper` is the absent player whom a substitute stands for."""

    state: SeatState = SeatState.EMPTY
    occupant: Occupant | None = None
    keeper: Occupant | None = None
    ready: bool = False
    strikes: int = 0
    refusals: int = 0
    bank_ms: int = 0
    away_since: int | None = None
    deadline: int | None = None
    invited: Occupant | None = None
    gone: bool = False
    returning: bool = False

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
        """Give an empty or invited seat to somebody; engines are always ready."""
        self.state = SeatState.TAKEN
        self.occupant = occupant
        self.invited = None
        self.deadline = None
        self.ready = occupant.engine is not None

    def clear(self) -> None:
        """Make the seat empty again."""
        self.state = SeatState.EMPTY
        self.occupant = self.keeper = None
        self.invited = None
        self.ready = False
        self.returning = self.gone = False
        self.strikes = self.refusals = 0
        self.away_since = self.deadline = None
