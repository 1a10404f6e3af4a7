"""Make the vectors of game records: `python -m tests.support.records_vectors` writes them anew.

`good` has files of records, each with its records as JSON and whether it is canonical; `bad` has
texts that are no right records, each with the place of its first wrong piece.
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from passing_protocol.records import (
    ChangeKind,
    EndReason,
    InvalidRecord,
    Outcome,
    Record,
    SeatChange,
    SeatTag,
    decode,
    departure,
    parse,
    record_as_json,
    seen_by,
    verify_records,
    write,
)
from passing_protocol.views import DealKind
from passing_rules import Match, Options, Pass
from tests.support.records import HOSTILE, OPEN, WHOLE, plain_record, play_match
from tests.support.records_bad import (
    FLOORED,
    HIDDEN,
    LOST,
    PARTNERS,
    RULES,
    SEATED,
    SYNTAX,
    TWICE,
    shown_later,
)
from tests.support.records_proof import proven_record
from tests.support.rendering import render
from tests.support.rules_deals import deal_with
from tests.support.rules_vectors import TABLES

FOLDER: Final = Path(__file__).parents[2] / "protocol" / "vectors" / "records"
_LOOSE: Final = (
    WHOLE.replace("\n", "\r\n")
    .replace("\r\n\r\n", "\r\n\r\n ; an aside\r\n\t\r\n", 1)
    .replace("hand 0  02 05 13 14 26 45 56", "hand 0 65 54 62 41 31 50 20")
    .replace('  "Dana"', " ; Dana's")
    .replace("   2.  15>  05>", "2.\t15> 05>;both fives")
    .replace('[Date "2026.11.30"]\r\n', "")
    .replace('[Deal "fair"]', '[Deal "fair"]\r\n [Date "2026.11.30"] ')
)


def by_chance() -> Iterator[Record]:
    """A match at every kind of table of the rules' vectors."""
    for place, options in enumerate(TABLES):
        yield plain_record(play_match(random.Random(place), replace(options, max_rounds=2)))


def hostile() -> Iterator[Record]:
    """A game never dealt and given up, for each pair of names."""
    for one, other in zip(HOSTILE, reversed(HOSTILE), strict=True):
        record = plain_record(Match(Options.of(2)), outcome=Outcome(EndReason.ABANDONED))
        seats = SeatTag(one, other), SeatTag(other)
        yield replace(record, event=one, match=other, seats=seats, tags=(("Pairing", one),))


def forfeits() -> Iterator[Record]:
    """A round cut short at two sides, and one that is played on at three."""
    match = Match(Options.of(2))
    match.begin_round(deal_with("", ""), 1)
    match.do(1, Pass())
    lost = SeatChange(0, 1, ChangeKind.FORFEIT, "3 strikes: 3 turns without an answer in time")
    outcome = Outcome(EndReason.FORFEIT, 1, (0,))
    yield plain_record(match, changes={1: [lost]}, outcome=outcome)
    match = Match(Options.of(3, max_rounds=1))
    match.begin_round(deal_with("", "", ""), 0)
    match.do(0, Pass())
    match.do(1, Pass(), timed_out=True)
    match.do(2, Pass())
    changes = [
        SeatChange(2, 0, ChangeKind.ENGINE, "careful"),
        SeatChange(1, 1, ChangeKind.FORFEIT, "left"),
        SeatChange(2, 2, ChangeKind.PLAYER, "Cy"),
    ]
    record = plain_record(match, changes={1: changes})
    yield replace(record, deal_kind=DealKind.SEEDED, tags=(("Block", "1"), ("Rotation", "0")))


PROVEN: Final = write([proven_record(3)])
"""Two rounds of a fair deal each, and one that became nothing between them."""

BAD_PROOFS: Final = {
    "proof_of_other_tiles": ('[Match "m1"]', '[Match "m2"]'),
    "proof_of_an_unknown_list": ("Proof list 1", "Proof list 7"),
    "proof_of_another_link": ("Proof void 2", "Proof void 3"),
}

GOOD: Final[dict[str, str]] = {
    "one_round": WHOLE,
    "unfinished": OPEN,
    "seat_view": SEATED,
    "public_view": write(seen_by(record, None) for record in parse(OPEN)),
    "hidden_after_end": HIDDEN,
    "partners": PARTNERS,
    "blocked_at_two_left": FLOORED,
    "blocked_at_two_left_hidden": shown_later(FLOORED),
    "by_chance": write(by_chance()),
    "hostile_names": write(hostile()),
    "forfeits": write(forfeits()),
    "forfeits_later": LOST,
    "proof": PROVEN,
    "proof_hidden": write([seen_by(parse(PROVEN)[0], 0, hidden_after_end=True)]),
    "no_games": "",
    "as_people_write": _LOOSE,
}


def documents() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of every file."""
    for name, text in GOOD.items():
        yield f"good/{name}.pass", text.encode()
        yield f"good/{name}.json", _json(_good(text))
    for bad in (*SYNTAX, *RULES, *TWICE):
        yield from _bad(bad.name.replace(" ", "_").replace("'", ""), bad.text.encode())
    for name, (before, after) in BAD_PROOFS.items():
        yield from _bad(name, PROVEN.replace(before, after).encode())
    yield from _bad("not_utf_8", WHOLE.replace("Dana", "D\u00e4na").encode("latin-1"))


def _good(text: str) -> object:
    records = verify_records(text)
    return {
        "canonical": departure(text, records) is None,
        "records": [record_as_json(record) for record in records],
    }


def _bad(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    yield f"bad/{name}.pass", data
    try:
        verify_records(decode(data))
    except InvalidRecord as error:
        place = error.place
        told = {"offset": place.offset, "line": place.line, "column": place.column}
        yield f"bad/{name}.json", _json({**told, "message": error.message})
    else:
        raise AssertionError(f"{name} is right")


def _json(value: object) -> bytes:
    return f"{render(value)}\n".encode("ascii")


def main() -> None:
    for path in (*FOLDER.glob("*/*.pass"), *FOLDER.glob("*/*.json")):
        path.unlink()
    for name, data in documents():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        sys.stdout.write(f"{len(data):>8} {name}\n")


if __name__ == "__main__":
    main()
