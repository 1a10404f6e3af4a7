"""The league's requests: sent in order, kept until they are answered, sent again if too early."""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from passing_bots.league.game import Game
from passing_protocol.messages import Request


class Sent(NamedTuple):
    """Hold a request and the game that cannot go on without it, None where there is none."""

    request: Request
    game: Game | None = None


class Outbox:
    """Hold what is to be sent, what was sent and not answered, and what is due again later."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._waiting: deque[Sent] = deque()
        self._asked: dict[int, Sent] = {}
        self._later: list[tuple[float, Sent]] = []

    def put(self, request: Request, game: Game | None = None) -> None:
        """Add a request to those that wait."""
        self._waiting.append(Sent(request, game))

    def put_later(self, sent: Sent, at: float) -> None:
        """Send a request once more, from a time on."""
        self._later.append((at, sent))

    def tick(self, now: float, is_wanted: Callable[[Sent], bool]) -> None:
        """Take up what is due again, if it is wanted still."""
        due = [sent for at, sent in self._later if at <= now]
        self._later = [(at, sent) for at, sent in self._later if at > now]
        self._waiting.extend(filter(is_wanted, due))

    def send_all(self, send: Callable[[Request], int]) -> None:
        """Send all that waits; `send` returns the id of each, and what it raises stops here."""
        while self._waiting:
            number = send(self._waiting[0].request)
            self._asked[number] = self._waiting.popleft()

    def answered(self, number: int | None) -> Sent | None:
        """Return, once, the request of an id that has its answer now."""
        return self._asked.pop(number, None) if number is not None else None

    def forget_asked(self) -> None:
        """Wait for no answers any more: the session that asked is gone."""
        self._asked.clear()
