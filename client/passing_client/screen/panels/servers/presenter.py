"""Make the list of servers from what was found."""

from typing import TYPE_CHECKING

from passing_client.language import _
from passing_client.screen.panels.servers.model import ServerList, ServerRow
from passing_client.screen.scene import Scene
from passing_client.words.servers import place_of

if TYPE_CHECKING:
    from passing_link.finding import Found


def present(scene: Scene) -> ServerList:
    """Return the servers in their order; a choice that is past the last means the last."""
    found = scene.servers.found if scene.servers is not None else ()
    heads = ServerRow(_("name"), _("address"), _("tables"), _("free seats"), _("people"))
    rows = tuple(map(_row, found))
    return ServerList(heads, rows, max(0, min(scene.row, len(rows) - 1)))


def _row(found: "Found") -> ServerRow:
    here = found.answer
    counts = map(str, (here.tables, here.seats, here.people))
    return ServerRow(here.name, place_of(found.address), *counts)
