"""The picture of a scene: which page it is, by where the person is and how large the screen is."""

from passing_client.screen.pages import (
    lobby,
    match_end,
    overlay,
    replay,
    round_end,
    servers,
    starting,
    table,
    too_small,
)
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Page, Scene, is_too_small


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return exactly so many rows of exactly so many columns."""
    if is_too_small(columns, rows):
        return too_small.draw(scene, columns, rows)
    if scene.overlay is not None:
        return overlay.draw(scene, columns, rows)
    match scene.page:
        case Page.SERVERS:
            return servers.draw(scene, columns, rows)
        case Page.STARTING:
            return starting.draw(scene, columns, rows)
        case Page.LOBBY:
            return lobby.draw(scene, columns, rows)
        case Page.TABLE:
            return table.draw(scene, columns, rows)
        case Page.ROUND_END:
            return round_end.draw(scene, columns, rows)
        case Page.MATCH_END:
            return match_end.draw(scene, columns, rows)
        case Page.REPLAY:
            return replay.draw(scene, columns, rows)
