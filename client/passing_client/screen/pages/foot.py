"""How a page is put together: its blocks, then what can be done, what is typed, and the keys."""

from collections.abc import Iterable
from typing import Final

from passing_client.screen.filters import is_writing
from passing_client.screen.pages.stack import Block, stacked
from passing_client.screen.panels.hints.presenter import present as present_hints
from passing_client.screen.panels.hints.view import cursor_column as hints_column
from passing_client.screen.panels.hints.view import draw as draw_hints
from passing_client.screen.panels.message.model import MessageModel
from passing_client.screen.panels.message.presenter import (
    alarm_words,
    labelled,
    leave_question,
    told_besides,
)
from passing_client.screen.panels.message.view import cursor_column as message_column
from passing_client.screen.panels.message.view import draw as draw_message
from passing_client.screen.panels.message.view import draw_said
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_client.words.links import lost_sentence

FOOT: Final = 3
"""So many lines a page has below its blocks."""

_SAID_LINES: Final = 4
"""The most lines of what was said last."""

_ALARM_LINES: Final = 4
"""The most lines of what is said of a server that has cheated, or is lost."""


def framed(
    scene: Scene,
    blocks: Iterable[Block],
    columns: int,
    rows: int,
    *,
    status: str,
    cursor: tuple[int, int] | None = None,
    is_logged: bool = False,
) -> Picture:
    """Return a page of its blocks, a line that says what can be done, one for typing, the keys.

    What was said last stands in the line for typing while nothing is typed, and above it what
    there is no room for; not again where the page shows the log. The cursor is where one types
    or on the key in focus, else as given, else on the status.
    """
    message, bar = _message(scene, status, is_logged=is_logged), present_hints(scene)
    said = draw_said(message, columns, _SAID_LINES)
    is_alarm = scene.desk.alarm or scene.desk.down
    told = draw_message(message, columns, _ALARM_LINES if is_alarm else 1)
    room = rows - FOOT - len(said) - len(told) + 2
    lines = [
        *stacked(blocks, columns, room),
        *told,
        *said,
        draw_hints(bar, columns, scene.skin),
    ]
    key = hints_column(bar, columns)
    if is_writing(scene):
        return Picture(lines, (rows - 2, message_column(message, columns)))
    if key is not None:
        return Picture(lines, (rows - 1, key))
    return Picture(lines, cursor or (room, 1))


def _message(scene: Scene, status: str, *, is_logged: bool) -> MessageModel:
    """Return the status and what is typed, or else what was said last."""
    label, typed = labelled(scene.typed)
    text, style = status, "prompt"
    if scene.desk.leaving:
        text, style = leave_question(scene), "warning"
    elif scene.desk.alarm and not typed:
        text, style = alarm_words(scene), "warning"
    elif typed and scene.flash:
        text = scene.flash
    elif scene.desk.down:
        text, style = lost_sentence(scene.lost), "warning"
    said = scene.flash or scene.notice or told_besides(scene)
    if is_logged and (said not in (scene.flash, scene.notice) or said in list(scene.log)[-3:]):
        said = ""
    return MessageModel("", text, text, style, label, typed, said if said != text else "")
