"""The connection file: how local programs find a server, and prove that they may use it.

The server writes it when it listens, so it is also the sign that a server is ready.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import msgspec

from passing_link.whole_file import read_small, write_whole

if TYPE_CHECKING:
    from passing_link.keys import Security

NAME: Final = "server.json"
"""What the file is called in a server's state folder."""


class InvalidConnectionFile(ValueError):
    """Raised when a connection file holds something else."""


class ConnectionFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hold what a server tells the programs of its own machine.

    `address` is `HOST:PORT`, for them; `bind` is where it listens for all, `*` for every address of
    the machine, None where only `address` is known. `server_key` is its public key, None without
    encryption. `tokens` maps `bot`, `organiser` and `admin` to the secret that gives the role.
    `client_secret` is the secret key by which an encrypted server lets the programs of its machine
    in, in Z85.
    """

    address: str
    server_key: str | None
    pid: int
    tokens: dict[str, str]
    client_secret: str | None = None
    bind: str | None = None

    def __post_init__(self) -> None:
        """Refuse one key without the other, by which nothing would be encrypted, and no keys.

        Raises InvalidConnectionFile and InvalidKey.
        """
        if (self.server_key is None) != (self.client_secret is None):
            missing, there = "server_key", "client_secret"
            if self.server_key is not None:
                missing, there = there, missing
            raise InvalidConnectionFile(f"{missing}: it is missing, and {there} is there")
        _ = self.security

    def __repr__(self) -> str:
        """Show no secret."""
        return f"ConnectionFile({self.address!r}, {self.server_key!r}, {self.pid})"

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Read a connection file; raises OSError and InvalidConnectionFile."""
        data = read_small(Path(path))
        try:
            return msgspec.json.decode(data, type=cls)
        except UnicodeDecodeError:
            raise InvalidConnectionFile(f"{path}: not a connection file: no text") from None
        except (msgspec.DecodeError, RecursionError) as error:
            raise InvalidConnectionFile(f"{path}: not a connection file: {error}") from None

    @property
    def security(self) -> "Security | None":
        """Return what it takes to speak to the server, None without encryption."""
        if self.server_key is None or self.client_secret is None:
            return None
        # ZeroMQ comes late: who only says where a file is does not wait for it.
        from passing_link.keys import KeyPair, Security

        return Security(self.server_key, KeyPair.of_secret_text(self.client_secret))

    @property
    def process_runs(self) -> bool:
        """Tell whether a process of this machine has the number of the one that wrote the file."""
        try:
            os.kill(self.pid, 0)
        except PermissionError:
            return True  # it runs as somebody else
        except (OSError, OverflowError):
            return False
        return self.pid > 0

    def write(self, path: Path | str) -> None:
        """Write the file whole or not at all, readable by its owner alone; raises OSError."""
        write_whole(Path(path), msgspec.json.format(msgspec.json.encode(self)) + b"\n")
