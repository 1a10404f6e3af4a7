"""The servers that were found so far, while one looks which to go to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passing_client.entry import Place
    from passing_link.finding import Found


@dataclass(slots=True)
class ServerBoard:
    """Hold the servers that answer, and where the person wants to go.

    `is_done` tells that every server had the time to answer. `choice` is where to go: an address
    or a link; `private` tells that the person plays at a table of their own instead. `joined` has
    the keys of the servers that they have joined before. `changed` is told of every change of the
    list.
    """

    found: "Sequence[Found]" = ()
    is_done: bool = False
    choice: "Place | None" = None
    joined: frozenset[str] = frozenset()
    private: bool = False
    changed: Callable[[], None] = lambda: None

    def take(self, found: "Sequence[Found]") -> None:
        """Show these servers from now on."""
        if found != self.found:
            self.found = found
            self.changed()

    def done(self) -> None:
        """Note that who has not answered by now is not there."""
        if not self.is_done:
            self.is_done = True
            self.changed()
