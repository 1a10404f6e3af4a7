"""Which servers a person has joined before: those whose keys are kept.

It imports sockets, so it is imported late.
"""

from passing_link.exits import CommandFailed, ExitCode
from passing_link.known_servers import KnownServers, KnownServersDamaged, client_folder


def joined_keys(profile: str | None) -> frozenset[str]:
    """Return the public keys of the servers that a profile has joined; raises CommandFailed.

    Keys that may not be read are as good as none.
    """
    try:
        return frozenset(known.server_key for known in KnownServers(client_folder(profile)).all())
    except OSError:
        return frozenset()
    except KnownServersDamaged as error:
        raise CommandFailed(ExitCode.USAGE, str(error)) from error
