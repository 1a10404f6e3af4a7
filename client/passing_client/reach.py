"""Whether a server answers, tried by being let in and greeting it as any client does."""

import os
from dataclasses import replace
from importlib import metadata
from time import monotonic
from typing import TYPE_CHECKING

from passing_client.admission import Admission, admit, failure_of
from passing_client.command_tree import DISTRIBUTION
from passing_client.diagnosis import Finding, Verdict
from passing_client.language import _
from passing_client.words.lobby import open_to_all
from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkError
from passing_link.places import open_first
from passing_protocol.messages import Agent, Welcome
from passing_protocol.names import DETAIL_CHARS, clean_chat, clean_name

if TYPE_CHECKING:
    from passing_client.entry import Entry
    from passing_link.keys import Security


def server_findings(entry: "Entry", name: str, timeout_s: float) -> tuple[list[Finding], ExitCode]:
    """Come in at a server as a person does, under `name` where that takes a code, and leave it.

    Returns what came of it, and the exit code that says so.
    """
    began = monotonic()
    try:
        admission = admit(entry, name)
        left_s = max(timeout_s / 5, timeout_s - (monotonic() - began))
        # A server that knows us calls us by the last name we came with: no doctor's then.
        own = None if admission.security is None else name
        places = (entry.address, *admission.elsewhere)
        place, (welcome, finding) = _first_greeted(
            places, admission.security, left_s, own, gave_code=entry.code is not None
        )
        admission = replace(admission, entry=replace(entry, address=place))
        admission.note_visit(welcome.server)
    except CommandFailed as failed:
        return [_failing(failed)], failed.code
    return [finding, _keys(admission, welcome)], ExitCode.DONE


def local_finding(
    address: Address, security: "Security | None", timeout_s: float
) -> tuple[Finding, ExitCode]:
    """Greet a server with what its connection file gives the programs of its machine."""
    try:
        _, (_, finding) = _first_greeted((address,), security, timeout_s)
    except CommandFailed as failed:
        return _failing(failed), failed.code
    return finding, ExitCode.DONE


def _failing(failed: CommandFailed) -> Finding:
    return Finding("server", Verdict.BAD, clean_chat(failed.sentence, DETAIL_CHARS))


def _first_greeted(
    places: tuple[Address, ...],
    security: "Security | None",
    timeout_s: float,
    name: str | None = None,
    *,
    gave_code: bool = False,
) -> tuple[Address, tuple[Welcome, Finding]]:
    """Greet a server at the first of its addresses where it is; raises CommandFailed."""

    def greet_at(place: Address, within_s: float | None) -> tuple[Welcome, Finding]:
        """Greet a server at an address."""
        return _greeted(place, security, within_s, name)

    try:
        return open_first(places, greet_at, timeout_s)
    except LinkError as error:
        raise failure_of(error, places[0], gave_code=gave_code) from error


def _greeted(
    address: Address, security: "Security | None", timeout_s: float | None, name: str | None
) -> tuple[Welcome, Finding]:
    """Greet a server and leave it; raises LinkError."""
    agent = Agent("passing doctor", metadata.version(DISTRIBUTION))
    began = monotonic()
    with Connection.open(
        address,
        # Whoever looks at the server's people can tell doctors apart that visit at a time.
        name=name or f"doctor {os.getpid()}",
        agent=agent,
        security=security,
        timeout_s=timeout_s,
    ) as connection:
        taken_ms = (monotonic() - began) * 1000
        welcome = connection.welcome
    server = clean_name(welcome.server) or _("A server")
    text = _("{server} answers at {address} in {time} ms")
    sentence = text.format(server=server, address=address, time=f"{taken_ms:.0f}")
    return welcome, Finding("server", Verdict.FINE, sentence)


def _keys(admission: Admission, welcome: Welcome) -> Finding:
    """Say whether what is said there can be read on the way, and whose key that goes by."""
    if admission.security is None:
        if admission.is_open(welcome):
            return Finding("keys", Verdict.NOTE, open_to_all())
        sentence = _("nothing is encrypted, and nobody else reaches that server")
        return Finding("keys", Verdict.FINE, sentence)
    if admission.is_new:
        text = _(
            "all is encrypted; this was the first time, and the server's key is kept in {file}"
        )
    else:
        text = _("all is encrypted; the server has the key that is kept in {file}")
    return Finding("keys", Verdict.FINE, text.format(file=admission.kept_in))
