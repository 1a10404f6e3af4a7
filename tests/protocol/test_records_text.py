"""Records and their text are the same thing: nothing is lost either way, and there is one form."""

import random
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passing_protocol.records import (
    FULL,
    PUBLIC,
    EndReason,
    InvalidRecord,
    InvalidValue,
    Outcome,
    Record,
    SeatChange,
    SeatTag,
    View,
    departure,
    parse,
    record_of_match,
    verify_records,
    write,
)
from passing_protocol.records.record import ChangeKind
from passing_protocol.views import DealKind
from passing_rules import Lead, Match, Options, PartnerScoring
from tests.support.records import (
    HOSTILE,
    OPEN,
    TEXTS,
    WHOLE,
    full_records,
    plain_record,
    play_match,
    views,
)

Change = Callable[[Record], Record]

BROKEN = ("\n", "\r", "\x1b[2J", "\x00", "\x85", "\u2028", "\u202e", "\ud800", "\U000e0041")
"""Characters that no text of a record can hold."""


@settings(max_examples=60)
@given(full_records())
def test_every_view_of_every_record_is_read_back_and_right(record: Record) -> None:
    for view in views(record):
        text = write([view])
        assert parse(text) == (view,)
        assert verify_records(text) == (view,)
        assert write(parse(text)) == text
        assert departure(text, (view,)) is None


@settings(max_examples=25)
@given(st.lists(full_records(), max_size=3))
def test_a_file_holds_any_number_of_games(records: list[Record]) -> None:
    text = write(records)
    assert verify_records(text) == tuple(records)
    assert text == "\n".join(write([record]) for record in records)


def test_every_option_of_the_rules_is_told() -> None:
    options = Options.of(
        4,
        partners=True,
        target=30,
        lead=Lead.WINNER,
        pass_circles=2,
        out_wins_ties=True,
        partner_scoring=PartnerScoring.OPPONENTS,
        max_rounds=7,
    )
    (record,) = parse(write([plain_record(Match(options))]))
    assert record.options == options


def test_columns_stand_at_the_same_places_whatever_the_names() -> None:
    match = play_match(random.Random(1), Options.of(4))
    seats = [SeatTag(name) for name in ("漢字の名前", "", "x" * 64, '"\\')]
    text = write([record_of_match(match, event="", seats=seats, deal_kind=DealKind.SERVER)])
    laps = re.findall(r"^(?:seat | *\d+\.).*$", text, re.MULTILINE)
    assert len(laps) > 10
    for line in laps:
        assert line == line.rstrip()
        cells = [line[start : start + 5] for start in range(5, len(line), 5)]
        assert all(re.fullmatch(r"  [^ ]{1,3} *", cell) for cell in cells)


@given(TEXTS)
def test_any_text_that_prints_is_read_back(text: str) -> None:
    (read,) = parse(WHOLE.replace('"Dana"', '"X"', 1).replace('"kitchen"', _quoted(text)))
    assert read.event == text


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def test_hostile_names_are_only_names() -> None:
    for name in HOSTILE:
        match = play_match(random.Random(2), Options.of(2, max_rounds=1))
        seats = [SeatTag(name, name), SeatTag(name)]
        tags = (("Pairing", name),)
        record = record_of_match(
            match, event=name, seats=seats, deal_kind=DealKind.FAIR, tags=tags, match_id=name
        )
        assert verify_records(write([record])) == (record,)


@pytest.mark.parametrize("text", BROKEN)
def test_no_record_holds_what_a_terminal_obeys_or_nobody_sees(text: str) -> None:
    with pytest.raises(InvalidValue, match=r"^name: .* holds U\+"):
        SeatTag(text)
    with pytest.raises(InvalidValue, match=r"^engine: "):
        SeatTag("", text)
    with pytest.raises(InvalidValue, match=r"^change: "):
        SeatChange(0, 0, ChangeKind.PLAYER, text)
    written = WHOLE.replace('"kitchen"', f'"kit{text}chen"')
    with pytest.raises(InvalidRecord, match="a character that prints, or the closing quote") as no:
        parse(written)
    assert no.value.place.offset == len(written[: written.index("kit") + 3])


def tagged(*tags: tuple[str, str]) -> Change:
    return lambda record: replace(record, tags=tags)


def dated(date: str) -> Change:
    return lambda record: replace(record, date=date)


REFUSED: tuple[tuple[Change, str], ...] = (
    (lambda record: replace(record, event="a\nb"), "event"),
    (lambda record: replace(record, match="a\nb"), "match"),
    (lambda record: replace(record, seats=(SeatTag("alone"),)), "seats"),
    (lambda record: replace(record, view=View(seat=2)), "view"),
    (dated("30.11.2026"), "date"),
    (dated("2026.13.01"), "date"),
    (dated("2026.11.30\n"), "date"),
    (tagged(("no name", "")), "tag"),
    (tagged(("", "")), "tag"),
    (tagged(("Seat7", "")), "Seat7"),
    (tagged(("Game", "")), "Game"),
    (tagged(("a", ""), ("a", "")), "a is there"),
    (tagged(("a", "\n")), "a: "),
)


@pytest.mark.parametrize(("change", "named"), REFUSED)
def test_what_cannot_be_written_is_refused(change: Change, named: str) -> None:
    with pytest.raises(InvalidValue, match=named):
        change(plain_record(Match(Options.of(2))))


def test_views_are_one_thing() -> None:
    assert str(FULL) == "full"
    assert str(PUBLIC) == "public"
    assert str(View(seat=3)) == "seat 3"
    with pytest.raises(InvalidValue, match="seat 1 and full"):
        View(full=True, seat=1)


@pytest.mark.parametrize(
    ("reason", "winner", "forfeited"),
    [
        (EndReason.TARGET, None, ()),
        (EndReason.TARGET, 0, (1,)),
        (EndReason.FORFEIT, 0, ()),
        (EndReason.ABANDONED, 0, ()),
        (EndReason.MAX_ROUNDS, None, (1,)),
    ],
)
def test_ends_that_cannot_be_are_refused(
    reason: EndReason, winner: int | None, forfeited: tuple[int, ...]
) -> None:
    with pytest.raises(InvalidValue):
        Outcome(reason, winner, forfeited)


def test_three_thousand_games_are_one_file() -> None:
    game = OPEN.partition("\nround")[0] + "\nmatch abandoned\n"
    assert len(parse("\n".join([game] * 3_000))) == 3_000
