"""The short way to read an `act` takes nothing that the long way would refuse."""

from typing import cast

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_protocol.codec import CodecError, decode_client, encode
from passing_protocol.messages import Act
from passing_protocol.wire import action_message
from passing_rules import ALL_TILES, Draw, End, Pass, Play

Pairs = list[tuple[str, object]]

actions = st.one_of(
    st.just(Draw()),
    st.just(Pass()),
    st.builds(Play, st.sampled_from(ALL_TILES), st.sampled_from((None, *End))),
)
acts = st.builds(
    Act,
    id=st.integers(0, 2**53),
    table=st.text(min_size=1, max_size=8),
    turn=st.integers(0, 2**53),
    action=actions.map(action_message),
)


def once_each(pairs: Pairs) -> dict[str, object]:
    built = dict(pairs)
    if len(built) != len(pairs):
        raise ValueError("a key is there twice")
    return built


def packed(pairs: Pairs) -> bytes:
    """Write a map with its keys in that order, repeated ones too."""
    packer = msgpack.Packer()
    return packer.pack_map_header(len(pairs)) + b"".join(
        packer.pack(key) + packer.pack(value) for key, value in pairs
    )


@given(acts)
def test_an_act_comes_back_as_it_was_written(act: Act) -> None:
    assert decode_client(encode(act)) == act


@settings(max_examples=300)
@given(acts, st.data())
def test_an_act_with_other_bytes_is_refused_or_means_what_they_say(
    act: Act, data: st.DataObject
) -> None:
    frame = bytearray(encode(act))
    place = data.draw(st.integers(0, len(frame) - 1))
    frame[place : place + data.draw(st.integers(0, 1))] = data.draw(st.binary(max_size=2))
    try:
        message = decode_client(bytes(frame))
    except CodecError:
        return
    value = cast("object", msgpack.unpackb(bytes(frame), object_pairs_hook=once_each))
    assert message == msgspec.convert(value, type(message))


@given(acts, st.data())
def test_the_order_of_its_keys_and_unknown_ones_change_nothing(
    act: Act, data: st.DataObject
) -> None:
    pairs = [*cast("dict[str, object]", msgpack.unpackb(encode(act))).items(), ("seat", 1)]
    assert decode_client(packed(data.draw(st.permutations(pairs)))) == act


@given(acts, st.sampled_from(("type", "id", "table", "turn", "action")))
def test_a_key_that_is_there_twice_is_refused_though_it_says_the_same(act: Act, key: str) -> None:
    fields = cast("dict[str, object]", msgpack.unpackb(encode(act)))
    with pytest.raises(CodecError, match="malformed"):
        decode_client(packed([*fields.items(), (key, fields[key])]))
