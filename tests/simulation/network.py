"""Connections between clients and the server: in order, late, and sometimes cut."""

from collections import deque
from typing import Protocol

from tests.simulation.world import World


class Far(Protocol):
    """The server's end."""

    def arrive(self, link: "Link", data: bytes | None) -> None: ...


class Near(Protocol):
    """The client's end."""

    def take(self, link: "Link", data: bytes) -> None: ...

    def lost(self, link: "Link") -> None: ...


class Link:
    """One connection. Each direction keeps its order; a cut one loses its tail.

    `open` is what the client sees, `there` what the server sees: frames that the client has sent
    may still arrive when it has gone. A client that does not read (`reading`) lets frames pile up.
    """

    def __init__(self, world: World, peer: bytes, near: Near, far: Far, name: str) -> None:
        self.peer = peer
        self.name = name
        self.open = self.there = self.reading = True
        self.was_stalled = False
        self.made_at = world.now
        self._world = world
        self._near = near
        self._far = far
        self._lag = world.between(0, 400)
        self._up_at = self._down_at = world.now
        self._waiting: deque[bytes] = deque()
        self._generation = 0
        self._in_flight = 0

    @property
    def backlog(self) -> int:
        """How many frames the client has not read."""
        return len(self._waiting) + self._in_flight

    def _later(self, at: int) -> int:
        lag = self._world.between(0, self._lag) + (self._lag if self._world.likely(0.02) else 0)
        return max(at, self._world.now + lag)

    # --- to the server

    def up(self, data: bytes | None) -> None:
        """Send a frame to the server; None for one of several parts."""
        if self.open:
            self._up_at = self._later(self._up_at)
            self._world.at(self._up_at, lambda: self._arrive(data))

    def _arrive(self, data: bytes | None) -> None:
        if self.there:
            self._far.arrive(self, data)

    # --- to the client

    def down(self, data: bytes) -> None:
        """Send a frame to the client."""
        self._down_at = self._later(self._down_at)
        self._in_flight += 1
        generation = self._generation
        self._world.at(self._down_at, lambda: self._come(data, generation))

    def _come(self, data: bytes, generation: int) -> None:
        if generation != self._generation:
            return
        self._in_flight -= 1
        if not self.reading:
            self._waiting.append(data)
        elif self.open:
            self._near.take(self, data)

    def read(self) -> None:
        """Read on, all that has piled up first."""
        self.reading = True
        while self._waiting and self.open and self.reading:
            self._near.take(self, self._waiting.popleft())

    # --- ends

    def _lose_what_comes(self) -> None:
        self._generation += 1
        self._in_flight = 0
        self._waiting.clear()

    def leave(self) -> None:
        """End it from the client's side; what it has sent may arrive still, but not all of it."""
        self.open = False
        self._lose_what_comes()
        self._world.after(self._world.between(0, 2 * self._lag + 20), self._gone)

    def _gone(self) -> None:
        self.there = False

    def break_off(self, *, notice_ms: int | None) -> None:
        """Lose it in the middle; the client notices later, or never by itself (None).

        The end of what was on its way is lost, in both directions.
        """
        self.there = False
        end = self._world.between(0, self._lag + 5)
        self._world.after(end, self._lose_what_comes)
        if notice_ms is not None:
            self._world.after(end + notice_ms, self._notice)

    def _notice(self) -> None:
        if self.open:
            self.open = False
            self._lose_what_comes()
            self._near.lost(self)
