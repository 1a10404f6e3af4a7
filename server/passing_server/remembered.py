"""Ask a running server which clients it remembers, take their access away, and say so in words."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final, get_args

from passing_link.blocking import Connection
from passing_link.exits import CommandFailed, ExitCode
from passing_protocol.messages import (
    ClientInfo,
    Clients,
    ClientsReport,
    GuestRole,
    Request,
    Revoke,
    RevokeAll,
)
from passing_server.guests import SHOWN

EPOCH: Final = date(1970, 1, 1)


def all_clients(connection: Connection) -> list[ClientInfo]:
    """Return every client that is remembered, by name. Raises LinkError, CommandFailed."""
    clients: list[ClientInfo] = []
    report = _asked(connection, Clients(0))
    clients += report.clients
    while report.more:
        report = _asked(connection, Clients(0, clients[-1].key))
        clients += report.clients
    return sorted(clients, key=lambda client: (client.name, client.key))


def revoke(connection: Connection, name: str) -> ClientsReport:
    """Take the access away from every client of a name or key.

    Raises LinkError, CommandFailed.
    """
    return _asked(connection, Revoke(0, name))


def revoke_all(connection: Connection, role: GuestRole | None) -> list[ClientInfo]:
    """Take it away from all, or from those of a role, and return them.

    Raises LinkError, CommandFailed.
    """
    report = _asked(connection, RevokeAll(0, role))
    clients = list(report.clients)
    while report.more:
        report = _asked(connection, RevokeAll(0, role))
        clients += report.clients
    return sorted(clients, key=lambda client: (client.name, client.key))


def _asked(connection: Connection, request: Request) -> ClientsReport:
    report = connection.request(request)
    if not isinstance(report, ClientsReport):
        raise CommandFailed(ExitCode.UNEXPECTED, "The server answers with something else.")
    return report


def client_lines(clients: Iterable[ClientInfo]) -> Iterator[str]:
    """Yield a line for each client, or one that says that there is none."""
    told = False
    for client in clients:
        told = True
        day = EPOCH + timedelta(days=client.since)
        shown = f"since {day}, key {client.key[:SHOWN]}"
        yield f"{client.name}: {client.role}, {shown}{_connections(client.connected)}"
    if not told:
        yield "No client is remembered. `passing serve invite` shows the code to join by."


def _connections(number: int) -> str:
    """Return how often somebody is here, empty for one who is not."""
    return f", {number} connection{'s' if number > 1 else ''} now" if number else ""


def revoked_lines(report: ClientsReport) -> Iterator[str]:
    """Yield what was done, and what is to be done about it."""
    yield from (f"{client.name} may come in no more ({client.role})." for client in report.clients)
    if report.more:
        yield "And others of that name."
    yield from _code_lines(sorted({client.role for client in report.clients}))


def all_revoked_lines(number: int, role: GuestRole | None) -> Iterator[str]:
    """Yield of how many access was taken away, all in all or of a role, and what is to be done."""
    clients = f"{number} client{'' if number == 1 else 's'}"
    yield f"{clients} may come in no more{'' if role is None else f' ({role})'}."
    yield from _code_lines(get_args(GuestRole) if role is None else [role])


def _code_lines(roles: Iterable[GuestRole]) -> Iterator[str]:
    for role in roles:
        yield (
            f"The old code of role {role} is good no more: "
            f"`passing serve invite --role {role}` shows the new one."
        )
