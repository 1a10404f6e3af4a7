"""A client's software in fair deals: it gives its part, and checks that nobody chose a deck.

`Contributor` hears every message of a session and does all of it by itself, for a person's client
and an engine's alike (PROTOCOL.md, "Fair deals").
"""

from dataclasses import dataclass
from typing import Final

from passing_protocol.absences import Absences
from passing_protocol.messages import (
    Contribute,
    Error,
    GiveLink,
    Join,
    Leave,
    Left,
    LinkWanted,
    Ok,
    Request,
    ServerMessage,
    ShowTip,
    TipsOffered,
    TipsOk,
    Update,
    UpdateOf,
    Welcome,
)
from passing_protocol.own_part import Entropy
from passing_protocol.shown_links import Given
from passing_protocol.table_share import TableShare
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import DealKind

FEWEST_TABLES: Final = 8
"""At how many tables a client may have a part at least, whatever it says of itself."""

_REQUESTS_A_TABLE: Final = 4
"""So many answers for a table may be on their way; a server that is asked back for more waits."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Hold what follows from a message: requests to send, in order, and verdicts.

    `own` tells that the message was for the software alone, and nobody else needs it.
    """

    requests: tuple[Request, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    own: bool = False


@dataclass(frozen=True, slots=True)
class _Sent:
    """Hold what waits for its answer: at which table, and the link that it brings."""

    request: Request
    share: TableShare | None
    given: Given | None


class Contributor:
    """Take part in the fair deals of one session, at no more than `tables` tables at once.

    What a server sends cannot make it grow: what is beyond that stays without an answer.
    """

    def __init__(self, entropy: Entropy, tables: int = 0) -> None:
        """Begin at no table; `entropy` gives that many bytes nobody can foresee."""
        self._entropy = entropy
        self._most = max(tables, FEWEST_TABLES)
        self._shares: dict[str, TableShare] = {}
        self._absences: dict[str, Absences] = {}
        """Who was missing at the tables that were left last: one may come again."""
        self._asked: dict[int, _Sent] = {}
        """The requests of its own that wait for their answer, by number."""
        self._lost: list[tuple[str, str | None]] = []
        """The tables and matches at which a session has ended between a link and the tiles."""
        self._too_many: list[str] = []
        """The tables beyond those, of which that was told."""
        self._epoch: int | None = None

    def hear(self, message: ServerMessage) -> Heard:
        """Take in a message and return what follows from it."""
        own = False
        match message:
            case Welcome():
                return Heard(verdicts=self._welcomed(message))
            case Ok(re=number) | Error(re=int(number)):
                own = number in self._asked
                self._answered(number, refused=isinstance(message, Error))
            case UpdateOf():
                return self._updated(message)
            case Contribute() | TipsOffered() | LinkWanted():
                return self._wanted(message)
            case Left(table=table):
                self._leave(table)
            case _:
                pass
        return Heard(own=own)

    def sent(self, number: int, request: Request, *, own: bool = False) -> None:
        """Take note that a request has gone out under that id; `own` marks those of `Heard`."""
        if isinstance(request, Leave):
            self._leave(request.table)
        if isinstance(request, Join) and request.table in self._shares:
            self._shares[request.table].joins()
        if not own:
            return
        part = request if isinstance(request, ShowTip | TipsOk | GiveLink) else None
        share = self._shares.get(part.table) if part is not None else None
        given = share.given if share is not None and isinstance(part, GiveLink) else None
        self._asked[number] = _Sent(request, share, given)

    def _leave(self, table: str) -> None:
        """Have no part at a table any more, and remember who was missing there."""
        share = self._shares.pop(table, None)
        if share is not None:
            share.absences.forgotten()
            kept = list(self._absences.items())[1 - self._most :]
            self._absences = dict([*kept, (table, share.absences)])

    def _welcomed(self, welcome: Welcome) -> tuple[Verdict, ...]:
        """Go on with what there was, or begin anew in a new session."""
        found = () if welcome.resumed else self._end_session()
        for share in self._shares.values():
            share.missed(restarted=welcome.epoch != self._epoch)
        self._epoch = welcome.epoch
        return found

    def _end_session(self) -> tuple[Verdict, ...]:
        """Forget all parts, and tell what deals cannot be checked for that."""
        found: list[Verdict] = []
        for table, share in tuple(self._shares.items()):
            lost = table, share.undealt
            share.gone(again=lost in self._lost)
            found += share.take_verdicts()
            if share.undealt is not None:
                self._lost = [*self._lost[1 - self._most :], lost]
            self._leave(table)
        self._asked.clear()
        return tuple(found)

    def _answered(self, number: int, *, refused: bool) -> None:
        """Take note of an answer: a server takes requests in order, so it has had all before."""
        for earlier, sent in self._asked.items():
            if sent.given is not None and (earlier < number or (earlier == number and not refused)):
                sent.given.received = True  # a refusal of the link itself proves nothing
        answered = self._asked.pop(number, None)
        if answered is not None and answered.share is not None and not refused:
            answered.share.taken(answered.request)

    def _updated(self, update: Update) -> Heard:
        """Follow a table at which this client has a seat and the deals are fair."""
        if update.re is not None:
            self._answered(update.re, refused=False)
        share = self._shares.get(update.table)
        if share is None and _shows_fair_seat(update):
            if len(self._shares) >= self._most:
                return self._left_out(update.table)
            absences = self._absences.get(update.table, Absences(""))
            share = TableShare(update.table, self._entropy, absences)
            self._shares[update.table] = share
        if share is None:
            return Heard()
        share.update(update)
        return Heard(verdicts=share.take_verdicts())

    def _wanted(self, message: Contribute | TipsOffered | LinkWanted) -> Heard:
        """Answer what the server asks the software for, at a table where there is a seat."""
        share = self._shares.get(message.table)
        if share is None or len(self._asked) >= self._most * _REQUESTS_A_TABLE:
            return Heard(own=True)
        request = share.wanted(message)
        requests = () if request is None else (request,)
        return Heard(requests, share.take_verdicts(), own=True)

    def _left_out(self, table: str) -> Heard:
        """Tell once that a table is one too many, so that its deals are not checked."""
        if table in self._too_many:
            return Heard()
        self._too_many = [*self._too_many[1 - self._most :], table]
        return Heard(verdicts=(Verdict(table, "", 0, 0, Outcome.UNCHECKED, Reason.TOO_MANY),))


def _shows_fair_seat(update: Update) -> bool:
    """Tell whether an update is about a seat of one's own at a table whose deals are fair."""
    view = update.public
    return update.mine is not None and view is not None and view.deal is DealKind.FAIR
