"""Make the passes and draws from the public view: all of it happened before everybody's eyes."""

from passing_client.language import _
from passing_client.model import Moment, TableModel, idle_moments
from passing_client.screen.panels.passes.model import Idle, Passes
from passing_client.words.people import people_of
from passing_protocol.views import Acted


def present(table: TableModel) -> Passes:
    """Return what every seat did in this round instead of playing, and at which ends."""
    people = people_of(table)
    deeds: dict[int, list[str]] = {seat: [] for seat in range(len(table.view.seats))}
    for moment in idle_moments(table.view):
        if isinstance(moment.event, Acted):
            deeds[moment.event.seat].append(_deed(moment.event, moment))
    seats = tuple(Idle(people.called(seat), tuple(done)) for seat, done in deeds.items())
    return Passes(_("passes and draws this round"), seats)


def _deed(acted: Acted, moment: Moment) -> str:
    """Return a pass or a draw, with the ends that lay open, before the first tile none."""
    ends = moment.before.ends
    if ends is None:
        return _("drew at the start") if acted.action.draw else _("passed at the start")
    text = _("drew at {left}/{right}") if acted.action.draw else _("passed at {left}/{right}")
    return text.format(left=ends[0], right=ends[1])
