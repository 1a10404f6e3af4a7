"""The servers that a person has joined: their keys, and the key pair by which each knows us.

One file holds them all, for its owner's eyes alone. Several people on one machine, and engines,
have profiles: folders of their own, with keys of their own.
"""

import fcntl
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Annotated, Final

import msgspec
import platformdirs
from msgspec.structs import replace

from passing_link.address import Address, InvalidAddress
from passing_link.keys import KeyPair, Security
from passing_link.whole_file import BrokenLink, followed, read_small, write_whole
from passing_protocol.handshake import Role
from passing_protocol.names import clean_name
from passing_protocol.wire import PublicKey

NAME: Final = "servers.json"
LOCK: Final = "servers.lock"
BOT_PROFILE: Final = "bot"
"""The profile of engines that a person runs."""

ADDRESSES_KEPT: Final = 8
"""How many of a server's addresses are remembered: a router may give it another every day."""

_FORMAT: Final = 1


class InvalidProfile(ValueError):
    """Raised when a text cannot name a profile."""


class KnownServersDamaged(Exception):
    """Raised when the file of known servers holds something else; its text names the file."""


class KnownServer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hold what is known of one server.

    `server_key` is its public key and `secret` our secret key for it, both in Z85. `name` is what
    it called itself at the last visit, `addresses` are where it was reached, the last one first, as
    `HOST:PORT`. `role` is what it took us for then, `last_day` when it was last visited, in ISO
    8601. `is_prepared` is for one that has not told us yet that it let us join.
    """

    server_key: PublicKey
    secret: str
    name: str
    addresses: tuple[str, ...]
    role: Role
    last_day: Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
    is_prepared: bool = False

    def __post_init__(self) -> None:
        """Refuse texts that are no keys; raises InvalidKey."""
        _ = self.security

    def __repr__(self) -> str:
        """Show everything but the secret key."""
        return f"KnownServer({self.server_key!r}, {self.name!r}, {self.addresses!r})"

    @property
    def security(self) -> Security:
        """Return what it takes to speak to the server."""
        return Security(self.server_key, KeyPair.of_secret_text(self.secret))

    @property
    def places(self) -> tuple[Address, ...]:
        """Return the addresses, without such as are none."""
        return tuple(found for found in map(_address, self.addresses) if found is not None)


class _Content(msgspec.Struct, frozen=True):
    """Hold what the file holds."""

    format: int
    servers: tuple[KnownServer, ...]


def client_folder(profile: str | None = None) -> Path:
    """Return the folder of a person, or of a profile's; raises InvalidProfile."""
    folder = platformdirs.user_state_path("passing-game") / "client"
    if profile is None:
        return folder
    if not profile or profile.startswith(".") or {"/", "\0"} & set(profile):
        raise InvalidProfile(
            f"{profile!r} is no profile: one is not empty, has no slash and does not begin with a "
            "full stop"
        )
    return folder / profile


class KnownServers:
    """Look up and change the servers that are known in a folder; several processes may."""

    def __init__(self, folder: Path) -> None:
        """Mean a folder, which is made when there is something to keep."""
        self._folder = folder
        self.path = folder / NAME

    def all(self) -> tuple[KnownServer, ...]:
        """Return all that have let us join; raises OSError and KnownServersDamaged."""
        return tuple(server for server in self._kept() if not server.is_prepared)

    def _kept(self) -> tuple[KnownServer, ...]:
        """Return what the file holds, those too that have not let us join; raises as `all` does."""
        try:
            data = read_small(followed(self.path))
        except BrokenLink as broken:
            raise KnownServersDamaged(
                f"{broken}. It is for the keys of the servers that you know: put the file back "
                "where the link leads, or remove the link and join them anew with their codes."
            ) from None
        except (FileNotFoundError, NotADirectoryError):
            return ()
        try:
            content = msgspec.json.decode(data, type=_Content)
        except (UnicodeDecodeError, msgspec.DecodeError, RecursionError) as error:
            raise self._damaged(str(error)) from None
        if content.format != _FORMAT:
            raise self._damaged(f"format {content.format} is not {_FORMAT}")
        return content.servers

    def by_address(self, address: Address) -> KnownServer | None:
        """Return the server that was last reached at an address; raises as `all` does."""
        wanted = str(address.plain)
        known = self.all()
        return next((s for s in known if wanted in map(_plain, s.addresses)), None)

    def by_key(self, server_key: str) -> KnownServer | None:
        """Return the server of a public key in Z85; raises as `all` does.

        It may be one that has not told us yet that it let us join.
        """
        return next(iter(self.of_key(server_key)), None)

    def of_key(self, server_key: str) -> tuple[KnownServer, ...]:
        """Return the server of a public key with each key pair of ours; raises as `all` does.

        The one that it knows us by is first; behind are those that were prepared for it, of which
        it is not known whether it has heard of them.
        """
        return tuple(found for found in self._kept() if found.server_key == server_key)

    def elsewhere(self, address: Address, server_key: str) -> tuple[Address, ...]:
        """Return where a server was reached before, for an address where it never was.

        That it is here may be false then. Raises as `all` does.
        """
        server = self.by_key(server_key)
        places = () if server is None else server.places
        return () if address.plain in places else places

    def prepare(self, server_key: str) -> Security:
        """Keep a fresh key of ours for a server, behind what is known of it, and return it.

        So no server remembers a key that cannot be kept: it is for who joins then, by `remember`,
        or is refused, by `forget`. Where neither comes to be known it stays. Raises as `all` does.
        """
        security = Security(server_key, KeyPair.new())
        prepared = replace(_unseen(security), is_prepared=True)
        self._change(lambda known: (*known, prepared))
        return security

    def forget(self, security: Security) -> None:
        """Remove what was prepared for a server that has not let us join; raises as `all` does."""
        self._change(
            lambda known: tuple(s for s in known if not s.is_prepared or s.security != security)
        )

    def remember(self, address: Address, security: Security, role: Role) -> None:
        """Keep what it takes to come back to a server; raises as `all` does.

        It replaces what was known of that server; another one that was known at the address is
        not looked for there any more.
        """
        server = replace(_unseen(security), role=role)
        self._change(lambda known: _with(known, server, address))

    def visited(self, address: Address, server_key: str, name: str) -> None:
        """Keep where a known server was reached today, and what it calls itself.

        To be called once the server has proved its key, so that no datagram alone can lead us
        somewhere else. One that was prepared for has let us join then. Nothing is done for one that
        is not known; raises as `all` does.
        """

        def change(known: tuple[KnownServer, ...]) -> tuple[KnownServer, ...]:
            for server in known:
                if server.server_key == server_key:
                    today = date.today().isoformat()
                    seen = replace(server, name=clean_name(name), last_day=today, is_prepared=False)
                    return _with(known, seen, address)
            return known

        self._change(change)

    def _change(self, change: Callable[[tuple[KnownServer, ...]], tuple[KnownServer, ...]]) -> None:
        with self._locked():
            before = self._kept()
            after = change(before)
            if after != before:
                content = msgspec.json.encode(_Content(_FORMAT, after))
                write_whole(followed(self.path), msgspec.json.format(content) + b"\n", sync=True)

    @contextmanager
    def _locked(self) -> Generator[None]:
        """Keep other processes from changing the file meanwhile; raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.chmod(0o700)  # it may have been made on the way to a profile's
        handle = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _damaged(self, why: str) -> KnownServersDamaged:
        return KnownServersDamaged(
            f"{self.path} does not hold known servers ({why}). Mend it, or move it away and join "
            "your servers anew with their codes."
        )


def _unseen(security: Security) -> KnownServer:
    """Return a server that nothing but the keys is known of."""
    keys = security.server_key, security.own.secret
    return KnownServer(*keys, "", (), Role.SPECTATOR, date.today().isoformat())


def _address(text: str) -> Address | None:
    """Return an address as it stands in the file; None for what is none."""
    try:
        return Address.parse(text).plain
    except InvalidAddress:
        return None


def _plain(text: str) -> str:
    """Return the one spelling of an address in the file; what is none there is like no other."""
    address = _address(text)
    return text if address is None else str(address)


def _with(
    known: tuple[KnownServer, ...], server: KnownServer, address: Address
) -> tuple[KnownServer, ...]:
    """Return the servers with that one in front, and it alone at the address."""
    here = str(address.plain)

    def without(addresses: tuple[str, ...]) -> tuple[str, ...]:
        """Return all but the address."""
        return tuple(text for text in addresses if _plain(text) != here)

    before = next((s.addresses for s in known if s.server_key == server.server_key), ())
    others = tuple(
        replace(s, addresses=without(s.addresses))
        for s in known
        if s.server_key != server.server_key
    )
    addresses = (here, *without(before))[:ADDRESSES_KEPT]
    return (replace(server, addresses=addresses), *others)
