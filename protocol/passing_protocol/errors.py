"""The registry of error codes: one sentence each, and whether the same request may be tried again.

The codes are stable: a client may act on them. The sentences are for people and may change.
"""

from dataclasses import dataclass
from enum import StrEnum

from passing_protocol.names import DETAIL_CHARS, clean_chat


class ErrorCode(StrEnum):
    """Name every reason for which a server refuses a message or a client."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported"
    VERSION = "version"
    NOT_ADMITTED = "not_admitted"
    BAD_CODE = "bad_code"
    KEY_CHANGED = "key_changed"
    SUPERSEDED = "superseded"
    RATE_LIMITED = "rate_limited"
    DRAINING = "draining"
    DISK = "disk"
    FULL = "full"
    NO_SUCH_TABLE = "no_such_table"
    TABLE_FULL = "table_full"
    TABLE_STATE = "table_state"
    SEAT_TAKEN = "seat_taken"
    NAME_TAKEN = "name_taken"
    NO_SUCH_ENGINE = "no_such_engine"
    NO_SUCH_CLIENT = "no_such_client"
    NO_SUCH_DEAL = "no_such_deal"
    NOT_OWNER = "not_owner"
    NOT_SEATED = "not_seated"
    NOT_YOUR_TURN = "not_your_turn"
    STALE_TURN = "stale_turn"
    TURN_DECIDED = "turn_decided"
    TOO_LATE = "too_late"
    ROUND_OVER = "round_over"
    NOT_IN_HAND = "not_in_hand"
    DOES_NOT_FIT = "does_not_fit"
    END_NEEDED = "end_needed"
    BONEYARD_FLOOR = "boneyard_floor"


@dataclass(frozen=True, slots=True)
class ErrorMeaning:
    """Say what one code means and whether sending the same request later can succeed."""

    sentence: str
    retry: bool


MEANINGS: dict[ErrorCode, ErrorMeaning] = {
    ErrorCode.MALFORMED: ErrorMeaning("The message is not one the protocol knows.", False),
    ErrorCode.TOO_LARGE: ErrorMeaning("The message is longer than the limit.", False),
    ErrorCode.UNSUPPORTED: ErrorMeaning("This server does not know that type of message.", False),
    ErrorCode.VERSION: ErrorMeaning("Client and server share no version of the protocol.", False),
    ErrorCode.NOT_ADMITTED: ErrorMeaning("You may not do that with this connection.", False),
    ErrorCode.BAD_CODE: ErrorMeaning("The code or token is not one this server knows.", False),
    ErrorCode.KEY_CHANGED: ErrorMeaning("The server's key is not the one known before.", False),
    ErrorCode.SUPERSEDED: ErrorMeaning("A newer connection has taken over this session.", False),
    ErrorCode.RATE_LIMITED: ErrorMeaning("Too many messages in a short time.", True),
    ErrorCode.DRAINING: ErrorMeaning("The server is finishing and takes nothing new.", True),
    ErrorCode.DISK: ErrorMeaning("The server cannot store anything at the moment.", True),
    ErrorCode.FULL: ErrorMeaning("The server or you are at the limit of sessions or tables.", True),
    ErrorCode.NO_SUCH_TABLE: ErrorMeaning("There is no such table.", False),
    ErrorCode.TABLE_FULL: ErrorMeaning("No place is free at this table.", True),
    ErrorCode.TABLE_STATE: ErrorMeaning(
        "The table is not at a point where that can be done.", True
    ),
    ErrorCode.SEAT_TAKEN: ErrorMeaning("That seat is not free.", True),
    ErrorCode.NAME_TAKEN: ErrorMeaning("Somebody at the table already reads as that name.", False),
    ErrorCode.NO_SUCH_ENGINE: ErrorMeaning("No engine of that name is waiting.", True),
    ErrorCode.NO_SUCH_CLIENT: ErrorMeaning("No client of that name is remembered.", False),
    ErrorCode.NO_SUCH_DEAL: ErrorMeaning(
        "That is not asked for: another list, another deal, or its time is over.", False
    ),
    ErrorCode.NOT_OWNER: ErrorMeaning("Only the owner of the table may do that.", False),
    ErrorCode.NOT_SEATED: ErrorMeaning("You have no place at this table.", False),
    ErrorCode.NOT_YOUR_TURN: ErrorMeaning("It is another seat's turn.", False),
    ErrorCode.STALE_TURN: ErrorMeaning("The answer is for a turn that is past.", False),
    ErrorCode.TURN_DECIDED: ErrorMeaning("That turn was decided with another action.", False),
    ErrorCode.TOO_LATE: ErrorMeaning("The time for that turn was up.", False),
    ErrorCode.ROUND_OVER: ErrorMeaning("No round is being played.", False),
    ErrorCode.NOT_IN_HAND: ErrorMeaning("That tile is not in your hand.", False),
    ErrorCode.DOES_NOT_FIT: ErrorMeaning("The tile does not fit there.", False),
    ErrorCode.END_NEEDED: ErrorMeaning("Say which end of the train, left or right.", False),
    ErrorCode.BONEYARD_FLOOR: ErrorMeaning("The last two tiles can never be drawn.", False),
}


class RequestRefused(Exception):
    """Raised when a request cannot be done; carries the code that answers it.

    `detail` is a sentence for people that names the field, the value and what is allowed, `field`
    the path of what is malformed, `retry` whether the same request can succeed later.
    """

    def __init__(
        self,
        code: ErrorCode,
        detail: str | None = None,
        *,
        field: str | None = None,
        retry: bool | None = None,
    ) -> None:
        """Keep the code, and the registry's sentence and `retry` where none are given."""
        self.code = code
        # It may repeat what was sent, and is shown to people.
        self.detail = clean_chat(detail or MEANINGS[code].sentence, DETAIL_CHARS)
        self.field = field
        self.retry = retry if retry is not None else MEANINGS[code].retry
        super().__init__(f"{code}: {self.detail}")
