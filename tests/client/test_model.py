"""What a person knows of a table: it follows the events; the view alone tells the round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.model import Moment, TableModel, idle_moments, pips, round_so_far
from passing_protocol.events import MatchBegan, RoundBegan
from passing_protocol.follow import HashMismatch, follow, view_hash
from passing_protocol.messages import Update
from passing_protocol.views import Acted, Ask, DealKind, Mine, PublicView, TableState
from passing_protocol.wire import action_message
from passing_rules import ALL_TILES, Deal, Pass, Round, Tile
from tests.support.client_scene import (
    TABLE,
    acted,
    after,
    ask,
    full_view,
    round_ended,
    round_view,
    tiles,
)


def update(
    *events: Acted | MatchBegan | RoundBegan,
    public: PublicView | None = None,
    mine: Mine | None = None,
    question: Ask | None = None,
    digest: str | None = None,
) -> Update:
    return Update(1, TABLE, 1, list(events), public=public, mine=mine, ask=question, hash=digest)


def model(view: PublicView, hand: str | None = None) -> TableModel:
    table = TableModel(TABLE, view)
    mine = Mine(0, tiles(hand)) if hand is not None else None
    table.apply(update(public=view, mine=mine))
    return table


@st.composite
def played_rounds(draw: st.DrawFn) -> list[PublicView]:
    """Return the views of a round as it is played, from its start on."""
    deck = draw(st.permutations(ALL_TILES))
    seats = draw(st.integers(2, 4))
    leader = draw(st.integers(0, seats - 1))
    round_ = Round(Deal.from_deck(deck, seats), leader)
    views = [round_view(seats, leader=leader)]
    for _ in range(draw(st.integers(0, 40))):
        seat = round_.to_act
        action = draw(st.sampled_from(round_.legal_actions()))
        round_.do(seat, action)
        views.append(follow(views[-1], Acted(seat, views[-1].turn, action_message(action))))
        if round_.ending is not None:
            break
    return views


@given(played_rounds())
def test_the_round_so_far_follows_from_any_of_its_views(views: list[PublicView]) -> None:
    moments = round_so_far(views[-1])
    assert len(moments) == len(views) - 1
    for moment, before, later in zip(moments, views, views[1:], strict=False):
        assert (moment.before.ends, moment.before.hands) == (before.ends, before.hands)
        assert (moment.after.ends, moment.after.hands) == (later.ends, later.hands)
        assert moment.after.boneyard == later.boneyard
        assert moment.after.train == later.train
        assert moment.after.passes == later.passes


@given(played_rounds())
def test_idle_moments_are_the_passes_and_draws(views: list[PublicView]) -> None:
    idle = [moment.event for moment in idle_moments(views[-1])]
    assert idle == [a for a in views[-1].actions if a.action.draw or a.action.pass_]


def test_events_are_returned_in_order_with_the_view_around_each() -> None:
    view = after(round_view(), "06", "d", "00<")
    table = model(view, "02 04")
    out = acted(0, 23, "02<")
    ended = round_ended("out", ["", "11", "33", "66"], [61, 12, 44, 20], side=0, points=24)
    moments = table.apply(Update(2, TABLE, 3, [out, ended, MatchBegan("m2", 61)])) or []
    assert [type(moment.event) for moment in moments] == [
        Acted, type(ended), MatchBegan,
    ]  # fmt: skip
    assert moments[0].before is view
    assert moments[0].after.ends == (2, 6)
    assert moments[1].before is moments[0].after
    assert moments[1].after.scores == [61, 12, 44, 20]
    assert table.view.scores == [0, 0, 0, 0]


def test_ones_own_hand_is_sorted_and_loses_what_is_played() -> None:
    table = model(after(round_view(), "06", "d", "00<"), "46 02 04")
    assert list(table.hand) == [Tile(0, 2), Tile(0, 4), Tile(4, 6)]
    table.apply(update(acted(0, 23, "04<")))
    assert list(table.hand) == [Tile(0, 2), Tile(4, 6)]


def test_ones_own_draw_is_known_to_oneself() -> None:
    table = model(after(round_view(), "06", "d", "00<"), "13")
    (moment,) = table.apply(update(acted(0, 23, "d"), mine=Mine(0, tiles("13 45"), "45"))) or []
    assert moment.drew == Tile(4, 5)
    assert table.hand == (Tile(1, 3), Tile(4, 5))


def test_another_seats_draw_is_not() -> None:
    table = model(round_view(), "13")
    (moment,) = table.apply(update(acted(1, 20, "d"))) or []
    assert moment.drew is None


def test_an_answer_given_again_tells_nothing() -> None:
    table = model(round_view(), "13")
    before = table.view
    assert table.apply(Update(2, TABLE, 2, [acted(1, 20, "d")], duplicate=True)) is None
    assert table.view is before


@given(played_rounds(), st.data())
def test_what_is_older_than_the_newest_view_tells_and_changes_nothing(
    views: list[PublicView], data: st.DataObject
) -> None:
    """Old updates come again between new ones: each event is told once, and nothing goes back."""
    table = model(views[0])
    for rev, view in enumerate(views[1:], 1):
        for old in data.draw(st.lists(st.integers(0, rev - 2), max_size=2)) if rev > 1 else []:
            public = data.draw(st.sampled_from([None, replace(views[old], rev=old)]))
            late = Update(1, TABLE, old, [views[old + 1].actions[-1]], public=public)
            assert table.apply(late) is None
        moments = table.apply(Update(1, TABLE, rev, [view.actions[-1]])) or []
        assert [moment.event for moment in moments] == [view.actions[-1]]
        assert table.view == replace(view, rev=rev, hash=view_hash(view))


def test_a_question_is_open_until_the_turn_is_over() -> None:
    view = replace(round_view(leader=0), turn=20)
    table = model(view, "02 13")
    assert table.legal == ()
    table.apply(update(question=ask(20, "02 13 d -")))
    assert Pass() in table.legal
    table.apply(update(acted(0, 20, "-", timed_out=True)))
    assert table.ask is None
    assert table.legal == ()


def test_a_hash_that_differs_asks_for_a_snapshot_and_the_view_goes_on() -> None:
    table = model(round_view(), "13")
    with pytest.raises(HashMismatch):
        table.apply(update(acted(1, 20, "06"), digest="0" * 16))
    assert table.view.ends == (0, 6)
    moments = table.apply(update(acted(2, 21, "d"))) or []
    assert [type(moment) for moment in moments] == [Moment]
    snapshot = after(round_view(), "06", "d", "00<")
    table.apply(update(public=snapshot))
    assert table.view == snapshot


def test_a_hash_that_agrees_is_silent() -> None:
    view = round_view()
    table = model(view)
    later = after(view, "06")
    assert table.apply(update(acted(1, 20, "06"), digest=view_hash(later)))


@pytest.mark.parametrize(("hand", "seat", "owns"), [("13", 0, True), (None, None, False)])
def test_a_seat_and_a_watchers_place(hand: str | None, seat: int | None, owns: bool) -> None:
    table = model(full_view(), hand)
    assert table.seat == seat
    assert table.owns is owns
    assert table.hand == (() if hand is None else (Tile(1, 3),))


def test_a_new_round_clears_what_was_remembered() -> None:
    table = model(after(round_view(), "-", "d", "-"), "13")
    assert len(idle_moments(table.view)) == 3
    table.apply(update(RoundBegan(4, 2, DealKind.SERVER, [6] * 4, 4, 2)))
    assert idle_moments(table.view) == []
    assert table.view.state is TableState.PLAYING


def test_r4_1_pips_of_a_hand_are_summed() -> None:
    assert pips([Tile(0, 0), Tile(6, 6), Tile(1, 2)]) == 15
    assert pips([]) == 0
