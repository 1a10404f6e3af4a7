"""An engine at any number of tables, pure: messages of the server in, requests out.

Both ways to play, blocking and asyncio, carry its messages and share all of its decisions.
"""

import secrets
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from passing_bots.engine import Engine, MatchStart, RoundStart
from passing_bots.view import TurnView
from passing_link.news import Item, LinkNews, NewsKind
from passing_protocol.errors import ErrorCode
from passing_protocol.events import MatchBegan, MatchEnded, RoundBegan, RoundEnded, StateChanged
from passing_protocol.messages import (
    Act,
    Decline,
    Error,
    Invited,
    Join,
    Leave,
    Left,
    Ok,
    Request,
    Update,
    UpdateOf,
)
from passing_protocol.names import DETAIL_CHARS, clean_chat
from passing_protocol.verdicts import Outcome, Verdict
from passing_protocol.views import GameOptions, PublicView, TableState, options_of
from passing_protocol.wire import action_message
from passing_rules import Action, Pass, Tile

Report = Callable[[str], None]

FAILED: Final = "the engine failed: "
GAVE_UP: Final = "is not legal; giving up the seat"
"""Words of a report by which others know why an engine has left a table."""

DEAL_FAILED: Final = "the server has broken the rules of fair deals"
"""Words of a report by which others know that a deal was not fair."""

_RULE_REFUSALS: Final = frozenset(
    {
        ErrorCode.NOT_IN_HAND,
        ErrorCode.DOES_NOT_FIT,
        ErrorCode.END_NEEDED,
        ErrorCode.BONEYARD_FLOOR,
        ErrorCode.MALFORMED,
    }
)


@dataclass(slots=True)
class _Seat:
    """Hold what is known of one table: the engine there, and the last answer given.

    `asked` is the turn that the last update asks for, `failed` whether the engine has raised
    something since that update came, `playing` whether a match is on.
    """

    engine: Engine
    seed: str
    game: GameOptions
    seat: int
    match: str = ""
    round: int = 0
    rev: int = 0
    answered: Act | None = None
    asked: int | None = None
    playing: bool = False
    failed: bool = False
    hand: list[str] = field(default_factory=list[str])

    def begin_at(self, rev: int) -> None:
        """Go on with a table as it is shown: earlier than it was, if a loss of power took some."""
        if rev < self.rev:
            self.answered = None
        self.rev = rev


class EngineSession:
    """Accept invitations, answer questions, and survive what engines and links do.

    `make` makes a new engine for each table, of which there are at most `tables` at once. What
    goes wrong is told to `report` in words; an engine that raises or chooses what is not legal
    passes, or gives up its seat where `strict` is true. `matches_over` counts the matches that
    have ended or were given up.
    """

    def __init__(
        self, make: Callable[[], Engine], tables: int, report: Report, *, strict: bool = False
    ) -> None:
        """Start at no table."""
        self.matches_over = 0
        self._strict = strict
        self._make = make
        self._limit = tables
        self._report = report
        self._seats: dict[str, _Seat] = {}
        self._joining: set[str] = set()
        self._doubtful: set[str] = set()
        """The seats that a server which was started again has not shown yet."""
        self._leaving: set[str] = set()

    @property
    def tables(self) -> tuple[str, ...]:
        """Return the tables at which there is a seat."""
        return tuple(self._seats)

    def receive(self, message: Item) -> list[Request]:
        """Take in a message or news, and return the requests to send, in order."""
        self._settle(message)
        match message:
            case UpdateOf():
                return self._update(message)
            case Invited(table=table, seat=seat):
                return self._invited(table, seat)
            case Error(table=str(table)):
                return self._refused(table, message)
            case Left(table=table):
                self._forget(table)
            case Ok(table=str(table)):
                self._leaving.discard(table)
            case Verdict():
                self._judged(message)
            case LinkNews(kind=kind):
                if kind is NewsKind.NEW_SESSION or kind.final:
                    self._seats.clear()
                    self._joining.clear()
                    self._leaving.clear()
                elif kind is NewsKind.RESTARTED:
                    self._doubtful = set(self._seats)
            case _:
                pass
        return []

    def _settle(self, message: Item) -> None:
        """Forget the seats that are not among those which a server shows when it is back.

        It shows all that there are before it says anything else.
        """
        if isinstance(message, UpdateOf) and message.table in self._doubtful:
            self._doubtful.discard(message.table)
            self._seats[message.table].begin_at(message.rev)
        elif not isinstance(message, UpdateOf | LinkNews | Verdict):
            for table in self._doubtful:
                self._forget(table)
            self._doubtful.clear()

    def _judged(self, verdict: Verdict) -> None:
        """Report a deal by which the server has broken the rules, and let the engine know."""
        if verdict.outcome is Outcome.FAILED:
            self._report(
                f"{_place(verdict.table)}: deal {verdict.deal} of match {verdict.match}: "
                f"{DEAL_FAILED} ({verdict.reason})"
            )
        seat = self._seats.get(verdict.table)
        if seat is not None:
            self._guard(verdict.table, seat, lambda: seat.engine.judge_deal(verdict))

    def _invited(self, table: str, seat: int) -> list[Request]:
        """Accept an invitation, once however often it comes, where there is a place for it."""
        if table in self._joining:
            return []
        if len(self._seats.keys() | self._joining) >= self._limit:
            return [Decline(0, table)]
        self._joining.add(table)
        return [Join(0, table, seat)]

    def _refused(self, table: str, error: Error) -> list[Request]:
        """Say what the server refused; after a refused action the seat passes or is given up."""
        detail = clean_chat(error.detail, DETAIL_CHARS)
        if table in self._leaving:
            return self._still_leaving(table, error)
        seat = self._seats.get(table)
        if seat is None:
            self._joining.discard(table)
            self._report(f"table {table}: {detail}")
            return []
        answered = seat.answered
        if answered is None or error.turn is None:
            self._report(f"table {table}: {detail}")
            return []
        if error.code is ErrorCode.RATE_LIMITED:
            return [answered]
        refused_now = error.code in _RULE_REFUSALS and error.turn == answered.turn
        self._report(f"{_place(table, answered.turn if refused_now else None)}: {detail}")
        if refused_now and self._strict:
            return self._give_up(table, seat)
        if refused_now and not answered.action.pass_:
            return [self._answer(table, seat, answered.turn, Pass())]
        return []

    def _update(self, update: Update) -> list[Request]:
        if update.table in self._leaving:
            return []
        seat = self._seats.get(update.table) or self._seated(update)
        if seat is None:
            return []
        if update.duplicate or update.rev < seat.rev:
            return []  # what it tells was told before
        seat.rev = update.rev
        seat.asked = update.ask.turn if update.ask is not None else None
        seat.failed = False
        if update.mine is not None:
            seat.hand = list(update.mine.hand)
            seat.seed = update.mine.bot_seed or seat.seed
        for event in update.events:
            self._happened(update.table, seat, event)
        public = update.public
        if public is not None:
            self._catch_up(update.table, seat, public)
        if seat.failed and self._strict:
            return self._give_up(update.table, seat)
        if public is not None and update.ask is not None and update.mine is not None:
            return self._asked(
                update.table,
                seat,
                TurnView(public, update.mine, update.ask, table=update.table, seed=seat.seed),
            )
        return []

    def _seated(self, update: Update) -> _Seat | None:
        """Take note of a new seat, which the first update with both views shows."""
        mine, public = update.mine, update.public
        if mine is None or public is None:
            return None
        self._joining.discard(update.table)
        seat = _Seat(self._make(), secrets.token_hex(16), public.game, mine.seat)
        self._seats[update.table] = seat
        return seat

    def _happened(self, table: str, seat: _Seat, event: object) -> None:
        match event:
            case MatchBegan(match=match):
                self._begin_match(table, seat, match)
            case RoundBegan(round=number, leader=leader):
                self._begin_round(table, seat, number, leader)
            case RoundEnded():
                self._guard(table, seat, lambda: seat.engine.end_round(event))
            case MatchEnded():
                seat.playing = False
                self.matches_over += 1
            case StateChanged(state=TableState.CLOSED):
                self._forget(table)
            case _:
                pass

    def _catch_up(self, table: str, seat: _Seat, public: PublicView) -> None:
        """Tell an engine that comes into the middle of a match where it is."""
        if public.round == 0:
            return
        if public.match != seat.match:
            self._begin_match(table, seat, public.match)
        if public.round != seat.round and public.leader is not None:
            self._begin_round(table, seat, public.round, public.leader)

    def _begin_match(self, table: str, seat: _Seat, match: str) -> None:
        seat.match = match
        seat.round = 0
        seat.playing = True
        self._guard(
            table,
            seat,
            lambda: seat.engine.begin_match(
                MatchStart(match, table, seat.seat, options_of(seat.game), seat.seed)
            ),
        )

    def _begin_round(self, table: str, seat: _Seat, number: int, leader: int) -> None:
        seat.round = number
        hand = tuple(map(Tile.parse, seat.hand))
        self._guard(table, seat, lambda: seat.engine.begin_round(RoundStart(number, leader, hand)))

    def _asked(self, table: str, seat: _Seat, view: TurnView) -> list[Request]:
        """Answer a question; one that was answered before gets the same answer.

        After a lost connection questions may come once more, also those of turns that are past.
        """
        answered = seat.answered
        if answered is not None and view.turn <= answered.turn:
            return [answered] if view.turn == answered.turn else []
        action = self._choose(table, seat, view)
        if action is None and self._strict:
            return self._give_up(table, seat)
        return [self._answer(table, seat, view.turn, Pass() if action is None else action)]

    def _choose(self, table: str, seat: _Seat, view: TurnView) -> Action | None:
        """Return what the engine chooses; None for a mistake, which is reported."""
        chosen: list[Action] = []
        self._guard(table, seat, lambda: chosen.append(seat.engine.choose(view)))
        if chosen and chosen[0] not in view.legal:
            what = GAVE_UP if self._strict else "is not legal; passing"
            self._report(f"{_place(table, view.turn)}: {chosen[0]!r} {what}")
            return None
        return chosen[0] if chosen else None

    def _give_up(self, table: str, seat: _Seat) -> list[Request]:
        """Leave a table for good; what still comes from there is left alone."""
        if table not in self._seats:
            return []  # it was closed by the same update
        self._forget(table)
        self._leaving.add(table)
        self.matches_over += seat.playing
        return [Leave(0, table)]

    def _still_leaving(self, table: str, error: Error) -> list[Request]:
        """Leave again what could not be left at once, or note that there is no seat any more."""
        if error.code is ErrorCode.RATE_LIMITED:
            return [Leave(0, table)]
        if error.code in (ErrorCode.NOT_SEATED, ErrorCode.NO_SUCH_TABLE):
            self._leaving.discard(table)
        return []

    def _answer(self, table: str, seat: _Seat, turn: int, action: Action) -> Act:
        seat.answered = Act(0, table, turn, action_message(action))
        return seat.answered

    def _guard(self, table: str, seat: _Seat, call: Callable[[], None]) -> None:
        """Call an engine; what it raises is reported in one line, and its trace in more."""
        try:
            call()
        except Exception as error:
            seat.failed = True
            raised = " ".join("".join(traceback.format_exception_only(error)).split())
            trace = traceback.format_exc().rstrip()
            self._report(f"{_place(table, seat.asked)}: {FAILED}{raised}\n{trace}")

    def _forget(self, table: str) -> None:
        self._seats.pop(table, None)
        self._joining.discard(table)


def report_marks(table: str) -> tuple[str, str]:
    """Return texts of which each report about a table has one."""
    return f"{_place(table)}:", f"{_place(table)},"


def _place(table: str, turn: int | None = None) -> str:
    """Return where something went wrong, as a report begins."""
    return f"table {table}" if turn is None else f"table {table}, turn {turn}"
