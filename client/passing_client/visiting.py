"""Go to a server and be there until the person leaves: to play, or to watch."""

import getpass
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Final

from passing_client.conversation import Conversation
from passing_client.going import Stay, go, report_news
from passing_client.language import _, mark, typed
from passing_client.lobbying import list_tables
from passing_client.settings import Settings, address_of
from passing_client.words.links import cannot_reach_sentence, turned_away_sentence
from passing_link.address import Address
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import CannotReach, LinkNews, TurnedAway
from passing_protocol.messages import Agent
from passing_protocol.names import NAME_COLUMNS, clean_chat, clean_name

if TYPE_CHECKING:
    from passing_link.aio import AsyncConnection

NOBODY: Final = mark("Guest")


def greeting() -> str:
    """Return what a person who has just come can type."""
    return typed(_("Type ? for help, {slash}rules for the rules, {slash}quit to leave."))


def agent() -> Agent:
    """Return what this client calls itself."""
    return Agent("passing", metadata.version("passing-game"))


def own_name(settings: Settings) -> str:
    """Return the name to play under: the chosen one, else that of the user of this machine."""
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
    try:
        return clean_name(getpass.getuser()) or _(NOBODY)
    except (OSError, KeyError):
        return _(NOBODY)


async def connect(
    address: Address,
    name: str,
    token: str | None = None,
    *,
    report: Callable[[LinkNews], None] = report_news,
    patient: bool = False,
) -> "AsyncConnection":
    """Connect to a server; raises CommandFailed where that cannot be.

    One who is `patient` tries until cancelled where nobody answers.
    """
    # Sockets come late, so that the screen says before it what is waited for.
    from passing_link.aio import AsyncConnection
    from passing_link.driver import OPEN_S

    try:
        return await AsyncConnection.open(
            address,
            name=name,
            agent=agent(),
            token=token,
            timeout_s=None if patient else OPEN_S,
            report=report,
        )
    except CannotReach as error:
        sentence = cannot_reach_sentence(error, address)
        raise CommandFailed(ExitCode.UNREACHABLE, sentence) from error
    except TurnedAway as error:
        raise CommandFailed(ExitCode.REFUSED, turned_away_sentence(error)) from error


def visit(arguments: Namespace, settings: Settings, *, wanted: str | None = None) -> ExitCode:
    """Be at a server, `host`, until the person leaves; `wanted` is the table to watch there."""
    address = address_of(arguments.host)
    return go(Visit(address, own_name(settings), wanted is not None, wanted), settings)


@dataclass(slots=True)
class Visit:
    """Hold whom a person visits, under which name; `to_the_end` is for one who came to watch."""

    address: Address
    name: str
    to_the_end: bool = False
    wanted: str | None = None
    private: bool = False

    @property
    def server(self) -> str:
        """Return the address of the server."""
        return str(self.address)

    @property
    def starting(self) -> str:
        """Return that the server is waited for."""
        return _("Connecting to {address} ...").format(address=self.address)

    def begin(self) -> None:
        """Begin nothing: it takes no while."""

    def end(self) -> None:
        """End nothing."""

    async def run(
        self, stay: Stay, report: Callable[[LinkNews], None], *, patient: bool
    ) -> ExitCode:
        """Connect, stay, and say goodbye; raises CommandFailed."""
        connection = await connect(self.address, self.name, report=report, patient=patient)
        async with connection:

            def begin(conversation: Conversation) -> None:
                name = clean_name(connection.welcome.name)
                connected = _("Connected to {address} as {name}.")
                told = connected.format(address=self.address, name=name)
                conversation.desk.say(f"{told} {greeting()}")
                list_tables(conversation.desk, "")

            return await stay(connection, begin)
