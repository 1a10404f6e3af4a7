"""One bad client in the middle of a match: it is answered with errors, and nobody else notices."""

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_protocol.codec import decode_server, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.limits import CLIENT_FRAME_LIMIT
from passing_protocol.messages import Act, Chat, Error, Ping, Pong, Refused, ServerMessage
from passing_server.limits import EXCESS_BURST
from tests.support.duel import DRAW, PASS, Duel
from tests.support.lan import Lan

GARBAGE: dict[str, bytes | None] = {
    "nothing": b"",
    "nil": b"\xc0",
    "an integer": b"\x07",
    "a list": msgpack.packb([1, 2]),
    "an empty map": b"\x80",
    "trailing bytes": encode(Ping(1)) + b"\x00",
    "deep nesting": b"\x91" * 4_000 + b"\xc0",
    "deep maps": b"\x81\xa1a" * 1_300 + b"\xc0",
    "an extension": msgpack.packb(msgpack.ExtType(5, b"x")),
    "a timestamp": msgpack.packb({"type": "ping", "id": msgpack.Timestamp(1)}),
    "bad UTF-8": b"\x81\xa4type\xa2\xff\xfe",
    "not a number": msgpack.packb({"type": "ping", "id": float("nan")}),
    "an integer key": msgpack.packb({1: 2}),
    "a list as a key": b"\x81\x91\x01\x02",
    "a key twice": b"\x83\xa4type\xa4ping\xa2id\x01\xa2id\x02",
    "true for 1": msgpack.packb({"type": "ping", "id": True}),
    "bytes for text": msgpack.packb({"type": b"ping", "id": 1}),
    "an unknown type": msgpack.packb({"type": "checkmate", "id": 1}),
    "no type": msgpack.packb({"id": 1}),
    "a missing field": msgpack.packb({"type": "act", "id": 1}),
    "two actions in one": msgpack.packb(
        {"type": "act", "id": 1, "table": "t1", "turn": 1, "action": {"draw": True, "pass": True}}
    ),
    "a huge integer": msgpack.packb({"type": "ping", "id": 2**60}),
    "a negative id": msgpack.packb({"type": "ping", "id": -1}),
    "a frame too long": b"\x81" + b"\x00" * CLIENT_FRAME_LIMIT,
    "an array that claims 4 billion": b"\xdd\xff\xff\xff\xff",
    "a map that claims 4 billion": b"\xdf\xff\xff\xff\xff",
    "several frames": None,
    "HTTP": b"GET / HTTP/1.1\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00",
}


def send_raw(lan: Lan, peer: bytes, data: bytes | None) -> list[ServerMessage]:
    """Send one frame as a connection and return what comes back to it; nothing goes elsewhere."""
    lan.server.receive(lan.now, peer, data)
    out = lan.server.flush(lan.now)
    assert {frame.peer for frame in out} <= {peer}
    return [message for frame in out for message in decode_server(frame.data)]


@pytest.mark.parametrize("name", list(GARBAGE))
def test_garbage_is_answered_once_and_two_tables_play_on(name: str) -> None:
    lan = Lan()
    duels = [Duel(lan), Duel(lan, names=("cyd", "dan"))]
    bad = duels[0].actor
    for _ in range(3):
        answers = send_raw(lan, bad.peer, GARBAGE[name])
        assert len(answers) == 1
        assert isinstance(answers[0], Error)
        assert answers[0].code in {
            ErrorCode.MALFORMED,
            ErrorCode.TOO_LARGE,
            ErrorCode.UNSUPPORTED,
        }
        assert duels[1].act(DRAW)
    bad.session.seq = lan.server.sessions.by_peer[bad.peer].seq  # it has heard the errors
    assert duels[0].act(PASS)
    assert duels[0].act(PASS)


def test_the_field_the_value_and_the_request_are_named_where_they_can_be_read() -> None:
    lan = Lan()
    duel = Duel(lan)
    message = {"type": "act", "id": 77, "table": "t1", "turn": 1, "action": {"play": "77"}}
    answer = send_raw(lan, duel.anna.peer, msgpack.packb(message))[0]
    assert isinstance(answer, Error)
    assert (answer.re, answer.field) == (77, "action.play")
    assert "77" in answer.detail


def test_a_flood_of_garbage_is_limited_and_costs_the_others_nothing() -> None:
    lan = Lan()
    duel, second = Duel(lan), Duel(lan, names=("cyd", "dan"))
    codes: list[ErrorCode] = []
    for number in range(EXCESS_BURST):
        answer = send_raw(lan, duel.anna.peer, b"\xc0")[0]
        assert isinstance(answer, Error)
        codes.append(answer.code)
        if number % 100 == 0:
            second.act(PASS)
            second.ready()
    assert codes.count(ErrorCode.MALFORMED) <= 128
    assert set(codes) == {ErrorCode.MALFORMED, ErrorCode.RATE_LIMITED}


def test_a_flood_of_good_requests_is_limited_to_64_a_second() -> None:
    lan = Lan()
    anna = lan.client("anna")
    answers = [anna.ask(Ping(0)) for _ in range(200)]
    assert sum(isinstance(answer, Pong) for answer in answers) == 128
    lan.pass_time(1_000)
    answers = [anna.ask(Ping(0)) for _ in range(100)]
    assert sum(isinstance(answer, Pong) for answer in answers) == 64


def test_answers_to_questions_are_not_counted_so_that_play_is_never_limited() -> None:
    duel = Duel(Lan())
    for _ in range(400):
        if duel.room.table.asking:
            duel.act(duel.ask.legal[0])
        else:
            duel.lan.now += 100
            duel.ready()


@given(st.binary(max_size=300))
@settings(max_examples=100)
def test_any_bytes_from_anybody_are_answered_and_nothing_is_raised(data: bytes) -> None:
    lan = Lan()
    anna = lan.client("anna")
    for peer in (anna.peer, b"stranger"):
        answers = send_raw(lan, peer, data)
        assert len(answers) == 1
        assert isinstance(answers[0], Error if peer == anna.peer else Refused)
    lan.settle()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=8),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3)
    ),
    max_leaves=8,
)
KINDS = ("hello", "act", "join", "create", "chat", "resync", "remove", "invite", "ping", "lobby")
FIELDS = ("id", "table", "turn", "action", "seat", "text", "seq", "name", "game", "protocol")


@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5))
@settings(max_examples=100)
def test_any_values_in_any_field_are_answered_and_nothing_is_raised(
    kind: str, fields: dict[str, object]
) -> None:
    lan = Lan()
    duel = Duel(lan)
    data = msgpack.packb({**fields, "type": kind})
    lan.server.receive(lan.now, duel.anna.peer, data)
    out = [frame for frame in lan.server.flush(lan.now) if frame.peer == duel.anna.peer]
    answers = [message for frame in out for message in decode_server(frame.data)]
    assert answers
    assert duel.room.table.asking


def test_a_key_that_the_protocol_does_not_have_is_ignored() -> None:
    lan = Lan()
    duel = Duel(lan)
    message = {"type": "chat", "id": 500, "table": "t1", "text": "hi", "colour": "red"}
    lan.server.receive(lan.now, duel.anna.peer, msgpack.packb(message))
    out = [frame for frame in lan.server.flush(lan.now) if frame.peer == duel.anna.peer]
    assert not isinstance(decode_server(out[0].data)[0], Error)


def test_an_error_repeats_no_secret_and_no_state() -> None:
    lan = Lan()
    duel = Duel(lan)
    hands = [duel.hand(client) for client in (duel.anna, duel.bob)]
    for request in (Act(900, "t1", 999, PASS), Chat(901, "t9", "x")):
        answer = send_raw(lan, duel.other.peer, encode(request))[0]
        assert isinstance(answer, Error)
        assert not [tile for hand in hands for tile in hand if f'"{tile}"' in answer.detail]
