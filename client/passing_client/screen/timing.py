"""How long something has been on the screen, and so whether a key can be an answer to it."""

from typing import Final

from passing_client.screen.scene import Scene

SEEN_MS: Final = 250
"""So long a question is on the screen before a key can be an answer to it."""


def is_seen(scene: Scene, since: int) -> bool:
    """Tell whether what came up at a time (ms, of `scene.now`) has been there for long enough."""
    return scene.now - since >= SEEN_MS


def heeds_turn(scene: Scene) -> bool:
    """Tell whether a key counts for the open question of the table.

    One that comes too early makes the question wait anew, so that a key which is held down, and
    so comes again and again, never counts.
    """
    if is_turn_seen(scene):
        return True
    scene.turn_at = scene.now
    return False


def heeds_page(scene: Scene) -> bool:
    """Tell whether a key counts for the page; one that comes too early makes it wait anew."""
    if is_page_seen(scene):
        return True
    scene.page_at = scene.now
    return False


def heeds_asked(scene: Scene) -> bool:
    """Tell whether a second key counts as the answer to what a first one has raised.

    One that comes too early makes the question wait anew.
    """
    if is_seen(scene, scene.asked_at):
        return True
    scene.asked_at = scene.now
    return False


def is_turn_seen(scene: Scene) -> bool:
    """Tell whether the open question of the table can be answered."""
    return is_seen(scene, scene.turn_at)


def is_page_seen(scene: Scene) -> bool:
    """Tell whether keys can be meant for the page."""
    return is_seen(scene, scene.page_at)
