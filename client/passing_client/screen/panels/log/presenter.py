"""What has happened in the round of a table."""

from passing_client.model import TableModel
from passing_client.screen.acts import act_line
from passing_client.screen.panels.log.model import LogModel


def present(table: TableModel) -> LogModel:
    """Return every action of the round."""
    return LogModel(tuple(act_line(table, acted) for acted in table.view.actions))
