"""The page of a table before its match: who sits there, what is played, what to press."""

from collections.abc import Iterator
from typing import Final

from passing_client.language import _
from passing_client.model import TableModel
from passing_client.screen.pages.foot import FOOT, framed
from passing_client.screen.pages.stack import Block
from passing_client.screen.pages.waiting import table_title
from passing_client.screen.panels.message.presenter import waiting_words
from passing_client.screen.panels.seats.presenter import present as present_seats
from passing_client.screen.panels.seats.view import draw as draw_seats
from passing_client.screen.panels.side.presenter import present as present_said
from passing_client.screen.panels.side.view import draw as draw_said
from passing_client.screen.parts import rule, sentence
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_client.words.arrivals import another_line
from passing_client.words.lobby import come_here
from passing_client.words.looks import options_line
from passing_client.words.people import people_of
from passing_protocol.names import clean_name
from passing_protocol.views import TableState

_SAID_ROWS: Final = 3
"""What was said is shown where there are so many rows for it."""


def draw(scene: Scene, table: TableModel, columns: int, rows: int) -> Picture:
    """Return the seats with who is ready, the game that is played, and what was said."""
    blocks = list(_blocks(scene, table, columns))
    room = rows - FOOT - sum(len(block.lines) + block.air for block in blocks)
    is_logged = room > _SAID_ROWS
    if is_logged:
        blocks.append(
            Block(draw_said(present_said(scene), columns, room - 1, scene.skin), 9, air=True)
        )
    status = waiting_words(scene, table)
    return framed(scene, blocks, columns, rows, status=status, is_logged=is_logged)


def _blocks(scene: Scene, table: TableModel, cells: int) -> Iterator[Block]:
    yield Block(table_title(scene, table, cells))
    yield Block(draw_seats(present_seats(scene, table), cells, scene.skin))
    yield Block([rule(cells, scene.skin, clean_name(table.view.name))], 1)
    yield Block(sentence(options_line(table.view), cells), 3)
    yield Block(sentence(_owner(table), cells), 2)
    if not scene.desk.private:
        come = come_here(scene.server, encrypted=scene.desk.encrypted)
        yield Block(sentence(come, cells), 4)


def _owner(table: TableModel) -> str:
    """Return who begins the match."""
    owner = table.view.owner
    if table.view.state is TableState.OVER:
        return another_line()
    if owner is None:
        return _("The match begins once every seat is filled.")
    if owner == table.seat:
        return _("You own the table: you can add engines, and you begin the match.")
    return _("{name} owns the table and begins the match.").format(
        name=people_of(table).name(owner)
    )
