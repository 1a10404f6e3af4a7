"""The full screen, run: a server that is reached, messages, keys and the time, brought together.

It is there at once, says what is waited for, and can be left at any time. Whatever ends it, the
terminal is as it was before when `run` returns or raises.
"""

import asyncio
import codecs
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from passing_client.going import Errand, Opening, conversation_for
from passing_client.language import _, slashed
from passing_client.line_mode import AsyncLink
from passing_client.replaying import Replay
from passing_client.screen.application import Screen
from passing_client.screen.controller import Controller
from passing_client.screen.scene import Scene
from passing_client.screen.skin import ASCII, UNICODE
from passing_client.server_board import ServerBoard
from passing_client.settings import Settings
from passing_client.words.links import news_sentence
from passing_client.words.lobby import seat_kept
from passing_client.words.rounds import result_of
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import LinkDown, LinkNews
from passing_link.signals import ended_by, heeded
from passing_protocol.messages import Request

TICK_S: Final = 1.0
"""How often a time that is shown is drawn anew."""


def _now_ms() -> int:
    return int(monotonic() * 1000)


_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class FullScreen:
    """Run one errand at the full screen until it is over."""

    def __init__(
        self,
        errand: Errand,
        settings: Settings,
        replay: Replay | None = None,
        *,
        board: ServerBoard | None = None,
        clock: Callable[[], int] = _now_ms,
    ) -> None:
        """Prepare the screen, which shows what is waited for until the errand has a link.

        A replay is shown before anything else, and servers on a `board` until one is chosen.
        `clock` tells the time in ms.
        """
        self._errand = errand
        conversation = conversation_for(errand, settings, _NoLink(), _NoFace(), lingers=True)
        self._desk = conversation.desk
        self._scene = Scene(
            self._desk,
            skin=ASCII if settings.ascii or not _is_unicode() else UNICODE,
            starting=errand.starting,
            server=errand.server,
            replay=replay,
            servers=board,
        )
        ring = self._ring if settings.bell else lambda: None
        self._controller = Controller(conversation, self._scene, clock=clock, ring=ring)
        self._screen = Screen(self._controller, self._changed)
        if board is not None:
            board.changed = self._found
        self._started = asyncio.Event()
        self._result = ""
        self._interrupted = ExitCode.INTERRUPTED

    async def run(self) -> ExitCode:
        """Be there until it is over, and return how it ended.

        Raises CommandFailed with a sentence where something else than the person ended it.
        """
        with slashed(), _told_of_signals(self._interrupt):
            shown = asyncio.create_task(self._screen.run(self._started.set))
            there = asyncio.create_task(self._be_there())
            ticking = asyncio.create_task(self._tick())
            tasks = (shown, there, ticking)
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await self._restore(shown)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        return self._ending(shown, there, ticking)

    async def _restore(self, shown: asyncio.Task[None]) -> None:
        """Give the terminal back before anything else ends, which may take a while."""
        self._screen.end()
        await asyncio.wait({shown})

    def _ending(self, *tasks: asyncio.Task[None]) -> ExitCode:
        """Return how it ended; raises what a task has failed with, and why it ended early."""
        over = self._desk.over
        if over is ExitCode.INTERRUPTED:
            if self._desk.keeps_seat and self._interrupted is over:
                sys.stdout.write(f"{seat_kept()}\n")
            return self._interrupted
        for task in tasks:
            error = None if task.cancelled() else task.exception()
            if isinstance(error, EOFError):
                return ExitCode.INTERRUPTED  # nobody is at the terminal any more
            if error is not None:
                raise error
        code = ExitCode.DONE if over is None else over
        if code is not ExitCode.DONE and self._controller.farewell:
            raise CommandFailed(code, self._farewell(code))
        if code is ExitCode.DONE and (told := self._result or self._controller.farewell):
            sys.stdout.write(f"{told}\n")
        return code

    def _farewell(self, code: ExitCode) -> str:
        """Return what has ended it, and what to do about a server that is gone."""
        said = self._controller.farewell
        if code is not ExitCode.UNREACHABLE or self._errand.private:
            return said
        text = _("{said} Try again with the same command, or see: passing doctor {server}")
        return text.format(said=said, server=self._errand.server)

    # --- the link ----------------------------------------------------------------------------

    async def _be_there(self) -> None:
        """Reach the server and hear it to the end; the first picture is shown before."""
        await self._started.wait()
        await self._errand.run(self._stay, self._report, patient=True)

    async def _stay(self, link: AsyncLink, begin: Opening) -> ExitCode:
        """Hear a server that has been reached until its link ends or the person leaves."""
        self._desk.link = link
        self._controller.begin(begin)
        self._changed()
        async for item in link:
            if self._desk.over is not None:
                break
            self._controller.hear(item)
            self._note_result()
            self._changed()
        return ExitCode.DONE

    def _note_result(self) -> None:
        """Note who has won the match that one came for, to say so when the screen is gone."""
        table = self._desk.table
        if table is not None and (self._errand.private or self._errand.to_the_end):
            self._result = result_of(table)

    def _report(self, news: LinkNews) -> None:
        """Show how it goes with reaching the server."""
        self._scene.starting = news_sentence(news)
        self._screen.show()

    # --- what happens here -------------------------------------------------------------------

    def _changed(self) -> None:
        """Draw what has changed, or end if it is over."""
        if self._desk.over is None:
            self._screen.show()
        else:
            self._screen.end()

    def _found(self) -> None:
        """Show which servers there are by now."""
        self._controller.found()
        self._changed()

    def _interrupt(self, number: int) -> None:
        self._interrupted = ended_by(number)
        self._controller.interrupt()
        self._changed()

    def _ring(self) -> None:
        self._screen.ring()

    async def _tick(self) -> None:
        """Let the time be noticed; the screen is drawn anew only where it shows a time."""
        while True:
            await asyncio.sleep(TICK_S)
            if self._controller.tick():
                self._screen.show()


class _NoLink:
    """Stand for the link while there is none yet."""

    def send(self, message: Request) -> int:
        """Refuse, as a link does that is down."""
        raise LinkDown("There is no connection yet.")


class _NoFace:
    """Stand for the face of a conversation until its controller is."""

    def say(self, line: str) -> None:
        """Say nothing: nothing has happened."""

    def ring(self) -> None:
        """Call nobody."""


def _is_unicode() -> bool:
    """Tell whether the terminal is written to in an encoding that has box drawing."""
    return codecs.lookup(sys.stdout.encoding or "ascii").name == "utf-8"


@contextmanager
def _told_of_signals(tell: Callable[[int], None]) -> Generator[None]:
    """Tell of the signals that end a program instead of ending it, as long as this lasts."""
    loop = asyncio.get_running_loop()
    before = heeded(_SIGNALS)
    for number in before:
        loop.add_signal_handler(number, tell, number)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
