"""Game records: a match as values and as a text that people read and programs check."""

from passing_protocol.records.from_match import record_of_match
from passing_protocol.records.quoting import InvalidValue
from passing_protocol.records.record import (
    FULL,
    PUBLIC,
    ChangeKind,
    EndReason,
    Outcome,
    Record,
    RoundRecord,
    SeatChange,
    SeatTag,
    Tiles,
    View,
)
from passing_protocol.records.text import write

__all__ = [
    "FULL",
    "PUBLIC",
    "ChangeKind",
    "EndReason",
    "InvalidValue",
    "Outcome",
    "Record",
    "RoundRecord",
    "SeatChange",
    "SeatTag",
    "Tiles",
    "View",
    "record_of_match",
    "write",
]
