"""The edges of both ends: what is read, what is refused, and that nothing else happens."""

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from passing_protocol.codec import LARGEST_INTEGER, CodecError, decode_client, decode_server, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.limits import CLIENT_FRAME_LIMIT, SERVER_FRAME_LIMIT
from passing_protocol.messages import (
    Act,
    Batch,
    Chat,
    ClientMessage,
    Enrol,
    Hello,
    Join,
    Ok,
    Ping,
    Pong,
    ServerMessage,
    SplicedUpdate,
    Update,
    Welcome,
)
from passing_protocol.views import Acted, Ask
from passing_protocol.wire import ActionMessage
from tests.support.protocol.bad_frames import BAD_FRAMES, BadFrame
from tests.support.protocol.samples import (
    ASK,
    CLIENT,
    DRAW,
    EVENTS,
    PASS,
    PUBLIC,
    SERVER,
    WELCOME,
    batch,
)

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
"""Anything that msgpack can hold."""


def refusal(data: bytes) -> CodecError:
    with pytest.raises(CodecError) as caught:
        decode_client(data)
    return caught.value


# --- what is right --------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLIENT)
def test_a_client_message_comes_back_as_it_was(name: str) -> None:
    assert decode_client(encode(CLIENT[name])) == CLIENT[name]


@pytest.mark.parametrize("name", SERVER)
def test_a_server_message_comes_back_as_it_was(name: str) -> None:
    assert decode_server(encode(SERVER[name])) == [SERVER[name]]


IDENTIFIERS = st.text(min_size=1, max_size=64).filter(lambda text: len(text.encode()) <= 256)
COUNTS = st.integers(0, LARGEST_INTEGER)


@given(COUNTS, IDENTIFIERS, COUNTS, st.sampled_from([*ASK.legal, DRAW]))
def test_every_act_comes_back_as_it_was(
    number: int, table: str, turn: int, action: ActionMessage
) -> None:
    act = Act(number, table, turn, action)
    assert decode_client(encode(act)) == act


@given(COUNTS, IDENTIFIERS, st.text(min_size=1, max_size=400))
def test_every_chat_comes_back_as_it_was(number: int, table: str, text: str) -> None:
    chat = Chat(number, table, text)
    assert decode_client(encode(chat)) == chat


@given(st.lists(st.sampled_from(list(SERVER.values())), max_size=6))
def test_a_batch_comes_back_as_its_messages(messages: list[ServerMessage]) -> None:
    assert decode_server(batch(*messages)) == messages


def test_the_server_builds_an_update_of_parts_encoded_once() -> None:
    events = [EVENTS["acted, draw"]]
    spliced = SplicedUpdate(1, "t1", 40, Raw(encode(events)), public=Raw(encode(PUBLIC)), ask=ASK)
    assert decode_server(encode(spliced)) == [Update(1, "t1", 40, events, public=PUBLIC, ask=ASK)]


def test_the_order_of_keys_and_longer_forms_do_not_matter() -> None:
    data = b"\xde\x00\x03\xd9\x01x\xc0\xa2id\xcf\0\0\0\0\0\0\0\x05\xda\x00\x04type\xa4ping"
    assert decode_client(data) == Ping(5)


@given(st.dictionaries(st.text(max_size=8), st.integers(-9, 9) | st.text(max_size=9), max_size=5))
def test_unknown_keys_are_ignored(extra: dict[str, object]) -> None:
    known = {"type": "join", "id": 5, "table": "t1", "seat": None}
    assert decode_client(msgpack.packb(extra | known)) == Join(5, "t1")
    news = {"type": "pong", "seq": 1, "re": 2}
    assert decode_server(msgpack.packb(extra | news)) == [Pong(1, 2)]


# --- what is wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize("bad", BAD_FRAMES, ids=lambda bad: bad.name)
def test_a_bad_frame_is_refused_with_its_code_field_and_id(bad: BadFrame) -> None:
    error = refusal(bad.data)
    assert (error.code, error.field, error.id) == (bad.code, bad.field, bad.id)
    assert error.detail.isprintable()
    assert len(error.detail) < 200


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("a key twice", "No msgpack of this protocol: a key is there twice in one map."),
        ("no table", "table: is missing."),
        ("an id that is true", "id: True: Expected `int`, got `bool`."),
        ("five seats", "game.seats: 5: Expected `int` <= 4."),
        ("hello with a version below 0", "protocol[1]: -1: Expected `int` >= 0."),
        ("hello without the program's version", "agent.version: is missing."),
        (
            "a tile with its higher number first",
            "action.play: '64': allowed is a tile: two digits from 0 to 6, the lower first.",
        ),
        ("a lead", "game.lead: 'oldest': allowed is rotate, winner, random."),
        ("an unknown type", "type: 'undo': this server does not know that type of message."),
        ("one byte too long", "4097 bytes, allowed are 4096."),
    ],
)
def test_an_error_names_the_field_the_value_and_what_is_allowed(name: str, detail: str) -> None:
    bad = next(bad for bad in BAD_FRAMES if bad.name == name)
    assert refusal(bad.data).detail == detail


def test_an_error_quotes_a_long_value_only_in_part() -> None:
    bad = next(bad for bad in BAD_FRAMES if bad.name == "a long chat")
    assert refusal(bad.data).detail == f"text: '{'x' * 39}...: Expected `str` of length <= 400."


HELLO: dict[str, object] = {
    "type": "hello",
    "protocol": [0, 0],
    "name": "A",
    "agent": {"name": "x", "version": "1"},
}
CREATE: dict[str, object] = {"type": "create", "id": 1, "name": "K"}


HUSH = 5318008
RESUME: dict[str, object] = {"token": "x" * 16, "epoch": 1, "seq": 1}
SECRETS: list[tuple[str, dict[str, object]]] = [
    ("token", HELLO | {"token": f"hush {HUSH}"}),
    ("token", HELLO | {"token": HUSH}),
    ("seed", CREATE | {"seed": f"hush {HUSH}"}),
    ("seed", CREATE | {"seed": [HUSH]}),
    ("given", CREATE | {"given": f"hush {HUSH}"}),
    ("resume", HELLO | {"resume": f"hush {HUSH}"}),
    ("resume", HELLO | {"resume": HUSH}),
    ("resume.token", HELLO | {"resume": RESUME | {"token": f"hush {HUSH}"}}),
    ("resume.token", HELLO | {"resume": RESUME | {"token": {"x": HUSH}}}),
    ("resume.epoch", HELLO | {"resume": RESUME | {"epoch": f"hush {HUSH}"}}),
    ("resume.seq", HELLO | {"resume": RESUME | {"seq": -HUSH}}),
]


@pytest.mark.parametrize(("field", "message"), SECRETS, ids=str)
def test_an_error_never_repeats_a_secret(field: str, message: dict[str, object]) -> None:
    error = refusal(msgpack.packb(message))
    assert error.field == field
    assert str(HUSH) not in error.detail


def test_an_integer_that_is_too_large_is_not_repeated_since_it_may_be_a_secret() -> None:
    error = refusal(msgpack.packb(HELLO | {"token": 2**60}))
    assert error.detail == "No msgpack of this protocol: an integer is not within 2^53 of 0."


MINE = {"seat": 0, "hand": ["00"], "bot_seed": f"hush {HUSH}"}
SERVER_SECRETS: list[tuple[str, dict[str, object]]] = [
    ("resume_token", {"resume_token": f"{HUSH}"}),
    ("resume_token", {"resume_token": HUSH}),
]


@pytest.mark.parametrize(("field", "changes"), SERVER_SECRETS, ids=str)
def test_a_client_repeats_no_secret_of_a_broken_welcome(
    field: str, changes: dict[str, object]
) -> None:
    welcome: dict[str, object] = msgpack.unpackb(encode(WELCOME))
    with pytest.raises(CodecError) as caught:
        decode_server(msgpack.packb(welcome | changes))
    assert caught.value.field == field
    assert str(HUSH) not in caught.value.detail


def test_a_client_repeats_no_seed_of_a_broken_update() -> None:
    update: dict[str, object] = msgpack.unpackb(encode(Update(1, "t1", 1, [])))
    with pytest.raises(CodecError) as caught:
        decode_server(msgpack.packb(update | {"mine": MINE}))
    assert caught.value.field == "mine.bot_seed"
    assert str(HUSH) not in caught.value.detail


@pytest.mark.parametrize("field", ["interval_ms", "timeout_ms"])
@pytest.mark.parametrize(("number", "taken"), [(0, False), (99, False), (100, True)])
def test_no_server_asks_for_a_heartbeat_more_than_ten_times_a_second(
    field: str, number: int, taken: bool
) -> None:
    welcome: dict[str, object] = msgpack.unpackb(encode(WELCOME))
    heartbeat = {"interval_ms": 3_000, "timeout_ms": 10_000, field: number}
    data = msgpack.packb(welcome | {"heartbeat": heartbeat})
    if taken:
        assert isinstance(decode_server(data)[0], Welcome)
        return
    with pytest.raises(CodecError) as caught:
        decode_server(data)
    assert caught.value.detail == f"heartbeat.{field}: {number}: Expected `int` >= 100."


def test_a_question_with_a_refusal_of_a_newer_server_can_be_read() -> None:
    ask = Ask(2, [PASS], {"46": "newer_than_this"})
    update = Update(1, "t1", 1, [], ask=ask)
    assert decode_server(encode(update)) == [update]


@pytest.mark.parametrize("depth", [1, 10, 100, 500, 900, 1_300])
@pytest.mark.parametrize("opening", [b"\x91", b"\x81\xa1a", b"\x92\xc0", b"\xdc\x00\x01"])
def test_nests_of_any_depth_harm_nobody(depth: int, opening: bytes) -> None:
    data = b"\x83\xa4type\xa4ping\xa2id\x05\xa1x" + opening * depth + b"\xc0"
    assert_client_edge_is_calm(data)
    assert_server_edge_is_calm(data)


def test_a_frame_of_exactly_the_limit_is_taken() -> None:
    head = msgpack.packb({"type": "ping", "id": 5, "x": "x" * 300})
    data = msgpack.packb(
        {"type": "ping", "id": 5, "x": "x" * (300 + CLIENT_FRAME_LIMIT - len(head))}
    )
    assert len(data) == CLIENT_FRAME_LIMIT
    assert decode_client(data) == Ping(5)


# --- whatever comes in --------------------------------------------------------------------------


def assert_client_edge_is_calm(data: bytes) -> None:
    """Check that the server's edge returns a message it can send on, or raises CodecError."""
    try:
        message = decode_client(data)
    except CodecError:
        return
    assert decode_client(encode(message)) == message


def assert_server_edge_is_calm(data: bytes) -> None:
    """Check that the client's edge returns messages, or raises CodecError."""
    try:
        messages = decode_server(data)
    except CodecError:
        return
    for message in messages:
        assert decode_server(encode(message)) == [message]


@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_a_codec_error(data: bytes) -> None:
    assert_client_edge_is_calm(data)
    assert_server_edge_is_calm(data)


@given(VALUES)
def test_any_msgpack_is_a_message_or_a_codec_error(value: object) -> None:
    data = msgpack.packb(value)
    assert_client_edge_is_calm(data)
    assert_server_edge_is_calm(data)


ALL_SAMPLES = [encode(message) for message in [*CLIENT.values(), *SERVER.values()]]


@given(
    st.sampled_from(ALL_SAMPLES),
    st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 255)), min_size=1, max_size=3),
)
def test_a_message_with_changed_bytes_is_a_message_or_a_codec_error(
    data: bytes, changes: list[tuple[int, int]]
) -> None:
    changed = bytearray(data)
    for place, value in changes:
        changed[place % len(changed)] = value
    assert_client_edge_is_calm(bytes(changed))
    assert_server_edge_is_calm(bytes(changed))


@given(st.sampled_from(ALL_SAMPLES), st.integers(0, 2**16), st.binary(max_size=9))
def test_a_message_cut_or_lengthened_is_a_message_or_a_codec_error(
    data: bytes, place: int, more: bytes
) -> None:
    cut = data[: place % len(data)] + more
    assert_client_edge_is_calm(cut)
    assert_server_edge_is_calm(cut)


@st.composite
def messages_with_a_wrong_value(draw: st.DrawFn) -> bytes:
    message = msgpack.unpackb(draw(st.sampled_from(ALL_SAMPLES)))
    spot = message
    key = draw(st.sampled_from(sorted(spot)))
    while isinstance(spot[key], dict) and spot[key] and draw(st.booleans()):
        spot = spot[key]
        key = draw(st.sampled_from(sorted(spot)))
    spot[key] = draw(VALUES)
    return msgpack.packb(message)


@given(messages_with_a_wrong_value())
def test_a_message_with_a_wrong_value_is_a_message_or_a_codec_error(data: bytes) -> None:
    assert_client_edge_is_calm(data)
    assert_server_edge_is_calm(data)


# --- the client's edge ----------------------------------------------------------------------------


def test_a_message_of_an_unknown_type_is_left_out() -> None:
    assert decode_server(msgpack.packb({"type": "weather", "version": 1})) == []
    items = Batch([Raw(msgpack.packb({"type": "weather"})), Raw(encode(Pong(1, 2)))])
    assert decode_server(encode(items)) == [Pong(1, 2)]


def test_an_event_of_an_unknown_type_is_left_out() -> None:
    events = [{"event": "weather", "version": 1}, {"event": "owner", "owner": 0}]
    data = msgpack.packb({"type": "update", "seq": 1, "table": "t", "rev": 2, "events": events})
    assert decode_server(data) == [Update(1, "t", 2, [EVENTS["owner"]])]


@pytest.mark.parametrize(
    "events", [None, 7, [7], [{"seat": 1}], [{"event": 7}], [{"event": "acted", "seat": 9}]]
)
def test_broken_events_are_malformed(events: object) -> None:
    data = msgpack.packb({"type": "update", "seq": 1, "table": "t", "rev": 2, "events": events})
    with pytest.raises(CodecError) as caught:
        decode_server(data)
    assert caught.value.code is ErrorCode.MALFORMED
    assert caught.value.field is not None
    assert caught.value.field.startswith("events")


def test_a_batch_in_a_batch_is_malformed() -> None:
    with pytest.raises(CodecError, match="a batch holds no batch"):
        decode_server(batch(Batch([Raw(encode(Ok(1, 2)))])))


@pytest.mark.parametrize("value", [None, 7, [], {"type": 7}, {}])
def test_what_is_no_message_is_malformed_to_a_client(value: object) -> None:
    with pytest.raises(CodecError, match="A message is a map with a type"):
        decode_server(msgpack.packb(value))


def test_a_client_takes_a_frame_of_the_limit_and_none_longer() -> None:
    def frame(length: int) -> bytes:
        head = msgpack.packb({"type": "pong", "seq": 1, "re": 2, "x": "x" * 65_500})
        return msgpack.packb(
            {"type": "pong", "seq": 1, "re": 2, "x": "x" * (65_500 + length - len(head))}
        )

    assert len(frame(SERVER_FRAME_LIMIT)) == SERVER_FRAME_LIMIT
    assert decode_server(frame(SERVER_FRAME_LIMIT)) == [Pong(1, 2)]
    with pytest.raises(CodecError) as caught:
        decode_server(frame(SERVER_FRAME_LIMIT + 1))
    assert caught.value.code is ErrorCode.TOO_LARGE


def test_c15_an_action_says_itself_what_it_is() -> None:
    """The same bytes mean the same action whatever else is legal."""
    data = encode(Acted(0, 3, ActionMessage(play="46", end="left")))
    assert msgpack.unpackb(data)["action"] == {"play": "46", "end": "left"}


def test_client_messages_are_all_requests_but_hello_and_enrol() -> None:
    kinds: set[type[ClientMessage]] = {type(message) for message in CLIENT.values()}
    assert all(hasattr(kind, "id") for kind in kinds - {Hello, Enrol})
