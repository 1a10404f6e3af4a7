"""Write records as text: the one canonical form, which `parse` reads back."""

from collections.abc import Iterable, Iterator
from typing import Final

from passing_protocol.records.quoting import quoted
from passing_protocol.records.record import (
    EndReason,
    Outcome,
    Record,
    RoundRecord,
    SeatChange,
    Tiles,
)
from passing_rules import UNDRAWABLE, Options, RoundResult

GAME: Final = "The Passing Game"
FORM_VERSION: Final = "1"
UNKNOWN: Final = "??"
UNFINISHED: Final = "unfinished"
NOBODY: Final = "nobody"
_CELL: Final = 3
"""The widest cell, `d45`: so the columns of every round stand at the same places."""


def write(records: Iterable[Record]) -> str:
    """Return the canonical text of records, as one file."""
    return join_texts("\n".join(_record(record)) + "\n" for record in records)


def join_texts(texts: Iterable[str]) -> str:
    """Return the texts of records as one file: one after the other with an empty line between."""
    return "\n".join(texts)


def own_tags(record: Record) -> list[tuple[str, str]]:
    """Return the tags that a record's own fields are written in, in their order."""
    tags = [("Game", GAME), ("Record", FORM_VERSION), ("Event", record.event)]
    tags += [(name, value) for name, value in (("Date", record.date),) if value is not None]
    tags.append(("View", str(record.view)))
    tags += [(name, value) for name, value in (("Match", record.match),) if value is not None]
    tags += [("Deal", record.deal_kind.value), *_option_tags(record.options)]
    for number, seat in enumerate(record.seats):
        tags.append((f"Seat{number}", seat.name))
        if seat.engine is not None:
            tags.append((f"Engine{number}", seat.engine))
    return tags


def _option_tags(options: Options) -> Iterator[tuple[str, str]]:
    """Yield every option of the rules (R5), so that the match can always be played again."""
    yield "Seats", str(options.seats)
    yield "Mode", "partners" if options.partners else "single"
    yield "Target", str(options.target)
    yield "Lead", options.lead.value
    yield "PassCircles", str(options.pass_circles)
    yield "OutWinsTies", "yes" if options.out_wins_ties else "no"
    yield "PartnerScoring", options.partner_scoring.value
    yield "MaxRounds", "none" if options.max_rounds is None else str(options.max_rounds)


def _record(record: Record) -> Iterator[str]:
    for name, value in (*own_tags(record), *record.tags):
        yield f"[{name} {quoted(value)}]"
    for played in record.rounds:
        yield ""
        yield from _round(record, played)
    if record.outcome is not None:
        yield ""
        yield _outcome(record.outcome)
    if record.proof:
        yield ""
        yield from map(str, record.proof)


def _round(record: Record, played: RoundRecord) -> Iterator[str]:
    yield f"round {played.number}  lead {played.leader}  score {_numbers(played.scores_before)}"
    for seat, hand in enumerate(played.hands):
        yield f"hand {seat}  {_tiles(hand)}  {quoted(record.seats[seat].name)}"
    drawable, stay = played.boneyard[:-UNDRAWABLE], played.boneyard[-UNDRAWABLE:]
    yield f"yard    {_tiles(drawable)} | {_tiles(stay)}"
    yield from _laps(record.options.seats, played)
    if played.result is None:
        yield f"end {UNFINISHED}"
    else:
        yield from _end(played.result, played.left)


def _laps(seats: int, played: RoundRecord) -> Iterator[str]:
    """Yield the columns of the seats in playing order, a lap a line, and changes in their place."""
    order = [str((played.leader + place) % seats) for place in range(seats)]
    yield _columns("seat", order)
    changes = list(reversed(played.changes))
    for lap, start in enumerate(range(0, len(played.actions), seats), 1):
        while changes and changes[-1].after <= start:
            yield _change(changes.pop())
        cells = [str(action) for action in played.actions[start : start + seats]]
        yield _columns(f"{lap:4}.", cells)
    yield from map(_change, reversed(changes))


def _columns(head: str, cells: list[str]) -> str:
    return f"{head:5}{''.join(f'  {cell:{_CELL}}' for cell in cells)}".rstrip()


def _change(change: SeatChange) -> str:
    text = quoted(change.text)
    return f"{{after {change.after} seat {change.seat} {change.kind.value} {text}}}"


def _end(result: RoundResult, left: tuple[Tiles, ...]) -> Iterator[str]:
    yield f"end {result.ending.value}"
    for seat, (tiles, pips) in enumerate(zip(left, result.pips, strict=True)):
        yield f"left {seat}  {_tiles(tiles)} = {pips}" if tiles else f"left {seat}  = {pips}"
    won = f"{_numbers(result.winners)} +{result.points}" if result.winners else NOBODY
    yield f"won {won}  score {_numbers(result.scores)}"


def _outcome(outcome: Outcome) -> str:
    seats = f" {_numbers(outcome.forfeited)}" if outcome.forfeited else ""
    head = f"match {outcome.reason.value}{seats}"
    if outcome.reason is EndReason.ABANDONED:
        return head
    return f"{head}  drawn" if outcome.winner is None else f"{head}  won {outcome.winner}"


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _tiles(tiles: Tiles) -> str:
    return " ".join(UNKNOWN if tile is None else str(tile) for tile in tiles)
