"""The picture of a scene: which page it is, by where the person is and how large the screen is."""

from collections.abc import Callable
from typing import Final

from passing_client.screen.pages import (
    lobby,
    match_end,
    overlay,
    round_end,
    starting,
    table,
    too_small,
)
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Page, Scene

_PAGES: Final[dict[Page, Callable[[Scene, int, int], Picture]]] = {
    Page.STARTING: starting.draw,
    Page.LOBBY: lobby.draw,
    Page.TABLE: table.draw,
    Page.ROUND_END: round_end.draw,
    Page.MATCH_END: match_end.draw,
}


def draw(scene: Scene, columns: int, rows: int) -> Picture:
    """Return exactly so many rows of exactly so many columns."""
    if too_small.is_too_small(columns, rows):
        return too_small.draw(columns, rows)
    if scene.overlay is not None:
        return overlay.draw(scene, columns, rows)
    return _PAGES[scene.page](scene, columns, rows)
