"""The vectors of join codes as data: what is typed, fingerprints, join keys and links."""

import hashlib
from typing import Any

from passing_link.keys import KeyPair, key_text
from passing_protocol.join_codes import (
    InvalidCode,
    Invitation,
    JoinCode,
    fingerprint,
    join_secret,
)

Vector = dict[str, Any]

SERVER_KEYS = (bytes(32), bytes(range(32)), hashlib.sha256(b"the passing game").digest())
TOKENS = ("00000000", "7H3GAMES", "ZZZZZZZZ")

TYPED = (
    "01234-56789-ABCDE-FGHJK",
    "0123456789ABCDEFGHJK",
    "01234 56789 abcde fghjk",
    " oi234-56789-Abcde-fghjk\n",
    "OL234\u201356789\u2014ABCDE\u2010FGHJK",
    "ZZZZZ-ZZZZZ-ZZZZZ-ZZZZZ",
    "01234-56789-ABCDE-FGHJ",
    "01234-56789-ABCDE-FGHJKM",
    "01234-56789-ABCDE-FGHJU",
    "01234-56789-ABCDE-FGHJ\u041a",
    "01234/56789/ABCDE/FGHJK",
    "",
)

LINKS = (
    Invitation("192.168.1.20", 28_066, SERVER_KEYS[1], "7H3GAMES"),
    Invitation("table.lan", 4_000, SERVER_KEYS[2], "00000000"),
    Invitation("::1", 1, SERVER_KEYS[0], "ZZZZZZZZ"),
    Invitation("fe80::1%eth0", 65_535, SERVER_KEYS[2], "7H3GAMES"),
)


def join_code_vectors() -> list[Vector]:
    """Return what every implementation must make of codes, keys and links."""
    joins = list(map(_join, SERVER_KEYS, TOKENS))
    return [*map(_typed, TYPED), *map(_fingerprint, SERVER_KEYS), *joins, *map(_link, LINKS)]


def _typed(text: str) -> Vector:
    try:
        code = JoinCode.parse(text)
    except InvalidCode:
        return {"name": "code", "typed": text, "fingerprint": None, "token": None, "code": None}
    return {
        "name": "code",
        "typed": text,
        "fingerprint": code.fingerprint,
        "token": code.token,
        "code": str(code),
    }


def _fingerprint(key: bytes) -> Vector:
    return {"name": "fingerprint", "server_key": key.hex(), "fingerprint": fingerprint(key)}


def _join(key: bytes, token: str) -> Vector:
    secret = join_secret(token, key)
    pair = KeyPair.of_secret(secret)
    return {
        "name": "join",
        "server_key": key.hex(),
        "server_key_z85": key_text(key),
        "token": token,
        "secret": secret.hex(),
        "public_z85": pair.public,
    }


def _link(link: Invitation) -> Vector:
    return {
        "name": "link",
        "link": str(link),
        "host": link.host,
        "port": link.port,
        "server_key": link.server_key.hex(),
        "token": link.token,
    }
