"""A picture as SVG shows every character in its place, and nothing that is not in the picture."""

import re
from html import unescape

from hypothesis import given

from passing_client.screen.cells import text_of
from passing_client.screen.drawing import draw
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Scene
from passing_client.screen.style import STYLES
from tests.client.screen.states import scenes
from tests.support.pictures import CELL, LINE, PAD, Look, svg_of

TEXT = re.compile(r'<text x="([0-9.]+)" y="([0-9.]+)"[^<>]*>([^<>]*)</text>')


def shown_in(svg: str) -> dict[tuple[int, int], str]:
    """Return the texts of an SVG by row and column."""
    found: dict[tuple[int, int], str] = {}
    for across, down, text in TEXT.findall(svg):
        row = int((float(down) - PAD) // LINE)
        column = round((float(across) - PAD) / CELL)
        found[row, column] = unescape(text)
    return found


@given(scenes())
def test_the_texts_stand_where_they_are_drawn(scene: Scene) -> None:
    picture = draw(scene, 80, 24)
    svg = svg_of(picture)
    assert svg == svg_of(picture)
    parts = "".join(text for _, text in sorted(shown_in(svg).items()))
    whole = "".join(text_of(drawn) for drawn in picture.lines)
    assert parts.replace(" ", "") == whole.replace(" ", "")


def test_marks_of_the_language_are_escaped() -> None:
    svg = svg_of(Picture([[("mark", "<=> & ")]]))
    assert shown_in(svg) == {(0, 0): "<=> &"}


def test_every_style_has_a_look() -> None:
    assert len({Look.of(style) for style in STYLES}) > 5
    assert Look.of("tile.chosen").paper != Look.of("tile").paper
