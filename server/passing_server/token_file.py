"""The tokens of a state folder: they outlive the server, so that engines can go on."""

import os
import secrets
from pathlib import Path

import msgspec

from passing_link.exits import CommandFailed, ExitCode
from passing_protocol.messages import Role

NAME = "tokens.json"
ROLES = (Role.BOT, Role.ORGANISER, Role.ADMIN)


def kept_tokens(folder: Path) -> dict[str, str]:
    """Return the token of each role that needs one, made when the folder has none.

    Whoever wants new ones removes the file. Raises CommandFailed when it cannot be written.
    """
    path = folder / NAME
    try:
        known = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
        path.chmod(0o600)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        known = {}
    if known.keys() == {role.value for role in ROLES}:
        return known
    tokens = {role.value: secrets.token_urlsafe(32) for role in ROLES}
    try:
        _write(path, msgspec.json.encode(tokens))
    except OSError as error:
        sentence = f"{path} cannot be written: {error.strerror}."
        raise CommandFailed(ExitCode.UNEXPECTED, sentence) from None
    return tokens


def _write(path: Path, data: bytes) -> None:
    """Write the file whole or not at all, for its owner alone."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    new.replace(path)
