"""The values in which a table is kept, and which of them can be.

A later version gives a new field a default: what is without it was kept before.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from passing_protocol.events import ForfeitKind
from passing_protocol.views import (
    IN_MATCH,
    DealKind,
    GameOptions,
    SeatState,
    TableOptions,
    TableState,
)
from passing_protocol.wire import Count, Identifier, Name, SeatNumber
from passing_table.dealing_state import DealingState
from passing_table.rows import InvalidKept, Secret
from passing_table.seats import Occupant
from passing_table.strikes import NO_STRIKES, Strikes
from passing_table.words import ABSENCE

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
    new: bool = False
    absence: ForfeitKind = ForfeitKind.AWAY
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


class KeptDealing(Secret, frozen=True, omit_defaults=True):
    """Keep the fair deals of a match; `left_ms` is for what is waited for now.

    `patient_ms` is for how long it is waited for those who were cut off.
    """

    state: DealingState
    left_ms: Left | None = None
    patient_ms: Left | None = None


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
    fair: KeptDealing | None = None


_BEFORE_MATCH: Final = (TableState.OPEN, TableState.STARTING)
_TIMED: Final = (TableState.BETWEEN, TableState.PAUSED, TableState.OVER)
"""The states that end at a time; `open` may, too."""

_decoder: Final = msgspec.msgpack.Decoder(KeptTable)
_encoder: Final = msgspec.msgpack.Encoder()


def kept_bytes(kept: KeptTable) -> bytes:
    """Return what is kept of a table as msgpack, within the profile of the protocol."""
    return _encoder.encode(kept)


def read_kept(data: bytes) -> KeptTable:
    """Return what `kept_bytes` has written; raises InvalidKept."""
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidKept(f"table: {error}") from None


def verify_kept(kept: KeptTable) -> None:
    """Raise InvalidKept unless the seats, the owner, the state and its times go together."""
    if len(kept.seats) != kept.game.seats:
        raise InvalidKept(f"seats: {len(kept.seats)}, but the game has {kept.game.seats}")
    for number, seat in enumerate(kept.seats):
        _verify_seat(number, seat)
    if kept.owner is not None and kept.owner not in _taken(kept):
        raise InvalidKept(f"owner: {kept.owner}, but nobody is in that seat")
    _verify_state(kept)
    _verify_dealing(kept)


def _verify_dealing(kept: KeptTable) -> None:
    """Raise InvalidKept unless the fair deals are this table's, and of the match that is played."""
    if kept.deal is DealKind.FAIR and kept.key is not None:
        raise InvalidKept("key: fair deals do not come from one")
    match = kept.fair.state.match if kept.fair is not None else None
    played = kept.play.match if kept.play is not None and kept.state in IN_MATCH else None
    if kept.deal is DealKind.FAIR and played not in (None, match):
        raise InvalidKept("fair: it is of another match than is played")
    if kept.fair is None:
        return
    state = kept.fair.state
    wrong = {
        "state": kept.deal is not DealKind.FAIR,
        "members": any(member.seat >= len(kept.seats) for member in state.members),
        "left_ms": kept.fair.left_ms is None and state.stage is not None and not state.stopping,
    }
    for field, is_wrong in wrong.items():
        if is_wrong:
            raise InvalidKept(f"fair.{field}: it cannot be so at a table with {kept.deal} deals")


def _is_dealing(kept: KeptTable) -> bool:
    """Tell whether the table goes on as soon as a fair deal is complete."""
    state = kept.fair.state if kept.fair is not None else None
    return state is not None and state.stage is not None and not state.stopping


def _taken(kept: KeptTable) -> list[int]:
    return [number for number, seat in enumerate(kept.seats) if seat.occupant is not None]


def _verify_seat(number: int, seat: KeptSeat) -> None:
    state = seat.state
    wrong = {
        "occupant": (seat.occupant is None) is not (state in (SeatState.EMPTY, SeatState.INVITED)),
        "keeper": seat.keeper is not None and state is not SeatState.SUBSTITUTE,
        "invited": not _may(seat.invited, state, SeatState.INVITED, SeatState.AWAY),
        "invited_ms": (seat.invited is None) is not (seat.invited_ms is None),
        "away_ms": not _may(seat.away_ms, state, SeatState.AWAY, SeatState.FORFEITED),
        "absence": seat.absence not in ABSENCE,
        "returning": seat.returning and seat.keeper is None,
    }
    for field, is_wrong in wrong.items():
        if is_wrong:
            raise InvalidKept(f"seats.{number}.{field}: it cannot be so while the seat is {state}")


def _may(value: object, state: SeatState, always: SeatState, sometimes: SeatState) -> bool:
    """Tell whether a value is there where it has to be, and nowhere but where it can be."""
    return state in (always, sometimes) if value is not None else state is not always


def _verify_state(kept: KeptTable) -> None:
    state = kept.state
    played = kept.play is not None
    is_dealing = state is TableState.BETWEEN and _is_dealing(kept)
    wrong = {
        "matches": played is not (kept.matches > 0),
        "play": state is not TableState.CLOSED and played is (state in _BEFORE_MATCH),
        "left_ms": state is not TableState.OPEN
        and (kept.left_ms is not None) is not (state in _TIMED and not is_dealing),
        "rematch_ms": (kept.rematch_ms is not None) is not (state is TableState.OVER),
    }
    for field, is_wrong in wrong.items():
        if is_wrong:
            raise InvalidKept(f"{field}: it cannot be so while the table is {state}")
