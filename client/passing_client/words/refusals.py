"""Why something was not done: the protocol's codes, and misfits found here, as sentences."""

from collections.abc import Mapping
from typing import Final

from passing_client.language import LANGUAGES, _, mark, plural, spoken, typed
from passing_client.model import TableModel
from passing_client.moves import Misfit, MisfitReason, WhichEnd
from passing_client.words.basics import tile_words
from passing_client.words.looks import not_your_turn
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Act, Chat, Create, Error, Join, Ready, Request, Role, Start
from passing_protocol.names import clean_chat
from passing_protocol.views import PublicView, SeatState, TableState
from passing_rules import End

SENTENCES: Final[Mapping[str, str]] = {
    ErrorCode.MALFORMED: mark("The server does not understand that."),
    ErrorCode.TOO_LARGE: mark("That is too long for the server."),
    ErrorCode.UNSUPPORTED: mark("This server cannot do that."),
    ErrorCode.VERSION: mark(
        "The server speaks another version of the game: install the newer one on both sides."
    ),
    ErrorCode.NOT_ADMITTED: mark("You may not do that here."),
    ErrorCode.BAD_CODE: mark("The server does not know that code."),
    ErrorCode.KEY_CHANGED: mark("The server is not the one that was here before."),
    ErrorCode.SUPERSEDED: mark("You have connected from somewhere else since."),
    ErrorCode.RATE_LIMITED: mark("Too much at once; wait a moment and try again."),
    ErrorCode.DRAINING: mark(
        "The server is about to stop and takes nothing new. Try again when it is started anew."
    ),
    ErrorCode.DISK: mark("The server cannot store anything at the moment; try again later."),
    ErrorCode.FULL: mark(
        "The server takes no more tables or people, or you sit at too many tables."
    ),
    ErrorCode.NO_SUCH_TABLE: mark("There is no such table any more."),
    ErrorCode.TABLE_FULL: mark("No place is free at that table."),
    ErrorCode.TABLE_STATE: mark("That cannot be done at this point."),
    ErrorCode.SEAT_TAKEN: mark("That seat is taken."),
    ErrorCode.NAME_TAKEN: mark(
        "Somebody there has a name that reads like yours; come with another one. If that was you, "
        "before a crash, the place is free again after 2 minutes, one in a match after the match."
    ),
    ErrorCode.NO_SUCH_ENGINE: mark("No engine of that name is waiting."),
    ErrorCode.NO_SUCH_CLIENT: mark("No client of that name is remembered."),
    ErrorCode.NO_SUCH_DEAL: mark("That deal is not being made any more."),
    ErrorCode.NOT_OWNER: mark("Only the owner of the table may do that."),
    ErrorCode.NOT_SEATED: mark("Nobody sits there."),
    ErrorCode.NOT_YOUR_TURN: mark("It is not your turn."),
    ErrorCode.STALE_TURN: mark("That came too late: the turn is over."),
    ErrorCode.TURN_DECIDED: mark("You have already decided this turn."),
    ErrorCode.TOO_LATE: mark("Your time was up before that arrived."),
    ErrorCode.ROUND_OVER: mark("The round is over."),
    ErrorCode.NOT_IN_HAND: mark("You do not hold that tile."),
    ErrorCode.DOES_NOT_FIT: mark("That tile does not fit there."),
    ErrorCode.END_NEEDED: mark("Say at which end: < for left, > for right."),
    ErrorCode.BONEYARD_FLOOR: mark("No tile can be drawn: the last 2 stay in the boneyard."),
}
"""A sentence for every code of the registry."""

_IN_CONTEXT: Final[dict[tuple[ErrorCode, type[Request]], str]] = {
    (ErrorCode.TABLE_STATE, Chat): mark("Nobody can talk at this table during a round."),
    (ErrorCode.TABLE_STATE, Ready): mark("There is nothing to be ready for at the moment."),
    (ErrorCode.TABLE_STATE, Start): mark("A match is on already."),
    (ErrorCode.TABLE_STATE, Join): mark(
        "Nobody can sit down there now: a match is on, or has been over for too long."
    ),
    (ErrorCode.TABLE_STATE, Act): mark("Nothing can be played at the moment."),
    (ErrorCode.NOT_SEATED, Act): mark("You have no seat at this table."),
    (ErrorCode.NOT_SEATED, Ready): mark("You have no seat at this table."),
    (ErrorCode.NOT_ADMITTED, Chat): mark("You may not talk here."),
    (ErrorCode.NOT_OWNER, Start): mark(
        "Only the owner may begin the match at once: type {slash}ready, and it begins when "
        "everybody is ready."
    ),
    (ErrorCode.DRAINING, Ready): mark(
        "The server is about to stop. Your match goes on when it is started anew."
    ),
}
"""Better sentences where it matters what was asked for."""

_FOR_ROLES: Final[Mapping[tuple[Role, type[Request]], str]] = {
    (Role.SPECTATOR, Create): mark("As a spectator you cannot make a table."),
    (Role.SPECTATOR, Join): mark("As a spectator you cannot sit down, only watch."),
    (Role.BOT, Create): mark("Who has joined by a code for engines cannot make a table."),
}
"""What is not for everybody who has been let in."""

WITH_DETAIL: Final = frozenset({ErrorCode.MALFORMED, ErrorCode.NOT_ADMITTED})
"""The codes where only the server can say what was wrong."""


def refusal_sentence(
    error: Error,
    request: Request | None,
    table: TableModel | None,
    role: Role = Role.PLAYER,
) -> str:
    """Return why the server has refused a request, None where it belongs to none.

    `role` is what the server takes one for.
    """
    if error.code is ErrorCode.NOT_YOUR_TURN and table is not None:
        return not_your_turn(table)
    if error.code is ErrorCode.SEAT_TAKEN and isinstance(request, Join) and not error.retry:
        return _(
            "You sit at this table already, from another terminal. Another person at this machine "
            "comes as one: with --as NAME."
        )
    if error.code is ErrorCode.TABLE_STATE and table is not None:
        if isinstance(request, Ready) and table.view.state is TableState.OVER:
            return _("It is too late for another match here; leave the table.")
        if isinstance(request, Start) or (isinstance(request, Ready) and table.free_seats):
            return cannot_start(table.view)
    better = None if request is None else _IN_CONTEXT.get((error.code, type(request)))
    if error.code is ErrorCode.NOT_ADMITTED and request is not None:
        better = _FOR_ROLES.get((role, type(request)), better)
    if better is not None:
        return typed(_(better))
    return f"{_(SENTENCES[error.code])}{_detail(error, request)}"


def _detail(error: Error, request: Request | None) -> str:
    """Return what the server itself adds, which it says in English alone.

    Another language has it in parentheses, and only of what a person has asked for: it names the
    option, the name or the seat that is to be typed in another way. Of what is not for them there
    is nothing in it that they could do.
    """
    detail = clean_chat(error.detail)
    if not detail or error.code not in WITH_DETAIL:
        return ""
    if spoken() == LANGUAGES[0]:
        return f" {detail}"
    can_be_mended = error.code is ErrorCode.MALFORMED and request is not None
    return f" ({detail})" if can_be_mended else ""


def cannot_start(view: PublicView) -> str:
    """Return why no match can begin at a table, and what its owner can do about that."""
    free = sum(seat.state in (SeatState.EMPTY, SeatState.INVITED) for seat in view.seats)
    if not free:
        return _(_IN_CONTEXT[ErrorCode.TABLE_STATE, Start])
    still = plural("{number} seat is free still.", "{number} seats are free still.", free)
    taken = len(view.seats) - free
    todo = typed(_("Type {slash}invite for an engine, or wait for people."))
    if taken > 1:
        text = _(
            "Type {slash}invite for an engine, wait for people, or leave and make a smaller table:"
            " {slash}new NAME seats={taken}"
        )
        todo = typed(text).format(taken=taken)
    return f"{still.format(number=free)} {todo}"


def misfit_sentence(misfit: Misfit, ends: tuple[int, int] | None) -> str:
    """Return why a tile cannot be played, and where it can.

    Without ends every tile that is held can be played (R2.4).
    """
    tile = tile_words(misfit.tile)
    if misfit.reason is MisfitReason.NOT_HELD or ends is None:
        return _("You do not hold {tile}.").format(tile=tile)
    if misfit.reason is MisfitReason.FITS_NOWHERE:
        text = _("{tile} fits neither the left end ({left}) nor the right end ({right}).")
    elif misfit.end is End.RIGHT:
        text = _("{tile} does not fit the right end ({right}), only the left end ({left}).")
    else:
        text = _("{tile} does not fit the left end ({left}), only the right end ({right}).")
    return text.format(tile=tile, left=ends[0], right=ends[1])


def which_end(question: WhichEnd, ends: tuple[int, int] | None) -> str:
    """Return the question at which end a tile is meant."""
    if ends is None:
        return _(SENTENCES[ErrorCode.END_NEEDED])
    text = _("{tile} fits both: < for the left end ({left}), > for the right end ({right})?")
    return text.format(tile=tile_words(question.tile), left=ends[0], right=ends[1])
