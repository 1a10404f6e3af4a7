"""Go on an errand to a server: at the full screen, or in line mode where that suits better."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Protocol

from passing_client import keyboard
from passing_client.conversation import Conversation
from passing_client.desk import Face, Link
from passing_client.language import _
from passing_client.line_mode import AsyncLink, LineFace, LineMode
from passing_client.record_keeping import keeper_of
from passing_client.settings import Settings
from passing_client.verifying import ImpossibleTable
from passing_client.words.links import impossible_sentence, news_sentence
from passing_link.exits import CommandFailed, ExitCode
from passing_link.fitting import fitted
from passing_link.news import LinkNews

Opening = Callable[[Conversation], None]
"""Opens a conversation with a server that has been reached."""

Stay = Callable[[AsyncLink, Opening], Awaitable[ExitCode]]
"""Is with a server that has been reached until the person leaves."""


class Errand(Protocol):
    """Describe where a person goes and what for."""

    @property
    def private(self) -> bool:
        """Tell whether the table there is of the person's own making, and only for them."""
        ...

    @property
    def to_the_end(self) -> bool:
        """Tell whether the person comes to watch a table and for nothing else."""
        ...

    @property
    def wanted(self) -> str | None:
        """Return the table to watch, None where the person looks around first."""
        ...

    @property
    def server(self) -> str:
        """Return what the server is called on the screen."""
        ...

    @property
    def starting(self) -> str:
        """Return what is waited for, as a sentence."""
        ...

    def begin(self) -> None:
        """Begin what takes a while, without waiting for it."""
        ...

    def end(self) -> None:
        """End all that was begun. Safe without anything begun."""
        ...

    async def run(
        self, stay: Stay, report: Callable[[LinkNews], None], *, patient: bool
    ) -> ExitCode:
        """Reach the server and stay there; raises CommandFailed.

        `report` is told how it goes meanwhile. A `patient` one tries to reach it until cancelled.
        """
        ...


def go(errand: Errand, settings: Settings) -> ExitCode:
    """Be on an errand until it is over; raises CommandFailed."""
    try:
        errand.begin()
        return asyncio.run(_go(errand, settings))
    except ImpossibleTable as fault:
        sentence = impossible_sentence(fault, errand.server)
        raise CommandFailed(ExitCode.UNREACHABLE, sentence) from fault
    finally:
        errand.end()


async def _go(errand: Errand, settings: Settings) -> ExitCode:
    if settings.plain or not keyboard.is_full_terminal():
        return await _in_lines(errand, settings)
    from passing_client.screen.full_screen import FullScreen

    return await FullScreen(errand, settings).run()


async def _in_lines(errand: Errand, settings: Settings) -> ExitCode:
    """Be on an errand in line mode; says why where that was not asked for."""

    async def stay(link: AsyncLink, begin: Opening) -> ExitCode:
        """Talk with the server in lines until the person leaves."""
        if not settings.plain:
            _note(_why_lines())
        keys = keyboard.here()
        face = LineFace(keys.ring if settings.bell else lambda: None)
        unattended = errand.private and not keyboard.is_full_terminal()
        conversation = conversation_for(errand, settings, link, face, unattended=unattended)
        begin(conversation)
        return await LineMode(conversation, link, keys).run()

    return await errand.run(stay, report_news, patient=False)


def conversation_for(
    errand: Errand,
    settings: Settings,
    link: Link,
    face: Face,
    *,
    unattended: bool = False,
    lingers: bool = False,
) -> Conversation:
    """Return a conversation as an errand and the settings ask for it."""
    return Conversation(
        link,
        face,
        confirm_pass=settings.confirm_pass,
        private=errand.private,
        to_the_end=errand.to_the_end,
        wanted=errand.wanted,
        keeper=keeper_of(settings),
        unattended=unattended,
        lingers=lingers,
    )


def _why_lines() -> str:
    """Return why there is no full screen where that was not asked for."""
    if not keyboard.is_terminal():
        return _("The full screen needs a terminal, so this is line mode. --plain asks for it.")
    text = _(
        "This terminal (TERM={term}) cannot show the full screen, so this is line mode. "
        "--plain asks for it."
    )
    return text.format(term=os.environ.get("TERM", ""))


def report_news(news: LinkNews) -> None:
    """Tell on standard error how it goes with reaching a server."""
    _note(news_sentence(news))


def _note(line: str) -> None:
    sys.stderr.write(f"{fitted(line, sys.stderr)}\n")
