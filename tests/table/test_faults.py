"""Why a seat is forfeited, as everybody is told it, and how the table goes on without it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_protocol.errors import ErrorCode
from passing_protocol.events import Fault, ForfeitKind, RoundBegan, SeatChanged
from passing_protocol.views import Acted, SeatState, TableOptions, TableState
from passing_rules import ALL_TILES, Options
from passing_table import Outcome
from passing_table.strikes import NO_STRIKES
from tests.support.sitting import Sitting, engine, person

ANNA, BOB, CYD, DAN = person("anna"), person("bob"), person("cyd"), person("dan")
GREEDY, CALM, SLOW, MILD = engine("greedy"), engine("calm"), engine("slow"), engine("mild")
LONG = Options.of(2, target=9_999)
THREE = Options.of(3, target=9_999)
PARTNERS = Options.of(4, partners=True, target=9_999)
QUICK = TableOptions(turn_ms=1_000, bank_ms=0, pace_ms=0, faults="forfeit")


def faults(sitting: Sitting) -> list[Fault]:
    """All evidence that seats were told to be forfeited with."""
    told = [event for event in sitting.told(SeatChanged) if isinstance(event, SeatChanged)]
    assert all(event.info.state is SeatState.FORFEITED for event in told if event.fault)
    assert all(event.fault.seat == event.seat for event in told if event.fault)
    return [event.fault for event in told if event.fault is not None]


def evidence(sitting: Sitting) -> dict[int | None, str]:
    found = faults(sitting)
    assert all(fault.owner == "player" for fault in found)
    assert len({fault.seat for fault in found}) == len(found)
    return {fault.seat: fault.evidence for fault in found}


def others_draw(sitting: Sitting) -> None:
    """Let the others draw, or pass when they cannot, until it is the turn of seat 0."""
    while sitting.to_act != 0:
        if sitting.to_act is None:
            sitting.wait(20_000)  # for people who are not ready for the next round
        else:
            sitting.act("d" if sitting.dealt.drawable else "-")


def time_out(sitting: Sitting) -> None:
    others_draw(sitting)
    sitting.wait(1_000)


def be_refused(sitting: Sitting) -> None:
    """Lose the turn of seat 0 by three refused actions."""
    others_draw(sitting)
    for _ in range(3):
        assert sitting.refusal(sitting.tile_not_held(0), seat=0) is ErrorCode.NOT_IN_HAND


# --- strikes -------------------------------------------------------------------------------------

OUT_OF_TIME, REFUSED = None, ErrorCode.DOES_NOT_FIT


@pytest.mark.parametrize(
    ("lost", "text"),
    [
        ([OUT_OF_TIME], "1 strike: 1 turn without an answer in time"),
        ([OUT_OF_TIME] * 3, "3 strikes: 3 turns without an answer in time"),
        ([REFUSED], "1 strike: 1 turn with 3 refused actions, the last does_not_fit"),
        (
            [REFUSED, ErrorCode.NOT_IN_HAND],
            "2 strikes: 2 turns with 3 refused actions each, the last not_in_hand",
        ),
        (
            [OUT_OF_TIME, REFUSED, OUT_OF_TIME],
            "3 strikes: 2 turns without an answer in time, "
            "1 turn with 3 refused actions, the last does_not_fit",
        ),
    ],
)
def test_strikes_as_text(lost: list[ErrorCode | None], text: str) -> None:
    strikes = NO_STRIKES
    for refusal in lost:
        strikes = strikes.one_more(refusal)
    assert str(strikes) == text


RULE_CODES = st.sampled_from(
    [
        ErrorCode.NOT_IN_HAND,
        ErrorCode.DOES_NOT_FIT,
        ErrorCode.END_NEEDED,
        ErrorCode.BONEYARD_FLOOR,
    ]
)


@given(st.lists(st.none() | RULE_CODES, min_size=1, max_size=102))
def test_every_strike_is_counted_once_and_the_text_fits_into_a_fault(
    lost: list[ErrorCode | None],
) -> None:
    strikes = NO_STRIKES
    for refusal in lost:
        strikes = strikes.one_more(refusal)
    assert strikes.count == len(lost)
    assert strikes.unanswered == lost.count(None)
    assert len(str(strikes)) < 200


# --- evidence ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "text", "kind"),
    [
        (
            [time_out] * 3,
            "3 strikes: 3 turns without an answer in time",
            ForfeitKind.NO_ANSWER,
        ),
        (
            [be_refused] * 3,
            "3 strikes: 3 turns with 3 refused actions each, the last not_in_hand",
            ForfeitKind.REFUSED,
        ),
        (
            [time_out, be_refused, time_out],
            "3 strikes: 2 turns without an answer in time, "
            "1 turn with 3 refused actions, the last not_in_hand",
            ForfeitKind.REFUSED,
        ),
    ],
)
def test_c51_turns_without_an_answer_are_told_from_turns_lost_by_refusals(
    turns: list[Callable[[Sitting], None]], text: str, kind: ForfeitKind
) -> None:
    sitting = Sitting(LONG, QUICK)
    sitting.begin(GREEDY, CALM)
    for lose in turns:
        lose(sitting)
    assert evidence(sitting) == {0: text}
    assert sitting.match_end().fault == Fault("player", text, 0, kind)


def test_what_strikes_were_for_is_forgotten_with_them() -> None:
    sitting = Sitting(LONG, QUICK)
    sitting.begin(GREEDY, CALM)
    be_refused(sitting)
    be_refused(sitting)
    others_draw(sitting)
    sitting.act("d")
    for _ in range(3):
        time_out(sitting)
    assert evidence(sitting) == {0: "3 strikes: 3 turns without an answer in time"}


def test_a_turn_that_was_refused_twice_and_then_ran_out_of_time_was_not_answered_in_time() -> None:
    sitting = Sitting(LONG, QUICK)
    sitting.begin(GREEDY, CALM)
    for _ in range(3):
        others_draw(sitting)
        sitting.refusal(sitting.tile_not_held(0), seat=0)
        sitting.refusal(sitting.tile_not_held(0), seat=0)
        sitting.wait(1_000)
    assert evidence(sitting) == {0: "3 strikes: 3 turns without an answer in time"}


def test_leaving_staying_away_and_being_removed_are_told_apart() -> None:
    sitting = Sitting(Options.of(4, target=9_999), TableOptions(turn_ms=0, absent="forfeit"))
    sitting.begin(ANNA, BOB, CYD, DAN)
    sitting.table.leave(sitting.now, "bob")
    sitting.table.remove(sitting.now, 2)
    sitting.table.away(sitting.now, "dan")
    sitting.wait(90_100)
    assert evidence(sitting) == {1: "left", 2: "was removed", 3: "stayed away"}
    assert {fault.seat: fault.kind for fault in faults(sitting)} == {
        1: ForfeitKind.LEFT,
        2: ForfeitKind.REMOVED,
        3: ForfeitKind.AWAY,
    }
    assert sitting.match_end().fault == Fault("player", "stayed away", 3, ForfeitKind.AWAY)


def test_how_a_player_went_is_known_when_the_seat_is_forfeited_for_it_later() -> None:
    sitting = Sitting(Options.of(4, target=9_999))
    sitting.begin(ANNA, BOB, GREEDY, CALM)
    sitting.table.remove(sitting.now, 1)
    assert faults(sitting) == []  # a substitute is looked for, for there are people
    sitting.table.leave(sitting.now, "anna")
    sitting.wait(5_000)
    assert evidence(sitting) == {0: "left", 1: "was removed"}
    assert sitting.state() is TableState.PLAYING


def test_partners_who_are_both_gone_are_told_each_with_what_happened_to_them() -> None:
    sitting = Sitting(PARTNERS, TableOptions(turn_ms=0))
    sitting.begin(ANNA, BOB, CYD, DAN)
    sitting.table.leave(sitting.now, "cyd")
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    assert evidence(sitting) == {0: "stayed away", 2: "left"}
    assert sitting.match_end().fault == Fault("player", "stayed away", 0, ForfeitKind.AWAY)


def test_a_partner_who_has_forfeited_before_is_not_told_again() -> None:
    sitting = Sitting(PARTNERS, QUICK)
    sitting.begin(GREEDY, BOB, CALM, DAN)
    for _ in range(3):
        time_out(sitting)
    assert evidence(sitting) == {0: "3 strikes: 3 turns without an answer in time"}
    assert sitting.state() is TableState.PLAYING
    sitting.table.leave(sitting.now, "calm")
    assert evidence(sitting)[2] == "left"
    ended = sitting.match_end()
    assert (ended.winner, ended.fault) == (1, Fault("player", "left", 2, ForfeitKind.LEFT))


def test_a_player_for_whom_an_engine_stood_in_has_stayed_away() -> None:
    sitting = Sitting(PARTNERS, TableOptions(turn_ms=0))
    sitting.begin(ANNA, BOB, CYD, DAN)
    sitting.table.away(sitting.now, "anna")
    sitting.wait(90_100)
    sitting.table.seats.invite(sitting.now, 0, GREEDY)
    sitting.table.sit(sitting.now, GREEDY, 0)
    sitting.table.leave(sitting.now, "cyd")
    assert evidence(sitting) == {2: "left", 0: "stayed away"}


@pytest.mark.parametrize("step", [20, 20_000], ids=["in time", "late"])
def test_an_action_that_waits_to_be_shown_comes_before_the_forfeit_of_its_seat(step: int) -> None:
    """As a record has it: a seat that has forfeited only passes."""
    sitting = Sitting(THREE, replace(QUICK, pace_ms=8_000))
    sitting.begin(GREEDY, CALM, SLOW)
    assert sitting.act("d") is Outcome.HELD
    sitting.table.away(sitting.now, "greedy")
    sitting.wait(20_000, step)
    sitting.take()
    of_seat = [e for e in sitting.events if isinstance(e, Acted | SeatChanged) and e.seat == 0]
    out = next(n for n, e in enumerate(of_seat) if isinstance(e, SeatChanged) and e.fault)
    assert [e.timed_out for e in of_seat[:out] if isinstance(e, Acted)] == [False]
    assert all(e.timed_out for e in of_seat[out:] if isinstance(e, Acted))


# --- engines that never answer, at tables of people ----------------------------------------------


@pytest.mark.parametrize(
    ("policy", "allowed"), [("forfeit", 3), ("retry:0", 3), ("retry:1", 4), ("retry:4", 7)]
)
def test_c59_an_engine_that_never_answers_people_is_out_after_its_strikes_and_they_know_why(
    policy: str, allowed: int
) -> None:
    sitting = Sitting(THREE, TableOptions(turn_ms=1_000, bank_ms=0, pace_ms=0, faults=policy))
    sitting.begin(SLOW, ANNA, BOB)
    for _ in range(allowed - 1):
        time_out(sitting)
    assert faults(sitting) == []
    assert sitting.seat(0) is SeatState.TAKEN
    time_out(sitting)
    text = f"{allowed} strikes: {allowed} turns without an answer in time"
    assert evidence(sitting) == {0: text}
    assert sitting.state() is TableState.PLAYING
    strikes = [
        event.info.strikes
        for event in sitting.told(SeatChanged)
        if isinstance(event, SeatChanged) and event.seat == 0 and event.info.strikes
    ]
    assert strikes == [*range(1, allowed + 1), allowed]


def test_where_people_chose_so_an_engine_is_passed_for_and_its_strikes_are_told() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0, pace_ms=0, faults="pass"))
    sitting.begin(SLOW, ANNA)
    for _ in range(7):
        time_out(sitting)
    assert faults(sitting) == []
    assert sitting.table.seats[0].struck.count == 7


def test_an_engine_that_hangs_is_out_by_default_also_among_people() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0, pace_ms=0))
    sitting.begin(SLOW, ANNA)
    for _ in range(3):
        time_out(sitting)
    assert [fault.seat for fault in faults(sitting)] == [0]


def test_a_person_who_does_not_answer_is_passed_for() -> None:
    sitting = Sitting(LONG, TableOptions(turn_ms=1_000, bank_ms=0, pace_ms=0))
    sitting.begin(ANNA, CALM)
    for _ in range(7):
        time_out(sitting)
    assert faults(sitting) == []
    assert sitting.table.seats[0].struck.count == 7


# --- the rest of the match -----------------------------------------------------------------------

FORMS = [
    Options.of(3, target=9_999),
    Options.of(4, target=9_999),
    PARTNERS,
]


@pytest.mark.parametrize("options", FORMS, ids=["3", "4", "partners"])
def test_a_forfeited_seat_passes_to_the_end_and_every_round_is_scored(options: Options) -> None:
    sitting = Sitting(options, QUICK)
    sitting.begin(*[GREEDY, CALM, SLOW, MILD][: options.seats])
    for _ in range(3):
        time_out(sitting)
    assert sitting.seat(0) is SeatState.FORFEITED
    sitting.take()
    out_at = len(sitting.events)
    rounds = len(sitting.round_ends()) + 3
    while len(sitting.round_ends()) < rounds:
        sitting.wait(20)
        if sitting.to_act not in (None, 0):
            sitting.act(str(sitting.dealt.legal_actions()[0]))
    after = sitting.events[out_at:]
    own = [event for event in after if isinstance(event, Acted) and event.seat == 0]
    assert own
    assert all(event.action.pass_ and event.timed_out for event in own)
    assert sum(isinstance(event, RoundBegan) for event in after) >= 2
    for ended in sitting.round_ends():
        hands = ended.hands
        assert hands is not None
        assert ended.pips == [sum(int(d) for tile in hand for d in tile) for hand in hands]
    scores = [ended.scores for ended in sitting.round_ends()]
    assert any(ended.points for ended in sitting.round_ends())
    assert scores == sorted(scores)
    assert sitting.state() is TableState.PLAYING
    assert len(faults(sitting)) == 1


def test_evidence_holds_no_tile() -> None:
    sitting = Sitting(LONG, QUICK)
    sitting.begin(GREEDY, CALM)
    for _ in range(3):
        be_refused(sitting)
    (fault,) = faults(sitting)
    assert not any(str(tile) in fault.evidence for tile in ALL_TILES)
