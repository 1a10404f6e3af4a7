"""How a server is, in numbers: what `status` is answered with."""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Final, Literal, NamedTuple

from passing_protocol.messages import Presence, Role, StatusReport
from passing_server.guests import Guests
from passing_server.limits import ANSWERS_TIMED, RATE_MS
from passing_server.rooms import Room
from passing_server.sessions import Session
from passing_server.storing import Durability

_WORDS: Final[dict[Durability, Literal["full", "fast", "none"]]] = {
    Durability.FULL: "full",
    Durability.FAST: "fast",
    Durability.NONE: "none",
}


class Totals(NamedTuple):
    """Count what a server has done since its start."""

    received: int = 0
    sent: int = 0
    commits: int = 0


class StatusDesk:
    """Count what a server does, and report on that and on who is there."""

    def __init__(self, durability: Durability, memory: Callable[[], int]) -> None:
        """Begin with nothing done. `durability` is that of the tables that people make.

        `memory` tells how many bytes the process has.
        """
        self.began = 0
        self.received = 0
        self.sent = 0
        self.commits = 0
        self._durability = durability
        self._memory = memory
        self._samples: deque[tuple[int, Totals]] = deque()
        self._answers_us: deque[int] = deque(maxlen=ANSWERS_TIMED)

    @property
    def totals(self) -> Totals:
        """Return what has been done so far."""
        return Totals(self.received, self.sent, self.commits)

    def answered(self, messages: int, us: int) -> None:
        """Note that so many messages were read and answered within `us` microseconds."""
        self._answers_us.extend(repeat(us, messages))

    def answer_us(self, share: float) -> int:
        """Return the time within which that share, below 1, of the newest messages was answered."""
        if not self._answers_us:
            return 0
        return sorted(self._answers_us)[int(share * len(self._answers_us))]

    def sample(self, now: int) -> None:
        """Remember the counts of a moment; those that are older than need be are forgotten."""
        if self._samples and now < self._samples[-1][0] + RATE_MS // 10:
            return
        self._samples.append((now, self.totals))
        while len(self._samples) > 1 and self._samples[1][0] <= now - RATE_MS:
            self._samples.popleft()

    def per_s(self, now: int) -> Totals:
        """Return what was done a second since the oldest moment that is remembered."""
        since, before = self._samples[0] if self._samples else (self.began, Totals())
        seconds = max(1_000, now - since) / 1_000
        done = zip(self.totals, before, strict=True)
        return Totals(*(round((total - earlier) / seconds) for total, earlier in done))

    def report(
        self,
        now: int,
        *,
        seq: int,
        re: int,
        epoch: int,
        rooms: Iterable[Room],
        sessions: Iterable[Session],
        ailment: str | None,
        draining: bool,
        guests: Guests | None,
    ) -> StatusReport:
        """Return the answer to a request for it."""
        rates = self.per_s(now)
        return StatusReport(
            seq=seq,
            re=re,
            epoch=epoch,
            uptime_ms=now - self.began,
            memory=self._memory(),
            tables=dict(Counter(room.table.state for room in rooms)),
            sessions=_presence(sessions),
            in_per_s=rates.received,
            out_per_s=rates.sent,
            commits_per_s=rates.commits,
            answer_p50_us=self.answer_us(0.5),
            answer_p99_us=self.answer_us(0.99),
            durability=_WORDS[self._durability],
            ailment=ailment,
            draining=draining,
            clients=len(guests) if guests is not None else 0,
            denials=guests.denials(now) if guests is not None else 0,
            enrolment_paused=guests is not None and guests.pauses(now),
        )


def _presence(sessions: Iterable[Session]) -> list[Presence]:
    """Count the sessions of each role that are connected, and those that are away."""
    counts = Counter((session.role, session.peer is not None) for session in sessions)
    return [
        Presence(role, counts[role, True], counts[role, False])
        for role in Role
        if counts[role, True] or counts[role, False]
    ]
