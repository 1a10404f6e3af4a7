"""The log of a league: one event a line, and the one truth that all results are derived from.

There are no times in it, so the same games give the same log but for the order of their ends.
"""

import fcntl
import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, Literal, Self

import msgspec
from msgspec import Meta, Struct

from passing_bots.league.plan import GameKey
from passing_bots.league.settings import BlockNumber, EngineName, LeagueSettings
from passing_protocol.events import FaultOwner
from passing_protocol.wire import Count

Names = Annotated[tuple[EngineName, ...], Meta(max_length=4)]
Rotation = Annotated[int, Meta(ge=0, le=3)]


EVIDENCE_CHARS: Final = 2_000


class InvalidLog(ValueError):
    """Raised when a log is not what a league writes; names the line where there is one."""


class LogInUse(Exception):
    """Raised when another process writes a log."""


class FaultKind(StrEnum):
    """Name what an engine did, or what happened to it."""

    NO_ANSWER = "no_answer"
    ILLEGAL = "illegal"
    CRASHED = "crashed"
    LEFT = "left"
    AWAY = "away"
    NOT_CONNECTED = "not_connected"
    KILLED = "killed"
    BROKEN_OFF = "broken_off"


class LeagueBegan(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="league_began"
):
    """Open the log: the whole settings, the program that plays, the form of the log."""

    league: LeagueSettings
    program: Annotated[str, Meta(max_length=100)]
    version: Literal[1] = 1


class GameOver(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="game"):
    """Tell how a game ended: `engines` by seat, `points` by side, who forfeited, its record.

    `record` is the text of the full record, null for a game that was never dealt.
    """

    pairing: Names
    block: BlockNumber
    rotation: Rotation
    engines: Names
    points: Annotated[tuple[Count, ...], Meta(max_length=4)]
    forfeits: Names = ()
    record: str | None = None

    @property
    def game(self) -> GameKey:
        """Return which game it was."""
        return GameKey(self.pairing, self.block, self.rotation)


class FaultNoted(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="fault"):
    """Tell what went wrong in a game and whose fault it was; `replay` says it is played again.

    `engine` is null where the fault lies with no engine. Faults with the same `incident`, counted
    from 1, have one cause: the death of one process.
    """

    engine: EngineName | None
    owner: FaultOwner
    kind: FaultKind
    evidence: Annotated[str, Meta(max_length=EVIDENCE_CHARS)]
    pairing: Names
    block: BlockNumber
    rotation: Rotation
    replay: bool = False
    incident: Annotated[int, Meta(ge=1)] | None = None

    @property
    def game(self) -> GameKey:
        """Return in which game it was."""
        return GameKey(self.pairing, self.block, self.rotation)


class EngineOut(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="out"):
    """Tell that an engine's remaining games are not played, and why."""

    engine: EngineName
    reason: Annotated[str, Meta(max_length=EVIDENCE_CHARS)]


class LeagueOver(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="event", tag="league_over"
):
    """Close the log: all games that will be played are in it."""


LeagueEvent = LeagueBegan | GameOver | FaultNoted | EngineOut | LeagueOver

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(LeagueEvent)


def write_event(event: LeagueEvent) -> bytes:
    """Return an event as one line of JSON, its end included."""
    return _ENCODER.encode(event) + b"\n"


def parse_event(line: bytes) -> LeagueEvent:
    """Return the event of a line; raises InvalidLog."""
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidLog(f"no event of a league: {error}") from error


def read_log(path: Path) -> tuple[LeagueEvent, ...]:
    """Return the events of a log in their order; raises InvalidLog and OSError.

    A last line without an end was torn off when the league stopped, and does not count.
    """
    lines = path.read_bytes().split(b"\n")[:-1]
    events: list[LeagueEvent] = []
    for number, line in enumerate(lines, start=1):
        try:
            event = parse_event(line)
            _verify_place(event, events)
        except InvalidLog as error:
            raise InvalidLog(f"{path}, line {number}: {error}.") from error
        events.append(event)
    if not events:
        raise InvalidLog(f"{path}: there is no whole line in it, so no league began.")
    return tuple(events)


def has_ended(path: Path) -> bool:
    """Tell whether the last event of a log is its end; raises OSError."""
    return path.read_bytes().endswith(b"\n" + write_event(LeagueOver()))


def _verify_place(event: LeagueEvent, before: Sequence[LeagueEvent]) -> None:
    """Refuse what cannot follow; raises InvalidLog."""
    last = before[-1] if before else None
    if isinstance(event, LeagueBegan) != (last is None):
        raise InvalidLog("league_began is the first event of a log, and no other is")
    if isinstance(last, LeagueOver):
        raise InvalidLog("nothing follows league_over")


class LogWriter:
    """Append events to a log, each one whole: what `append` has returned from is in the file."""

    def __init__(self, handle: int) -> None:
        """Take over an open file; `begin` and `resume` open it. Raises LogInUse."""
        self._handle = handle
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise LogInUse("another process writes this log") from None

    @classmethod
    def begin(cls, path: Path, began: LeagueBegan) -> Self:
        """Start a new log with its first event; raises FileExistsError where there is one."""
        writer = cls(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o666))
        writer.append(began)
        return writer

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Continue a log after its last whole line; what was torn off is cut away."""
        writer = cls(os.open(path, os.O_WRONLY | os.O_APPEND))
        os.ftruncate(writer._handle, path.read_bytes().rfind(b"\n") + 1)
        return writer

    def append(self, event: LeagueEvent) -> None:
        """Write one event, in one piece as a rule; raises OSError."""
        rest = memoryview(write_event(event))
        while rest:
            rest = rest[os.write(self._handle, rest) :]

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)

    def __enter__(self) -> Self:
        """Return the writer."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()
