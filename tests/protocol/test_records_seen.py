"""R6: what a view of a record tells is what its reader may know at that moment, and no more."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from passing_protocol.records import InvalidValue, Record, RoundRecord, seen_by, write
from passing_rules import (
    ActionRecord,
    Deal,
    Draw,
    InvalidLog,
    LogEntry,
    Match,
    Play,
    RoundBegun,
    Tile,
)
from tests.support.records import full_records, plain_record, play_match
from tests.support.rules_play import RNGS, random_options

Slot = tuple[int, int]
"""A seat and the index in its hand; seat -1 is the boneyard."""


def last_round(match: Match) -> tuple[RoundBegun, list[ActionRecord]]:
    """The round that a match's log ends with."""
    begun = [entry for entry in match.log if isinstance(entry, RoundBegun)][-1]
    at = match.log.index(begun)
    return begun, [entry for entry in match.log[at:] if isinstance(entry, ActionRecord)]


def holders(deal: Deal, actions: list[ActionRecord]) -> Iterator[tuple[Slot, int]]:
    """Every slot of a deal, and the seat that gets its tile in the end; -1 for nobody."""
    draws = [action.seat for action in actions if isinstance(action.action, Draw)]
    for seat, hand in enumerate(deal.hands):
        for index in range(len(hand)):
            yield (seat, index), seat
    for index in range(len(deal.boneyard)):
        yield (-1, index), draws[index] if index < len(draws) else -1


def swapped(
    rng: random.Random, match: Match, reader: int | None, *, within_hands: bool
) -> list[LogEntry]:
    """The log of a match, with tiles that the reader has not seen dealt otherwise.

    Tiles change places among all seats and the boneyard, or only within each.
    """
    begun, actions = last_round(match)
    played = {action.action.tile for action in actions if isinstance(action.action, Play)}
    tiles = {-1: list(begun.deal.boneyard)} | {
        seat: list(hand) for seat, hand in enumerate(begun.deal.hands)
    }
    groups: dict[int, list[Slot]] = {}
    for slot, seat in holders(begun.deal, actions):
        if tiles[slot[0]][slot[1]] not in played and (seat == -1 or seat != reader):
            groups.setdefault(seat if within_hands else 0, []).append(slot)
    for slots in groups.values():
        hidden = [tiles[seat][index] for seat, index in slots]
        rng.shuffle(hidden)
        for (seat, index), tile in zip(slots, hidden, strict=True):
            tiles[seat][index] = tile
    deal = Deal(
        tuple(tuple(tiles[seat]) for seat in range(len(begun.deal.hands))), tuple(tiles[-1])
    )
    before = list(match.log[: match.log.index(begun)])
    return [*before, RoundBegun(begun.number, begun.leader, deal), *redrawn(deal, actions)]


def redrawn(deal: Deal, actions: list[ActionRecord]) -> Iterator[ActionRecord]:
    """The same actions, with the draws of another deal."""
    boneyard: Iterator[Tile] = iter(deal.boneyard)
    for action in actions:
        drawn = next(boneyard) if isinstance(action.action, Draw) else None
        yield ActionRecord(action.seat, action.action, drawn, action.timed_out)


def known(played: RoundRecord) -> set[Tile]:
    """Every tile that a round tells of."""
    told = [tile for hand in (*played.hands, played.boneyard, *played.left) for tile in hand]
    for action in played.actions:
        told += [action.drawn, action.action.tile if isinstance(action.action, Play) else None]
    return {tile for tile in told if tile is not None}


@settings(max_examples=150)
@given(RNGS, st.integers(1, 70), st.integers(-1, 3))
def test_hidden_tiles_of_an_unfinished_round_change_no_byte(
    rng: random.Random, turns: int, number: int
) -> None:
    options = random_options(rng)
    match = play_match(rng, options, turns)
    reader = None if number < 0 else number % options.seats
    assume(match.round is not None and match.round.ending is None)
    try:
        other = Match.replay(options, swapped(rng, match, reader, within_hands=False))
    except InvalidLog:  # the other deal is blocked at some point where this one is not
        assume(False)
    else:
        assume(other.round is not None and other.round.ending is None)  # nor by the last action
        one = write([seen_by(plain_record(match), reader)])
        assert write([seen_by(plain_record(other), reader)]) == one


@settings(max_examples=100)
@given(RNGS, st.integers(-1, 3))
def test_hidden_tiles_of_a_round_shown_later_change_no_byte(
    rng: random.Random, number: int
) -> None:
    options = random_options(rng)
    match = play_match(rng, options)
    reader = None if number < 0 else number % options.seats
    try:
        other = Match.replay(options, swapped(rng, match, reader, within_hands=True))
    except InvalidLog:
        assume(False)
    else:
        assert other.results == match.results
        told = [
            write([seen_by(plain_record(each), reader, hidden_after_end=True)])
            for each in (match, other)
        ]
        assert told[0] == told[1]


@settings(max_examples=40)
@given(full_records(), st.booleans())
def test_nothing_hidden_is_there_in_any_form(record: Record, hidden: bool) -> None:
    for reader in (None, *range(record.options.seats)):
        view = seen_by(record, reader, hidden_after_end=hidden)
        for full, seen in zip(record.rounds, view.rounds, strict=True):
            if full.result is not None and not hidden:
                assert seen == full
                continue
            allowed = {
                action.action.tile for action in full.actions if isinstance(action.action, Play)
            }
            if reader is not None:
                own = {action.drawn for action in full.actions if action.seat == reader}
                allowed |= {tile for tile in (*full.hands[reader], *own) if tile is not None}
            assert known(seen) == allowed
            assert seen.changes == full.changes
            assert seen.result == full.result


@settings(max_examples=30)
@given(full_records())
def test_a_view_can_be_narrowed_and_never_widened(record: Record) -> None:
    seats = range(record.options.seats)
    public = seen_by(record, None)
    for seat in seats:
        own = seen_by(record, seat)
        assert seen_by(own, None) == public
        assert seen_by(own, seat) == own
        for other in {*seats} - {seat}:
            with pytest.raises(InvalidValue, match=f"is the seat {seat} view"):
                seen_by(own, other)
        with pytest.raises(InvalidValue, match="is the public view"):
            seen_by(public, seat)


def test_a_reader_must_sit_at_the_table() -> None:
    record = plain_record(play_match(random.Random(1), random_options(random.Random(1)), 5))
    with pytest.raises(InvalidValue, match="view: seat 4"):
        seen_by(record, 4)
