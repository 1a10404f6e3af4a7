"""The life of a table as one table of transitions."""

from enum import StrEnum

from passing_protocol.views import TableState


class Cause(StrEnum):
    """Name what moves a table on in its life."""

    FILLED = "filled"
    VACATED = "vacated"
    BEGUN = "begun"
    ROUND_OVER = "round_over"
    MATCH_OVER = "match_over"
    ALL_GONE = "all_gone"
    FINISHED = "finished"
    BACK = "back"
    EXPIRED = "expired"


TRANSITIONS: dict[TableState, dict[Cause, TableState]] = {
    TableState.OPEN: {
        Cause.FILLED: TableState.STARTING,
        Cause.EXPIRED: TableState.CLOSED,
    },
    TableState.STARTING: {
        Cause.VACATED: TableState.OPEN,
        Cause.BEGUN: TableState.PLAYING,
    },
    TableState.PLAYING: {
        Cause.ROUND_OVER: TableState.BETWEEN,
        Cause.MATCH_OVER: TableState.OVER,
        Cause.ALL_GONE: TableState.PAUSED,
        Cause.FINISHED: TableState.PAUSED,
    },
    TableState.BETWEEN: {
        Cause.BEGUN: TableState.PLAYING,
        Cause.MATCH_OVER: TableState.OVER,
        Cause.ALL_GONE: TableState.PAUSED,
        Cause.FINISHED: TableState.PAUSED,
    },
    TableState.PAUSED: {
        Cause.BACK: TableState.PLAYING,
        Cause.ROUND_OVER: TableState.BETWEEN,
        Cause.MATCH_OVER: TableState.OVER,
    },
    TableState.OVER: {
        Cause.BEGUN: TableState.PLAYING,
        Cause.EXPIRED: TableState.CLOSED,
    },
    TableState.CLOSED: {},
}
