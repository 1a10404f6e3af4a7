"""What somebody did on a turn, in the fewest words: `5-6 left`, `passed`, `drew`."""

from msgspec import UNSET

from passing_client.language import _
from passing_client.model import TableModel
from passing_client.words.basics import tile_words
from passing_client.words.people import people_of
from passing_protocol.follow import THERE
from passing_protocol.views import Acted
from passing_rules import Tile


def act_line(table: TableModel, acted: Acted) -> str:
    """Return who did what."""
    who = people_of(table).within(acted.seat)
    return _("{who}: {deed}").format(who=who, deed=deed(table, acted))


def deed(table: TableModel, acted: Acted) -> str:
    """Return what was done; one's own last draw names the tile, as nobody else is told it."""
    action = acted.action
    if action.draw:
        return _drew(table, acted)
    if action.play is UNSET:
        there = table.view.seats[acted.seat].state in THERE
        return _("out of time") if acted.timed_out and there else _("passed")
    tile = tile_words(Tile.parse(action.play))
    if action.end is UNSET:
        return _("{tile} first").format(tile=tile)
    at = _("{tile} left") if action.end == "left" else _("{tile} right")
    return at.format(tile=tile)


def _drew(table: TableModel, acted: Acted) -> str:
    mine = table.mine
    own = [past for past in table.view.actions if past.seat == table.seat]
    if mine is None or mine.drew is None or not own or own[-1] != acted:
        return _("drew")
    return _("drew {tile}").format(tile=tile_words(Tile.parse(mine.drew)))


def minutes(milliseconds: int) -> str:
    """Return a time as minutes and seconds; one that is over is 0:00.

    >>> minutes(83_000)
    '1:23'
    """
    seconds = max(0, milliseconds) // 1000
    return f"{seconds // 60}:{seconds % 60:02}"
