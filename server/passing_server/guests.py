"""The keys that an encrypted server lets in, and who comes with each of them.

Three kinds of keys pass: the one of this machine's own programs, the current one of each role's
join code, which is good for enrolling alone, and those that were enrolled.
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.join_codes import TOKEN_CHARS
from passing_protocol.messages import GuestRole, Role
from passing_protocol.names import name_key
from passing_protocol.spoken import ALPHABET
from passing_protocol.wire import Count, Name, PublicKey
from passing_server.allowance import Allowance
from passing_server.denials import Denials
from passing_server.limits import (
    CLIENTS_PER_PAGE,
    CLOCK_SLACK_S,
    CODE_LIFE_S,
    ENROL_BURST,
    ENROLS_PER_S,
    MOST_CLIENTS,
    RENAMES_PER_S,
)
from passing_server.storing import StoreFailed

DAY_S: Final = 86_400
SHOWN: Final = 8
"""Of a key no more than so many characters are logged."""

REVOKED: Final = (
    "The operator has taken this client's access away. To come back, ask for a new code."
)


NOT_KEPT: Final = "This server cannot remember anybody at the moment. Try again later."
"""What a client is told whose key cannot be written down; why is the operator's affair."""

NO_CODE: Final = "What you have come with is no code that is good any more. Ask for a new one."


class KeptCode(Struct, frozen=True):
    """Hold the token of a role's join code, and until when it is good, in s since 1970."""

    token: Annotated[str, Meta(pattern=f"^[{ALPHABET}]{{{TOKEN_CHARS}}}$")]
    until: int


class KeptClient(Struct, frozen=True):
    """Hold a client that was enrolled: its last name, its role, and the day it was enrolled on.

    Days are counted from 1970-01-01.
    """

    name: Name
    role: GuestRole
    since: Count


class KeptGuests(Struct, frozen=True):
    """Hold what outlives the server: the codes by role, and the clients by their public keys."""

    codes: dict[GuestRole, KeptCode] = field(default_factory=dict[GuestRole, KeptCode])
    clients: dict[PublicKey, KeptClient] = field(default_factory=dict[PublicKey, KeptClient])


@dataclass(frozen=True, slots=True)
class Guest:
    """Tell who is at the other end of a connection, from its key alone.

    `key` is what a session is bound to: None without encryption, and for the programs of this
    machine, which show tokens. `role` is what one has without a token. Whoever is `joining` may
    enrol in that role, and nothing else.
    """

    key: str | None
    role: Role
    joining: bool = False


@dataclass(frozen=True, slots=True)
class GuestChange:
    """Tell what has happened to the guests, for the log: a kind, a role, and whose key."""

    kind: Literal["enrolled", "revoked", "new_code"]
    role: GuestRole
    key: str = ""


class Guests:
    """Decide on keys, enrol clients and revoke them; what is to outlive that is kept first."""

    def __init__(
        self,
        kept: KeptGuests,
        *,
        local_key: str,
        keep: Callable[[KeptGuests], None],
        join_key: Callable[[str], str],
        entropy: Callable[[int], bytes],
        clock: Callable[[], int],
    ) -> None:
        """Go on with what was kept.

        `keep` stores it anew, or raises StoreFailed; `join_key` returns the public key of a token,
        which takes its time; `clock` tells the seconds since 1970.
        """
        self._kept = kept
        self.local_key = local_key
        self._keep = keep
        self._join_key = join_key
        self._entropy = entropy
        self._clock = clock
        self._denials = Denials()
        self._enrolling: dict[GuestRole, Allowance] = {}
        self._renaming = Allowance(1, 0)
        self._has_names_to_keep = False
        self._joining: dict[str, GuestRole] = {
            join_key(code.token): role for role, code in kept.codes.items() if self._left_s(code)
        }
        self._changes: list[GuestChange] = []
        self.ailment: str | None = None
        """Why nothing can be kept, as it was found the last time; for the operator alone."""

    # --- who comes in

    def admits(self, now: int, address: str, key: str) -> bool:
        """Tell whether a connection with a key may come in; who is not let in is counted."""
        if key == self.local_key or key in self._kept.clients:
            return True
        if self._role_joining(key) is None:
            self._denials.count(now, address)
            return False
        return not self._denials.hold_up(now, address)

    def knows(self, key: str) -> bool:
        """Tell whether a key is good for anything: for coming in, or for enrolling."""
        return (
            key == self.local_key
            or key in self._kept.clients
            or self._role_joining(key) is not None
        )

    def who(self, key: str) -> Guest:
        """Return who comes with a key. Raises RequestRefused with not_admitted."""
        if key == self.local_key:
            return Guest(None, Role.PLAYER)
        client = self._kept.clients.get(key)
        if client is not None:
            return Guest(key, Role(client.role))
        joining = self._role_joining(key)
        if joining is not None:
            return Guest(key, Role(joining), joining=True)
        raise RequestRefused(ErrorCode.NOT_ADMITTED, REVOKED)

    def role_of(self, key: str) -> Role | None:
        """Return the role of a client that is remembered, None for any other key."""
        client = self._kept.clients.get(key)
        return Role(client.role) if client is not None else None

    def _role_joining(self, key: str) -> GuestRole | None:
        """Return the role of the code that a key belongs to, while that is good."""
        role = self._joining.get(key)
        return role if role is not None and self._left_s(self._kept.codes[role]) else None

    # --- clients

    def enrol(self, now: int, join_key: str, key: str, name: str) -> tuple[KeptClient, GuestRole]:
        """Remember a client in the role of a join code's key; returns it, and that role.

        Nobody has shown here that `key` is theirs, so who is known keeps the name and the role.
        Raises RequestRefused: not_admitted when the code is none any more or the key is none of
        one's own, full at the limit, rate_limited, disk.
        """
        role = self._role_joining(join_key)
        if role is None:
            raise RequestRefused(ErrorCode.NOT_ADMITTED, NO_CODE)
        if key == self.local_key or key in self._joining:
            raise RequestRefused(ErrorCode.NOT_ADMITTED, "client_key: it is not a key of its own.")
        known = self._kept.clients.get(key)
        if known is not None:
            return known, role
        if len(self._kept.clients) >= MOST_CLIENTS:
            raise RequestRefused(
                ErrorCode.FULL,
                f"This server remembers {MOST_CLIENTS} clients, and no more. Its operator makes "
                "room with `passing serve revoke NAME`.",
            )
        allowance = self._enrolling.setdefault(role, Allowance(ENROL_BURST, now))
        allowance.spend(now, ENROLS_PER_S, ENROL_BURST)
        client = KeptClient(name, role, self._clock() // DAY_S)
        try:
            self._change(replace(self._kept, clients={**self._kept.clients, key: client}))
        except RequestRefused as refused:
            raise RequestRefused(refused.code, NOT_KEPT) from None
        self._tell("enrolled", role, key)
        return client, role

    def rename(self, now: int, key: str, name: str) -> None:
        """Remember under which name a client has come last.

        It is known at once, and written down when that is allowed and can be: with the next name
        or client at the latest, or by `keep_names`.
        """
        client = self._kept.clients.get(key)
        if client is None or client.name == name:
            return
        renamed = replace(client, name=name)
        self._kept = replace(self._kept, clients={**self._kept.clients, key: renamed})
        self._has_names_to_keep = True
        with suppress(RequestRefused):
            self._renaming.spend(now, RENAMES_PER_S, 1)
            self._change(self._kept)

    def keep_names(self) -> None:
        """Write down the last names that are not yet, at the end; else they are lost."""
        if self._has_names_to_keep:
            with suppress(RequestRefused):
                self._change(self._kept)

    def revoke(self, name: str, present: Iterable[str] = ()) -> dict[str, KeptClient]:
        """Forget every client whose name reads like that, and renew the codes of their roles.

        A key will do as well, or what is shown of it. `present` are the keys that are here under
        the name: only the last name of each is remembered. Returns them by their keys. Raises
        RequestRefused: no_such_client, disk.
        """
        here = set(present)
        gone = {
            key: client
            for key, client in self._kept.clients.items()
            if key in here or name in (key, key[:SHOWN]) or name_key(client.name) == name_key(name)
        }
        if not gone:
            detail = (
                f"No client is remembered as {name!r}; `passing serve revoke` lists those that are."
            )
            raise RequestRefused(ErrorCode.NO_SUCH_CLIENT, detail)
        self._forget(gone, {client.role for client in gone.values()})
        return gone

    def revoke_all(self, role: GuestRole | None) -> tuple[dict[str, KeptClient], bool]:
        """Forget a page of all clients, or of those of a role.

        With the last page the codes that they may know are renewed, each of which takes its time;
        who comes back by one before is on a later page. Returns the clients by their keys, and if
        others are left. Raises RequestRefused with disk.
        """
        every = {
            key: client
            for key, client in self._kept.clients.items()
            if role is None or client.role == role
        }
        gone = dict(list(every.items())[:CLIENTS_PER_PAGE])
        more = len(gone) < len(every)
        renewed = () if more else self._kept.codes if role is None else (role,)
        self._forget(gone, renewed)
        return gone, more

    def _forget(self, gone: dict[str, KeptClient], roles: Collection[GuestRole]) -> None:
        """Forget clients, and renew the codes of roles where there are any."""
        left = {key: client for key, client in self._kept.clients.items() if key not in gone}
        renewed: list[GuestRole] = [role for role in self._kept.codes if role in roles]
        codes = dict(self._kept.codes)
        codes.update((role, self._new_code()) for role in renewed)
        self._change(KeptGuests(codes, left))
        for role in renewed:
            self._derive(role)
        for key, client in gone.items():
            self._tell("revoked", client.role, key)

    def page(self, after: str | None) -> tuple[dict[str, KeptClient], bool]:
        """Return a page of the clients, those after a key, by their keys; and if more follow."""
        keys = sorted(key for key in self._kept.clients if after is None or key > after)
        shown = keys[:CLIENTS_PER_PAGE]
        return {key: self._kept.clients[key] for key in shown}, len(keys) > len(shown)

    def __len__(self) -> int:
        """Return how many clients are remembered."""
        return len(self._kept.clients)

    # --- codes

    def code(self, role: GuestRole, *, new: bool = False) -> tuple[str, int]:
        """Return the token of a role's code, and for how many ms it is good.

        A code that is over is replaced, as is any other when a `new` one is wished. Raises
        RequestRefused with disk.
        """
        code = self._kept.codes.get(role)
        if new or code is None or not self._left_s(code):
            code = self._new_code()
            self._change(replace(self._kept, codes={**self._kept.codes, role: code}))
            self._derive(role)
            self._tell("new_code", role)
        return code.token, self._left_s(code) * 1_000

    def _new_code(self) -> KeptCode:
        bits = int.from_bytes(self._entropy(TOKEN_CHARS * 5 // 8))
        token = "".join(ALPHABET[bits >> 5 * place & 31] for place in range(TOKEN_CHARS))
        return KeptCode(token, self._clock() + CODE_LIFE_S)

    def _derive(self, role: GuestRole) -> None:
        """Let the key of a role's code in, and the one of the code before it no more."""
        self._joining = {key: other for key, other in self._joining.items() if other != role}
        self._joining[self._join_key(self._kept.codes[role].token)] = role

    def _left_s(self, code: KeptCode) -> int:
        """Return for how long a code is good; 0 too when the clock was put far back since."""
        left = code.until - self._clock()
        return min(left, CODE_LIFE_S) if 0 < left <= CODE_LIFE_S + CLOCK_SLACK_S else 0

    # --- what is told of them

    def denials(self, now: int) -> int:
        """Return how many connections were not let in within the last minute."""
        return self._denials.lately(now)

    def pauses(self, now: int) -> bool:
        """Tell whether those were so many that no code is taken from another machine."""
        return self._denials.are_too_many(now)

    def take_changes(self) -> list[GuestChange]:
        """Return, once, what has happened, for the log."""
        changes, self._changes = self._changes, []
        return changes

    def _tell(
        self, kind: Literal["enrolled", "revoked", "new_code"], role: GuestRole, key: str = ""
    ) -> None:
        self._changes.append(GuestChange(kind, role, key[:SHOWN]))

    def _change(self, kept: KeptGuests) -> None:
        """Keep what is to be from now on, and only then go by it. Raises RequestRefused."""
        try:
            self._keep(kept)
        except StoreFailed as failed:
            self.ailment = str(failed)
            raise RequestRefused(ErrorCode.DISK, self.ailment) from None
        self.ailment = None
        self._kept = kept
        self._has_names_to_keep = False
