"""Pictures of the screen are what they were; `python -m tests.client.screen.golden` renews them."""

from pathlib import Path

import pytest

from tests.client.screen.kept import GOLDEN, IN_DOCS, kept_pictures

KEPT = kept_pictures()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_a_picture_is_as_it_is_kept(path: Path) -> None:
    assert path.read_text() == KEPT[path]


def test_no_other_picture_is_kept() -> None:
    assert {*GOLDEN.glob("*.txt"), *IN_DOCS.glob("*.svg")} == set(KEPT)
