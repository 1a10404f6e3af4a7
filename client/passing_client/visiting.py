"""Go to a server and be there until the person leaves: to play, or to watch."""

import asyncio
import getpass
import sys
from argparse import Namespace
from collections.abc import Callable
from importlib import metadata
from typing import Final

from passing_client import keyboard
from passing_client.conversation import Conversation
from passing_client.line_mode import LineFace, LineMode
from passing_client.lobbying import list_tables
from passing_client.settings import Settings, address_of
from passing_link.address import Address
from passing_link.aio import AsyncConnection
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import CannotReach, LinkNews, TurnedAway
from passing_protocol.messages import Agent
from passing_protocol.names import clean_chat, clean_name

DEFAULT_HOST: Final = "localhost"
NOBODY: Final = "Guest"
GREETING: Final = "Type ? for help, rules for the rules, quit to leave."


def agent() -> Agent:
    """Return what this client calls itself."""
    return Agent("passing", metadata.version("passing-game"))


def own_name(settings: Settings) -> str:
    """Return the name to play under: the chosen one, else that of the user of this machine."""
    if settings.name is not None:
        chosen = clean_name(settings.name)
        if not chosen:
            sentence = f"name: {settings.name!r} has nothing that can be shown."
            raise CommandFailed(ExitCode.USAGE, sentence)
        return chosen
    try:
        return clean_name(getpass.getuser()) or NOBODY
    except (OSError, KeyError):
        return NOBODY


async def connect(address: Address, name: str, token: str | None = None) -> AsyncConnection:
    """Connect to a server; raises CommandFailed where that cannot be."""
    try:
        return await AsyncConnection.open(
            address, name=name, agent=agent(), token=token, report=_report
        )
    except CannotReach as error:
        raise CommandFailed(ExitCode.UNREACHABLE, str(error)) from error
    except TurnedAway as error:
        raise CommandFailed(ExitCode.REFUSED, str(error)) from error


def _report(news: LinkNews) -> None:
    sys.stderr.write(f"{clean_chat(news.sentence)}\n")


def visit(arguments: Namespace, settings: Settings, *, wanted: str | None = None) -> ExitCode:
    """Be at a server until the person leaves; `wanted` is the table to watch there."""
    server = address_of(arguments.host or settings.server or DEFAULT_HOST)
    return asyncio.run(_visit(server, settings, wanted))


async def _visit(address: Address, settings: Settings, wanted: str | None) -> ExitCode:
    async with await connect(address, own_name(settings)) as connection:

        def begin(conversation: Conversation) -> None:
            name = clean_name(connection.welcome.name)
            conversation.desk.say(f"Connected to {address} as {name}. {GREETING}")
            list_tables(conversation.desk, "")

        watching = wanted is not None
        return await converse(connection, settings, begin, to_the_end=watching, wanted=wanted)


async def converse(
    connection: AsyncConnection,
    settings: Settings,
    begin: Callable[[Conversation], None],
    *,
    private: bool = False,
    to_the_end: bool = False,
    wanted: str | None = None,
) -> ExitCode:
    """Hold a conversation at the keyboard that is here until it is over; `begin` opens it."""
    keys = keyboard.here()
    conversation = Conversation(
        connection,
        LineFace(keys.ring if settings.bell else lambda: None),
        confirm_pass=settings.confirm_pass,
        private=private,
        to_the_end=to_the_end,
        wanted=wanted,
    )
    begin(conversation)
    return await LineMode(conversation, connection, keys).run()
