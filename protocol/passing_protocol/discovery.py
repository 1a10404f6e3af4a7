"""The datagrams by which a client finds servers: a query, and what a server answers.

Both are one msgpack map of at most `DATAGRAM_BYTES` bytes. A query is exactly as long as that, and
no answer is longer: nobody who asks in another's name can make a server send more than was asked
with. An answer counts the people and names none. Neither says where a server is: that is where its
answer comes from, and the number of its port.
"""

from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from passing_protocol.names import clean_name
from passing_protocol.wire import Name, PublicKey

DATAGRAM_BYTES: Final = 512
"""The length of every query, and the most of an answer."""

Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]
"""16 random bytes in hex digits: an answer repeats those of the query that it answers."""

ServerId = Annotated[str, Meta(pattern="^[0-9a-f]{16}$", max_length=16)]
"""What a server keeps for as long as its state folder, to be known again at another address."""

Port = Annotated[int, Meta(ge=1, le=65_535)]
Version = Annotated[int, Meta(ge=0, le=65_535)]
Number = Annotated[int, Meta(ge=0, le=65_535)]

_MOST: Final = 65_535


class InvalidDatagram(ValueError):
    """Raised when a datagram is no query, or no answer, of this game."""


class Find(Struct, frozen=True, tag_field="passing", tag="find"):
    """Ask every server that hears it to answer; `pad` fills the datagram up."""

    nonce: Nonce
    pad: str = ""


class Here(Struct, frozen=True, omit_defaults=True, tag_field="passing", tag="here"):
    """Answer a query: who the server is, how to speak to it, and how much goes on there.

    `versions` are the lowest and the highest version of the protocol, `key` the public key to
    encrypt for, absent where nothing is encrypted. `tables` and `seats` count the tables, and the
    free seats at them; `people` and `engines` count who is connected.
    """

    nonce: Nonce
    versions: tuple[Version, Version]
    id: ServerId
    name: Name
    port: Port
    tables: Number
    seats: Number
    people: Number
    engines: Number
    key: PublicKey | None = None


_DatagramT = TypeVar("_DatagramT", Find, Here)

_encoder: Final = msgspec.msgpack.Encoder()
_find_decoder: Final = msgspec.msgpack.Decoder(Find)
_here_decoder: Final = msgspec.msgpack.Decoder(Here)


def number(count: int) -> int:
    """Return a count as an answer has room for it; from the largest on it is the largest."""
    return min(count, _MOST)


def query(nonce: str) -> bytes:
    """Write a query, exactly `DATAGRAM_BYTES` long.

    >>> len(query("00112233445566778899aabbccddeeff"))
    512
    """
    # The length of a text takes one byte up to 31 characters, and three from 256 on.
    bare = len(_encoder.encode(Find(nonce))) + 2
    return _encoder.encode(Find(nonce, "." * (DATAGRAM_BYTES - bare)))


def answer(here: Here) -> bytes:
    """Write an answer, at most `DATAGRAM_BYTES` long; its name is cleaned."""
    return _encoder.encode(replace(here, name=clean_name(here.name) or "server"))


def read_query(data: bytes) -> Find:
    """Read a query; raises InvalidDatagram, also for one that is shorter than it has to be."""
    if len(data) != DATAGRAM_BYTES:
        raise InvalidDatagram(f"{len(data)} bytes: a query has {DATAGRAM_BYTES}.")
    return _read(_find_decoder, data)


def read_answer(data: bytes, *nonces: str) -> Here:
    """Read an answer to one of the queries with these nonces, its name cleaned.

    Raises InvalidDatagram.
    """
    if len(data) > DATAGRAM_BYTES:
        raise InvalidDatagram(f"{len(data)} bytes: an answer has at most {DATAGRAM_BYTES}.")
    here = _read(_here_decoder, data)
    if here.nonce not in nonces:
        raise InvalidDatagram("nonce: it is not that of a query.")
    if here.versions[0] > here.versions[1]:
        raise InvalidDatagram(f"versions: {here.versions}: the lower one comes first.")
    return replace(here, name=clean_name(here.name) or "server")


def _read(decoder: "msgspec.msgpack.Decoder[_DatagramT]", data: bytes) -> _DatagramT:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidDatagram(f"No datagram of this game: {error}.") from None
