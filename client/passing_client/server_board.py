"""The servers that were found so far, while one looks which to go to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from passing_client.joined_servers import JoinedServers

if TYPE_CHECKING:
    from passing_client.entry import Place
    from passing_link.address import Address
    from passing_link.finding import Found


@dataclass(slots=True)
class ServerBoard:
    """Hold the servers that answer, and where the person wants to go.

    `is_done` tells that every server had the time to answer. `choice` is where to go: an address
    or a link; `private` tells that the person plays at a table of their own instead. `joined` are
    the servers that they have joined before. `changed` is told of every change of the list.
    """

    found: "Sequence[Found]" = ()
    is_done: bool = False
    choice: "Place | None" = None
    joined: JoinedServers = field(default_factory=JoinedServers)
    private: bool = False
    changed: Callable[[], None] = lambda: None

    def take(self, found: "Sequence[Found]") -> None:
        """Show these servers from now on."""
        if found != self.found:
            self.found = found
            self.changed()

    @property
    def others(self) -> "tuple[Address, ...]":
        """Return the further addresses from which the server that was chosen has answered."""
        return next((each.others for each in self.found if each.address == self.choice), ())

    def done(self) -> None:
        """Note that who has not answered by now is not there."""
        if not self.is_done:
            self.is_done = True
            self.changed()
