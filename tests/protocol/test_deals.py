"""Deals from keys: the same everywhere, and without bias. The vectors are in test_generated."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.deals import ByteStream, bot_seed, deal_and_leader, derive, shuffled
from passing_rules import ALL_TILES, Deal

KEYS = st.binary(min_size=16, max_size=32)


def naive_bytes(key: bytes, count: int) -> bytes:
    """Return the first bytes of a stream as PROTOCOL.md describes it."""
    blocks = range(count // 32 + 1)
    return b"".join(
        hmac.new(key, block.to_bytes(8, "big"), hashlib.sha256).digest() for block in blocks
    )[:count]


@given(KEYS)
def test_a_stream_is_hmac_of_the_block_numbers(key: bytes) -> None:
    stream = ByteStream(key)
    assert bytes(stream.byte() for _ in range(100)) == naive_bytes(key, 100)


@given(KEYS, st.integers(1, 256))
def test_below_skips_bytes_beyond_the_last_whole_multiple(key: bytes, bound: int) -> None:
    stream = ByteStream(key)
    limit = 256 // bound * bound
    expected = [byte % bound for byte in naive_bytes(key, 2_000) if byte < limit][:8]
    assert [stream.below(bound) for _ in expected] == expected


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 28, 100, 255, 256])
def test_every_number_below_comes_from_equally_many_bytes(bound: int) -> None:
    counts = Counter(byte % bound for byte in range(256 - 256 % bound))
    assert set(counts.values()) == {256 // bound}
    assert set(counts) == set(range(bound))


@given(KEYS)
def test_a_shuffled_deck_holds_every_tile_once(key: bytes) -> None:
    assert sorted(shuffled(ByteStream(key))) == list(ALL_TILES)


def test_every_tile_comes_to_every_place_about_as_often() -> None:
    decks = [shuffled(ByteStream(number.to_bytes(16, "big"))) for number in range(2_800)]
    for place in (0, 13, 27):
        counts = Counter(deck[place] for deck in decks)
        assert len(counts) == 28
        assert 60 <= min(counts.values()) <= max(counts.values()) <= 145  # 100 expected, 4.5 sigma


@given(KEYS, st.integers(1, 2**32), st.integers(1, 2**32), st.integers(2, 4))
def test_the_same_key_gives_the_same_deal_and_leader(
    key: bytes, match: int, number: int, seats: int
) -> None:
    deal, leader = deal_and_leader(key, match, number, seats)
    assert (deal, leader) == deal_and_leader(key, match, number, seats)
    assert len(deal.hands) == seats
    assert 0 <= leader < seats
    assert Deal.parse(str(deal)) == deal


@given(KEYS, st.integers(1, 99), st.integers(1, 99), st.integers(2, 4))
def test_another_match_round_or_key_gives_another_deal(
    key: bytes, match: int, number: int, seats: int
) -> None:
    deals = {
        str(deal_and_leader(k, m, n, seats)[0])
        for k, m, n in (
            (key, match, number),
            (key, match + 1, number),
            (key, match, number + 1),
            (key + b"\x01", match, number),
        )
    }
    assert len(deals) == 4


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r1_5_every_seat_leads_about_as_often(seats: int) -> None:
    leaders = Counter(deal_and_leader(b"leaders", 1, number, seats)[1] for number in range(1_200))
    assert set(leaders) == set(range(seats))
    assert min(leaders.values()) > 0.8 * 1_200 / seats


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_parts_that_differ_derive_different_keys(one: list[bytes], other: list[bytes]) -> None:
    assert (derive(b"key", *one) == derive(b"key", *other)) == (one == other)


@given(KEYS)
def test_each_seat_has_a_seed_of_its_own_that_tells_no_deal(key: bytes) -> None:
    seeds = {bot_seed(key, seat) for seat in range(4)}
    assert len(seeds) == 4
    assert all(len(bytes.fromhex(seed)) == 16 for seed in seeds)
    assert key.hex() not in seeds
