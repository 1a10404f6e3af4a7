"""Game records: a match as values and as a text that people read and programs check."""

from passing_protocol.records.as_json import record_as_json
from passing_protocol.records.from_match import record_of_match
from passing_protocol.records.parse import parse
from passing_protocol.records.proof import Proof, ProvenDeal, ProvenList
from passing_protocol.records.quoting import InvalidValue
from passing_protocol.records.reader import InvalidRecord, NoRecord, Place, decode
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
from passing_protocol.records.seen import seen_by
from passing_protocol.records.text import join_texts, write
from passing_protocol.records.verify import departure, verify_records

__all__ = [
    "FULL",
    "PUBLIC",
    "ChangeKind",
    "EndReason",
    "InvalidRecord",
    "InvalidValue",
    "NoRecord",
    "Outcome",
    "Place",
    "Proof",
    "ProvenDeal",
    "ProvenList",
    "Record",
    "RoundRecord",
    "SeatChange",
    "SeatTag",
    "Tiles",
    "View",
    "decode",
    "departure",
    "join_texts",
    "parse",
    "record_as_json",
    "record_of_match",
    "seen_by",
    "verify_records",
    "write",
]
