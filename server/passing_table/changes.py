"""What has happened at a table and was not told yet."""

from typing import Literal

from msgspec import Struct

from passing_protocol.events import Event
from passing_rules import Tile
from passing_table.rows import NewRow

Reason = Literal["removed", "replaced"]
"""Why a table sends somebody away who did not ask to leave."""


class Change(Struct):
    """Hold what happened since the last change was taken.

    `hands` are the seats whose hand is to be told anew, `drew` the tile that a seat has drawn,
    `asked` the seat with a new question, and `dismissed` the keys of those who have lost their
    seat: to the player they stood in for, or because they stayed away. `wanted` are the seats whose
    software is asked for its part in a fair deal. `rows` are what the logs of
    its matches have more: they are for a store alone, since they hold every hand.
    """

    events: list[Event] = []
    hands: set[int] = set()
    drew: dict[int, Tile] = {}
    asked: int | None = None
    dismissed: dict[str, Reason] = {}
    wanted: set[int] = set()
    rows: list[NewRow] = []


class Changes:
    """Collect what happens; `rev` counts every event of the table's life."""

    def __init__(self) -> None:
        """Start with nothing told."""
        self.rev = 0
        self.next = Change()

    def resume(self, rev: int) -> None:
        """Go on after so many events, with nothing that is to be told."""
        self.rev = rev
        self.next = Change()

    def tell(self, event: Event) -> None:
        """Add an event that everybody at the table is told."""
        self.rev += 1
        self.next.events.append(event)

    def take(self) -> Change | None:
        """Return all that happened since the last call, None when nothing did."""
        change = self.next
        if not (change.events or change.rows or change.wanted):
            return None
        self.next = Change()
        return change
