"""Show how a league goes: one line that is drawn again on a terminal, plain lines elsewhere."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Final, TextIO

from passing_bots.league.log import EngineOut, FaultNoted, GameOver, LeagueEvent
from passing_bots.league.plan import Pairing, pairings
from passing_bots.league.settings import LeagueSettings
from passing_protocol.names import clean_chat

DRAW_S: Final = 0.2
"""How often the line on a terminal is drawn anew."""

LINE_S: Final = 10.0
"""How often a line is added where there is no terminal."""

BAR: Final = 20
SHORTEST_BAR: Final = 5
WIDTH: Final = 79
ALIKE: Final = 3
"""So many faults of one kind are told of an engine as they happen; further ones are counted."""

CLEAR: Final = "\r\x1b[K"
SHOWN_CHARS: Final = 200


class Progress:
    """Tell of a league's events on a stream; `clock` gives seconds."""

    def __init__(
        self,
        settings: LeagueSettings,
        stream: TextIO,
        *,
        terminal: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin to count; the rate is that of this run."""
        self._sides = settings.sides
        self._blocks = settings.blocks
        self._pairings = pairings(settings)
        self._stream = stream
        self._terminal = terminal
        self._clock = clock
        self._began = clock()
        self._drawn = self._began
        self._ended: Counter[Pairing] = Counter()
        self._before = 0
        self._faults = 0
        self._out: set[str] = set()
        self._told: Counter[tuple[str, str]] = Counter()
        """By engine and kind: the faults of this run."""

    def recall(self, event: LeagueEvent) -> None:
        """Count what an earlier run has done, without a word."""
        self._count(event)
        self._before = self._ended.total()

    def tell(self, event: LeagueEvent, playing: int) -> None:
        """Count an event and show it if it is due; `playing` games are being played."""
        self._count(event)
        match event:
            case FaultNoted(owner="player"):
                self._say_fault(event)
            case FaultNoted():
                who = event.engine or event.owner
                self._say(f"{who}: game {event.game} is played again: {event.evidence}")
            case EngineOut():
                self._say(f"{event.engine} is out: {event.reason}")
            case _:
                pass
        now = self._clock()
        if now - self._drawn >= (DRAW_S if self._terminal else LINE_S):
            self._drawn = now
            self._show(self._line(now, playing))

    def close(self) -> None:
        """Take the line off the terminal, or print the last one; say what was only counted."""
        if self._terminal:
            self._write(CLEAR)
        else:
            self._show(self._line(self._clock(), 0))
        for (engine, kind), count in sorted(self._told.items()):
            if count > ALIKE:
                self._say(f"{engine}: {kind}, in {count - ALIKE} more games")

    def _say_fault(self, event: FaultNoted) -> None:
        """Tell of an engine's own fault, unless there were many of its kind."""
        alike = event.engine or "", event.kind.replace("_", " ")
        self._told[alike] += 1
        if self._told[alike] <= ALIKE:
            self._say(f"{event.engine}: {alike[1]}, game {event.game}: {event.evidence}")

    def _count(self, event: LeagueEvent) -> None:
        match event:
            case GameOver():
                self._ended[event.pairing] += 1
            case FaultNoted(owner="player"):
                self._faults += 1
            case EngineOut():
                self._out.add(event.engine)
            case _:
                pass

    @property
    def total(self) -> int:
        """Return how many games there will be: all, less those of engines that are out."""
        return sum(
            self._ended[pairing] if self._out.intersection(pairing) else self._blocks * self._sides
            for pairing in self._pairings
        )

    def _line(self, now: float, playing: int) -> str:
        done, total = self._ended.total(), self.total
        spent = max(now - self._began, 1e-9)
        rate = (done - self._before) / spent
        share = done / total if total else 1.0
        left = (total - done) / rate if rate else None
        told = (
            f"games {done}/{total} {share:4.0%}  faults {self._faults}  playing {playing}"
            f"  {rate:.1f} games/s  left {_duration(left)}"
        )
        room = min(BAR, WIDTH - len(told) - len(" []"))
        return told if room < SHORTEST_BAR else f"{told} [{'#' * round(share * room):.<{room}}]"

    def _show(self, line: str) -> None:
        self._write(f"{CLEAR}{line[:WIDTH]}" if self._terminal else f"{line}\n")

    def _say(self, sentence: str) -> None:
        """Print a line that stays; an engine may have written part of it."""
        self._write(f"{CLEAR if self._terminal else ''}{clean_chat(sentence, SHOWN_CHARS)}\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
