"""The conversation between a person and a server, one table at a time.

What is heard is said in words, and what is typed is done. Nothing here waits, or knows of a
terminal or a socket.
"""

from dataclasses import dataclass, field
from typing import Final

from passing_client import lobbying
from passing_client.desk import Desk, Face, Keeper, Link
from passing_client.judging import hear_verdict, tell_tally
from passing_client.language import _, mark, plural
from passing_client.model import Moment, TableModel
from passing_client.repertoire import obey, quits
from passing_client.settings import ConfirmPass
from passing_client.words.arrivals import arrival_lines, situation_lines
from passing_client.words.events import moment_lines
from passing_client.words.links import news_sentence
from passing_client.words.lobby import engines_line, lobby_lines
from passing_client.words.looks import hand_line, question
from passing_client.words.refusals import refusal_sentence
from passing_link.exits import ExitCode
from passing_link.news import Item, LinkNews, NewsKind
from passing_protocol.events import MatchBegan, MatchEnded, RoundBegan, Said, WatchersChanged
from passing_protocol.follow import HashMismatch
from passing_protocol.messages import (
    Act,
    Create,
    Error,
    Join,
    Leave,
    Left,
    Lobby,
    Ok,
    Ping,
    Pong,
    Resync,
    Start,
    TableInfo,
    Tables,
    Update,
    Watch,
)
from passing_protocol.names import name_key
from passing_protocol.verdicts import Verdict
from passing_protocol.views import TableState

REMINDERS_S: Final = (30, 10, 5)
"""At how many seconds left the time is told; a clock that ticks would drown everything else."""

_MOVES_ONE: Final = (Create, Join, Watch, Leave, Lobby)
"""The requests after which one may be somewhere else, so that what is typed next waits."""

_LEFT: Final = {
    "removed": mark("You have been removed from the table."),
    "closed": mark("The table is closed."),
    "replaced": mark("Your place at the table has gone to its player, who is back."),
}


@dataclass(slots=True)
class _List:
    """Hold the tables of a list as far as it has come; a quiet one is not told of."""

    quiet: bool = False
    tables: list[TableInfo] = field(default_factory=list[TableInfo])


class Conversation:
    """Hear messages and obey typed lines; `desk.over` tells when it is over, and how.

    `private` is for a table of one's own making: its seats are told when all are filled, and it
    is left with the server. `to_the_end` is for one who came to watch a table and nothing else:
    with the table, or with the match if nobody types, it is over.
    """

    def __init__(
        self,
        link: Link,
        face: Face,
        *,
        confirm_pass: ConfirmPass = ConfirmPass.ASK,
        private: bool = False,
        to_the_end: bool = False,
        wanted: str | None = None,
        keeper: Keeper | None = None,
        unattended: bool = False,
        lingers: bool = False,
    ) -> None:
        """Begin without a table; `wanted` names one to watch as soon as the tables are known.

        `unattended` tells that nobody may be there to type, so that the end of a match is left;
        `lingers` that it stays to be seen until it is left, also where the table is closed then.
        Without a keeper no records are kept.
        """
        self.desk = Desk(link, face, confirm_pass, private, wanted)
        self._keeper = keeper
        self._to_the_end = to_the_end
        self._quiet = private
        self._unattended = unattended
        self._lingers = lingers
        self._lists: dict[int, _List] = {}
        """The lists that are to be gone on with or kept quiet, by the request that is open."""
        self._is_shown = True
        """Whether the server has shown the table that one is at since it was started again."""
        self._ask_again: int | None = None
        """The turn whose question is said again, if it is still open once all is heard."""

    @property
    def busy(self) -> bool:
        """Tell whether it is open where one will be when the next line is obeyed.

        While the connection is lost no answer can come, and whoever wants out must be heard.
        """
        return not self.desk.down and any(
            isinstance(request, _MOVES_ONE) and not self._is_quiet(number)
            for number, request in self.desk.pending.items()
        )

    def must_wait(self, line: str) -> bool:
        """Tell whether a line is to be obeyed later: whoever wants out is never kept waiting."""
        return self.busy and not quits(self.desk, line)

    def _is_quiet(self, number: int) -> bool:
        return number in self._lists and self._lists[number].quiet

    # --- what is typed ---------------------------------------------------------------------

    def type(self, line: str, shown_turn: int | None) -> bool:
        """Obey a line that was typed while the question of `shown_turn` was to be seen.

        Tells whether all that it meant to send was sent.
        """
        self.desk.typed_turn = shown_turn
        self.desk.unsent = False
        obey(self.desk, line)
        return not self.desk.unsent

    def look_around(self) -> None:
        """Ask for the tables without a word, unless an answer is waited for or none can come."""
        looks = any(isinstance(request, Lobby) for request in self.desk.pending.values())
        if not self.desk.down and not self.busy and not looks:
            self._ask_for_tables(Lobby(0), _List(quiet=True))

    def end_of_input(self) -> None:
        """Note that nothing will be typed any more: a player goes, a watcher sees the end."""
        self._unattended = True
        table = self.desk.table
        if not self._to_the_end or (table is not None and table.view.state is TableState.OVER):
            text = _("The input is at its end and nothing more can be typed, so you leave.")
            self.desk.say(text)
            self.desk.over = ExitCode.DONE

    def interrupt(self) -> None:
        """End it because the person wants out at once."""
        self.desk.over = ExitCode.INTERRUPTED

    # --- time ------------------------------------------------------------------------------

    def time_left_ms(self) -> int | None:
        """Return the time for the question that is open, as it was told; None without a clock."""
        ask = self.desk.table.ask if self.desk.table is not None else None
        return None if ask is None or ask.clock is None else ask.clock.turn_ms + ask.clock.bank_ms

    def remind(self, turn: int, seconds: int) -> None:
        """Tell how much time is left for a turn, if it is still open."""
        if self.desk.shown_turn == turn and self.desk.acted != turn:
            text = plural("{number} second left.", "{number} seconds left.", seconds)
            self.desk.say(text.format(number=seconds))

    # --- what is heard ---------------------------------------------------------------------

    def hear(self, item: Item) -> None:
        """Take in a message or news of the link, and say what there is to say."""
        match item:
            case LinkNews():
                self._link_news(item)
            case Update():
                self._updated(item)
            case Tables():
                self._tables(item)
            case Ok():
                self._done(item)
            case Error():
                self._refused(item)
            case Left():
                self._left(item)
            case Pong():
                self._all_is_shown(item)
            case Verdict():
                self._judged(item)
            case _:
                pass

    def _judged(self, verdict: Verdict) -> None:
        """Say what was found out about a deal, and have that kept with its match."""
        hear_verdict(self.desk, verdict)
        if self.desk.story.judge(verdict):
            self._keep()

    def _link_news(self, news: LinkNews) -> None:
        self.desk.down = news.kind in (NewsKind.LOST, NewsKind.TRYING)
        self.desk.say(news_sentence(news))
        if news.kind.final:
            closed = news.kind is NewsKind.CLOSED
            self.desk.over = ExitCode.UNREACHABLE if closed else ExitCode.REFUSED
        elif news.kind is NewsKind.NEW_SESSION:
            self.desk.pending.clear()
            self.desk.story.forget()
            self._lists.clear()
            self._to_the_lobby(ExitCode.UNREACHABLE)
        elif not self.desk.down and self.desk.table is not None:
            self._is_shown = self._is_shown and news.kind is not NewsKind.RESTARTED
            self._ask_again = self.desk.shown_turn
            self.desk.send_quietly(Ping(0))

    def _all_is_shown(self, pong: Pong) -> None:
        """Go on after a loss with the question that is still open, if there is a place at all."""
        self.desk.pending.pop(pong.re, None)
        table = self.desk.table
        if table is not None and not self._is_shown:
            self.desk.say(_("You have no place at the table any more."))
            self._to_the_lobby()
        elif table is not None and self.desk.is_asked and self.desk.shown_turn == self._ask_again:
            self.desk.say(question(table))
        self._is_shown = True
        self._ask_again = None

    @property
    def _is_all(self) -> bool:
        """Tell whether the person has come for this table alone."""
        return self.desk.private or self._to_the_end

    def _to_the_lobby(self, otherwise: ExitCode = ExitCode.DONE) -> None:
        """Be at no table; for one who came for this table alone, that is the end."""
        self.desk.forget_table()
        if self._is_all:
            self.desk.over = otherwise
        else:
            lobbying.list_tables(self.desk, "")

    def _tables(self, message: Tables) -> None:
        """Take in a page of the list; it is swapped in as a whole once it has all come."""
        self.desk.pending.pop(message.re, None)
        listed = self._lists.pop(message.re, None) or _List()
        listed.tables += message.tables
        if message.more and message.tables:
            self._ask_for_tables(Lobby(0, message.tables[-1].table), listed)
            return
        self.desk.tables, self.desk.engines = listed.tables, message.engines
        if self.desk.wanted is not None:
            self._watch_wanted(self.desk.wanted)
        elif self.desk.inviting is not None:
            text, self.desk.inviting = self.desk.inviting, None
            lobbying.invite_first(self.desk, text)
        elif not listed.quiet:
            (self.desk.sought or self._tell_tables)()

    def _ask_for_tables(self, request: Lobby, listed: _List) -> None:
        if self.desk.send(request):
            self._lists[next(reversed(self.desk.pending))] = listed

    def _tell_tables(self) -> None:
        """Tell of the list: at a table only its engines matter."""
        desk = self.desk
        if desk.table is not None:
            desk.say(engines_line(desk.engines))
        else:
            desk.say(*lobby_lines(desk.tables, desk.engines, desk.role))

    def _watch_wanted(self, wanted: str) -> None:
        """Watch the table that one came for; without it that is the end, so nobody can type."""
        self.desk.wanted = None
        table = lobbying.table_to_watch(self.desk.tables, wanted)
        if table is None:
            self.desk.say(lobbying.no_table_at_server(wanted))
            self.desk.over = ExitCode.REFUSED
        elif not self.desk.send(Watch(0, table.table)):
            self.desk.over = ExitCode.UNREACHABLE

    def _done(self, answer: Ok) -> None:
        request = self.desk.pending.pop(answer.re, None)
        if isinstance(request, Leave):
            self._to_the_lobby()

    def _refused(self, error: Error) -> None:
        request = self.desk.pending.pop(error.re, None) if error.re is not None else None
        if error.re is not None and self._lists.pop(error.re, _List()).quiet:
            return
        if isinstance(request, Lobby):
            self.desk.inviting = self.desk.sought = None
        if isinstance(request, Act):
            self.desk.acted = None
        self.desk.say(refusal_sentence(error, request, self.desk.table, self.desk.role))
        if isinstance(request, Watch) and self._to_the_end and self.desk.table is None:
            self.desk.over = ExitCode.REFUSED

    def _left(self, left: Left) -> None:
        table = self.desk.table
        if table is None or table.id != left.table:
            return
        if self._lingers and table.match_end is not None and self._is_all:
            table.close()
            self.desk.gone = True
            return
        if not self.desk.private:
            self.desk.say(_(_LEFT[left.reason]))
        self._to_the_lobby()

    # --- what happens at the table -----------------------------------------------------------

    def _updated(self, update: Update) -> None:
        desk = self.desk
        request = desk.pending.pop(update.re, None) if update.re is not None else None
        if isinstance(request, Act):
            desk.acted = None
        table = desk.table
        is_new = table is None or table.id != update.table
        is_back = table is None and update.public is not None and update.re is None
        if is_back or (is_new and isinstance(request, Create | Join | Watch)):
            self.take_place(update)
            return
        if table is None or table.id != update.table:
            return  # of a table that one has left
        try:
            moments = table.apply(update)
        except HashMismatch:
            desk.send(Resync(0, 0))
            return
        self._is_shown = True
        if moments is None:
            return  # older than what is known
        if not moments and update.public is not None:
            self.desk.say(*situation_lines(table))  # what was missed is not told any more
        self._tell(table, moments, update)

    def take_place(self, update: Update) -> None:
        """Be at the table that an update shows, as the answer to having asked for a place."""
        if update.public is None:
            return
        self.desk.forget_table()
        table = self.desk.table = TableModel(update.table, update.public)
        table.apply(update)
        if not self._quiet:
            self.desk.say(*arrival_lines(table))
        self._tell(table, [], update)

    def _tell(self, table: TableModel, moments: list[Moment], update: Update) -> None:
        """Say all that an update brings, in the order in which it happened."""
        for moment in moments:
            self._tell_moment(table, moment)
        if table.seat is not None and any(isinstance(m.event, RoundBegan) for m in moments):
            self.desk.say(hand_line(table))
        if update.ask is not None:
            self._ask_again = None
            self.desk.say(question(table))
            self.desk.face.ring()
        if self._quiet and table.owns and table.view.state is TableState.STARTING:
            self._start(table)
        self._note(table, moments, update)
        tell_tally(self.desk)

    def _note(self, table: TableModel, moments: list[Moment], update: Update) -> None:
        """Note the match, and have it kept when a round of it or the match has ended."""
        story = self.desk.story
        ends = story.ends
        story.see(table, moments, update)
        if story.ends != ends:
            self._keep()

    def _keep(self) -> None:
        said = None if self._keeper is None else self._keeper.keep(self.desk.story)
        if said is not None:
            self.desk.say(said)

    def _tell_moment(self, table: TableModel, moment: Moment) -> None:
        if isinstance(moment.event, MatchBegan):
            self._quiet = False
        if self._is_said(table, moment):
            self.desk.say(*moment_lines(moment, table.seat))
        if isinstance(moment.event, MatchEnded) and self._to_the_end and self._unattended:
            self.desk.over = ExitCode.DONE

    def _is_said(self, table: TableModel, moment: Moment) -> bool:
        """Tell whether a person is told of an event at all."""
        if self._quiet or self.desk.over is not None:
            return False
        match moment.event:
            case Said(name=name):
                return name_key(name) not in self.desk.muted
            case WatchersChanged():
                return not self.desk.private
            case _:
                return True

    def _start(self, table: TableModel) -> None:
        """Begin a private match once its seats are filled."""
        if not any(isinstance(request, Start) for request in self.desk.pending.values()):
            self.desk.send(Start(0, table.id))
