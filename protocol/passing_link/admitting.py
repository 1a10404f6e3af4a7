"""Decide how a server is spoken to: with which key of its, which of ours, or in the clear.

Once a server's key is known at an address, nothing is ever said in the clear there, however the
address is written, and under whatever name.
"""

from contextlib import suppress
from typing import Final

from passing_link import words
from passing_link.address import Address
from passing_link.denials import AccessDenied, CodeNeeded, CodeNotTaken, TakesNoCode, WrongCode
from passing_link.doubts import Ask
from passing_link.enrolling import enrol
from passing_link.finding import query
from passing_link.keys import Security, key_bytes, key_text
from passing_link.known_servers import KnownServer, KnownServers
from passing_link.news import CannotReach, TurnedAway, UnknownMachine
from passing_link.resolving import look_up
from passing_protocol.join_codes import Invitation, JoinCode

ASK_S: Final = 1.5
"""How long a server has to tell its key."""


def find_security(
    address: Address,
    code: JoinCode | Invitation | None,
    known: KnownServers,
    name: str,
    ask: Ask = query,
) -> Security | None:
    """Return what it takes to speak to the server at an address; None for in the clear.

    With a code or a link we enrol there under `name`, and `known` remembers it. Without one it is
    what is remembered, or of a server that encrypts nothing None. After the welcome `known` wants
    to be told of it with `visited`. Waits for up to some seconds.

    Raises CannotReach, TurnedAway, AccessDenied (CodeNeeded, TakesNoCode, WrongCode,
    CodeNotTaken), and what reading and writing `known` raises.
    """
    if isinstance(code, Invitation):
        return _join(address, key_text(code.server_key), code.token, known, name)
    if code is not None:
        return _join(address, _key_that_fits(address, code, known, ask), code.token, known, name)
    return _remembered(address, known, ask)


def _remembered(address: Address, known: KnownServers, ask: Ask) -> Security | None:
    """Return the security of a known server, at this address or, as it says, at another."""
    server = known.by_address(address)
    if server is not None:
        return server.security
    found = ask(address, ASK_S)
    if found is None or found.answer.key is None:
        server = _at_its_numbers(address, known)
        return server.security if server is not None else None
    # Whoever names a key that is not his does not get past the handshake.
    server = known.by_key(found.answer.key)
    if server is None:
        raise CodeNeeded(str(address))
    return server.security


def _at_its_numbers(address: Address, known: KnownServers) -> KnownServer | None:
    """Return the server that is known at a number of the machine: it may be one under a new name.

    Where the machine cannot be looked up, nothing is going to be said to it either.
    """
    with suppress(UnknownMachine):
        for number in look_up(address):
            server = known.by_address(number)
            if server is not None:
                return server
    return None


def _key_that_fits(address: Address, code: JoinCode, known: KnownServers, ask: Ask) -> str:
    """Return the server's key: the one known there, or the one it tells, if the code is for it."""
    server = known.by_address(address)
    if server is not None and code.fits(key_bytes(server.server_key)):
        return server.server_key
    found = ask(address, ASK_S)
    if found is None:
        raise CannotReach(words.tells_no_key(str(address)))
    key = found.answer.key
    if key is None:
        raise TakesNoCode(str(address))
    if not code.fits(key_bytes(key)):
        raise WrongCode(str(address))
    return key


def _join(
    address: Address, server_key: str, token: str, known: KnownServers, name: str
) -> Security:
    """Enrol with a key that the server may know us by, else a fresh one, and remember it.

    Who is known needs no code that is good. A key keeps its role, so with a code of another one
    a fresh key takes its place.
    """
    for server in known.of_key(server_key):
        try:
            enrolled = enrol(address, server_key, token, server.security.own, name)
        except CodeNotTaken:
            return server.security
        if enrolled.code_role is None:
            known.remember(address, server.security, enrolled.role)
            return server.security
        known.forget(server.security)  # one by which we have joined stays until another has
    return _join_anew(address, server_key, token, known, name)


def _join_anew(
    address: Address, server_key: str, token: str, known: KnownServers, name: str
) -> Security:
    """Enrol with a fresh key, which is kept before the server hears of it, and remember it.

    Where no answer comes the server may have heard of it all the same: the next attempt is made
    with that key, so that the server does not come to remember two of one client.
    """
    security = known.prepare(server_key)
    try:
        enrolled = enrol(address, server_key, token, security.own, name)
    except (AccessDenied, TurnedAway):
        with suppress(OSError):  # it does no harm there
            known.forget(security)
        raise
    known.remember(address, security, enrolled.role)
    return security
