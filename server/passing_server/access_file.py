"""The file of an encrypted server's keys, codes and clients: whole, synced, for its owner alone.

Whoever loses it locks everybody out, and whoever takes an older one lets revoked clients in, so
that one which is damaged is never replaced by a new one.
"""

from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec import Struct

from passing_link.keys import InvalidKey, KeyPair
from passing_link.whole_file import BrokenLink, followed, read_small, write_whole
from passing_server.guests import KeptGuests
from passing_server.storing import StoreFailed, failed_for

NAME: Final = "access.json"


class _Form(Struct, frozen=True):
    """Hold what is in the file; secrets are texts in Z85."""

    server_secret: str
    local_secret: str
    guests: KeptGuests


class AccessFile:
    """Hold the server's own keys, and write down the codes and clients together with them."""

    def __init__(self, path: Path, server: KeyPair, local: KeyPair, guests: KeptGuests) -> None:
        """Take what the file holds; `open` reads it."""
        self._path = path
        self.server = server
        self.local = local
        self.guests = guests

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Return what a state folder holds, made when it has none. Raises StoreFailed.

        Where the name there is a link, the file that it leads to is meant, and never made.
        """
        path = folder / NAME
        try:
            path = followed(path)
            data = read_small(path)
            path.chmod(0o600)
        except FileNotFoundError:
            made = cls(path, KeyPair.new(), KeyPair.new(), KeptGuests())
            made.keep(made.guests)
            return made
        except BrokenLink as broken:
            raise StoreFailed(
                f"{broken}. It is for this server's keys, without which everybody would have to "
                "join anew. Put the file back where the link leads."
            ) from None
        except OSError as error:
            raise StoreFailed(f"{path} cannot be read: {error.strerror}.") from None
        return cls._read(path, data)

    @classmethod
    def _read(cls, path: Path, data: bytes) -> Self:
        try:
            form = msgspec.json.decode(data, type=_Form)
            server = KeyPair.of_secret_text(form.server_secret)
            local = KeyPair.of_secret_text(form.local_secret)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, InvalidKey):
            raise StoreFailed(
                f"{path} is damaged: it does not hold this server's keys and clients. Put back a "
                "copy of it that nobody was revoked after. Without one move it away: the server "
                "gets a new key then, and everybody has to join anew with a new code."
            ) from None
        return cls(path, server, local, form.guests)

    def keep(self, guests: KeptGuests) -> None:
        """Write the file anew with these codes and clients; they outlive a loss of power.

        Raises StoreFailed.
        """
        form = _Form(self.server.secret, self.local.secret, guests)
        data = msgspec.json.format(msgspec.json.encode(form)) + b"\n"
        try:
            write_whole(self._path, data, sync=True)
        except OSError as error:
            words = f"{self._path} cannot be written: {error.strerror}."
            raise failed_for(error, words) from None
        self.guests = guests
