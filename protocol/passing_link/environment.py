"""The environment variables by which a program is told of a server that it is to play at.

Whoever starts engines sets them; secrets go this way and never as arguments, which all can read.
"""

from collections.abc import Mapping
from typing import Final

from passing_link.connection_file import ConnectionFile
from passing_link.keys import InvalidKey, KeyPair, Security

ADDRESS_VARIABLE: Final = "PASSING_ADDRESS"
"""Where the server is, `HOST:PORT`."""

TOKEN_VARIABLE: Final = "PASSING_TOKEN"  # noqa: S105 (the variable's name, not its value)
"""A token of the server's connection file, where that cannot be read."""

SERVER_KEY_VARIABLE: Final = "PASSING_SERVER_KEY"
"""The public key of a server that encrypts, in Z85."""

CLIENT_SECRET_VARIABLE: Final = "PASSING_CLIENT_SECRET"  # noqa: S105 (likewise)
"""The secret key by which such a server lets a program in, in Z85."""

CODE_VARIABLE: Final = "PASSING_CODE"
"""A join code, or a link to join by."""


class InvalidEnvironment(ValueError):
    """Raised when a variable of the environment is of no use; never shows its value."""


def security_from(environment: Mapping[str, str]) -> Security | None:
    """Return what the two keys of an environment make, None without them.

    Raises InvalidEnvironment for one without the other, and for what is no key.
    """
    names = SERVER_KEY_VARIABLE, CLIENT_SECRET_VARIABLE
    values = [environment.get(name, "") for name in names]
    if not any(values):
        return None
    for name, value in zip(names, values, strict=True):
        if not value:
            raise InvalidEnvironment(
                f"{name} is not set, and the other of {' and '.join(names)} is"
            )
        try:
            KeyPair.of_secret_text(value)
        except InvalidKey as error:
            raise InvalidEnvironment(f"{name}: {error}") from None
    return Security(values[0], KeyPair.of_secret_text(values[1]))


def environment_for(connection: ConnectionFile, token: str) -> dict[str, str]:
    """Return the variables that tell a program of a server of this machine, with its token."""
    told = {ADDRESS_VARIABLE: connection.address, TOKEN_VARIABLE: token}
    if connection.server_key is not None and connection.client_secret is not None:
        told[SERVER_KEY_VARIABLE] = connection.server_key
        told[CLIENT_SECRET_VARIABLE] = connection.client_secret
    return told
