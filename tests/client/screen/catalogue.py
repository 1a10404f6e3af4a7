"""The pictures that are kept: how each is made."""

from collections.abc import Callable

from msgspec.structs import replace

from passing_client.model import TableModel
from passing_client.screen.drawing import draw
from passing_client.screen.picture import Picture
from passing_client.screen.scene import Focus, Scene
from passing_client.screen.skin import ASCII, UNICODE, Skin
from passing_protocol.messages import Update
from passing_protocol.views import PublicView, SeatInfo, SeatState, TableState
from passing_rules import End, Tile
from tests.client.screen.tables import (
    NOW,
    Player,
    four,
    largest,
    longest,
    played,
    scene_of,
)
from tests.support.client_scene import TABLE, full_view, open_view, taken
from tests.support.rules_deals import deal_with


def scene_at(player: Player, skin: Skin = UNICODE) -> Scene:
    """Return the scene of a player; Emil went 40 seconds ago."""
    scene = scene_of(player.table, skin, player.said)
    scene.away_since = {2: NOW - 40_000}
    return scene


def waiting(view: PublicView, me: int | None = 0) -> Scene:
    """Return a scene of a table that waits for its match."""
    table = TableModel(TABLE, view)
    mine = Player.part_of(me, ()) if me is not None else None
    table.apply(Update(1, TABLE, 1, [], public=view, mine=mine))
    return scene_of(table, said=["Table kitchen. You are Dana, seat 1 of 4. To 61 points."])


def chosen() -> Scene:
    scene = scene_at(four())
    scene.chosen, scene.end = Tile(4, 5), End.LEFT
    return scene


def both_fit() -> Scene:
    scene = scene_at(longest())
    scene.chosen, scene.end = Tile(1, 4), End.RIGHT
    return scene


def chosen_of_many() -> Scene:
    scene = scene_at(largest())
    scene.chosen = Tile(2, 5)
    return scene


def sure() -> Scene:
    scene = scene_at(four())
    scene.desk.pass_asked = scene.desk.shown_turn
    return scene


def keys_in_focus() -> Scene:
    scene = scene_at(four())
    scene.focus, scene.key = Focus.KEYS, 1
    return scene


def chatting() -> Scene:
    scene = scene_at(four())
    scene.typed = '"well played'
    return scene


def opening() -> Scene:
    """Return a table on which nothing lies yet, and tiles can be drawn."""
    return scene_at(played(full_view(3), deal_with("", "", ""), 0, 2, "d"))


def waits_for_players() -> Scene:
    seats = [taken("Dana"), SeatInfo(SeatState.INVITED, "greedy", "greedy"), taken("Caro")]
    return waiting(replace(open_view(), seats=[*seats, SeatInfo(SeatState.EMPTY)]))


def waits_to_start() -> Scene:
    return waiting(replace(full_view(partners=True), owner=1))


def between_rounds() -> Scene:
    player = four()
    view = replace(player.table.view, state=TableState.BETWEEN, to_act=None)
    player.table.apply(Update(2, TABLE, view.rev + 1, [], public=view))
    return scene_at(player)


def remembered() -> Scene:
    """Return a table whose owner lets the screen remember for the players."""
    scene = scene_at(four())
    table = scene.desk.table
    assert table is not None
    view = replace(table.view, table=replace(table.view.table, memory=True))
    table.apply(Update(2, TABLE, view.rev + 1, [], public=view, ask=table.ask))
    return scene


def _at(scene: Callable[[], Scene], columns: int, rows: int) -> Callable[[], Picture]:
    return lambda: draw(scene(), columns, rows)


def _fours(columns: int, rows: int, skin: Skin = UNICODE) -> Callable[[], Picture]:
    return _at(lambda: scene_at(four(), skin), columns, rows)


PICTURES: dict[str, Callable[[], Picture]] = {
    "table-80x24": _fours(80, 24),
    "table-80x24-ascii": _fours(80, 24, ASCII),
    "table-60x12": _fours(60, 12),
    "table-60x12-ascii": _fours(60, 12, ASCII),
    "table-60x18": _fours(60, 18),
    "table-100x30": _fours(100, 30),
    "table-300x80": _fours(300, 80),
    "partners-80x24": _at(lambda: scene_at(four(partners=True)), 80, 24),
    "longest-train-80x24": _at(lambda: scene_at(longest()), 80, 24),
    "longest-train-60x12": _at(lambda: scene_at(longest()), 60, 12),
    "longest-train-300x80": _at(lambda: scene_at(longest()), 300, 80),
    "largest-hand-80x24": _at(lambda: scene_at(largest()), 80, 24),
    "largest-hand-80x24-ascii": _at(lambda: scene_at(largest(), ASCII), 80, 24),
    "largest-hand-60x12": _at(lambda: scene_at(largest()), 60, 12),
    "largest-hand-300x80": _at(lambda: scene_at(largest()), 300, 80),
    "watching-80x24": _at(lambda: scene_at(four(None)), 80, 24),
    "watching-60x18": _at(lambda: scene_at(four(None)), 60, 18),
    "watching-100x30": _at(lambda: scene_at(four(None)), 100, 30),
    "memory-80x24": _at(remembered, 80, 24),
    "memory-100x30": _at(remembered, 100, 30),
    "chosen-80x24": _at(chosen, 80, 24),
    "chosen-60x12": _at(chosen, 60, 12),
    "both-fit-80x24": _at(both_fit, 80, 24),
    "chosen-of-many-80x24": _at(chosen_of_many, 80, 24),
    "sure-80x24": _at(sure, 80, 24),
    "keys-80x24": _at(keys_in_focus, 80, 24),
    "keys-60x12": _at(keys_in_focus, 60, 12),
    "chat-80x24": _at(chatting, 80, 24),
    "opening-80x24": _at(opening, 80, 24),
    "opening-60x12": _at(opening, 60, 12),
    "waiting-for-players-80x24": _at(waits_for_players, 80, 24),
    "waiting-for-players-60x12": _at(waits_for_players, 60, 12),
    "waiting-to-start-80x24": _at(waits_to_start, 80, 24),
    "between-rounds-80x24": _at(between_rounds, 80, 24),
    "too-small-59x24": _fours(59, 24),
    "too-small-20x5": _fours(20, 5),
}
"""The pictures by the names of their files."""
