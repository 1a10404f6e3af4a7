"""What the screen shows, apart from what the desk holds: the page, what is typed, what was said."""

from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from passing_client.desk import Desk
from passing_client.replaying import Replay
from passing_client.screen.skin import UNICODE, Skin
from passing_client.server_board import ServerBoard
from passing_protocol.errors import ErrorCode
from passing_protocol.views import TableState
from passing_rules import End, Tile

LOG_LINES: Final = 400
"""So many of the last lines that were said are kept."""

LEAST_COLUMNS: Final = 60
"""So many columns every page needs but the one for a screen that is too small."""

LEAST_ROWS: Final = 12
"""So many rows every such page needs."""


_OVER: Final = (TableState.OVER, TableState.CLOSED)
ENDED: Final = (TableState.BETWEEN, *_OVER)
"""Where a table is after a round: there is an ending to look at, and nothing is played."""


class Page(StrEnum):
    """Name what fills the screen."""

    SERVERS = "servers"
    STARTING = "starting"
    LOBBY = "lobby"
    TABLE = "table"
    ROUND_END = "round_end"
    MATCH_END = "match_end"
    REPLAY = "replay"


class Overlay(StrEnum):
    """Name a text that is read over the page, until Esc."""

    HELP = "help"
    LOG = "log"
    SCORES = "scores"
    PASSES = "passes"
    ANSWER = "answer"


class Focus(StrEnum):
    """Name what the arrows and Enter act on."""

    HAND = "hand"
    KEYS = "keys"


def is_too_small(columns: int, rows: int) -> bool:
    """Tell whether no page fits but the one that says so."""
    return columns < LEAST_COLUMNS or rows < LEAST_ROWS


@dataclass(slots=True)
class Scene:
    """Hold all that is drawn; the picture follows from this and the size of the screen alone.

    `starting` says what is waited for before there is a server, `starting_at` since when (ms, of
    `now`). `typed` is the text of the input line, whose first character says what it is (`"`
    chat, `/` a command, a digit a tile).
    `chosen` is the tile that is selected and `end` where it is to go. `log` is what happened and
    was said, `answer` the lines that answered the last key, `flash` the one of them for the
    message line, `notice` what was told of the link last. `fleeting` is a `flash` that tells how it
    stands at the table, and so is over when that changes. `clock_at` is the time (ms, of `now`)
    when the time of the open question is over; `next_at` when the next round begins, or the time
    for another match is over. `turn_at` is when the question came up.
    `put_away` tells that a page of an ending was left to look at the table. `away_since` is since
    when (ms, of `now`) which seats are away, as far as that was seen. `replay` is a record that
    is looked at, which fills the screen until it is left. `page_at` is since when keys can be
    meant for the page, `asked_at` since when it is asked whether a key was meant so. `unread` is
    what others have said, and who has left, until that was read; `deals` is what was told of how
    the tiles are dealt, until the next key or the end of the round. `started` tells that the server
    has heard that the match is to begin. `lost` is the server's reason for the connection being
    lost, as far as it gave one. `servers` are those that were
    found, while one looks which to go to. The screen has so many `columns` and `rows`.
    """

    desk: Desk
    skin: Skin = UNICODE
    starting: str = ""
    starting_at: int | None = None
    server: str = ""
    now: int = 0
    typed: str = ""
    focus: Focus = Focus.HAND
    key: int = 0
    chosen: Tile | None = None
    end: End | None = None
    row: int = 0
    overlay: Overlay | None = None
    scroll: int = 0
    flash: str = ""
    notice: str = ""
    fleeting: str = ""
    answer: list[str] = field(default_factory=list[str])
    log: deque[str] = field(default_factory=lambda: deque[str](maxlen=LOG_LINES))
    clock_at: int | None = None
    next_at: int | None = None
    turn_at: int = 0
    page_at: int = 0
    asked_at: int = 0
    unread: list[str] = field(default_factory=list[str])
    deals: list[str] = field(default_factory=list[str])
    started: bool = False
    lost: ErrorCode | None = None
    put_away: bool = False
    away_since: dict[int, int] = field(default_factory=dict[int, int])
    mouse: bool = False
    replay: Replay | None = None
    servers: ServerBoard | None = None
    columns: int = 80
    rows: int = 24

    @property
    def small(self) -> bool:
        """Tell whether the screen is too small for any page."""
        return is_too_small(self.columns, self.rows)

    @property
    def page(self) -> Page:
        """Return which page is shown; it follows from where the person is."""
        if self.replay is not None:
            return Page.REPLAY
        if self.servers is not None:
            return Page.SERVERS
        table = self.desk.table
        if table is None:
            return Page.STARTING if self.starting else Page.LOBBY
        if self.put_away:
            return Page.TABLE
        if table.view.state is TableState.BETWEEN and table.round_end is not None:
            return Page.ROUND_END
        if table.view.state in _OVER and table.match_end is not None:
            return Page.MATCH_END
        return Page.TABLE
