"""Seats stand in playing order after oneself, with what is worth knowing of each, in words."""

import pytest
from hypothesis import assume, given
from msgspec.structs import replace

from passing_client.language import use
from passing_client.model import TableModel
from passing_client.screen.cells import text_of, width
from passing_client.screen.panels.seats.model import SeatRow
from passing_client.screen.panels.seats.presenter import present
from passing_client.screen.panels.seats.view import draw, draw_lap, draw_short
from passing_client.screen.scene import Scene
from passing_client.screen.skin import ASCII, UNICODE
from passing_client.words.looks import seat_lines
from passing_protocol.messages import Update
from passing_protocol.views import Acted, Gone, SeatInfo, SeatState, TableState
from passing_protocol.wire import action_message
from passing_rules import Pass
from tests.client.screen.states import scenes
from tests.client.screen.tables import NOW, Player, four, largest, longest, scene_of
from tests.support.catalogues import TRANSLATED
from tests.support.client_scene import taken


def rows_of(player: Player) -> tuple[SeatRow, ...]:
    return present(scene_of(player.table), player.table).rows


def with_seat(seat: int, info: SeatInfo, *, partners: bool = False) -> TableModel:
    """Return the table of most pictures with somebody else in a seat."""
    table = four(partners=partners).table
    seats = list(table.view.seats)
    seats[seat] = info
    view = replace(table.view, seats=seats)
    table.apply(Update(2, table.id, view.rev + 1, [], public=view))
    return table


def row_of(seat: int, info: SeatInfo, *, partners: bool = False) -> SeatRow:
    table = with_seat(seat, info, partners=partners)
    return present(scene_of(table), table).rows[seat]


@pytest.mark.parametrize(
    ("me", "order"),
    [
        (0, ["Caro", "Emil", "Dana", "you (Bo)"]),
        (1, ["Emil", "Dana", "Bo", "you (Caro)"]),
        (3, ["Bo", "Caro", "Emil", "you (Dana)"]),
        (None, ["Bo", "Caro", "Emil", "Dana"]),
    ],
)
def test_seats_stand_in_playing_order_oneself_last(me: int | None, order: list[str]) -> None:
    assert [row.name for row in rows_of(four(me))] == order


def test_whose_turn_it_is_is_marked() -> None:
    assert [row.acts for row in rows_of(four())] == [False, False, False, True]
    shown = [text_of(drawn) for drawn in draw(present(scene_of(None), four().table), 80, ASCII)]
    assert [text[:3] for text in shown] == ["   ", "   ", "   ", " > "]


def test_r1_4_the_partner_is_second_and_named_so() -> None:
    rows = rows_of(four(partners=True))
    assert [row.state for row in rows] == ["", "partner, bot", "away", ""]
    assert [row.score for row in rows] == ["44/61", "37/61", "44/61", "37/61"]


def test_r1_4_a_watcher_has_no_partner() -> None:
    assert [row.state for row in rows_of(four(None, partners=True))] == ["", "bot", "away", ""]


@pytest.mark.parametrize(
    ("info", "state"),
    [
        (SeatInfo(SeatState.TAKEN, "Bo"), ""),
        (SeatInfo(SeatState.TAKEN, "Bo", "greedy"), "bot"),
        (SeatInfo(SeatState.AWAY, "Bo"), "away"),
        (SeatInfo(SeatState.SUBSTITUTE, "greedy", "greedy"), "standing in"),
        (SeatInfo(SeatState.FORFEITED, "Bo"), "out"),
        (SeatInfo(SeatState.INVITED, "greedy", "greedy"), "invited"),
        (SeatInfo(SeatState.EMPTY), "free"),
    ],
)
def test_what_is_particular_about_a_seat_is_said_in_words(info: SeatInfo, state: str) -> None:
    assert row_of(0, info).state == state


def test_an_absence_is_told_with_its_length() -> None:
    player = four()
    scene = scene_of(player.table)
    scene.away_since = {2: NOW - 83_400}
    assert present(scene, player.table).rows[2].state == "away 1:23"


def test_10_one_tile_and_more_tiles() -> None:
    assert [row.size.strip() for row in rows_of(longest())] == ["1 tile", "1 tile"]
    assert [row.size.strip() for row in rows_of(largest())] == ["1 tile", "19 tiles"]


def test_2_4_a_hand_of_19_tiles_has_13_blocks_and_a_plus() -> None:
    player = largest()
    shown = text_of(draw(present(scene_of(None), player.table), 80, UNICODE)[1])
    assert f" {'■' * 13}+ 19 tiles " in shown


@pytest.mark.parametrize("tiles", range(1, 14))
def test_every_smaller_hand_has_a_block_a_tile(tiles: int) -> None:
    table = longest().table
    view = replace(table.view, hands=[tiles, 1])
    table.apply(Update(2, table.id, view.rev + 1, [], public=view))
    shown = text_of(draw(present(scene_of(table), table), 80, UNICODE)[0])
    assert shown.count("■") == tiles


def test_the_last_action_of_everybody_stands_in_their_row() -> None:
    assert [row.last for row in rows_of(four())] == [
        "3-4 right",
        "passed",
        "0-3 right",
        "5-6 left",
    ]


def test_one_is_told_which_tile_one_drew_and_nobody_else_is() -> None:
    assert rows_of(largest())[1].last == "drew 0-3"
    player = four(0)
    player.do(Pass())
    assert [row.last for row in rows_of(player)][2] == "passed"


def test_r2_7_a_pass_on_time_is_told_as_one() -> None:
    table = four().table
    view = table.view
    acted = Acted(3, view.turn, action_message(Pass()), timed_out=True)
    table.apply(Update(2, table.id, view.rev + 1, [acted]))
    assert present(scene_of(table), table).rows[3].last == "out of time"


def test_between_rounds_the_rows_tell_who_is_ready() -> None:
    table = four().table
    view = replace(table.view, state=TableState.BETWEEN, to_act=None)
    table.apply(Update(2, table.id, view.rev + 1, [], public=view))
    rows = present(scene_of(table), table).rows
    assert [row.last for row in rows] == [
        "not ready yet",
        "ready",
        "",
        "not ready yet",
    ]


def test_the_last_lap_loses_its_oldest_actions_first() -> None:
    model = present(scene_of(None), four().table)
    whole = " you: 5-6 left; Bo: 3-4 right; Caro: passed; Emil: 0-3 right"
    assert text_of(draw_lap(model, 62)[0]).rstrip() == whole
    later = " Bo: 3-4 right; Caro: passed; Emil: 0-3 right"
    assert text_of(draw_lap(model, 50)[0]).rstrip() == later


@given(scenes())
def test_on_a_small_screen_all_figures_are_whole_however_long_the_names(scene: Scene) -> None:
    table = scene.desk.table
    assert table is not None
    assume(table.view.state in (TableState.PLAYING, TableState.PAUSED))
    model = present(scene, table)
    shown = text_of(draw_short(model, 60, scene.skin)[0])
    assert width(shown) == 60
    rest = shown
    for row in model.rows:
        assert f" {row.figures}" in rest or not table.view.hands
        rest = rest.partition(f" {row.figures}")[2]


@pytest.mark.parametrize("code", [*TRANSLATED, "en"])
@pytest.mark.parametrize("state", [TableState.PLAYING, TableState.BETWEEN])
@pytest.mark.parametrize("gone", [None, Gone.LEFT])
def test_states_are_whole_at_the_usual_size_in_every_language(
    code: str, state: TableState, gone: Gone | None
) -> None:
    use(code)
    for info in (
        SeatInfo(SeatState.AWAY, "Caro", gone=gone),
        SeatInfo(SeatState.SUBSTITUTE, "Caro", "careful"),
        SeatInfo(SeatState.FORFEITED, "Caro"),
        SeatInfo(SeatState.INVITED, "Caro", "careful"),
        taken("Caro"),
    ):
        table = with_seat(2, info)
        table.view = replace(table.view, state=state)
        scene = scene_of(table)
        scene.away_since = {2: 0}
        for skin in (UNICODE, ASCII):
            lines = [text_of(line) for line in draw(present(scene, table), 80, skin)]
            assert not any("~" in line for line in lines)


def test_one_who_has_left_is_not_away() -> None:
    row = row_of(2, SeatInfo(SeatState.AWAY, "Caro", ready=True, gone=Gone.LEFT))
    assert row.state == "gone"


def test_nobody_who_is_not_there_is_ready() -> None:
    for info in (
        SeatInfo(SeatState.AWAY, "Zoe", ready=True),
        SeatInfo(SeatState.AWAY, "Zoe", ready=True, gone=Gone.LEFT),
    ):
        table = with_seat(2, info)
        table.view = replace(table.view, state=TableState.BETWEEN)
        assert present(scene_of(table), table).rows[2].last == ""
        assert not any("ready" in line for line in seat_lines(table) if "Zoe" in line)
