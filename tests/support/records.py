"""Matches played by chance and their records, and the examples of RECORDS.md."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from passing_protocol.records import (
    ChangeKind,
    EndReason,
    Outcome,
    Record,
    SeatChange,
    SeatTag,
    record_of_match,
    seen_by,
)
from passing_protocol.records.quoting import FORBIDDEN
from passing_protocol.resources import read_data
from passing_protocol.views import DealKind
from passing_rules import Match, Options, Pass, Round, parse_action
from tests.support.rules_play import RNGS, STYLES, Style, random_deal, random_options

HOSTILE: Final = (
    "",
    '"',
    "\\",
    '\\"]',
    "; no comment",
    '[Game "The Passing Game"]',
    "hand 0  00 01",
    "}{ = | +",
    "漢字の名前",
    "e\u0301",
    "\U0001f600",
)
"""Names that a careless form would trip over."""
TEXTS: Final = st.sampled_from(HOSTILE) | st.text(max_size=12).map(
    lambda text: FORBIDDEN.sub("", text)
)
TAGS: Final = st.dictionaries(
    st.sampled_from(("Block", "Rotation", "Pairing", "x", "Site_2")), TEXTS, max_size=3
).map(lambda tags: tuple(tags.items()))
DATES: Final = st.sampled_from((None, "2026.11.30", "????.??.??", "2026.??.??"))


def blocks(kind: str) -> list[str]:
    """The fenced blocks of one kind in RECORDS.md."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", read_data("RECORDS.md"), re.DOTALL | re.MULTILINE)


WHOLE, OPEN = blocks("pass")
"""A whole game of one round at two seats, and one at three whose second round is not over."""


def play_match(rng: random.Random, options: Options, turns: int | None = None) -> Match:
    """A match played by chance to its end, or for so many turns."""
    match = Match(options)
    style = rng.choice(STYLES)
    left = 10**6 if turns is None else turns
    while not match.over:
        played = begin(rng, match)
        while played.ending is None:
            if not left:
                return match
            left -= 1
            act(rng, style, match)
    return match


def begin(rng: random.Random, match: Match) -> Round:
    """The next round of a match, dealt by chance."""
    drawn = rng.randrange(match.options.seats) if match.chance_leads else None
    match.begin_round(random_deal(rng, match.options.seats), drawn)
    assert match.round is not None
    return match.round


def act(rng: random.Random, style: Style, match: Match) -> None:
    """Let chance choose an action for the seat on turn."""
    played = match.round
    assert played is not None
    text = style.choose(rng, [str(action) for action in played.legal_actions()])
    on_time = text == "-" and rng.random() < 0.2
    match.do(played.to_act, parse_action(text), timed_out=on_time)


def play_and_lose_seats(rng: random.Random, options: Options, chance: float) -> Record:
    """The record of a match in which seats forfeit, until one side is left or the match ends."""
    match = Match(options)
    style = rng.choice(STYLES)
    lost: list[int] = []
    changes: dict[int, list[SeatChange]] = {}
    while not match.over:
        played = begin(rng, match)
        while played.ending is None:
            if rng.random() < chance:
                seat = rng.choice([seat for seat in range(options.seats) if seat not in lost])
                lost.append(seat)
                change = SeatChange(seat, len(played.records), ChangeKind.FORFEIT, "left")
                changes.setdefault(match.round_number, []).append(change)
                sides = {options.side_of(n) for n in range(options.seats) if n not in lost}
                if len(sides) == 1:
                    end = Outcome(EndReason.FORFEIT, sides.pop(), tuple(sorted(lost)))
                    return plain_record(match, changes=changes, outcome=end)
            if played.to_act in lost:
                match.do(played.to_act, Pass(), timed_out=True)
            else:
                act(rng, style, match)
    return plain_record(match, changes=changes)


def plain_record(
    match: Match,
    *,
    changes: Mapping[int, Sequence[SeatChange]] | None = None,
    outcome: Outcome | None = None,
) -> Record:
    """The full record of a match, with nothing particular about it."""
    names = ("Ann", "Bo", "Cy", "Di")[: match.options.seats]
    return record_of_match(
        match,
        event="test",
        seats=[SeatTag(name) for name in names],
        deal_kind=DealKind.GIVEN,
        changes=changes,
        outcome=outcome,
    )


def views(record: Record) -> list[Record]:
    """A full record in every view, with hands that show at the end of a round and later."""
    readers = (None, *range(record.options.seats))
    return [record] + [
        seen_by(record, reader, hidden_after_end=hidden)
        for reader in readers
        for hidden in (False, True)
    ]


@st.composite
def full_records(draw: st.DrawFn) -> Record:
    """A full record of a match of any kind, at any moment."""
    rng = draw(RNGS)
    options = random_options(rng)
    match = play_match(rng, options, draw(st.none() | st.integers(0, 60)))
    record = record_of_match(
        match,
        event=draw(TEXTS),
        seats=[SeatTag(draw(TEXTS), draw(st.none() | TEXTS)) for _ in range(options.seats)],
        deal_kind=draw(st.sampled_from(DealKind)),
        tags=draw(TAGS),
        date=draw(DATES),
        match_id=draw(st.none() | TEXTS),
    )
    return ended_early(rng, with_changes(rng, record, draw(TEXTS)))


def with_changes(rng: random.Random, record: Record, text: str) -> Record:
    """The record with seats that changed hands at any time."""
    return replace(
        record,
        rounds=tuple(
            replace(
                played,
                changes=tuple(
                    SeatChange(
                        rng.randrange(record.options.seats),
                        after,
                        rng.choice((ChangeKind.ENGINE, ChangeKind.PLAYER)),
                        text,
                    )
                    for after in sorted(
                        rng.randrange(len(played.actions) + 1) for _ in range(rng.choice((0, 0, 2)))
                    )
                ),
            )
            for played in record.rounds
        ),
    )


def ended_early(rng: random.Random, record: Record) -> Record:
    """The record with an early end, where the match goes on and chance has it so."""
    kind = rng.choice((None, EndReason.ABANDONED, EndReason.FORFEIT))
    if record.outcome is not None or kind is None:
        return record
    if kind is EndReason.ABANDONED:
        return replace(record, outcome=Outcome(kind))
    winner = rng.choice((None, *range(record.options.sides)))
    lost = tuple(
        seat for seat in range(record.options.seats) if record.options.side_of(seat) != winner
    )
    rounds = record.rounds
    if rounds:
        last = rounds[-1]
        gone = tuple(
            SeatChange(seat, len(last.actions), ChangeKind.FORFEIT, "left") for seat in lost
        )
        rounds = (*rounds[:-1], replace(last, changes=(*last.changes, *gone)))
    return replace(record, rounds=rounds, outcome=Outcome(kind, winner, lost))
