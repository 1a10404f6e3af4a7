"""Records are played again under the rules: what can have happened is right, and nothing else."""

import random
import re
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_protocol.records import (
    PUBLIC,
    InvalidRecord,
    Record,
    RoundRecord,
    Tiles,
    View,
    decode,
    departure,
    parse,
    verify_records,
    write,
)
from passing_rules import ActionRecord, Options
from tests.support.records import (
    OPEN,
    WHOLE,
    full_records,
    plain_record,
    play_and_lose_seats,
    play_match,
    views,
)
from tests.support.records_bad import FLOORED, HIDDEN, PARTNERS, shown_later
from tests.support.rules_play import RNGS, random_options

PIECES = '0123456789?<>=+-| dt.;\n"[]{}é'


def right(text: str) -> bool:
    """Whether a text is right; nothing but InvalidRecord says that it is not."""
    try:
        records = verify_records(text)
    except InvalidRecord:
        return False
    assert verify_records(write(records)) == records
    return True


@settings(max_examples=300)
@given(full_records(), RNGS, st.sampled_from(PIECES))
def test_a_changed_character_is_refused_or_makes_another_right_record(
    record: Record, rng: random.Random, piece: str
) -> None:
    text = write([rng.choice(views(record))])
    at = rng.randrange(text.rindex("[Seat"), len(text))
    right(text[:at] + piece + text[at + 1 :])


def test_no_changed_digit_of_a_round_is_overlooked() -> None:
    """Every tile, action, count and score of a full record that has ended is checked.

    What is left are ways to write the same, and the text of names.
    """
    start = WHOLE.index("round 1")
    for at in range(start, len(WHOLE)):
        for digit in "0123456" if WHOLE[at].isdigit() else "":
            text = WHOLE[:at] + digit + WHOLE[at + 1 :]
            assert right(text) == (digit == WHOLE[at]), text[at - 10 : at + 10]


@settings(max_examples=200)
@given(st.text() | st.text(alphabet=PIECES + "roundhaylefmtwc 0\n"))
def test_any_text_is_read_or_refused(text: str) -> None:
    right(text)


@settings(max_examples=200)
@given(st.sampled_from((WHOLE, OPEN, PARTNERS, HIDDEN)), RNGS, st.text(max_size=4))
def test_any_torn_record_is_read_or_refused(text: str, rng: random.Random, put: str) -> None:
    start, end = sorted(rng.randrange(len(text)) for _ in range(2))
    right(text[:start] + put + text[end:])
    right(text[:end])


# --- seats that were lost -------------------------------------------------------------------


@settings(max_examples=40)
@given(RNGS, st.sampled_from((0.005, 0.03)))
def test_seats_that_forfeit_pass_by_time_until_one_side_is_left(
    rng: random.Random, chance: float
) -> None:
    record = play_and_lose_seats(rng, random_options(rng), chance)
    assert all(right(write([view])) for view in views(record))
    for place, played in enumerate(record.rounds):
        for change in played.changes:
            without = replace(
                played, changes=tuple(each for each in played.changes if each is not change)
            )
            rounds = (*record.rounds[:place], without, *record.rounds[place + 1 :])
            decided = record.outcome is not None and change.seat in record.outcome.forfeited
            assert right(write([replace(record, rounds=rounds)])) != decided


@settings(max_examples=40)
@given(RNGS)
def test_a_seat_that_forfeits_and_acts_is_refused(rng: random.Random) -> None:
    record = play_and_lose_seats(rng, Options.of(3, max_rounds=2), 0.02)
    lost: set[int] = set()
    for place, played in enumerate(record.rounds):
        for done, action in enumerate(played.actions):
            lost |= {change.seat for change in played.changes if change.after == done}
            if action.seat in lost:
                acted = (*played.actions[:done], replace(action, timed_out=False))
                going_on = replace(played, actions=(*acted, *played.actions[done + 1 :]))
                rounds = (*record.rounds[:place], going_on, *record.rounds[place + 1 :])
                text = write([replace(record, rounds=rounds)])
                with pytest.raises(InvalidRecord, match=f"{action.seat} has forfeited") as caught:
                    verify_records(text)
                assert text[caught.value.place.offset :].split()[0] == "-"
                return


# --- tiles that nobody knows ----------------------------------------------------------------


def blotted(rng: random.Random, record: Record, chance: float) -> Record:
    """A record that has ended, some of whose tiles nobody remembers."""

    def some(tiles: Tiles) -> Tiles:
        kept = [None if rng.random() < chance else tile for tile in tiles]
        return tuple(sorted(kept, key=lambda tile: 28 if tile is None else tile.index))

    def hidden(action: ActionRecord) -> ActionRecord:
        return replace(action, drawn=None) if rng.random() < chance else action

    def blot(played: RoundRecord) -> RoundRecord:
        return replace(
            played,
            hands=tuple(map(some, played.hands)),
            boneyard=tuple(None if rng.random() < chance else tile for tile in played.boneyard),
            actions=tuple(map(hidden, played.actions)),
            left=tuple(map(some, played.left)),
        )

    return replace(record, view=PUBLIC, rounds=tuple(map(blot, record.rounds)))


@settings(max_examples=150)
@given(RNGS, st.sampled_from((0.1, 0.5, 0.9)), st.integers(2, 4))
def test_what_happened_is_possible_however_little_is_known(
    rng: random.Random, chance: float, seats: int
) -> None:
    match = play_match(rng, Options.of(seats, max_rounds=1))
    record = blotted(rng, plain_record(match), chance)
    assert verify_records(write([record])) == (record,)


def test_two_tiles_that_stay_are_found_when_only_they_explain_the_end() -> None:
    hidden = shown_later(FLOORED)
    assert right(hidden)
    assert hidden.count("??") > 28
    # All that fits the ends, 06 and 16, must be what stays: the lowest unseen tiles are not.
    assert right(re.sub(r"\| \?\? \?\?", "| 06 ??", hidden))
    assert not right(re.sub(r"\| \?\? \?\?", "| 00 ??", hidden))


def test_a_round_that_can_go_on_may_be_unfinished() -> None:
    ended = shown_later(FLOORED)
    going_on = ended[: ended.index("end ")] + "end unfinished\n"
    assert right(going_on)
    assert not right(FLOORED[: FLOORED.index("end ")] + "end unfinished\n")


def test_the_furthest_that_any_deal_leads_is_what_is_told() -> None:
    hidden = shown_later(FLOORED)
    wrong = re.sub("45>", "45<", hidden)
    assert wrong != hidden
    with pytest.raises(InvalidRecord, match="45<: the tile does not fit there") as caught:
        verify_records(wrong)
    assert caught.value.place.offset == wrong.index("45<")


# --- one form, read with patience -----------------------------------------------------------


def loosened(rng: random.Random, text: str) -> str:
    """The same records as people may write them."""
    tags, rounds = text.split("\n\n", 1)
    first, *others = tags.split("\n")
    rng.shuffle(others)
    lines: list[str] = [first, *others]
    for line in rounds.split("\n"):
        if line.startswith("hand"):
            line = re.sub(r"(hand \d)  (.*?)  .*", r"\1  \2", line)
        words = re.split(r" +", line.strip()) if '"' not in line else [line]
        if words[0] in ("hand", "yard"):
            words[2:] = [word[::-1] for word in words[2:]]
        lines.append(rng.choice((" ", "\t", "   ")).join(words))
    return "".join(_ended(rng, lines))


def _ended(rng: random.Random, lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        yield rng.choice(("", " ", "\t")) + line + rng.choice(("", " ", " ; well", ";\x1b[2J"))
        yield rng.choice(("\n", "\r\n", "\n\n", "\n ; aside\n"))


@settings(max_examples=100)
@given(st.sampled_from((WHOLE, OPEN, PARTNERS, HIDDEN)), RNGS)
def test_what_people_write_is_read_as_the_same(text: str, rng: random.Random) -> None:
    records = parse(text)
    loose = loosened(rng, text)
    assert parse(loose) == records
    place = departure(loose, records)
    assert place is not None
    data = loose.encode()[: place.offset]
    assert text.encode().startswith(data)
    assert not text.encode().startswith(loose.encode()[: place.offset + 1])


def test_a_shorter_text_departs_where_it_ends() -> None:
    records = parse(WHOLE)
    shorter = WHOLE.removesuffix("\n")
    assert parse(shorter) == records
    place = departure(shorter, records)
    assert place is not None
    assert place.offset == len(shorter)
    assert departure(WHOLE, records) is None


def test_nothing_is_a_file_of_no_games() -> None:
    assert parse("") == parse("\n ; nothing\n\n;") == ()
    assert write([]) == ""


def test_bytes_are_text_in_utf_8() -> None:
    assert decode("é".encode()) == "é"
    with pytest.raises(InvalidRecord, match="a character in UTF-8") as caught:
        decode("é\nab".encode() + b"\xff")
    place = caught.value.place
    assert (place.offset, place.line, place.column) == (5, 2, 3)


def test_a_seat_that_is_told_its_own_draws_is_read_with_its_view() -> None:
    (record,) = verify_records(OPEN)
    assert record.view.full
    for view in views(record)[1:]:
        assert view.view in (PUBLIC, View(seat=0), View(seat=1), View(seat=2))
        assert right(write([view]))
