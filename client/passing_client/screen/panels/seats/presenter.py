"""What is shown of the seats of a table, in playing order after oneself."""

from passing_client.language import _, mark, plural
from passing_client.model import TableModel
from passing_client.screen.acts import act_line, deed, minutes
from passing_client.screen.panels.seats.model import SeatRow, SeatsModel
from passing_client.screen.scene import Scene
from passing_client.words.people import people_of
from passing_protocol.views import SeatState, TableState

_WAITING = (TableState.OPEN, TableState.STARTING, TableState.BETWEEN, TableState.OVER)

_STATES = {
    SeatState.INVITED: mark("invited"),
    SeatState.SUBSTITUTE: mark("standing in"),
    SeatState.FORFEITED: mark("out"),
}


def present(scene: Scene, table: TableModel) -> SeatsModel:
    """Return the seats: those after one's own first, one's own last; a watcher's by number."""
    count = len(table.view.seats)
    after = 0 if table.seat is None else table.seat + 1
    order = [(after + step) % count for step in range(count)]
    return SeatsModel(tuple(_row(scene, table, seat) for seat in order), _lap(table))


def _row(scene: Scene, table: TableModel, seat: int) -> SeatRow:
    view = table.view
    tiles = view.hands[seat] if view.hands and table.has_match else None
    size = ""
    if tiles is not None:
        size = plural("{number} tile", "{number} tiles", tiles).format(number=f"{tiles:>2}")
    return SeatRow(
        name=people_of(table).called(seat),
        style=_style(table, seat),
        acts=view.state is TableState.PLAYING and view.to_act == seat,
        state=", ".join(_states(scene, table, seat)),
        tiles=tiles,
        size=size,
        score=_score(table, seat),
        last=_last(table, seat),
        short=people_of(table).within(seat),
        figures=_figures(table, seat),
    )


def _style(table: TableModel, seat: int) -> str:
    if seat == table.seat:
        return "you"
    if people_of(table).is_partner(seat):
        return "partner"
    return "away" if table.view.seats[seat].state is SeatState.AWAY else ""


def _states(scene: Scene, table: TableModel, seat: int) -> list[str]:
    """Return what is particular about a seat, the most important first."""
    info = table.view.seats[seat]
    states = [_("partner")] if people_of(table).is_partner(seat) else []
    if info.state is SeatState.AWAY and info.gone is not None:
        states.append(_("gone"))
    elif info.state is SeatState.AWAY:
        states.append(_away(scene, seat))
    elif info.state is SeatState.EMPTY:
        states.append(_("free"))
    elif info.state in _STATES:
        states.append(_(_STATES[info.state]))
    elif info.engine is not None:
        states.append(_("bot"))
    return states


def _away(scene: Scene, seat: int) -> str:
    since = scene.away_since.get(seat)
    if since is None:
        return _("away")
    return _("away {time}").format(time=minutes(scene.now - since))


def _score(table: TableModel, seat: int) -> str:
    """Return the points of a seat's side and the target; nothing before a match."""
    view = table.view
    if not view.round or not table.has_match:
        return ""
    side = people_of(table).side_of(seat)
    return f"{view.scores[side]}/{view.game.target}"


def _figures(table: TableModel, seat: int) -> str:
    view = table.view
    if not view.hands or not table.has_match:
        return _ready(table, seat)
    side = people_of(table).side_of(seat)
    text = _("{tiles}t {points}p")
    return text.format(tiles=view.hands[seat], points=view.scores[side])


def _last(table: TableModel, seat: int) -> str:
    """Return what a seat did last in this round, or between rounds whether it is ready."""
    if table.view.state in _WAITING:
        return _ready(table, seat)
    own = [acted for acted in table.view.actions if acted.seat == seat]
    return deed(table, own[-1]) if own else ""


def _ready(table: TableModel, seat: int) -> str:
    """Return whether a seat is ready; nothing of one where nobody is there to be."""
    info = table.view.seats[seat]
    if info.name is None or info.state is SeatState.AWAY:
        return ""
    return _("ready") if info.ready else _("not ready yet")


def _lap(table: TableModel) -> tuple[str, ...]:
    """Return the last action of everybody, the oldest first."""
    lap = table.view.actions[-len(table.view.seats) :]
    return tuple(act_line(table, acted) for acted in lap)
