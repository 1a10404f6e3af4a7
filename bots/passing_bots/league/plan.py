"""The plan of a league: which games there are, who sits where, and from which key they are dealt.

A pairing plays blocks; a block is one deal in all seat rotations, so that each engine holds each
side's tiles once and luck cancels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from passing_bots.league.settings import LeagueSettings
from passing_protocol.deals import derive

_LABEL: Final = b"passing-game league"
_KEY_BYTES: Final = 16
_BETWEEN: Final = "+"
"""Stands between the names of a pairing; no engine has it in its name, and files may."""

Pairing = tuple[str, ...]
"""The names of the engines that meet, in the order of the settings; written `greedy+careful`."""


def pairing_text(pairing: Pairing) -> str:
    """Return a pairing as it is written."""
    return _BETWEEN.join(pairing)


def records_name(pairing: Pairing) -> str:
    """Return the name of the file, among the results, of the records of a pairing."""
    return f"records/{pairing_text(pairing)}.pass"


@dataclass(frozen=True, slots=True)
class GameKey:
    """Name a game of the league; written `greedy+careful/12/0`.

    `block` counts from 1, `rotation` from 0: by so many the engines have moved on.
    """

    pairing: Pairing
    block: int
    rotation: int

    def __str__(self) -> str:
        """Return the game as it is written."""
        return f"{pairing_text(self.pairing)}/{self.block}/{self.rotation}"

    @property
    def engines(self) -> tuple[str, ...]:
        """Return the name of the engine that each side is."""
        return self.pairing[self.rotation :] + self.pairing[: self.rotation]


def pairings(settings: LeagueSettings) -> tuple[Pairing, ...]:
    """Return every choice of as many engines as there are sides, in the order of the settings."""
    names = (engine.name for engine in settings.engines)
    return tuple(combinations(names, settings.sides))


def games(settings: LeagueSettings) -> Iterator[GameKey]:
    """Yield all games in their order: each block of all pairings before the next, by rotation."""
    all_pairings = pairings(settings)
    for block in range(1, settings.blocks + 1):
        for pairing in all_pairings:
            for rotation in range(settings.sides):
                yield GameKey(pairing, block, rotation)


def seating(settings: LeagueSettings, game: GameKey) -> tuple[str, ...]:
    """Return the name of the engine at each seat: at seat s the one s + rotation further on.

    Partners are the same engine twice (R1.4).
    """
    options = settings.options
    return tuple(game.engines[options.side_of(seat)] for seat in range(options.seats))


def block_key(settings: LeagueSettings, pairing: Pairing, block: int) -> str:
    """Return the key that all games of a block are dealt from: 32 hex digits.

    Every pairing has deals of its own, so that an engine's process at a seat meets none twice.
    """
    names = (name.encode() for name in pairing)
    key = derive(bytes.fromhex(settings.seed), _LABEL, *names, block.to_bytes(8, "big"))
    return key[:_KEY_BYTES].hex()
