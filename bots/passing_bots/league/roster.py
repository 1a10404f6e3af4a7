"""The lanes of a league: one process for each engine and seat, and how many games each plays.

A lane plays a deal at most once, as its engine meets the deal again only at another seat.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from passing_bots.league.settings import EngineSettings

STARTING_AT_ONCE: Final = 4
"""More processes than this do not start at the same time: they would keep each other waiting."""


class Lane(NamedTuple):
    """Name a lane: an engine's and the seat, from 0, at which alone it plays."""

    engine: str
    seat: int

    def __str__(self) -> str:
        """Return the lane's name; people count seats from 1."""
        return f"{self.engine}.{self.seat + 1}"


class Processes(Protocol):
    """Start and stop the processes of lanes."""

    def start(self, lane: Lane, name: str) -> None:
        """Start a lane's process, which is to wait in the lobby under a name."""
        ...

    def stop(self, lane: Lane) -> None:
        """End a lane's process and all that it has started."""
        ...

    def said(self, lane: Lane, table: str | None) -> str:
        """Return in one line what a lane last wrote, about that table if it named one."""
        ...


@dataclass(slots=True)
class LaneState:
    """Hold whether a lane's process runs, has come to the lobby, its starts, its games of now."""

    running: bool = False
    ready: bool = False
    starts: int = 0
    games: int = 0

    @property
    def awaited(self) -> bool:
        """Tell whether a game waits for the process to come to the lobby."""
        return self.running and not self.ready and self.games > 0


class Roster:
    """Know of each lane whether it takes one more game, and start it when it is needed."""

    def __init__(self, engines: Iterable[EngineSettings], processes: Processes) -> None:
        """Begin with no process."""
        self._tables = {engine.name: engine.tables for engine in engines}
        self._processes = processes
        self._lanes: dict[Lane, LaneState] = {}

    def state(self, lane: Lane) -> LaneState:
        """Return the state of a lane."""
        return self._lanes.setdefault(lane, LaneState())

    def name(self, lane: Lane) -> str:
        """Return the name under which a lane waits in the lobby.

        A lane that is started again has a new one: the server may not know yet that its last
        session is gone, and would invite that.
        """
        starts = self.state(lane).starts
        return str(lane) if starts <= 1 else f"{lane}-{starts}"

    def fits(self, lanes: Iterable[Lane]) -> bool:
        """Tell whether each of the lanes takes one more game; a lane's first game is alone."""
        states = {lane: self.state(lane) for lane in lanes}
        starting = sum(state.awaited for state in self._lanes.values())
        new = sum(not state.running for state in states.values())
        if new and starting + new > STARTING_AT_ONCE:
            return False
        return all(
            state.games < (self._tables[lane.engine] if state.ready else 1)
            for lane, state in states.items()
        )

    def enter(self, lane: Lane) -> None:
        """Count one more game of a lane, and start its process if it does not run."""
        state = self.state(lane)
        state.games += 1
        if not state.running:
            state.running = True
            state.starts += 1
            self._processes.start(lane, self.name(lane))

    def leave(self, lane: Lane) -> None:
        """Count one game of a lane less."""
        self.state(lane).games -= 1

    def connected(self, lane: Lane) -> None:
        """Note that a lane has been found in the lobby."""
        self.state(lane).ready = True

    def ended(self, lane: Lane) -> None:
        """Note that a lane's process has ended; it is started again when it is needed."""
        state = self.state(lane)
        state.running = state.ready = False

    def stop(self, lane: Lane) -> None:
        """End a lane's process."""
        if self.state(lane).running:
            self._processes.stop(lane)
            self.ended(lane)

    def said(self, lane: Lane, table: str | None) -> str:
        """Return what a lane last wrote, about that table if it named one."""
        return self._processes.said(lane, table)

    def idle_lanes(self, engine: str) -> list[Lane]:
        """Return the running lanes of an engine that play no game."""
        return [
            lane
            for lane, state in self._lanes.items()
            if lane.engine == engine and state.running and not state.games
        ]
