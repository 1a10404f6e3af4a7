"""Make the list of tables from what a server has told."""

from passing_client.language import _, mark, plural
from passing_client.screen.panels.tables.model import Holder, TableList, TableRow
from passing_client.screen.scene import Scene
from passing_client.screen.skin import Skin
from passing_protocol.messages import TableInfo
from passing_protocol.names import clean_name
from passing_protocol.views import SeatInfo, SeatState, TableState


def present(scene: Scene) -> TableList:
    """Return the tables in their order; a choice that is past the last means the last."""
    tables = scene.desk.tables
    heads = (_("table"), _("seats"), _("game"), _("state"))
    rows = tuple(_row(table, scene.skin) for table in tables)
    return TableList(heads, rows, max(0, min(scene.row, len(rows) - 1)))


def _row(table: TableInfo, skin: Skin) -> TableRow:
    held = [seat for seat in table.seats if seat.name is not None]
    free = sum(seat.state is SeatState.EMPTY for seat in table.seats)
    holders = tuple(map(_holder, held))
    if not free and all(seat.engine is not None for seat in held):
        holders = (Holder(_("bots only")),)
    return TableRow(clean_name(table.name), holders, free, _game(table, skin), _state(table, free))


def _holder(seat: SeatInfo) -> Holder:
    return Holder(clean_name(seat.name or ""), _("(bot)") if seat.engine is not None else "")


def _game(table: TableInfo, skin: Skin) -> str:
    """Return how many play to how many points; partnerships are two against two: `2+2`."""
    seats = "2+2" if table.game.partners else str(len(table.seats))
    return f"{seats} {skin.times} {table.game.target}"


_STATES = {
    TableState.STARTING: mark("starts soon"),
    TableState.OVER: mark("match over"),
    TableState.PAUSED: mark("paused"),
    TableState.CLOSED: mark("closed"),
}


def _state(table: TableInfo, free: int) -> str:
    """Return how many seats are free where that matters, or how far the match is."""
    if table.state is TableState.OPEN:
        return plural("{number} free", "{number} free", free).format(number=free)
    if table.state in _STATES:
        return _(_STATES[table.state])
    return _("round {number}").format(number=table.round)
