"""Messages with a hand in them, filled up: their lengths tell nobody on the way what is in it.

Encryption hides what is said and not how long it is, and a question is the longer the more there
is to play. How many tiles a hand has is public, so that alone may show.
"""

from typing import Final

from passing_protocol.codec import encode
from passing_protocol.messages import SplicedUpdate

BLOCK: Final = 512
"""The length of a message with a hand in it is a multiple of this many bytes."""

_KEY: Final = b"\xa3pad\xda"
"""The key, and what begins a string whose length follows in two bytes (msgpack)."""

_AROUND: Final = len(_KEY) + 2
_FIXED: Final = 192
_EACH: Final = 41
"""Bytes that `mine` and `ask` take at most: whatever the hand, and for each of its tiles.

A tile takes 3 in the hand, and most when it fits at both ends: 38.
"""


def padded(update: SplicedUpdate) -> bytes:
    """Write an update; with a hand in it, as long as it would be with any of that size.

    What fills it up is under the key `pad`, which no client knows.
    """
    data = encode(update)
    if update.mine is None:
        return data
    private = len(encode(update.mine))
    if update.ask is not None:
        private += len(b"\xa3ask") + len(encode(update.ask))
    room = max(private, _FIXED + _EACH * len(update.mine.hand)) + _AROUND
    whole = -(-(len(data) - private + room) // BLOCK) * BLOCK
    blanks = whole - len(data) - _AROUND
    return bytes((data[0] + 1,)) + data[1:] + _KEY + blanks.to_bytes(2) + b" " * blanks
