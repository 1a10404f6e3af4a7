"""The title of the terminal: whose turn it is, for one who looks elsewhere meanwhile."""

from passing_client.language import _
from passing_client.screen.scene import Scene
from passing_client.words.people import people_of
from passing_protocol.names import clean_name
from passing_protocol.views import TableState


def title(scene: Scene) -> str:
    """Return the title of the terminal."""
    table = scene.desk.table
    if table is None:
        return _("The Passing Game")
    name, seat = clean_name(table.view.name), table.view.to_act
    if table.view.state is not TableState.PLAYING or seat is None:
        return _("{table} - The Passing Game").format(table=name)
    if seat == table.seat:
        return _("Your turn - {table} - The Passing Game").format(table=name)
    player = people_of(table).name(seat)
    return _("{player} to play - {table} - The Passing Game").format(player=player, table=name)
