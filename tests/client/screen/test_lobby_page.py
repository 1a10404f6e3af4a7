"""The page of tables: who sits there, which one is chosen, and what to do without any."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.screen.keys import hints
from passing_client.screen.pages import lobby
from passing_client.screen.scene import Page, Scene
from passing_client.screen.skin import ASCII
from passing_client.words.lobby import role_lines
from passing_protocol.messages import Agent, EngineInfo, Role, TableInfo
from passing_protocol.views import SeatInfo, SeatState, TableState
from tests.client.screen.endings import HOSTILE_NAMES, SIZES, check_size, lobby_scene, texts
from tests.client.screen.tables import scene_of
from tests.support.client_scene import EMPTY, table_info, taken


def lines(scene: Scene, columns: int = 80, rows: int = 24) -> list[str]:
    return [text.rstrip() for text in texts(lobby.draw(scene, columns, rows))]


def test_every_table_has_its_seats_its_game_and_its_state() -> None:
    scene = lobby_scene()
    assert scene.page is Page.LOBBY
    shown = lines(scene)
    assert shown[0].split("  ")[0] == " Passing Game · tables at den.local"
    assert shown[0].endswith("4 tables")
    assert shown[1].endswith(" 1 of 4 ──")
    rows = [text.split() for text in shown[2:7]]
    assert rows == [
        ["table", "seats", "game", "state"],
        ["►", "kitchen", "Bo", "Caro(bot)", ".", ".", "4", "×", "61", "2", "free"],
        ["lab", "Ann", "Ben", "Cy", "3", "×", "101", "round", "2"],
        ["league", "bots", "only", "2+2", "×", "61", "round", "12"],
        ["attic", "Dora", "Eve", "2", "×", "101", "starts", "soon"],
    ]


@pytest.mark.parametrize(
    ("state", "word"),
    [
        (TableState.BETWEEN, "round 5"),
        (TableState.OVER, "match over"),
        (TableState.PAUSED, "paused"),
        (TableState.CLOSED, "closed"),
    ],
)
def test_states_of_tables_have_words(state: TableState, word: str) -> None:
    scene = lobby_scene()
    table = table_info("den", [taken("Bo"), EMPTY], state=state, round_number=5)
    scene.desk.tables = [table]
    assert lines(scene)[3].endswith(word)


def test_the_chosen_table_is_marked_and_told_in_words() -> None:
    scene = lobby_scene()
    scene.row = 2
    shown = lines(scene)
    assert [text.startswith(" ►") for text in shown[3:7]] == [False, False, True, False]
    sentence = " ".join(" ".join(shown[8:]).split())
    assert sentence.startswith("league: careful (careful), greedy (careful), random (careful)")
    assert "partnerships, to 61" in sentence
    picture = lobby.draw(scene, 80, 24)
    assert picture.cursor == (5, 1)


def test_engines_that_wait_are_named() -> None:
    assert "   Engines waiting: careful and greedy" in lines(lobby_scene())
    scene = lobby_scene()
    scene.desk.engines = []
    assert "   No engine is waiting." in lines(scene)


def test_an_invited_guest_has_no_free_seat() -> None:
    scene = lobby_scene()
    seats = [taken("Bo"), SeatInfo(SeatState.INVITED, "greedy", "greedy"), EMPTY]
    scene.desk.tables = [table_info("den", seats)]
    assert lines(scene)[3].split()[2:5] == ["Bo", "greedy(bot)", "."]
    assert lines(scene)[3].endswith("1 free")


def test_more_tables_than_rows_scroll_with_the_choice() -> None:
    scene = lobby_scene()
    many = [replace(scene.desk.tables[0], name=f"room {n}", table=f"t{n}") for n in range(64)]
    scene.desk.tables = many
    for row in (0, 1, 30, 62, 63):
        scene.row = row
        shown = lines(scene)
        marked = [text for text in shown if text.startswith(" ►")]
        assert [text.split()[2] for text in marked] == [str(row)]
        assert shown[1].endswith(f" {row + 1} of 64 ──")
        picture = lobby.draw(scene, 80, 24)
        assert picture.cursor is not None
        assert texts(picture)[picture.cursor[0]].startswith(" ►")


def test_a_choice_past_the_last_table_means_the_last() -> None:
    scene = lobby_scene()
    scene.row = 99
    assert next(text for text in lines(scene) if text.startswith(" ►")).split()[1] == "attic"


def test_the_empty_lobby_says_what_to_do() -> None:
    scene = scene_of(None)
    for columns, rows in SIZES:
        text = " ".join(" ".join(lines(scene, columns, rows)).split())
        assert "There is no table yet. Press n to make one" in text
        assert "n new table" in text
    text = " ".join(" ".join(lines(scene)).split())
    assert "passing play den.local" in text
    assert "passing find" in text


@pytest.mark.parametrize(
    ("role", "keys"),
    [
        (Role.PLAYER, {"sit", "watch", "new"}),
        (Role.SPECTATOR, {"watch"}),
        (Role.BOT, {"sit", "watch"}),
    ],
)
def test_no_key_is_offered_that_is_refused_to_a_role(role: Role, keys: set[str]) -> None:
    scene = lobby_scene()
    scene.desk.role = role
    assert {action.name for action in hints(scene)} & {"sit", "watch", "new"} == keys
    empty = scene_of(None)
    empty.desk.role = role
    text = " ".join(" ".join(lines(empty)).split())
    assert ("makes a table" in text, "Press n" in text) == ("new" in keys, "new" in keys)
    assert all(told in text for told in role_lines(role))


def test_without_an_address_nobody_is_told_one() -> None:
    scene = scene_of(None)
    scene.server = ""
    shown = lines(scene)
    assert shown[0] == " Passing Game · tables"
    assert not any("passing play" in text for text in shown)


def test_a_command_is_typed_at_the_bottom() -> None:
    scene = lobby_scene()
    scene.typed = "/new den seats=2"
    picture = lobby.draw(scene, 80, 24)
    assert texts(picture)[22].startswith(" / new den seats=2")
    assert picture.cursor == (22, 18)


def test_ascii_has_nothing_else() -> None:
    scene = lobby_scene()
    scene.skin = ASCII
    assert "".join(texts(lobby.draw(scene, 80, 24))).isascii()


SEATS = st.one_of(
    st.just(EMPTY),
    st.builds(taken, st.sampled_from(HOSTILE_NAMES), st.sampled_from([None, "greedy"])),
)
TABLES = st.builds(
    table_info,
    st.sampled_from(HOSTILE_NAMES),
    st.lists(SEATS, min_size=2, max_size=4),
    state=st.sampled_from(TableState),
    round_number=st.integers(0, 9_999),
)
ENGINES = st.builds(
    EngineInfo, st.sampled_from(HOSTILE_NAMES), st.just(Agent("bot", "1")), st.just(1)
)


@settings(max_examples=30)
@given(
    st.lists(TABLES, max_size=40),
    st.lists(ENGINES, max_size=12),
    st.integers(0, 40),
    st.integers(60, 130),
    st.integers(12, 40),
)
def test_every_lobby_fits(
    tables: list[TableInfo], engines: list[EngineInfo], row: int, columns: int, rows: int
) -> None:
    scene = scene_of(None)
    scene.desk.tables, scene.desk.engines, scene.row = tables, engines, row
    picture = lobby.draw(scene, columns, rows)
    check_size(picture, columns, rows)
    marked = [text for text in texts(picture) if text.startswith(" ►")]
    assert len(marked) == min(1, len(tables))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_picture_fills_every_screen(columns: int, rows: int) -> None:
    check_size(lobby.draw(lobby_scene(), columns, rows), columns, rows)
    check_size(lobby.draw(scene_of(None), columns, rows), columns, rows)
