"""What the line at the top says of a table."""

from passing_client.language import _
from passing_client.model import TableModel
from passing_client.screen.acts import minutes
from passing_client.screen.filters import is_dealing
from passing_client.screen.panels.title.model import TitleModel
from passing_client.screen.scene import Scene
from passing_protocol.names import clean_name
from passing_protocol.views import PublicView, TableState


def present(scene: Scene, table: TableModel) -> TitleModel:
    """Return the line for a table."""
    view = table.view
    target = _("to {points}").format(points=view.game.target)
    watching = (_("watching"),) if table.seat is None else ()
    clock, shown = _clock(scene, table), table.has_match
    return TitleModel(
        game=_("Passing Game"),
        parts=(clean_name(view.name), *(_round(view) if shown else ()), target, *watching),
        right=(*(_boneyard(view) if shown else ()), *clock),
        short=(*(_short_round(view) if shown else ()), target, *watching),
        short_right=(*(_short_boneyard(view) if shown else ()), *clock),
    )


def _round(view: PublicView) -> tuple[str, ...]:
    return (_("round {number}").format(number=view.round),) if view.round else ()


def _short_round(view: PublicView) -> tuple[str, ...]:
    return (_("r{number}").format(number=view.round),) if view.round else ()


def _boneyard(view: PublicView) -> tuple[str, ...]:
    """Return the boneyard, with how much of it can still be drawn (R1.3)."""
    if not view.hands:
        return ()
    text = _("boneyard {tiles}, {drawable} to draw")
    return (text.format(tiles=view.boneyard, drawable=view.drawable),)


def _short_boneyard(view: PublicView) -> tuple[str, ...]:
    if not view.hands:
        return ()
    return (_("yard {tiles} ({drawable})").format(tiles=view.boneyard, drawable=view.drawable),)


def _clock(scene: Scene, table: TableModel) -> tuple[str, ...]:
    """Return the time left for one's own open question, or between rounds until the next."""
    if table.view.state is TableState.BETWEEN and scene.next_at is not None:
        if is_dealing(scene, table):
            return ()
        return (_("next {time}").format(time=minutes(scene.next_at - scene.now)),)
    if table.ask is None or scene.clock_at is None:
        return ()
    return (minutes(scene.clock_at - scene.now),)
