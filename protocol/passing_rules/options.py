"""The options of a match, their defaults and limits (R1.6, R3.3, R4, R5)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from passing_rules.deal import hand_size

_MOST: Final = 9999
_PARTNER_SEATS: Final = 4


class OptionError(ValueError):
    """Raised when an option has a value that is not allowed."""

    def __init__(self, field: str, value: object, allowed: str) -> None:
        """Keep the name and value of the option and say what is allowed."""
        super().__init__(f"{field}: {value}, allowed is {allowed}")
        self.field = field
        self.value = value
        self.allowed = allowed


class Lead(StrEnum):
    """Name who leads the rounds after the first (R1.6)."""

    ROTATE = "rotate"
    WINNER = "winner"
    RANDOM = "random"


class PartnerScoring(StrEnum):
    """Name whose pips a partnership scores (R4.4)."""

    AS_WRITTEN = "as_written"
    OPPONENTS = "opponents"


class Preset(StrEnum):
    """Name a published form of the game that sets several options at once (R5.4)."""

    CELKO = "celko"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Hold every option of a match; raises OptionError. `Options.of` fills in defaults."""

    seats: int
    partners: bool
    target: int
    lead: Lead
    pass_circles: int
    out_wins_ties: bool
    partner_scoring: PartnerScoring
    max_rounds: int | None

    def __post_init__(self) -> None:
        """Check every limit."""
        _verify_number("seats", self.seats, 2, 4)
        if self.partners and self.seats != _PARTNER_SEATS:
            raise OptionError("partners", True, f"only at {_PARTNER_SEATS} seats")
        _verify_number("target", self.target, 1, _MOST)
        _verify_number("pass_circles", self.pass_circles, 1, 2)
        if self.max_rounds is not None:
            _verify_number("max_rounds", self.max_rounds, 1, _MOST)

    @classmethod
    def of(
        cls,
        seats: int = 4,
        *,
        preset: Preset | None = None,
        partners: bool = False,
        target: int | None = None,
        lead: Lead | None = None,
        pass_circles: int | None = None,
        out_wins_ties: bool | None = None,
        partner_scoring: PartnerScoring | None = None,
        max_rounds: int | None = None,
    ) -> Self:
        """Fill in what is not given, from the preset and the defaults; raises OptionError.

        >>> Options.of(2).target, Options.of(4).target, Options.of(4, target=30).target
        (101, 61, 30)
        """
        celko = preset is Preset.CELKO and partners
        scoring = PartnerScoring.OPPONENTS if celko else PartnerScoring.AS_WRITTEN
        return cls(
            seats=seats,
            partners=partners,
            target=_default_target(seats, partners, preset) if target is None else target,
            lead=lead or Lead.ROTATE,
            pass_circles=1 if pass_circles is None else pass_circles,
            out_wins_ties=bool(out_wins_ties),
            partner_scoring=partner_scoring or scoring,
            max_rounds=max_rounds,
        )

    @property
    def sides(self) -> int:
        """Count the sides that score: two partnerships, or every seat its own."""
        return 2 if self.partners else self.seats

    @property
    def hand_size(self) -> int:
        """Count the tiles a seat is dealt (R1.2)."""
        return hand_size(self.seats)

    def side_of(self, seat: int) -> int:
        """Return the side of a seat; partners sit opposite (R1.4)."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[int, ...]:
        """Return the seats of a side, in order."""
        return tuple(range(side, self.seats, self.sides))


def _default_target(seats: int, partners: bool, preset: Preset | None) -> int:
    """Return the target of R5.1, or of R5.4 with the preset."""
    if preset is Preset.CELKO:
        return 101 if partners or seats == 2 else 61
    return 61 if seats == 4 else 101


def _verify_number(field: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise OptionError(field, value, f"{least} to {most}")
