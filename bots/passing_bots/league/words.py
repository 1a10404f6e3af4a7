"""What the league says of an engine's faults."""

import signal
from typing import Final

from passing_bots.league.log import FaultKind
from passing_bots.session import FAILED, GAVE_UP
from passing_protocol.events import ForfeitKind


def death(code: int, said: str) -> str:
    """Tell how a process ended, by its exit code (below 0: by that signal), and its last words."""
    if code < 0:
        try:
            how = f"its process was ended by {signal.Signals(-code).name}"
        except ValueError:
            how = f"its process was ended by signal {-code}"
    else:
        how = f"its process ended with exit code {code}"
    return f"{how}; it said: {said}" if said else how


def absence(connected: bool, seconds: int) -> str:
    """Tell that an engine did not sit down in time."""
    did = "take its seat" if connected else "come to the lobby"
    return f"did not {did} within {seconds} s"


FORFEITS: Final = {
    ForfeitKind.LEFT: FaultKind.LEFT,
    ForfeitKind.REMOVED: FaultKind.LEFT,
    ForfeitKind.AWAY: FaultKind.AWAY,
    ForfeitKind.NO_ANSWER: FaultKind.NO_ANSWER,
    ForfeitKind.REFUSED: FaultKind.ILLEGAL,
}
"""What fault a forfeit tells of; whom the league itself removes it has blamed already."""


def confessed(kind: FaultKind, said: str) -> FaultKind:
    """Return what an engine of ours that left says it left for (`passing bot run --strict`)."""
    if kind is not FaultKind.LEFT:
        return kind
    if GAVE_UP in said:
        return FaultKind.ILLEGAL
    return FaultKind.CRASHED if FAILED in said else kind
