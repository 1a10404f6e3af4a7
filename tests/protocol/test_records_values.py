"""A record is refused, or its text is read back as the same record: nothing between."""

import random
from collections.abc import Callable, Collection
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_protocol.records import (
    ChangeKind,
    EndReason,
    InvalidValue,
    Outcome,
    Record,
    RoundRecord,
    SeatChange,
    View,
    parse,
    write,
)
from passing_rules import RoundResult
from tests.support.records import OPEN, full_records, views
from tests.support.records_bad import PARTNERS
from tests.support.rules_play import RNGS

(GAME,) = parse(OPEN)
ENDED, GOING = GAME.rounds
(FOUR,) = parse(PARTNERS)
assert ENDED.result is not None
RESULT: RoundResult = ENDED.result
ROUND: Callable[..., RoundRecord] = RoundRecord
ROUND_RESULT: Callable[..., RoundResult] = RoundResult
"""The same, with fields of any type."""


def change(seat: int, after: int) -> SeatChange:
    return SeatChange(seat, after, ChangeKind.PLAYER, "Cy")


REFUSED: tuple[tuple[Callable[[], object], str], ...] = (
    (lambda: View(seat=-1), "view: seat -1, allowed are 0 to 3"),
    (lambda: View(seat=4), "view: seat 4, allowed are 0 to 3"),
    (lambda: replace(GAME, view=View(seat=3)), "view: seat 3, allowed are 0 to 2"),
    (lambda: change(-1, 0), "change: seat -1, allowed are 0 to 3"),
    (lambda: replace(GOING, leader=3), "leader: 3, allowed are 0 to 2"),
    (lambda: replace(GOING, leader=1), "action 0: seat 0, expected 1"),
    (lambda: replace(GOING, actions=GOING.actions[1:]), "action 0: seat 1, expected 0"),
    (lambda: replace(GOING, number=-1), "round: -1, allowed are 0 to 999999"),
    (lambda: replace(GOING, scores_before=(0, 0, 10**6)), "scores_before: 1000000"),
    (lambda: replace(GOING, hands=(GOING.hands[0][::-1],) * 3), "hands: that of seat 0 is not in"),
    (lambda: replace(GOING, changes=(change(3, 0),)), "change: seat 3, allowed are 0 to 2"),
    (lambda: replace(GOING, changes=(change(0, -1),)), "change: after -1, allowed are 0 to 9"),
    (lambda: replace(GOING, changes=(change(0, 10),)), "change: after 10, allowed are 0 to 9"),
    (lambda: replace(GOING, changes=(change(0, 3), change(1, 2))), "after 2, allowed are 3 to 9"),
    (lambda: replace(GOING, left=ENDED.left), "left: 3 hands, allowed is none before the end"),
    (lambda: replace(ENDED, left=ENDED.left[1:]), "3 pips, 2 hands left, needed are 3"),
    (lambda: replace(ENDED, left=((), ENDED.left[1][::-1], ())), "left: that of seat 1 is not in"),
    (lambda: replace(ENDED, number=2), "result: round 1 led by 2, expected 2 led by 2"),
    (lambda: resulted(leader=1), "result: round 1 led by 1, expected 1 led by 2"),
    (lambda: resulted(pips=(10, 11)), "2 pips, 3 hands left"),
    (lambda: resulted(pips=(10, 11, -1)), "result: -1, allowed are 0 to 999999"),
    (lambda: resulted(points=-1), "result: -1"),
    (lambda: resulted(winners=(2, 1)), "winners: .*, allowed are ascending seats from 0 to 2"),
    (lambda: resulted(winners=(3,)), "winners: "),
    (lambda: resulted(winners=(), side=None), "points: 21 for nobody, allowed is 0"),
    (lambda: played(resulted(side=1)), "side 1, expected 2"),
    (lambda: played(resulted(scores=(0, 21))), "needed are 3 scores"),
    (lambda: played(replace(ENDED, scores_before=(0, 0))), "needed are 3 scores"),
    (lambda: played(replace(ENDED, boneyard=ENDED.boneyard[1:])), "not those of 3"),
    (lambda: played(replace(GOING, hands=((), *GOING.hands[1:]))), "not those of 3"),
    (lambda: replace(GAME, rounds=FOUR.rounds), "not those of 3"),
    (lambda: replace(GAME, rounds=(GOING, GOING)), "one that is unfinished is followed"),
    (lambda: ended(EndReason.MAX_ROUNDS, 3), "winner: 3, allowed are 0 to 2"),
    (lambda: ended(EndReason.FORFEIT, 0, 2, 1), "forfeited: .*, allowed are ascending seats"),
    (lambda: ended(EndReason.FORFEIT, 0, 3), "forfeited: "),
)


def fields_of(value: RoundRecord | RoundResult) -> dict[str, object]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def resulted(**changes: object) -> RoundRecord:
    """The first round with another result."""
    return replace(ENDED, result=ROUND_RESULT(**fields_of(RESULT) | changes))


def played(first: RoundRecord) -> Record:
    return replace(GAME, rounds=(first,))


def ended(reason: EndReason, winner: int, *forfeited: int) -> Record:
    return replace(GAME, outcome=Outcome(reason, winner, forfeited))


@pytest.mark.parametrize("lost", [{2, 0}, {2: "late", 0: "gone"}, (0, 2)])
def test_seats_that_were_lost_are_told_where_they_ended_the_match(lost: Collection[int]) -> None:
    assert Outcome.told("forfeit", 1, lost) == Outcome(EndReason.FORFEIT, 1, (0, 2))
    assert Outcome.told("target", 1, lost) == Outcome(EndReason.TARGET, 1)
    assert Outcome.told("abandoned", None, lost) == Outcome(EndReason.ABANDONED)
    with pytest.raises(InvalidValue, match="forfeited"):
        Outcome.told("forfeit", 1, ())
    with pytest.raises(ValueError, match="rain"):
        Outcome.told("rain", None, lost)


@pytest.mark.parametrize(("make", "told"), REFUSED)
def test_what_cannot_be_written_is_refused(make: Callable[[], object], told: str) -> None:
    with pytest.raises(InvalidValue, match=told):
        make()


def scrambled(rng: random.Random, record: Record) -> Record:
    """A record with something put elsewhere; raises InvalidValue."""
    place = rng.randrange(len(record.rounds))
    chosen = record.rounds[place]
    other = rng.choice(record.rounds)
    name = rng.choice([field.name for field in fields(RoundRecord)])
    value: object = getattr(other, name)
    if isinstance(value, tuple):
        items: list[object] = [*value]
        value = tuple(rng.sample(items, rng.randrange(len(items) + 1)))
    elif isinstance(value, int):
        value += rng.choice((-1, 0, 1))
    rounds = [*record.rounds]
    rounds[place] = ROUND(**fields_of(chosen) | {name: value})
    return replace(record, rounds=tuple(rng.sample(rounds, rng.randint(1, len(rounds)))))


@settings(max_examples=150)
@given(st.one_of(st.just(GAME), st.just(FOUR), full_records()), RNGS)
def test_a_record_is_refused_or_read_back(record: Record, rng: random.Random) -> None:
    if not record.rounds:
        return
    try:
        other = scrambled(rng, rng.choice(views(record)))
    except InvalidValue:
        return
    assert parse(write([other])) == (other,)
