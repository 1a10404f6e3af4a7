"""The page after a match: who has won and why, the final scores, and how the last round ended."""

from collections.abc import Iterator
from typing import Final

from passing_client.language import _, plural
from passing_client.model import Moment, TableModel
from passing_client.screen.cells import Line
from passing_client.screen.pages.ending import Size, told, train_block
from passing_client.screen.pages.foot import FOOT, framed
from passing_client.screen.pages.stack import Block
from passing_client.screen.pages.waiting import ready_words, table_title
from passing_client.screen.panels.message.presenter import over_words
from passing_client.screen.panels.points.presenter import present as present_points
from passing_client.screen.panels.points.view import draw as draw_points
from passing_client.screen.parts import rule, sentence
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_client.words.deals import tally_line, verdict_line
from passing_client.words.people import People
from passing_client.words.rounds import match_summary
from passing_protocol.events import MatchEnded, RoundEnded
from passing_protocol.verdicts import Outcome

_ABOVE: Final = 4
"""The title, the rule, the sentence and the heads of the hands."""


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return how the match ended, as much of it as there is room for, and who is ready."""
    table = scene.desk.table
    status = (over_words(scene, table) or ready_words(scene, table)) if table is not None else ""
    blocks = _blocks(scene, table, Size(columns, rows - FOOT))
    return framed(scene, blocks, columns, rows, status=status)


def _blocks(scene: Scene, table: TableModel | None, size: Size) -> Iterator[Block]:
    moment = table.match_end if table is not None else None
    if table is None or moment is None or not isinstance(moment.event, MatchEnded):
        return
    event, people, cells = moment.event, People(moment.after, table.seat), size.cells
    yield Block(table_title(scene, table, cells), rank=1)
    yield Block([rule(cells, scene.skin, _("MATCH OVER"))])
    yield Block(sentence(match_summary(event, people)[0], cells, "won"), air=True)
    yield Block(sentence(why, cells) if (why := _length(event, people)) else [], rank=1)
    yield Block(_deals(scene, table, cells), rank=2)
    bars = draw_points(present_points(people, event.scores, event.winner), cells, scene.skin)
    yield Block(bars, air=True)
    room = Size(cells, size.rows - _ABOVE - len(bars))
    yield from _last_round(scene, table, moment, room)


def _length(event: MatchEnded, people: People) -> str:
    """Return what else ended the match than the points (R5.3); mostly nothing."""
    if event.reason != "max_rounds":
        return ""
    number = people.view.round
    text = plural("It was played for {number} round.", "It was played for {number} rounds.", number)
    return text.format(number=number)


def _deals(scene: Scene, table: TableModel, cells: int) -> list[Line]:
    """Return what was found out about the last deal, and how many of the match were checked."""
    tally, verdict, view = scene.desk.tally, scene.desk.verdict, table.view
    if not tally.found or tally.match != view.match:
        return []
    style = "warning" if tally.count(Outcome.FAILED) else "note"
    is_last = verdict is not None and (verdict.match, verdict.round) == (view.match, view.round)
    last = [verdict_line(verdict, table)] if verdict is not None and is_last else []
    return sentence(" ".join([*last, tally_line(tally)]), cells, style)


def _last_round(scene: Scene, table: TableModel, over: Moment, size: Size) -> Iterator[Block]:
    """Yield how the last round ended, if the match did not end in the middle of one."""
    moment = table.round_end
    if moment is None or not isinstance(moment.event, RoundEnded):
        return
    event = moment.event
    if event.round != over.after.round:
        return
    parts = told(table, moment, event, size, scene.skin)
    yield Block([*parts.rule, *parts.heads, *parts.hands], rank=2, air=True)
    yield Block(parts.result, rank=3)
    yield train_block(table, event, size.cells, scene.skin)
