"""The page of a table fits the screen, whatever it shows, and shows what a turn needs."""

import gettext
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_client.language import DOMAIN, LANGUAGES, catalogues
from passing_client.model import TableModel
from passing_client.moves import fitting_ends
from passing_client.screen.cells import text_of, width
from passing_client.screen.drawing import draw
from passing_client.screen.panels.train.presenter import laid_tiles
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_client.screen.skin import ASCII, UNICODE, Skin
from passing_rules import ALL_TILES, End, Tile
from tests.client.screen.states import SIZES, players, scenes
from tests.client.screen.tables import Player, four, largest, longest, scene_of

MARKS: dict[tuple[End, ...], str] = {
    (): "",
    (End.LEFT,): "<=",
    (End.RIGHT,): "=>",
    (End.LEFT, End.RIGHT): "<=>",
}
MARKS_ROW = re.compile("(?: *(?:<=>|<=|=>))+ *(?=$|[│|])")


def verify_size(picture: Picture, columns: int, rows: int) -> None:
    assert len(picture.lines) == rows
    assert {width(text_of(drawn)) for drawn in picture.lines} == {columns}
    if picture.cursor is not None:
        row, column = picture.cursor
        assert 0 <= row < rows
        assert 0 <= column < columns


def hand_lines(picture: Picture, scene: Scene) -> list[str]:
    """Return the lines from the rule above the hand on."""
    texts = [text_of(drawn) for drawn in picture.lines]
    edge = scene.skin.horizontal * 2
    rules = [at for at, text in enumerate(texts) if text.startswith(f"{edge} ")]
    return texts[rules[-1] :]


def shown_tiles(lines: list[str], skin: Skin) -> list[Tile]:
    """Return the tiles of the hand as they are drawn, boxed or in brackets, chosen or not."""
    sides = (skin.vertical, skin.vertical), ("[", "]"), (skin.right, skin.left)
    halves = {skin.bar, skin.half}
    text = " ".join(lines)
    places: dict[int, Tile] = {}
    for tile in ALL_TILES:
        for left, right in sides:
            for half in halves:
                at = text.find(f" {left}{tile.low}{half}{tile.high}{right}")
                if at >= 0:
                    places[at] = tile
    return [places[at] for at in sorted(places)]


def shown_marks(lines: list[str]) -> list[str]:
    """Return the marks under the tiles, in their order; what was said may stand beside them."""
    rows = [found[0] for line in lines if (found := MARKS_ROW.match(line))]
    return [word for row in rows for word in re.findall("<=>|<=|=>", row)]


def verify_turn(picture: Picture, scene: Scene, table: TableModel) -> None:
    """The ends, the whole hand and every mark are there while one is asked."""
    lines = hand_lines(picture, scene)
    assert shown_tiles(lines, scene.skin) == list(table.hand)
    ends = table.view.ends
    if ends is None:
        return
    fits = [MARKS[fitting_ends(tile, ends)] for tile in table.hand]
    assert shown_marks(lines[1:]) == [mark for mark in fits if mark]
    texts = [text_of(drawn) for drawn in picture.lines]
    assert any(text.startswith(f"{ends[0]}{scene.skin.left}") for text in texts)
    assert any(f"{scene.skin.right}{ends[1]} " in f"{text} " for text in texts)
    edge = scene.skin.horizontal * 2
    told = rf"{edge} .*\b{ends[0]}\b.*\b{ends[1]} {edge}"
    assert any(re.match(told, text) for text in texts)


def verify_picture(scene: Scene, size: tuple[int, int]) -> None:
    picture = draw(scene, *size)
    verify_size(picture, *size)
    table = scene.desk.table
    if table is not None and table.ask is not None:
        verify_turn(picture, scene, table)


@settings(max_examples=100)
@given(scenes(), SIZES)
def test_every_picture_is_as_large_as_the_screen(scene: Scene, size: tuple[int, int]) -> None:
    verify_picture(scene, size)


class Longer(gettext.NullTranslations):
    """A language that needs two fifths more room than English for everything."""

    def gettext(self, message: str) -> str:
        return "ö" * (2 * len(message) // 5) + message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def spoken(code: str) -> gettext.NullTranslations:
    """Return the translations of a language, of `longer` those of `Longer`."""
    if code == "longer":
        return Longer()
    return gettext.translation(DOMAIN, catalogues(), [code], fallback=code == "en")


@given(scenes(), SIZES, st.sampled_from(("longer", "longer", *LANGUAGES)))
def test_every_picture_fits_in_every_language(
    scene: Scene, size: tuple[int, int], code: str
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("passing_client.language._current", spoken(code))
        verify_picture(scene, size)


@pytest.mark.parametrize("skin", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", [(60, 12), (79, 24), (80, 24), (100, 30), (300, 80)])
def test_2_4_the_extremes_fit(size: tuple[int, int], skin: Skin) -> None:
    for player in (four(), longest(), largest()):
        scene = scene_of(player.table, skin, player.said)
        for chosen in (None, *player.table.hand):
            scene.chosen = chosen
            picture = draw(scene, *size)
            verify_size(picture, *size)
            verify_turn(picture, scene, player.table)


def rows_of_train(picture: Picture, skin: Skin) -> Iterator[str]:
    """Yield the rows of the train in brackets, without their edges; names may have brackets too."""
    for drawn in picture.lines:
        text = text_of(drawn).strip()
        row = re.search(r"\[(\d\|\d(?:\]\[\d\|\d)*)\]", text)
        if row is not None and (text.startswith(skin.more) or text[1:2] == skin.left):
            yield row[1]


@given(players(), st.sampled_from((UNICODE, ASCII)))
def test_r2_4_the_train_reads_from_left_to_right(player: Player, skin: Skin) -> None:
    """Rows follow each other as text: neighbours touch with equal numbers."""
    table = player.table
    tiles = laid_tiles(table.view)
    assert [str(Tile(tile.left, tile.right)) for tile in tiles] == [
        laid.tile for laid in table.view.train
    ]
    for left, right in pairwise(tiles):
        assert left.right == right.left
    text = "][".join(rows_of_train(draw(scene_of(table, skin), 79, 40), skin))
    assert text == "][".join(f"{tile.left}|{tile.right}" for tile in tiles)


@given(st.integers(1, 120), st.integers(1, 30))
def test_8_a_screen_that_is_too_small_says_so(columns: int, rows: int) -> None:
    picture = draw(scene_of(four().table), columns, rows)
    verify_size(picture, columns, rows)
    if columns < 60 or rows < 12:
        assert picture.cursor is None
    if 20 <= columns < 60 and rows >= 5:
        assert "60x12" in "".join(text_of(drawn) for drawn in picture.lines)
