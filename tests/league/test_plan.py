"""The plan: all pairings, all rotations of all deals, and nobody meets a deal twice (duplicate)."""

from collections import Counter, defaultdict
from itertools import islice
from math import comb

from hypothesis import assume, given
from hypothesis import strategies as st

from passing_bots.league.plan import (
    GameKey,
    Pairing,
    block_key,
    games,
    pairing_text,
    pairings,
    seating,
)
from passing_bots.league.settings import LeagueSettings
from passing_protocol.deals import derive
from tests.support.league_logs import NAMES, SEED, league, leagues

PAIRINGS = st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True).map(tuple)


@st.composite
def keys(draw: st.DrawFn) -> GameKey:
    """Any game of any league."""
    pairing = draw(PAIRINGS)
    return GameKey(pairing, draw(st.integers(1, 100_000)), draw(st.integers(0, len(pairing) - 1)))


# --- forms ---------------------------------------------------------------------------------------


@given(st.lists(PAIRINGS, unique=True, min_size=2, max_size=2))
def test_pairings_that_differ_read_differently(two: list[Pairing]) -> None:
    one, other = map(pairing_text, two)
    assert one != other


def test_names_with_a_hyphen_are_no_other_pairing() -> None:
    assert pairing_text(("a-b", "c")) != pairing_text(("a", "b-c"))


def test_the_form_is_this() -> None:
    assert str(GameKey(("greedy", "careful"), 12, 1)) == "greedy+careful/12/1"


# --- pairings ------------------------------------------------------------------------------------


def test_pairings_are_all_choices_in_the_order_of_the_file() -> None:
    assert pairings(league("c", "a", "b")) == (("c", "a"), ("c", "b"), ("a", "b"))
    assert pairings(league(*"dcba", seats=3)) == (
        ("d", "c", "b"),
        ("d", "c", "a"),
        ("d", "b", "a"),
        ("c", "b", "a"),
    )


def test_partners_meet_as_two_do() -> None:
    assert pairings(league(*"abc", seats=4, partners=True)) == pairings(league(*"abc"))


@given(leagues())
def test_every_choice_of_engines_is_one_pairing(settings: LeagueSettings) -> None:
    found = pairings(settings)
    assert len(found) == comb(len(settings.engines), settings.sides)
    assert len({frozenset(pairing) for pairing in found}) == len(found)
    assert all(len(set(pairing)) == settings.sides for pairing in found)


# --- games ---------------------------------------------------------------------------------------


def test_games_come_block_by_block_then_by_pairing_then_by_rotation() -> None:
    assert [str(key) for key in games(league(*"abc", blocks=2))] == [
        "a+b/1/0", "a+b/1/1", "a+c/1/0", "a+c/1/1", "b+c/1/0", "b+c/1/1",
        "a+b/2/0", "a+b/2/1", "a+c/2/0", "a+c/2/1", "b+c/2/0", "b+c/2/1",
    ]  # fmt: skip


@given(leagues())
def test_every_game_is_there_once(settings: LeagueSettings) -> None:
    keys = list(games(settings))
    assert len(set(keys)) == len(keys)
    assert len(keys) == len(pairings(settings)) * settings.blocks * settings.sides


def test_the_plan_of_a_big_league_is_not_laid_out_before_it_is_needed() -> None:
    settings = league(*(f"e{number}" for number in range(10, 50)), seats=4, blocks=100_000)
    assert len(list(islice(games(settings), 1_000))) == 1_000


# --- seats ---------------------------------------------------------------------------------------


def test_two_change_seats() -> None:
    settings = league("a", "b")
    assert seating(settings, GameKey(("a", "b"), 1, 0)) == ("a", "b")
    assert seating(settings, GameKey(("a", "b"), 1, 1)) == ("b", "a")


def test_three_move_on_by_one() -> None:
    settings = league(*"abc", seats=3)
    seats = [seating(settings, GameKey(("a", "b", "c"), 1, rotation)) for rotation in range(3)]
    assert seats == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]


def test_partners_sit_opposite() -> None:
    settings = league("a", "b", seats=4, partners=True)
    assert seating(settings, GameKey(("a", "b"), 1, 0)) == ("a", "b", "a", "b")
    assert seating(settings, GameKey(("a", "b"), 1, 1)) == ("b", "a", "b", "a")


@given(leagues())
def test_a_seat_is_held_by_the_engine_of_its_side(settings: LeagueSettings) -> None:
    for key in games(settings):
        seats = seating(settings, key)
        assert len(seats) == settings.rules.seats
        sides = [settings.options.side_of(seat) for seat in range(len(seats))]
        assert seats == tuple(key.engines[side] for side in sides)
        assert set(key.engines) == set(key.pairing)


@given(leagues())
def test_each_engine_holds_each_sides_tiles_of_each_deal_once(settings: LeagueSettings) -> None:
    held: Counter[tuple[str, str, int]] = Counter()
    for key in games(settings):
        deal = block_key(settings, key.pairing, key.block)
        held.update((deal, name, seat) for seat, name in enumerate(seating(settings, key)))
    expected = {
        (block_key(settings, pairing, block), name, seat)
        for pairing in pairings(settings)
        for block in range(1, settings.blocks + 1)
        for name in pairing
        for seat in range(settings.rules.seats)
    }
    assert set(held) == expected
    assert set(held.values()) == {1}


@given(leagues())
def test_no_lane_meets_a_deal_twice(settings: LeagueSettings) -> None:
    met: dict[tuple[str, int], list[str]] = defaultdict(list)
    for key in games(settings):
        deal = block_key(settings, key.pairing, key.block)
        for seat, name in enumerate(seating(settings, key)):
            met[name, seat].append(deal)
    assert all(len(set(deals)) == len(deals) for deals in met.values())


# --- deals ---------------------------------------------------------------------------------------


def test_the_key_of_a_block_is_this() -> None:
    settings = league("greedy", "careful")
    number = (12).to_bytes(8, "big")
    derived = derive(bytes.fromhex(SEED), b"passing-game league", b"greedy", b"careful", number)
    key = block_key(settings, ("greedy", "careful"), 12)
    assert key == derived.hex()[:32]
    assert key == "7ee76e29227a50f8fabf28574efd4e24"


@given(leagues(), st.data())
def test_the_key_hangs_on_seed_pairing_and_block_alone(
    settings: LeagueSettings, data: st.DataObject
) -> None:
    pairing = data.draw(st.sampled_from(pairings(settings)))
    names = [engine.name for engine in settings.engines]
    more = league("x1", *names, blocks=99, seed=settings.seed)
    other = league(*names, seed=settings.seed[1:] + settings.seed[0])
    assume(other.seed != settings.seed)
    key = block_key(settings, pairing, 3)
    assert len(bytes.fromhex(key)) == 16
    assert block_key(more, pairing, 3) == key
    assert block_key(other, pairing, 3) != key
    assert block_key(settings, pairing, 4) != key
    assert block_key(settings, tuple(reversed(pairing)), 3) != key
