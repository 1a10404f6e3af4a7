"""The proof of fair deals in records: written, read, hidden and checked."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from passing_protocol.events import SeatLink
from passing_protocol.records import (
    InvalidRecord,
    InvalidValue,
    ProvenDeal,
    ProvenList,
    parse,
    record_as_json,
    seen_by,
    verify_records,
    write,
)
from passing_protocol.views import GameOptions, SeatTip, Tip, TipList
from tests.support.records_proof import ProvenTable, proven_record

RECORD = proven_record(3)
TEXT = write([RECORD])
TIP = "ab" * 32


@settings(max_examples=12)
@given(st.integers(2, 4), st.integers(0, 99), st.integers(1, 3))
def test_a_proof_is_read_as_it_is_written_and_is_right(seats: int, seed: int, rounds: int) -> None:
    record = proven_record(seats, seed, rounds)
    text = write([record, record])
    assert parse(text) == verify_records(text) == (record, record)
    assert len(record.proof) == rounds + 3


def test_a_proof_stands_at_the_end() -> None:
    lines = TEXT.splitlines()
    at = max(n for n, line in enumerate(lines) if not line)
    proof = lines[at + 1 :]
    assert [line.split()[1:3] for line in proof] == [
        ["list", "1"],
        ["deal", "1"],
        ["void", "2"],
        ["list", "2"],
        ["deal", "3"],
    ]
    assert proof[2].endswith(" missing 1]")


def test_a_proof_may_stand_where_no_round_and_no_end_is_told() -> None:
    table = ProvenTable(2, 0, GameOptions(seats=2))
    table.begin_deal()
    table.happen(table.shown(void=True))
    record = table.record()
    text = write([record])
    assert verify_records(text) == (record,)
    assert verify_records(write([record, record])) == (record, record)


def test_a_proof_as_json() -> None:
    told = cast("list[dict[str, Any]]", record_as_json(RECORD)["proof"])
    assert len(told) == 5
    first, deal = RECORD.proof[0], RECORD.proof[1]
    assert isinstance(first, ProvenList)
    assert isinstance(deal, ProvenDeal)
    assert told[0]["list"]["seats"][0] == {"seat": 0, "base": 0, "tip": first.tips.seats[0].tip}
    assert (told[1]["deal"], told[1]["round"], told[1]["list"]) == (1, 1, 1)
    assert told[2]["missing"] == [1]


# --- who may know what


def test_an_unfinished_round_has_no_proof_for_those_from_whom_it_is_hidden() -> None:
    table = ProvenTable(2, 3, GameOptions(seats=2))
    table.play()
    table.begin_round()
    table.act()
    table.happen(table.shown())
    record = table.record()
    assert verify_records(write([record])) == (record,)
    for seat in (0, None):
        seen = seen_by(record, seat)
        assert seen.proof == record.proof[:2]
        assert verify_records(write([seen])) == (seen,)
    told = replace(seen_by(record, 0), proof=record.proof)
    with pytest.raises(InvalidRecord, match="the seat 0 view hides it"):
        verify_records(write([told]))


def test_where_hands_stay_hidden_only_lists_are_known() -> None:
    seen = seen_by(RECORD, 0, hidden_after_end=True)
    assert [type(entry) for entry in seen.proof] == [ProvenList, ProvenList]
    assert verify_records(write([seen])) == (seen,)


# --- what is wrong


def turned(text: str) -> str:
    """Return a hexadecimal digit turned into another."""
    return ("1" if text[0] == "0" else "0") + text[1:]


def changed(pattern: str) -> Callable[[str], str]:
    """Return what turns the first digit of the 32 bytes that a pattern has in a group."""

    def change(text: str) -> str:
        found = re.search(pattern, text)
        assert found is not None
        at = found.start(1)
        return text[:at] + turned(text[at:])

    return change


WRONG: list[tuple[Callable[[str], str], str]] = [
    (lambda text: text.replace('[Deal "fair"]', '[Deal "server"]'), "the deals are server"),
    (lambda text: text.replace('[Match "m1"]\n', ""), "needs the tag Match"),
    (lambda text: text.replace("Proof list 2", "Proof list 1"), "list 1, expected one after 1"),
    (lambda text: text.replace("Proof void 2", "Proof void 1"), "deal 1, expected one after 1"),
    (lambda text: text.replace("3 round 2 list 2", "3 round 2 list 7"), "list 7 is not told"),
    (lambda text: text.replace("3 round 2 list 2", "3 round 1 list 2"), "round 1 is not one"),
    (lambda text: text.replace("3 round 2 list 2", "3 round 3 list 2"), "round 3 is not one"),
    (lambda text: text.replace("3 round 2", "4 round 2"), "the server's link does not lead"),
    (changed(r"deal 1 round 1 list 1 server ([0-9a-f]{64})"), "the server's link does not lead"),
    (
        changed(r"deal 1 round 1 list 1 server [0-9a-f]{64} seat 0 ([0-9a-f]{64})"),
        "the link of seat 0 does not lead to its tip",
    ),
    (
        lambda text: re.sub(r"(deal 1 .*) seat 2 [0-9a-f]{64}", r"\1", text),
        "the link of seat 2 is not told",
    ),
    (
        lambda text: re.sub(r"(deal 3 .*) seat 2 ", rf"\1 seat 1 {TIP} seat 2 ", text),
        "seat 1 is not on list 2",
    ),
    (lambda text: text.replace('[Match "m1"]', '[Match "m2"]'), "do not follow from the links"),
    (
        lambda text: text.replace("[Proof list 1 ", "[Proof what 1 "),
        "expected list or deal or void",
    ),
    (lambda text: re.sub(r" seat 1 0 [0-9a-f]{64}", " seat 0 0 " + TIP, text), "a higher seat"),
    (lambda text: text.replace(" missing 1]", " missing 1 0]"), "a higher number"),
    (lambda text: text.replace(" missing 1]", " missing 1] x"), "the end of the line"),
    (lambda text: re.sub(r"(server 0 [0-9a-f]{63})[0-9a-f]", r"\1g", text), "64 hexadecimal"),
    (lambda text: f"{text}round 3", "expected more of the proof or the next game"),
    (lambda text: text.replace('[Game "', '[Proof "x"]\n[Game "'), "Game"),
]


@pytest.mark.parametrize(("change", "message"), WRONG, ids=[told for _, told in WRONG])
def test_a_wrong_proof_is_found(change: Callable[[str], str], message: str) -> None:
    text = change(TEXT)
    assert text != TEXT
    with pytest.raises(InvalidRecord, match=re.escape(message)):
        verify_records(text)


def test_a_leader_whom_chance_did_not_pick_is_found() -> None:
    table = ProvenTable(2, 5, GameOptions(seats=2, max_rounds=1))
    table.begin_deal()
    deal, leader = table.deal()
    table.match.begin_round(deal, 1 - leader)
    while not table.at_rest:
        table.match.do(table.current.to_act, table.current.legal_actions()[0])
    table.happen(table.shown())
    with pytest.raises(InvalidRecord, match=f"round 1 is led by {1 - leader}, its links give"):
        verify_records(write([table.record()]))


# --- values that cannot be


IMPOSSIBLE: list[Callable[[], object]] = [
    lambda: ProvenList(TipList(1, Tip(0, "x"), [])),
    lambda: ProvenList(TipList(1, Tip(0, TIP), [SeatTip(1, 0, TIP), SeatTip(0, 0, TIP)])),
    lambda: ProvenDeal(1, 1, "x", (), 1),
    lambda: ProvenDeal(1, 1, TIP, (SeatLink(0, "AB" * 32),), 1),
    lambda: ProvenDeal(1, 1, TIP, (SeatLink(0, TIP), SeatLink(0, TIP)), 1),
    lambda: ProvenDeal(1, 1, TIP, (), None, (1, 0)),
    lambda: ProvenDeal(1, 1, TIP, (), 1, (1,)),
    lambda: replace(RECORD, tags=(("Proof", "x"),)),
]


@pytest.mark.parametrize("make", IMPOSSIBLE)
def test_a_value_that_would_be_read_as_another_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidValue):
        make()


def test_what_was_shown_becomes_a_line() -> None:
    table = ProvenTable(2, 0, GameOptions(seats=2))
    table.begin_deal()
    shown = table.shown()
    assert ProvenDeal.shown(shown, 4).round == 4
    assert ProvenDeal.shown(with_fields(shown, void=True), 4).round is None
