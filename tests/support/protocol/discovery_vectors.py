"""The vectors of datagrams as data: queries, answers, and what is neither."""

from typing import Any

import msgpack

from passing_protocol.discovery import DATAGRAM_BYTES, Here, answer, query
from tests.support.protocol.access_samples import ANN_KEY

Vector = dict[str, Any]

NONCE = "00112233445566778899aabbccddeeff"
SERVER_ID = "5c0e8f1d2b3a4657"
QUERIES = {"query": NONCE, "query, another nonce": "f" * 32}
PLAIN = Here(NONCE, (0, 0), SERVER_ID, "Attic", 28_066, 0, 0, 0, 0)
FULL = Here(
    NONCE, (0, 2), SERVER_ID, "\u5c71" * 12, 65_535, 65_535, 65_535, 65_535, 65_535, ANN_KEY
)
ANSWERS = {"answer, without encryption": PLAIN, "answer, fullest": FULL}


def _find(**changes: object) -> bytes:
    """Return a query that is right but for the changes, as long as it has to be."""
    message = {"passing": "find", "nonce": NONCE, "pad": ""} | changes
    message = {key: value for key, value in message.items() if value is not None}
    if message.get("pad") == "":
        message["pad"] = "." * (DATAGRAM_BYTES - len(msgpack.packb(message)) - 2)
    return msgpack.packb(message)


def _here(**changes: object) -> bytes:
    """Return an answer that is right but for the changes."""
    here: dict[str, object] = msgpack.unpackb(answer(PLAIN)) | changes
    return msgpack.packb({key: value for key, value in here.items() if value is not None})


NO_QUERIES: dict[str, bytes] = {
    "nothing": b"",
    "a query of 511 bytes": query(NONCE)[:-1],
    "a query of 513 bytes": query(NONCE) + b".",
    "a query without padding": msgpack.packb({"passing": "find", "nonce": NONCE}),
    "an answer": answer(PLAIN),
    "512 zero bytes": bytes(512),
    "512 bytes of text": b"GET / HTTP/1.1\r\n".ljust(512),
    "512 bytes, an array in an array and so on": b"\x91" * 511 + b"\xc0",
    "a query without a nonce": _find(nonce=None),
    "a query with a short nonce": _find(nonce="00"),
    "a query with a nonce in capitals": _find(nonce=NONCE.upper()),
    "a query with padding that is no text": _find(pad=7).ljust(512, b"\xc0"),
    "a query of another kind": _find(passing="shut down"),
    "no UTF-8": query(NONCE)[:-1] + b"\xff",
}
NO_ANSWERS: dict[str, bytes] = {
    "nothing": b"",
    "513 bytes": _here(pad="." * 512)[:513],
    "a query": query(NONCE),
    "another nonce": _here(nonce="f" * 32),
    "no nonce": _here(nonce=None),
    "no port": _here(port=None),
    "port 0": _here(port=0),
    "port 65,536": _here(port=65_536),
    "a port that is text": _here(port="28066"),
    "versions that are one": _here(versions=0),
    "versions the greater first": _here(versions=[2, 1]),
    "no name": _here(name=None),
    "an empty name": _here(name=""),
    "a long name": _here(name="x" * 65),
    "a short key": _here(key="x"),
    "an id in words": _here(id="the attic"),
    "people below 0": _here(people=-1),
    "trailing bytes": answer(PLAIN) + b"\x00",
}


def discovery_vectors() -> list[Vector]:
    """Return datagrams as maps and as bytes, and bytes that every implementation ignores."""
    queries = [_datagram(name, query(nonce)) for name, nonce in QUERIES.items()]
    answers = [_datagram(name, answer(here)) for name, here in ANSWERS.items()]
    no_queries = [{"name": f"no query: {name}", "hex": v.hex()} for name, v in NO_QUERIES.items()]
    no_answers = [{"name": f"no answer: {name}", "hex": v.hex()} for name, v in NO_ANSWERS.items()]
    return [*queries, *answers, *no_queries, *no_answers]


def _datagram(name: str, data: bytes) -> Vector:
    return {"name": name, "message": msgpack.unpackb(data), "hex": data.hex()}
