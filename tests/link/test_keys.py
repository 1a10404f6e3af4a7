"""Keys: texts and bytes are the same key, and no secret is ever shown."""

import pytest
import zmq
from hypothesis import given
from hypothesis import strategies as st

from passing_link.keys import InvalidKey, KeyPair, Security, key_bytes, key_text

KEYS = st.binary(min_size=32, max_size=32)


@given(KEYS)
def test_a_key_is_the_same_as_bytes_and_as_text(key: bytes) -> None:
    text = key_text(key)
    assert len(text) == 40
    assert key_bytes(text) == key


@given(st.text(max_size=60))
def test_any_text_is_a_key_or_is_refused(text: str) -> None:
    try:
        key = key_bytes(text)
    except InvalidKey:
        return
    assert key_text(key) == text


@pytest.mark.parametrize("text", ["", "x" * 39, "x" * 45, "#" * 40, "é" * 40, " " * 40, "~" * 40])
def test_these_texts_are_no_keys(text: str) -> None:
    with pytest.raises(InvalidKey) as refused:
        key_bytes(text)
    assert str(refused.value) == "a key has 40 characters of Z85, and this text has not"


@given(st.binary(max_size=40).filter(lambda data: len(data) != 32))
def test_bytes_of_another_length_are_no_key(data: bytes) -> None:
    with pytest.raises(InvalidKey, match=f"not {len(data)}$"):
        key_text(data)


@given(KEYS)
def test_a_secret_key_always_gives_the_same_pair(secret: bytes) -> None:
    pair = KeyPair.of_secret(secret)
    assert pair.secret == key_text(secret)
    assert pair == KeyPair.of_secret_text(pair.secret)
    assert pair.public == zmq.curve_public(pair.secret.encode()).decode()


def test_new_pairs_differ() -> None:
    assert KeyPair.new() != KeyPair.new()


def test_neither_a_pair_nor_a_security_shows_its_secret() -> None:
    pair = KeyPair.new()
    shown = f"{pair} {pair!r} {Security(KeyPair.new().public, pair)!r} {[pair]}"
    assert pair.public in shown
    assert pair.secret not in shown


def test_what_is_no_key_makes_no_pair_and_no_security() -> None:
    good = KeyPair.new()
    for bad in ("", good.public[1:], good.public + "x"):
        for make in (
            lambda bad=bad: KeyPair(bad, good.secret),
            lambda bad=bad: KeyPair(good.public, bad),
            lambda bad=bad: KeyPair.of_secret_text(bad),
            lambda bad=bad: Security(bad, good),
        ):
            with pytest.raises(InvalidKey):
                make()
