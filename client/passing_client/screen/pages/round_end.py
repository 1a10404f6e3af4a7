"""The page after a round: what everybody held, the sum, the scores and the final train."""

from collections.abc import Iterator

from passing_client.model import TableModel
from passing_client.screen.pages.ending import told, train_block
from passing_client.screen.pages.foot import framed
from passing_client.screen.pages.stack import Block
from passing_client.screen.pages.waiting import ready_words, table_title
from passing_client.screen.panels.points.presenter import present as present_points
from passing_client.screen.panels.points.view import draw as draw_points
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_client.words.looks import people_of
from passing_protocol.events import RoundEnded


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return how the round ended, as much of it as there is room for, and who is ready."""
    table = scene.desk.table
    status = ready_words(table) if table is not None else ""
    return framed(scene, _blocks(scene, table, columns), columns, rows, status=status)


def _blocks(scene: Scene, table: TableModel | None, cells: int) -> Iterator[Block]:
    moment = table.round_end if table is not None else None
    if table is None or moment is None or not isinstance(moment.event, RoundEnded):
        return
    event, people = moment.event, people_of(table)
    yield Block(table_title(scene, table, cells))
    parts = told(event, moment, table.seat, cells, scene.skin)
    yield Block(parts.rule)
    yield Block(parts.hands, air=True)
    yield Block(parts.result, rank=1, air=True)
    bars = draw_points(present_points(people, event.scores), cells, scene.skin)
    yield Block(bars, rank=5, air=True)
    yield train_block(table, event, cells, scene.skin)
