"""Which servers a person has joined before: those whose keys are kept.

It imports sockets, so it is imported late.
"""

from contextlib import suppress

from passing_client.joined_servers import JoinedServers
from passing_link.address import Address, InvalidAddress
from passing_link.exits import CommandFailed, ExitCode
from passing_link.known_servers import KnownServers, KnownServersDamaged, client_folder


def joined_servers(profile: str | None) -> JoinedServers:
    """Return the servers that a profile has joined; raises CommandFailed.

    Keys that may not be read are as good as none.
    """
    try:
        servers = KnownServers(client_folder(profile)).all()
    except OSError:
        return JoinedServers()
    except KnownServersDamaged as error:
        raise CommandFailed(ExitCode.USAGE, str(error)) from error
    places: dict[Address, str] = {}
    for server in servers:
        for text in server.addresses:
            with suppress(InvalidAddress):
                places.setdefault(Address.parse(text).plain, server.server_key)
    return JoinedServers(frozenset(server.server_key for server in servers), places)
