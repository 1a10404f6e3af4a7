"""Guests of an encrypted server without any cryptography: a token's key is the token, repeated."""

from dataclasses import dataclass, field

from passing_protocol.messages import GuestRole
from passing_server.guests import Guests, KeptGuests
from passing_server.storing import StoreFailed
from tests.support.lan import counted_entropy

LOCAL = "local".ljust(40, "-")
DAY = 86_400
NOON = 20_000 * DAY + DAY // 2
ROLES: tuple[GuestRole, ...] = ("player", "spectator", "bot")


def join_key(token: str) -> str:
    """Return the public key that stands for a token."""
    return token * 5


def key_of(name: str) -> str:
    """Return a client's own key."""
    return name.ljust(40, "+")


@dataclass(eq=False)
class GuestBook:
    """Hold guests, what was kept of them, and the clock on the wall; the disk may fail."""

    kept: KeptGuests = field(default_factory=KeptGuests)
    wall: int = NOON
    failure: StoreFailed | None = None
    kept_times: int = 0
    derived: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.guests = self.open()

    def open(self) -> Guests:
        """Return guests that go on with what was kept."""
        entropy = counted_entropy(f"guests {self.kept_times} {self.wall}")
        self.guests = Guests(
            self.kept,
            local_key=LOCAL,
            keep=self._keep,
            join_key=self._join_key,
            entropy=entropy,
            clock=lambda: self.wall,
        )
        return self.guests

    def code_key(self, role: GuestRole = "player", *, new: bool = False) -> str:
        """Return the key of a role's code."""
        return join_key(self.guests.code(role, new=new)[0])

    def enrol(self, name: str, role: GuestRole = "player", now: int = 0) -> str:
        """Enrol a client by a code, and return its key."""
        self.guests.enrol(now, self.code_key(role), key_of(name), name)
        return key_of(name)

    def _keep(self, kept: KeptGuests) -> None:
        if self.failure is not None:
            raise self.failure
        self.kept = kept
        self.kept_times += 1

    def _join_key(self, token: str) -> str:
        self.derived.append(token)
        return join_key(token)
