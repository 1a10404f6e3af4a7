"""What is shown of the train of a table."""

from msgspec import UNSET

from passing_client.language import _, plural
from passing_client.model import TableModel
from passing_client.screen.panels.train.model import Laid, TrainModel
from passing_protocol.views import PublicView, options_of
from passing_rules import Tile


def present(table: TableModel) -> TrainModel:
    """Return the train, its open ends, and how many passes in a row there are (R3.3)."""
    view = table.view
    number = len(view.train)
    size = plural("{number} tile", "{number} tiles", number).format(number=number)
    return TrainModel(
        tiles=laid_tiles(view),
        title=(_("train"), size, *_passes(view)),
        right=_ends(view, _("open ends {left} and {right}")),
        short_title=(_("train {number}").format(number=number), *_short_passes(view)),
        short_right=_ends(view, _("ends {left} {right}")),
        empty=_("No tile lies on the table yet."),
    )


def laid_tiles(view: PublicView) -> tuple[Laid, ...]:
    """Return the tiles of the train with their halves as they lie, from left to right."""
    if view.ends is None:
        return ()
    last = _last_played(view)
    laid: list[Laid] = []
    number = view.ends[0]
    for train_tile in view.train:
        tile = Tile.parse(train_tile.tile)
        far = tile.low + tile.high - number
        laid.append(Laid(number, far, new=train_tile.tile == last))
        number = far
    return tuple(laid)


def _last_played(view: PublicView) -> str | None:
    played = [act.action.play for act in view.actions if act.action.play is not UNSET]
    return played[-1] if played else None


def _ends(view: PublicView, text: str) -> str:
    if view.ends is None:
        return ""
    return text.format(left=view.ends[0], right=view.ends[1])


def _passes(view: PublicView) -> tuple[str, ...]:
    """Return the passes in a row and how many of them end the round, once there is one."""
    if not view.passes:
        return ()
    text = plural(
        "{number} pass in a row, {limit} end the round",
        "{number} passes in a row, {limit} end the round",
        view.passes,
    )
    return (text.format(number=view.passes, limit=_limit(view)),)


def _short_passes(view: PublicView) -> tuple[str, ...]:
    if not view.passes:
        return ()
    return (_("passes {number} of {limit}").format(number=view.passes, limit=_limit(view)),)


def _limit(view: PublicView) -> int:
    return len(view.seats) * options_of(view.game).pass_circles
