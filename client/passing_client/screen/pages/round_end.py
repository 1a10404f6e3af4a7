"""The page after a round: what everybody held, the sum, the scores and the final train."""

from collections.abc import Iterator

from passing_client.model import TableModel
from passing_client.screen.cells import Line
from passing_client.screen.pages.ending import Size, told, train_block
from passing_client.screen.pages.foot import FOOT, framed
from passing_client.screen.pages.stack import Block
from passing_client.screen.pages.waiting import ready_words, table_title
from passing_client.screen.panels.points.presenter import present as present_points
from passing_client.screen.panels.points.view import draw as draw_points
from passing_client.screen.parts import sentence
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_client.words.deals import verdict_line
from passing_client.words.people import People
from passing_protocol.events import RoundEnded
from passing_protocol.verdicts import Outcome


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return how the round ended, as much of it as there is room for, and who is ready."""
    table = scene.desk.table
    status = ready_words(scene, table) if table is not None else ""
    blocks = _blocks(scene, table, Size(columns, rows - FOOT))
    return framed(scene, blocks, columns, rows, status=status)


def _blocks(scene: Scene, table: TableModel | None, size: Size) -> Iterator[Block]:
    """Yield the pieces; the hands and the sum are there on the smallest screen."""
    moment = table.round_end if table is not None else None
    if table is None or moment is None or not isinstance(moment.event, RoundEnded):
        return
    event, cells, skin = moment.event, size.cells, scene.skin
    parts = told(table, moment, event, size, skin)
    yield Block(table_title(scene, table, cells), rank=2)
    yield Block(parts.rule)
    yield Block(parts.heads, rank=3, air=True)
    yield Block(parts.hands)
    yield Block(parts.result, rank=1, air=True)
    yield Block(_deal(scene, table, cells), rank=2)
    people = People(moment.after, table.seat)
    bars = draw_points(present_points(people, event.scores), cells, skin)
    yield Block(bars, rank=5, air=True)
    yield train_block(table, event, cells, skin)


def _deal(scene: Scene, table: TableModel, cells: int) -> list[Line]:
    """Return what was found out about the deal of this round, if anything was."""
    verdict = scene.desk.verdict
    if verdict is None or verdict.round != table.view.round:
        return []
    style = "warning" if verdict.outcome is Outcome.FAILED else "note"
    return sentence(verdict_line(verdict, table), cells, style)
