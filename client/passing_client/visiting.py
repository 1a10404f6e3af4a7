"""Go to a server and be there until the person leaves: to play, or to watch."""

import asyncio
import getpass
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import metadata
from time import monotonic
from typing import TYPE_CHECKING, Final

from passing_client.asking import CodeWanted, asked_anew
from passing_client.conversation import Conversation
from passing_client.entry import Entry, entry_of
from passing_client.going import Stay, go, report_news
from passing_client.language import _, mark, typed
from passing_client.lobbying import list_tables
from passing_client.settings import Settings
from passing_client.words.lobby import first_time, open_to_all, role_lines
from passing_client.words.servers import place_of
from passing_link.address import Address
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkError, LinkNews
from passing_link.places import PLACE_S
from passing_link.threads import in_thread
from passing_protocol.messages import Agent, Welcome
from passing_protocol.names import NAME_COLUMNS, clean_chat, clean_name

if TYPE_CHECKING:
    from passing_client.admission import Admission
    from passing_link.aio import AsyncConnection
    from passing_link.keys import Security

NOBODY: Final = mark("Guest")

OPEN_S: Final = 5.0
"""How long to try to reach a server before giving up, with all that comes before."""


def greeting() -> str:
    """Return what a person who has just come can type."""
    return typed(_("Type ? for help, {slash}rules for the rules, {slash}quit to leave."))


def agent() -> Agent:
    """Return what this client calls itself."""
    return Agent("passing", metadata.version("passing-game"))


def own_name(settings: Settings) -> str:
    """Return the name to play under: the chosen one, that of the profile, or of the user."""
    if settings.name is not None:
        chosen = clean_name(settings.name)
        if not chosen:
            text = _("name: {name} has nothing that can be shown.")
            raise CommandFailed(ExitCode.USAGE, text.format(name=repr(settings.name)))
        if chosen != clean_chat(settings.name):
            text = _("name: {name} is too long: {columns} columns of it can be shown, as {short}.")
            told = text.format(name=repr(settings.name), columns=NAME_COLUMNS, short=repr(chosen))
            raise CommandFailed(ExitCode.USAGE, told)
        return chosen
    if settings.profile is not None:
        return clean_name(settings.profile)
    try:
        return clean_name(getpass.getuser()) or _(NOBODY)
    except (OSError, KeyError):
        return _(NOBODY)


async def connect(
    address: Address,
    name: str,
    token: str | None = None,
    *,
    security: "Security | None" = None,
    gave_code: bool = False,
    report: Callable[[LinkNews], None] = report_news,
    timeout_s: float | None = OPEN_S,
) -> "AsyncConnection":
    """Connect to a server; raises CommandFailed where that cannot be.

    With a `timeout_s` of None it is tried until cancelled where nobody answers. `gave_code` tells
    that a code was given, which the sentence is about then.
    """
    # Sockets come late, so that the screen says before it what is waited for.
    from passing_client.admission import failure_of
    from passing_link.aio import AsyncConnection

    try:
        return await AsyncConnection.open(
            address,
            name=name,
            agent=agent(),
            token=token,
            security=security,
            timeout_s=timeout_s,
            report=report,
        )
    except LinkError as error:
        raise failure_of(error, address, gave_code=gave_code) from error


async def arrive(
    entry: Entry, name: str, report: Callable[[LinkNews], None], *, patient: bool
) -> "tuple[Admission, AsyncConnection]":
    """Be let in by a server and connect, at the first of its addresses where that can be.

    An answer that names a server may come from anybody, and lead where it is not; its key tells.
    A `patient` one tries until cancelled where nobody answers. Raises CommandFailed: of several
    failures the one that there is something to be done about.
    """
    while True:
        failures: list[CommandFailed] = []
        places = [entry.address, *entry.others]
        for place in places:  # where else it was before may be known only when it has a key
            try:
                return await _arrive_at(
                    replace(entry, address=place), name, places, report, patient
                )
            except CommandFailed as failed:
                if failed.code not in (ExitCode.UNREACHABLE, ExitCode.REFUSED):
                    raise
                failures.append(failed)
        failure = min(failures, key=_weight)
        if len(places) == 1 or not patient or failure.code is not ExitCode.UNREACHABLE:
            raise _pointing_on(failure, entry.address)
        await asyncio.sleep(PLACE_S)


async def _arrive_at(
    entry: Entry,
    name: str,
    places: list[Address],
    report: Callable[[LinkNews], None],
    patient: bool,
) -> "tuple[Admission, AsyncConnection]":
    """Arrive at one of several places, and add what others of them come to be known."""
    from passing_client.admission import admit

    began = monotonic()
    admission = await in_thread(lambda: admit(entry, name))
    places += [place for place in admission.elsewhere if place not in places]
    left_s = max(1.0, round(OPEN_S - (monotonic() - began), 1))
    connection = await connect(
        entry.address,
        name,
        security=admission.security,
        gave_code=entry.code is not None,
        report=report,
        timeout_s=PLACE_S if len(places) > 1 else None if patient else left_s,
    )
    return admission, connection


def _pointing_on(failure: CommandFailed, address: Address) -> CommandFailed:
    """Return a failure with what says more, where nobody answers."""
    if failure.code is not ExitCode.UNREACHABLE:
        return failure
    more = _("To look for the reason: passing doctor {place}")
    return CommandFailed(failure.code, f"{failure.sentence} {more.format(place=place_of(address))}")


def _weight(failure: CommandFailed) -> tuple[bool, bool]:
    return not isinstance(failure, CodeWanted), failure.code is ExitCode.UNREACHABLE


def visit(
    arguments: Namespace,
    settings: Settings,
    *,
    wanted: str | None = None,
    others: tuple[Address, ...] = (),
) -> ExitCode:
    """Be at a server, `host`, until the person leaves; `wanted` is the table to watch there.

    `others` are where the server may be as well. A person at a terminal is asked for a code that
    is needed. Raises CommandFailed.
    """
    entry = replace(entry_of(arguments.host, arguments.code, settings.profile), others=others)
    name = own_name(settings)

    def try_with(entry: Entry) -> ExitCode:
        """Go there with what an entry brings, perhaps another code."""
        return go(Visit(entry, name, wanted is not None, wanted), settings)

    return asked_anew(entry, try_with)


@dataclass(slots=True)
class Visit:
    """Hold whom a person visits, under which name; `to_the_end` is for one who came to watch."""

    entry: Entry
    name: str
    to_the_end: bool = False
    wanted: str | None = None
    private: bool = False

    @property
    def server(self) -> str:
        """Return the address of the server."""
        return str(self.entry.address)

    @property
    def starting(self) -> str:
        """Return that the server is waited for."""
        return _("Connecting to {address} ...").format(address=self.server)

    def begin(self) -> None:
        """Begin nothing: it takes no while."""

    def end(self) -> None:
        """End nothing."""

    async def run(
        self, stay: Stay, report: Callable[[LinkNews], None], *, patient: bool
    ) -> ExitCode:
        """Be let in, stay, and say goodbye; raises CommandFailed."""
        admission, connection = await arrive(self.entry, self.name, report, patient=patient)
        self.entry = admission.entry
        async with connection:
            welcome = connection.welcome
            await in_thread(lambda: admission.note_visit(welcome.server))

            def opening(conversation: Conversation) -> None:
                """Begin to talk, with a seat that is kept where the person is cut short."""
                connection.keeps_seats = lambda: conversation.desk.keeps_seat
                self._open(conversation, welcome, admission)

            return await stay(connection, opening)

    def _open(self, conversation: Conversation, welcome: Welcome, admission: "Admission") -> None:
        """Tell where the person is now, and look at the tables."""
        desk = conversation.desk
        connected = _("Connected to {address} as {name}.")
        told = connected.format(address=self.server, name=clean_name(welcome.name))
        desk.say(f"{told} {greeting()}")
        if admission.is_new:
            desk.told_once = first_time()
            desk.say(desk.told_once)
        desk.role = welcome.role
        desk.say(*role_lines(desk.role))
        desk.encrypted = admission.security is not None
        desk.open_to_all = admission.is_open(welcome)
        if desk.open_to_all:
            desk.say(open_to_all())
        list_tables(desk, "")
