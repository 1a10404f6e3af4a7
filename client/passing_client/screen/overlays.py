"""What keys do with the texts that are read over the page."""

import sys

from passing_client.screen.pages.overlay import settled
from passing_client.screen.scene import Focus, Overlay, Scene


class Overlays:
    """Show a text over the page of a scene, move it, and close it."""

    def __init__(self, scene: Scene) -> None:
        """Work on a scene."""
        self._scene = scene
        self._follows = False
        """Whether the newest line of the log is shown, and so the next one is to be."""

    def show(self, overlay: Overlay) -> None:
        """Show a text, or close it if it is shown; the log is read from its newest line back."""
        self._scene.overlay = None if self._scene.overlay is overlay else overlay
        self._scene.scroll = 0
        self._follows = False
        if overlay is Overlay.LOG:
            self.go_to_end()

    def close(self) -> None:
        """Show the page again."""
        self._scene.overlay = None
        self._scene.focus = Focus.HAND

    def scroll(self, lines: int) -> None:
        """Move the text by so many lines."""
        self._follows = False
        self._scene.scroll = max(0, self._scene.scroll + lines)

    def go_to_start(self) -> None:
        """Show the first line."""
        self._follows = False
        self._scene.scroll = 0

    def go_to_end(self) -> None:
        """Show the last line."""
        self._scene.scroll = sys.maxsize

    def keep(self) -> None:
        """Go no further than to the last line, as it is on a screen of this size.

        A log that was read to its end is, when it grows.
        """
        if self._follows:
            self.go_to_end()
        at = self._settled()
        self.go_to_end()
        self._follows = self._scene.overlay is Overlay.LOG and at == self._settled()
        self._scene.scroll = at

    def _settled(self) -> int:
        return settled(self._scene, self._scene.columns, self._scene.rows)
