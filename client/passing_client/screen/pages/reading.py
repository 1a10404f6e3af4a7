"""The texts that are read over a page, as lines of the screen."""

from collections.abc import Iterable

from passing_client.language import _
from passing_client.model import TableModel
from passing_client.screen.cells import Line
from passing_client.screen.memory import may_see_memory
from passing_client.screen.panels.help.presenter import present as present_help
from passing_client.screen.panels.help.view import draw as draw_help
from passing_client.screen.panels.passes.presenter import present as present_passes
from passing_client.screen.panels.passes.view import draw_whole as draw_passes
from passing_client.screen.panels.points.presenter import present as present_points
from passing_client.screen.panels.points.view import draw as draw_points
from passing_client.screen.panels.unseen.presenter import present as present_unseen
from passing_client.screen.panels.unseen.view import draw as draw_unseen
from passing_client.screen.parts import blank, wrapped
from passing_client.screen.scene import Overlay, Scene
from passing_client.words.looks import options_line, seat_lines
from passing_client.words.people import people_of


def heading(overlay: Overlay) -> str:
    """Return what a text is, for the rule above it."""
    match overlay:
        case Overlay.HELP:
            return _("keys and commands")
        case Overlay.LOG:
            return _("log")
        case Overlay.SCORES:
            return _("scores")
        case Overlay.PASSES:
            return _("passes and draws this round")
        case Overlay.ANSWER:
            return _("answer")


def text_lines(scene: Scene, overlay: Overlay, cells: int) -> list[Line]:
    """Return the whole text of an overlay; at least one line, each of at most so many cells."""
    table = scene.desk.table
    match overlay:
        case Overlay.HELP:
            lines = draw_help(present_help(scene.desk), cells)
        case Overlay.LOG:
            lines = _text(scene.log, cells)
        case Overlay.SCORES:
            lines = _scores(scene, table, cells) if table is not None else []
        case Overlay.PASSES:
            lines = _passes(scene, table, cells) if table is not None else []
        case Overlay.ANSWER:
            lines = _text(scene.answer, cells)
    return lines or _text([_("There is nothing here yet.")], cells)


def _text(texts: Iterable[str], cells: int) -> list[Line]:
    """Return texts in as many lines as they need; only those that are shown are filled up."""
    return [[("", row)] for text in texts for row in wrapped(f"   {text}", cells - 1, "      ")]


def _scores(scene: Scene, table: TableModel, cells: int) -> list[Line]:
    """Return the scores as bars, who has them with whole names, and what is played."""
    bars = draw_points(present_points(people_of(table), table.view.scores), cells, scene.skin)
    seats = _text([text.strip() for text in seat_lines(table)], cells)
    options = _text([options_line(table.view)], cells)
    return [*bars, blank(cells), *seats, blank(cells), *options]


def _passes(scene: Scene, table: TableModel, cells: int) -> list[Line]:
    """Return the passes and draws, and for those who may see it what is still out."""
    lines = draw_passes(present_passes(table), cells)
    if may_see_memory(scene):
        lines += [
            blank(cells),
            *draw_unseen(present_unseen(table.view, table.hand), cells, scene.skin),
        ]
    return lines
