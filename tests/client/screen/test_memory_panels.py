"""The memory of a round: passes and draws at their ends, tiles still out; from public things."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.screen.cells import Line, text_of, width
from passing_client.screen.drawing import draw
from passing_client.screen.memory import may_see_memory
from passing_client.screen.panels.passes.model import Idle, Passes
from passing_client.screen.panels.passes.presenter import present as present_passes
from passing_client.screen.panels.passes.view import draw as draw_passes
from passing_client.screen.panels.passes.view import draw_whole
from passing_client.screen.panels.unseen.presenter import present as present_unseen
from passing_client.screen.panels.unseen.view import draw as draw_unseen
from passing_client.screen.scene import Overlay, Scene
from passing_client.screen.skin import UNICODE
from passing_protocol.views import TableOptions
from passing_rules import ALL_TILES, Draw, Pass, Tile
from tests.client.screen.endings import HOSTILE_NAMES, played_out, texts
from tests.client.screen.tables import four, scene_of
from tests.support.client_scene import round_view, taken
from tests.support.rules_play import RNGS, random_deal


def shown(lines: list[Line]) -> list[str]:
    return [text_of(line).rstrip() for line in lines]


def scene(me: int | None, *, memory: bool | None = None) -> Scene:
    """Return the table of most pictures, where the owner has said something of memory or not."""
    table = four(me).table
    table.view = replace(table.view, table=TableOptions(memory=memory))
    return scene_of(table)


def test_watchers_see_it_and_players_do_not() -> None:
    assert may_see_memory(scene(None))
    assert may_see_memory(scene(None, memory=False))
    assert not may_see_memory(scene(3))
    assert not may_see_memory(scene(3, memory=False))
    assert not may_see_memory(scene_of(None))


@pytest.mark.parametrize("memory", [True, False, None])
def test_a_player_reads_it_on_the_screen_of_a_friendly_table_alone(memory: bool | None) -> None:
    player = scene(3, memory=memory)
    pages = [texts(draw(player, 100, 60))]
    player.overlay = Overlay.PASSES
    pages.append(texts(draw(player, 80, 24)))
    for page in pages:
        assert any("not seen yet: 10 tiles" in text for text in page) == bool(memory)


def test_players_see_it_at_a_table_whose_owner_allows_it() -> None:
    for allowed in (True, False, None):
        player = four(3).table
        player.view = replace(player.view, table=TableOptions(memory=allowed))
        assert may_see_memory(scene_of(player)) is (allowed is True)


# --- passes and draws --------------------------------------------------------------------------


def test_passes_and_draws_have_the_ends_that_lay_open() -> None:
    lines = shown(draw_passes(present_passes(four(None).table), 80, UNICODE))
    assert lines == [
        "── passes and draws this round " + "─" * 49,
        "   Bo     -",
        "   Caro   passed at 5/3",
        "   Emil   passed at 6/4",
        "   Dana   drew at the start, drew at 2/2",
    ]


def test_the_oldest_deeds_go_where_all_do_not_fit() -> None:
    deeds = tuple(f"passed at {n}/{n}" for n in range(7))
    model = Passes("passes", (Idle("Bo", deeds), Idle("Caro", ())))
    line = shown(draw_passes(model, 60, UNICODE))[1]
    assert line.endswith("passed at 5/5, passed at 6/6")
    assert line.startswith("   Bo     ~ ")
    whole = " ".join(" ".join(shown(draw_whole(model, 60))).split())
    assert whole == f"Bo {', '.join(deeds)} Caro -"


@settings(max_examples=25)
@given(RNGS, st.integers(60, 130))
def test_every_pass_and_draw_of_a_round_is_told(rng: random.Random, cells: int) -> None:
    seats = rng.choice((2, 3, 4))
    player = played_out(rng, round_view(seats), random_deal(rng, seats), None)
    model = present_passes(player.table)
    for seat, idle in enumerate(model.seats):
        own = [r for r in player.round.records if r.seat == seat]
        assert sum(d.startswith("passed") for d in idle.deeds) == sum(
            isinstance(r.action, Pass) for r in own
        )
        assert sum(d.startswith("drew") for d in idle.deeds) == sum(
            isinstance(r.action, Draw) for r in own
        )
    for line in [*draw_passes(model, cells, UNICODE), *draw_whole(model, cells)]:
        assert width(text_of(line)) == cells


@given(st.lists(st.sampled_from(HOSTILE_NAMES), min_size=4, max_size=4), st.integers(60, 130))
def test_names_of_any_kind_fit(names: list[str], cells: int) -> None:
    player = four(None)
    player.table.view = replace(player.table.view, seats=[taken(name) for name in names])
    for line in draw_passes(present_passes(player.table), cells, UNICODE):
        assert width(text_of(line)) == cells


# --- tiles that are still out ------------------------------------------------------------------


def test_tiles_and_numbers_that_are_still_out() -> None:
    lines = shown(draw_unseen(present_unseen(four(None).table.view), 80, UNICODE))
    rule = "── not seen yet: 16 tiles " + "─" * 34 + " boneyard hides 2 ──"
    assert lines == [
        rule,
        "   0-0 0-1 0-2 0-4 1-1 1-2 1-3 1-4 1-5 1-6 3-3 3-5 4-4 4-5 4-6 6-6",
        "   tiles left per number   0: 4  1: 7  2: 2  3: 3  4: 5  5: 3  6: 3",
    ]


def test_ones_own_hand_has_been_seen() -> None:
    table = four(3).table
    own = {f"{tile.low}-{tile.high}" for tile in table.hand}
    known = present_unseen(table.view, table.hand)
    everything = present_unseen(four(None).table.view)
    assert own
    assert list(known.tiles) == [tile for tile in everything.tiles if tile not in own]
    assert known.title == "not seen yet: 10 tiles"


@settings(max_examples=25)
@given(RNGS, st.integers(60, 130), st.booleans())
def test_what_is_out_is_what_nobody_has_played_and_one_does_not_hold(
    rng: random.Random, cells: int, watches: bool
) -> None:
    seats = rng.choice((2, 3, 4))
    me = None if watches else rng.randrange(seats)
    player = played_out(rng, round_view(seats), random_deal(rng, seats), me)
    model = present_unseen(player.table.view, player.table.hand)
    seen = {placed.tile for placed in player.round.train}
    seen |= set() if me is None else set(player.round.hand(me))
    out = [tile for tile in ALL_TILES if tile not in seen]
    assert list(model.tiles) == [f"{tile.low}-{tile.high}" for tile in out]
    counts: Counter[int] = Counter()
    for tile in out:
        counts.update(numbers(tile))
    assert list(model.left) == [counts[number] for number in range(7)]
    for line in draw_unseen(model, cells, UNICODE):
        assert width(text_of(line)) == cells


def numbers(tile: Tile) -> set[int]:
    return {tile.low, tile.high}
