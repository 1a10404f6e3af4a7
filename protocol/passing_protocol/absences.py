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
        self._listed: tuple[int, tuple[str | None, ...]] = 0, ()
        """The list of which was told last, and who was at each seat then."""

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

    def listed(self, match: str, version: int, names: Sequence[str | None]) -> None:
        """Take note of who is at each seat as a list is agreed to."""
        if match == self.match:
            self._listed = version, tuple(names)

    def add(self, version: int, seats: Sequence[int]) -> bool:
        """Count who is missing of a list; tells whether the server breaks a rule by that.

        Of a list that was not told of, nobody knows here who was on it.
        """
        told, names = self._listed
        named = dict(enumerate(names))
        players = [(seat, named.get(seat)) for seat in seats]
        known = [one for one in players if one in self._all or len(self._all) < MOST_ABSENT]
        self._is_full = self._is_full or len(known) < len(players)
        self._all.update(known)
        if version != told:
            return False
        self._since.update(known)
        return any(self._since[one] > MOST_ABSENCES for one in known)
