"""Schemas, vectors and PROTOCOL.md: they are what the types make them, and they are complete."""

import hashlib
import json
import re
from enum import Enum
from pathlib import Path
from typing import Any, cast

import msgpack
import msgspec
import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from msgspec import inspect

from passing_protocol import deals, names
from passing_protocol.codec import CodecError, decode_client, decode_server, encode
from passing_protocol.discovery import InvalidDatagram, answer, query, read_answer, read_query
from passing_protocol.errors import ErrorCode
from passing_protocol.events import Event
from passing_protocol.follow import view_hash
from passing_protocol.messages import ClientMessage, Error, ServerMessage
from passing_protocol.tokens import token_for
from passing_protocol.views import PublicView
from tests.support.protocol.discovery_vectors import NONCE
from tests.support.protocol.document import DOCUMENT, Example, examples
from tests.support.protocol.document import GENERATED as PARTS
from tests.support.protocol.files import SCHEMAS, VECTORS, generated_files
from tests.support.protocol.schema import MESSAGE_TYPES, schemas
from tests.support.protocol.vectors import KEYS, Vector

GENERATED = generated_files()


def read(name: str) -> list[Vector]:
    return cast("list[Vector]", json.loads((VECTORS / f"{name}.json").read_text("utf-8")))


def ids(vectors: list[Vector]) -> list[str]:
    return [vector["name"] for vector in vectors]


CLIENT_VECTORS = read("client")
SERVER_VECTORS = read("server")
BAD_VECTORS = read("bad")
DEAL_VECTORS = read("deals")
TOKEN_VECTORS = read("tokens")
EXAMPLES = examples(DOCUMENT.read_text("utf-8"))


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.name)
def test_a_generated_file_is_up_to_date(path: Path) -> None:
    assert path.read_text("utf-8") == GENERATED[path], "run: python -m tests.support.protocol"


def test_no_generated_file_is_left_over() -> None:
    found = {*SCHEMAS.glob("*"), *VECTORS.glob("*")}
    assert found == GENERATED.keys() - {DOCUMENT}


# --- vectors ----------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", CLIENT_VECTORS, ids=ids(CLIENT_VECTORS))
def test_a_vector_of_a_client_decodes_and_encodes(vector: Vector) -> None:
    data = bytes.fromhex(vector["hex"])
    assert msgpack.unpackb(data) == vector["message"]
    assert encode(decode_client(data)) == data


@pytest.mark.parametrize("vector", SERVER_VECTORS, ids=ids(SERVER_VECTORS))
def test_a_vector_of_a_server_decodes_and_encodes(vector: Vector) -> None:
    data = bytes.fromhex(vector["hex"])
    assert msgpack.unpackb(data) == vector["message"]
    parts = vector["message"].get("items", [vector["message"]])
    assert [msgpack.unpackb(encode(message)) for message in decode_server(data)] == parts


@pytest.mark.parametrize("vector", BAD_VECTORS, ids=ids(BAD_VECTORS))
def test_a_bad_vector_is_refused_as_it_says(vector: Vector) -> None:
    with pytest.raises(CodecError) as caught:
        decode_client(bytes.fromhex(vector["hex"]))
    error = caught.value
    assert (error.code.value, error.field, error.id) == (
        vector["code"],
        vector["field"],
        vector["re"],
    )


def fits(message: Any) -> bool:
    """Tell whether a message is what its schema says."""
    schema: Any = schemas()[message["type"]]
    validator: Any = Draft202012Validator(schema)
    try:
        validator.validate(message)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("vector", [*CLIENT_VECTORS, *SERVER_VECTORS], ids=lambda v: v["name"])
def test_a_vector_fits_its_schema(vector: Vector) -> None:
    assert fits(vector["message"])


@pytest.mark.parametrize("vector", read("hash"), ids=lambda v: v["name"])
def test_a_hash_vector(vector: Vector) -> None:
    view = msgspec.convert(vector["public"], PublicView)
    assert view_hash(view) == vector["hash"]


@pytest.mark.parametrize("vector", read("names"), ids=lambda v: ascii(v["text"]))
def test_a_name_vector(vector: Vector) -> None:
    text = vector["text"]
    assert names.clean_name(text) == vector["name"]
    assert names.clean_chat(text) == vector["chat"]
    assert names.name_key(text) == vector["key"]


@pytest.mark.parametrize("vector", DEAL_VECTORS, ids=ids(DEAL_VECTORS))
def test_a_deal_vector(vector: Vector) -> None:
    key = bytes.fromhex(vector["key"])
    match vector:
        case {"name": "deal", "match": number, "round": round_number, "seats": seats}:
            deal, leader = deals.deal_and_leader(key, number, round_number, seats)
            assert (str(deal), leader) == (vector["deal"], vector["leader"])
        case {"name": "stream", "bytes": expected, "below_28": numbers}:
            stream = deals.ByteStream(key)
            assert bytes(stream.byte() for _ in bytes.fromhex(expected)).hex() == expected
            stream = deals.ByteStream(key)
            assert [stream.below(28) for _ in numbers] == numbers
        case {"name": "derive", "parts": parts, "derived": derived}:
            assert deals.derive(key, *map(bytes.fromhex, parts)).hex() == derived
        case _:
            assert deals.bot_seed(key, vector["seat"]) == vector["bot_seed"]
    assert key in KEYS


@pytest.mark.parametrize("vector", TOKEN_VECTORS, ids=ids(TOKEN_VECTORS))
def test_a_token_vector(vector: Vector) -> None:
    assert token_for(vector["bot_token"], vector["name"]) == vector["token"]


DATAGRAMS = read("discovery")


@pytest.mark.parametrize("vector", DATAGRAMS, ids=ids(DATAGRAMS))
def test_a_datagram_vector(vector: Vector) -> None:
    data = bytes.fromhex(vector["hex"])
    match vector["name"].split(" ")[:2], vector.get("message"):
        case ["no", "query:"], None:
            with pytest.raises(InvalidDatagram):
                read_query(data)
        case ["no", "answer:"], None:
            with pytest.raises(InvalidDatagram):
                read_answer(data, NONCE)
        case _, {"passing": "find", "nonce": nonce} as message:
            assert msgpack.unpackb(data) == message
            assert (query(nonce), len(data), read_query(data).nonce) == (data, 512, nonce)
        case _, message:
            assert msgpack.unpackb(data) == message
            assert answer(read_answer(data, NONCE)) == data
            assert len(data) <= 512


# --- completeness -----------------------------------------------------------------------------


class Used:
    """Collect the types, fields and values that messages use."""

    def __init__(self) -> None:
        self.fields: set[tuple[str, str]] = set()
        self.kinds: set[type[msgspec.Struct]] = set()
        self.values: set[tuple[str, str]] = set()

    def look(self, value: object) -> None:
        if isinstance(value, msgspec.Struct):
            self.kinds.add(type(value))
            for name in value.__struct_fields__:
                inner = getattr(value, name)
                if inner is not None and inner is not msgspec.UNSET:
                    self.fields.add((type(value).__name__, name))
                self.look(inner)
        elif isinstance(value, Enum):
            self.values.add((type(value).__name__, value.name))
        elif isinstance(value, list | tuple):
            for item in cast("list[object]", value):
                self.look(item)


class Known(Used):
    """Collect the types, fields and values that there are."""

    def walk(self, kind: inspect.Type) -> None:
        match kind:
            case inspect.StructType(cls=cls, fields=fields):
                if cls not in self.kinds:
                    self.kinds.add(cls)
                    self.fields |= {(cls.__name__, field.name) for field in fields}
                    for field in fields:
                        self.walk(field.type)
            case inspect.EnumType(cls=cls):
                self.values |= {(cls.__name__, member.name) for member in cls}
            case inspect.UnionType(types=kinds):
                for one in kinds:
                    self.walk(one)
            case inspect.ListType(item_type=inner) | inspect.Metadata(type=inner):
                self.walk(inner)
            case _:
                pass


def test_every_type_field_and_value_has_a_vector() -> None:
    used, known = Used(), Known()
    for vector in CLIENT_VECTORS:
        used.look(decode_client(bytes.fromhex(vector["hex"])))
    for vector in SERVER_VECTORS:
        for message in decode_server(bytes.fromhex(vector["hex"])):
            used.look(message)
        if vector["message"]["type"] == "batch":
            used.fields.add(("Batch", "items"))
    for union in (ClientMessage, ServerMessage, Event):
        known.walk(inspect.type_info(union))
    assert known.fields - used.fields == set()
    assert known.values - used.values == set()
    assert {kind.__name__ for kind in known.kinds - used.kinds} == {"Batch"}


def test_every_error_code_has_an_error_and_the_codec_s_have_frames() -> None:
    messages = [decode_server(bytes.fromhex(vector["hex"])) for vector in SERVER_VECTORS]
    codes = {m.code for found in messages for m in found if isinstance(m, Error)}
    assert codes == set(ErrorCode)
    assert {vector["code"] for vector in BAD_VECTORS} == {"malformed", "too_large", "unsupported"}


# --- schemas ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", schemas())
def test_a_schema_is_sound_and_complete_in_itself(name: str) -> None:
    schema = schemas()[name]
    Draft202012Validator.check_schema(schema)
    text = json.dumps(schema)
    for definition in schema.get("$defs", {}):
        assert f'"#/$defs/{definition}"' in text
        assert definition.isalnum()
    assert len(schemas()) == len(MESSAGE_TYPES)


WRONG_ACTIONS: list[dict[str, object]] = [
    {},
    {"draw": False},
    {"draw": True, "pass": True},
    {"play": "46", "draw": True},
    {"draw": True, "end": "left"},
    {"play": "64"},
    {"play": "46", "end": "up"},
]


@pytest.mark.parametrize("action", WRONG_ACTIONS, ids=str)
def test_the_schema_refuses_what_the_codec_refuses(action: dict[str, object]) -> None:
    act = {"type": "act", "id": 1, "table": "t1", "turn": 1, "action": action}
    assert not fits(act)
    with pytest.raises(CodecError):
        decode_client(msgpack.packb(act))


# --- the text ---------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.message["type"])
def test_an_example_of_the_text_is_what_it_says(example: Example) -> None:
    assert msgpack.unpackb(example.data) == example.message
    if example.sender == "client":
        assert msgpack.unpackb(encode(decode_client(example.data))) == example.message
    else:
        (message,) = decode_server(example.data)
        assert msgpack.unpackb(encode(message)) == example.message


def test_the_text_has_examples_of_the_handshake_and_a_turn() -> None:
    types = {example.message["type"] for example in EXAMPLES}
    assert types >= {"hello", "welcome", "refused", "update", "act", "error", "ping", "pong"}
    assert types >= {"enrol", "enrolled", "join_code", "join_code_report"}


def test_the_text_s_sections_are_numbered_one_after_the_other() -> None:
    numbers = re.findall(r"^## (\d+)\. ", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert len(numbers) == 25


def test_the_text_holds_every_generated_part() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert all(f"<!-- generated: {name} -->\n{make()}\n" in text for name, make in PARTS.items())


def test_the_hash_in_the_text_is_right() -> None:
    text = DOCUMENT.read_text("utf-8")
    vector = next(vector for vector in read("hash") if vector["line"] is not None)
    assert f"So `{vector['line']}` has the hash `{vector['hash']}`" in " ".join(text.split())
    assert hashlib.sha256(vector["line"].encode()).hexdigest().startswith(vector["hash"])


def test_every_block_of_bytes_in_the_text_is_an_example() -> None:
    assert DOCUMENT.read_text("utf-8").count("```hex") == len(EXAMPLES)
