"""What a person is told on coming to a table, or after having missed something there."""

from passing_client.model import TableModel
from passing_client.words.looks import (
    hand_line,
    people_of,
    score_line,
    seat_lines,
    train_line,
    who_line,
)
from passing_protocol.names import clean_name
from passing_protocol.views import PublicView, TableState

_PLAYED = (TableState.PLAYING, TableState.BETWEEN, TableState.PAUSED)


def arrival_lines(table: TableModel) -> list[str]:
    """Return where one is, who sits there, and how far the match has gone."""
    lines = [_where(table), *seat_lines(table)]
    if table.view.state in _PLAYED:
        lines += situation_lines(table)
    elif table.owns and table.view.state is TableState.OPEN:
        lines.append("Type invite to invite an engine that waits, or let others join.")
    return lines


def _where(table: TableModel) -> str:
    view = table.view
    name = f"Table {clean_name(view.name)}"
    if table.seat is None:
        return f"{name}. You are watching. {_target(view)}"
    you = people_of(table).name(table.seat)
    return f"{name}. You are {you}, seat {table.seat + 1} of {len(view.seats)}. {_target(view)}"


def _target(view: PublicView) -> str:
    teams = "In partnerships, to" if view.game.partners else "To"
    return f"{teams} {view.game.target} points."


def situation_lines(table: TableModel) -> list[str]:
    """Return how far the round is that is being played."""
    view = table.view
    lines = [f"Round {view.round}. {score_line(table)}"]
    if view.state is TableState.PLAYING:
        lines += [train_line(view), who_line(table)]
        lines += [hand_line(table)] if table.seat is not None else []
    return lines
