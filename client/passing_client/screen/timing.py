"""How long something has been on the screen, and so whether a key can be an answer to it."""

from typing import Final

from passing_client.screen.scene import Scene

SEEN_MS: Final = 250
"""So long a question is on the screen before a key can be an answer to it."""


def is_seen(scene: Scene, since: int) -> bool:
    """Tell whether what came up at a time (ms, of `scene.now`) has been there for long enough."""
    return scene.now - since >= SEEN_MS


def is_turn_seen(scene: Scene) -> bool:
    """Tell whether the open question of the table can be answered."""
    return is_seen(scene, scene.turn_at)


def is_page_seen(scene: Scene) -> bool:
    """Tell whether keys can be meant for the page."""
    return is_seen(scene, scene.page_at)


def is_asked_seen(scene: Scene) -> bool:
    """Tell whether a second key can be the answer to a question that a first one has raised."""
    return is_seen(scene, scene.asked_at)
