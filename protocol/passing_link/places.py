"""Try the addresses where a server may be, one after the other.

An answer that names a server may come from anybody, and lead where it is not: its key tells.
"""

from collections.abc import Awaitable, Callable, Iterator
from types import TracebackType
from typing import Final, TypeVar

from passing_link.address import Address
from passing_link.denials import BY_CODE
from passing_link.news import CannotReach, LinkError

PLACE_S: Final = 2.0
"""How long to try a server at each address where it has several."""

Opened = TypeVar("Opened")


def open_first(
    places: tuple[Address, ...],
    open_at: Callable[[Address, float | None], Opened],
    timeout_s: float | None,
) -> tuple[Address, Opened]:
    """Return the first of several addresses where a server lets itself be reached, and what opened.

    `open_at` is given an address and for how long to try it, and raises LinkError. With a
    `timeout_s` of None the first address is tried for ever in the end, where nobody answers at
    any. Raises the LinkError that there is something to be done about.
    """
    tour = _Tour(places, timeout_s)
    for place, within_s in tour.tries():
        with tour:
            return place, open_at(place, within_s)
    raise tour.failure


async def open_first_async(
    places: tuple[Address, ...],
    open_at: Callable[[Address, float | None], Awaitable[Opened]],
    timeout_s: float | None,
) -> tuple[Address, Opened]:
    """Do what `open_first` does within an asyncio program."""
    tour = _Tour(places, timeout_s)
    for place, within_s in tour.tries():
        with tour:
            return place, await open_at(place, within_s)
    raise tour.failure


class _Tour:
    """Say which address to try next and for how long, and hold how the others have failed."""

    def __init__(self, places: tuple[Address, ...], timeout_s: float | None) -> None:
        self._places = places
        self._timeout_s = timeout_s
        self._failures: list[LinkError] = []

    def __enter__(self) -> None:
        """Try an address."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        """Note how an address has failed, and go on."""
        if isinstance(error, LinkError):
            self._failures.append(error)
            return True
        return False

    def tries(self) -> Iterator[tuple[Address, float | None]]:
        """Yield the addresses, and for how long to try each."""
        first, *others = self._places
        if others:
            within_s = PLACE_S if self._timeout_s is None else min(PLACE_S, self._timeout_s)
            yield from ((place, within_s) for place in self._places)
        if not others or (self._timeout_s is None and isinstance(self.failure, CannotReach)):
            yield first, self._timeout_s

    @property
    def failure(self) -> LinkError:
        """Return the failure to tell: the one that there is something to be done about."""
        return min(self._failures, key=_weight)


def _weight(failure: LinkError) -> tuple[bool, bool]:
    return not isinstance(failure, BY_CODE), isinstance(failure, CannotReach)
