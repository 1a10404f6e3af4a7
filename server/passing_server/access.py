"""Who may do what: a role follows from the token one brings, never from what one claims."""

import hashlib
import hmac

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.messages import (
    Create,
    Decline,
    Drain,
    Invite,
    Join,
    Remove,
    Request,
    Role,
    Start,
    Status,
)
from passing_protocol.tokens import token_for

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
}
"""The roles that may send a request; one that is not listed is open to all."""


def hash_token(token: str) -> bytes:
    """Return the form in which a token is kept: a leaked memory dump gives no seat away."""
    return hashlib.sha256(token.encode()).digest()


class Access:
    """Know the tokens of the connection file, and give each connection its role."""

    def __init__(self, tokens: dict[str, str], default: Role = Role.PLAYER) -> None:
        """Keep the hashes of `tokens` by role; `default` is for those who bring none.

        The bot token is kept as it is: the tokens for single engines are made from it.
        """
        self._hashes = {Role(role): hash_token(token) for role, token in tokens.items()}
        self._bot_token = tokens.get(Role.BOT.value)
        self._default = default

    def role(self, token: str | None, name: str) -> Role:
        """Return the role of a connection under a name. Raises RequestRefused with bad_code."""
        if token is None:
            return self._default
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


def verify_allowed(role: Role, request: Request) -> None:
    """Raise RequestRefused with not_admitted when the role may not send that request."""
    allowed = ALLOWED.get(type(request))
    if allowed is not None and role not in allowed:
        raise RequestRefused(
            ErrorCode.NOT_ADMITTED, f"A {role} may not send {type(request).__name__.lower()}."
        )
