"""How a table is run: what its maker asked for, completed by who sits there."""

from dataclasses import dataclass

from passing_protocol.views import TableOptions

PEOPLE_TURN_MS = 30_000
PEOPLE_BANK_MS = 120_000
ENGINE_TURN_MS = 2_000
ENGINE_BANK_MS = 10_000
MIXED_PACE_MS = 700
INVITATION_MS = 10_000
PEOPLE_GRACE_MS = 90_000
ENGINE_GRACE_MS = 5_000
PEOPLE_BETWEEN_MS = 20_000
OPEN_EMPTY_MS = 300_000
OVER_MS = 600_000
REMATCH_MS = 60_000
PARKED_MS = 86_400_000
SUBSTITUTE_MS = 1_000
"""How often a substitute is looked for."""

STRIKES = 3
REFUSALS = 3
"""After this many refused actions in one turn an engine has lost that turn."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Hold what the table's maker asked for; each question is answered for the people there."""

    wishes: TableOptions
    clocked: bool
    partners: bool

    def turn_ms(self, engine: bool) -> int:
        """Return the milliseconds of one turn for a person or an engine; 0 means no clock."""
        if self.wishes.turn_ms is not None:
            return self.wishes.turn_ms
        if not self.clocked:
            return 0
        return ENGINE_TURN_MS if engine else PEOPLE_TURN_MS

    def bank_ms(self, engine: bool) -> int:
        """Return the milliseconds that a seat may use beyond its turns in one match."""
        if self.wishes.bank_ms is not None:
            return self.wishes.bank_ms
        return ENGINE_BANK_MS if engine else PEOPLE_BANK_MS

    def pace_ms(self, people: bool) -> int:
        """Return after how long an engine's action is shown (a quick pass must tell nothing)."""
        if self.wishes.pace_ms is not None:
            return self.wishes.pace_ms
        return MIXED_PACE_MS if people else 0

    def absent(self, people: bool) -> str:
        """Return what happens to a seat whose player stays away: engine, pass or forfeit."""
        return self.wishes.absent or ("engine" if people else "forfeit")

    def strikes_allowed(self, *, person: bool) -> int | None:
        """Return after how many strikes in a row a seat is forfeited; None for never.

        A `person`'s seat is passed for by default. An engine that hangs is out, as nobody wants
        to wait for one for ever.
        """
        policy = self.wishes.faults or ("pass" if person else "forfeit")
        if policy == "pass":
            return None
        extra = int(policy.removeprefix("retry:")) if policy.startswith("retry:") else 0
        return STRIKES + extra

    def chat(self, playing: bool) -> bool:
        """Tell whether people may talk; by default not during a round of partnerships."""
        if self.wishes.chat is not None:
            return self.wishes.chat
        return not (self.partners and playing)

    @property
    def shows_hands(self) -> bool:
        """Tell whether all hands are shown when a round ends (R6.2)."""
        return self.wishes.reveal != "after_block"
