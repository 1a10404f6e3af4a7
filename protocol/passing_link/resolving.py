"""Look up where a machine is, and do so again, for one that comes back somewhere else."""

import threading
from contextlib import suppress

from passing_link import words
from passing_link.address import Address
from passing_link.news import CannotReach, UnknownMachine


def look_up(address: Address) -> tuple[Address, ...]:
    """Return the numbers of a machine; raises UnknownMachine. May take seconds."""
    try:
        return address.resolve()
    except (OSError, UnicodeError):
        raise UnknownMachine(words.unknown_machine(address.host)) from None


class Choices:
    """Go around the numbers of a machine, which may be others when it is looked up again.

    Nobody waits for that: it is done in a thread, and what is found is used when it is there.
    """

    def __init__(self, address: Address, numbers: tuple[Address, ...]) -> None:
        """Begin with the first of the numbers that were found for the address."""
        self._address = address
        self._numbers = numbers
        self._found = numbers
        self._next = 0
        self._looking: threading.Thread | None = None

    def __len__(self) -> int:
        """Count the numbers of one round."""
        return len(self._numbers)

    def next(self) -> Address:
        """Return the number to try next; after a whole round the machine is looked up again."""
        if self._found != self._numbers:
            self._numbers = self._found
            self._next = 0
        number = self._numbers[self._next]
        self._next = (self._next + 1) % len(self._numbers)
        return number

    def failed(self) -> None:
        """Look the machine up again if its last number has just been tried in vain."""
        is_name = self._numbers != (self._address,)
        if is_name and self._next == 0 and (self._looking is None or not self._looking.is_alive()):
            self._looking = threading.Thread(target=self._look, name="look-up", daemon=True)
            self._looking.start()

    def _look(self) -> None:
        with suppress(CannotReach):  # what is known may still be right
            self._found = look_up(self._address)
