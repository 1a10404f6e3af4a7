"""What lies under the mouse."""

import pytest

from passing_client.screen.drawing import draw
from passing_client.screen.pointing import tile_at
from passing_client.screen.scene import Overlay
from passing_client.screen.skin import ASCII
from passing_rules import Tile
from tests.support.screen_talk import ScreenTalk


@pytest.mark.parametrize("size", [(80, 24), (60, 12), (160, 50)])
@pytest.mark.parametrize("plain", [False, True])
def test_every_tile_of_the_hand_is_found_where_its_cursor_would_stand(
    size: tuple[int, int], plain: bool
) -> None:
    talk = ScreenTalk()
    talk.on_turn(hand="02 04 13 46 55 66")
    if plain:
        talk.scene.skin = ASCII
    hand = talk.scene.desk.table.hand if talk.scene.desk.table is not None else ()
    assert len(hand) == 6
    for tile in hand:
        talk.scene.chosen = tile
        picture = draw(talk.scene, *size)
        assert picture.cursor is not None
        row, column = picture.cursor
        assert [tile_at(picture, row, at) for at in range(column - 1, column + 4)] == [tile] * 5


def test_there_is_no_tile_beside_tiles_and_none_outside() -> None:
    talk = ScreenTalk()
    talk.on_turn(hand="02")
    picture = draw(talk.scene, 80, 24)
    found = {tile_at(picture, row, column) for row in range(-2, 30) for column in range(-2, 90)}
    assert found == {None, Tile(0, 2), Tile(0, 6), Tile(0, 0)} - {Tile(0, 0)}


def test_a_text_over_the_page_has_no_tiles() -> None:
    talk = ScreenTalk()
    talk.on_turn()
    talk.scene.overlay = Overlay.LOG
    picture = draw(talk.scene, 80, 24)
    assert {tile_at(picture, row, column) for row in range(24) for column in range(80)} == {None}
