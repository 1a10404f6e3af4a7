"""How often links were missing in a match: each time somebody may have chosen among decks."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

MOST_ABSENCES: Final = 2
"""So often the link of one player may be missing in a match: each time is a choice of decks."""

MOST_ABSENT: Final = 32
"""The links of no more players than so many may be missing in a match."""

Player = tuple[int, str | None]
"""A seat, and the name of who was there when a list was agreed to last."""


class Absences:
    """Count by player how often a link was missing in one match, a server's new starts included.

    A server that was started again may honestly have forgotten who was missing, so it breaks no
    rule by what it did before; but nobody knows any more that the deck was not chosen.
    """

    def __init__(self, match: str) -> None:
        """Begin with nobody missing."""
        self.match = match
        self._all: Counter[Player] = Counter()
        self._since: Counter[Player] = Counter()
        """Those since the server may have forgotten the ones before."""
        self._is_full = False

    @property
    def are_too_many(self) -> bool:
        """Tell whether decks may have been chosen more often than the rules allow."""
        return self._is_full or any(count > MOST_ABSENCES for count in self._all.values())

    def of(self, match: str) -> "Absences":
        """Return those of a match: these, or new ones."""
        return self if match == self.match else Absences(match)

    def forgotten(self) -> None:
        """Take note that the server may have forgotten who was missing."""
        self._since.clear()

    def add(self, players: Sequence[Player]) -> bool:
        """Count players who are missing; tells whether the server breaks a rule by that."""
        known = [one for one in players if one in self._all or len(self._all) < MOST_ABSENT]
        self._is_full = self._is_full or len(known) < len(players)
        self._all.update(known)
        self._since.update(known)
        return any(self._since[one] > MOST_ABSENCES for one in known)
