"""What a client's software finds out about the deals that it took part in."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """Name what became of the check of one deal.

    CHECKED: the deal follows from everybody's links, and the round was played with it. FAILED:
    the server has broken a rule of fair deals. UNCHECKED: this client cannot tell. REDONE: the
    deal became nothing before a tile was dealt, and another one follows.
    """

    CHECKED = "checked"
    FAILED = "failed"
    UNCHECKED = "unchecked"
    REDONE = "redone"


class Reason(StrEnum):
    """Name why a deal failed, was not checked, or was done again; stable codes."""

    # Failed, before anything is dealt.
    LIST_MALFORMED = "list_malformed"
    """A list of tips names a seat twice, or seats out of order."""
    LIST_TURNED_BACK = "list_turned_back"
    """The version of a list is not higher than that of the one before."""
    LIST_IN_DEAL = "list_in_deal"
    """A new list was offered while a deal was not over."""
    LIST_WITHOUT_OWN_TIP = "list_without_own_tip"
    """The list that was to be agreed to does not have this client's tip."""
    OTHER_LIST = "other_list"
    """Another list is used, or told to everybody, than this client agreed to."""
    SECOND_LINK = "second_link"
    """A link was asked for a deal whose link was given before, or an earlier one."""
    NO_SUCH_LINK = "no_such_link"
    """A link was asked for that the chain does not have."""

    # Failed, by what is revealed or by what is not.
    NOT_REVEALED = "not_revealed"
    """A deal is over, and its links were not shown."""
    REVEALED_EARLY = "revealed_early"
    """The links of a deal were shown while its round was played."""
    VOID_FOR_NOTHING = "void_for_nothing"
    """The deal was done again, and nobody was named whose link had not come."""
    ABSENT_TOO_OFTEN = "absent_too_often"
    """The link of the same player was missing a third time in a match."""
    OWN_LINK_MISSING = "own_link_missing"
    """What this client had given had come to the server, and its link is not in the deal."""
    LINKS_MISSING = "links_missing"
    """Links of others who are on the list are not among those that were shown."""
    WRONG_LINK = "wrong_link"
    """A link that was shown does not lead to the tip on the list."""

    OTHER_SEAT = "other_seat"
    """This client plays at another seat than the list that it agreed to has it at."""

    # Failed: the round was not played with the deal that the links give.
    OWN_HAND = "own_hand"
    OWN_DRAW = "own_draw"
    PLAYED = "played"
    """A tile was played that its player did not hold."""
    SHOWN_HANDS = "shown_hands"
    ENDING = "ending"
    RESULT = "result"
    """The winners, points or scores of a round are not those that the rules give."""
    LEADER = "leader"
    OTHER_GAME = "other_game"
    """The options of the game are not those that the table had."""
    HISTORY = "history"
    """The server tells the round otherwise than it has told it before."""

    # Not checked.
    NOT_FROM_START = "not_from_start"
    """The seat was somebody else's when the tiles were dealt."""
    NO_PART = "no_part"
    """This client did not contribute to the deal."""
    MISSED = "missed"
    """Messages about the deal did not arrive."""

    TOO_MANY = "too_many"
    """This client has its part at as many tables already as it can."""
    SESSION_GONE = "session_gone"
    """The session was forgotten while a link was out; failed, if once more before it was dealt."""

    # Done again.
    ABSENT = "absent"
    """The links of some seats did not come in time."""
    OWN_LINK_LATE = "own_link_late"
    """The server says that this client's link did not come in time; it may be so."""
    INTERRUPTED = "interrupted"
    """The server was stopped, or the match, before the deal was complete."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Tell what was found out about one deal.

    `deal` counts the deals of the match, `round` the rounds; 0 where there is none yet. `seats`
    are those that the reason is about. `reason` is None for a deal that was checked.
    """

    table: str
    match: str
    deal: int
    round: int
    outcome: Outcome
    reason: Reason | None = None
    seats: tuple[int, ...] = ()


class Verdicts:
    """Collect verdicts; what has failed is told once, until a deal is checked again."""

    def __init__(self) -> None:
        """Begin without any."""
        self._found: list[Verdict] = []
        self._alarms: dict[Reason | None, Verdict] = {}

    def add(self, verdict: Verdict) -> None:
        """Add what was found, unless it is the alarm that was told last for its reason."""
        if verdict.outcome is Outcome.CHECKED:
            self._alarms.clear()
        elif verdict.outcome is Outcome.FAILED:
            if self._alarms.get(verdict.reason) == verdict:
                return
            self._alarms[verdict.reason] = verdict
        self._found.append(verdict)

    def take(self) -> tuple[Verdict, ...]:
        """Return what was found since the last call."""
        found = tuple(self._found)
        self._found.clear()
        return found
