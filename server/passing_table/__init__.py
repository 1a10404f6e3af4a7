"""One table, pure: seats, decisions, clocks as numbers, faults and deal sources.

It knows no session, no socket, no store and no time of its own: every call that needs the time
is handed it, in whole milliseconds of a clock that never goes back.
"""

from passing_table.changes import Change
from passing_table.course import Outcome
from passing_table.deals import DealSource, FairDeals, GivenDeals, SeededDeals, ServerDeals
from passing_table.kept import keep, restore
from passing_table.kept_values import KeptTable, kept_bytes, read_kept
from passing_table.rows import InvalidKept, KeptRow, NewRow, read_row, row_bytes
from passing_table.seats import Occupant
from passing_table.settings import TableSettings
from passing_table.table import Table

__all__ = [
    "Change",
    "DealSource",
    "FairDeals",
    "GivenDeals",
    "InvalidKept",
    "KeptRow",
    "KeptTable",
    "NewRow",
    "Occupant",
    "Outcome",
    "SeededDeals",
    "ServerDeals",
    "Table",
    "TableSettings",
    "keep",
    "kept_bytes",
    "read_kept",
    "read_row",
    "restore",
    "row_bytes",
]
