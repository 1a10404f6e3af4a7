"""The page of the servers that were found: which there are, and where else one can play."""

from collections.abc import Iterator
from typing import Final

from passing_client.language import _, plural
from passing_client.screen.acts import minutes
from passing_client.screen.cells import Line
from passing_client.screen.pages.foot import FOOT, framed
from passing_client.screen.pages.stack import Block
from passing_client.screen.pages.waiting import title
from passing_client.screen.panels.servers.model import ServerList
from passing_client.screen.panels.servers.presenter import present
from passing_client.screen.panels.servers.view import draw as draw_servers
from passing_client.screen.panels.servers.view import first_row
from passing_client.screen.panels.title.model import TitleModel
from passing_client.screen.parts import rule, sentence
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_client.server_board import ServerBoard
from passing_client.words.servers import nothing_found, server_line
from passing_link.address import DEFAULT_PORT

_ABOVE: Final = 2
"""The title and the rule."""
_AIRY: Final = 18
"""From so many rows on there is room for an empty line."""


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return the servers, the chosen one in words, and the keys; without one what to do."""
    board = scene.servers or ServerBoard()
    model = present(scene)
    below = _chosen(board, model, columns)
    room = rows - _ABOVE - FOOT - len(below) - (rows >= _AIRY)
    cursor = (_ABOVE + 1 + model.chosen - first_row(model, room), 1) if model.rows else None
    blocks = _blocks(scene, board, model, below, columns, room)
    return framed(scene, blocks, columns, rows, status=_status(model), cursor=cursor)


def _blocks(
    scene: Scene,
    board: ServerBoard,
    model: ServerList,
    below: list[Line],
    cells: int,
    room: int,
) -> Iterator[Block]:
    yield Block(_title(scene, model, cells))
    if model.rows:
        place = _("{number} of {count}").format(number=model.chosen + 1, count=len(model.rows))
        yield Block([rule(cells, scene.skin, _("servers"), place)])
        yield Block(draw_servers(model, cells, room, scene.skin))
    else:
        yield Block([rule(cells, scene.skin)])
        yield from _empty(scene, board, cells)
    yield Block(below, air=True)


def _title(scene: Scene, model: ServerList, cells: int) -> list[Line]:
    """Return what this is, how many there are, and for how long it has been looked."""
    number = len(model.rows)
    count = plural("{number} server", "{number} servers", number).format(number=number)
    time = "" if scene.starting_at is None else minutes(scene.now - scene.starting_at)
    where = (_("servers on this network"),)
    right = tuple(each for each in (count if number else "", time) if each)
    return title(scene, TitleModel(_("Passing Game"), where, right, where, right), cells)


def _status(model: ServerList) -> str:
    """Return what can be done."""
    if not model.rows:
        return _("n plays with engines, / goes to an address.")
    return _("Choose a server with Up and Down.")


def _chosen(board: ServerBoard, model: ServerList, cells: int) -> list[Line]:
    """Return the chosen server in words, as the list is too narrow for all of it."""
    return (
        sentence(server_line(board.found[model.chosen], board.joined), cells)[:3]
        if model.rows
        else []
    )


def _empty(scene: Scene, board: ServerBoard, cells: int) -> Iterator[Block]:
    """Yield that it is looked, and after a while what to do where there is none."""
    if not board.is_done:
        yield Block(sentence(scene.starting, cells, "title"), air=True)
        return
    first, *others = nothing_found((DEFAULT_PORT,))
    yield Block(sentence(first, cells, "title"), air=True)
    for rank, text in enumerate(others, 1):
        yield Block(sentence(text, cells), rank=rank, air=rank == 1)
    text = _("It is looked again every 2 seconds.")
    yield Block(sentence(text, cells, "note"), rank=len(others) + 1, air=True)
