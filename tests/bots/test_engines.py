"""The engines that come with the game: legal, repeatable, and as strong as their names say."""

import time
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_bots import Engine, TurnView
from passing_bots.engines.careful import Beliefs, CarefulEngine, beliefs_of
from passing_bots.engines.greedy import GreedyEngine
from passing_bots.engines.random import PASS_WEIGHT, RandomEngine
from passing_protocol.views import Acted, Ask
from passing_rules import (
    Action,
    Deal,
    Draw,
    End,
    Ending,
    Options,
    Pass,
    Play,
    Round,
    Tile,
    parse_action,
)
from tests.support.arena import (
    deal_of,
    duplicate_margin,
    message_of,
    play_round,
    seeds_of,
    view_of,
)

KINDS: tuple[type[Engine], ...] = (RandomEngine, GreedyEngine, CarefulEngine)
ALL_OPTIONS = st.builds(
    Options.of, st.integers(2, 4), pass_circles=st.sampled_from([1, 2])
) | st.builds(Options.of, st.just(4), partners=st.just(True))
FORMS = [Options.of(2), Options.of(3), Options.of(4), Options.of(4, partners=True)]


def at(
    deal: str, actions: Sequence[str] = (), *, leader: int = 0, options: Options | None = None
) -> TurnView:
    """Return what the seat on turn sees after these actions."""
    dealt = Deal.parse(deal)
    options = options or Options.of(len(dealt.hands))
    round_ = Round(dealt, leader, options.pass_circles)
    acted: list[Acted] = []
    for number, text in enumerate(actions, 1):
        action = parse_action(text)
        acted.append(Acted(round_.to_act, number, message_of(action)))
        round_.do(round_.to_act, action)
    return view_of(round_, options, acted, "0" * 32)


def only_a_pass() -> TurnView:
    """Return a question that only a pass answers."""
    view = at(STUCK, ["00", "-"])
    return TurnView(view.public, view.mine, Ask(view.turn, [message_of(Pass())]))


TWO = "00 01 02 03 04 05 06 / 11 12 13 14 15 16 22 / 23 24 25 26 33 34 35 36 44 45 46 55 | 56 66"
HEAVY = "26 36 46 55 56 66 45 / 00 01 02 03 11 12 22 / 04 05 06 13 14 15 16 23 24 25 33 34 | 35 44"
STUCK = "00 46 55 56 66 45 44 / 11 12 13 14 15 16 22 / 23 24 25 26 33 34 35 36 01 02 03 04 | 05 06"


# --- all of them ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15)
@given(ALL_OPTIONS, st.integers(0, 10**6))
def test_whatever_an_engine_chooses_is_legal_and_rounds_end(
    kind: type[Engine], options: Options, number: int
) -> None:
    engines = [kind() for _ in range(options.seats)]
    played = play_round(engines, deal_of(number, options), number % options.seats, options)
    assert played.round.ending is not None  # play_round raises IllegalAction for any other choice


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", FORMS, ids=str)
def test_the_same_seed_and_deal_give_the_same_round(kind: type[Engine], options: Options) -> None:
    def actions(seed: str) -> list[Action]:
        engines = [kind() for _ in range(options.seats)]
        return play_round(engines, deal_of(5, options), 1, options, seeds_of(seed)).actions

    assert actions("a" * 32) == actions("a" * 32)


@pytest.mark.parametrize("kind", KINDS)
def test_an_engine_started_anew_in_the_middle_goes_on_the_same(kind: type[Engine]) -> None:
    options = Options.of(2)

    class Forgetful(Engine):
        def choose(self, view: TurnView) -> Action:
            return kind().choose(view)

    deal = deal_of(3, options)
    whole = play_round([kind(), kind()], deal, 0, options).actions
    anew = play_round([Forgetful(), Forgetful()], deal, 0, options).actions
    assert whole == anew


@pytest.mark.parametrize("kind", KINDS)
def test_an_engine_decides_a_thousand_times_a_second(kind: type[Engine]) -> None:
    options = Options.of(4)
    engine = kind()
    views: list[TurnView] = []

    class Keeping(Engine):
        def choose(self, view: TurnView) -> Action:
            views.append(view)
            return engine.choose(view)

    for number in range(20):
        play_round([Keeping()] * 4, deal_of(number, options), 0, options)
    fresh = [TurnView(view.public, view.mine, view.ask, seed=view.seed) for view in views]
    started = time.process_time()
    for view in fresh:
        engine.choose(view)
    assert len(fresh) / (time.process_time() - started) > 1000


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_each_engine_beats_the_one_before_it(options: Options) -> None:
    for better, worse in ((GreedyEngine(), RandomEngine()), (CarefulEngine(), GreedyEngine())):
        deals = range(250 if options.partners else 80)  # partners share their luck
        margin, error = duplicate_margin(better, worse, options, deals)
        assert margin > 2 * error, (better, worse)


# --- random --------------------------------------------------------------------------------------


def test_random_plays_rounds_that_seldom_end_by_passing_out() -> None:
    options = Options.of(4)
    endings = [
        play_round(
            [RandomEngine()] * 4, deal_of(n, options), 0, options, seeds_of(f"{n:032x}")
        ).round.ending
        for n in range(100)
    ]
    assert endings.count(Ending.PASSED_OUT) < 20
    assert endings.count(Ending.OUT) > 20


def test_random_does_everything_there_is_to_do() -> None:
    chosen: set[type[Action]] = set()
    for seed in range(60):
        view = at(TWO)
        view.seed = f"{seed:032x}"
        chosen.add(type(RandomEngine().choose(view)))
    assert chosen == {Play, Draw, Pass}


def test_random_gives_every_action_its_share_and_a_pass_a_tenth_of_one() -> None:
    view = at(TWO)
    share = 250
    chosen: Counter[Action] = Counter()
    for seed in range(round(share * (len(view.legal) - 1 + PASS_WEIGHT))):
        view.seed = f"{seed:032x}"
        chosen[RandomEngine().choose(view)] += 1
    assert 0 < chosen.pop(Pass()) < share / 4
    assert set(chosen) == set(view.legal) - {Pass()}
    assert all(0.7 * share < count < 1.3 * share for count in chosen.values())


# --- greedy --------------------------------------------------------------------------------------


def test_greedy_plays_the_heaviest_tile_that_fits() -> None:
    assert GreedyEngine().choose(at(TWO)) == Play(Tile(0, 6), None)
    assert GreedyEngine().choose(at(TWO, ["06"])) == Play(Tile(1, 6), End.RIGHT)


def test_greedy_draws_when_nothing_fits_and_passes_when_nothing_is_left() -> None:
    assert GreedyEngine().choose(at(HEAVY, ["66"])) == Draw()
    assert GreedyEngine().choose(only_a_pass()) == Pass()


# --- careful -------------------------------------------------------------------------------------


def test_c2_careful_counts_passes_by_the_tables_own_rule() -> None:
    once = at(TWO, ["06", "-"])
    twice = at(TWO, ["06", "-"], options=Options.of(2, pass_circles=2))
    assert (once.passes_left, twice.passes_left) == (1, 3)
    assert CarefulEngine().choose(once) == Pass()  # ends the round, and wins it
    assert CarefulEngine().choose(twice) != Pass()  # would win nothing


def test_careful_does_not_end_a_round_that_it_would_lose() -> None:
    view = at(HEAVY, ["66", "-"])
    assert view.passes_left == 1
    assert CarefulEngine().choose(view) != Pass()


def test_careful_draws_only_when_a_pass_would_end_a_round_that_it_loses() -> None:
    alone = at(STUCK, ["00", "-"])
    assert (alone.plays, alone.passes_left) == ((), 1)
    assert CarefulEngine().choose(alone) == Draw()
    longer = at(STUCK, ["00", "-"], options=Options.of(2, pass_circles=2))
    assert CarefulEngine().choose(longer) == Pass()


def test_careful_passes_when_nothing_fits_and_nothing_is_left_to_draw() -> None:
    assert CarefulEngine().choose(only_a_pass()) == Pass()


def test_a_pass_and_a_draw_tell_what_a_seat_seems_to_lack() -> None:
    lacks = beliefs_of(at(TWO, ["06", "-"])).lacks[1]
    assert lacks == {0: 1.0, 6: 1.0}
    lacks = beliefs_of(at(TWO, ["06", "d"])).lacks[1]
    assert set(lacks) == {0, 6}
    assert all(0 < belief < 1 for belief in lacks.values())


def test_a_draw_makes_earlier_beliefs_weaker() -> None:
    before = beliefs_of(at(TWO, ["06", "-", "01<", "-"])).lacks[1]
    after_draw = beliefs_of(at(TWO, ["06", "-", "01<", "d"])).lacks[1]
    assert after_draw[0] < before[0]


def test_passes_before_the_first_tile_tell_nothing() -> None:
    assert beliefs_of(at(TWO, ["-"])).lacks == ({}, {})


def test_beliefs_know_our_own_pips_and_guess_the_others() -> None:
    beliefs = beliefs_of(at(TWO))
    assert isinstance(beliefs, Beliefs)
    assert beliefs.pips[0] == 21
    assert 0 < beliefs.pips[1] < 12 * 7
