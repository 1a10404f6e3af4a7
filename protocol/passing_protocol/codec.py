"""Messages to bytes and back: the msgpack profile, the limits, and errors that name the field.

`decode_client` is the server's edge and trusts nothing: it refuses whatever the profile refuses
(PROTOCOL.md, "Frames"), and the only exception that leaves it is CodecError. `decode_server` is
the client's edge: it knows its types, skips what a newer server may have added, and takes no
more than the limit.
"""

import re
from collections.abc import Sequence
from typing import Final, TypeGuard, cast, get_args

import msgpack
import msgspec
from msgspec import Struct

from passing_protocol.errors import ErrorCode
from passing_protocol.events import Event
from passing_protocol.limits import CLIENT_FRAME_LIMIT, SERVER_FRAME_LIMIT
from passing_protocol.messages import (
    Act,
    Batch,
    ClientMessage,
    ServerMessage,
    Update,
)
from passing_protocol.names import DETAIL_CHARS, clean_chat
from passing_rules import Lead, PartnerScoring, Preset

LARGEST_INTEGER: Final = 2**53
"""Integers lie within this many of 0, so that every language can hold them exactly."""

_SHOWN: Final = 40
_PLACE: Final = " - at `$"
_MISSING = re.compile(r"required field `(?P<field>[^`]+)`")
_SECRET: Final = re.compile(r"resume|(.*\.)?(token|seed|given|bot_seed|link)$")
"""The paths of which no error repeats the value, lest it get into a log."""

_ALLOWED: Final = {
    "play": "a tile: two digits from 0 to 6, the lower first",
    "end": "left or right",
    "view": "ask or on_join",
    "preset": ", ".join(Preset),
    "lead": ", ".join(Lead),
    "partner_scoring": ", ".join(PartnerScoring),
}


class CodecError(ValueError):
    """Raised when a frame holds no message of the protocol.

    `code` is malformed, too_large or unsupported. `field` is the path of what is wrong, and `id`
    the id of the request, both where they could be read.
    """

    def __init__(
        self, code: ErrorCode, detail: str, field: str | None = None, request_id: int | None = None
    ) -> None:
        """Keep all that an `error` message needs."""
        self.detail = clean_chat(detail, DETAIL_CHARS)  # it may repeat what was sent
        super().__init__(f"{code}: {self.detail}")
        self.code = code
        self.field = field
        self.id = request_id


def _tags(union: object) -> dict[str, type[Struct]]:
    """Return the types of a union by the value that tells them apart."""
    return {str(kind.__struct_config__.tag): kind for kind in get_args(union)}


_CLIENT_TYPES: Final = _tags(ClientMessage)
_SERVER_TYPES: Final = _tags(ServerMessage)
_EVENTS: Final = frozenset(_tags(Event))

_encoder = msgspec.msgpack.Encoder()
_act_decoder: Final = msgspec.msgpack.Decoder(Act)
_server_decoder: Final = msgspec.msgpack.Decoder[ServerMessage](ServerMessage)


def encode(message: Struct | Sequence[Struct]) -> bytes:
    """Write a message as one frame, or its events as the part of one."""
    return _encoder.encode(message)


# --- the server's edge ----------------------------------------------------------------------


def _verify_value(value: object) -> None:
    """Raise ValueError for a value that the profile does not have; maps were checked before."""
    if value is None or isinstance(value, str | bool | dict):
        return
    if isinstance(value, int):
        if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
            raise ValueError("an integer is not within 2^53 of 0")  # it may be a secret
    elif _is_list(value):
        for item in value:
            _verify_value(item)
    else:
        raise ValueError(f"a {type(value).__name__} has no place in a message")


def _checked_map(pairs: list[tuple[object, object]]) -> dict[str, object]:
    """Build a map whose keys are strings, each there once, and whose values the profile has."""
    checked: dict[str, object] = {}
    for key, value in pairs:
        if type(key) is not str:
            raise ValueError(f"the key {_shown(key)} is not a string")
        kind = type(value)
        if kind is not str and kind is not dict:
            _verify_value(value)
        checked[key] = value
    if len(checked) != len(pairs):
        raise ValueError("a key is there twice in one map")
    return checked


def _no_extension(code: int, data: bytes) -> object:
    """Refuse every extension type."""
    raise ValueError(f"extension type {code} ({len(data)} bytes) has no place in a message")


def _unpack(data: bytes) -> object:
    """Read one msgpack value within the profile, apart from what only the types can tell."""
    return msgpack.unpackb(
        data,
        raw=False,
        strict_map_key=True,
        object_pairs_hook=_checked_map,
        ext_hook=_no_extension,
        max_str_len=CLIENT_FRAME_LIMIT,
        max_bin_len=0,
        max_array_len=CLIENT_FRAME_LIMIT,
        max_map_len=CLIENT_FRAME_LIMIT,
        max_ext_len=0,
    )


def _is_map(value: object) -> TypeGuard[dict[str, object]]:
    return type(value) is dict


def _is_list(value: object) -> TypeGuard[list[object]]:
    return type(value) is list


def _shown(value: object) -> str:
    """Return a value as an error may quote it: in print, and short."""
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _id_of(message: dict[str, object]) -> int | None:
    """Return the id of a request that is wrong elsewhere."""
    found = message.get("id")
    return found if type(found) is int and 0 <= found <= LARGEST_INTEGER else None


def _value_at(message: object, path: str) -> str:
    """Return what stands at a path such as `game.seats` or `protocol[0]`, as it may be quoted."""
    value = message
    for step in re.findall(r"[^.\[\]]+", path):
        value = value.get(step) if _is_map(value) else cast("list[object]", value)[int(step)]
    return _shown(value)


def _invalid(message: dict[str, object], error: msgspec.ValidationError) -> CodecError:
    """Say which field is wrong, what is there, and what is allowed."""
    problem, _, place = str(error).partition(_PLACE)
    path = place.strip("`.")
    missing = _MISSING.search(problem)
    if missing is not None:
        path = f"{path}.{missing['field']}".lstrip(".")
        detail = f"{path}: is missing."
    else:
        name = path.rpartition(".")[2]
        allowed = _ALLOWED.get(name)
        reason = f"allowed is {allowed}" if allowed and "enum" in problem else problem
        value = "" if _SECRET.match(path) else f" {_value_at(message, path)}:"
        detail = f"{path}:{value} {reason}."
    return CodecError(ErrorCode.MALFORMED, detail, path, _id_of(message))


def decode_client(data: bytes) -> ClientMessage:
    """Read one frame of a client; raises CodecError and nothing else."""
    if len(data) > CLIENT_FRAME_LIMIT:
        raise CodecError(
            ErrorCode.TOO_LARGE, f"{len(data)} bytes, allowed are {CLIENT_FRAME_LIMIT}."
        )
    return _act_as_written(data) or _checked_message(data)


def _act_as_written(data: bytes) -> Act | None:
    """Read an `act` that is byte for byte as `encode` writes it, the short way.

    Nothing is left in such a frame that the profile could refuse; of all that a server reads,
    nearly everything is this.
    """
    try:
        act = _act_decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return act if encode(act) == data else None


def _checked_message(data: bytes) -> ClientMessage:
    """Read any frame, value by value, and say what is wrong with it."""
    try:
        value = _unpack(data)
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
        reason = str(error) or type(error).__name__
        raise CodecError(ErrorCode.MALFORMED, f"No msgpack of this protocol: {reason}.") from None
    if not _is_map(value):
        raise CodecError(ErrorCode.MALFORMED, "A message is a map with string keys.")
    kind = value.get("type")
    if type(kind) is not str:
        detail = "type: is missing." if kind is None else f"type: {_shown(kind)}: not a string."
        raise CodecError(ErrorCode.MALFORMED, detail, "type", _id_of(value))
    struct = _CLIENT_TYPES.get(kind)
    if struct is None:
        detail = f"type: {_shown(kind)}: this server does not know that type of message."
        raise CodecError(ErrorCode.UNSUPPORTED, detail, "type", _id_of(value))
    try:
        return cast("ClientMessage", msgspec.convert(value, struct, strict=True))
    except msgspec.ValidationError as error:
        raise _invalid(value, error) from None


# --- the client's edge ----------------------------------------------------------------------


def decode_server(data: bytes) -> list[ServerMessage]:
    """Read one frame of a server: its messages in order, those of a `batch` one by one.

    Messages and events of unknown types are left out, unknown keys ignored. Raises CodecError.
    """
    if len(data) > SERVER_FRAME_LIMIT:
        raise CodecError(
            ErrorCode.TOO_LARGE, f"{len(data)} bytes, allowed are {SERVER_FRAME_LIMIT}."
        )
    message = _server_message(data)
    if isinstance(message, Batch):
        return [item for item in map(_server_item, message.items) if item is not None]
    return [] if message is None else [message]


def _server_item(item: msgspec.Raw) -> ServerMessage | None:
    """Read one message of a batch; raises CodecError, also for a batch within it."""
    message = _server_message(item)
    if isinstance(message, Batch):
        raise CodecError(ErrorCode.MALFORMED, "items: a batch holds no batch.", "items")
    return message


def _server_message(data: bytes | msgspec.Raw) -> ServerMessage | None:
    """Read one message; None for a type that is not known here."""
    try:
        return _server_decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return _newer_message(data)


def _newer_message(data: bytes | msgspec.Raw) -> ServerMessage | None:
    """Read a message that may hold types of a newer server; raises CodecError if it is broken."""
    try:
        value: object = msgspec.msgpack.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise CodecError(ErrorCode.MALFORMED, f"No msgpack of this protocol: {error}.") from None
    if not _is_map(value) or type(value.get("type")) is not str:
        raise CodecError(ErrorCode.MALFORMED, "A message is a map with a type.", "type")
    struct = _SERVER_TYPES.get(cast("str", value["type"]))
    if struct is None:
        return None
    if struct is Update:
        value["events"] = _known_events(value.get("events"))
    try:
        return cast("ServerMessage", msgspec.convert(value, struct, strict=True))
    except msgspec.ValidationError as error:
        raise _invalid(value, error) from None


def _known_events(events: object) -> object:
    """Leave out the events of types that are not known here."""
    if not _is_list(events):
        return events
    return [event for event in events if not _is_unknown(event)]


def _is_unknown(event: object) -> bool:
    kind = event.get("event") if _is_map(event) else None
    return type(kind) is str and kind not in _EVENTS
