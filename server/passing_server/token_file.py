"""The tokens of a state folder: they outlive the server, so that engines can go on."""

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import msgspec

from passing_link.whole_file import BrokenLink, followed, read_small, write_whole
from passing_protocol.messages import Role
from passing_server.log import Log
from passing_server.storing import StoreFailed, failed_for

NAME = "tokens.json"
ROLES = (Role.BOT, Role.ORGANISER, Role.ADMIN)
TOKEN_BYTES: Final = 32
TOKEN_CHARS: Final = 43
"""So many characters of base64 hold the bytes of a token."""

_Tokens = dict[str, Annotated[str, msgspec.Meta(pattern=rf"^[A-Za-z0-9_-]{{{TOKEN_CHARS}}}\Z")]]


def kept_tokens(folder: Path, log: Log) -> dict[str, str]:
    """Return the token of each role that needs one, made when the folder has none.

    Whoever wants new ones removes the file. One that holds something else is made anew, and the
    log says so. Where the name there is a link, the file that it leads to is meant, and never
    made. Raises StoreFailed when it cannot be read or written.
    """
    try:
        path = followed(folder / NAME)
    except BrokenLink as broken:
        raise StoreFailed(
            f"{broken}. It is for this server's tokens. Put the file back where the link leads, or "
            "remove the link: the tokens are new then, and engines have to be given theirs."
        ) from None
    except OSError as error:
        raise StoreFailed(f"{folder / NAME} cannot be read: {error.strerror}.") from None
    known = _read(path, log)
    if known is not None:
        return known
    tokens = {role.value: secrets.token_urlsafe(TOKEN_BYTES) for role in ROLES}
    try:
        write_whole(path, msgspec.json.encode(tokens), sync=True)
    except OSError as error:
        raise failed_for(error, f"{path} cannot be written: {error.strerror}.") from None
    return tokens


def _read(path: Path, log: Log) -> dict[str, str] | None:
    """Return what the file holds, None if that is not the tokens. Raises StoreFailed."""
    try:
        data = read_small(path)
        path.chmod(0o600)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreFailed(f"{path} cannot be read: {error.strerror}.") from None
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        known = msgspec.json.decode(data, type=_Tokens)
        if known.keys() == {role.value for role in ROLES}:
            return known
    log.tell("tokens_renewed", f"{path} does not hold tokens, so all of them are new.")
    return None
