"""What keys do while chat or a command is written."""

from passing_client.screen.doing import Doing
from passing_client.screen.scene import Focus, Scene
from passing_protocol.names import CHAT_CHARS


class Writing:
    """Write a line in a scene: chat after a quotation mark, a command after a slash."""

    def __init__(self, scene: Scene, doing: Doing) -> None:
        """Keep what obeys the line."""
        self._scene = scene
        self._doing = doing

    def begin(self, text: str) -> None:
        """Begin with a text."""
        self._scene.typed = text
        self._scene.focus = Focus.HAND

    def append(self, text: str) -> None:
        """Write more; there is an end to it."""
        self._scene.typed = (self._scene.typed + text)[: CHAT_CHARS + 1]

    def erase(self) -> None:
        """Take back the last character; without one to take back, stop to write."""
        self._scene.typed = self._scene.typed[:-1]
        if not self._scene.typed:
            self._scene.focus = Focus.HAND

    def erase_all(self) -> None:
        """Take back all that was written, and go on writing."""
        self._scene.typed = self._scene.typed[:1]

    def submit(self) -> None:
        """Say or do what was written; it stays there as long as that cannot be."""
        kind, text = self._scene.typed[:1], self._scene.typed[1:].strip()
        if not text or self._doing.obey(f"say {text}" if kind == '"' else text):
            self.stop()

    def stop(self) -> None:
        """Give up what was written."""
        self._scene.typed = ""
        self._scene.focus = Focus.HAND
