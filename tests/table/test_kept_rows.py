"""The rows of a match's log: both ways, and played again by the rules or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack
from msgspec.structs import replace

from passing_protocol.views import DealKind
from passing_protocol.wire import ActionMessage
from passing_rules import (
    ALL_TILES,
    PASS_CODE,
    ActionRecord,
    Deal,
    Draw,
    Options,
    RoundBegun,
    Tile,
    action_of,
)
from passing_table import InvalidKept, KeptRow, read_row, row_bytes
from passing_table.changes import Changes
from passing_table.play import Play
from passing_table.replay import replay
from passing_table.rows import KeptAction, KeptDeal
from tests.support.keeping import Keeping
from tests.support.sitting import engine

GREEDY, CALM = engine("greedy"), engine("calm")
DEALS = st.builds(Deal.from_deck, st.permutations(ALL_TILES), st.integers(2, 4))
CODES = st.integers(0, PASS_CODE)
ACTIONS = st.builds(action_of, CODES, st.booleans())
RECORDS = st.builds(ActionRecord, st.integers(0, 3), ACTIONS) | st.builds(
    ActionRecord, st.integers(0, 3), st.just(Draw()), st.sampled_from(ALL_TILES)
)


@given(DEALS, st.integers(1, 999), st.integers(0, 3))
def test_a_round_that_begins_is_written_and_read(deal: Deal, number: int, leader: int) -> None:
    begun = RoundBegun(number, leader, deal)
    row = KeptDeal.of(begun)
    assert read_row(row_bytes(row)) == row
    assert row.begun == begun


@given(RECORDS, st.integers(0, 2**53))
def test_an_action_is_written_and_read(record: ActionRecord, turn: int) -> None:
    row = KeptAction.of(turn, record)
    assert read_row(row_bytes(row)) == row
    assert (row.record, row.turn) == (record, turn)
    assert len(row_bytes(row)) < 40


def test_a_row_is_a_map_of_strings_and_integers() -> None:
    row = KeptAction.of(12, ActionRecord(1, Draw(), Tile(4, 5)))
    assert msgpack.decode(row_bytes(row)) == {"row": "did", "seat": 1, "turn": 12, "did": "d45"}
    assert repr(row) == str(row) == "<KeptAction>"


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x80", msgpack.encode({"row": "did", "seat": 7})])
def test_bytes_that_are_no_row_are_refused(data: bytes) -> None:
    with pytest.raises(InvalidKept, match=r"^row: "):
        read_row(data)


# --- played again


def rows() -> list[KeptRow]:
    """The log of a deal, a draw by seat 0, and a pass by seat 1."""
    keeping = Keeping(Options.of(2, target=9_999))
    keeping.sitting.begin(GREEDY, CALM)
    keeping.sitting.act("d")
    keeping.sitting.act("-")
    return keeping.rows


def played(log: list[KeptRow]) -> Play:
    return replay("m1", Options.of(2, target=9_999), DealKind.GIVEN, log, Changes())


def test_a_log_played_again_is_the_same_log() -> None:
    play = played(rows())
    assert play.rows == 3
    assert [acted.action for acted in play.actions] == [
        ActionMessage(draw=True),
        ActionMessage(pass_=True),
    ]
    assert [acted.turn for acted in play.actions] == [1, 2]


def did(place: int, **changes: object) -> list[KeptRow]:
    """The rows with another one in a place."""
    log = rows()
    log[place] = replace(log[place], **changes)
    return log


@pytest.mark.parametrize(
    ("log", "words"),
    [
        (rows()[1:], "row 1: seat 0 cannot do that in turn 1 (round_over)"),
        ([rows()[0], *rows()], "row 2: round 1 cannot begin like that"),
        (did(0, round=2), "row 1: round 2 led by seat 0, expected is round 1 led by seat 0"),
        (did(0, leader=3), "row 1: round 1 cannot begin like that"),
        (did(0, leader=1), "row 2: seat 0 cannot do that in turn 1 (not_your_turn)"),
        (did(0, deal="00 11"), "row 1: deal: it is not the whole set, dealt to 2, 3 or 4 seats"),
        (did(1, did="dd"), "row 2: did: it is no action of the game"),
        (did(1, did="d??"), "row 2: turn 1 draws a tile that is not the next one"),
        (did(1, did="-t"), None),
        (did(2, seat=0), "row 3: seat 0 cannot do that in turn 2 (not_your_turn)"),
        (did(2, turn=1), "row 3: turn 1 after turn 1"),
        (did(2, turn=7), None),
    ],
)
def test_a_log_is_refused_exactly_when_the_rules_refuse_it(
    log: list[KeptRow], words: str | None
) -> None:
    if words is None:
        assert played(log).rows == 3
        return
    with pytest.raises(InvalidKept) as error:
        played(log)
    assert str(error.value) == words


def test_the_leader_of_a_later_round_follows_from_the_one_before() -> None:
    keeping = Keeping(Options.of(2, target=9_999))
    keeping.sitting.begin(GREEDY, CALM)
    keeping.sitting.pass_round()
    log = keeping.rows
    place = next(n for n, row in enumerate(log) if isinstance(row, KeptDeal) and row.round == 2)
    log[place] = replace(log[place], leader=0)
    with pytest.raises(InvalidKept, match="round 2 led by seat 0, expected is round 2 led by seat"):
        played(log)


@given(st.sampled_from(ALL_TILES))
def test_no_refusal_names_a_tile(tile: Tile) -> None:
    log = did(1, did=f"{tile}>")
    with pytest.raises(InvalidKept) as error:
        played(log)
    assert str(error.value).startswith("row 2: seat 0 cannot do that in turn 1 (")
    assert str(tile) not in str(error.value)
    assert error.value.__suppress_context__
