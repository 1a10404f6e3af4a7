"""The page of a table: who sits there, the train, one's own hand, and what can be done.

Bands lie one upon the other, each as wide as the screen. Where it is small, everything takes
fewer lines; where it is large, what was said stands below the train or beside it.
"""

from dataclasses import dataclass
from typing import Final

from passing_client.model import TableModel
from passing_client.screen.cells import Line
from passing_client.screen.memory import may_see_memory
from passing_client.screen.pages import waiting_room
from passing_client.screen.panels.hand import presenter as hand_presenter
from passing_client.screen.panels.hand import view as hand_view
from passing_client.screen.panels.hand.model import HandModel
from passing_client.screen.panels.hints import presenter as hints_presenter
from passing_client.screen.panels.hints import view as hints_view
from passing_client.screen.panels.hints.model import HintsModel
from passing_client.screen.panels.log import presenter as log_presenter
from passing_client.screen.panels.log import view as log_view
from passing_client.screen.panels.message import presenter as message_presenter
from passing_client.screen.panels.message import view as message_view
from passing_client.screen.panels.message.model import MessageModel
from passing_client.screen.panels.passes import presenter as passes_presenter
from passing_client.screen.panels.passes import view as passes_view
from passing_client.screen.panels.seats import presenter as seats_presenter
from passing_client.screen.panels.seats import view as seats_view
from passing_client.screen.panels.seats.model import SeatsModel
from passing_client.screen.panels.side import presenter as side_presenter
from passing_client.screen.panels.side import view as side_view
from passing_client.screen.panels.title import presenter as title_presenter
from passing_client.screen.panels.title import view as title_view
from passing_client.screen.panels.title.model import TitleModel
from passing_client.screen.panels.train import presenter as train_presenter
from passing_client.screen.panels.train import view as train_view
from passing_client.screen.panels.train.model import TrainModel
from passing_client.screen.panels.unseen import presenter as unseen_presenter
from passing_client.screen.panels.unseen import view as unseen_view
from passing_client.screen.parts import filled
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Focus, Scene

_FULL: Final = (80, 24)
_WIDE: Final = (100, 30)
"""Columns and rows from which on there is room for all lines, and for what was said too."""

_BESIDE: Final = 140
"""So many columns let what was said stand beside the train, not below it."""

_SAID_COLUMNS: Final = 40
"""The least columns of what was said beside the train."""

_TABLE_COLUMNS: Final = 122
"""The most columns of the table then; the longest train lies in one row of so many."""

_LOG_ROWS: Final = 12
"""The most rows of what happened in the round, above the hand."""

_SAID_ROWS: Final = 4
"""Below the train it takes so many rows at least."""


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return the page of the table that one is at."""
    table = scene.desk.table
    if table is None:
        return Picture(filled([], columns, rows))
    if not table.has_match:
        return waiting_room.draw(scene, table, columns, rows)
    page = _presented(scene, table)
    fits = columns >= _FULL[0] and rows >= _FULL[1]
    return _full(scene, page, columns, rows) if fits else _compact(scene, page, columns, rows)


@dataclass(frozen=True, slots=True)
class _Page:
    """Hold the models of all panels; `hand` is None for a watcher."""

    title: TitleModel
    seats: SeatsModel
    train: TrainModel
    hand: HandModel | None
    message: MessageModel
    hints: HintsModel
    table: TableModel


def _presented(scene: Scene, table: TableModel) -> _Page:
    return _Page(
        title_presenter.present(scene, table),
        seats_presenter.present(scene, table),
        train_presenter.present(table),
        hand_presenter.present(scene, table) if table.seat is not None else None,
        message_presenter.present(scene, table),
        hints_presenter.present(scene),
        table,
    )


# --- from 80x24 on -----------------------------------------------------------------------------


def _full(scene: Scene, page: _Page, columns: int, rows: int) -> Picture:
    """Return the page with every panel."""
    skin = scene.skin
    cells = _inner_columns(columns, rows)
    seats = seats_view.draw(page.seats, cells, skin)
    hand: list[Line] = []
    if page.hand is not None:
        hand = [
            hand_view.draw_rule(page.hand, cells, skin),
            *hand_view.draw(page.hand, cells, skin),
        ]
    room = rows - 1 - len(seats) - 1 - len(hand) - 3
    train, memory = _train_and_memory(scene, page, cells, room)
    room -= len(train) + len(memory)
    message = message_view.draw(page.message, cells, 1 + room)
    room -= len(message) - 1
    typing = message_view.draw_said(page.message, cells, 1 + room)
    room -= len(typing) - 1
    if cells == columns and _is_wide(columns, rows) and room >= _SAID_ROWS:
        between = side_view.draw(side_presenter.present(scene), cells, room, skin)
    else:
        between = _log(page, cells, room)
    ends = train_view.draw_rule(page.train, cells, skin)
    above = [*seats, ends, *train, *memory, *between]
    column = filled([*above, *hand, *message, *typing], cells, rows - 2)
    if cells < columns:
        column = _beside(scene, column, columns - cells)
    title = title_view.draw(page.title, columns, skin)
    lines = [*title, *column, hints_view.draw(page.hints, columns, skin)]
    place = hand_view.place_of_chosen(page.hand, cells) if page.hand is not None else None
    chosen = (1 + len(above) + 1 + place[0], place[1]) if place is not None else None
    typed_at = len(above) + len(hand) + len(message) + len(typing)
    key = _key_at(page, rows - 1, columns)
    return Picture(lines, key or _typing_at(scene, page, typed_at, cells, chosen))


def _train_and_memory(
    scene: Scene, page: _Page, cells: int, room: int
) -> tuple[list[Line], list[Line]]:
    """Return the train, and the memory of the round for those who may see it, if that fits.

    A watcher, who has no hand before them, rather sees it than the train in boxes.
    """
    for memory in _memories(scene, page, cells):
        left = room - len(memory)
        train = train_view.draw(page.train, cells, left, scene.skin)
        is_boxed = len(train) >= train_view.BAND
        if len(train) <= left and (is_boxed or page.hand is None):
            return train, memory
    return train_view.draw(page.train, cells, room, scene.skin), []


def _memories(scene: Scene, page: _Page, cells: int) -> list[list[Line]]:
    """Return how the memory of the round may be shown, the fullest first; none if it may not."""
    if not may_see_memory(scene):
        return []
    passes = passes_view.draw(passes_presenter.present(page.table), cells, scene.skin)
    known = unseen_presenter.present(page.table.view, page.table.hand)
    unseen = unseen_view.draw(known, cells, scene.skin)
    return [[*passes, *unseen], passes]


def _is_wide(columns: int, rows: int) -> bool:
    return columns >= _WIDE[0] and rows >= _WIDE[1]


def _inner_columns(columns: int, rows: int) -> int:
    """Return how many columns are left beside what was said; all where that stands below."""
    if not _is_wide(columns, rows) or columns < _BESIDE:
        return columns
    return min(columns - _SAID_COLUMNS, _TABLE_COLUMNS)


def _beside(scene: Scene, body: list[Line], cells: int) -> list[Line]:
    """Put what was said beside lines, behind a line down the screen."""
    said = side_view.draw(side_presenter.present(scene), cells - 1, len(body), scene.skin)
    bar = ("rule", scene.skin.vertical)
    return [[*left, bar, *right] for left, right in zip(body, said, strict=True)]


# --- smaller -----------------------------------------------------------------------------------


def _compact(scene: Scene, page: _Page, columns: int, rows: int) -> Picture:
    """Return the page in as few lines as it can have; what is left over goes to the log."""
    skin = scene.skin
    top = [
        *title_view.draw_short(page.title, columns, skin),
        *seats_view.draw_short(page.seats, columns, skin),
    ]
    train = [
        train_view.draw_short_rule(page.train, columns, skin),
        *train_view.draw_flat(page.train, columns, skin),
    ]
    hand = []
    if page.hand is not None:
        hand = [
            hand_view.draw_short_rule(page.hand, columns, skin),
            *hand_view.draw_flat(page.hand, columns, skin),
        ]
    room = rows - len(top) - len(train) - len(hand) - 2
    has_keys = room > 1
    room -= has_keys
    message = message_view.draw_short(page.message, columns, 1 + room)
    room -= len(message) - 1
    typing = message_view.draw_said(page.message, columns, 1 + room)
    room -= len(typing) - 1
    if room > 0:
        top += seats_view.draw_lap(page.seats, columns)
        room -= 1
    if not has_keys and scene.focus is Focus.KEYS:
        message = [hints_view.draw(page.hints, columns, skin)]
    nothing: list[Line] = []
    memory = next((m for m in _memories(scene, page, columns) if len(m) <= room), nothing)
    above = [*top, *train, *memory, *_log(page, columns, room - len(memory))]
    place = hand_view.place_of_chosen(page.hand, columns, flat=True) if page.hand else None
    chosen = (len(above) + 1 + place[0], place[1]) if place is not None else None
    lines = filled([*above, *hand, *message, *typing], columns, rows - has_keys)
    if has_keys:
        lines.append(hints_view.draw(page.hints, columns, skin))
    typed_at = len(above) + len(hand) + len(message) + len(typing) - 1
    key = _key_at(page, rows - 1 if has_keys else typed_at - 1, columns)
    return Picture(lines, key or _typing_at(scene, page, typed_at, columns, chosen))


# --- both --------------------------------------------------------------------------------------


def _log(page: _Page, cells: int, room: int) -> list[Line]:
    """Return what happened last; on a high screen the hand does not go far from the train."""
    return log_view.draw(log_presenter.present(page.table), cells, min(room, _LOG_ROWS))


def _key_at(page: _Page, row: int, columns: int) -> tuple[int, int] | None:
    """Return where the selected key stands in the bar of this row; None when none is."""
    column = hints_view.cursor_column(page.hints, columns)
    return None if column is None else (row, column)


def _typing_at(
    scene: Scene, page: _Page, row: int, cells: int, chosen: tuple[int, int] | None
) -> tuple[int, int]:
    """Return the place of the chosen tile, or behind what is typed in the line of this row."""
    if chosen is None or scene.typed:
        return row, message_view.cursor_column(page.message, cells)
    return chosen
