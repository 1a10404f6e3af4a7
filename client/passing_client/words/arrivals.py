"""What a person is told on coming to a table, or after having missed something there."""

from passing_client.language import _, typed
from passing_client.model import TableModel
from passing_client.words.changes import between_line, over_line, starting_line
from passing_client.words.looks import (
    hand_line,
    score_line,
    seat_lines,
    train_line,
    who_line,
)
from passing_client.words.people import people_of
from passing_protocol.names import clean_name
from passing_protocol.views import PublicView, TableState


def arrival_lines(table: TableModel) -> list[str]:
    """Return where one is, who sits there, and how far the match has gone."""
    lines = [_where(table), *seat_lines(table)]
    if table.view.state is TableState.OVER:
        lines += [another_line(), *_asked(table)]
    elif table.view.state is not TableState.OPEN:
        lines += situation_lines(table)
    elif table.owns:
        invite = _("Type {slash}invite to invite an engine that waits, or let others join.")
        other = _("For another number of seats leave, and type {slash}new NAME seats=2.")
        lines += [typed(invite), typed(other)]
    return lines


def another_line() -> str:
    """Return when another match begins at a table whose match is over."""
    return _(
        "The match that was played here is over. Another begins once every seat is filled and "
        "everybody is ready."
    )


def _where(table: TableModel) -> str:
    view, seat = table.view, table.seat
    name = clean_name(view.name)
    if seat is None:
        where = _("Table {name}. You are watching.").format(name=name)
    else:
        text = _("Table {name}. You are {you}, seat {number} of {seats}.")
        you = people_of(table).name(seat)
        where = text.format(name=name, you=you, number=seat + 1, seats=len(view.seats))
    return f"{where} {_target(view)}"


def _target(view: PublicView) -> str:
    partners = view.game.partners
    text = _("In partnerships, to {target} points.") if partners else _("To {target} points.")
    return text.format(target=view.game.target)


def situation_lines(table: TableModel) -> list[str]:
    """Return how far the match is; before it, who is still waited for once all seats are held."""
    view = table.view
    if view.state is TableState.OPEN:
        return []
    if view.state is TableState.STARTING:
        return [starting_line(view, table.seat)]
    now = _("Round {number}.").format(number=view.round)
    lines = [f"{now} {score_line(table)}"]
    if view.state is TableState.PLAYING:
        lines += [train_line(view), who_line(table)]
        lines += [hand_line(table)] if table.seat is not None else []
    return [*lines, *_asked(table)]


def _asked(table: TableModel) -> list[str]:
    """Return how to be ready, for whoever has come after that was asked; nothing for others."""
    view, seat = table.view, table.seat
    if seat is None or view.seats[seat].ready or table.free_seats:
        return []
    if view.state is TableState.BETWEEN:
        return [between_line()]
    return [over_line()] if view.state is TableState.OVER else []
