"""What the conversation says to the screen, until somebody sorts it."""

from collections.abc import Callable


class Voice:
    """Be the face of a conversation: keep the lines that it says, and call the person."""

    def __init__(self, ring: Callable[[], None]) -> None:
        """Keep how to call the person."""
        self._ring = ring
        self._lines: list[str] = []

    def say(self, line: str) -> None:
        """Keep a line."""
        self._lines.append(line)

    def ring(self) -> None:
        """Call the person, whose turn it is."""
        self._ring()

    def take(self) -> list[str]:
        """Return what was said since the last time."""
        lines, self._lines = self._lines, []
        return lines
