"""What the pages between rounds and matches share: the title, and who is waited for."""

from typing import Final

from passing_client.language import _, listing, plural
from passing_client.model import TableModel
from passing_client.screen.cells import Line
from passing_client.screen.filters import is_dealing
from passing_client.screen.panels.message.presenter import dealing_words
from passing_client.screen.panels.title.model import TitleModel
from passing_client.screen.panels.title.presenter import present
from passing_client.screen.panels.title.view import draw, draw_short
from passing_client.screen.scene import Scene
from passing_client.words.people import people_of
from passing_protocol.views import TableState

FULL: Final = 80
"""From so many columns on there is room for whole titles."""


def title(scene: Scene, model: TitleModel, cells: int) -> list[Line]:
    """Return the first line of a page."""
    return (draw if cells >= FULL else draw_short)(model, cells, scene.skin)


def table_title(scene: Scene, table: TableModel, cells: int) -> list[Line]:
    """Return the title for a table."""
    return title(scene, present(scene, table), cells)


def ready_words(scene: Scene, table: TableModel) -> str:
    """Return who is ready for the next round or another match, and what one can do about it."""
    seats = table.view.seats
    if table.view.state is TableState.CLOSED:
        return _("The table is closed.")
    if is_dealing(scene, table):
        return dealing_words()
    ready = sum(seat.ready for seat in seats)
    if table.seat is not None and not seats[table.seat].ready:
        return _for_next(table, ready)
    people = people_of(table)
    waits = [people.within(seat) for seat, info in enumerate(seats) if not info.ready]
    if not waits:
        return _("Everybody is ready.")
    text = _("Waiting for {names} ({ready} of {seats} ready).")
    if table.seat is not None:
        text = plural(
            "You are ready, and {names} is waited for ({ready} of {seats} ready).",
            "You are ready, and {names} are waited for ({ready} of {seats} ready).",
            len(waits),
        )
    return text.format(names=listing(waits), ready=ready, seats=len(seats))


def _for_next(table: TableModel, ready: int) -> str:
    """Return what Enter does for one who is not ready yet."""
    seats = len(table.view.seats)
    if table.view.state is TableState.OVER:
        text = _("Enter ready for another match ({ready} of {seats} ready)")
        return text.format(ready=ready, seats=seats)
    text = _("Enter ready for round {round} ({ready} of {seats} ready)")
    return text.format(round=table.view.round + 1, ready=ready, seats=seats)
