"""A record is played again as it was: each step shows what everybody saw, and true hands."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.replaying import Replay
from passing_client.words.replays import replay_lines
from passing_protocol.events import Event, MatchEnded, RoundBegan, RoundEnded
from passing_protocol.records import FULL, PUBLIC, Record, View, parse, seen_by
from passing_protocol.views import Acted, PublicView
from passing_rules import Deal, Round
from tests.support.evenings import Evening
from tests.support.onlookers import true_records
from tests.support.records import OPEN, WHOLE, full_records, play_and_lose_seats, views
from tests.support.rules_play import RNGS, random_options

WHOLE_RECORD, OPEN_RECORD = parse(WHOLE)[0], parse(OPEN)[0]
ENDS = (RoundBegan, Acted, RoundEnded)


def public_part(view: PublicView) -> PublicView:
    """Return what a record tells of a view: no turn, no presence, not how it is run and dealt."""
    actions = [replace(acted, turn=0) for acted in view.actions]
    seats = [replace(seat, ready=False, strikes=0) for seat in view.seats]
    return replace(
        view,
        rev=0,
        turn=0,
        hash="",
        owner=None,
        actions=actions,
        seats=seats,
        table=NO_WISHES,
        tips=None,
        deal_number=None,
    )


NO_WISHES = Replay(WHOLE_RECORD).view.table


@pytest.mark.parametrize("number", range(4))
def test_each_step_shows_what_the_table_showed_at_that_moment(number: int) -> None:
    evening = Evening(number, restarts=0.0)
    evening.play()
    (truth,) = true_records(evening.lan).values()
    seen = [moment for moment in evening.seen if isinstance(moment.event, ENDS)]
    replay = Replay(truth)
    told = [m for step in replay.steps for m in step.moments if isinstance(m.event, ENDS)]
    assert len(told) == len(seen) == len(replay.steps)
    for mine, theirs in zip(told, seen, strict=True):
        assert public_part(mine.after) == public_part(theirs.after)
        assert untimed(mine.event) == untimed(theirs.event)


def untimed(event: Event) -> Event:
    """Return what a record tells of an event: neither turns nor numbers of deals."""
    if isinstance(event, RoundBegan):
        return replace(event, deal_number=None)
    return replace(event, turn=0) if isinstance(event, Acted) else event


def rounds_of(record: Record) -> list[list[Round]]:
    """Play the rounds of a full record by the rules; return each as it was at every moment."""
    played: list[list[Round]] = []
    for told in record.rounds:
        hands = tuple(tuple(t for t in hand if t is not None) for hand in told.hands)
        deal = Deal(hands, tuple(tile for tile in told.boneyard if tile is not None))
        current = Round(deal, told.leader, record.options.pass_circles)
        moments = [current.copy()]
        for done in told.actions:
            current.do(done.seat, done.action, done.timed_out)
            moments.append(current.copy())
        played.append(moments + moments[-1:] * (told.result is not None))
    return played


@given(full_records())
def test_a_full_record_shows_every_hand_as_it_was(record: Record) -> None:
    replay = Replay(record)
    moments = [moment for played in rounds_of(record) for moment in played]
    assert len(moments) in (len(replay.steps), 0)
    for step, moment in zip(replay.steps, moments, strict=False):
        hands = [tuple(sorted(moment.hand(seat))) for seat in range(record.options.seats)]
        assert [*step.hands] == hands
        assert step.view.hands == list(moment.hand_sizes)
        assert (step.view.boneyard, step.view.drawable) == (moment.boneyard_size, moment.drawable)
        ends = None if moment.left is None else (moment.left, moment.right)
        assert step.view.ends == ends


@given(full_records())
def test_no_view_shows_a_tile_that_was_not_held(record: Record) -> None:
    whole = Replay(record)
    for seen in views(record):
        replay = Replay(seen)
        assert len(replay.steps) == len(whole.steps)
        for step, true in zip(replay.steps, whole.steps, strict=True):
            for hand, held in zip(step.hands, true.hands, strict=True):
                assert len(hand) == len(held)
                assert {*hand} - {None} <= {*held}


@given(full_records(), st.integers(0, 3))
def test_ones_own_hand_is_known_at_every_step(record: Record, seat: int) -> None:
    seat %= record.options.seats
    replay, whole = Replay(seen_by(record, seat, hidden_after_end=True)), Replay(record)
    for step, true in zip(replay.steps, whole.steps, strict=True):
        if true.hands:
            assert step.hands[seat] == true.hands[seat]


@given(RNGS)
def test_a_match_that_seats_are_lost_in_is_told_to_its_end(rng: random.Random) -> None:
    record = play_and_lose_seats(rng, random_options(rng), 0.05)
    replay = Replay(record)
    (ended,) = [
        moment.event
        for step in replay.steps
        for moment in step.moments
        if isinstance(moment.event, MatchEnded)
    ]
    assert record.outcome is not None
    assert (ended.reason, ended.winner) == (record.outcome.reason, record.outcome.winner)
    assert replay.steps[-1].match_end is not None


# --- moving -------------------------------------------------------------------------------------


@given(full_records(), st.lists(st.sampled_from(["on", "back", "home", "end", "pgup", "pgdn"])))
def test_one_is_always_at_a_step(record: Record, keys: list[str]) -> None:
    replay = Replay(record)
    moves = {
        "on": lambda: replay.go(1),
        "back": lambda: replay.go(-1),
        "home": lambda: replay.go(-len(replay.steps)),
        "end": lambda: replay.go(len(replay.steps)),
        "pgup": replay.previous_round,
        "pgdn": replay.next_round,
    }
    for key in keys:
        moves[key]()
        assert replay.step is replay.steps[replay.at]
        assert replay.view is replay.step.view


def test_rounds_are_gone_through_from_deal_to_deal() -> None:
    replay = Replay(OPEN_RECORD)
    first, second = replay.round_starts
    assert first == 0
    replay.next_round()
    assert (replay.at, replay.view.round, replay.view.actions) == (second, 2, [])
    replay.next_round()
    assert replay.at == len(replay.steps) - 1
    replay.previous_round()
    assert replay.at == second
    replay.previous_round()
    assert replay.at == first
    replay.previous_round()
    assert replay.at == first


def test_a_round_is_found_by_its_number() -> None:
    replay = Replay(OPEN_RECORD)
    assert replay.go_to_round(2)
    assert replay.view.round == 2
    assert not replay.go_to_round(3)
    assert replay.view.round == 2


def test_no_more_than_the_record_tells() -> None:
    empty = Replay(parse(WHOLE[: WHOLE.index("\nround 1")])[0])
    assert len(empty.steps) == 1
    assert empty.hand(0) == ()
    empty.go(1)
    empty.next_round()
    assert empty.at == 0


# --- eyes ----------------------------------------------------------------------------------------


@given(full_records())
def test_eyes_see_what_they_are_for(record: Record) -> None:
    replay = Replay(record)
    seats = range(record.options.seats)
    for at, step in enumerate(replay.steps):
        replay.at = at
        if not step.hands:
            continue
        for eyes in (FULL, PUBLIC, *(View(seat=seat) for seat in seats)):
            replay.eyes = eyes
            for seat in seats:
                sees = eyes.full or eyes.seat == seat
                hidden = (None,) * len(step.hands[seat])
                assert replay.hand(seat) == (step.hands[seat] if sees else hidden)


def test_eyes_go_round() -> None:
    replay = Replay(WHOLE_RECORD)
    eyes = [replay.eyes]
    for _ in range(4):
        replay.turn_eyes()
        eyes.append(replay.eyes)
    assert eyes == [FULL, View(seat=0), View(seat=1), PUBLIC, FULL]
    replay.turn_eyes(-1)
    assert replay.eyes == PUBLIC


def test_the_first_eyes_are_those_that_the_record_is_for() -> None:
    assert Replay(WHOLE_RECORD).eyes == FULL
    assert Replay(seen_by(WHOLE_RECORD, 1)).eyes == View(seat=1)
    assert Replay(seen_by(WHOLE_RECORD, None)).eyes == FULL
    assert Replay(seen_by(WHOLE_RECORD, 1)).me == 1
    assert Replay(WHOLE_RECORD).me is None


# --- as text -------------------------------------------------------------------------------------


def test_a_record_as_text() -> None:
    lines = list(replay_lines(Replay(WHOLE_RECORD)))
    assert lines[:11] == [
        "The match begins: 2 seats, to 101 points.",
        "  Dana, seat 1",
        "  Bo (greedy 0.2), seat 2",
        "Round 1. Bo leads. 7 tiles each, boneyard 14, 12 to draw. "
        "The deal is checked when the round ends.",
        "  Dana, seat 1: 0-2, 0-5, 1-3, 1-4, 2-6, 4-5, 5-6",
        "  Bo, seat 2: 0-1, 0-6, 1-1, 1-5, 1-6, 2-3, 3-4",
        "Lap 1.",
        "Bo leads 1-1. Ends 1 and 1. Bo has 6 tiles.",
        "Dana plays 1-3, left. Ends 3 and 1. Dana has 6 tiles.",
        "Lap 2.",
        "Bo plays 1-5, right. Ends 3 and 5. Bo has 5 tiles.",
    ]
    assert "Dana draws 6-6. Boneyard 13, 11 to draw." in lines
    assert lines[-3:] == [
        "Scores: Dana 0, Bo 21. The match is to 101.",
        "The match is over: Bo wins with 21 points.",
        "Final scores: Dana 0, Bo 21.",
    ]


def test_a_record_of_ones_own_says_you() -> None:
    lines = list(replay_lines(Replay(seen_by(WHOLE_RECORD, 0))))
    assert "  Dana (you), seat 1: 0-2, 0-5, 1-3, 1-4, 2-6, 4-5, 5-6" in lines
    assert not any(line.startswith("  Bo, seat 2:") and "," in line[14:] for line in lines[:8])
    assert "You draw 6-6. Boneyard 13, 11 to draw. You have 3 tiles." in lines
    assert "Bo draws. Boneyard 12, 10 to draw." in lines


def test_eyes_that_see_no_hand_read_of_none_before_the_end() -> None:
    replay = Replay(WHOLE_RECORD)
    replay.eyes = PUBLIC
    lines = list(replay_lines(replay))
    assert lines[4] == "Lap 1."
    assert "Dana draws. Boneyard 13, 11 to draw." in lines


def test_one_round_alone() -> None:
    lines = list(replay_lines(Replay(OPEN_RECORD), 2))
    assert lines[0].startswith("Round 2. Ann leads.")
    assert "careful 0.1 stands in for Ann at seat 1." in lines
    assert list(replay_lines(Replay(OPEN_RECORD), 9)) == []


@given(full_records())
def test_every_record_has_its_text(record: Record) -> None:
    for seen in views(record)[::3]:
        replay = Replay(seen)
        at = replay.at
        lines = list(replay_lines(replay))
        assert len([line for line in lines if line.startswith("Lap ")]) == sum(
            -(-len(played.actions) // record.options.seats) for played in record.rounds
        )
        assert "" not in lines[:1]
        assert at == 0
