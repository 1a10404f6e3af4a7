"""The values and their texts, both ways."""

import copy
import doctest
import importlib
import pkgutil
import random
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

import passing_rules
from passing_rules import (
    ALL_TILES,
    DRAW_CODE,
    PASS_CODE,
    Action,
    ActionRecord,
    Deal,
    Draw,
    End,
    InvalidAction,
    InvalidDeal,
    InvalidTile,
    Pass,
    Play,
    Tile,
    action_of,
    code_of,
    parse_action,
)
from tests.support.rules_play import RNGS, random_deal

NUMBERS = st.integers(0, 6)
TILES = st.builds(Tile, NUMBERS, NUMBERS)
PLAYS = st.builds(Play, TILES, st.sampled_from([*End, None]))
ACTIONS: st.SearchStrategy[Action] = st.one_of(PLAYS, st.builds(Draw), st.builds(Pass))
RECORDS = st.one_of(
    st.builds(ActionRecord, st.integers(0, 3), ACTIONS),
    st.builds(ActionRecord, st.integers(0, 3), st.builds(Draw), TILES),
    st.builds(ActionRecord, st.integers(0, 3), st.builds(Pass), timed_out=st.booleans()),
)


@pytest.mark.parametrize(
    "name", [module.name for module in pkgutil.iter_modules(passing_rules.__path__)]
)
def test_docstrings_tell_the_truth(name: str) -> None:
    module = importlib.import_module(f"passing_rules.{name}")
    tried = doctest.testmod(module)
    assert tried.attempted > 0
    assert tried.failed == 0


@given(TILES)
def test_a_tile_is_written_and_read_both_ways(tile: Tile) -> None:
    assert Tile.parse(str(tile)) is Tile.at(tile.index)
    assert Tile.parse(str(tile)[::-1]) == tile == Tile(tile.high, tile.low)
    assert hash(Tile(tile.high, tile.low)) == hash(tile)
    assert copy.deepcopy(tile) == tile


def test_tiles_are_ordered_by_index() -> None:
    assert [tile.index for tile in sorted([*ALL_TILES[9:], *ALL_TILES[:9]])] == list(range(28))
    assert " ".join(map(str, ALL_TILES[:9])) == "00 01 02 03 04 05 06 11 12"
    assert sum(tile.is_double for tile in ALL_TILES) == 7
    assert [str(tile) for tile in ALL_TILES if tile.is_double][-1] == "66"


@pytest.mark.parametrize("text", ["", "4", "46<", "47", "a4", " 46", "4-6", "٤٦", "-1"])
def test_a_text_that_is_no_tile_is_refused(text: str) -> None:
    with pytest.raises(InvalidTile, match="is not two digits from 0 to 6"):
        Tile.parse(text)


@pytest.mark.parametrize(("one", "other"), [(0, 7), (-1, 3), (7, 7), (6, -2)])
def test_numbers_that_are_no_tile_are_refused(one: int, other: int) -> None:
    with pytest.raises(InvalidTile, match="is not two numbers from 0 to 6"):
        Tile(one, other)


@pytest.mark.parametrize("index", [-1, 28])
def test_an_index_that_is_no_tile_is_refused(index: int) -> None:
    with pytest.raises(InvalidTile, match=f"index {index} is not from 0 to 27"):
        Tile.at(index)


def test_values_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Tile(0, 1).low = 3  # type: ignore[misc]  # what is tried here is wrong
    assert Draw() == Draw()
    assert Pass() == Pass()
    assert len({Draw(), Draw(), Pass(), Play(Tile(0, 1), None), Play(Tile(1, 0), None)}) == 3


@given(ACTIONS)
def test_an_action_is_written_and_read(action: Action) -> None:
    assert parse_action(str(action)) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("46<", Play(Tile(4, 6), End.LEFT)),
        ("46>", Play(Tile(4, 6), End.RIGHT)),
        ("46", Play(Tile(4, 6), None)),
        ("d", Draw()),
        ("-", Pass()),
    ],
)
def test_texts_of_actions(text: str, action: Action) -> None:
    assert str(action) == text
    assert parse_action(text) == action


@pytest.mark.parametrize(
    "text", ["", "46x", "46<<", "47<", "<46", "d46", "-t", "D", "pass", "46 <"]
)
def test_a_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(InvalidAction, match="is not 46< "):
        parse_action(text)


@given(RECORDS)
def test_a_record_is_written_and_read(record: ActionRecord) -> None:
    assert ActionRecord.parse(record.seat, str(record)) == record


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("46<", ActionRecord(0, Play(Tile(4, 6), End.LEFT))),
        ("46", ActionRecord(0, Play(Tile(4, 6), None))),
        ("d45", ActionRecord(0, Draw(), Tile(4, 5))),
        ("d??", ActionRecord(0, Draw())),
        ("-", ActionRecord(0, Pass())),
        ("-t", ActionRecord(0, Pass(), timed_out=True)),
    ],
)
def test_texts_of_records(text: str, record: ActionRecord) -> None:
    assert str(record) == text
    assert ActionRecord.parse(0, text) == record


@pytest.mark.parametrize("text", ["", "d", "d4", "d?", "d47", "dd", "-x", "46<t", "t"])
def test_a_text_that_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(InvalidAction, match="is not 46<, 46>, 46, d45 "):
        ActionRecord.parse(0, text)


@given(ACTIONS, TILES)
def test_r2_7_only_a_draw_brings_a_tile_and_only_a_pass_is_timed_out(
    action: Action, tile: Tile
) -> None:
    if not isinstance(action, Draw):
        with pytest.raises(InvalidAction, match="only a draw brings a tile"):
            ActionRecord(0, action, tile)
    if not isinstance(action, Pass):
        with pytest.raises(InvalidAction, match="time only ever passes"):
            ActionRecord(0, action, timed_out=True)


@given(ACTIONS)
def test_an_action_and_its_code(action: Action) -> None:
    code = code_of(action)
    first = isinstance(action, Play) and action.end is None
    assert action_of(code, first) == action
    assert (code == DRAW_CODE) == isinstance(action, Draw)
    assert (code == PASS_CODE) == isinstance(action, Pass)
    assert 0 <= code <= PASS_CODE


@given(RNGS, st.sampled_from((2, 3, 4)))
def test_a_deal_is_written_and_read(rng: random.Random, seats: int) -> None:
    deal = random_deal(rng, seats)
    assert Deal.parse(str(deal)) == deal
    shuffled = Deal(tuple(hand[::-1] for hand in deal.hands), deal.boneyard)
    assert shuffled == deal
    assert hash(shuffled) == hash(deal)


DEAL_TEXT = (
    "00 01 02 03 04 05 06 / 11 12 13 14 15 16 22 / 23 24 25 26 33 34 35 / 36 44 45 46 55 | 56 66"
)


def test_text_of_a_deal() -> None:
    assert str(Deal.from_deck(ALL_TILES, 3)) == DEAL_TEXT
    assert Deal.parse(DEAL_TEXT) == Deal.from_deck(ALL_TILES, 3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("| ", "", "0 tiles after"),
        ("55 | 56", "| 55 56", "3 tiles after"),
        ("| 56", "56 |", "1 tiles after"),
        ("00", "07", "'07' is not two digits"),
        ("00", "66", "tile 00 is there 0 times"),
        ("56 66", "56 | 66", "tile: '|' is not"),
        (" / 11", " / /11", "hand of seat 0: 7 tiles, allowed are 6"),
        ("06 /", "/ 06", "hand of seat 0: 6 tiles, allowed are 7"),
    ],
)
def test_a_text_that_is_no_deal_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(InvalidDeal, match=message):
        Deal.parse(DEAL_TEXT.replace(old, new, 1))
