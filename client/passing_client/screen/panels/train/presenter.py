"""What is shown of the train of a table."""

from msgspec import UNSET

from passing_client.language import _, plural
from passing_client.model import TableModel, halves, passes_that_end
from passing_client.screen.panels.train.model import Laid, TrainModel
from passing_protocol.fair_deal import list_hash, table_code
from passing_protocol.views import PublicView


def present(table: TableModel) -> TrainModel:
    """Return the train, its open ends, and how many passes in a row there are (R3.3)."""
    view = table.view
    number = len(view.train)
    size = plural("{number} tile", "{number} tiles", number).format(number=number)
    return TrainModel(
        tiles=laid_tiles(view),
        title=(_("train"), size, *_passes(view)),
        right=_ends(view, _("open ends {left} and {right}")) or _code(view),
        short_title=(_("train {number}").format(number=number), *_short_passes(view)),
        short_right=_ends(view, _("ends {left} {right}")) or _code(view),
        empty=_("No tile lies on the table yet."),
    )


def laid_tiles(view: PublicView) -> tuple[Laid, ...]:
    """Return the tiles of the train with their halves as they lie, from left to right."""
    last = _last_played(view)
    lying = zip(view.train, halves(view), strict=True)
    return tuple(Laid(left, right, new=laid.tile == last) for laid, (left, right) in lying)


def _last_played(view: PublicView) -> str | None:
    played = [act.action.play for act in view.actions if act.action.play is not UNSET]
    return played[-1] if played else None


def _ends(view: PublicView, text: str) -> str:
    if view.ends is None:
        return ""
    return text.format(left=view.ends[0], right=view.ends[1])


def _code(view: PublicView) -> str:
    """Return the table code while nothing lies on the table; empty where nobody has a part."""
    if view.tips is None or not view.tips.seats or view.train:
        return ""
    return _("table code {code}").format(code=table_code(list_hash(view.match, view.tips)))


def _passes(view: PublicView) -> tuple[str, ...]:
    """Return the passes in a row and how many of them end the round, once there is one."""
    if not view.passes:
        return ()
    text = plural(
        "{number} pass in a row, {limit} end the round",
        "{number} passes in a row, {limit} end the round",
        view.passes,
    )
    return (text.format(number=view.passes, limit=passes_that_end(view)),)


def _short_passes(view: PublicView) -> tuple[str, ...]:
    if not view.passes:
        return ()
    text = _("passes {number} of {limit}")
    return (text.format(number=view.passes, limit=passes_that_end(view)),)
