"""CURVE keys: a client's own pair, and the server's public key with which it is of use.

Keys are texts of 40 characters here, as ZeroMQ writes them (Z85); `join_codes` wants bytes.
"""

import struct
from dataclasses import dataclass, field
from typing import Final, Self

import zmq
from zmq.utils import z85

KEY_BYTES: Final = 32
KEY_CHARS: Final = 40


class InvalidKey(ValueError):
    """Raised when a text or bytes are no key."""


@dataclass(frozen=True, slots=True)
class KeyPair:
    """Hold a public key and the secret key that it belongs to, which is never shown."""

    public: str
    secret: str = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse texts that are no keys; raises InvalidKey."""
        key_bytes(self.public)
        key_bytes(self.secret)

    @classmethod
    def new(cls) -> Self:
        """Make a fresh pair."""
        public, secret = zmq.curve_keypair()
        return cls(public.decode(), secret.decode())

    @classmethod
    def of_secret(cls, secret: bytes) -> Self:
        """Return the pair of a secret key of 32 bytes; raises InvalidKey."""
        return cls.of_secret_text(key_text(secret))

    @classmethod
    def of_secret_text(cls, secret: str) -> Self:
        """Return the pair of a secret key in Z85; raises InvalidKey."""
        key_bytes(secret)
        return cls(zmq.curve_public(secret.encode()).decode(), secret)


@dataclass(frozen=True, slots=True)
class Security:
    """Hold what it takes to speak to a server in secret: its public key and a pair of our own."""

    server_key: str
    own: KeyPair

    def __post_init__(self) -> None:
        """Refuse a text that is no key; raises InvalidKey."""
        key_bytes(self.server_key)


def key_bytes(text: str) -> bytes:
    """Return the 32 bytes of a key in Z85; raises InvalidKey, which does not show the text."""
    try:
        key = z85.decode(text)
    except (ValueError, KeyError, struct.error):
        key = b""
    if len(key) != KEY_BYTES:
        raise InvalidKey(f"a key has {KEY_CHARS} characters of Z85, and this text has not")
    return key


def key_text(key: bytes) -> str:
    """Return a key of 32 bytes in Z85; raises InvalidKey."""
    if len(key) != KEY_BYTES:
        raise InvalidKey(f"a key has {KEY_BYTES} bytes, not {len(key)}")
    return z85.encode(key).decode()
