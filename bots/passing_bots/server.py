"""Where an engine plays, and by what the server takes it for one."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from passing_link.address import LOOPBACK, Address
from passing_link.admitting import find_security
from passing_link.connection_file import ConnectionFile
from passing_link.environment import CODE_VARIABLE, TOKEN_VARIABLE, security_from
from passing_link.keys import Security
from passing_link.known_servers import BOT_PROFILE, KnownServers, client_folder
from passing_link.news import CannotReach, LinkError
from passing_link.state_lock import may_run
from passing_protocol.join_codes import Invitation, parse_code
from passing_protocol.messages import Role, Welcome

ENGINE_NAME: Final = "engine"
"""What an engine enrols as that says no other name."""


class NoBotToken(LinkError):
    """Raised when there is nothing to show the server that this program may play as an engine."""

    def __init__(self) -> None:
        """Say what is missing and where it comes from."""
        super().__init__(
            "An engine joins a server by a code for engines: HOST --code CODE, with the code that "
            "`passing serve invite --role bot` shows there. A server that encrypts nothing has no "
            "codes: there give its connection file with --connection, or its bot token in the "
            f"environment variable {TOKEN_VARIABLE}."
        )


class TokenInTheClear(LinkError):
    """Raised when a token would go unencrypted to another machine that nobody here has joined."""

    def __init__(self, address: Address) -> None:
        """Say who does not get the token, and how to come in there."""
        super().__init__(
            f"{address} is not shown the bot token: it is another machine, and one that encrypts "
            "nothing as far as this one knows. Join it by a code for engines with --code "
            "(`passing serve invite --role bot`), or give its connection file with --connection."
        )


class OthersCode(LinkError):
    """Raised when the code by which an engine has joined was made for somebody else."""

    def __init__(self, role: Role) -> None:
        """Say for whom, and which code lets engines in."""
        super().__init__(
            f"The code that this engine has joined by is one for {role}s, and lets no engine play: "
            "give one for engines with --code. `passing serve invite --role bot` shows it."
        )


@dataclass(frozen=True, slots=True)
class Server:
    """Hold where a server is and by what it takes engines: a token, or the key of one enrolled.

    `security` is None for a server that encrypts nothing. `known` are the servers to which this
    one belongs, if it does, and is told of every visit. `others` are where it was reached before,
    where it never was at this address: that it is here may be false.
    """

    address: Address
    token: str | None = field(default=None, repr=False)
    security: Security | None = None
    known: KnownServers | None = field(default=None, repr=False, compare=False)
    others: tuple[Address, ...] = field(default=(), compare=False)

    @property
    def places(self) -> tuple[Address, ...]:
        """Return every address to try, in that order."""
        return (self.address, *self.others)

    @classmethod
    def find(
        cls,
        address: Address | str | None = None,
        connection: Path | str | None = None,
        *,
        code: str | None = None,
        name: str = ENGINE_NAME,
        profile: str = BOT_PROFILE,
    ) -> Self:
        """Complete what is given from the connection file, the environment or what is known.

        A `code` (or link; else PASSING_CODE) enrols the engine under `name`, in a profile that
        keeps its key. Without an address the connection file's or the link's is taken, else this
        machine's default port. Raises NoBotToken, TokenInTheClear, InvalidAddress, InvalidCode,
        InvalidProfile, InvalidEnvironment, CannotReach also for a file whose server has ended, what
        `find_security` raises, and what reading the file raises.
        """
        if isinstance(address, str):
            address = Address.parse(address)
        if connection is not None:
            return cls._of_file(address, ConnectionFile.read(connection), connection)
        given = code or os.environ.get(CODE_VARIABLE)
        invitation = parse_code(given) if given else None
        if address is None and isinstance(invitation, Invitation):
            address = Address(invitation.host, invitation.port)
        address = address or Address("localhost")
        token = os.environ.get(TOKEN_VARIABLE) or None
        security = security_from(os.environ)
        if invitation is None and security is not None:
            return cls(address, token, security)
        known = KnownServers(client_folder(profile))
        security = find_security(address, invitation, known, name)
        if security is None and token is None:
            raise NoBotToken
        if security is None and not address.plain.is_loopback:
            raise TokenInTheClear(address)
        others = () if security is None else known.elsewhere(address, security.server_key)
        return cls(address, token, security, known, others)

    @classmethod
    def _of_file(cls, address: Address | None, file: ConnectionFile, path: Path | str) -> Self:
        """Return the server of a connection file; raises as `find` does."""
        address = address or _address_in(file, path)
        token = file.tokens.get(Role.BOT.value)
        if not token:
            raise NoBotToken
        return cls(address, token, file.security)

    def visited(self, welcome: Welcome, place: Address) -> None:
        """Note that the server has welcomed us at an address: it has proved its key."""
        if self.known is not None and self.security is not None:
            with suppress(OSError):  # it is found all the same the next time
                self.known.visited(place, self.security.server_key, welcome.server)


def _address_in(file: ConnectionFile, path: Path | str) -> Address:
    """Return where the server that wrote the file listens.

    Raises CannotReach when that server was on this machine and has ended.
    """
    address = Address.parse(file.address)
    if address.host in LOOPBACK and not may_run(Path(path), file):
        raise CannotReach(f"{path}: the server that wrote it, process {file.pid}, has ended.")
    return address
