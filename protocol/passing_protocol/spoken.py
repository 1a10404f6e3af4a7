"""Texts that people read to each other: bits in base 32, and a hash that is slow to search."""

import hashlib
from typing import Final

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L and O, which read like 1 and 0, and no U."""

_BITS: Final = 5


def spoken(data: bytes, characters: int) -> str:
    """Return the first bits of some bytes, 5 a character.

    >>> spoken(bytes([255, 0]), 3)
    'ZW0'
    """
    bits = int.from_bytes(data, "big") >> (8 * len(data) - _BITS * characters)
    shifts = range(_BITS * (characters - 1), -1, -_BITS)
    return "".join(ALPHABET[bits >> shift & 31] for shift in shifts)


def slow_hash(data: bytes, salt: bytes, length: int) -> bytes:
    """Return so many bytes of scrypt (N 16384, r 8, p 1).

    It takes about 60 ms and 16 MiB, so that nobody tries many.
    """
    return hashlib.scrypt(data, salt=salt, n=2**14, r=8, p=1, dklen=length)
