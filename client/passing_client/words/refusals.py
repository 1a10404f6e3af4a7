"""Why something was not done: the protocol's codes, and misfits found here, as sentences."""

from collections.abc import Mapping
from typing import Final

from passing_client.model import TableModel
from passing_client.moves import Misfit, MisfitReason, WhichEnd
from passing_client.words.basics import end_words, tile_words
from passing_client.words.looks import not_your_turn
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Act, Chat, Error, Join, Ready, Request, Start
from passing_protocol.names import clean_chat
from passing_rules import End

SENTENCES: Final[Mapping[str, str]] = {
    ErrorCode.MALFORMED: "The server does not understand that.",
    ErrorCode.TOO_LARGE: "That is too long for the server.",
    ErrorCode.UNSUPPORTED: "This server cannot do that.",
    ErrorCode.VERSION: "The server speaks another version of the game.",
    ErrorCode.NOT_ADMITTED: "You may not do that here.",
    ErrorCode.BAD_CODE: "The server does not know that code.",
    ErrorCode.KEY_CHANGED: "The server is not the one that was here before.",
    ErrorCode.SUPERSEDED: "You have connected from somewhere else since.",
    ErrorCode.RATE_LIMITED: "Too much at once; wait a moment and try again.",
    ErrorCode.DRAINING: "The server is about to stop and takes nothing new.",
    ErrorCode.DISK: "The server cannot store anything at the moment; try again later.",
    ErrorCode.FULL: "The server takes no more tables or people, or you sit at too many tables.",
    ErrorCode.NO_SUCH_TABLE: "There is no such table any more.",
    ErrorCode.TABLE_FULL: "No place is free at that table.",
    ErrorCode.TABLE_STATE: "That cannot be done at this point.",
    ErrorCode.SEAT_TAKEN: "That seat is taken.",
    ErrorCode.NAME_TAKEN: "Somebody there has a name that reads like yours; come with another one.",
    ErrorCode.NO_SUCH_ENGINE: "No engine of that name is waiting.",
    ErrorCode.NOT_OWNER: "Only the owner of the table may do that.",
    ErrorCode.NOT_SEATED: "Nobody sits there.",
    ErrorCode.NOT_YOUR_TURN: "It is not your turn.",
    ErrorCode.STALE_TURN: "That came too late: the turn is over.",
    ErrorCode.TURN_DECIDED: "You have already decided this turn.",
    ErrorCode.TOO_LATE: "Your time was up before that arrived.",
    ErrorCode.ROUND_OVER: "The round is over.",
    ErrorCode.NOT_IN_HAND: "You do not hold that tile.",
    ErrorCode.DOES_NOT_FIT: "That tile does not fit there.",
    ErrorCode.END_NEEDED: "Say at which end: < for left, > for right.",
    ErrorCode.BONEYARD_FLOOR: "No tile can be drawn: the last 2 stay in the boneyard.",
}
"""A sentence for every code of the registry."""

_IN_CONTEXT: Final[dict[tuple[ErrorCode, type[Request]], str]] = {
    (ErrorCode.TABLE_STATE, Chat): "Nobody can talk at this table during a round.",
    (ErrorCode.TABLE_STATE, Ready): "There is nothing to be ready for at the moment.",
    (ErrorCode.TABLE_STATE, Start): "A match begins when every seat is filled and none is on.",
    (ErrorCode.TABLE_STATE, Join): "Nobody can sit down there while a match is on.",
    (ErrorCode.TABLE_STATE, Act): "Nothing can be played at the moment.",
    (ErrorCode.NOT_SEATED, Act): "You have no seat at this table.",
    (ErrorCode.NOT_SEATED, Ready): "You have no seat at this table.",
    (ErrorCode.NOT_ADMITTED, Chat): "You may not talk here.",
}
"""Better sentences where it matters what was asked for."""

_WITH_DETAIL: Final = frozenset({ErrorCode.MALFORMED, ErrorCode.NOT_ADMITTED})
"""The codes where only the server can say what was wrong."""


def refusal_sentence(error: Error, request: Request | None, table: TableModel | None) -> str:
    """Return why the server has refused a request, None where it belongs to none."""
    if error.code is ErrorCode.NOT_YOUR_TURN and table is not None:
        return not_your_turn(table)
    better = None if request is None else _IN_CONTEXT.get((error.code, type(request)))
    if better is not None:
        return better
    if error.code in _WITH_DETAIL:
        return f"{SENTENCES[error.code]} {clean_chat(error.detail)}"
    return SENTENCES[error.code]


def misfit_sentence(misfit: Misfit, ends: tuple[int, int] | None) -> str:
    """Return why a tile cannot be played, and where it can."""
    tile = tile_words(misfit.tile)
    match misfit.reason:
        case MisfitReason.NOT_HELD:
            return f"You do not hold {tile}."
        case MisfitReason.FITS_NOWHERE:
            left, right = (end_words(end, ends) for end in End)
            return f"{tile} fits neither {left} nor {right}."
        case MisfitReason.OTHER_END:
            wrong = misfit.end or End.LEFT
            other = End.RIGHT if wrong is End.LEFT else End.LEFT
            return f"{tile} does not fit {end_words(wrong, ends)}, only {end_words(other, ends)}."


def which_end(question: WhichEnd, ends: tuple[int, int] | None) -> str:
    """Return the question at which end a tile is meant."""
    left, right = (end_words(end, ends) for end in End)
    return f"{tile_words(question.tile)} fits both: < for {left}, > for {right}?"
