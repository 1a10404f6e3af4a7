"""The full screen fits in every language, also in one whose texts are longer by two fifths."""

import re
from collections.abc import Callable

import pytest

from passing_client.language import use
from passing_client.screen.picture import Picture
from tests.client.screen.catalogue import PICTURES
from tests.client.screen.endings import check_size, texts
from tests.client.screen.pages_catalogue import PAGES
from tests.support.catalogues import TRANSLATED
from tests.support.pseudo import CODE, pseudo_catalogues

ALL = {**PICTURES, **PAGES}
SIZE = re.compile(r"-(\d+)x(\d+)")


def check_fits(name: str, make: Callable[[], Picture]) -> None:
    size = SIZE.search(name)
    assert size is not None
    check_size(make(), int(size[1]), int(size[2]))


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_picture_fits_its_screen(code: str) -> None:
    use(code)
    for name, make in ALL.items():
        check_fits(name, make)


def test_every_picture_fits_where_texts_are_longer(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    pseudo_catalogues(tmp_path_factory.mktemp("pseudo"), monkeypatch)
    use(CODE)
    for name, make in ALL.items():
        check_fits(name, make)


@pytest.mark.parametrize("code", TRANSLATED)
@pytest.mark.parametrize("name", ["table-80x24", "chosen-80x24", "round-end-80x24", "lobby-80x24"])
def test_the_lines_to_type_at_are_whole(name: str, code: str) -> None:
    """What says what to do now is not cut at the usual size."""
    use(code)
    *_, message, typed, keys = texts(ALL[name]())
    assert "~" not in message
    assert "~" not in typed
    assert "Enter" in keys or "?" in keys
