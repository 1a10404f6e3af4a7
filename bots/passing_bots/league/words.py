"""What the league says of an engine's faults."""

import signal

from passing_bots.league.log import FaultKind


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


def forfeit(evidence: str) -> FaultKind:
    """Return what kind of fault a table's evidence of a forfeit tells of."""
    if "refused" in evidence:
        return FaultKind.ILLEGAL
    if "strikes" in evidence:
        return FaultKind.NO_ANSWER
    return FaultKind.AWAY if "stayed away" in evidence else FaultKind.LEFT


def confessed(kind: FaultKind, said: str) -> FaultKind:
    """Return what an engine of ours that left says it left for (`passing bot run --strict`)."""
    if kind is not FaultKind.LEFT:
        return kind
    if "is not legal; giving up" in said:
        return FaultKind.ILLEGAL
    return FaultKind.CRASHED if "the engine failed: " in said else kind
