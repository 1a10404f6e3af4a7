"""Play records again under the rules, and find the first piece that cannot be so."""

from collections.abc import Iterator

from passing_protocol.records.judge import Judge
from passing_protocol.records.parse import parse_placed
from passing_protocol.records.record import Record


def verify_records(text: str) -> tuple[Record, ...]:
    """Return the records of a text in which everything is as the rules have it.

    Raises InvalidRecord with the place of the first piece that is not. Where tiles are unknown,
    some deal must exist with which all that is told can have happened.
    """
    return tuple(iterate_verified(text))


def iterate_verified(text: str) -> Iterator[Record]:
    """Yield the records of a text one by one, each verified; raises InvalidRecord."""
    for placed in parse_placed(text):
        Judge(placed).verify()
        yield placed.record
