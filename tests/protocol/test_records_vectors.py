"""The vectors of game records: fresh, small, and read as they say."""

import json
from pathlib import Path

import pytest

from passing_protocol.records import (
    InvalidRecord,
    decode,
    departure,
    record_as_json,
    verify_records,
    write,
)
from passing_protocol.resources import find_data
from tests.support.records_vectors import FOLDER, documents

MOST_BYTES = 300_000
GOOD = sorted((FOLDER / "good").glob("*.pass"))
BAD = sorted((FOLDER / "bad").glob("*.pass"))


def test_the_vectors_are_what_is_made_now() -> None:
    """Stale? Look why, then `python -m tests.support.records_vectors`."""
    made = dict(documents())
    assert len(made) == len(list(documents())), "two have one name"
    files = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in FOLDER.rglob("*")
        if path.is_file()
    }
    assert files == made


def test_they_are_small_and_come_with_the_protocol() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*")) < MOST_BYTES
    assert (find_data("vectors") / "records" / "good" / "one_round.pass").is_file()


def beside(path: Path) -> object:
    return json.loads(path.with_suffix(".json").read_text("ascii"))


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good(path: Path) -> None:
    text = decode(path.read_bytes())
    records = verify_records(text)
    canonical = departure(text, records) is None
    assert (write(records) == text) == canonical
    told = [record_as_json(record) for record in records]
    assert beside(path) == {"canonical": canonical, "records": told}


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad(path: Path) -> None:
    with pytest.raises(InvalidRecord) as caught:
        verify_records(decode(path.read_bytes()))
    place = caught.value.place
    assert beside(path) == {
        "offset": place.offset,
        "line": place.line,
        "column": place.column,
        "message": caught.value.message,
    }


def test_there_are_both_canonical_ones_and_others() -> None:
    assert len(GOOD) > 10
    assert len(BAD) > 100
    assert '"canonical": false' in (FOLDER / "good/as_people_write.json").read_text("ascii")
