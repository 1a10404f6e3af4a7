"""Line mode: append-only text and typed commands, over any link and any keyboard.

This is the client for screen readers, for pipes, and for terminals that can do nothing else.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from passing_client.conversation import REMINDERS_S, Conversation
from passing_client.hanging import hung
from passing_client.keyboard import Keyboard
from passing_client.words.lobby import seat_kept
from passing_link.exits import ExitCode
from passing_link.news import Item
from passing_link.signals import Ended
from passing_protocol.messages import Request


class AsyncLink(Protocol):
    """Describe a link whose messages and news can be waited for."""

    def send(self, message: Request) -> int:
        """Send a request and return its id."""
        ...

    def __aiter__(self) -> AsyncIterator[Item]:
        """Yield every message and all news until the link has ended."""
        ...


class LineFace:
    """Show lines on standard output as they come; a terminal's are broken between words."""

    def __init__(self, ring: Callable[[], None]) -> None:
        """Keep how to call the person."""
        self._ring = ring

    def say(self, line: str) -> None:
        """Print one line, at once."""
        sys.stdout.write(f"{hung(line, sys.__stdout__)}\n")
        sys.stdout.flush()

    def ring(self) -> None:
        """Call the person."""
        self._ring()


class LineMode:
    """Run one conversation until it is over: hear the link, obey the keyboard, tell the time."""

    def __init__(self, conversation: Conversation, link: AsyncLink, keyboard: Keyboard) -> None:
        """Keep what is to be brought together."""
        self._conversation = conversation
        self._link = link
        self._keyboard = keyboard
        self._heard = asyncio.Event()
        self._timed_turn: int | None = None
        self._timers: list[asyncio.TimerHandle] = []

    async def run(self) -> ExitCode:
        """Run the conversation and return how it ended."""
        with self._keyboard.printing():
            tasks = {asyncio.create_task(self._listen()), asyncio.create_task(self._obey())}
            try:
                await self._until_over(tasks)
            finally:
                self._stop_timers()
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        desk = self._conversation.desk
        if desk.over is ExitCode.INTERRUPTED and desk.keeps_seat:
            desk.say(seat_kept())
        over = desk.over
        return ExitCode.DONE if over is None else over

    async def _until_over(self, tasks: set[asyncio.Task[None]]) -> None:
        """Wait until the conversation is over, or the link; raises what went wrong."""
        waiting = set(tasks)
        while waiting and self._conversation.desk.over is None:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()

    async def _listen(self) -> None:
        async for item in self._link:
            if self._conversation.desk.over is None:  # what is said last is why it ends
                self._conversation.hear(item)
            self._set_timers()
            self._heard.set()
            if self._conversation.desk.over is not None:
                return

    async def _obey(self) -> None:
        """Obey each line once it is settled where one is, and as meant for what was shown."""
        try:
            async for line in self._keyboard.lines():
                shown = self._conversation.desk.shown_turn
                await self._settled()
                self._conversation.type(line, shown)
                if self._conversation.desk.over is not None:
                    return
            await self._settled()
            self._conversation.end_of_input()
        except Ended:
            raise
        except KeyboardInterrupt:
            self._conversation.interrupt()

    async def _settled(self) -> None:
        while self._conversation.busy:
            self._heard.clear()
            await self._heard.wait()

    def _set_timers(self) -> None:
        """Plan to tell the time that is left for a new question."""
        turn = self._conversation.desk.shown_turn
        if turn == self._timed_turn:
            return
        self._stop_timers()
        self._timed_turn = turn
        left_ms = self._conversation.time_left_ms()
        if turn is None or left_ms is None:
            return
        loop = asyncio.get_running_loop()
        for seconds in REMINDERS_S:
            delay = left_ms / 1000 - seconds
            if delay > 0:
                timer = loop.call_later(delay, self._conversation.remind, turn, seconds)
                self._timers.append(timer)

    def _stop_timers(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
