"""Why something cannot be done at a table, in sentences for people."""

from typing import Final

from passing_protocol.events import ForfeitKind
from passing_protocol.views import TableState
from passing_rules import Action, Play, Refusal

STANDING: Final = {
    TableState.OPEN: "The table has free seats still.",
    TableState.STARTING: "The match has not begun yet.",
    TableState.PLAYING: "A round is being played.",
    TableState.BETWEEN: "The table is between two rounds.",
    TableState.PAUSED: "The match is paused.",
    TableState.OVER: "The match is over.",
    TableState.CLOSED: "The table is closed.",
}
"""Where a table is in its life, as the reason why something cannot be done now."""

ABSENCE: Final = {
    ForfeitKind.LEFT: "left",
    ForfeitKind.REMOVED: "was removed",
    ForfeitKind.AWAY: "stayed away",
}
"""How a player was lost, as everybody is told it when the seat is forfeited for that."""


def misfit(action: Action, refusal: Refusal, ends: tuple[int, int] | None) -> str:
    """Return why the rules refuse an action (R2); `ends` are those of the train, left and right."""
    tile = action.tile if isinstance(action, Play) else None
    match refusal:
        case Refusal.NOT_IN_HAND:
            return f"{tile} is not in the hand."
        case Refusal.DOES_NOT_FIT:
            return _does_not_fit(action, ends)
        case Refusal.END_NEEDED:
            return f"{tile} needs an end, left or right."
        case Refusal.BONEYARD_FLOOR:
            return "The last two tiles of the boneyard cannot be drawn."
        case Refusal.NOT_YOUR_TURN:
            return "It is another seat's turn."
        case Refusal.ROUND_OVER:
            return "No round is being played."


def _does_not_fit(action: Action, ends: tuple[int, int] | None) -> str:
    if not isinstance(action, Play):
        raise TypeError(f"{action!r}: only a play can be a misfit")
    if ends is None:
        return f"{action.tile} is the first tile of the round and is played without an end."
    if action.tile.low not in ends and action.tile.high not in ends:
        return f"{action.tile} fits neither end of the train ({ends[0]}, {ends[1]})."
    return f"{action.tile} does not fit the {action.end} end of the train ({ends[0]}, {ends[1]})."
