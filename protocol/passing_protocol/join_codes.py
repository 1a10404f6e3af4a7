"""What a server gives people to join by: a code to type, and a link that says where it is too.

A code holds no key: the client asks the server for its key, and believes the answer only if it
has the fingerprint that the code begins with. The rest of the code is a token; both ends make
the same CURVE key pair of it, so whoever does not have the code gets no answer at all.
"""

import base64
import binascii
import re
from dataclasses import dataclass, field
from typing import Final, Self

from passing_protocol.spoken import ALPHABET, slow_hash, spoken

FINGERPRINT_CHARS: Final = 12
"""60 bits: what it takes to find another key with the same one is out of anybody's reach."""

TOKEN_CHARS: Final = 8
"""40 bits: the server lets nobody try more than a few."""

CODE_CHARS: Final = FINGERPRINT_CHARS + TOKEN_CHARS
KEY_BYTES: Final = 32
SCHEME: Final = "passing"
LINK_START: Final = f"{SCHEME}://"

_GROUP: Final = 5
_HIGHEST_PORT: Final = 65_535
_FINGERPRINT_SALT: Final = b"passing-game fingerprint"
_JOIN_SALT: Final = b"passing-game join"
_FORGIVEN: Final = str.maketrans("ILO", "110", " \t\r\n\xa0-\u2010\u2011\u2012\u2013\u2014")
"""What people write for other characters, and the spaces and dashes that they put in between."""

_LINK: Final = re.compile(
    rf"{SCHEME}://(?:\[(?P<ipv6>[0-9A-Za-z:.%_-]+)\]|(?P<name>[^\s/:@#?\[\]*]+))"
    r":(?P<port>[0-9]{1,5})/?#(?P<key>[A-Za-z0-9_-]+)\.(?P<token>[^.]+)",
    re.IGNORECASE,
)
_LINK_FORM: Final = f"{LINK_START}HOST:PORT/#KEY.TOKEN"


class InvalidCode(ValueError):
    """Raised when a text is no join code, or no link to join by."""


@dataclass(frozen=True, slots=True)
class JoinCode:
    """Hold the fingerprint of a server's key, and the token by which it lets one enrol.

    >>> str(JoinCode.parse("oi234 56789abc defgh jkmn"))
    '01234-56789-ABCDE-FGHJK'
    """

    fingerprint: str
    token: str = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse parts of another length or alphabet; raises InvalidCode."""
        _verify_text(self.fingerprint, FINGERPRINT_CHARS, "fingerprint")
        _verify_text(self.token, TOKEN_CHARS, "token")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a code as people type it: in any case, with spaces and dashes anywhere.

        I and L are taken for 1, O for 0. Raises InvalidCode, which says what is wrong.
        """
        plain = _repaired(text)
        _verify_text(plain, CODE_CHARS, "code")
        return cls(plain[:FINGERPRINT_CHARS], plain[FINGERPRINT_CHARS:])

    def __str__(self) -> str:
        """Write the code in four groups of five."""
        text = self.fingerprint + self.token
        return "-".join(text[i : i + _GROUP] for i in range(0, CODE_CHARS, _GROUP))

    def fits(self, server_key: bytes) -> bool:
        """Tell whether a server's public key, 32 bytes, is the one the code was made for.

        Takes about 60 ms.
        """
        return fingerprint(server_key) == self.fingerprint


@dataclass(frozen=True, slots=True)
class Invitation:
    """Hold all that it takes to join: where the server is, its public key, and the token."""

    host: str
    port: int
    server_key: bytes
    token: str = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse what no link can hold; raises InvalidCode."""
        if not self.host.isprintable():
            raise InvalidCode(f"The link's host {self.host!r} is the name of no machine")
        if not 1 <= self.port <= _HIGHEST_PORT:
            raise InvalidCode(f"The link's port {self.port} is not from 1 to {_HIGHEST_PORT}")
        if len(self.server_key) != KEY_BYTES:
            raise InvalidCode(f"The link's key has {len(self.server_key)} bytes, not {KEY_BYTES}")
        _verify_text(self.token, TOKEN_CHARS, "token")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `passing://HOST:PORT/#KEY.TOKEN`; raises InvalidCode, which says what is wrong."""
        found = _LINK.fullmatch(text.strip())
        if found is None:
            raise InvalidCode(f"This link is not {_LINK_FORM}")
        host = found["ipv6"] or found["name"]
        return cls(host, int(found["port"]), _key_of(found["key"]), _repaired(found["token"]))

    def __str__(self) -> str:
        """Write the link, the key in base64url without padding."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        key = base64.urlsafe_b64encode(self.server_key).rstrip(b"=").decode()
        return f"{LINK_START}{host}:{self.port}/#{key}.{self.token}"

    @property
    def code(self) -> JoinCode:
        """Return the code that is good for the same; takes about 60 ms."""
        return JoinCode(fingerprint(self.server_key), self.token)


def parse_code(text: str) -> JoinCode | Invitation:
    """Read a join code or a link, whichever it is; raises InvalidCode."""
    if text.strip().lower().startswith(LINK_START):
        return Invitation.parse(text)
    return JoinCode.parse(text)


def fingerprint(server_key: bytes) -> str:
    """Return the 12 characters by which a code knows a server's public key of 32 bytes.

    They are the first 60 bits of scrypt of the key. That takes about 60 ms and 16 MiB, so that
    nobody makes keys until one fits.
    """
    return spoken(slow_hash(server_key, _FINGERPRINT_SALT, 8), FINGERPRINT_CHARS)


def join_secret(token: str, server_key: bytes) -> bytes:
    """Return the secret CURVE key, 32 bytes, that a token stands for at the server of a key.

    It takes about 60 ms and 16 MiB.
    """
    return slow_hash(token.encode(), _JOIN_SALT + server_key, KEY_BYTES)


def _repaired(text: str) -> str:
    """Return a text in the characters of a code, as far as it is clear which are meant."""
    return "".join(c.upper() if c.isascii() else c for c in text).translate(_FORGIVEN)


def _verify_text(text: str, length: int, name: str) -> None:
    """Raise InvalidCode unless a text has so many characters of the alphabet, and none else."""
    for character in text:
        if character not in ALPHABET:
            raise InvalidCode(
                f"{character!r} is in no {name}, which has digits, and letters without U"
            )
    if len(text) != length:
        found = f"{len(text)} character{'' if len(text) == 1 else 's'}"
        raise InvalidCode(f"This {name} has {found}, a whole {name} has {length}")


def _key_of(text: str) -> bytes:
    """Read a key in base64url without padding; another text of the same bytes is none."""
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error:
        key = b""
    if len(key) != KEY_BYTES or base64.urlsafe_b64encode(key).rstrip(b"=") != text.encode():
        raise InvalidCode("The link's part before the full stop is no key of 32 bytes in base64url")
    return key
