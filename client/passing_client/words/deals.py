"""How the tiles are dealt, who takes part in that, and what was found out about it, in words."""

from typing import Final

from passing_client.deal_tally import DealTally
from passing_client.language import _, listing, mark, plural
from passing_client.model import TableModel
from passing_client.words.people import People, people_of
from passing_protocol.fair_deal import list_hash, table_code
from passing_protocol.follow import THERE
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import DealKind, PublicView, TableState, TipList

SERVER_DEALS: Final = mark("The server deals.")

DEALS: Final = {
    DealKind.FAIR: mark("The deal is checked when the round ends."),
    DealKind.SERVER: SERVER_DEALS,
    DealKind.SEEDED: mark("The deal comes from a seed."),
    DealKind.GIVEN: mark("The deal is given."),
}

_LIST: Final = mark("It did not keep to the list that you agreed to.")
_ASKED: Final = mark("It asked for a part that it must not have.")
_SHOWN: Final = mark("It did not show everybody's part when it had to.")
_WRONG: Final = mark("The parts that it shows are not those that were agreed to.")
_TWO_WAYS: Final = mark("It told what happened in two ways that cannot both be true.")
_TILES: Final = mark("The tiles were not those that follow from everybody's part.")

_FAILURES: Final[dict[Reason | None, str]] = {
    Reason.LIST_MALFORMED: _LIST,
    Reason.LIST_TURNED_BACK: _LIST,
    Reason.LIST_IN_DEAL: _LIST,
    Reason.LIST_WITHOUT_OWN_TIP: _LIST,
    Reason.OTHER_LIST: _LIST,
    Reason.SECOND_LINK: _ASKED,
    Reason.NO_SUCH_LINK: _ASKED,
    Reason.ABSENT_TOO_OFTEN: _SHOWN,
    Reason.NOT_REVEALED: _SHOWN,
    Reason.REVEALED_EARLY: _SHOWN,
    Reason.VOID_FOR_NOTHING: mark("It took a deal back although everybody's part was there."),
    Reason.OWN_LINK_MISSING: mark("Your part was sent, and it left that out."),
    Reason.LINKS_MISSING: _WRONG,
    Reason.WRONG_LINK: _WRONG,
    Reason.SESSION_GONE: mark("It forgot you once more when it knew the deal."),
    Reason.OTHER_SEAT: mark("It gave you the tiles of another seat than the one you agreed to."),
    Reason.OTHER_GAME: mark("It changed the options of the game."),
    Reason.HISTORY: _TWO_WAYS,
    Reason.RESULT: _TWO_WAYS,
}
"""Why a deal has failed; the rest are tiles that do not follow from the deal."""

_MISSED: Final = mark("This deal: not checked by you, as messages about it did not arrive.")
_UNCHECKED: Final[dict[Reason | None, str]] = {
    Reason.NOT_FROM_START: mark(
        "This deal: not checked by you, as you came in the middle of the round."
    ),
    Reason.SESSION_GONE: mark(
        "A deal: not checked by you, as the server forgot you in the middle of it."
    ),
    Reason.TOO_MANY: mark("Not checked by you, as the server shows you at too many tables."),
    Reason.NO_PART: mark("This deal: not checked by you, as your program had no part in it."),
    Reason.ABSENT_TOO_OFTEN: mark(
        "This deal: not checked by you, as too many deals were done again before it."
    ),
}


_WHY_NOT: Final[dict[Reason | None, str]] = {
    Reason.NOT_FROM_START: mark("you came in the middle of the round"),
    Reason.SESSION_GONE: mark("the server forgot you"),
    Reason.NO_PART: mark("your program had no part"),
    Reason.ABSENT_TOO_OFTEN: mark("too many deals were done again"),
}
_MESSAGES_MISSED: Final = mark("messages did not arrive")


def tally_line(tally: DealTally) -> str:
    """Return how many deals of a match were checked, and how many were not and why."""
    number = tally.count(Outcome.CHECKED)
    parts = [plural("{number} checked", "{number} checked", number).format(number=number)]
    reasons = tally.unchecked()
    if number := reasons.total():
        whys = dict.fromkeys(_(_WHY_NOT.get(reason, _MESSAGES_MISSED)) for reason in reasons)
        text = plural("{number} not checked ({why})", "{number} not checked ({why})", number)
        parts.append(text.format(number=number, why=", ".join(whys)))
    if number := tally.count(Outcome.FAILED):
        parts.append(plural("{number} unfair", "{number} unfair", number).format(number=number))
    return _("Deals of this match: {parts}.").format(parts=", ".join(parts))


def verdict_line(verdict: Verdict, table: TableModel | None) -> str:
    """Return what was found out about a deal, as it is told at once."""
    match verdict.outcome:
        case Outcome.CHECKED:
            return _("Deal checked.")
        case Outcome.UNCHECKED:
            return _(_UNCHECKED.get(verdict.reason, _MISSED))
        case Outcome.REDONE:
            return _done_again(verdict, table)
        case Outcome.FAILED:
            return _failed(verdict)


def _failed(verdict: Verdict) -> str:
    """Return that the server has cheated, and what to do: its first word begins nothing else."""
    text = _(
        "UNFAIR: deal {number} of this match breaks the rules of fair deals. {why} "
        "Do not play on here."
    )
    return text.format(number=verdict.deal, why=_(_FAILURES.get(verdict.reason, _TILES)))


def _done_again(verdict: Verdict, table: TableModel | None) -> str:
    if verdict.reason is Reason.OWN_LINK_LATE:
        return _("Deal done again: the server says that your program's part came too late.")
    if verdict.reason is Reason.INTERRUPTED or table is None:
        return _("Deal done again: it was interrupted.")
    people, seats = people_of(table), range(len(table.view.seats))
    names = listing([people.within(seat) for seat in verdict.seats if seat in seats])
    return _("Deal done again because of {names}.").format(names=names)


def tips_lines(match: str, tips: TipList, people: People) -> list[str]:
    """Return the table code, and who takes no part in the deals; where nobody does, say that."""
    if not tips.seats:
        return [_(SERVER_DEALS), *_without_part(tips, people)]
    code = table_code(list_hash(match, tips))
    text = _("Table code {code}. Who has the same has the same deal; compare it aloud.")
    return [text.format(code=code), *_without_part(tips, people)]


def _without_part(tips: TipList, people: People) -> list[str]:
    """Return who plays here and takes no part in the deals, if anybody."""
    part = {entry.seat for entry in tips.seats}
    seats = enumerate(people.view.seats)
    others = [seat for seat, info in seats if seat not in part and info.state in THERE]
    names = listing([people.within(seat) for seat in others])
    return [_("No part in the deals: {names}.").format(names=names)] if others else []


def deal_lines(table: TableModel, verdict: Verdict | None, tally: DealTally) -> list[str]:
    """Return how the tiles are dealt here, and what was found out about the last deal.

    When the match is over nothing is checked any more, and it is told how many deals were.
    """
    view = table.view
    is_over = view.state is TableState.OVER
    server_alone = view.tips is not None and not view.tips.seats
    lines = [] if server_alone or (is_over and view.deal is DealKind.FAIR) else [_how(view)]
    if view.tips is not None:
        lines += tips_lines(view.match, view.tips, people_of(table))
    if verdict is not None and verdict.match == view.match:
        lines.append(_of_round(verdict, table))
    if is_over and tally.found and tally.match == view.match:
        lines.append(tally_line(tally))
    return lines


def _how(view: PublicView) -> str:
    """Return how the tiles are dealt, of a fair deal with its round."""
    if view.deal is not DealKind.FAIR:
        return _(DEALS[view.deal])
    if view.state in (TableState.PLAYING, TableState.PAUSED):
        return f"{_round(view.round)} {_(DEALS[view.deal])}"
    return _("Each deal is checked when its round ends.")


def _of_round(verdict: Verdict, table: TableModel) -> str:
    """Return what was found out about a deal and of which round it is, or that it is unfair."""
    line = verdict_line(verdict, table)
    return line if verdict.outcome is Outcome.FAILED else f"{_round(verdict.round)} {line}"


def _round(number: int) -> str:
    return _("Round {number}.").format(number=number)
