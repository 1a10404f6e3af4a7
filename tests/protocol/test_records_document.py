"""RECORDS.md says what is so: its examples are right, and its grammar is that of what we write."""

import json
import re
from dataclasses import fields

import pytest
from hypothesis import given, settings

from passing_protocol.records import (
    InvalidRecord,
    Record,
    RoundRecord,
    record_as_json,
    seen_by,
    verify_records,
    write,
)
from passing_protocol.resources import read_data
from tests.support.records import OPEN, WHOLE, blocks, full_records, views
from tests.support.records_abnf import Grammar

GRAMMAR = Grammar("".join(blocks("abnf")))
FILE = re.compile(GRAMMAR.rule("file"))
WRONG = re.findall(
    r"^\| `(.+?)` \| `(.+?)` \| `(line .+)` \|$", read_data("RECORDS.md"), re.MULTILINE
)


@pytest.mark.parametrize("text", blocks("pass"))
def test_examples_are_right_and_canonical(text: str) -> None:
    assert write(verify_records(text)) == text


def test_the_part_is_a_seat_s_view_of_the_second_example() -> None:
    (part,) = blocks("pass-part")
    (record,) = verify_records(OPEN)
    assert write([seen_by(record, 1)]).endswith(f"\n\n{part}")


@pytest.mark.parametrize(("instead", "put", "told"), WRONG)
def test_what_is_wrong_is_told_as_the_table_says(instead: str, put: str, told: str) -> None:
    assert WHOLE.count(instead) == 1
    with pytest.raises(InvalidRecord) as caught:
        verify_records(WHOLE.replace(instead, put))
    assert str(caught.value) == told


def test_the_table_of_what_is_wrong_is_found() -> None:
    assert len(WRONG) > 5


@settings(max_examples=25)
@given(full_records())
def test_the_grammar_is_that_of_every_record(record: Record) -> None:
    for view in views(record):
        assert FILE.fullmatch(write([view, view]))


@pytest.mark.parametrize(
    ("instead", "put"),
    [
        ("  02>", " 02>"),
        (" = 28", "= 28"),
        ("full", "Full"),
        ("d66", "66d"),
        ("won 1 +21", "won +21"),
    ],
)
def test_the_grammar_has_nothing_else(instead: str, put: str) -> None:
    assert FILE.fullmatch(WHOLE)
    assert instead in WHOLE
    assert not FILE.fullmatch(WHOLE.replace(instead, put))


def test_every_rule_of_the_grammar_is_used() -> None:
    assert set(GRAMMAR.bodies) <= GRAMMAR.used


def test_the_fields_of_the_json_are_told() -> None:
    told = set(re.findall(r"`(\w+)`", read_data("RECORDS.md").split("## As JSON")[1]))
    (record,) = verify_records(WHOLE)
    value = json.loads(json.dumps(record_as_json(record)))
    assert set(value) <= told
    assert set(value["rounds"][0]) <= told
    assert set(value["rounds"][0]["result"]) <= told
    assert set(value["outcome"]) <= told
    assert set(value["rounds"][0]) >= {field.name for field in fields(RoundRecord)} - {"left"}
