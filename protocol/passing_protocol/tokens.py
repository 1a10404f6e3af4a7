"""Tokens that are good for one name alone, made from a token that is good for any."""

import hmac

_LABEL = b"passing-game engine\0"


def token_for(bot_token: str, name: str) -> str:
    """Return the token by which an engine is taken under that very name, and no other.

    Whoever starts engines of strangers gives each of them such a token instead of the server's
    bot token, so that none can pose as another (PROTOCOL.md, "The connection file").
    """
    return hmac.digest(bot_token.encode(), _LABEL + name.encode(), "sha256").hex()
