"""What happens to the connection, as sentences."""

from collections.abc import Mapping
from typing import Final

from passing_client.language import LANGUAGES, _, mark, spoken
from passing_client.verifying import ImpossibleTable
from passing_client.words.refusals import SENTENCES
from passing_link.address import Address, InvalidAddress
from passing_link.news import CannotReach, LinkNews, NewsKind, TurnedAway
from passing_link.sentences import Sentence
from passing_protocol.errors import ErrorCode
from passing_protocol.join_codes import LINK_START, InvalidCode
from passing_protocol.names import DETAIL_CHARS, clean_chat

SAMPLE_CODE: Final = "7K2M9-4X1T8-0H3V6-8R6C5"
"""How a code looks; it is none of any server's."""

_NEWS: Final[Mapping[NewsKind, str]] = {
    NewsKind.LOST: mark("The connection is lost; trying to get it back."),
    NewsKind.TRYING: mark("There is no connection yet; still trying."),
    NewsKind.BACK: mark("The connection is back."),
    NewsKind.RESTARTED: mark(
        "The connection is back; the server was started again and goes on where it was."
    ),
    NewsKind.NEW_SESSION: mark("The server is back, but you hold no seat there any more."),
    NewsKind.SUPERSEDED: mark("This session now goes on at another connection; it ends here."),
    NewsKind.REFUSED: mark("The server turned you away."),
    NewsKind.CLOSED: mark("The server has ended the session."),
}


_REASONS: Final[Mapping[str, str]] = {
    **SENTENCES,
    ErrorCode.DRAINING: mark(
        "The server has stopped. What was played is kept, and goes on when it is started anew: "
        "stay, and you are back by yourself then. Who quits gives the seat up."
    ),
    ErrorCode.NOT_ADMITTED: mark(
        "Your access there was taken away: ask whoever runs it for a new code."
    ),
    ErrorCode.KEY_CHANGED: mark(
        "It has another key than before, or none: ask whoever runs it whether that is meant."
    ),
}
"""Why the server has said goodbye, and what there is to do."""


_AT_THE_DOOR: Final[Mapping[str, str]] = {
    **SENTENCES,
    ErrorCode.FULL: mark(
        "It takes nobody else at the moment, or too many of your programs are connected already."
    ),
    ErrorCode.NOT_ADMITTED: mark("Ask whoever runs it for a new code."),
}
"""Why the server does not let one in."""


def news_sentence(news: LinkNews) -> str:
    """Return what happened to the link, and why where the server gave a reason.

    The link's own sentence says more, but in English alone; of a server that ends it does not.
    """
    reason = _REASONS.get(news.code) if news.code is not None else None
    if spoken() == LANGUAGES[0] and news.code is not ErrorCode.DRAINING:
        return clean_chat(news.sentence, DETAIL_CHARS)
    return _(_NEWS[news.kind]) if reason is None else f"{_(_NEWS[news.kind])} {_(reason)}"


def lost_sentence(code: ErrorCode | None = None) -> str:
    """Return that the connection is lost for now, and why where the server has given a reason.

    That the server has stopped says both.
    """
    reason = _REASONS.get(code) if code is not None else None
    if reason is not None and code is ErrorCode.DRAINING:
        return _(reason)
    lost = _(_NEWS[NewsKind.LOST])
    return lost if reason is None else f"{lost} {_(reason)}"


def cannot_reach_sentence(error: CannotReach, address: Address) -> str:
    """Return why no server was reached; the catalogues hold the link's own texts."""
    told = error.args[0]
    if isinstance(told, Sentence):
        return Sentence([_(text) for text in told.texts], told.values)
    if spoken() == LANGUAGES[0]:
        return str(error)
    text = _("No server of the Passing Game can be reached at {address}.")
    return text.format(address=address)


def bad_code_sentence(error: InvalidCode) -> str:
    """Return that what was typed is no code, and how one looks; in English also what is wrong."""
    text = _("A code has 20 digits and letters, as in {code}, and a link begins with {link}.")
    form = text.format(code=SAMPLE_CODE, link=LINK_START)
    return f"{error}. {form}" if spoken() == LANGUAGES[0] else form


def bad_address_sentence(error: InvalidAddress) -> str:
    """Return what is wrong with an address, in English; elsewhere how one looks."""
    if spoken() == LANGUAGES[0]:
        return f"{error}."
    return _("An address is HOST, HOST:PORT or [IPv6]:PORT, with an IPv4 number as 192.168.1.20.")


def turned_away_sentence(error: TurnedAway) -> str:
    """Return that the server does not let one in, and why."""
    if spoken() == LANGUAGES[0]:
        return str(error)
    return f"{_(_NEWS[NewsKind.REFUSED])} {_(_AT_THE_DOOR[error.code])}"


def impossible_sentence(fault: ImpossibleTable, server: str) -> str:
    """Return that a server is left because of what it tells; the details are for experts."""
    text = _("{server} tells of a table what cannot be ({details}), so you have left.")
    return clean_chat(text.format(server=server, details=fault))
