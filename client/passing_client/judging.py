"""What a person is told of the deals; that the server has cheated stays until it is read."""

from typing import Final

from passing_client.desk import Desk
from passing_client.vocabulary import wrong_place
from passing_client.words.deals import deal_lines, tally_line, verdict_line
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import TableState

_OF_OTHER_TABLES: Final = (Reason.SESSION_GONE, Reason.TOO_MANY)
"""Why a deal is not checked at a table that is not, or no longer, before the person."""


def hear_verdict(desk: Desk, verdict: Verdict) -> None:
    """Say what was found out about a deal; that the server has cheated stays until it is read."""
    table = desk.table
    is_here = table is not None and table.id == verdict.table
    line = verdict_line(verdict, table if is_here else None)
    if is_here:
        desk.verdict = verdict
    if verdict.outcome is Outcome.FAILED:
        desk.alarm = line
        desk.face.ring()
    if is_here or desk.alarm == line or verdict.reason in _OF_OTHER_TABLES:
        desk.say(line)
    if table is not None:
        desk.tally.note(verdict, table.view.match)
        tell_tally(desk)


def tell_tally(desk: Desk) -> None:
    """Say once how many deals were checked, when the match is over and the last of them judged.

    What is found out about a deal comes after the update that ends its round, and the match.
    """
    table, tally = desk.table, desk.tally
    if table is None or table.view.state is not TableState.OVER or tally.told:
        return
    if tally.knows(table.view.match, table.view.round):
        tally.told = True
        desk.say(tally_line(tally))


def tell_deals(desk: Desk, _text: str) -> None:
    """Say how the tiles are dealt and what was found out; an alarm has been read with that.

    An alarm outlives its table, as whoever is told not to play on leaves; so it is read anywhere.
    """
    alarm, desk.alarm = desk.alarm, ""
    table = desk.table
    if table is not None:
        lines = deal_lines(table, desk.verdict, desk.tally)
    else:
        lines = [] if alarm else [wrong_place("deal", desk.place)]
    desk.say(*lines, *([alarm] if alarm and alarm not in lines else []))
