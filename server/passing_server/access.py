"""Who may do what: a role follows from the key or the token one has, never from what one claims."""

import hashlib
import hmac

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import (
    Clients,
    Create,
    Decline,
    Drain,
    Invite,
    Join,
    JoinCode,
    Remove,
    Request,
    Revoke,
    RevokeAll,
    Role,
    Start,
    Status,
)
from passing_protocol.tokens import token_for
from passing_server.guests import Guest, Guests

SITTING = (Role.PLAYER, Role.BOT, Role.ORGANISER)
"""The roles that may hold a seat."""

ALLOWED: dict[type[Request], tuple[Role, ...]] = {
    Create: (Role.PLAYER, Role.ORGANISER),
    Start: (Role.PLAYER, Role.ORGANISER),
    Invite: (Role.PLAYER, Role.ORGANISER),
    Remove: (Role.PLAYER, Role.ORGANISER),
    Join: SITTING,
    Decline: (Role.BOT,),
    Status: (Role.ADMIN,),
    Drain: (Role.ADMIN,),
    JoinCode: (Role.ADMIN,),
    Clients: (Role.ADMIN,),
    Revoke: (Role.ADMIN,),
    RevokeAll: (Role.ADMIN,),
}
"""The roles that may send a request; one that is not listed is open to all."""


_AS: dict[Role, str] = {
    Role.PLAYER: "As a player",
    Role.SPECTATOR: "As a spectator",
    Role.BOT: "As an engine",
    Role.ORGANISER: "As an organiser",
    Role.ADMIN: "As the operator",
}
_DEEDS: dict[type[Request], str] = {
    Create: "make a table",
    Start: "begin a match",
    Invite: "invite an engine",
    Remove: "take a seat from anybody",
    Join: "sit down",
    Decline: "decline an invitation, which is for engines",
    Status: "ask how the server is",
    Drain: "let the server end",
    JoinCode: "ask for the code to join by",
    Clients: "ask who is remembered",
    Revoke: "take access away from anybody",
    RevokeAll: "take access away from all",
}
"""What a request of `ALLOWED` does, for people."""


def hash_token(token: str) -> bytes:
    """Return the form in which a token is kept: a leaked memory dump gives no seat away."""
    return hashlib.sha256(token.encode()).digest()


class Access:
    """Know the tokens of the connection file and the keys, and give each connection its role."""

    def __init__(
        self,
        tokens: dict[str, str],
        default: Role = Role.PLAYER,
        guests: Guests | None = None,
    ) -> None:
        """Keep the hashes of `tokens` by role; without `guests` nothing is encrypted.

        Then `default` is for those who bring no token. The bot token is kept as it is: the tokens
        for single engines are made from it.
        """
        self._hashes = {Role(role): hash_token(token) for role, token in tokens.items()}
        self._bot_token = tokens.get(Role.BOT.value)
        self._default = default
        self.guests = guests

    def who(self, key: str | None) -> Guest:
        """Return who is at a connection's other end. Raises RequestRefused with not_admitted."""
        if self.guests is None:
            return Guest(None, self._default)
        if key is None:
            raise RequestRefused(ErrorCode.NOT_ADMITTED)
        return self.guests.who(key)

    def role(self, token: str | None, name: str, guest: Guest | None = None) -> Role:
        """Return the role of a connection under a name. Raises RequestRefused with bad_code."""
        if token is None:
            return guest.role if guest is not None else self._default
        if self._bot_token is not None:
            own = token_for(self._bot_token, name)
            if hmac.compare_digest(own.encode(), token.encode()):
                return Role.BOT
        brought = hash_token(token)
        for role, known in self._hashes.items():
            if hmac.compare_digest(known, brought):
                return role
        raise RequestRefused(ErrorCode.BAD_CODE)

    def proof(self, role: Role) -> bytes:
        """Return what is another when the token of a role is; empty where a role needs none."""
        return self._hashes.get(role, b"")

    def holds(self, role: Role, admitted: bytes, key: str | None) -> bool:
        """Tell whether what let a session in is good still.

        Where nothing is encrypted now, nobody can come back with a key: such a session waits.
        """
        if key is not None and not admitted:
            return self.guests is None or self.guests.role_of(key) is role
        if key is not None and self.guests is not None and self.guests.role_of(key) is None:
            return False
        return admitted == self.proof(role)


def verify_allowed(role: Role, request: Request) -> None:
    """Raise RequestRefused with not_admitted when the role may not send that request."""
    allowed = ALLOWED.get(type(request))
    if allowed is not None and role not in allowed:
        raise RequestRefused(
            ErrorCode.NOT_ADMITTED, f"{_AS[role]} you cannot {_DEEDS[type(request)]}."
        )
