"""What is kept of a table: small, secret, complete, and refused when it cannot be."""

from typing import Literal, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack, to_builtins
from msgspec.structs import replace

from passing_protocol.codec import LARGEST_INTEGER
from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.views import DealKind, SeatState, TableOptions, TableState
from passing_rules import Options, Pass, parse_action
from passing_table import (
    InvalidKept,
    KeptTable,
    Occupant,
    Outcome,
    ServerDeals,
    keep,
    kept_bytes,
    read_kept,
    restore,
)
from passing_table.kept_values import KeptAnswer
from tests.support.keeping import Keeping, restored
from tests.support.kept_lives import as_bytes
from tests.support.sitting import engine, person
from tests.table.many_lives import live

ANNA, BOB, CYD = person("anna"), person("bob"), person("cyd")
GREEDY, CALM = engine("greedy"), engine("calm")
LONG = Options.of(2, target=9_999)


def playing() -> Keeping:
    """Anna has drawn, and an engine is on turn."""
    keeping = Keeping(LONG)
    keeping.sitting.begin(ANNA, GREEDY)
    keeping.sitting.act("d")
    keeping.sitting.wait(1_000)
    return keeping


def between() -> Keeping:
    keeping = Keeping(LONG)
    keeping.sitting.begin(ANNA, BOB)
    keeping.sitting.pass_round()
    return keeping


def paced(absent: Literal["forfeit"] | None = None) -> Keeping:
    """An engine has answered sooner than it may be shown."""
    keeping = Keeping(LONG, TableOptions(pace_ms=500, absent=absent))
    keeping.sitting.begin(ANNA, GREEDY)
    keeping.sitting.act("d")
    assert keeping.sitting.act("d") is Outcome.HELD
    return keeping


def dropped() -> Keeping:
    """The match is over before the engine's answer could be shown."""
    keeping = paced("forfeit")
    keeping.sitting.table.leave(keeping.sitting.now, "anna")
    return keeping


# --- a table goes on


def test_a_table_that_is_restored_later_has_lost_no_time() -> None:
    keeping = playing()
    table = keeping.sitting.table
    later = keeping.restored(later=10**9)
    assert table.due is not None
    assert later.due == table.due + 10**9
    assert later.take_change() is None


def test_turn_numbers_go_on_over_rematches_and_pauses() -> None:
    keeping = Keeping(Options.of(2, max_rounds=1))
    sitting = keeping.sitting
    sitting.begin(ANNA, BOB)
    sitting.pass_round()
    sitting.ready("anna", "bob")
    for key in ("anna", "bob"):
        sitting.table.away(sitting.now, key)
    sitting.wait(120_000)
    assert sitting.state() is TableState.PAUSED
    sitting.table.back(sitting.now, "anna")
    sitting.act("d")
    table = keeping.restored()
    assert table.play is not None
    assert sitting.table.play is not None
    turns = [acted.turn for acted in table.play.actions]
    assert turns == [acted.turn for acted in sitting.table.play.actions]
    assert turns[0] > 3
    assert list(keeping.logs) == ["m1", "m2"]


def test_the_rows_of_a_match_that_has_ended_are_told_with_those_of_the_next() -> None:
    keeping = Keeping(Options.of(2, max_rounds=1))
    keeping.sitting.begin(ANNA, BOB)
    keeping.sitting.pass_round()
    keeping.sitting.ready("anna", "bob")
    rows = keeping.take().rows
    assert [(row.match, row.number) for row in rows] == [("m1", 1), ("m1", 2), ("m1", 3), ("m2", 1)]


def test_an_answer_is_told_apart_after_a_restart() -> None:
    keeping = playing()
    sitting = keeping.sitting
    sitting.wait(40_000)  # the engine's turn is lost
    sitting.act("-", seat=0)
    table, now = keeping.restored(), sitting.now
    assert table.act(now, 0, 3, Pass()) is Outcome.REPEATED
    with pytest.raises(RequestRefused) as decided:
        table.act(now, 0, 3, parse_action("d"))
    assert decided.value.code is ErrorCode.TURN_DECIDED
    with pytest.raises(RequestRefused) as late:
        table.act(now, 1, 2, Pass())
    assert late.value.code is ErrorCode.TOO_LATE


def test_a_held_action_is_shown_when_it_would_have_been() -> None:
    keeping = paced()
    keeping.sitting.wait(200)
    table = keeping.restored()
    assert table.due == keeping.sitting.now + 300
    table.tick(keeping.sitting.now + 300)
    assert table.play is not None
    assert [acted.action.draw for acted in table.play.actions] == [True, True]


def test_a_held_action_that_the_end_of_the_match_has_dropped_is_known_still() -> None:
    keeping = dropped()
    table, now = keeping.restored(), keeping.sitting.now
    assert table.state is TableState.CLOSED
    assert table.act(now, 1, 2, parse_action("d")) is Outcome.REPEATED


def test_a_table_with_its_own_randomness_goes_on_with_that_of_the_server() -> None:
    kept = replace(Keeping(LONG).kept(), deal=DealKind.SERVER, key=None)
    table = restore(kept, [], lambda count: bytes(count), lambda: "m7", 0)
    assert isinstance(table.deals, ServerDeals)
    table.sit(0, GREEDY, None)
    table.sit(0, CALM, None)
    assert table.play is not None
    assert table.play.id == "m7"


# --- how it is stored


def profile(value: object) -> bool:
    """Whether a value is one that messages may have."""
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return all(isinstance(key, str) and profile(item) for key, item in items)
    if isinstance(value, list):
        return all(map(profile, cast("list[object]", value)))
    if isinstance(value, int):
        return abs(value) <= LARGEST_INTEGER
    return isinstance(value, str)


@given(st.integers(0, 2**32))
def test_what_is_stored_stays_within_the_profile_and_is_read_as_it_was(seed: int) -> None:
    def stored_as(kept: KeptTable) -> KeptTable:
        assert profile(msgpack.decode(kept_bytes(kept)))
        assert as_bytes(kept) == kept
        return kept

    live(seed, 20, stored_as)


NAMES = ("Anna-Katharina", "Bob", "careful", "greedy 2")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_table_in_play_is_kept_in_less_than_700_bytes(seats: int) -> None:
    keeping = Keeping(Options.of(seats))
    who = [
        Occupant(f"{number:016x}", name, "careful 0.1.0" if number > 1 else None)
        for number, name in enumerate(NAMES[:seats])
    ]
    keeping.sitting.begin(*who)
    keeping.sitting.act("-")
    keeping.sitting.wait(1_000)
    keeping.sitting.table.away(keeping.sitting.now, who[0].key)
    keeping.sitting.wait(1_000)
    kept = kept_bytes(keeping.kept())
    assert len(kept) < 700
    assert keeping.restored().state is TableState.PLAYING


def test_a_value_that_a_later_version_adds_is_no_obstacle_to_this_one() -> None:
    values = to_builtins(playing().kept())
    values["seats"][0]["hat"] = "red"
    assert read_kept(msgpack.encode(values)) == playing().kept()


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x80", b"\x90", msgpack.encode({"id": 1})])
def test_bytes_that_are_no_table_are_refused(data: bytes) -> None:
    with pytest.raises(InvalidKept, match=r"^table: "):
        read_kept(data)


@given(st.data())
def test_a_table_cut_or_changed_anywhere_is_refused_or_another_one(data: st.DataObject) -> None:
    written = kept_bytes(between().kept())
    place = data.draw(st.integers(0, len(written) - 1))
    with pytest.raises(InvalidKept):
        read_kept(written[:place])
    changed = bytearray(written)
    changed[place] ^= data.draw(st.integers(1, 255))
    try:
        table = restored(read_kept(bytes(changed)), between().rows)
    except InvalidKept:
        return
    assert keep(table, 0) is not None


# --- what is secret


def test_no_text_of_what_is_kept_shows_a_value() -> None:
    kept = paced().kept()
    change = playing().take()
    for value in (kept, kept.play, kept.play and kept.play.unshown, kept.seats[0], *change.rows):
        assert repr(value) == str(value) == f"<{type(value).__name__}>"
    assert repr([kept]) == "[<KeptTable>]"


def test_the_text_of_a_change_shows_no_deal() -> None:
    change = playing().sitting.change
    assert "KeptDeal" not in repr(change.rows)
    assert repr(change.rows) == f"[{', '.join(['<NewRow>'] * len(change.rows))}]"


# --- what cannot have been


def refused(kept: KeptTable, rows: int | None = None) -> str:
    """Why a table is not restored; the words hold no tile."""
    with pytest.raises(InvalidKept) as error:
        restored(kept, playing().rows[:rows])
    return str(error.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": replace(playing().kept().game, partners=True)}, "game.partners: "),
        ({"seats": playing().kept().seats[:1]}, "seats: 1, but the game has 2"),
        ({"owner": 3}, "owner: 3, "),
        ({"deal": DealKind.FAIR}, "key: "),
        ({"deal": DealKind.FAIR, "key": None}, "fair: "),
        ({"key": None}, "deal: given"),
        ({"key": "no hex"}, "key: "),
        ({"matches": 0}, "matches: "),
        ({"state": TableState.OPEN}, "play: "),
        ({"play": None, "matches": 0}, "play: "),
        ({"left_ms": 5}, "left_ms: "),
        ({"state": TableState.BETWEEN}, "left_ms: "),
        ({"rematch_ms": 5}, "rematch_ms: "),
        ({"state": TableState.BETWEEN, "left_ms": 5}, "state: between"),
    ],
)
def test_a_table_that_cannot_have_been_is_refused(changes: dict[str, object], words: str) -> None:
    assert refused(replace(playing().kept(), **changes)).startswith(words)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"occupant": None}, "occupant"),
        ({"state": SeatState.EMPTY}, "occupant"),
        ({"keeper": BOB}, "keeper"),
        ({"invited": CALM, "invited_ms": 5}, "invited"),
        ({"state": SeatState.INVITED, "occupant": None}, "invited"),
        ({"invited_ms": 5}, "invited_ms"),
        ({"away_ms": 5}, "away_ms"),
        ({"state": SeatState.AWAY}, "away_ms"),
        ({"returning": True}, "returning"),
    ],
)
def test_a_seat_that_cannot_have_been_is_refused(changes: dict[str, object], field: str) -> None:
    kept = playing().kept()
    words = refused(replace(kept, seats=(replace(kept.seats[0], **changes), kept.seats[1])))
    assert words.startswith(f"seats.0.{field}: ")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rows": 1}, "rows: there are 2, but 1 were kept"),
        ({"turn": 1}, "turn: 1, but the log ends with turn 1"),
        ({"unshown": KeptAnswer(1, "zz", 5)}, "action: "),
        ({"unshown": KeptAnswer(0, "-", 5)}, "unshown: seat 0 "),
        ({"unshown": KeptAnswer(1, "-")}, "unshown: seat 1 "),
    ],
)
def test_a_match_that_cannot_have_been_is_refused(changes: dict[str, object], words: str) -> None:
    kept = playing().kept()
    assert kept.play is not None
    assert refused(replace(kept, play=replace(kept.play, **changes))).startswith(words)


def test_a_match_without_rows_and_rows_without_a_match_are_refused() -> None:
    kept = playing().kept()
    assert kept.play is not None
    assert refused(replace(kept, play=replace(kept.play, rows=0)), 0).startswith("rows: ")
    assert refused(Keeping(LONG).kept()).startswith("rows: ")


def test_a_round_that_is_over_has_no_later_turn() -> None:
    kept = between().kept()
    assert kept.play is not None
    with pytest.raises(InvalidKept, match=r"^turn: 3, but the log ends with turn 2"):
        restored(replace(kept, play=replace(kept.play, turn=3)), between().rows)


def test_a_match_that_is_over_by_the_rules_cannot_be_played_on() -> None:
    keeping = Keeping(Options.of(2, max_rounds=1))
    keeping.sitting.begin(ANNA, BOB)
    keeping.sitting.pass_round()
    kept = replace(keeping.kept(), state=TableState.BETWEEN, rematch_ms=None)
    with pytest.raises(InvalidKept, match=r"^state: between"):
        restored(kept, keeping.rows)
