"""What a connection tells its user besides messages: news of the link, and its failures."""

from dataclasses import dataclass
from enum import StrEnum

from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Error, Refused, ServerMessage
from passing_protocol.names import DETAIL_CHARS, clean_chat
from passing_protocol.verdicts import Verdict


class NewsKind(StrEnum):
    """Name what happened to a link; after the last three nothing more will come.

    After RESTARTED the session goes on, at a server that was started again meanwhile.
    """

    LOST = "lost"
    TRYING = "trying"
    BACK = "back"
    RESTARTED = "restarted"
    NEW_SESSION = "new_session"
    SUPERSEDED = "superseded"
    REFUSED = "refused"
    CLOSED = "closed"

    @property
    def final(self) -> bool:
        """Tell whether the link has ended for good."""
        return self in (NewsKind.SUPERSEDED, NewsKind.REFUSED, NewsKind.CLOSED)


@dataclass(frozen=True, slots=True)
class LinkNews:
    """Tell, in one sentence for people, what happened to the link.

    `code` is the server's reason where it has said goodbye and may be come back to.
    """

    kind: NewsKind
    sentence: str
    code: ErrorCode | None = None


Item = ServerMessage | LinkNews | Verdict
"""What a connection tells its user, in the order in which it comes."""


class LinkError(Exception):
    """Raised when something over the link failed; the text is one sentence for people."""


class CannotReach(LinkError):
    """Raised when no Passing Game server answers at an address."""


class UnknownMachine(CannotReach):
    """Raised when the name of a machine leads nowhere."""


class TurnedAway(LinkError):
    """Raised when the server answers and does not let this client in."""

    def __init__(self, refused: Refused) -> None:
        """Keep the server's code and say its reason."""
        super().__init__(f"The server turned us away: {clean_chat(refused.detail, DETAIL_CHARS)}")
        self.code = refused.code


class RequestFailed(LinkError):
    """Raised when the server answers a request with an error; `error` is that answer."""

    def __init__(self, error: Error) -> None:
        """Keep the answer and say its reason."""
        super().__init__(clean_chat(error.detail, DETAIL_CHARS))
        self.error = error
        self.code = error.code


class RequestLost(LinkError):
    """Raised when nobody can tell any more whether a request was done.

    The session ended before the answer came: the server forgot it, or started anew.
    """


class LinkDown(LinkError):
    """Raised when there is no connection at the moment; the link is trying to get it back."""


class NoAnswer(LinkError):
    """Raised when the answer to a request does not come in time; it may still come."""


class LinkEnded(LinkError):
    """Raised when a link is used that has ended for good; `news` tells how."""

    def __init__(self, news: LinkNews) -> None:
        """Keep the last news and say it again."""
        super().__init__(news.sentence)
        self.news = news
