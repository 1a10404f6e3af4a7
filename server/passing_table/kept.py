"""A table as values that can be stored, and the table that goes on from them.

What is in the log of its match is not kept a second time: `restore` plays the log again by the
rules. Times are kept as what is left of them or has gone by, so that a table that is restored
later has lost nothing by that. A later version gives a new field a default: what has not got it
was kept before.

What is kept holds keys, and the rows hold hands: neither shows a value in its `repr`.
"""

from typing import Annotated

from msgspec import Meta

from passing_protocol.views import DealKind, GameOptions, SeatState, TableOptions, TableState
from passing_protocol.wire import Count, Identifier, Name, SeatNumber
from passing_table.rows import Secret
from passing_table.seats import STAYED_AWAY, Absence, Occupant
from passing_table.strikes import NO_STRIKES, Strikes

Gone = Annotated[int, Meta(ge=0, le=2**53)]
"""Milliseconds that have gone by when a table is kept."""
Left = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""Milliseconds that are left when a table is kept; less than 0 for what is overdue."""


class KeptSeat(Secret, frozen=True, omit_defaults=True):
    """Keep one seat (`seats.Seat`): `away_ms` since when, `invited_ms` until when."""

    state: SeatState = SeatState.EMPTY
    occupant: Occupant | None = None
    keeper: Occupant | None = None
    invited: Occupant | None = None
    ready: bool = False
    gone: bool = False
    absence: Absence = STAYED_AWAY
    returning: bool = False
    struck: Strikes = NO_STRIKES
    refusals: Count = 0
    bank_ms: Count = 0
    away_ms: Gone | None = None
    invited_ms: Left | None = None


class KeptAnswer(Secret, frozen=True, omit_defaults=True):
    """Keep what decided the turn and is in no row: an engine's action that is not shown yet.

    `show_ms` is absent when the match was over before it could be shown.
    """

    seat: SeatNumber
    action: Annotated[str, Meta(max_length=3)]
    show_ms: Left | None = None


class KeptPlay(Secret, frozen=True, omit_defaults=True):
    """Keep the match that is played, or was played last, but for its log of `rows` rows.

    `asked_ms` is how long ago the seat on turn was asked, `turn_ms` what it was given, `left_ms`
    what is left of that and its bank, absent while no clock runs.
    """

    match: Identifier
    rows: Count
    turn: Count
    asked_ms: Gone = 0
    turn_ms: Count = 0
    left_ms: Left | None = None
    unshown: KeptAnswer | None = None


class KeptTable(Secret, frozen=True, omit_defaults=True):
    """Keep a table, but for the log of its match.

    `game` has every option. `key` is the secret of its deals in hex, absent where each is made
    afresh. `looked_ms` is how long ago its deadlines were looked at, `left_ms` what is left
    where it is in its life, and `rematch_ms` what is left for a rematch.
    """

    id: Identifier
    name: Name
    maker: str
    game: GameOptions
    deal: DealKind
    seats: tuple[KeptSeat, ...]
    state: TableState
    rev: Count
    key: str | None = None
    table: TableOptions = TableOptions()
    clocked: bool = True
    owner: SeatNumber | None = None
    matches: Count = 0
    looked_ms: Gone = 0
    left_ms: Left | None = None
    rematch_ms: Left | None = None
    play: KeptPlay | None = None
