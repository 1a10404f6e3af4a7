"""What one person has before them: the server, perhaps a table, and what is not settled yet.

It sends and says, and nothing more; commands and messages change it.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol

from passing_client.deal_tally import DealTally
from passing_client.language import _, mark
from passing_client.match_story import MatchStory
from passing_client.model import TableModel
from passing_client.settings import ConfirmPass
from passing_client.vocabulary import Place
from passing_client.words.links import news_sentence
from passing_client.words.looks import not_your_turn
from passing_link.exits import ExitCode
from passing_link.news import LinkDown, LinkEnded
from passing_protocol.messages import Act, EngineInfo, Request, Role, TableInfo
from passing_protocol.verdicts import Verdict
from passing_protocol.views import IN_MATCH
from passing_protocol.wire import action_message
from passing_rules import Action, Tile

NOT_SENT: Final = mark("The connection is down: that was not sent.")


class Link(Protocol):
    """Describe what sends requests; it raises LinkDown and LinkEnded, and queues nothing."""

    def send(self, message: Request) -> int:
        """Send a request and return its id."""
        ...


class Face(Protocol):
    """Describe what shows things to the person."""

    def say(self, line: str) -> None:
        """Show one line of text."""
        ...

    def ring(self) -> None:
        """Call the person, whose turn it is."""
        ...


class Keeper(Protocol):
    """Describe what keeps the records of matches."""

    def keep(self, story: MatchStory) -> str | None:
        """Keep a match of which there is something new; return what there is to say of that."""
        ...


@dataclass(slots=True)
class Desk:
    """Hold all that one person's client knows and waits for.

    `story` is what was noted of the match, for its record. `pending` are the requests without an
    answer by id. `typed_turn` is the turn that was shown when the line that is being obeyed was
    typed, `acted` the turn for which an action is on its way, `which_end` a turn with the tile
    whose end was asked for, `pass_asked` the turn for which a pass waits to be confirmed, and
    `leaving` tells that leaving a match waits for that. `inviting` is what was typed
    after `invite` while it is looked which engines wait, `sought` goes to a table once it is known
    which there are, `unsent` tells that something that was to be sent could not be.
    `private` marks a table of one's own making that is there for this one person, `wanted` the
    table to watch once the list of tables is here, and `down` tells that the connection is lost
    for now. `gone` tells that the table is closed and is only looked at. `encrypted` tells that all
    is that is said, `open_to_all` that nothing is though it goes to another machine, or others
    reach the server, and `role` what the server takes the person for. `verdict` is what was found
    out about the last deal here, `tally` about all of the match, and `alarm` says that the server
    has cheated until that was read.
    """

    link: Link
    face: Face
    confirm_pass: ConfirmPass = ConfirmPass.ASK
    private: bool = False
    wanted: str | None = None
    tables: list[TableInfo] = field(default_factory=list[TableInfo])
    engines: list[EngineInfo] = field(default_factory=list[EngineInfo])
    table: TableModel | None = None
    story: MatchStory = field(default_factory=MatchStory)
    pending: dict[int, Request] = field(default_factory=dict[int, Request])
    muted: dict[str, str] = field(default_factory=dict[str, str])
    typed_turn: int | None = None
    acted: int | None = None
    which_end: tuple[int, Tile] | None = None
    pass_asked: int | None = None
    leaving: bool = False
    gone: bool = False
    encrypted: bool = False
    open_to_all: bool = False
    role: Role = Role.PLAYER
    told_once: str = ""
    inviting: str | None = None
    sought: Callable[[], None] | None = None
    unsent: bool = False
    down: bool = False
    over: ExitCode | None = None
    verdict: Verdict | None = None
    tally: DealTally = field(default_factory=DealTally)
    alarm: str = ""

    @property
    def place(self) -> Place:
        """Return where the person is."""
        return Place.LOBBY if self.table is None else Place.TABLE

    @property
    def shown_turn(self) -> int | None:
        """Return the turn whose question is shown; None when none is."""
        return self.table.ask.turn if self.table is not None and self.table.ask else None

    @property
    def is_asked(self) -> bool:
        """Tell whether a question is open for which no action is on its way."""
        return self.shown_turn is not None and self.acted != self.shown_turn

    @property
    def in_match(self) -> bool:
        """Tell whether the person has a seat in a match that is going on."""
        table = self.table
        return table is not None and table.seat is not None and table.view.state in IN_MATCH

    @property
    def keeps_seat(self) -> bool:
        """Tell whether the person ends without leaving the match, and can come back to it.

        Whoever is cut short has not given up the seat. Without encryption nobody is known again.
        """
        may_return = self.encrypted and not self.private
        return may_return and self.in_match and self.over in (None, ExitCode.INTERRUPTED)

    def say(self, *lines: str) -> None:
        """Show lines of text."""
        for line in lines:
            self.face.say(line)

    def send(self, request: Request) -> bool:
        """Send a request and remember it; says so and returns False when that cannot be."""
        try:
            number = self.link.send(request)
        except LinkDown:
            self.unsent = True
            self.say(_(NOT_SENT))
            return False
        except LinkEnded as ended:
            self.unsent = True
            self.say(news_sentence(ended.news))
            return False
        self.pending[number] = request
        return True

    def send_quietly(self, request: Request) -> None:
        """Send a request that the person knows nothing of, if it can be sent."""
        with suppress(LinkDown, LinkEnded):
            self.pending[self.link.send(request)] = request

    def act(self, action: Action) -> None:
        """Send an action for the turn that was shown when it was typed, and for no other."""
        table = self.table
        ask = table.ask if table is not None else None
        if table is None:
            return
        if ask is None:
            self.say(not_your_turn(table))
        elif self.acted == ask.turn:
            self.say(_("Your action is on its way."))
        elif self.typed_turn != ask.turn:
            self.say(_("That was typed before this turn was shown, so it does not count."))
        elif self.send(Act(0, table.id, ask.turn, action_message(action))):
            self.acted = ask.turn

    def forget_table(self) -> None:
        """Be at no table, with nothing unsettled there."""
        self.table = None
        self.acted = self.pass_asked = self.which_end = None
        self.inviting = self.sought = self.verdict = None
        self.leaving = False
