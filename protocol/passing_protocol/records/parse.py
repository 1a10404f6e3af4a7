"""Read records from their text: the grammar of RECORDS.md, without the rules of the game."""

from collections.abc import Iterator

from passing_protocol.records.places import Placed, RoundPlaces
from passing_protocol.records.reader import Reader
from passing_protocol.records.record import EndReason, Outcome, Record, RoundRecord
from passing_protocol.records.round_section import read_round
from passing_protocol.records.tag_section import TagSection, read_tags


def parse(text: str) -> tuple[Record, ...]:
    """Return the records of a text, whatever they tell; raises InvalidRecord."""
    return tuple(placed.record for placed in parse_placed(text))


def parse_placed(text: str) -> Iterator[Placed]:
    """Yield the records of a text with the places of their pieces; raises InvalidRecord."""
    reader = Reader(text)
    while not reader.done:
        yield _game(reader)


def _game(reader: Reader) -> Placed:
    tags = read_tags(reader)
    rounds: list[RoundRecord] = []
    places: list[RoundPlaces] = []
    while reader.next_is("round") and not (rounds and rounds[-1].result is None):
        played, where = read_round(reader, tags.options)
        rounds.append(played)
        places.append(where)
    at = reader.position
    outcome = _outcome(reader, tags) if reader.next_is("match") else None
    if not reader.done and not reader.next_is("["):
        raise reader.wrong(_onward(rounds, outcome))
    record = Record(
        event=tags.event,
        view=tags.view,
        deal_kind=tags.deal_kind,
        options=tags.options,
        seats=tags.seats,
        rounds=tuple(rounds),
        outcome=outcome,
        date=tags.date,
        match=tags.match,
        tags=tags.tags,
    )
    return Placed(reader.text, record, places, at)


def _onward(rounds: list[RoundRecord], outcome: Outcome | None) -> str:
    """Say what may follow in a game."""
    if outcome is not None:
        return "the next game"
    unfinished = rounds and rounds[-1].result is None
    return "match or the next game" if unfinished else "round, match or the next game"


def _outcome(reader: Reader, tags: TagSection) -> Outcome:
    """Read how the match ended."""
    reader.choice("match")
    reason = EndReason(reader.choice(*EndReason))
    forfeited: list[int] = []
    winner: int | None = None
    if reason is EndReason.FORFEIT:
        forfeited = reader.ascending("a seat", tags.options.seats, "won", "drawn")
    if reason is not EndReason.ABANDONED:
        ways = ("won",) if reason is EndReason.TARGET else ("won", "drawn")
        if reader.choice(*ways) == "won":
            winner = reader.number("a side", range(tags.options.sides))
    reader.end_line()
    return Outcome(reason, winner, tuple(forfeited))
