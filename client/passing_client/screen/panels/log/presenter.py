"""What has happened in the round of a table."""

from passing_client.language import _
from passing_client.model import TableModel
from passing_client.screen.acts import deed
from passing_client.screen.panels.log.model import LogModel
from passing_client.words.people import People


def present(table: TableModel) -> LogModel:
    """Return every action of the round."""
    people = People(table.view, table.seat)
    text = _("{who}: {deed}")
    acts = table.view.actions
    return LogModel(
        tuple(text.format(who=people.within(a.seat), deed=deed(table, a)) for a in acts)
    )
