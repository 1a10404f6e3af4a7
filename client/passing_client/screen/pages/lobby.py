"""The page of a server's tables: which there are, who sits there, and what to do next."""

from collections.abc import Iterator
from typing import Final

from passing_client.language import _, listing, plural
from passing_client.screen.cells import Line, line
from passing_client.screen.pages.foot import FOOT, framed
from passing_client.screen.pages.stack import Block
from passing_client.screen.pages.waiting import title
from passing_client.screen.panels.tables.model import TableList
from passing_client.screen.panels.tables.presenter import present
from passing_client.screen.panels.tables.view import draw as draw_tables
from passing_client.screen.panels.tables.view import first_row
from passing_client.screen.panels.title.model import TitleModel
from passing_client.screen.parts import rule, sentence
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_client.words.lobby import come_here, open_to_all, role_lines, table_line
from passing_protocol.names import clean_name

_ABOVE: Final = 2
"""The title and the rule."""
_AIRY: Final = 18
"""From so many rows on there is room for an empty line."""


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return the tables, the chosen one in words, the engines that wait, and the keys."""
    model = present(scene)
    warned = _warning(scene, columns)
    chosen = _chosen(scene, model, columns) if rows >= _AIRY or not warned else []
    below = [*chosen, *_engines(scene, columns)]
    room = rows - _ABOVE - FOOT - len(warned) - len(below) - (rows >= _AIRY)
    cursor = (
        (_ABOVE + len(warned) + 1 + model.chosen - first_row(model, room), 1)
        if model.rows
        else None
    )
    blocks = _blocks(scene, model, below, columns, room)
    return framed(scene, blocks, columns, rows, status=_status(scene, model), cursor=cursor)


def _blocks(
    scene: Scene, model: TableList, below: list[Line], cells: int, room: int
) -> Iterator[Block]:
    yield Block(lobby_title(scene, cells))
    yield Block(_warning(scene, cells))
    if model.rows:
        place = _("{number} of {count}").format(number=model.chosen + 1, count=len(model.rows))
        yield Block([rule(cells, scene.skin, _("tables"), place)])
        yield Block(draw_tables(model, cells, room, scene.skin))
    else:
        yield Block([rule(cells, scene.skin)])
        yield from _empty(scene, cells)
    yield Block(below, air=True)


def _warning(scene: Scene, cells: int) -> list[Line]:
    """Return that the server encrypts nothing, where that matters."""
    return sentence(open_to_all(), cells, "warning") if scene.desk.open_to_all else []


def _status(scene: Scene, model: TableList) -> str:
    """Return what can be done."""
    if not model.rows:
        return "" if role_lines(scene.desk.role) else _("n makes a table.")
    return _("Choose a table with Up and Down.")


def lobby_title(scene: Scene, cells: int) -> list[Line]:
    """Return whose tables these are, and how many."""
    number = len(scene.desk.tables)
    count = plural("{number} table", "{number} tables", number).format(number=number)
    where = _("tables at {server}").format(server=scene.server) if scene.server else _("tables")
    right = (count,) if number else ()
    return title(scene, TitleModel(_("Passing Game"), (where,), right, (where,), right), cells)


def _empty(scene: Scene, cells: int) -> Iterator[Block]:
    """Yield what to do at a server without tables."""
    yield Block(sentence(_("There is no table yet."), cells, "title"), air=True)
    make = _("Press n to make one; there b adds an engine, and others can sit down.")
    for told in role_lines(scene.desk.role) or [make]:
        yield Block(sentence(told, cells), rank=1)
    if scene.server:
        come = come_here(scene.server, encrypted=scene.desk.encrypted)
        yield Block(sentence(come, cells), rank=2, air=True)
    wrong = _("Did you expect tables here? They may be at another server; see: passing find")
    yield Block(sentence(wrong, cells, "note"), rank=3, air=True)


def _chosen(scene: Scene, model: TableList, cells: int) -> list[Line]:
    """Return the chosen table in words, as the list is too narrow for all of it."""
    if not model.rows:
        return []
    return sentence(table_line(scene.desk.tables[model.chosen]), cells)[:3]


def _engines(scene: Scene, cells: int) -> list[Line]:
    """Return the engines that can be invited, in one line."""
    names = [clean_name(engine.name) for engine in scene.desk.engines]
    if not names:
        return [line(cells, [("note", f"   {_('No engine is waiting.')}")])]
    text = _("Engines waiting: {names}").format(names=listing(names))
    return [line(cells, [("note", f"   {text}")])]
