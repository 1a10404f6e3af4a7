"""Deals from keys: the same key gives the same deck, leader and engines' seeds everywhere.

A key becomes a stream of bytes, the stream numbers without bias, and the numbers a shuffled deck
(PROTOCOL.md, "Deals from a seed"). Where the key comes from is the business of the caller.
"""

import hmac
from typing import Final

from passing_rules import ALL_TILES, Deal, Tile

_DEAL_LABEL: Final = b"passing-game deal"
_BOT_LABEL: Final = b"passing-game bot"
_BOT_SEED_BYTES: Final = 16
_BYTE_VALUES: Final = 256


def derive(key: bytes, *parts: bytes) -> bytes:
    """Return 32 bytes for the parts under a key: HMAC-SHA256 over each part after its length.

    The length, 4 bytes with the highest first, keeps ("ab", "c") and ("a", "bc") apart.
    """
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.digest(key, framed, "sha256")


def number_bytes(value: int) -> bytes:
    """Return a number as 8 bytes, the highest first."""
    return value.to_bytes(8, "big")


class ByteStream:
    """Give the endless bytes of a key: HMAC-SHA256 of the block numbers 0, 1, 2 .."""

    def __init__(self, key: bytes) -> None:
        """Start at the first byte."""
        self._key = key
        self._blocks = 0
        self._left = iter(b"")

    def byte(self) -> int:
        """Return the next byte."""
        value = next(self._left, None)
        if value is None:
            self._left = iter(hmac.digest(self._key, number_bytes(self._blocks), "sha256"))
            self._blocks += 1
            value = next(self._left)
        return value

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, each as likely; `bound` is 1 to 256.

        Bytes beyond the last whole multiple of `bound` are skipped.
        """
        limit = _BYTE_VALUES - _BYTE_VALUES % bound
        value = self.byte()
        while value >= limit:
            value = self.byte()
        return value % bound


def shuffled(stream: ByteStream) -> list[Tile]:
    """Return the 28 tiles as the stream shuffles them (Fisher-Yates, from the last place down)."""
    deck = list(ALL_TILES)
    for place in range(len(deck) - 1, 0, -1):
        other = stream.below(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def dealt(key: bytes, seats: int) -> tuple[Deal, int]:
    """Return the deal of a key, and the leader that chance picks with it (R1.5)."""
    stream = ByteStream(key)
    deal = Deal.from_deck(shuffled(stream), seats)
    return deal, stream.below(seats)


def deal_and_leader(
    key: bytes, match_number: int, round_number: int, seats: int
) -> tuple[Deal, int]:
    """Return a round's deal under a key, and the leader that chance picks with it (R1.5).

    The numbers count from 1: the match at its table, the round in its match.
    """
    parts = number_bytes(match_number), number_bytes(round_number)
    return dealt(derive(key, _DEAL_LABEL, *parts), seats)


def bot_seed(key: bytes, seat: int) -> str:
    """Return the seed for the chance of the engine at a seat: 32 hex digits."""
    return derive(key, _BOT_LABEL, number_bytes(seat))[:_BOT_SEED_BYTES].hex()
