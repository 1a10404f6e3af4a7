"""Find out why a server hangs up in the handshake, which ZeroMQ tells of no server.

One that encrypts, one that does not, one with another key and a program of another kind look the
same: they close. What tells them apart is how they greet, and the key that they name.
"""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Final

from passing_link.address import Address
from passing_link.denials import AccessDenied, CodeNeeded, KeyChanged, NotEncrypted
from passing_link.finding import Found, query
from passing_link.news import CannotReach

Ask = Callable[[Address, float], Found | None]
"""Asks the server at an address who it is, for so many seconds; see `finding.query`."""

ASK_S: Final = 1.0
NULL: Final = "NULL"
CURVE: Final = "CURVE"

# ZMTP 3.1 (RFC 37): a signature of ten bytes and the version make the other end send the rest.
_BEGINNING: Final = b"\xff" + bytes(8) + b"\x7f" + b"\x03"
_GREETING_BYTES: Final = 64
_MECHANISM: Final = slice(12, 32)


def mechanism_at(address: Address, timeout_s: float = ASK_S) -> str | None:
    """Return how a ZeroMQ program wants to be spoken to; None for one of another kind.

    It has been told nothing then but that somebody is there.
    """
    greeting = b""
    until = monotonic() + timeout_s
    with (
        suppress(OSError),
        socket.create_connection((address.host, address.port), timeout_s) as probe,
    ):
        probe.sendall(_BEGINNING)
        while len(greeting) < _GREETING_BYTES and (left_s := until - monotonic()) > 0:
            probe.settimeout(left_s)
            data = probe.recv(_GREETING_BYTES)
            if not data:
                break
            greeting += data
    if len(greeting) < _MECHANISM.stop or (greeting[0], greeting[9]) != (0xFF, 0x7F):
        return None
    return greeting[_MECHANISM].rstrip(b"\0").decode("ascii", "replace")


class Doubt:
    """Look closer at a server that has hung up, in a thread, so that nobody waits for it."""

    def __init__(self, server_key: str | None, ask: Ask = query) -> None:
        """Hold the key that the server should have, in Z85; None where nothing is encrypted."""
        self._server_key = server_key
        self._ask = ask
        self._looking: threading.Thread | None = None
        self._found: SimpleQueue[type[AccessDenied] | None] = SimpleQueue()

    def look(self, address: Address) -> None:
        """Begin to look at the server at an address, unless one is being looked at."""
        if self._looking is None or not self._looking.is_alive():
            self._looking = threading.Thread(
                target=self._look, args=(address,), name="doubt", daemon=True
            )
            self._looking.start()

    def settled(self) -> list[type[AccessDenied] | None]:
        """Return, once each, what looking has come to: None is that nothing explains it."""
        found: list[type[AccessDenied] | None] = []
        with suppress(Empty):
            while True:
                found.append(self._found.get_nowait())
        return found

    def _look(self, address: Address) -> None:
        mechanism = mechanism_at(address)
        found: type[AccessDenied] | None
        if self._server_key is None:
            found = CodeNeeded if mechanism == CURVE else None
        elif mechanism == NULL:
            found = NotEncrypted
        else:
            found = self._of_key(address, self._server_key)
        self._found.put(found)

    def _of_key(self, address: Address, server_key: str) -> type[AccessDenied] | None:
        """Ask for the key, and return what another than ours means."""
        found = None
        with suppress(CannotReach):
            found = self._ask(address, ASK_S)
        if found is None or found.answer.key == server_key:
            return None
        return NotEncrypted if found.answer.key is None else KeyChanged
