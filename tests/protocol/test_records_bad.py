"""What is not right is refused at its first wrong piece, of form or of content."""

import pytest

from passing_protocol.records import InvalidRecord, parse, verify_records
from tests.support.records_bad import RULES, SYNTAX, TWICE, Bad


def verify_place(error: InvalidRecord, bad: Bad) -> None:
    """The place is the one that was marked, in bytes, lines and columns alike."""
    before = bad.text.encode()[: bad.offset].decode()
    place = error.place
    assert (place.offset, place.line) == (bad.offset, before.count("\n") + 1), str(error)
    assert place.column == len(before) - before.rfind("\n")
    assert str(error) == f"{place}: {error.message}"
    assert bad.told in error.message


@pytest.mark.parametrize("bad", SYNTAX, ids=lambda bad: bad.name)
def test_no_record(bad: Bad) -> None:
    with pytest.raises(InvalidRecord) as caught:
        parse(bad.text)
    verify_place(caught.value, bad)


@pytest.mark.parametrize("bad", RULES, ids=lambda bad: bad.name)
def test_no_match(bad: Bad) -> None:
    parse(bad.text)
    with pytest.raises(InvalidRecord) as caught:
        verify_records(bad.text)
    verify_place(caught.value, bad)


@pytest.mark.parametrize("bad", TWICE, ids=lambda bad: bad.name)
def test_the_first_of_two(bad: Bad) -> None:
    with pytest.raises(InvalidRecord) as form:
        parse(bad.text)
    with pytest.raises(InvalidRecord) as caught:
        verify_records(bad.text)
    verify_place(caught.value, bad)
    assert form.value.place.offset >= caught.value.place.offset
