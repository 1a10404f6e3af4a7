"""Frames that a server must refuse, by hand; what has broken other programs is among them."""

from dataclasses import dataclass

import msgpack

from passing_protocol.errors import ErrorCode
from passing_protocol.limits import CLIENT_FRAME_LIMIT


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Hold a frame and the error it must be answered with; `id` is what `re` must be."""

    name: str
    data: bytes
    code: ErrorCode = ErrorCode.MALFORMED
    field: str | None = None
    id: int | None = None


def _packed(**message: object) -> bytes:
    return msgpack.packb(message)


def _act(**changes: object) -> bytes:
    """Return an `act` that is right but for the changes."""
    act = {"type": "act", "id": 5, "table": "t1", "turn": 2, "action": {"play": "46"}}
    return msgpack.packb(act | changes)


def _hello(**changes: object) -> bytes:
    hello = {
        "type": "hello",
        "protocol": [0, 0],
        "name": "Ann",
        "agent": {"name": "terminal", "version": "1.0"},
    }
    return msgpack.packb(hello | changes)


def _enrol(**changes: object) -> bytes:
    enrol = {"type": "enrol", "protocol": [0, 0], "client_key": "x" * 40, "name": "Ann"}
    return msgpack.packb(enrol | changes)


def _fair(kind: str, **changes: object) -> bytes:
    """Return a message of a fair deal that is right but for the changes."""
    own: dict[str, dict[str, object]] = {
        "tip": {"base": 0, "tip": "0f" * 32},
        "tips_ok": {"version": 1, "hash": "0f" * 32},
        "link": {"deal": 1, "link": "0f" * 32},
    }
    message = {"type": kind, "id": 5, "table": "t", "match": "m", **own[kind]}
    return msgpack.packb(message | changes)


def _with(key: bytes, value: bytes) -> bytes:
    """Return a `ping` with one more pair of raw bytes."""
    return b"\x83\xa4type\xa4ping\xa2id\x05" + key + value


def _wrong(field: str, name: str, data: bytes) -> BadFrame:
    """Return a frame of which one field is wrong and the id, 5, is not."""
    return BadFrame(name, data, field=field, id=5)


NOT_MSGPACK = [
    BadFrame("empty frame", b""),
    BadFrame("a byte that msgpack does not use", b"\xc1"),
    BadFrame("text", b"GET / HTTP/1.1\r\n\r\n"),
    BadFrame("JSON", b'{"type":"ping","id":5}'),
    BadFrame("cut short", b"\x82\xa4type\xa4pin"),
    BadFrame("trailing bytes", b"\x82\xa4type\xa4ping\xa2id\x05\x00"),
    BadFrame("two messages", b"\x82\xa4type\xa4ping\xa2id\x05" * 2),
    BadFrame("an array that says it is huge", bytes.fromhex("ddff000000")),
    BadFrame("an array that says it has 2^31 items", bytes.fromhex("dd7fffffff")),
    BadFrame("a few huge arrays in each other", bytes.fromhex("9ffd74f7dd74fffdbd")),
    BadFrame("an array without its item", bytes.fromhex("91")),
    BadFrame("a string longer than the frame", bytes.fromhex("d99723444c5f")),
    BadFrame("a map that says it has 2^32 - 1 pairs", bytes.fromhex("dfffffffff")),
    BadFrame("a string of 2^32 - 1 bytes", bytes.fromhex("dbffffffff")),
    BadFrame("binary data of 2^32 - 1 bytes", bytes.fromhex("c6ffffffff")),
    BadFrame("an extension of 2^32 - 1 bytes", bytes.fromhex("c9ffffffff01")),
]
NOT_A_MAP = [
    BadFrame("nil", b"\xc0"),
    BadFrame("true", b"\xc3"),
    BadFrame("integer", b"\x07"),
    BadFrame("string", b"\xa4ping"),
    BadFrame("array", b"\x92\xa4ping\x05"),
    BadFrame("float", b"\xcb" + bytes(8)),
    BadFrame("binary data", b"\xc4\x01a"),
    BadFrame("timestamp", b"\xd6\xff" + bytes(4)),
    BadFrame("extension", b"\xd4\x01a"),
    BadFrame("arrays 4,000 deep", b"\x91" * 4_000 + b"\xc0"),
    BadFrame("maps 1,300 deep", b"\x81\xa1a" * 1_300 + b"\xc0"),
]
OUT_OF_PROFILE = [
    BadFrame("a key that is an integer", _with(b"\x01", b"\x01")),
    BadFrame("a key that is nil", _with(b"\xc0", b"\x01")),
    BadFrame("a key that is an array", _with(b"\x91\x01", b"\x01")),
    BadFrame("a key that is a map", _with(b"\x80", b"\x01")),
    BadFrame("a key that is binary data", _with(b"\xc4\x01x", b"\x01")),
    BadFrame("a key that is empty binary data", _with(b"\xc4\x00", b"\x01")),
    BadFrame("a key twice", _with(b"\xa2id", b"\x06")),
    BadFrame(
        "a key twice further in", b"\x82\xa4type\xa3act\xa6action\x82\xa4pass\xc3\xa4pass\xc3"
    ),
    BadFrame("a float where nothing is known", _with(b"\xa1x", b"\xca" + bytes(4))),
    BadFrame("not a number", _with(b"\xa1x", bytes.fromhex("cb7ff8000000000000"))),
    BadFrame("infinity", _with(b"\xa1x", bytes.fromhex("cb7ff0000000000000"))),
    BadFrame("binary data", _with(b"\xa1x", b"\xc4\x01a")),
    BadFrame("empty binary data", _with(b"\xa1x", b"\xc4\x00")),
    BadFrame("an extension", _with(b"\xa1x", b"\xd4\x01a")),
    BadFrame("an empty extension", _with(b"\xa1x", b"\xc7\x00\x05")),
    BadFrame("a timestamp", _with(b"\xa1x", b"\xd6\xff" + bytes(4))),
    BadFrame("an integer of 2^53 + 1", _packed(type="ping", id=5, x=2**53 + 1)),
    BadFrame("an integer of -2^53 - 1", _packed(type="ping", id=5, x=[-(2**53) - 1])),
    BadFrame("an integer of 2^64 - 1 as id", _packed(type="ping", id=2**64 - 1)),
    BadFrame("a string that is no UTF-8", _with(b"\xa1x", b"\xa2\xff\xfe")),
    BadFrame("a lone surrogate", _with(b"\xa1x", b"\xa3\xed\xa0\x80")),
    BadFrame("a key that is no UTF-8", _with(b"\xa1\xff", b"\x01")),
]
WRONG_FIELDS = [
    _wrong("type", "no type", _packed(id=5)),
    _wrong("type", "a type that is no string", _packed(type=7, id=5)),
    BadFrame("no id", _packed(type="ping"), field="id"),
    BadFrame("an id that is true", _packed(type="ping", id=True), field="id"),
    BadFrame("an id that is a string", _packed(type="ping", id="5"), field="id"),
    BadFrame("an id below 0", _packed(type="ping", id=-1), field="id"),
    BadFrame("an id that is nil", _packed(type="ping", id=None), field="id"),
    _wrong("table", "no table", _packed(type="leave", id=5)),
    _wrong("table", "an empty table", _packed(type="leave", id=5, table="")),
    _wrong("table", "a long table", _packed(type="leave", id=5, table="t" * 65)),
    _wrong("seat", "a seat that nobody has", _packed(type="join", id=5, table="t", seat=4)),
    _wrong("seat", "a seat below 0", _packed(type="join", id=5, table="t", seat=-1)),
    _wrong("turn", "a turn that is true", _act(turn=True)),
    _wrong("action", "no action", _act(action=None)),
    _wrong("action", "an action that is an index", _act(action=3)),
    _wrong("action", "an action that is text", _act(action="46<")),
    _wrong("action", "an empty action", _act(action={})),
    _wrong("action", "two actions", _act(action={"draw": True, "pass": True})),
    _wrong("action", "a play that also draws", _act(action={"play": "46", "draw": True})),
    _wrong("action", "an action that is false", _act(action={"draw": False})),
    _wrong("action.draw", "draw: 1", _act(action={"draw": 1})),
    _wrong("action", "an end without a tile", _act(action={"draw": True, "end": "left"})),
    _wrong("action.play", "a tile with its higher number first", _act(action={"play": "64"})),
    _wrong("action.play", "a tile that is not in the set", _act(action={"play": "77"})),
    _wrong("action.play", "a tile that is a number", _act(action={"play": 46})),
    _wrong("action.end", "an end that the train has not", _act(action={"play": "46", "end": "up"})),
    _wrong("action.end", "an end that is nil", _act(action={"play": "46", "end": None})),
    _wrong("text", "an empty chat", _packed(type="chat", id=5, table="t", text="")),
    _wrong("text", "a long chat", _packed(type="chat", id=5, table="t", text="x" * 401)),
    _wrong("game.seats", "one seat", _packed(type="create", id=5, name="K", game={"seats": 1})),
    _wrong("game.seats", "five seats", _packed(type="create", id=5, name="K", game={"seats": 5})),
    _wrong(
        "table.absent",
        "an unknown absence",
        _packed(type="create", id=5, name="K", table={"absent": "wait"}),
    ),
    _wrong("game.lead", "a lead", _packed(type="create", id=5, name="K", game={"lead": "oldest"})),
    _wrong("table.deal", "a deal", _packed(type="create", id=5, name="K", table={"deal": "given"})),
    _wrong("seed", "a seed that is too short", _packed(type="create", id=5, name="K", seed="00")),
    _wrong("given", "a deal in capitals", _packed(type="create", id=5, name="K", given="A" * 32)),
    BadFrame("hello without a name", _packed(type="hello", protocol=[0, 0]), field="name"),
    BadFrame("hello with an empty name", _hello(name=""), field="name"),
    BadFrame("hello with one version", _hello(protocol=0), field="protocol"),
    BadFrame("hello with three versions", _hello(protocol=[0, 1, 2]), field="protocol"),
    BadFrame("hello with a version below 0", _hello(protocol=[0, -1]), field="protocol[1]"),
    BadFrame(
        "hello without the program's version", _hello(agent={"name": "x"}), field="agent.version"
    ),
    BadFrame("hello with a view of its own", _hello(caps={"view": "all"}), field="caps.view"),
    BadFrame("hello with a short token", _hello(token="x"), field="token"),
    BadFrame("hello that is fair: 1", _hello(caps={"fair": 1}), field="caps.fair"),
]
WRONG_IN_ENROLMENT = [
    BadFrame("enrol without a key", _packed(type="enrol", protocol=[0, 0]), field="client_key"),
    BadFrame("enrol without versions", _enrol(protocol=None), field="protocol"),
    BadFrame("enrol without a name", _enrol(name=None), field="name"),
    BadFrame("enrol with an empty name", _enrol(name=""), field="name"),
    BadFrame("enrol with a short key", _enrol(client_key="x" * 39), field="client_key"),
    BadFrame("enrol with a long key", _enrol(client_key="x" * 41), field="client_key"),
    BadFrame(
        "enrol with a space in the key", _enrol(client_key="x" * 39 + " "), field="client_key"
    ),
    BadFrame("enrol with a key that is not Z85", _enrol(client_key="~" * 40), field="client_key"),
    BadFrame("enrol with a line end", _enrol(client_key="x" * 39 + "\n"), field="client_key"),
    BadFrame("enrol with a key in hex", _enrol(client_key="0f" * 32), field="client_key"),
    _wrong("role", "a join code of no role", _packed(type="join_code", id=5)),
    _wrong("role", "a join code for admins", _packed(type="join_code", id=5, role="admin")),
    _wrong("new", "new: 1", _packed(type="join_code", id=5, role="bot", new=1)),
    _wrong("after", "clients after a name", _packed(type="clients", id=5, after="Ann")),
    _wrong("name", "revoke without a name", _packed(type="revoke", id=5)),
    _wrong("name", "revoke with a long name", _packed(type="revoke", id=5, name="x" * 65)),
]
WRONG_IN_FAIR_DEALS = [
    _wrong("match", "a tip for no match", _fair("tip", match=None)),
    _wrong("base", "a base below 0", _fair("tip", base=-1)),
    _wrong("tip", "a tip of 31 bytes", _fair("tip", tip="0f" * 31)),
    _wrong("tip", "a tip of 33 bytes", _fair("tip", tip="0f" * 33)),
    _wrong("tip", "a tip in capitals", _fair("tip", tip="0F" * 32)),
    _wrong("tip", "a tip and a line end", _fair("tip", tip="0f" * 31 + "0\n")),
    _wrong("tip", "a tip that is a number", _fair("tip", tip=0)),
    _wrong("version", "a list without a version", _fair("tips_ok", version=None)),
    _wrong("hash", "a short hash", _fair("tips_ok", hash="0f")),
    _wrong("deal", "a deal that is true", _fair("link", deal=True)),
    _wrong("link", "no link", _fair("link", link=None)),
    _wrong("link", "a link that is an array", _fair("link", link=[])),
]
UNKNOWN = [
    BadFrame("an unknown type", _packed(type="undo", id=5), ErrorCode.UNSUPPORTED, "type", 5),
    BadFrame("an unknown type without id", _packed(type="undo"), ErrorCode.UNSUPPORTED, "type"),
    BadFrame("a message of the server", _packed(type="ok", id=5), ErrorCode.UNSUPPORTED, "type", 5),
    BadFrame("a type in capitals", _packed(type="PING", id=5), ErrorCode.UNSUPPORTED, "type", 5),
]
TOO_LONG = [
    BadFrame("one byte too long", bytes(CLIENT_FRAME_LIMIT + 1), ErrorCode.TOO_LARGE),
    BadFrame(
        "a message of 4,097 bytes",
        _packed(type="ping", id=5, x="x" * (CLIENT_FRAME_LIMIT - 17)),
        ErrorCode.TOO_LARGE,
    ),
]

BAD_FRAMES = [
    *NOT_MSGPACK,
    *NOT_A_MAP,
    *OUT_OF_PROFILE,
    *WRONG_FIELDS,
    *WRONG_IN_ENROLMENT,
    *WRONG_IN_FAIR_DEALS,
    *UNKNOWN,
    *TOO_LONG,
]
