"""The end of a server: nothing new is taken in, and the rounds that are played may end.

Tables play their round to its end and are paused then, for the next start to go on with; a table
without a round stays as it is.
"""

from collections.abc import Callable

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import Create, Invite, Join, Ready, Request, Role, Start, Watch
from passing_server.sessions import Session

BEGINS = (Create, Invite, Join, Ready, Start, Watch)
"""What would begin something new, or bring somebody in."""


FOR_NEWCOMERS = (
    "This server is about to stop and takes nobody new. Try again when it is started anew."
)


class Draining:
    """Know whether the server is ending, by when at the latest, and what it takes until then."""

    def __init__(self) -> None:
        """Begin with a server that takes everything."""
        self._until: int | None = None
        self._over = False

    @property
    def active(self) -> bool:
        """Tell whether nothing new is taken in any more."""
        return self._until is not None

    @property
    def over(self) -> bool:
        """Tell whether there is nothing left to wait for."""
        return self._over

    def begin(self, now: int, grace_ms: int) -> None:
        """Take nothing new from now on; a later call may only shorten the time."""
        until = now + grace_ms
        self._until = until if self._until is None else min(until, self._until)

    def look(self, now: int, playing: Callable[[], int]) -> None:
        """Take note, once ending has begun, of how many tables play a round still."""
        if self._until is not None:
            self._over = playing() == 0 or now >= self._until

    def verify_newcomer(self, role: Role) -> None:
        """Raise RequestRefused with draining for a new session, unless it is an admin's."""
        if self.active and role is not Role.ADMIN:
            raise RequestRefused(ErrorCode.DRAINING, FOR_NEWCOMERS)

    def verify_goes_on(self, session: Session, request: Request) -> None:
        """Raise RequestRefused with draining for what begins something new.

        An engine may still take the seat that it was invited to in a running match.
        """
        invited = isinstance(request, Join) and request.table in session.invited
        if self.active and isinstance(request, BEGINS) and not invited:
            raise RequestRefused(ErrorCode.DRAINING)
