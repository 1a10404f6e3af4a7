"""The view that an engine gets, against the round that it shows."""

from hypothesis import given
from hypothesis import strategies as st

from passing_bots.view import TurnView
from passing_protocol.views import Acted, Ask, Clock
from passing_rules import (
    ALL_TILES,
    ActionRecord,
    Draw,
    Lead,
    Options,
    PartnerScoring,
    Play,
    Preset,
    Round,
)
from tests.support.arena import deal_of, message_of, view_of

OPTIONS = st.builds(
    Options.of,
    st.integers(2, 4),
    pass_circles=st.sampled_from([1, 2]),
    lead=st.sampled_from(Lead),
    target=st.integers(1, 500),
    out_wins_ties=st.booleans(),
    max_rounds=st.none() | st.integers(1, 99),
) | st.builds(
    Options.of,
    st.just(4),
    partners=st.just(True),
    preset=st.sampled_from([None, Preset.CELKO]),
    partner_scoring=st.none() | st.sampled_from(PartnerScoring),
)


@given(OPTIONS, st.integers(0, 10_000), st.data())
def test_a_view_shows_exactly_the_round_at_every_turn(
    options: Options, number: int, data: st.DataObject
) -> None:
    round_ = Round(deal_of(number, options), number % options.seats, options.pass_circles)
    acted: list[Acted] = []
    while round_.ending is None and len(acted) < 12:
        view = view_of(round_, options, acted, "0" * 32)
        verify(view, round_, options)
        action = data.draw(st.sampled_from(round_.legal_actions()))
        acted.append(Acted(round_.to_act, len(acted) + 1, message_of(action)))
        round_.do(round_.to_act, action)


def verify(view: TurnView, round_: Round, options: Options) -> None:
    seat = round_.to_act
    assert view.seat == seat
    assert view.seats == options.seats
    assert view.hand == round_.hand(seat)
    assert view.legal == round_.legal_actions()
    assert view.plays == tuple(a for a in round_.legal_actions() if isinstance(a, Play))
    assert view.can_draw == (Draw() in round_.legal_actions())
    assert view.ends == (None if round_.left is None else (round_.left, round_.right))
    assert view.train == round_.train
    assert view.hand_sizes == round_.hand_sizes
    assert view.boneyard == round_.boneyard_size
    assert view.drawable == round_.drawable
    assert view.passes == round_.passes
    assert view.passes_left == options.pass_circles * options.seats - round_.passes
    assert view.leader == round_.leader
    assert view.options == options
    assert view.scores == (0,) * options.sides
    assert view.records == tuple(
        ActionRecord(record.seat, record.action) for record in round_.records
    )  # R6.1: not which tile was drawn
    known = set(view.hand) | {placed.tile for placed in view.train}
    assert set(view.unseen) == set(ALL_TILES) - known
    assert (view.round, view.turn) == (1, len(view.records) + 1)
    assert view.clock is None


def a_view(seed: str = "a" * 32, actions: int = 0) -> TurnView:
    options = Options.of(2)
    round_ = Round(deal_of(1, options), 0)
    acted: list[Acted] = []
    for number in range(actions):
        acted.append(Acted(round_.to_act, number + 1, message_of(Draw())))
        round_.do(round_.to_act, Draw())
    return view_of(round_, options, acted, seed)


def test_chance_is_the_same_for_the_same_seed_and_the_same_decision() -> None:
    assert a_view().random.random() == a_view().random.random()


def test_chance_differs_by_seed_and_by_decision() -> None:
    drawn = {
        view.random.random()
        for view in (a_view(), a_view("b" * 32), a_view(actions=1), a_view(actions=2))
    }
    assert len(drawn) == 4


def test_chance_goes_on_within_one_decision() -> None:
    view = a_view()
    assert view.random.random() != view.random.random()


def test_c45_the_clock_tells_the_time_that_is_truly_left() -> None:
    view = a_view()
    clock = Clock(turn_ms=0, bank_ms=40)
    ask = Ask(view.ask.turn, view.ask.legal, {}, clock)
    assert TurnView(view.public, view.mine, ask).clock == clock
