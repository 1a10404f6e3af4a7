"""The arithmetic of fair deals, and its vectors."""

import hashlib
import hmac
import json
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_protocol.deals import dealt
from passing_protocol.fair_deal import (
    CHAIN_LINKS,
    Chain,
    NoSuchLink,
    WrongLink,
    deal_key,
    link_before,
    list_hash,
    table_code,
    verify_link,
)
from passing_protocol.resources import find_data
from passing_protocol.views import SeatTip, Tip, TipList
from passing_rules import Deal

ROOTS = st.binary(min_size=32, max_size=32)
BASES = st.integers(0, 1_000)
INDEXES = st.integers(1, CHAIN_LINKS)
SEATS = st.sets(st.integers(0, 3))
MATCHES = st.text(min_size=1, max_size=12)


def naive_list_hash(match: str, tips: TipList) -> bytes:
    """Return the hash of a list as PROTOCOL.md describes it."""
    parts = [match.encode(), tips.version.to_bytes(8, "big"), tips.server.base.to_bytes(8, "big")]
    parts.append(bytes.fromhex(tips.server.tip))
    for entry in tips.seats:
        parts += [entry.seat.to_bytes(8, "big"), entry.base.to_bytes(8, "big")]
        parts.append(bytes.fromhex(entry.tip))
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.new(b"passing-game tips", framed, hashlib.sha256).digest()


@st.composite
def tip_lists(draw: st.DrawFn) -> TipList:
    """Draw a list of tips, its seats in order."""
    server = Tip(draw(BASES), draw(ROOTS).hex())
    seats = [SeatTip(seat, draw(BASES), draw(ROOTS).hex()) for seat in sorted(draw(SEATS))]
    return TipList(draw(st.integers(1, 99)), server, seats)


@given(ROOTS, BASES)
def test_the_links_of_a_chain_hash_to_one_another_and_the_first_to_the_tip(
    root: bytes, base: int
) -> None:
    chain = Chain(root, base)
    links = [chain.tip, *(chain.link(base + index) for index in range(1, CHAIN_LINKS + 1))]
    assert links[-1] == root
    for link, before in zip(links[1:], links, strict=False):
        assert hashlib.sha256(b"passing-game link" + link).digest() == before
        assert link_before(link) == before
    assert len(set(links)) == CHAIN_LINKS + 1


@given(ROOTS, BASES, st.one_of(st.integers(-5, 0), st.integers(CHAIN_LINKS + 1, 999)))
def test_a_chain_has_no_link_before_its_first_deal_and_none_after_its_last(
    root: bytes, base: int, index: int
) -> None:
    chain = Chain(root, base)
    with pytest.raises(NoSuchLink, match=f"deals {base + 1} to {base + CHAIN_LINKS}"):
        chain.link(base + index)
    with pytest.raises(NoSuchLink):
        verify_link(chain.shown, base + index, root)


@given(ROOTS, BASES, st.integers(0, CHAIN_LINKS), st.integers(0, 99))
def test_each_deal_begun_leaves_one_link_less(
    root: bytes, base: int, begun: int, more: int
) -> None:
    chain = Chain(root, base)
    assert chain.left(base + begun) == CHAIN_LINKS - begun
    assert chain.left(base + CHAIN_LINKS + more) == 0


@given(ROOTS, BASES, INDEXES, INDEXES)
def test_a_link_is_good_for_its_own_deal_alone(
    root: bytes, base: int, index: int, other: int
) -> None:
    chain = Chain(root, base)
    link = chain.link(base + index)
    verify_link(chain.shown, base + index, link)
    verify_link(SeatTip(2, base, chain.tip.hex()), base + index, link)
    if other != index:
        with pytest.raises(WrongLink):
            verify_link(chain.shown, base + other, link)


@given(ROOTS, ROOTS, BASES, INDEXES)
def test_the_link_of_another_chain_does_not_fit(
    root: bytes, other: bytes, base: int, index: int
) -> None:
    if root != other:
        with pytest.raises(WrongLink):
            verify_link(
                Chain(root, base).shown, base + index, Chain(other, base).link(base + index)
            )


def test_nothing_secret_is_printed_of_a_chain() -> None:
    chain = Chain(b"\x5a" * 32, 3)
    assert "5a5a" not in repr(chain)
    assert "ZZZZ" not in repr(chain)


@given(MATCHES, tip_lists())
def test_the_hash_of_a_list_is_as_written(match: str, tips: TipList) -> None:
    assert list_hash(match, tips) == naive_list_hash(match, tips)


@given(MATCHES, tip_lists())
def test_the_order_in_which_seats_are_told_does_not_matter(match: str, tips: TipList) -> None:
    turned = TipList(tips.version, tips.server, tips.seats[::-1])
    assert list_hash(match, turned) == list_hash(match, tips)


@given(MATCHES, MATCHES, tip_lists(), tip_lists())
def test_lists_that_differ_have_other_hashes(
    match: str, other_match: str, tips: TipList, other: TipList
) -> None:
    same = (match, tips) == (other_match, other)
    assert (list_hash(match, tips) == list_hash(other_match, other)) == same


def test_a_table_code_is_40_slow_bits_in_crockfords_characters() -> None:
    hash_ = bytes(range(32))
    code = table_code(hash_)
    assert len(code) == 9
    assert code[4] == "-"
    value = 0
    for char in code.replace("-", ""):
        value = value * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".index(char)
    slow = hashlib.scrypt(hash_, salt=b"passing-game table code", n=16_384, r=8, p=1, dklen=5)
    assert value.to_bytes(5, "big") == slow


@given(ROOTS, ROOTS, st.dictionaries(st.integers(0, 3), ROOTS), st.integers(1, 999), MATCHES)
def test_the_key_of_a_deal_is_as_written(
    server: bytes, hash_: bytes, links: dict[int, bytes], deal: int, match: str
) -> None:
    parts = [b"passing-game fair deal", match.encode(), deal.to_bytes(8, "big"), hash_]
    parts += [links[seat] for seat in range(4) if seat in links]
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    expected = hmac.new(server, framed, hashlib.sha256).digest()
    assert deal_key(match, deal, hash_, server, links) == expected


@given(ROOTS, ROOTS, st.dictionaries(st.integers(0, 3), ROOTS, min_size=1), st.integers(1, 999))
def test_another_link_of_anybody_gives_another_key(
    server: bytes, other: bytes, links: dict[int, bytes], deal: int
) -> None:
    key = deal_key("m", deal, b"list", server, links)
    for seat, link in links.items():
        if link != other:
            assert deal_key("m", deal, b"list", server, {**links, seat: other}) != key
    assert deal_key("m", deal + 1, b"list", server, links) != key
    assert deal_key("m", deal, b"other", server, links) != key


@given(ROOTS, st.integers(2, 4))
def test_a_key_gives_one_deal_and_one_leader(key: bytes, seats: int) -> None:
    deal, leader = dealt(key, seats)
    assert (deal, leader) == dealt(key, seats)
    assert len(deal.hands) == seats
    assert Deal.parse(str(deal)) == deal
    assert 0 <= leader < seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r1_5_every_seat_leads_about_as_often(seats: int) -> None:
    keys = (number.to_bytes(32, "big") for number in range(1_200))
    leaders = Counter(dealt(key, seats)[1] for key in keys)
    assert set(leaders) == set(range(seats))
    assert min(leaders.values()) > 0.8 * 1_200 / seats


# --- vectors ----------------------------------------------------------------------------------

VECTORS = json.loads(
    (find_data("vectors") / "protocol" / "fair_deals.json").read_text(encoding="utf-8")
)


def some(name: str) -> list[dict[str, Any]]:
    """Return the vectors of a kind."""
    found = [vector for vector in VECTORS if vector["name"] == name]
    assert found
    return found


@pytest.mark.parametrize("vector", some("chain"))
def test_a_chain_vector(vector: dict[str, Any]) -> None:
    chain = Chain(bytes.fromhex(vector["root"]), vector["base"])
    assert chain.tip.hex() == vector["tip"]
    for deal, link in vector["links"].items():
        assert chain.link(int(deal)).hex() == link
        verify_link(Tip(vector["base"], vector["tip"]), int(deal), bytes.fromhex(link))


@pytest.mark.parametrize("vector", some("list"))
def test_a_list_vector(vector: dict[str, Any]) -> None:
    tips = msgspec.convert(vector, TipList)
    hash_ = naive_list_hash(vector["match"], tips)
    assert (hash_.hex(), table_code(hash_)) == (vector["hash"], vector["code"])


@pytest.mark.parametrize("vector", some("deal"))
def test_a_deal_vector(vector: dict[str, Any]) -> None:
    links = {given["seat"]: bytes.fromhex(given["link"]) for given in vector["links"]}
    key = deal_key(
        vector["match"],
        vector["deal_number"],
        bytes.fromhex(vector["hash"]),
        bytes.fromhex(vector["server"]),
        links,
    )
    assert key.hex() == vector["key"]
    deal, leader = dealt(key, vector["seats"])
    assert (str(deal), leader) == (vector["deal"], vector["leader"])
