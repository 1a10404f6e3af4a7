"""A text that is read over the page, with the table's turn and open ends still to be seen."""

from collections.abc import Iterator
from typing import Final

from passing_client.language import _
from passing_client.screen.cells import Line, line
from passing_client.screen.pages.foot import FOOT, framed
from passing_client.screen.pages.lobby import lobby_title
from passing_client.screen.pages.reading import heading, text_lines
from passing_client.screen.pages.stack import Block
from passing_client.screen.pages.waiting import table_title
from passing_client.screen.panels.message.presenter import turn_words
from passing_client.screen.parts import rule
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Overlay, Scene
from passing_protocol.views import TableState

_ABOVE: Final = 2


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return the part of the text that fits from the scroll on, where it is, and how to leave."""
    status = _table_line(scene)
    blocks = _blocks(scene, columns, rows)
    return framed(scene, blocks, columns, rows, status=status, cursor=(_ABOVE, 1))


def settled(scene: Scene, columns: int, rows: int) -> int:
    """Return the scroll as it is shown: not past the last line. `scene.scroll` may be."""
    if scene.overlay is None:
        return 0
    return _first(scene, text_lines(scene, scene.overlay, columns), rows)


def _first(scene: Scene, lines: list[Line], rows: int) -> int:
    return max(0, min(scene.scroll, len(lines) - _room(rows)))


def _room(rows: int) -> int:
    return rows - _ABOVE - FOOT


def _blocks(scene: Scene, cells: int, rows: int) -> Iterator[Block]:
    table = scene.desk.table
    yield Block(lobby_title(scene, cells) if table is None else table_title(scene, table, cells))
    if scene.overlay is not None:
        yield Block(_text(scene, scene.overlay, cells, rows))


def _text(scene: Scene, overlay: Overlay, cells: int, rows: int) -> list[Line]:
    """Return the rule with the position, and as much of the text as there is room for."""
    lines = text_lines(scene, overlay, cells)
    first = _first(scene, lines, rows)
    shown = [line(cells, each) for each in lines[first : first + _room(rows)]]
    place = _("{first} to {last} of {count}").format(
        first=first + 1, last=first + len(shown), count=len(lines)
    )
    return [rule(cells, scene.skin, heading(overlay), place), *shown]


def _table_line(scene: Scene) -> str:
    """Return the open ends of the table and whose turn it is; nothing where no round is on."""
    table = scene.desk.table
    if table is None or table.view.state is not TableState.PLAYING:
        return ""
    ends = table.view.ends
    parts = [turn_words(scene, table)]
    if ends is not None:
        parts.insert(0, _("open ends {left} and {right}").format(left=ends[0], right=ends[1]))
    return f" {scene.skin.dot} ".join(parts)
