"""Datagrams of discovery: as long as they have to be, and nothing else is taken for one."""

import json

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_protocol.discovery import (
    DATAGRAM_BYTES,
    Find,
    Here,
    InvalidDatagram,
    answer,
    number,
    query,
    read_answer,
    read_query,
)
from passing_protocol.names import NAME_CHARS, clean_name
from tests.support.servers_found import KEY, NONCE, here

NONCES = st.binary(min_size=16, max_size=16).map(bytes.hex)
COUNTS = st.integers(0, 65_535)
VERSIONS = st.tuples(COUNTS, COUNTS).map(sorted).map(lambda pair: (pair[0], pair[1]))
HERES = st.builds(
    Here,
    nonce=NONCES,
    versions=VERSIONS,
    id=st.binary(min_size=8, max_size=8).map(bytes.hex),
    name=st.text(min_size=1, max_size=NAME_CHARS),
    port=st.integers(1, 65_535),
    tables=COUNTS,
    seats=COUNTS,
    people=COUNTS,
    engines=COUNTS,
    key=st.none() | st.just(KEY),
)


@given(NONCES)
def test_a_query_has_its_length_and_is_read_as_it_was_written(nonce: str) -> None:
    data = query(nonce)
    assert len(data) == DATAGRAM_BYTES
    assert read_query(data).nonce == nonce


@given(HERES)
def test_an_answer_is_no_longer_than_a_query_and_is_read_as_it_was_written(told: Here) -> None:
    data = answer(told)
    assert len(data) <= DATAGRAM_BYTES
    assert read_answer(data, told.nonce) == replace(told, name=clean_name(told.name) or "server")


def test_the_longest_name_of_the_wire_leaves_an_answer_within_the_length() -> None:
    name, most = "\U0001f468" * NAME_CHARS, 65_535
    told = Here(NONCE, (most, most), "f" * 16, name, most, most, most, most, most, KEY)
    assert len(msgspec.msgpack.encode(told)) <= DATAGRAM_BYTES


@given(st.binary(max_size=DATAGRAM_BYTES + 2) | st.binary(min_size=512, max_size=512))
def test_garbage_is_neither(data: bytes) -> None:
    with pytest.raises(InvalidDatagram):
        read_query(data)
    with pytest.raises(InvalidDatagram):
        read_answer(data, NONCE)


@pytest.mark.parametrize("length", [0, 1, 300, DATAGRAM_BYTES - 1, DATAGRAM_BYTES + 1])
def test_a_query_of_another_length_is_none(length: int) -> None:
    data = (query(NONCE) + b".")[:length]
    with pytest.raises(InvalidDatagram, match=f"^{length} bytes"):
        read_query(data)


def test_a_bare_query_is_too_short_to_be_answered() -> None:
    with pytest.raises(InvalidDatagram):
        read_query(msgspec.msgpack.encode(Find(NONCE)))


def test_an_answer_to_another_query_is_none() -> None:
    with pytest.raises(InvalidDatagram, match="nonce"):
        read_answer(answer(here()), NONCE[::-1], NONCE[1:] + "0", NONCE + NONCE)
    with pytest.raises(InvalidDatagram, match="nonce"):
        read_answer(answer(here()))
    assert read_answer(answer(here()), NONCE[::-1], NONCE).nonce == NONCE


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("passing", "find"),
        ("versions", [1, 0]),
        ("versions", [0]),
        ("versions", [-1, 0]),
        ("id", "0123456789ABCDEF"),
        ("id", ""),
        ("name", ""),
        ("name", "n" * (NAME_CHARS + 1)),
        ("port", 0),
        ("port", 65_536),
        ("tables", -1),
        ("people", "4"),
        ("key", "short"),
        ("key", "\n" * 40),
    ],
)
def test_an_answer_with_a_wrong_field_is_none(field: str, value: object) -> None:
    data = msgpack.packb(msgpack.unpackb(answer(here())) | {field: value})
    with pytest.raises(InvalidDatagram):
        read_answer(data, NONCE)


def test_what_a_newer_server_adds_is_left_out() -> None:
    told = here()
    data = msgpack.packb(msgpack.unpackb(answer(told)) | {"motto": "pass"})
    assert read_answer(data, NONCE) == told


def test_a_name_is_harmless_on_either_side() -> None:
    evil = "\x1b[2Jden\u202e"
    assert msgpack.unpackb(answer(here(evil)))["name"] == "den"
    raw = msgspec.msgpack.encode(here(evil))
    assert read_answer(raw, NONCE).name == "den"
    assert read_answer(msgspec.msgpack.encode(here("\u200b")), NONCE).name == "server"


def test_an_answer_tells_counts_and_no_names_but_the_servers() -> None:
    told = msgpack.unpackb(answer(here()))
    texts = [value for value in told.values() if isinstance(value, str)]
    assert sorted(texts) == sorted(["here", NONCE, "0123456789abcdef", "den"])
    assert json.dumps(told)


@pytest.mark.parametrize(("count", "told"), [(0, 0), (65_535, 65_535), (70_000, 65_535)])
def test_a_count_is_told_as_far_as_there_is_room(count: int, told: int) -> None:
    assert number(count) == told
