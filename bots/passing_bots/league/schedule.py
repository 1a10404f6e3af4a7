"""Say which game is begun next: the first of the plan whose lanes are free."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from passing_bots.league.plan import GameKey

WINDOW: Final = 256
"""Of so many games the first that can be begun is taken: an engine that is slow holds up its
own games, and no others within this reach."""


class Schedule:
    """Hold the games that are still to be begun, in the plan's order."""

    def __init__(self, games: Iterable[GameKey], is_off: Callable[[GameKey], bool]) -> None:
        """Take the plan's games; one of which `is_off` is true is never begun."""
        self._games: Iterator[GameKey] = iter(games)
        self._is_off = is_off
        self._waiting: deque[GameKey] = deque()

    @property
    def empty(self) -> bool:
        """Tell whether no game is left to be begun."""
        self._fill()
        return not self._waiting

    def next(self, fits: Callable[[GameKey], bool]) -> GameKey | None:
        """Take out the first game that fits; None when none does."""
        self._fill()
        for place, key in enumerate(self._waiting):
            if fits(key):
                del self._waiting[place]
                return key
        return None

    def again(self, key: GameKey) -> None:
        """Put a game back that is to be played again, before all others, unless it is off now."""
        if not self._is_off(key):
            self._waiting.appendleft(key)

    def purge(self) -> None:
        """Drop the games that are off now."""
        self._waiting = deque(key for key in self._waiting if not self._is_off(key))

    def _fill(self) -> None:
        """Reach as far into the plan as the window is wide."""
        going_on = (key for key in self._games if not self._is_off(key))
        self._waiting.extend(islice(going_on, max(0, WINDOW - len(self._waiting))))
