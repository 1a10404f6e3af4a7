"""What the other panels of the table say: title, train, hand, message, keys, and what was said."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.model import TableModel
from passing_client.screen.cells import Line, text_of, width
from passing_client.screen.panels.hand import presenter as hand_presenter
from passing_client.screen.panels.hand import view as hand_view
from passing_client.screen.panels.hints import presenter as hints_presenter
from passing_client.screen.panels.hints import view as hints_view
from passing_client.screen.panels.hints.model import Hint, HintsModel
from passing_client.screen.panels.log import presenter as log_presenter
from passing_client.screen.panels.log import view as log_view
from passing_client.screen.panels.message import presenter as message_presenter
from passing_client.screen.panels.message import view as message_view
from passing_client.screen.panels.side.model import SideModel
from passing_client.screen.panels.side.view import draw as draw_side
from passing_client.screen.panels.title import presenter as title_presenter
from passing_client.screen.panels.title import view as title_view
from passing_client.screen.panels.train import presenter as train_presenter
from passing_client.screen.panels.train import view as train_view
from passing_client.screen.panels.train.model import Laid, TrainModel
from passing_client.screen.scene import Focus, Scene
from passing_client.screen.skin import ASCII, UNICODE, Skin
from passing_client.screen.style import without_colour
from passing_protocol.messages import Update
from passing_protocol.views import SeatInfo, SeatState, TableState
from passing_rules import Deal, End, Tile
from tests.client.screen.catalogue import opening, waits_for_players, waits_to_start
from tests.client.screen.states import scenes
from tests.client.screen.tables import NOW, Player, four, largest, longest, played, scene_of
from tests.support.client_scene import full_view
from tests.support.rules_deals import deal_with


def text(lines: list[Line]) -> list[str]:
    return [text_of(drawn).rstrip() for drawn in lines]


def table_of(scene: Scene) -> TableModel:
    assert scene.desk.table is not None
    return scene.desk.table


# --- the title ---------------------------------------------------------------------------------


def title_of(scene: Scene, cells: int = 80) -> str:
    return text(title_view.draw(title_presenter.present(scene, table_of(scene)), cells, UNICODE))[0]


def test_r1_3_the_title_tells_how_much_can_be_drawn_and_the_time() -> None:
    shown = title_of(scene_of(four().table))
    assert shown.startswith(" Passing Game · kitchen · round 3 · to 61  ")
    assert shown.endswith("  boneyard 2, 0 to draw · 0:23")


def test_a_watcher_is_told_so_and_has_no_clock() -> None:
    shown = title_of(scene_of(four(None).table))
    assert " · to 61 · watching " in shown
    assert shown.endswith(" boneyard 2, 0 to draw")


@pytest.mark.parametrize(
    ("left_ms", "time"), [(23_999, "0:23"), (0, "0:00"), (-5, "0:00"), (3_605_000, "60:05")]
)
def test_the_time_is_in_minutes_and_seconds(left_ms: int, time: str) -> None:
    scene = scene_of(four().table)
    scene.clock_at = NOW + left_ms
    assert title_of(scene).endswith(f" · {time}")


def test_without_a_clock_there_is_no_time() -> None:
    scene = scene_of(four().table)
    scene.clock_at = None
    assert title_of(scene).endswith("to draw")


def test_a_long_name_of_a_table_takes_the_place_of_the_game() -> None:
    table = four().table
    view = replace(table.view, name="The long table of the den")
    table.apply(Update(2, table.id, view.rev + 1, [], public=view))
    shown = title_of(scene_of(table))
    assert "Passing Game" not in shown
    assert shown.startswith(" The long table of the de · round 3 · to 61 ")
    assert shown.endswith("boneyard 2, 0 to draw · 0:23")


# --- the train ---------------------------------------------------------------------------------


def rule_of(player: Player, cells: int = 80) -> str:
    return text([train_view.draw_rule(train_presenter.present(player.table), cells, UNICODE)])[0]


def test_the_rule_above_the_train_tells_the_open_ends() -> None:
    assert re.fullmatch("── train · 12 tiles ─+ open ends 5 and 0 ──", rule_of(four()))


@pytest.mark.parametrize(
    ("passes", "circles", "told"),
    [
        (0, 1, None),
        (1, 1, "1 pass in a row, 3 end the round"),
        (2, 1, "2 passes in a row, 3 end the round"),
        (5, 2, "5 passes in a row, 6 end the round"),
    ],
)
def test_9_r3_3_the_rule_tells_how_many_passes_end_the_round(
    passes: int, circles: int, told: str | None
) -> None:
    view = full_view(3)
    view = replace(view, game=replace(view.game, pass_circles=circles))
    player = played(view, deal_with("", "", ""), 0, 0, " ".join(["06", *["-"] * passes]))
    shown = rule_of(player)
    assert ("in a row" in shown) == (told is not None)
    assert told is None or f" · {told} ─" in shown
    assert shown.endswith(" open ends 0 and 6 ──")


def test_the_passes_in_a_row_are_told_on_a_small_screen_too() -> None:
    model = train_presenter.present(longest().table)
    shown = text([train_view.draw_short_rule(model, 60, UNICODE)])[0]
    assert re.fullmatch("── train 24 · passes 1 of 2 ─+ ends 1 4 ──", shown)


def test_r2_5_doubles_lie_crosswise() -> None:
    model = TrainModel((Laid(3, 6), Laid(6, 6)), (), "", (), "", "")
    assert text(train_view.draw(model, 80, 10, UNICODE)) == [
        "       ┌─┐",
        "  ┌───┐│6│",
        "3◄│3:6│├─┤►6",
        "  └───┘│6│",
        "       └─┘",
    ]


@pytest.mark.parametrize(("rows", "boxed"), [(10, True), (9, False), (2, False)])
def test_2_4_where_boxes_do_not_fit_the_train_is_in_brackets(rows: int, boxed: bool) -> None:
    drawn = train_view.draw(train_presenter.present(longest().table), 80, rows, UNICODE)
    assert len(drawn) == (10 if boxed else 2)


@given(st.lists(st.sampled_from([Laid(1, 1), Laid(1, 2)]), min_size=1, max_size=25))
def test_2_4_two_rows_hold_any_train_at_80_columns(tiles: list[Laid]) -> None:
    """There are no more than seven doubles, but not even 25 others need more than two rows."""
    model = TrainModel(tuple(tiles), (), "", (), "", "")
    assert len(train_view.draw_boxed(model, 80, UNICODE)) <= 2 * train_view.BAND
    assert len(train_view.draw_flat(model, 60, UNICODE)) <= 3


def test_the_tile_that_was_played_last_stands_out() -> None:
    tiles = train_presenter.present(four().table).tiles
    assert [str(Tile(tile.left, tile.right)) for tile in tiles if tile.new] == ["03"]


# --- the hand ----------------------------------------------------------------------------------


def test_the_rule_above_the_hand_counts_tiles_and_pips() -> None:
    player = longest()
    model = hand_presenter.present(scene_of(player.table), player.table)
    shown = text([hand_view.draw_rule(model, 80, UNICODE)])[0]
    assert shown.startswith("── your hand · 1 tile · 5 pips ──")


@pytest.mark.parametrize("skin", [UNICODE, ASCII])
@pytest.mark.parametrize("player", [four(), largest()], ids=["boxed", "in brackets"])
def test_the_chosen_tile_stands_out_without_colour(player: Player, skin: Skin) -> None:
    scene = scene_of(player.table)
    model = hand_presenter.present(scene, player.table)
    without = text(hand_view.draw(model, 80, skin))
    for tile in player.table.hand:
        scene.chosen = tile
        model = hand_presenter.present(scene, player.table)
        drawn = hand_view.draw(model, 80, skin)
        assert text(drawn) != without
        place = hand_view.place_of_chosen(model, 80)
        assert place is not None
        row, column = place
        assert text_of(drawn[row])[column - 1 : column + 4] == (
            f"{skin.right}{tile.low}{skin.bar if row == 1 else skin.half}{tile.high}{skin.left}"
        )
        assert any(style == "tile.chosen" for style, _ in drawn[row])
    assert without_colour()["tile.chosen"] == "reverse"


@pytest.mark.parametrize(("tiles", "boxed"), [(13, True), (14, False)])
def test_2_4_up_to_13_tiles_are_boxed_at_80_columns(tiles: int, boxed: bool) -> None:
    deal = deal_with("", "")
    texts = "- d " * (tiles - 7)
    player = played(full_view(2), deal, 1, 0, texts)
    drawn = hand_view.draw(hand_presenter.present(scene_of(None), player.table), 80, UNICODE)
    assert (text_of(drawn[0])[1] == "┌") is boxed
    assert len(drawn) == 4


# --- the message -------------------------------------------------------------------------------


def message_of(scene: Scene, *, short: bool = False) -> str:
    model = message_presenter.present(scene, table_of(scene))
    drawn = (message_view.draw_short if short else message_view.draw)(model, 100, 1)
    return text(drawn)[0].strip()


def hint_of(scene: Scene) -> str:
    return message_presenter.present(scene, table_of(scene)).hint


@pytest.mark.parametrize("typed", ["/", '"', "6"])
def test_nothing_but_what_is_typed_stands_behind_the_prompt(typed: str) -> None:
    scene = opening()
    scene.unread = ["Bo: hello"]
    assert hint_of(scene) == "Bo: hello"
    scene.typed = typed
    assert hint_of(scene) == ""


def on_turn(deal: Deal, texts: str = "06") -> Scene:
    """Return the scene of the seat that is to act after these actions."""
    return scene_of(played(full_view(2), deal, 1, 0, texts).table)


FITTING = deal_with("06", "16 11")
UNFITTING = deal_with("06", "11 12 13 22 23 33 44")


def test_r2_1_on_ones_turn_draw_and_pass_are_always_named() -> None:
    how = "type a tile (64), then < or > for the end.   d draw   p pass"
    assert message_of(on_turn(FITTING)) == f"YOUR TURN  {how}"
    assert message_of(on_turn(FITTING), short=True) == (
        "YOUR TURN  16> plays 1-6   d draw   p pass   ? help"
    )


def test_r2_2_before_the_first_tile_any_may_be_played() -> None:
    assert message_of(opening()) == "YOUR TURN  type any tile (64).   d draw   p pass"
    assert "00 Enter plays 0-0 " in message_of(opening(), short=True)


def test_one_is_told_when_nothing_fits() -> None:
    scene = on_turn(UNFITTING)
    assert message_of(scene) == "YOUR TURN  none of your tiles fits.   d draw   p pass"
    assert message_of(scene, short=True) == "YOUR TURN  no tile fits   d draw   p pass"


def test_r2_3_at_the_end_of_the_boneyard_one_is_told_that_there_is_no_draw() -> None:
    scene = scene_of(four().table)
    assert message_of(scene).endswith(".   p pass   no tile to draw")
    assert "d draw" not in message_of(scene)
    assert "d draw" not in message_of(scene, short=True)


@pytest.mark.parametrize(
    ("chosen", "end", "told"),
    [
        ("45", None, "4-5 fits the left end (5).  Enter = play   Esc = back"),
        ("45", End.RIGHT, "4-5 fits the left end (5).  Enter = play   Esc = back"),
        ("01", None, "0-1 fits the right end (0).  Enter = play   Esc = back"),
        ("46", None, "4-6 fits neither end (5 and 0).  Esc = back"),
        ("06", None, ""),
    ],
)
def test_what_would_happen_to_the_chosen_tile_is_told(
    chosen: str, end: End | None, told: str
) -> None:
    scene = scene_of(four().table)
    scene.chosen, scene.end = Tile.parse(chosen), end
    assert hint_of(scene) == told


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (None, "1-4 fits both ends.  < or > plays it   Esc = back"),
        (End.LEFT, "1-4 goes to the left end (1).  Enter = play   Down = right end"),
        (End.RIGHT, "1-4 goes to the right end (4).  Enter = play   Up = left end"),
    ],
)
def test_r2_4_a_tile_that_fits_both_ends_has_to_have_one(end: End | None, told: str) -> None:
    scene = scene_of(longest().table)
    scene.chosen, scene.end = Tile(1, 4), end
    assert hint_of(scene) == told


def test_r2_4_the_first_tile_has_no_end() -> None:
    scene = opening()
    scene.chosen = Tile(0, 3)
    assert hint_of(scene) == "0-3 begins the train.  Enter = play   Esc = back"


def test_a_tile_that_is_chosen_while_one_waits_is_not_played() -> None:
    scene = scene_of(four(0).table)
    scene.chosen = table_of(scene).hand[0]
    assert hint_of(scene).endswith("is chosen for your turn.   Esc = back")
    assert message_of(scene) == "Dana to play."


def test_a_pass_while_tiles_fit_is_asked_about() -> None:
    scene = scene_of(four().table)
    scene.desk.pass_asked = scene.desk.shown_turn
    assert message_of(scene) == "YOUR TURN  0-1, 1-5 and 4-5 fit. p again passes. Esc goes back."
    single = scene_of(longest().table)
    single.desk.pass_asked = single.desk.shown_turn
    assert message_of(single) == "YOUR TURN  1-4 fits. p again passes. Esc goes back."


def test_what_was_said_last_takes_the_place_of_the_advice() -> None:
    scene = scene_of(four().table)
    scene.flash = "6-6 is not in your hand."
    assert message_of(scene) == "YOUR TURN  6-6 is not in your hand."


def test_an_action_on_its_way_is_told() -> None:
    scene = scene_of(four().table)
    scene.desk.acted = scene.desk.shown_turn
    assert message_of(scene) == "Your action is on its way."


def test_a_lost_connection_is_told_above_all() -> None:
    scene = scene_of(four().table)
    scene.flash, scene.desk.down = "Bo is away.", True
    assert message_of(scene) == "The connection is lost; trying to get it back."


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (TableState.PAUSED, "The match is paused."),
        (TableState.BETWEEN, "The round is over.   Enter ready"),
        (TableState.OVER, "The match is over.   Enter ready"),
        (TableState.CLOSED, "The table is closed."),
    ],
)
def test_where_the_table_is_in_its_life_is_told(state: TableState, told: str) -> None:
    table = four().table
    view = replace(table.view, state=state)
    table.apply(Update(2, table.id, view.rev + 1, [], public=view))
    assert message_of(scene_of(table)) == told


def test_a_table_that_waits_for_players_says_how_many() -> None:
    assert message_of(waits_for_players()) == "Waiting for players: 1 seat is free."


def test_a_table_that_is_full_says_how_to_begin() -> None:
    scene = waits_to_start()
    assert message_of(scene) == "Every seat is filled. Press Enter when you are ready."
    table = table_of(scene)
    for owner, ready, told in (
        (0, False, "Every seat is filled. Enter begins the match."),
        (1, True, "You are ready; waiting for the others."),
    ):
        seats = [SeatInfo(SeatState.TAKEN, "Dana", ready=ready), *table.view.seats[1:]]
        view = replace(table.view, owner=owner, seats=seats)
        table.apply(Update(2, table.id, view.rev + 1, [], public=view))
        assert message_of(scene) == told


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("", " >"), ("6", " > 6"), ('"hello', " say hello"), ("/join 3", " / join 3")],
)
def test_the_input_line_tells_what_is_typed(typed: str, shown: str) -> None:
    scene = scene_of(four().table)
    scene.typed = typed
    model = message_presenter.present(scene, table_of(scene))
    assert text([message_view.draw_input(model, 80)]) == [shown]
    assert message_view.cursor_column(model, 80) == max(3, len(shown))


def test_of_a_long_text_the_end_is_seen_with_the_cursor() -> None:
    scene = scene_of(four().table)
    scene.typed = '"' + "麻雀 " * 80 + "end"
    model = message_presenter.present(scene, table_of(scene))
    shown = text([message_view.draw_input(model, 60)])[0]
    assert shown.endswith(" end")
    assert message_view.cursor_column(model, 60) == width(shown) <= 59


@given(scenes(), st.integers(1, 4))
def test_a_message_takes_no_more_lines_than_there_are(scene: Scene, most: int) -> None:
    model = message_presenter.present(scene, table_of(scene))
    for drawn in (message_view.draw(model, 80, most), message_view.draw_short(model, 60, most)):
        assert 1 <= len(drawn) <= most


# --- the bar of keys ---------------------------------------------------------------------------

HINTS = st.lists(
    st.builds(Hint, st.sampled_from(("d", "F10", "麻")), st.sampled_from(("", "draw", "x" * 50))),
    max_size=12,
)


@given(HINTS, st.integers(60, 120), st.data())
def test_hints_are_whole_and_the_selected_one_is_there(
    hints: list[Hint], cells: int, data: st.DataObject
) -> None:
    selected = data.draw(st.sampled_from([None, *range(len(hints))]))
    model = HintsModel(tuple(hints), selected)
    shown = text_of(hints_view.draw(model, cells, UNICODE))
    assert width(shown) == cells
    assert "~" not in shown
    column = hints_view.cursor_column(model, cells)
    assert (column is None) == (selected is None)
    if selected is not None and column is not None:
        before = "".join(char for at, char in enumerate(shown) if width(shown[: at + 1]) <= column)
        assert before.endswith(UNICODE.chosen)
        assert shown[len(before) :].startswith(f"{hints[selected].key} {hints[selected].text}")


def test_the_bar_shows_the_keys_that_do_something_now() -> None:
    own = {hint.text for hint in hints_presenter.present(scene_of(opening().desk.table)).hints}
    assert {"draw", "pass", "help", "leave"} <= own
    other = {hint.text for hint in hints_presenter.present(scene_of(four(0).table)).hints}
    assert not {"draw", "pass"} & other
    assert {"help", "leave"} <= other


@pytest.mark.parametrize(("key", "selected"), [(0, 0), (2, 2), (99, -1)])
def test_a_key_is_selected_only_while_the_bar_has_the_focus(key: int, selected: int) -> None:
    scene = scene_of(four().table)
    scene.key = key
    assert hints_presenter.present(scene).selected is None
    scene.focus = Focus.KEYS
    model = hints_presenter.present(scene)
    assert model.selected == selected % len(model.hints)


# --- what happened -----------------------------------------------------------------------------


def test_the_log_shows_the_last_actions_the_newest_at_the_bottom() -> None:
    model = log_presenter.present(four().table)
    assert text(log_view.draw(model, 80, 3)) == [
        "   Bo: 3-4 right",
        "   Caro: passed",
        "   Emil: 0-3 right",
    ]
    assert log_view.draw(model, 80, 0) == []
    assert len(log_view.draw(model, 80, 40)) == 40


def test_what_was_said_is_wrapped_and_the_newest_is_whole() -> None:
    model = SideModel("log and chat", ("Bo, seat 1: " + "word " * 20, "Caro passes."))
    shown = text(draw_side(model, 40, 5, UNICODE))
    assert shown[0].startswith("── log and chat ──")
    assert shown[-1] == " Caro passes."
    assert shown[-2].startswith("   word")
    assert draw_side(model, 40, 0, UNICODE) == []
