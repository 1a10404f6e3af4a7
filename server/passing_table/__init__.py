"""One table, pure: seats, decisions, clocks as numbers, faults and deal sources.

It knows no session, no socket, no store and no time of its own: every call that needs the time
is handed it, in whole milliseconds of a clock that never goes back.
"""

from passing_table.changes import Change
from passing_table.course import Outcome
from passing_table.deals import DealSource, GivenDeals, SeededDeals, ServerDeals
from passing_table.seats import Occupant
from passing_table.settings import TableSettings
from passing_table.table import Table

__all__ = [
    "Change",
    "DealSource",
    "GivenDeals",
    "Occupant",
    "Outcome",
    "SeededDeals",
    "ServerDeals",
    "Table",
    "TableSettings",
]
