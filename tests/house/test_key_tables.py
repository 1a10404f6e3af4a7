"""The documents name the keys that there are."""

from pathlib import Path

import pytest

from tests.support.key_tables import EXPLAINED, MOST_USED, TABLES, shown, table


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_a_document_has_the_keys_of_the_full_screen(path: Path) -> None:
    assert shown(path) == table(TABLES[path]), "run python -m tests.support.key_tables"


def test_the_most_used_keys_are_some_of_all() -> None:
    assert set(MOST_USED) < set(EXPLAINED)
    assert table(MOST_USED).count("\n") == len(MOST_USED) + 2
