"""The vectors of the protocol as data, for implementations in any language."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

import msgpack
from msgspec import Struct

from passing_protocol import deals, names
from passing_protocol.codec import encode
from passing_protocol.errors import ErrorCode
from passing_protocol.follow import view_hash
from passing_protocol.tokens import token_for
from passing_protocol.views import PublicView
from passing_rules import ALL_TILES
from tests.support.protocol.bad_frames import BAD_FRAMES
from tests.support.protocol.discovery_vectors import discovery_vectors
from tests.support.protocol.fair_vectors import fair_vectors
from tests.support.protocol.join_code_vectors import join_code_vectors
from tests.support.protocol.samples import CLIENT, EMPTY_TABLE, PUBLIC, SERVER, batch

Vector = dict[str, Any]


def vectors() -> dict[str, list[Vector]]:
    """Return every file of vectors by its name."""
    return {
        "client": _messages(CLIENT),
        "server": [*_messages(SERVER), _batch()],
        "bad": _bad_frames(),
        "hash": [_hash("two tiles on the train", PUBLIC), _hash("no match yet", EMPTY_TABLE)],
        "deals": [*_streams(), *_deals(), *_bot_seeds()],
        "discovery": discovery_vectors(),
        "fair_deals": fair_vectors(),
        "names": _names(),
        "tokens": _tokens(),
        "join_codes": join_code_vectors(),
    }


def _decoded(data: bytes) -> object:
    return msgpack.unpackb(data)


def _messages(samples: Mapping[str, Struct]) -> list[Vector]:
    encoded = {name: encode(message) for name, message in samples.items()}
    return [
        {"name": name, "message": _decoded(data), "hex": data.hex()}
        for name, data in encoded.items()
    ]


def _batch() -> Vector:
    data = batch(SERVER["pong"], SERVER["update, event seat"])
    return {"name": "batch", "message": _decoded(data), "hex": data.hex()}


def _bad_frames() -> list[Vector]:
    return [
        {
            "name": bad.name,
            "hex": bad.data.hex(),
            "code": bad.code.value,
            "field": bad.field,
            "re": bad.id,
            "may_be_cut": bad.code is ErrorCode.TOO_LARGE,
        }
        for bad in BAD_FRAMES
    ]


def hash_line(view: PublicView) -> str:
    """Return the line whose hash is the view's, put together apart from the code it tests."""
    words = [
        view.match,
        str(view.round),
        str(view.turn),
        "-" if view.to_act is None else str(view.to_act),
        " ".join(laid.tile + str(laid.seat) for laid in view.train),
        "-" if view.ends is None else "".join(map(str, view.ends)),
        " ".join(map(str, view.hands)),
        str(view.boneyard),
        str(view.passes),
        " ".join(map(str, view.scores)),
    ]
    return "|".join(words)


def _hash(name: str, view: PublicView) -> Vector:
    return {
        "name": name,
        "public": _decoded(encode(view)),
        "line": hash_line(view) if view.round else None,
        "hash": view_hash(view),
    }


KEYS = (bytes(16), bytes(range(16)), hashlib.sha256(b"the passing game").digest())


def _streams() -> list[Vector]:
    """Return the first bytes and the first unbiased numbers of some keys."""
    found: list[Vector] = []
    for key in KEYS:
        stream = deals.ByteStream(key)
        numbers = deals.ByteStream(key)
        found.append(
            {
                "name": "stream",
                "key": key.hex(),
                "bytes": bytes(stream.byte() for _ in range(70)).hex(),
                "below_28": [numbers.below(28) for _ in range(40)],
            }
        )
    parts = (b"ab", b"c", b"")
    framed = b"\0\0\0\2ab\0\0\0\1c\0\0\0\0"
    derived = hmac.digest(KEYS[1], framed, "sha256")
    found.append(
        {
            "name": "derive",
            "key": KEYS[1].hex(),
            "parts": [part.hex() for part in parts],
            "derived": derived.hex(),
        }
    )
    return found


def _deals() -> list[Vector]:
    return [
        _deal(key, match_number, round_number, seats)
        for key in KEYS
        for match_number, round_number in ((1, 1), (1, 2), (2, 1))
        for seats in (2, 3, 4)
    ]


def _deal(key: bytes, match_number: int, round_number: int, seats: int) -> Vector:
    deal, leader = deals.deal_and_leader(key, match_number, round_number, seats)
    return {
        "name": "deal",
        "key": key.hex(),
        "match": match_number,
        "round": round_number,
        "seats": seats,
        "deal": str(deal),
        "leader": leader,
    }


def _bot_seeds() -> list[Vector]:
    return [
        {"name": "bot_seed", "key": key.hex(), "seat": seat, "bot_seed": deals.bot_seed(key, seat)}
        for key in KEYS
        for seat in range(4)
    ]


NAMES = (
    "Ann",
    "  Ann \t Lee\n",
    "",
    "\u200b\u2060\ufeff",
    "\x1b[2JBo",
    "\x1b[31;1mBo\x1b[0m",
    "\x1b]0;root@host\x07Bo",
    "\x1b]52;c;cm0gLXJm\x1b\\Bo",
    "\x9b2JBo",
    "\x9d0;x\x9cBo",
    "Bo\x05\x07\x08",
    "Bo\r\nServer: you have lost",
    "Bo\u2028Server: you have lost",
    "\u202eoB",
    "B\u200bo",
    "Bo\ufe0f",
    "Bo\u3164",
    "Bo\ue000\U000e0001",
    "\u0412\u043e",
    "\u0392\u03bf",
    "B0",
    "\uff22\uff4f",
    "Bill",
    "B1II",
    "Z\u0335\u0336\u0337\u0338\u0339algo",
    "e\u0301",
    "\u00e9",
    "Stra\u00dfe",
    "STRASSE",
    "\u5c71" * 13,
    "a" * 25,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
)


def _names() -> list[Vector]:
    return [
        {
            "text": text,
            "name": names.clean_name(text),
            "chat": names.clean_chat(text),
            "key": names.name_key(text),
        }
        for text in NAMES
    ]


def _tokens() -> list[Vector]:
    return [
        {"name": name, "bot_token": token, "token": token_for(token, name)}
        for token in ("a" * 43, "Zm9vYmFy-_" * 2)
        for name in ("greedy.1", "Åsa", "")
    ]


TILES = [str(tile) for tile in ALL_TILES]
"""The order in which a deck lies before it is shuffled."""
